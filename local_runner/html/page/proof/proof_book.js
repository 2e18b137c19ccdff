// The proof that Black wins gobang, as submission/k_in_a_row/proved.py plays it: prepared moves from a book, then a win by
// threats, followed to the five. A game is the list of its cells, Black's first; it begins with an empty board.

import {digest, hash} from "./blake2b.js";
import {ALL, CELLS, FOUR, OPEN_FOUR, SIZE, ThreatBoard, WHITE} from "./threat_board.js";
import {ThreatSearch} from "./threat_search.js";

const CHECKSUM = 4, RECORD = 8; // bytes: before the records; of a record, which is a digest of seven bytes and a move
const VCT_NODES = 20_000; // the proof is valid only for this budget
const MIDDLE = (CELLS - 1) / 2; // Black's first move

/** The eight symmetries of the board: item i of an image is the cell to which cell i is mapped. */
const IMAGES = images();

export class Proof {
  /** `book`: the records of gobang_proof.bin in base64; `weights`: those of ThreatBoard. */
  constructor({book, weights}) {
    const bytes = new DataView(Uint8Array.from(atob(book), (letter) => letter.charCodeAt(0)).buffer);
    this.board = new ThreatBoard(weights);
    this.weights = weights;
    this.book = new Map();
    for (let at = CHECKSUM; at < bytes.byteLength; at += RECORD) {
      this.book.set(digest(bytes.getUint32(at, true), bytes.getUint32(at + 4, true)), bytes.getUint8(at + RECORD - 1));
    }
    this.#begin();
  }

  #begin() {
    this.moves = []; // the game that is followed
    this.answers = []; // Black's answer at each of Black's turns, null outside the proof
    this.win = null; // the win by threats that is being played
  }

  /**
   * Black's answer in a game with Black to move: {cell, line}, null outside the proof. `line`: the rest of the win by
   * threats, Black's answer first; [] for a prepared move. The upload's memory depends on the game, so that another game is
   * followed from its beginning.
   */
  answer(moves) {
    if (moves.some((cell, at) => at < this.moves.length && cell !== this.moves[at])) this.#begin();
    const turn = moves.length / 2;
    while (this.answers.length <= turn) this.answers.push(this.#answer(moves.slice(0, 2 * this.answers.length)));
    if (moves.length > this.moves.length) this.moves = [...moves];
    return this.answers[turn];
  }

  /** Whether Black's last move is the proof's. In a game with Black to move: whether Black has an answer. */
  inside(moves) {
    return moves.length % 2 ? this.answer(moves.slice(0, -1))?.cell === moves.at(-1) : Boolean(this.answer(moves));
  }

  #answer(moves) {
    if (!moves.length) return {cell: MIDDLE, line: []};
    const stones = stonesOf(moves), inside = this.answers.at(-1)?.cell === moves.at(-2);
    if (inside && this.win?.reply(stones)) return this.win.answer;
    this.win = null;
    const {form, image} = canonical(stones), prepared = this.book.get(hash(form));
    if (prepared !== undefined) return {cell: image.indexOf(prepared), line: []};
    const win = inside ? new ThreatWin(image, this.weights) : null;
    if (!win?.reply(stones)) return null;
    this.win = win;
    return win.answer;
  }

  /**
   * What Black has against each of White's replies, in a game with White to move inside the proof. The cells of the
   * replies: five (Black makes a five next), four (Black threatens two fives next), prepared, threats (a longer win).
   */
  replies(moves) {
    const {board} = this, stones = stonesOf(moves), found = {prepared: [], threats: [], four: [], five: []};
    board.setUp(stones);
    board.side = WHITE;
    for (let cell = 0; cell < CELLS; cell++) {
      if (stones[cell]) continue;
      board.play(cell);
      const [own, other] = board.masks(), double = own >> OPEN_FOUR | board.crossings()[0] >> FOUR;
      board.undo();
      const kind = own & ALL ? "five" : !(other & ALL) && double & ALL ? "four"
        : this.book.has(hash(canonical(stones.with(cell, 2)).form)) ? "prepared" : "threats";
      found[kind].push(cell);
    }
    return found;
  }
}

/** A win by threats from one position on, played to the five. `image`: turns the board to its canonical image. */
class ThreatWin {
  constructor(image, weights) {
    this.places = image.map((_, cell) => image.indexOf(cell));
    this.board = new ThreatBoard(weights);
    this.search = new ThreatSearch(this.board);
    this.line = []; // on the canonical image: the moves that should come next
    this.expected = ""; // the canonical board on which `line` continues
  }

  /** Find the answer on the board; whether there is one. The first call searches, later calls follow that win. */
  reply(stones) {
    const turned = this.places.map((place) => stones[place]);
    if (String(turned) !== this.expected || !this.line.length) {
      this.board.setUp(turned);
      this.line = this.search.vct(VCT_NODES);
    }
    const [move, next] = this.line, line = this.line.map((cell) => this.places[cell]);
    this.answer = {cell: line[0], line};
    if (next !== undefined) this.expected = String(turned.with(move, 1).with(next, 2));
    this.line = this.line.slice(2);
    return line.length > 0;
  }
}

/** The cells of five or more in a row through the last move, [] if it makes none. */
export function fiveOf(moves) {
  const stones = stonesOf(moves), last = moves.at(-1);
  for (const [down, right] of [[0, 1], [1, 0], [1, 1], [1, -1]]) {
    const row = [last];
    for (const way of [1, -1]) {
      for (let r = Math.floor(last / SIZE) + way * down, c = (last % SIZE) + way * right;
        r >= 0 && c >= 0 && r < SIZE && c < SIZE && stones[r * SIZE + c] === stones[last]; r += way * down, c += way * right) {
        row.push(r * SIZE + c);
      }
    }
    if (row.length >= 5) return row.sort((a, b) => a - b);
  }
  return [];
}

function stonesOf(moves) {
  const stones = Array(CELLS).fill(0);
  moves.forEach((cell, at) => { stones[cell] = 1 + (at % 2); });
  return stones;
}

/** The smallest image of a board: its sorted black cells, 255, its sorted white cells; and the symmetry that leads there. */
function canonical(stones) {
  const black = [], white = [];
  stones.forEach((stone, cell) => { if (stone) (stone === 1 ? black : white).push(cell); });
  const turned = (image, side) => Uint8Array.from(side, (cell) => image[cell]).sort();
  return IMAGES.map((image) => ({form: [...turned(image, black), 255, ...turned(image, white)], image}))
    .reduce((least, each) => (smaller(each.form, least.form) ? each : least));
}

function smaller(a, b) {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at >= 0 && a[at] < b[at];
}

/** The symmetries, sorted, so that the first of equal images is the one that Python's min() takes. */
function images() {
  const found = [];
  let board = [...Array(CELLS).keys()];
  for (let turn = 0; turn < 4; turn++) {
    const rotation = board;
    found.push(rotation, rotation.map((_, cell) => rotation[cell + SIZE - 1 - 2 * (cell % SIZE)]));
    board = rotation.map((_, cell) => rotation[(SIZE - 1 - (cell % SIZE)) * SIZE + Math.floor(cell / SIZE)]);
  }
  return found.sort((a, b) => (smaller(a, b) ? -1 : 1));
}
