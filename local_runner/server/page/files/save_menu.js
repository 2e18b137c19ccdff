// The menu "Save as" in the app and in pages of saved games. The caller names the formats and makes the file.
// Elements: #act-export (details), button[data-format] for each format.

import {h, icon, put} from "../dom.js";
import {t} from "../language.js";

const FIRST = ["sgf", "png", "txt", "html"]; // the formats above "More formats", in a longer list
const GAP = 8; // least distance between the list and the window's edge, in pixels

/** The menu. `formats()`: the list, [ending, words] each. `save(ending)` is called with the chosen ending. */
export function saveMenu(formats, save) {
  const act = (format) => () => { menu.open = false; save(format); };
  const list = h("ul", {class: "menu-list"});
  const summary = h("summary", {class: "button"}, icon("save"), h("span", {}, t("Save as")));
  const menu = h("details", {class: "menu", id: "act-export"}, summary, list);
  summary.addEventListener("click", (event) => {
    event.preventDefault(); // opened here, so that the list is placed before it is drawn
    menu.open = !menu.open;
    if (!menu.open) return;
    const rows = new Map(formats().map(([format, words]) => [format, h("li", {}, h("button", {type: "button", class: "plain",
      data: {format}, on: {click: act(format)}}, h("b", {}, format.toUpperCase()), h("small", {}, words)))]));
    const first = FIRST.map((format) => rows.get(format)).filter(Boolean), others = [...rows.values()].filter((row) => !first.includes(row));
    put(list, first, others.length <= FIRST.length ? others : h("li", {}, h("details", {}, h("summary", {class: "plain"}, t("More formats")),
      h("ul", {class: "plain-list"}, others))));
    place(menu, list);
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
  const above = button.top, below = window.innerHeight - button.bottom;
  menu.classList.toggle("downward", above < below);
  list.style.maxHeight = `${Math.max(above, below) - 2 * GAP}px`;
  list.style.translate = "0";
  const {left, right} = list.getBoundingClientRect();
  list.style.translate = `${Math.max(GAP - left, Math.min(0, document.documentElement.clientWidth - GAP - right))}px`;
}
