// The board of the threat search for five in a row on 15x15: the fives, fours and threes that a stone would make, kept up
// to date by play and undo. It gives the same masks and values as submission/k_in_a_row (board.py, line_table.py,
// patterns.py), because the proof holds only for the same search.
//
// A mask is a BigInt with a bit for each cell. A packed mask holds the masks of all patterns of both colours: pattern p
// of colour c (0 Black, 1 White) stands at bit (c * PATTERNS + p) * CELLS.

export const SIZE = 15;
export const CELLS = SIZE * SIZE;
export const BLACK = 0;
export const WHITE = 1;
export const ALL = (1n << BigInt(CELLS)) - 1n;
const IN_A_ROW = 5, PATTERNS = 6, HALF = BigInt(PATTERNS * CELLS);
export const OPEN_FOUR = BigInt(CELLS); // where the mask of this pattern begins; the mask of FIVE begins at 0
export const FOUR = 2n * OPEN_FOUR;
export const OPEN_THREE = 3n * OPEN_FOUR;
export const THREE = 4n * OPEN_FOUR;
const ANSWER = 5n * OPEN_FOUR;
const DIRECTIONS = [[0, 1], [1, 0], [1, 1], [1, -1]];

/** The cells of a mask, lowest first. */
export function cellsOf(mask) {
  const cells = [];
  for (let base = 0; mask; base += 32, mask >>= 32n) {
    for (let bits = Number(BigInt.asUintN(32, mask)) | 0; bits; bits &= bits - 1) cells.push(base + 31 - Math.clz32(bits & -bits));
  }
  return cells;
}

/** Whether a mask has two cells or more. */
export const several = (mask) => (mask & (mask - 1n)) !== 0n;

/** Mask of the cells less than five away from each cell in one of the eight directions, and of the cell itself. */
export const IN_LINE = [...Array(CELLS).keys()].map((cell) => {
  let mask = 0n;
  for (const [down, right] of DIRECTIONS) {
    for (let step = 1 - IN_A_ROW; step < IN_A_ROW; step++) {
      const row = Math.floor(cell / SIZE) + step * down, col = (cell % SIZE) + step * right;
      if (row >= 0 && col >= 0 && row < SIZE && col < SIZE) mask |= 1n << BigInt(row * SIZE + col);
    }
  }
  return mask;
});

const bitsOf = (mask) => cellsOf(BigInt(mask)).map((at) => 1 << at);
const union = (masks) => masks.reduce((all, mask) => all | mask, 0);

/** The masks [FOUR, OPEN_FOUR]. `pairs`: masks of the two empty cells of windows that lack two stones. */
function foursOf(pairs) {
  const partners = new Map();
  for (const pair of pairs) {
    const low = pair & -pair, high = pair ^ low;
    partners.set(low, partners.get(low) | high);
    partners.set(high, partners.get(high) | low);
  }
  let four = 0, openFour = 0;
  for (const [cell, fives] of partners) {
    four |= cell;
    if (fives & (fives - 1)) openFour |= cell;
  }
  return [four, openFour];
}

/** A stretch of `size` cells without stones of the other colour: the masks of its patterns, and its features. */
function runOf(size, own) {
  const missing = [[], [], [], [], [], []]; // masks of the empty cells of the windows of five, by their number
  const count = (mask) => bitsOf(mask).length;
  for (let i = 0; i <= size - IN_A_ROW; i++) {
    const empty = (31 << i) & ~own;
    missing[count(empty)].push(empty);
  }
  const pairs = missing[2], triples = missing[3], five = union(missing[1]), [four, openFour] = foursOf(pairs);
  let openThree = 0, openTwo = 0, three = 0, answer = 0;
  for (const cell of bitsOf(union(triples) & ~four)) {
    const after = [...pairs, ...triples.filter((empty) => empty & cell).map((empty) => empty ^ cell)];
    if (foursOf(after)[1] & ~(cell | openFour)) openThree |= cell;
  }
  const spanned = [0, 0, 0, 0]; // spans of six cells with free ends, by the stones that lack for an open four
  for (let i = 0; i < size - IN_A_ROW; i++) {
    const span = 63 << i, inside = 30 << i, empty = inside & ~own;
    if (!(span & own) || ((span ^ inside) & own)) continue;
    if (count(empty) < 4) spanned[count(empty)]++;
    if (count(empty) === 3) openTwo |= empty;
  }
  for (const cell of bitsOf(union(triples))) {
    const stops = union(pairs.filter((pair) => pair & cell)) & ~cell;
    if (triples.some((empty) => empty & cell && !(empty & stops))) three |= cell;
  }
  for (const cell of openFour ? bitsOf(union(pairs)) : []) {
    if (!foursOf(pairs.filter((pair) => !(pair & cell)))[1]) answer |= cell;
  }
  return {masks: [five, openFour, four, openThree, three, answer], features: [missing[4].length, triples.length, pairs.length,
    missing[1].length, spanned[3], spanned[2], spanned[1], count(four), count(openFour), count(openThree),
    count(openTwo & ~(five | four | openThree))]};
}

