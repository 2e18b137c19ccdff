// Computes the places of a board's cells, and the stones after some plies. It draws nothing.
//
// A cell is the number row * columns + column; -1 is a pass. Side 1 is Black, side 2 White. Lengths are in units of the
// SVG's viewBox. `board` and `moves` are BoardData and MovesData, which board_data.py describes.

import {clamp} from "../dom.js";

export const BLACK = 1;
export const WHITE = 2;
const EDGE = 27, RIM = 9;
const WAYS = [-1, 0, 1].flatMap((down) => [-1, 0, 1].map((right) => [down, right])).filter(([down, right]) => down || right);
const SMALL = 24; // pixels: a board of crossings whose cells would be smaller is slim

export const other = (side) => 3 - side;

/** The side that makes the ply with this index, from 0. */
export const moverOf = (board, index) => (index % 2 ? other(board.first) : board.first);

/** The stones after `plies` plies, and a Map from each cell to the number of the ply that placed its stone. */
export function stonesAfter(board, moves, plies) {
  const stones = board.stones.slice(), numbers = new Map();
  for (let index = 0; index < plies; index++) {
    const cell = moves.moves[index];
    if (cell < 0) continue;
    stones[cell] = moverOf(board, index);
    numbers.set(cell, index + 1);
    for (const over of moves.turned?.[index] || []) stones[over] = stones[cell];
  }
  return {stones, numbers};
}

/** The stones of a line of play, and the discs that they turn, as ghosts of a Board. Side `first` plays the first cell. */
export function ghostsOf(board, stones, cells, first) {
  const after = stones.slice(), ghosts = new Map();
  cells.forEach((cell, at) => {
    if (cell < 0) return;
    const side = moverOf({first}, at);
    for (const over of turned(board, after, cell, side)) {
      after[over] = side;
      ghosts.set(over, {...ghosts.get(over), cell: over, side});
    }
    after[cell] = side;
    ghosts.set(cell, {cell, side, text: String(at + 1)});
  });
  return [...ghosts.values()];
}

/** The stones after a line of play. Side `first` plays the first cell. */
export function stonesAfterLine(board, stones, cells, first) {
  const after = stones.slice();
  for (const {cell, side} of ghostsOf(board, stones, cells, first)) after[cell] = side;
  return after;
}

/** The cells of the discs that a disc of this side on `cell` turns over. */
export function turned({rows, cols, turns_discs: turns}, stones, cell, side) {
  if (!turns) return [];
  return WAYS.flatMap(([down, right]) => {
    const way = wayFrom({rows, cols}, cell, down, right), end = way.findIndex((at) => stones[at] !== other(side));
    return stones[way[end]] === side ? way.slice(0, end) : [];
  });
}

/** The cells from a cell to the edge of the board, without that cell. */
export function wayFrom({rows, cols}, cell, down, right) {
  const way = [];
  let row = Math.floor(cell / cols) + down, col = (cell % cols) + right;
  for (; row >= 0 && col >= 0 && row < rows && col < cols; row += down, col += right) way.push(row * cols + col);
  return way;
}

export const count = (stones, side) => stones.reduce((sum, stone) => sum + (stone === side), 0);

/**
 * The places of cells and lines on a board of this shape. A slim board has no edge; its names stand on the outer half cells. A turned
 * board has its first cell at the bottom right.
 */
export class Geometry {
  constructor({rows, cols, kind}, slim = false, isTurned = false) {
    this.rows = rows;
    this.cols = cols;
    this.kind = kind;
    this.cell = Math.max(40, 360 / cols);
    this.crossed = kind === "crossings";
    this.slim = slim;
    this.isTurned = isTurned;
    this.edge = slim ? 0 : this.crossed ? EDGE - 3 : EDGE; // smaller on a board of crossings, whose outer half cells are free
    this.rim = slim ? 0 : this.crossed ? RIM - 3 : RIM;
    this.width = cols * this.cell + this.edge + this.rim;
    this.height = rows * this.cell + this.edge + this.rim;
  }

  /** The geometry of a board that is so many pixels wide. */
  static within(board, pixels, isTurned) {
    const usual = new Geometry(board, false, isTurned);
    return usual.crossed && pixels * usual.cell < SMALL * usual.width ? new Geometry(board, true, isTurned) : usual;
  }

  x(cell) { return this.edge + (this.#turn(cell % this.cols, this.cols) + 0.5) * this.cell; }

  y(cell) { return this.edge + (this.#turn(Math.floor(cell / this.cols), this.rows) + 0.5) * this.cell; }

  /** The place, counted from the top or left, of one of `all` rows or columns; also the row or column at a place. */
  #turn(at, all) { return this.isTurned ? all - 1 - at : at; }

  /** The SVG path of all lines of the board. */
  lines() {
    const {rows, cols, cell, edge, crossed} = this, shift = crossed ? 0.5 : 0, more = crossed ? 0 : 1, parts = [];
    const inner = this.kind === "marks" ? 1 : 0; // tic-tac-toe has no frame
    const at = (place) => edge + (place + shift) * cell;
    for (let row = inner; row < rows + more - inner; row++) parts.push(`M${at(0)} ${at(row)}H${at(cols - 1 + more)}`);
    for (let col = inner; col < cols + more - inner; col++) parts.push(`M${at(col)} ${at(0)}V${at(rows - 1 + more)}`);
    return parts.join("");
  }

  /** The star points as [x, y]: on crossings at cells, on squares at corners of cells. Small boards have none. */
  stars() {
    const {rows, cols, cell, edge} = this;
    if (this.kind === "squares") {
      if (rows < 8 || cols < 8) return [];
      return [2, rows - 2].flatMap((row) => [2, cols - 2].map((col) => [edge + col * cell, edge + row * cell]));
    }
    if (!this.crossed || rows < 9 || cols < 9) return [];
    const far = Math.min(rows, cols) < 13 ? 2 : 3, places = (size) => [far, size - 1 - far];
    const stars = places(rows).flatMap((row) => places(cols).map((col) => row * cols + col));
    if (rows % 2 && cols % 2) stars.push(((rows - 1) / 2) * cols + (cols - 1) / 2);
    return stars.map((star) => [this.x(star), this.y(star)]);
  }

  /** The cell nearest to a point of the viewBox; -1 for a point that is not on or close to the board. */
  nearest(x, y) {
    const reach = 0.75; // cells: a point off the board belongs to an outer cell up to this distance from its middle
    const col = (x - this.edge) / this.cell - 0.5, row = (y - this.edge) / this.cell - 0.5;
    if (col < -reach || row < -reach || col > this.cols - 1 + reach || row > this.rows - 1 + reach) return -1;
    const [down, right] = [[row, this.rows], [col, this.cols]].map(([at, all]) => this.#turn(clamp(Math.round(at), 0, all - 1), all));
    return down * this.cols + right;
  }
}
