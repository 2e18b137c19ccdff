// The frame of a page that is one file: its top with title and switch of language.

import {$, h, s} from "../dom.js";
import {data, preferred, speak} from "../language.js";

/**
 * Begin the page in its language, `language` of its data ("": the browser's). `show()` returns the title of the page; it is
 * called again after a change of language.
 */
export function begin(show, chosen = data.language || preferred()) {
  speak(chosen);
  const title = show(), other = {en: "zh", zh: "en"}[chosen];
  $(".top")?.remove();
  document.body.prepend(h("header", {class: "top"}, h("span", {class: "brand"}, s("svg", {viewBox: "0 0 32 32", "aria-hidden": "true"},
    s("circle", {cx: 11, cy: 16, r: 9, class: "brand-black"}), s("circle", {cx: 21, cy: 16, r: 9, class: "brand-white"})), "tengen"),
  h("h1", {}, title), h("button", {type: "button", class: "switch", lang: other, on: {click: () => begin(show, other)}},
    {en: "English", zh: "中文"}[other])));
}
