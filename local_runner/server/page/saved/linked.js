// The games of links in a page of saved games, which asks no server: the boards of all games are in its data, and the rules that a
// replay needs are here. `data.boards` has the usual BoardData of each game, by its name.

import {BLACK, WHITE, count, moverOf, other, turned, wayFrom} from "../board/geometry.js";
import {readLink} from "../files/link.js";
import {cellName, data, t} from "../language.js";

const LINES = [[0, 1], [1, 0], [1, 1], [1, -1]]; // ways of a line: down and right

/** The start board of a game; undefined without such a game, or without a board of this size. */
function startBoard(env, size) {
  const usual = Object.hasOwn(data.boards, env) ? data.boards[env] : undefined;
  if (!usual || !size || size === usual.rows) return usual;
  const taken = usual.stones.some(Boolean);
  if (taken && (!usual.turns_discs || size % 2)) return undefined;
  const stones = Array(size * size).fill(0), shift = (size - usual.rows) / 2;
  usual.stones.forEach((stone, cell) => {
    if (stone) stones[(Math.floor(cell / usual.cols) + shift) * size + (cell % usual.cols) + shift] = stone;
  });
  return {...usual, rows: size, cols: size, stones};
}

/** The position of a saved game, as linkOf takes it. */
export function positionOf({board, moves: {moves}}) {
  const {env, rows, stones, first} = board, size = rows === data.boards[env]?.rows ? null : rows;
  return {env, size, stones: String(stones) === String(startBoard(env, size)?.stones) ? null : stones, first, moves};
}

/** The game of a link, as `data` has games, and the `ply` to show. Throws an Error as readLink does. */
export function linkedGame(link) {
  const {position: {env, size, stones, first, moves: cells}, ply, problem} = readLink(link, startBoard);
  const start = startBoard(env, size), board = {...start, stones: stones ?? start.stones, first}, after = board.stones.slice();
  const moves = {opening: 0, moves: [], turned: [], line: [], legal: [], must_pass: false, to_move: first, winner: 0, count: [0, 0]};
  let wrong = problem;
  for (const cell of cells) {
    const mover = moverOf(board, moves.moves.length), discs = cell < 0 ? [] : turned(board, after, cell, mover);
    if (moves.winner || (cell < 0 ? !board.turns_discs : after[cell] || (board.turns_discs && !discs.length))) {
      wrong = t("move {ply}, {cell}, cannot be played", {ply: moves.moves.length + 1, cell: cellName(cell, board)});
      break;
    }
    for (const each of cell < 0 ? [] : [cell, ...discs]) after[each] = mover;
    moves.moves.push(cell);
    moves.turned.push(discs);
    moves.line = cell < 0 ? [] : lineThrough(board, after, cell);
    moves.count = [count(after, BLACK), count(after, WHITE)];
    moves.winner = moves.line.length ? mover : isOver(board, after) ? leader(board, after) : 0;
    moves.to_move = other(mover);
  }
  const both = (text) => ({en: text, zh: text});
  return {board, moves, names: ["", ""], seconds: [], thoughts: [], result: both(""), damage: both(wrong), sgf: "", ply};
}

/** The cells of a winning line through a cell; [] if there is none. */
function lineThrough(board, stones, cell) {
  const lines = LINES.map(([down, right]) => {
    const [before, after] = [-1, 1].map((by) => {
      const way = wayFrom(board, cell, by * down, by * right), end = way.findIndex((at) => stones[at] !== stones[cell]);
      return end < 0 ? way : way.slice(0, end);
    });
    return [...before.reverse(), cell, ...after];
  });
  return lines.find((line) => board.in_a_row && line.length >= board.in_a_row) ?? [];
}

const isOver = (board, stones) => (board.turns_discs ? ![BLACK, WHITE].some((side) => stones.some((stone, cell) => !stone
  && turned(board, stones, cell, side).length)) : !stones.includes(0));

/** The side with more discs, 3 for a draw. In other games a full board is a draw. */
const leader = ({turns_discs: counts}, stones) => {
  const lead = counts ? count(stones, BLACK) - count(stones, WHITE) : 0;
  return lead > 0 ? BLACK : lead ? WHITE : 3;
};
