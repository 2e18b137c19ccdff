// The menu "Save as", in the app and in pages of saved games. It knows the formats in words, but not how one is made.
// Elements: #act-export (details), button[data-format] for each format.

import { h, icon } from "./dom.js";

/** `formats`: those to choose from, in their order; `save(format)` is called with the chosen one. */
export function saveMenu(t, formats, save) {
  const words = { sgf: t("game file for other programs"), json: t("log for tengen replay"), png: t("picture"),
    svg: t("drawing"), gif: t("moving picture"), html: t("page to play through"), txt: t("moves as text") };
  const act = (format) => () => { menu.open = false; save(format); };
  const menu = h("details", { class: "menu", id: "act-export" },
    h("summary", { class: "button" }, icon("save"), h("span", {}, t("Save as"))),
    h("ul", { class: "menu-list" }, formats.map((format) => h("li", {}, h("button", { type: "button", class: "plain",
      data: { format }, on: { click: act(format) } }, h("b", {}, format.toUpperCase()), h("small", {}, words[format]))))));
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
  menu.addEventListener("focusout", (event) => { if (!menu.contains(event.relatedTarget)) menu.open = false; });
  return menu;
}
