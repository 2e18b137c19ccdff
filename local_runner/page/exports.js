// The menu "Save as": a game of a room, of a file, or of the page itself, in any of the formats that the server writes.
// Elements: #act-export (details), a[data-format] for each format.

import {download, h, icon} from "./dom.js";
import {language, t} from "./language.js";
import {tell} from "./telling.js";

const FORMATS = ["sgf", "json", "png", "svg", "gif", "html", "txt"];
const EDGE = 8; // pixels between the list and the edge of the window

/** `what()`: {room}, {file, number} or {position}. */
export function exportMenu(what) {
  const words = {sgf: t("game file for other programs"), json: t("log for tengen replay"), png: t("picture"),
    svg: t("drawing"), gif: t("moving picture"), html: t("page to play through"), txt: t("moves as text")};
  const list = h("ul", {class: "menu-list"}, FORMATS.map((format) => h("li", {}, h("button", {type: "button",
    class: "plain", data: {format}, on: {click: () => { menu.open = false; save(what(), format); }}},
  h("b", {}, format.toUpperCase()), h("small", {}, words[format])))));
  const menu = h("details", {class: "menu", id: "act-export"},
    h("summary", {class: "button"}, icon("save"), h("span", {}, t("Save as"))), list);
  menu.querySelector("summary").addEventListener("click", (event) => {
    event.preventDefault(); // opened here, so that it is placed before it is seen
    menu.open = !menu.open;
    if (menu.open) place(menu, list);
  });
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
  menu.addEventListener("focusout", (event) => { if (!menu.contains(event.relatedTarget)) menu.open = false; });
  return menu;
}

/** Where there is room for the list: above or below its button, and within the window. */
function place(menu, list) {
  const button = menu.getBoundingClientRect();
  menu.classList.toggle("below", button.top < window.innerHeight - button.bottom);
  list.style.translate = "0";
  const {left, right} = list.getBoundingClientRect();
  list.style.translate = `${Math.max(EDGE - left, Math.min(0, document.documentElement.clientWidth - EDGE - right))}px`;
}

async function save(what, format) {
  try {
    const answer = what.position
      ? await fetch(`/export.${format}?language=${language}`, {method: "POST", body: JSON.stringify(what.position),
        headers: {"content-type": "application/json"}})
      : await fetch(`/export/${what.room || what.file}.${format}?number=${what.number || 0}&language=${language}`);
    if (!answer.ok) throw new Error((await answer.json().catch(() => ({}))).problem || t("This cannot be saved."));
    download(`game.${format}`, await answer.blob());
  } catch (error) {
    tell(error);
  }
}
