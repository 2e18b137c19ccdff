// A small picture of a position, without coordinates. The name of its place describes it to screen readers.

import {s} from "./dom.js";
import {Geometry} from "./geometry.js";

/** The picture. `board`: BoardData; `stones`: row by row; `last`: cell of the last move, -1 without one. */
export function thumbnail(board, stones, last = -1) {
  const geometry = new Geometry(board), {cell: size, edge, rim, width, height} = geometry;
  const room = [edge, edge, width - edge - rim, height - edge - rim];
  const svg = s("svg", {viewBox: room.join(" "), class: `thumbnail ${board.kind}`, "aria-hidden": "true"},
    s("rect", {x: room[0], y: room[1], width: room[2], height: room[3], class: "thumbnail-ground"}),
    s("path", {d: geometry.lines(), class: "thumbnail-lines"}));
  stones.forEach((stone, cell) => {
    const [x, y, arm] = [geometry.x(cell), geometry.y(cell), size * 0.27];
    if (!stone) return;
    svg.append(board.kind === "marks" && stone === 1
      ? s("path", {d: `M${x - arm} ${y - arm}l${2 * arm} ${2 * arm}m0 ${-2 * arm}l${-2 * arm} ${2 * arm}`, class: "tile-cross"})
      : s("circle", {cx: x, cy: y, r: board.kind === "marks" ? arm : size * 0.46,
        class: board.kind === "marks" ? "tile-nought" : stone === 1 ? "brand-black" : "brand-white"}));
    if (cell === last && board.kind !== "marks") svg.append(s("circle", {cx: x, cy: y, r: size * 0.16, class: "thumbnail-last"}));
  });
  return svg;
}
