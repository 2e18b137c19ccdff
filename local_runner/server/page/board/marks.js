// Draws layers of an SVG from lists of items, {key, tag, attributes, text, title}, and makes the items of marks and ghosts.
//
// A mark is {cell, kind, side, value, text, title}. Kinds: "heat" (value: 0 to 1), "line" (a candidate move, a disc
// with the text; value: its strength, 0 to 1), "hint", "best", "blunder", "mistake", "missed", "stable", and the
// user's marks "user" (figure: TR, SQ, CR, MA, LB, AR or LN as in SGF; side: the colour of the stone under it, 0 without), the
// engine's "arrow" (from `cell` to the cell `to`, as AR and LN are; value: its strength), and the
// threats "five", "open_four", "four", "open_three" of a side (1 or 2). `title` is the tooltip. A ghost {cell, side,
// text} is a stone that is not on the board yet.

import {put, s} from "../dom.js";

const THREATS = ["five", "open_four", "four", "open_three"]; // the strongest first
const UNDER = ["heat"]; // kinds drawn below the stones
const LARGEST = 60; // on cells larger than this, figures and numbers have the size as on a cell of this size
const unitOf = (geometry) => Math.min(geometry.cell, LARGEST);
const round = (value) => Math.round(value * 100) / 100;

/** A layer. An update keeps the elements of equal items, so that the animation of a stone runs once. */
export class Layer {
  constructor(name, parent) {
    this.group = s("g", {class: `layer ${name}`});
    this.drawn = new Map(); // drawn items by key: {element, sign}
    parent.append(this.group);
  }

  update(items) {
    const made = new Map(items.map((item) => {
      const known = this.drawn.get(item.key), sign = JSON.stringify(item);
      return [item.key, known?.sign === sign ? known : {element: elementOf(item), sign}];
    }));
    put(this.group, [...made.values()].map(({element}) => element)); // later items are drawn above earlier ones
    this.drawn = made;
  }
}

/** The element of an item. */
export const elementOf = ({tag, attributes, text, title}) => s(tag, attributes, text, title && s("title", {}, title));

/** The items of the marks below the stones. */
export function under(geometry, marks) {
  return marks.filter(({kind}) => UNDER.includes(kind)).map((mark) => {
    const value = Math.max(0, Math.min(1, mark.value ?? 1)), size = geometry.cell * (geometry.crossed ? 0.47 : 0.5);
    return {key: `heat ${mark.cell}`, tag: "rect", title: mark.title, attributes: {
      class: "mark heat", opacity: round(0.06 + 0.74 * value), rx: geometry.crossed ? size : 2,
      x: geometry.x(mark.cell) - size, y: geometry.y(mark.cell) - size, width: 2 * size, height: 2 * size}};
  });
}

/** The items of the marks above the stones. If a side has several threats at a cell, only the strongest is shown. */
export function above(geometry, marks) {
  const threats = new Map(), items = [];
  const numbered = new Set(marks.filter(({kind}) => kind === "line").map(({cell}) => cell));
  for (const mark of marks) {
    if (UNDER.includes(mark.kind)) continue;
    if (!THREATS.includes(mark.kind)) items.push(...drawn(geometry, mark));
    else {
      const key = `threat ${mark.cell} ${mark.side}`, known = threats.get(key);
      if (!known || THREATS.indexOf(mark.kind) < THREATS.indexOf(known.kind)) threats.set(key, mark);
    }
  }
  for (const [key, mark] of threats) items.push(threat(geometry, key, mark, threats, numbered.has(mark.cell)));
  return items;
}

/** The items of ghosts, such as the stones of a line of play, with their texts. */
export function ghosts(geometry, stones, stone) {
  return stones.filter(({cell}) => cell >= 0).flatMap((ghost) => {
    const items = stone(ghost.cell, ghost.side).map((item) => ({...item, key: `ghost ${item.key}`}));
    const {cell, text, side} = ghost;
    if (text) items.push(words(geometry, cell, `number ${cell}`, text, `on-${side}`, 0.42));
    return items;
  });
}

/** The item of a text in the middle of a cell. `size`: its height, as a share of the cell. */
export function words(geometry, cell, key, text, name, size) {
  const wide = Math.max(1, String(text).length / 2.2), height = geometry.cell * Math.min(size, 0.5) / wide ** 0.7;
  return {key, tag: "text", text: String(text), attributes: {class: `words ${name}`, "font-size": round(height),
    x: geometry.x(cell), y: round(geometry.y(cell) + height * 0.35)}};
}