/** The stones on a line, with their packed masks and values; the contents after one more stone are kept in `next`. */
class Content {
  constructor(line, black, white) {
    this.line = line;
    this.black = black;
    this.white = white;
    this.packed = 0n;
    this.values = [0, 0]; // for Black and for White to move
    this.next = [];
    this.#add(black, white, BLACK);
    this.#add(white, black, WHITE);
  }

  #add(own, opposite, colour) {
    const {first, stride, length, tables} = this.line;
    let threats = 0, packed = 0n;
    for (let start = 0, end; start < length; start = end + 1) {
      for (end = start; end < length && !((opposite >> end) & 1);) end++;
      if (end - start < IN_A_ROW) continue;
      const run = tables.run(end - start, (own >> start) & ((1 << (end - start)) - 1), colour, stride);
      packed |= run.packed << BigInt(first + start * stride);
      threats += run.openFour ? 1 : 0;
      this.values[0] += run.values[colour];
      this.values[1] += run.values[1 - colour];
    }
    if (threats > 1) packed &= ~(ALL << (ANSWER + (colour ? HALF : 0n))); // no stone answers open fours in two runs
    this.packed |= packed;
  }

  /** The content after a stone of `colour` at `place` of the line. */
  with(place, colour) {
    const at = 2 * place + colour;
    return this.next[at] ||= this.line.content(this.black | (colour ? 0 : 1 << place), this.white | (colour ? 1 << place : 0));
  }
}

/** The lines of the board, and the tables of their contents, which grow on need. `weights`: two numbers for each feature. */
class Tables {
  #runs = new Map();

  constructor(weights) {
    this.weights = weights;
    this.spots = [...Array(CELLS)].map(() => []); // of each cell: [number of the line, place in it], by direction
    this.lines = [];
    DIRECTIONS.forEach(([down, right], direction) => {
      for (let cell = 0; cell < CELLS; cell++) {
        const row = Math.floor(cell / SIZE), col = cell % SIZE;
        const inside = (at) => row + at * down >= 0 && col + at * right >= 0 && row + at * down < SIZE && col + at * right < SIZE;
        if (inside(-1)) continue; // not the first cell of its line
        let length = 1;
        while (inside(length)) length++;
        if (length >= IN_A_ROW) this.#add(direction, cell, down * SIZE + right, length);
      }
    });
    this.start = this.lines.map((line) => line.content(0, 0));
    this.startTotals = DIRECTIONS.map((_, direction) => this.lines.reduce((all, line, at) => (line.direction === direction
      ? all ^ this.start[at].packed : all), 0n));
  }

