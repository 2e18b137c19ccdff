// Shows notices at the edge of the page, sentences for screen readers, and questions in a dialog.

import {connection} from "./connection.js";
import {$, button, h, put} from "./dom.js";
import {t} from "./language.js";

const NOTICE_MS = 6000;

/** Set the title of the window. */
export function entitle(what) {
  document.title = `${what} · tengen`;
}

/** Show a notice until another view opens; for `NOTICE_MS` if it is no error. `kind`: "bad" for an error, which the user closes. */
export function toast(sentence, kind = "") {
  const close = h("button", {type: "button", class: "plain", "aria-label": t("Close")}, "×");
  const notice = h("div", {class: `toast ${kind}`, data: {at: location.hash}}, h("span", {}, sentence), close);
  close.addEventListener("click", () => notice.remove());
  [...$("#toasts").children].find((other) => other.textContent === notice.textContent)?.remove();
  $("#toasts").append(notice);
  if (kind !== "bad") setTimeout(() => notice.remove(), NOTICE_MS);
}

/** Remove the notices of all views except the open view. */
export function forget() {
  for (const notice of [...$("#toasts").children]) if (notice.dataset.at !== location.hash) notice.remove();
}

/** Show the sentence of an error as a notice. */
export function tell(error) {
  toast(error.message, "bad");
}

/** Show a position in the address, for a reload and for others; not while the user is leaving this view. */
export function address(hash) {
  if (location.hash.split("/")[0] === hash.split("/")[0]) history.replaceState(null, "", hash);
}

/** Replace the open view by another, also in the browser's history, and show the error there. */
export function leave(hash, error) {
  location.replace(hash);
  tell(error);
}

/** Let screen readers say a sentence, such as a move. */
export function say(sentence) {
  const log = $("#live");
  log.append(h("p", {}, sentence));
  while (log.children.length > 4) log.firstChild.remove();
}

/** Open a dialog and return its element. Escape, the dialog's button or a click beside the dialog closes the dialog. */
export function dialog(id, heading, ...content) {
  const box = h("dialog", {id, class: "dialog", "aria-labelledby": `${id}-heading`}, h("form", {class: "dialog-head", method: "dialog"},
    h("h2", {id: `${id}-heading`}, heading), h("button", {class: "switch close", "aria-label": t("Close")}, "×")), ...content);
  box.addEventListener("click", (event) => { if (event.target === box) box.close(); });
  box.addEventListener("close", () => box.remove());
  document.body.append(box);
  box.showModal();
  return box;
}

/** Ask the user before an action that cannot be undone. Resolves with whether the user agreed. */
export function confirmed(sentence, yes) {
  return new Promise((resolve) => {
    const box = dialog("confirm", sentence, h("form", {class: "row end", method: "dialog"},
      h("button", {class: "button", id: "confirm-no"}, t("Cancel")),
      h("button", {class: "button danger", id: "confirm-yes", value: "yes"}, yes)));
    box.addEventListener("close", () => resolve(box.returnValue === "yes"));
    $("#confirm-no", box).focus();
  });
}

/** A button that asks the user, then sends a message by which the server deletes an item. `done(answer)` shows the rest. */
export const bin = (word, question, message, done = (answer) => answer) => button("bin", word, async () => {
  if (!await confirmed(question, t("Delete"))) return;
  try {
    done(await connection.ask(message));
  } finally {
    connection.refresh();
  }
}, {short: true, class: "plain"});

/**
 * A list of stored games or analyses, with a heading; hidden while it is empty. Returns the box, and a function that
 * draws it again: `items`, the rows; `damaged`, the paths of files that cannot be read; `more`, an element below.
 */
export function keptList(id, heading) {
  const list = h("ul", {id, class: "plain-list"}), below = h("div");
  const title = h("h2", {id: `${id}-heading`, tabindex: "-1"}, heading);
  const box = h("section", {class: "panel rooms", "aria-labelledby": title.id, hidden: true}, title, list, below);
  const show = (items, damaged = [], more = null) => {
    const focused = list.contains(document.activeElement);
    box.hidden = !items.length && !damaged.length;
    put(list, items.map((item) => h("li", ...item)));
    put(below, more, damaged.map((path) => h("p", {class: "unkept"}, t("This file is damaged and is left as it is: {path}", {path}))));
    if (focused) title.focus(); // the focused row is gone
  };
  return {box, show};
}

/** Call `draw` now, and at each Welcome while the element is in the page. */
export function atWelcome(element, draw) {
  draw();
  const off = connection.on("welcome", () => (element.isConnected ? draw() : off()));
  return element;
}
