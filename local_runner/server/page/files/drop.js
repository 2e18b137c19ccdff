// Takes a file that is dropped anywhere on the page: a .py file opens in Check, any other file in Replay. The part that
// opens gets the file with `dropped()`.

import {h} from "../dom.js";
import {t} from "../language.js";

let waiting = null;

/** The file that was dropped last. A second call returns null. */
export function dropped() {
  const file = waiting;
  waiting = null;
  return file;
}

/** Keep a file for the next call of `dropped`. */
export function carry(file) {
  waiting = file;
}

export function acceptDrops(act) {
  const words = h("p");
  const veil = h("div", {id: "drop", class: "veil", hidden: true}, words);
  let depth = 0;
  const holds = (event) => [...(event.dataTransfer?.types || [])].includes("Files");
  const show = (on) => {
    words.textContent = t("Drop a game or a submission.py");
    veil.hidden = !on;
  };
  document.body.append(veil);
  addEventListener("dragenter", (event) => { if (holds(event)) show(++depth > 0); });
  addEventListener("dragleave", (event) => { if (holds(event)) show(--depth > 0); });
  addEventListener("dragover", (event) => { if (holds(event)) event.preventDefault(); });
  addEventListener("drop", (event) => {
    if (!holds(event)) return;
    event.preventDefault();
    depth = 0;
    show(false);
    const file = event.dataTransfer.files[0];
    if (!file) return;
    carry(file);
    act(file, file.name.endsWith(".py") ? "check" : "replay");
  });
}

/** A field in which the user chooses a file. `act(file)` is called with the chosen file. */
export function filePicker(id, word, accept, act) {
  const input = h("input", {type: "file", id, accept, class: "unseen", on: {change: () => {
    const file = input.files[0];
    input.value = "";
    if (file) act(file);
  }}});
  return h("label", {class: "picker", for: id}, input, h("span", {}, word));
}
