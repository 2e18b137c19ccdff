// The menu "Save as" in the app and in pages of saved games. The menu lists the formats; the caller makes the file.
// Elements: #act-export (details), button[data-format] for each format.

import {h, icon} from "./dom.js";

const EDGE = 8; // least distance between the list and the window's edge, in pixels

/** The menu. `formats`: the formats in the list, in order. `save(format)` is called with the chosen format. */
export function saveMenu(t, formats, save) {
  const words = {sgf: t("game file for other programs"), json: t("log for tengen replay"), png: t("picture"),
    svg: t("drawing"), gif: t("moving picture"), html: t("page to play through"), txt: t("moves as text")};
  const act = (format) => () => { menu.open = false; save(format); };
  const list = h("ul", {class: "menu-list"}, formats.map((format) => h("li", {}, h("button", {type: "button",
    class: "plain", data: {format}, on: {click: act(format)}}, h("b", {}, format.toUpperCase()),
  h("small", {}, words[format])))));
  const summary = h("summary", {class: "button"}, icon("save"), h("span", {}, t("Save as")));
  const menu = h("details", {class: "menu", id: "act-export"}, summary, list);
  summary.addEventListener("click", (event) => {
    event.preventDefault(); // opened here, so that the list is placed before it is drawn
    menu.open = !menu.open;
    if (menu.open) place(menu, list);
  });
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    menu.open = false;
    summary.focus();
  });
  menu.addEventListener("focusout", (event) => {
    if (!menu.contains(/** @type {Node} */ (event.relatedTarget))) menu.open = false;
  });
  return menu;
}

/** Place the list above or below its button, where there is more room, and move it into the window. */
function place(menu, list) {
  const button = menu.getBoundingClientRect();
  menu.classList.toggle("downward", button.top < window.innerHeight - button.bottom);
  list.style.translate = "0";
  const {left, right} = list.getBoundingClientRect();
  list.style.translate = `${Math.max(EDGE - left, Math.min(0, document.documentElement.clientWidth - EDGE - right))}px`;
}
