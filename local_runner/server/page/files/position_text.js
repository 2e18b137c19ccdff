// Reads a game from a text: moves, which the server reads as it reads files of moves, or a board with a line for each row
// and characters such as x, o and . for Black, White and free.

import {connection, Refused} from "../connection.js";
import {t} from "../language.js";

const BLACK = "xX#*@b1●";
const WHITE = "oOw2○0";
const FREE = ".-_+·";
const MOST = 8000; // characters; the longest game is far shorter

/**
 * The position in a text, and why the text after its moves cannot be read or played ("" if there is no such text).
 * `kind`: the game (GameKind); `size`: of the board, null for the usual one. Rejects with Refused if there is no game.
 */
export async function read(text, kind, size) {
  const clean = text.trim();
  if (clean.length > MOST) throw new Refused(t("This text is too long for one game. Open it as a file in Replay."));
  if (!clean) return {position: {env: kind.env, size, moves: []}, problem: ""};
  const lines = clean.split(/\n+/).map((line) => line.replace(/[\s|]/g, "")).filter(Boolean);
  if (lines.length > 1 && lines.every((line) => [...line].every((mark) => (BLACK + WHITE + FREE).includes(mark)))) {
    return {position: drawn(lines, kind, size, size || kind.rows, size || kind.cols), problem: ""};
  }
  const {position, damage} = await connection.ask({type: "read_moves", env: kind.env, size, text: clean});
  return {position, problem: damage};
}

function drawn(lines, kind, size, rows, cols) {
  if (lines.length !== rows || lines.some((line) => [...line].length !== cols)) {
    throw new Refused(t("The board needs {rows} lines with {cols} marks each.", {rows, cols}));
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
