// The marks of the user on a Stage, and their drawing with the pointer: with the right button, or after a long press, from one cell
// to another. The tools of an analysis board put marks by clicks and keys. A mark is [property of SGF, cells, label], as in a node of
// an analysis board; an arrow (AR) or line (LN) has two cells.

import {cellName, t} from "../language.js";

const LONG_MS = 450; // a touch of this length begins an arrow
const STILL = 9; // pixels that the finger may move in this time

/** `draw(from, to)`: called with both cells at the end, which may be one cell. */
export function drawOn(stage, draw) {
  const {root} = stage.board;
  let from = -1, to = -1, timer = 0, began = {x: 0, y: 0}, drawn = false;
  const show = () => stage.mark("drawing", from < 0 ? [] : userMarks([from === to ? ["CR", [from]] : ["AR", [from, to]]],
    stage.board.state));
  const begin = (event) => {
    from = to = stage.board.cellAt(event.clientX, event.clientY);
    drawn = from >= 0;
    if (drawn) root.setPointerCapture(event.pointerId);
    show();
  };
  const end = () => {
    clearTimeout(timer);
    from = -1;
    show();
  };
  root.addEventListener("contextmenu", (event) => event.preventDefault());
  root.addEventListener("pointerdown", (event) => {
    end();
    drawn = false;
    began = {x: event.clientX, y: event.clientY};
    if (event.button === 2) begin(event);
    else if (event.pointerType === "touch" && event.isPrimary) timer = setTimeout(() => begin(event), LONG_MS);
  });
  root.addEventListener("pointermove", (event) => {
    if (Math.hypot(event.clientX - began.x, event.clientY - began.y) > STILL) clearTimeout(timer);
    const cell = from < 0 ? -1 : stage.board.cellAt(event.clientX, event.clientY);
    if (cell < 0 || cell === to) return;
    to = cell;
    show();
  });
  root.addEventListener("pointerup", () => {
    if (from >= 0) draw(from, to);
    end();
  });
  root.addEventListener("pointercancel", end);
  root.addEventListener("touchmove", (event) => { if (from >= 0) event.preventDefault(); }, {passive: false}); // else the page would scroll
  root.addEventListener("click", (event) => { if (drawn) event.stopImmediatePropagation(); }, true); // a finger that drew plays no move
}

/** Marks of the user for a Stage with this board, whose stones decide the marks' colours. */
export const userMarks = (marks, {board, stones}) => marks.map(([figure, [cell, to], text]) => {
  const from = cellName(cell, board), end = cellName(to, board);
  const title = text || {TR: t("Triangle"), SQ: t("Square"), CR: t("Circle"), MA: t("Cross"),
    AR: t("Arrow from {from} to {to}", {from, to: end}), LN: t("Line from {from} to {to}", {from, to: end})}[figure];
  return {cell, to, kind: "user", figure, text, side: stones[cell], title};
});
