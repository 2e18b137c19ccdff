// Files that are dropped anywhere on the page, or chosen in a field. Element: #drop.

import {h} from "../dom.js";
import {t} from "../language.js";

/** Call `act(file)` for each file that is dropped. */
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
    if (file) act(file);
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
