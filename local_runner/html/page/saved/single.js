// The frame of a page that is one file: its top with title and switch of language, and its colours, as in the app.

import {h, s} from "../shared/dom.js";

const dark = matchMedia("(prefers-color-scheme: dark)");
const colours = () => { document.documentElement.dataset.theme = dark.matches ? "dark" : "light"; };
colours();
dark.addEventListener("change", colours);

/** The language that the browser prefers, of those that the page has. */
export const wished = () => ((navigator.languages?.[0] || navigator.language || "en").toLowerCase().startsWith("zh") ? "zh" : "en");

/** Put the top above the page's main part. `start(language)`: begins the page again in the other language. */
export function top(language, title, start) {
  const other = {en: "zh", zh: "en"}[language];
  document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
  document.querySelector(".top")?.remove();
  document.body.prepend(h("header", {class: "top"}, h("span", {class: "brand"}, s("svg", {viewBox: "0 0 32 32", "aria-hidden": "true"},
    s("circle", {cx: 11, cy: 16, r: 9, class: "brand-black"}), s("circle", {cx: 21, cy: 16, r: 9, class: "brand-white"})), "tengen"),
  h("h1", {}, title), h("button", {type: "button", class: "switch", lang: other, on: {click: () => start(other)}},
    {en: "English", zh: "中文"}[other])));
}
