// Makes an element of HTML or SVG in one call: h("button", {class: "x", on: {click}}, "text"). `data` sets data attributes.
// Children that are null, undefined or false are left out.

const SVG = "http://www.w3.org/2000/svg";

/** @type {<Tag extends keyof HTMLElementTagNameMap>(tag: Tag, properties?: any, ...children: any) => HTMLElementTagNameMap[Tag]} */
export const h = (tag, properties = {}, ...children) => made(document.createElement(tag), properties, children);

/** @type {<Tag extends keyof SVGElementTagNameMap>(tag: Tag, properties?: any, ...children: any) => SVGElementTagNameMap[Tag]} */
export const s = (tag, properties = {}, ...children) => made(document.createElementNS(SVG, tag), properties, children);

function made(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") for (const [event, act] of Object.entries(value)) element.addEventListener(event, act);
    else if (name === "data") Object.assign(element.dataset, value);
    else if (["value", "checked", "disabled", "hidden", "selected", "open"].includes(name)) element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Replace the children of an element. Children that stay are not taken out, so that the browser need not draw them again. */
export function put(element, ...children) {
  const wanted = children.flat(Infinity).filter((child) => child !== null && child !== false), stay = new Set(wanted);
  for (const child of [...element.childNodes]) if (!stay.has(child)) child.remove();
  let at = element.firstChild;
  for (const child of wanted) {
    if (child === at) at = at.nextSibling; else element.insertBefore(child instanceof Node ? child : new Text(child), at);
  }
  return element;
}

/** A list of choices, [value, word] each. `act(value)` is called after a choice; the value is a text. */
export const choice = (properties, choices, chosen, act) => h("select", {...properties, on: {change: (event) => act(event.target.value)}},
  choices.map(([value, word]) => h("option", {value, selected: value === chosen}, word)));

/** A form's field with its label. */
export const field = (word, ...content) => h("label", {class: "field"}, h("span", {}, word), content);

/** Whether the last call for this element had other data, or there was none. The caller draws the element then. */
export function isNew(element, data) {
  const sign = JSON.stringify(data);
  if (element.sign === sign) return false;
  element.sign = sign;
  return true;
}

/** The first element that matches a selector. @returns {any} */
export const $ = (selector, /** @type {ParentNode} */ within = document) => within.querySelector(selector);

/** All elements that match a selector. @returns {HTMLElement[]} */
export const $$ = (selector) => [...document.querySelectorAll(selector)];

/** The innermost element that contains an event's target and matches, null if none does. @returns {HTMLElement} */
export const origin = (event, selector) => event.target.closest?.(selector);

export const clamp = (value, low, high) => Math.min(high, Math.max(low, value));

/** A setting of the user, in the browser's storage as JSON: theme, sound, form of the last game. @returns {any} */
export const setting = (name, otherwise = null) => JSON.parse(localStorage.getItem(`tengen.${name}`)) ?? otherwise;

export function keep(name, value) {
  localStorage.setItem(`tengen.${name}`, JSON.stringify(value));
}

const PATHS = {
  sun: "M12 7a5 5 0 1 0 0 10 5 5 0 0 0 0-10zM12 1v3M12 20v3M1 12h3M20 12h3M4.2 4.2l2.1 2.1M17.7 17.7l2.1 2.1M4.2 19.8l2.1-2.1M17.7 6.3l2.1-2.1",
  moon: "M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5z",
  sound: "M4 9v6h4l5 4V5L8 9zM16.5 8.5a5 5 0 0 1 0 7M19 6a8.5 8.5 0 0 1 0 12",
  silent: "M4 9v6h4l5 4V5L8 9zM17 9.5l5 5M22 9.5l-5 5",
  undo: "M9 14L4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3",
  hint: "M9 18h6M10 21.5h4M12 2.5a6.5 6.5 0 0 0-4 11.6c.7.6 1 1.2 1 1.9h6c0-.7.3-1.3 1-1.9a6.5 6.5 0 0 0-4-11.6z",
  flag: "M5 22V3M5 4h12l-2 4 2 4H5",
  turned: "M7 20V5M3 9l4-4 4 4M17 4v15M13 15l4 4 4-4",
  swap: "M7 4L3 8l4 4M3 8h14M17 12l4 4-4 4M21 16H7",
  restart: "M4 12a8 8 0 1 0 2.5-5.8M4 4v5h5",
  again: "M17 2l4 4-4 4M3 11V9a3 3 0 0 1 3-3h15M7 22l-4-4 4-4M21 13v2a3 3 0 0 1-3 3H3",
  now: "M5 4l9 8-9 8zM19 5v14",
  save: "M12 3v12M7 10l5 5 5-5M4 20h16",
  gauge: "M8 3h8v18H8zM8 14h8",
  link: "M10 14a4 4 0 0 0 5.7 0l3-3a4 4 0 0 0-5.7-5.7l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3a4 4 0 0 0 5.7 5.7l1-1",
  eye: "M2 12s3.6-7 10-7 10 7 10 7-3.6 7-10 7S2 12 2 12zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z",
  plus: "M12 5v14M5 12h14",
  chart: "M3 20h18M4 15l5-6 4 4 7-9",
  play: "M7 4l13 8-13 8z",
  pause: "M8 4v16M16 4v16",
  first: "M18 5l-8 7 8 7zM6 5v14",
  back: "M15 5l-8 7 8 7",
  next: "M9 5l8 7-8 7",
  last: "M6 5l8 7-8 7zM18 5v14",
  close: "M5 5l14 14M19 5L5 19",
  bin: "M4 7h16M9 7V4h6v3M6 7l1 14h10l1-14",
  open: "M3 19V5h6l2 3h10v11z",
  pass: "M4 12h13M12 6l6 6-6 6",
  check: "M4 12.5l5.5 5.5L20 6.5",
  pointer: "M6 3l13 8-6 2-2 6z",
  up: "M12 20V5M5 12l7-7 7 7",
  learn: "M12 5L1 10l11 5 11-5zM6 12.5V17c3.5 3 8.5 3 12 0v-4.5",
  grid: "M4 4h16v16H4zM4 12h16M12 4v16",
  numbers: "M5 8.5l3-2.5v12M12.5 9a3.2 3.2 0 1 1 5.6 2.1L12.5 18h6",
  tap: "M9 12V5.5a1.5 1.5 0 0 1 3 0V11l5.5 1.2a2 2 0 0 1 1.5 2.2L18 21h-7l-4.5-5.5a1.5 1.5 0 0 1 2.5-1.7zM6 6.5a4.5 4.5 0 0 1 9 0",
};

/** A move in a list: a button with its number, a dot, and further words. `side`: of the mover, 0 without a move; `data.ply`: the number. */
export const chip = (side, data, title, kinds, ...words) => h("button", {type: "button", tabindex: "-1", data,
  class: ["move", ...kinds].filter(Boolean).join(" "), title: title || null}, side ? [h("small", {}, String(data.ply)), dot(side)] : null, words);

/** Event handlers for an element: `begin(event)` when the mouse comes over it or it gets the focus, then `end()`. */
export const whileLooked = (begin, end) => ({mouseenter: begin, focus: begin, mouseleave: end, blur: end});

/** A dot in the colour of a side. `side`: 1 Black, 2 White. */
export const dot = (side) => h("i", {class: `dot ${side === 1 ? "black" : "white"}`});

/** The bars of the times of a game, [side, seconds, title] by ply, null where none is drawn, in a box of `wide` by `high`. */
export function timeBars(times, wide, high) {
  const longest = Math.max(0.001, ...times.map((time) => time?.[1] ?? 0)), step = wide / times.length;
  return times.flatMap((time, at) => {
    if (!time) return [];
    const height = Math.max(1, high * 0.95 * time[1] / longest);
    return [s("rect", {class: time[0] === 1 ? "time-black" : "time-white", x: at * step + 0.1 * step, width: 0.8 * step, y: high - height,
      height, data: {ply: at + 1}}, s("title", {}, time[2]))];
  });
}

/** An icon, hidden from screen readers; the button around it has the name. */
export function icon(name) {
  return s("svg", {viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true"}, s("path", {d: PATHS[name]}));
}

/**
 * A button with an icon and a word. With `short` the word is not shown; it is the tooltip and the accessible name.
 * @param {string} name @param {string} word @param {(event: Event) => void} act
 * @param {{short?: boolean, [property: string]: any}} properties
 */
export function button(name, word, act, {short = false, ...more} = {}) {
  const label = short ? {"aria-label": word, title: word} : {};
  return h("button", {type: "button", class: short ? "button short" : "button", ...label, on: {click: act}, ...more},
    name ? icon(name) : null, short ? null : h("span", {}, word));
}

/** A link that looks as a button. `name`: of its icon. */
export const buttonLink = (name, word, href, more = {}) => h("a", {class: "button", href, ...more}, icon(name), h("span", {}, word));

/** Let the browser save a file. `content`: a Blob or a text. */
export function download(name, content) {
  const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content]));
  h("a", {href: url, download: name}).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
