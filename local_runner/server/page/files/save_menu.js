// The menu "Save as" in the app and in pages of saved games: the caller names the formats and makes the file. And the file
// of a Board's SVG with all its marks: an SVG that needs no style sheet, or a PNG. The PNG is drawn from the SVG as a data:
// address, which the page's content security policy must allow. Nothing is loaded from the server.

import {button, h, put} from "../dom.js";
import {t} from "../language.js";

const FIRST = ["sgf", "png", "txt", "html"]; // the formats above "More formats", in a longer list
const GAP = 8; // least distance between the list and the window's edge, in pixels

/** The menu. `formats()`: the list, [ending, words] each. `save(ending)` is called with the chosen ending. */
export function saveMenu(formats, save) {
  return menu("save", t("Save as"), "export", (list) => {
    const row = ([format, words]) => menuRow(format.toUpperCase(), words, () => {
      list.hidePopover();
      save(format);
    }, {format});
    const given = formats(), known = new Map(given), others = given.filter(([format]) => !FIRST.includes(format)).map(row);
    return [FIRST.filter((format) => known.has(format)).map((format) => row([format, known.get(format)])), others.length <= FIRST.length
      ? others : h("li", {}, h("details", {}, h("summary", {class: "plain"}, t("More formats")), h("ul", {class: "plain-list"}, others)))];
  });
}

/** A button that opens a list. `rows(list)`: its content, at each opening; `name`: in the ids of both. */
export function menu(picture, word, name, rows) {
  const list = h("ul", {class: "menu-list", id: `${name}-list`, popover: ""});
  const opener = button(picture, word, () => {}, {popovertarget: list.id});
  list.addEventListener("beforetoggle", ({newState}) => {
    if (newState !== "open") return;
    put(list, rows(list));
    place(opener, list);
  });
  return h("div", {class: "menu", id: `act-${name}`}, opener, list);
}

/** A row of a menu: a button with a short name and words. */
export const menuRow = (name, words, act, data = {}) => h("li", {}, h("button", {type: "button", class: "plain", data, on: {click: act}},
  h("b", {}, name), h("small", {}, words)));

/** Place the list above or below its button, where there is more room; app.css moves it into the window. */
function place(opener, list) {
  const {top, right, bottom} = opener.getBoundingClientRect(), {clientWidth, clientHeight} = document.documentElement;
  const below = clientHeight - bottom, downward = top < below;
  list.style.top = downward ? `${bottom + scrollY + GAP}px` : "auto";
  list.style.bottom = downward ? "auto" : `${clientHeight - top - scrollY + GAP}px`;
  list.style.maxHeight = `${Math.max(top, below) - 2 * GAP}px`;
  list.style.setProperty("--right", `${clientWidth - right}px`);
}

const INHERITED = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "paint-order",
  "font-family", "font-size", "font-weight", "text-anchor"];
const OWN = {opacity: "1", transform: "none", "stop-color": "rgb(0, 0, 0)", "stop-opacity": "1"}; // initial values
const WIDTH = 1200; // least width of a PNG, in pixels

/** The text of the SVG file. `shown`: the SVG element of a Board. */
function drawing(shown) {
  for (const animation of shown.getAnimations({subtree: true})) animation.finish();
  const copy = shown.cloneNode(true), {width, height} = shown.viewBox.baseVal;
  settle(shown, copy, null);
  for (const name of ["aria-hidden", "focusable"]) copy.removeAttribute(name);
  copy.setAttribute("width", width);
  copy.setAttribute("height", height);
  return new XMLSerializer().serializeToString(copy);
}

/** The PNG file, as a promise of a Blob. `shown`: the SVG element of a Board. */
async function pixels(shown) {
  const {width, height} = shown.viewBox.baseVal, scale = Math.max(1, WIDTH / width), image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(drawing(shown))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => { canvas.toBlob(done, "image/png"); });
}

/** The formats that the browser makes itself, from the SVG element of a Board. */
export const MADE = {png: pixels, svg: drawing};

/** Write the computed styles of an element and its descendants as attributes into the copy, except inherited values. */
function settle(element, copy, parent) {
  const style = getComputedStyle(element);
  for (const name of INHERITED) {
    const value = style.getPropertyValue(name);
    if (parent?.getPropertyValue(name) === value) copy.removeAttribute(name);
    else copy.setAttribute(name, value);
  }
  for (const [name, usual] of Object.entries(OWN)) {
    const value = style.getPropertyValue(name);
    if (value !== usual) copy.setAttribute(name, value);
  }
  for (let at = 0; at < element.children.length; at++) settle(element.children[at], copy.children[at], style);
}
