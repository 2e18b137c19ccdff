// Reads a game from a text: a move string (h8h9i9, f5d6c3), or a board with a line for each row and characters such as
// x, o and . for Black, White and free.

import {t} from "./language.js";

const BLACK = "xX#*@b1●";
const WHITE = "oOw2○0";
const FREE = ".-_+·";
const MOST = 8000; // characters; the longest game is far shorter

/**
 * The position in a text. `kind`: the game (GameKind); `size`: of the board, null for the usual one. Throws an Error if
 * the text cannot be read; its message is a sentence for the user.
 */
export function parsed(text, kind, size) {
  const clean = text.trim();
  if (clean.length > MOST) throw new Error(t("This text is too long for one game. Open it as a file in Replay."));
  const rows = size || kind.rows;
  const cols = size || kind.cols;
  const lines = clean.split(/\n+/).map((line) => line.replace(/[\s|]/g, "")).filter(Boolean);
  if (lines.length > 1 && lines.every((line) => [...line].every((mark) => (BLACK + WHITE + FREE).includes(mark)))) {
    return drawn(lines, kind, size, rows, cols);
  }
  const left = clean.toLowerCase().replace(/[a-z][1-9][0-9]?|pass|--|[\s,;.]/g, "");
  if (left) throw new Error(t("This is no move string: “{part}” is not a cell such as h8.", {part: left.slice(0, 12)}));
  const moves = [...clean.toLowerCase().matchAll(/([a-z])([1-9][0-9]?)|pass|--/g)].map((match) => {
    if (!match[1]) return -1;
    const row = Number(match[2]) - 1;
    const col = match[1].charCodeAt(0) - "a".charCodeAt(0);
    if (row >= rows || col >= cols) {
      throw new Error(t("{cell} is not on a board of {rows} rows and {cols} columns.", {cell: match[0], rows, cols}));
    }
    return row * cols + col;
  });
  return {env: kind.env, size, moves};
}

function drawn(lines, kind, size, rows, cols) {
  if (lines.length !== rows || lines.some((line) => [...line].length !== cols)) {
    throw new Error(t("The board needs {rows} lines with {cols} marks each.", {rows, cols}));
  }
  const stones = lines.flatMap((line) => [...line].map((mark) => (BLACK.includes(mark) ? 1 : WHITE.includes(mark) ? 2 : 0)));
  return {env: kind.env, size, stones, first: toMove(stones, kind), moves: []};
}

/** The side to move on a board: White if Black has more stones. In a game that takes any board, the side is `first`. */
export function toMove(stones, kind, first = 1) {
  if (kind.takes_board) return first;
  const count = (side) => stones.filter((stone) => stone === side).length;
  return count(1) > count(2) ? 2 : 1;
}
