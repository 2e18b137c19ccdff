// A game in an address, behind "#": m=h8i9g7, or m=f5d6passc3&g=reversi_8x8&p=2. Any page of tengen opens such a link. Its parts:
//
//   m  the moves: names of cells, and pass
//   g  the game, without "_1v1"; gobang without this part
//   n  the side of the board, if it is not the usual one
//   b  the start board, if it is not the game's own: rows from the top, between dashes; x Black, o White, a number of free cells
//   w  1 if White begins on that board
//   p  the number of moves that are shown, if not all are

import {clamp} from "../dom.js";
import {columnName, t} from "../language.js";

const USUAL = "gobang", VERSUS = "_1v1"; // the game of a link that names none; the end of every game's name
const LEAST_SIDE = 3, MOST_SIDE = 26; // least and most cells on a side of a board
export const MARKS = ".xo"; // free, Black, White

/** The rows, the columns and the stones in a row of an m,n,k-game, which its name has; null for another game. */
export function mnkOf(env) {
  const [name, ...numbers] = String(env).split("_"), [rows, cols, in_a_row] = numbers.map(Number);
  return name === "mnk" ? {rows, cols, in_a_row} : null;
}

/** The link in a text, from "m=" on; "" without one. */
export const linkIn = (text) => /(?:^|[#\s])(m=\S*)/.exec(text)?.[1] ?? "";

/** The link of a position (PagePosition) on a board with `cols` columns, of which `ply` moves are shown. */
export function linkOf({env, size, stones, first, moves}, cols, ply = moves.length) {
  const name = (cell) => (cell < 0 ? "pass" : columnName(cell % cols) + (Math.floor(cell / cols) + 1));
  const marks = stones?.map((stone) => MARKS[stone]).join("").match(RegExp(`.{${cols}}`, "g"));
  const parts = {g: env === USUAL + VERSUS ? null : env.replace(VERSUS, ""), n: size, w: first === 2 ? 1 : null,
    b: marks?.map((row) => row.replace(/\.+/g, ({length}) => String(length))).join("-"), p: ply < moves.length ? ply : null};
  return [`m=${moves.map(name).join("")}`, ...Object.entries(parts).filter(([, value]) => (value ?? null) !== null).map((part) => part.join("="))]
    .join("&");
}

/**
 * The game of a link, without a look at the rules: its `position`, the start board and all moves; `ply`, how many of the moves to show;
 * `problem`, a sentence with the part that cannot be read, "" if all can. `boardOf(env, size)`: the {rows, cols} of a board, or undefined.
 * Throws an Error with a sentence if the board of the link does not exist or is damaged.
 */
export function readLink(link, boardOf) {
  const {m = "", g = USUAL, n = null, b = "", w = "", p = ""} = Object.fromEntries(new URLSearchParams(link));
  const env = g + VERSUS, size = n && Number(n), board = size === null || (size >= LEAST_SIDE && size <= MOST_SIDE) ? boardOf(env, size) : undefined;
  if (!board || Math.max(board.rows, board.cols) > MOST_SIDE) {
    throw new Error(t("This link is of a board that this page does not have: {name}.", {name: [g, n].filter(Boolean).join(" ")}));
  }
  const {rows, cols} = board, lines = b ? b.replace(/\d\d?/g, (free) => MARKS[0].repeat(Number(free))).split("-") : [];
  if (b && (lines.length !== rows || lines.some((line) => line.length !== cols || /[^.xo]/.test(line)))) {
    throw new Error(t("The board of this link is damaged. Ask for the link again."));
  }
  const moves = [], read = /(pass)|([a-z])([1-9]\d?)/gy, text = m.toLowerCase();
  let end = 0;
  for (let move = read.exec(text); move; move = read.exec(text)) {
    const col = move[1] ? 0 : move[2].charCodeAt(0) - "a".charCodeAt(0), row = move[1] ? 0 : Number(move[3]) - 1;
    if (col >= cols || row >= rows) break;
    moves.push(move[1] ? -1 : row * cols + col);
    end = read.lastIndex;
  }
  return {position: {env, size, stones: b ? [...lines.join("")].map((mark) => MARKS.indexOf(mark)) : null, first: w === "1" ? 2 : 1, moves},
    ply: /^\d+$/.test(p) ? clamp(Number(p), 0, moves.length) : moves.length,
    problem: end < text.length ? t("This link cannot be read from “{text}” on. It may have been cut off.", {text: m.slice(end, end + 8)}) : ""};
}