  #add(direction, first, stride, length) {
    const known = new Map(), line = {direction, first, stride, length, tables: this, content: (black, white) => {
      const key = black * 32768 + white;
      if (!known.has(key)) known.set(key, new Content(line, black, white));
      return known.get(key);
    }};
    for (let place = 0; place < length; place++) this.spots[first + place * stride][direction] = [this.lines.length, place];
    this.lines.push(line);
  }

  /** A run's packed masks for its first cell at bit 0, and its values [if its colour is to move, if not]. */
  run(size, own, colour, stride) {
    const key = ((own | (1 << size)) * 2 + colour) * 16 + stride;
    if (!this.#runs.has(key)) {
      const {masks, features} = runOf(size, own);
      const packed = masks.reduce((all, mask, pattern) => cellsOf(BigInt(mask)).reduce((sum, at) => sum
        | (1n << BigInt((colour * PATTERNS + pattern) * CELLS + at * stride)), all), 0n);
      const values = [0, 1].map((turn) => features.reduce((sum, feature, at) => sum + feature * this.weights[at][turn], 0));
      this.#runs.set(key, {packed, openFour: masks[1], values});
    }
    return this.#runs.get(key);
  }
}

/** @type {Tables} */
let tables; // shared by all boards; the weights are always the same

export class ThreatBoard {
  /** `weights`: two numbers for each feature, for the side to move and the other (gobang_weights.txt). */
  constructor(weights) {
    tables ||= new Tables(weights);
    this.#clear();
  }

  #clear() {
    this.side = BLACK;
    this.nodes = [...tables.start];
    this.totals = tables.startTotals;
    this.values = [0, 0]; // of all lines, for Black and for White to move
    this.key = 0n;
    this.history = [];
  }

  /** Set the stones (row by row; 0 free, 1 Black, 2 White), with Black to move. */
  setUp(stones) {
    this.#clear();
    stones.forEach((stone, cell) => {
      if (!stone) return;
      this.side = stone - 1;
      this.play(cell);
    });
    this.side = BLACK;
    this.key = stones.reduce((key, stone, cell) => (stone ? key ^ keyOf(cell, stone - 1) : key), 0n);
    this.history = [];
  }

  /** Put a stone of the side to move on a free cell (not checked). */
  play(cell) {
    const {nodes, side} = this, before = [], totals = [...this.totals], values = [...this.values];
    tables.spots[cell].forEach(([line, place], direction) => {
      const node = nodes[line], after = nodes[line] = node.with(place, side);
      before.push([line, node]);
      totals[direction] ^= node.packed ^ after.packed;
      values[0] += after.values[0] - node.values[0];
      values[1] += after.values[1] - node.values[1];
    });
    this.history.push({before, totals: this.totals, values: this.values, key: this.key});
    Object.assign(this, {totals, values, key: this.key ^ keyOf(cell, side) ^ TURN, side: 1 - side});
  }

  undo() {
    const {before, ...old} = this.history.pop();
    for (const [line, node] of before) this.nodes[line] = node;
    Object.assign(this, old, {side: 1 - this.side});
  }

  /** The packed masks [mover's, opponent's] of all directions; a colour's patterns begin at bit 0. */
  masks() {
    const [a, b, c, d] = this.totals;
    return this.#bySide(a | b | c | d);
  }

  /** As `masks`, but only the cells where one stone makes the same pattern in two directions. */
  crossings() {
    const [a, b, c, d] = this.totals;
    return this.#bySide((a & b) | (c & d) | ((a | b) & (c | d)));
  }

  #bySide(black) {
    return this.side ? [black >> HALF, black] : [black, black >> HALF];
  }

  /** Cells where a stone of the mover removes all OPEN_FOUR cells of the opponent; at least one must exist. */
  openFourAnswers() {
    const base = this.side === BLACK ? HALF : 0n;
    return this.totals.reduce((answers, total) => (total >> (base + OPEN_FOUR) & ALL ? answers & total >> (base + ANSWER) : answers), ALL);
  }

  /** The value of all lines for the side to move. */
  get value() {
    return this.values[this.side];
  }
}

const random = (seed) => () => { // splitmix64: any numbers that differ are good
  seed = BigInt.asUintN(64, seed + 0x9e3779b97f4a7c15n);
  let mixed = BigInt.asUintN(64, (seed ^ (seed >> 30n)) * 0xbf58476d1ce4e5b9n);
  mixed = BigInt.asUintN(64, (mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn);
  return BigInt.asUintN(62, mixed ^ (mixed >> 31n));
};
const noise = random(20211222n), KEYS = [...Array(2 * CELLS)].map(noise), TURN = noise();
const keyOf = (cell, side) => KEYS[2 * cell + side];