function drawn(geometry, mark) {
  const {cell, kind} = mark, x = geometry.x(cell), y = geometry.y(cell), unit = geometry.cell;
  const item = (part, tag, attributes) => ({key: `${kind} ${part} ${cell}`, tag, title: mark.title, attributes: {
    class: `mark ${kind} ${part}${mark.side ? ` side-${mark.side}` : ""}`, ...attributes}});
  const ring = (part, size) => item(part, "circle", {cx: x, cy: y, r: round(size * unit)});
  if (kind === "line") {
    const small = unitOf(geometry) / unit, disc = ring("disc", 0.4 * small);
    disc.attributes["fill-opacity"] = round(0.35 + 0.6 * Math.max(0, Math.min(1, mark.value ?? 1)));
    return mark.text ? [disc, words(geometry, cell, `line text ${cell}`, mark.text, "of-line", 0.34 * small)] : [disc];
  }
  if (kind === "arrow" || mark.figure === "AR" || mark.figure === "LN") return [arrow(geometry, mark)];
  if (kind === "user") return written(geometry, mark);
  if (kind === "stable") {
    const half = 0.13 * unit;
    return [item("square", "rect", {x: x - half, y: y - half, width: 2 * half, height: 2 * half, rx: 2})];
  }
  const items = kind === "hint" ? [ring("ring", 0.38), ring("dot", 0.11)] : [ring("ring", 0.45)];
  if (mark.text) {
    const at = {x: x + 0.33 * unit, y: y - 0.33 * unit};
    items.push(item("badge", "circle", {cx: at.x, cy: at.y, r: round(0.22 * unit)}));
    items.push({...item("letters", "text", {x: at.x, y: round(at.y + 0.1 * unit), "font-size": round(0.28 * unit)}),
      text: mark.text});
  }
  return items;
}

/** The item of an arrow from cell to cell; of a line, which has no head. */
function arrow(geometry, {cell, to, kind, figure, title, value = 1}) {
  const [x, y, unit] = [geometry.x(cell), geometry.y(cell), geometry.cell], [down, right] = [geometry.y(to) - y, geometry.x(to) - x];
  const long = Math.hypot(down, right) / unit, half = kind === "arrow" ? 0.055 : 0.075, head = figure === "LN" ? 0 : 0.42;
  const tip = head ? [[long - head, 0.21], [long, 0], [long - head, -0.21]] : [];
  const shape = [[0.28, half], [long - head, half], ...tip, [long - head, -half], [0.28, -half]]; // in cells, along the arrow and across
  const points = shape.flatMap(([along, across]) => [x + (along * right - across * down) / long, y + (along * down + across * right) / long]);
  return {key: `${kind} ${figure} ${cell} ${to}`, tag: "polygon", title, attributes: {class: `mark arrow ${kind === "user" ? "drawn" : ""}`,
    points: points.map(round).join(" "), "fill-opacity": round(0.35 + 0.5 * value)}};
}

/** The items of a mark that the user has put: a figure or a label, in a colour that contrasts with the stone below. */
function written(geometry, {cell, figure, side, text, title}) {
  const x = geometry.x(cell), y = geometry.y(cell), size = 0.24 * geometry.cell, at = (a, b) => `${round(x + a * size)} ${round(y + b * size)}`;
  const path = {TR: `M${at(0, -1.15)}L${at(1, 0.65)}L${at(-1, 0.65)}Z`, SQ: `M${at(-0.85, -0.85)}L${at(0.85, -0.85)}L${at(0.85, 0.85)}L${at(-0.85, 0.85)}Z`,
    MA: `M${at(-0.85, -0.85)}L${at(0.85, 0.85)}M${at(0.85, -0.85)}L${at(-0.85, 0.85)}`}[figure];
  const name = `mark user on-${side || 0}`, key = `user ${figure} ${cell}`;
  if (path) return [{key, tag: "path", title, attributes: {class: name, d: path}}];
  if (figure === "CR") return [{key, tag: "circle", title, attributes: {class: name, cx: x, cy: y, r: round(size)}}];
  return [words(geometry, cell, key, text, `user-label on-${side || 0}`, 0.5)];
}

/**
 * The item of a threat, a figure in the side's colour. Figures: a star for a five, a square for an open four, a diamond
 * for a four, a triangle for an open three. `aside`: draw the figure in the corner, because a number is in the middle.
 */
function threat(geometry, key, mark, all, aside) {
  const {cell, kind, side} = mark, both = all.has(`threat ${cell} ${3 - side}`);
  const off = (both && side === 1 ? -1 : 1) * (aside ? 0.36 : both ? 0.2 : 0);
  const x = geometry.x(cell) + off * geometry.cell;
  const y = geometry.y(cell) - (aside ? 0.34 * geometry.cell : 0);
  const size = unitOf(geometry) * (aside ? 0.12 : both ? 0.15 : 0.19);
  const corners = {
    five: [...Array(10).keys()].map((i) => pointAt(i / 10, i % 2 ? 0.62 : 1.35)),
    open_four: [[-1, -1], [1, -1], [1, 1], [-1, 1]],
    four: [[0, -1.25], [1.25, 0], [0, 1.25], [-1.25, 0]],
    open_three: [0, 1, 2].map((i) => pointAt(i / 3, 1.25)),
  }[kind];
  const points = corners.map(([right, down]) => `${round(x + right * size)},${round(y + down * size)}`).join(" ");
  return {key, tag: "polygon", title: mark.title, attributes: {class: `mark threat ${kind} side-${side}`, points}};
}

const pointAt = (part, length) => [Math.sin(2 * Math.PI * part) * length, -Math.cos(2 * Math.PI * part) * length];
