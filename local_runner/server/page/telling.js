// Shows notices at the edge of the page, sentences for screen readers, and questions in a dialog.

import {$, h} from "./dom.js";
import {t} from "./language.js";

const NOTICE_MS = 6000;

/** Set the title of the window. */
export function entitle(what) {
  document.title = `${what} · tengen`;
}

/** Show a notice for `NOTICE_MS`, or until another part of the page opens. `kind`: "bad" for an error. */
export function toast(sentence, kind = "") {
  const close = h("button", {type: "button", class: "plain", "aria-label": t("Close")}, "×");
  const notice = h("div", {class: `toast ${kind}`, data: {at: location.hash}}, h("span", {}, sentence), close);
  close.addEventListener("click", () => notice.remove());
  const same = [...$("#toasts").children].find((other) => other.textContent === notice.textContent);
  same?.remove();
  $("#toasts").append(notice);
  setTimeout(() => notice.remove(), NOTICE_MS);
}

/** Remove the notices of other parts of the page than the one that is open now. */
export function forget() {
  for (const notice of [...$("#toasts").children]) if (notice.dataset.at !== location.hash) notice.remove();
}

/** Show the sentence of an error as a notice. */
export function tell(error) {
  toast(error.message, "bad");
}

/** Show a position in the address, for a reload and for others; not while the user is leaving this part of the page. */
export function address(hash) {
  if (location.hash.split("/")[0] === hash.split("/")[0]) history.replaceState(null, "", hash);
}

/** Open another part of the page instead of this one, which the back button then leaves out, and show there why. */
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
  const close = h("button", {type: "button", class: "switch close", "aria-label": t("Close")}, "×");
  const box = h("dialog", {id, class: "dialog", "aria-labelledby": `${id}-heading`},
    h("div", {class: "dialog-head"}, h("h2", {id: `${id}-heading`}, heading), close), ...content);
  close.addEventListener("click", () => box.close());
  box.addEventListener("click", (event) => { if (event.target === box) box.close(); });
  box.addEventListener("close", () => box.remove());
  document.body.append(box);
  box.showModal();
  return box;
}

/** Ask the user before an action that cannot be undone. Resolves with whether the user agreed. */
export function confirmed(sentence, yes) {
  return new Promise((resolve) => {
    let answer = false;
    const end = (value) => () => { answer = value; box.close(); };
    const box = dialog("confirm", sentence, h("div", {class: "row end"},
      h("button", {type: "button", class: "button", id: "confirm-no", on: {click: end(false)}}, t("Cancel")),
      h("button", {type: "button", class: "button danger", id: "confirm-yes", on: {click: end(true)}}, yes)));
    box.addEventListener("close", () => resolve(answer));
    $("#confirm-no", box).focus();
  });
}

/** A sentence for each file of the server that cannot be read. */
export const damagedFiles = (paths) => paths.map((path) => h("p", {class: "unkept"},
  t("This file is damaged and is left as it is: {path}", {path})));
