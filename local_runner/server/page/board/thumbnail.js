// A small picture of a position, without coordinates. Of a large board it shows the part with the stones. The name of
// its place describes it to screen readers.

import {clamp, s} from "../dom.js";
import {Geometry} from "./geometry.js";

const LEAST = 9, BESIDE = 1; // cells: least width of the part that is shown, and free cells beside its stones

/** The picture. `board`: BoardData; `stones`: row by row; `last`: cell of the last move, -1 without one. */
export function thumbnail(board, stones, last = -1) {
  const geometry = new Geometry(board), {kind} = board, {cell: size, edge} = geometry;
  const [left, top, wide, high] = part(board, stones).map((cells) => cells * size);
  const svg = s("svg", {viewBox: [edge + left, edge + top, wide, high].join(" "), class: `thumbnail ${kind}`,
    "aria-hidden": "true"}, s("rect", {x: 0, y: 0, width: geometry.width, height: geometry.height, class: "thumbnail-ground"}),
  s("path", {d: geometry.lines(), class: "thumbnail-lines"}));
  stones.forEach((stone, cell) => {
    if (!stone) return;
    const [cx, cy, arm] = [geometry.x(cell), geometry.y(cell), size * 0.27];
    const cross = `M${cx - arm} ${cy - arm}l${2 * arm} ${2 * arm}m0 ${-2 * arm}l${-2 * arm} ${2 * arm}`;
    if (kind === "marks") {
      svg.append(stone === 1 ? s("path", {d: cross, class: "thumbnail-cross"}) : s("circle", {cx, cy, r: arm, class: "thumbnail-nought"}));
      return;
    }
    svg.append(s("circle", {cx, cy, r: size * 0.46, class: stone === 1 ? "brand-black" : "brand-white"}));
    if (cell === last) svg.append(s("circle", {cx, cy, r: size * 0.16, class: "thumbnail-last"}));
  });
  return svg;
}

/** The part of a board that is shown, in cells: left, top, width and height. */
function part({rows, cols, kind}, stones) {
  const taken = [...stones.keys()].filter((cell) => stones[cell]);
  if (kind !== "crossings" || !taken.length) return [0, 0, cols, rows];
  const span = (places, size) => [Math.max(0, Math.min(...places) - BESIDE), Math.min(size, Math.max(...places) + BESIDE + 1)];
  const [left, right] = span(taken.map((cell) => cell % cols), cols);
  const [top, bottom] = span(taken.map((cell) => Math.floor(cell / cols)), rows);
  const width = Math.min(cols, rows, Math.max(LEAST, right - left, bottom - top));
  const from = (low, high, size) => clamp(Math.round((low + high - width) / 2), 0, size - width);
  return [from(left, right, cols), from(top, bottom, rows), width, width];
}
