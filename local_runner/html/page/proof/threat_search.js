// The search for a win by fours and open threes (VCT): the search of submission/k_in_a_row/threat_search.py and vcf.py,
// node for node, because the proof holds only for this search. It is df-pn with a search of fours (VCF) at each leaf.

import {ALL, FOUR, IN_LINE, OPEN_FOUR, OPEN_THREE, THREE, cellsOf, several} from "./threat_board.js";

const UNLIMITED = 1e9, MOST_STORED = 50_000; // positions stored per attacking side; with more, all are dropped
const LEAF_NODES = 60, MOST_FOURS = 3;
const EFFORT_AT = 1000, EFFORT_STEP = 70, MOST_EFFORT = 20; // see LinesEvaluator of evaluation.py
const EVERYWHERE = -1n;
const WON = [0, UNLIMITED], LOST = [UNLIMITED, 0]; // (phi, delta) of a settled position, for the side to move
const bit = (cell) => 1n << BigInt(cell);

class BudgetUsedUp extends Error {}

export class ThreatSearch {
  #nodes = 0;
  #budget = 0;

  /** `board`: a ThreatBoard. The board is left as it was. */
  constructor(board) {
    this.board = board;
    this.#forget();
  }

  #forget() {
    this.noVcf = new Set(); // keys of positions without a VCF
    this.won = new Map(); // key -> the VCF of a leaf
    this.numbers = new Map(); // key -> [phi, delta]
    this.children = new Map(); // key -> [cells to play, key after them] for each move of df-pn
  }

  /** The line of a win of the side to move, its moves and the replies in turn; [] if none is found in the budget. */
  vct(budget) {
    const {board} = this, played = board.history.length;
    if (this.noVcf.size + this.numbers.size > MOST_STORED) this.#forget();
    this.#nodes = 0;
    this.#budget = budget;
    try {
      const line = this.#line();
      const found = line.length ? line : this.#leaf();
      if (found.length) return found;
      this.#prove(true, UNLIMITED, UNLIMITED);
      return this.#line();
    } catch (error) {
      if (!(error instanceof BudgetUsedUp)) throw error;
      this.#undoTo(played);
      return [];
    }
  }

  #count() {
    if (++this.#nodes > this.#budget) throw new BudgetUsedUp();
  }

  #undoTo(played) {
    while (this.board.history.length > played) this.board.undo();
  }

  // ---- wins by fours

  /** The line of a VCF, [] if there is none. The first four is in the zone. */
  #vcf(zone = EVERYWHERE) {
    const {board, noVcf} = this, [own, other] = board.masks();
    if (noVcf.has(board.key)) return [];
    if (own & ALL) return [cellsOf(own & ALL).at(-1)];
    const fours = (own >> FOUR) & ALL, stop = other & ALL;
    let better = 0n;
    if (fours && stop) better = several(stop) ? 0n : fours & stop; // a five of the opponent must be stopped
    else if (fours) {
      const wins = (own >> OPEN_FOUR | board.crossings()[0] >> FOUR) & ALL;
      if (wins) return this.#finish(cellsOf(wins).at(-1));
      better = fours & own >> THREE;
      better = zone & (better | this.#withTwoMore(fours & zone & ~better, fours));
    }
    for (const cell of cellsOf(better)) {
      this.#count();
      board.play(cell);
      const replies = this.#fives();
      if (several(replies)) {
        board.undo();
        return this.#finish(cell);
      }
      const reply = cellsOf(replies).at(-1);
      board.play(reply);
      const line = this.#vcf(IN_LINE[cell]);
      board.undo();
      board.undo();
      if (line.length) return [cell, reply, ...line];
    }
    noVcf.add(board.key);
    return [];
  }

  /** The cells that have two more FOUR cells in line: one may become the reply, the other the next four. */
  #withTwoMore(cells, fours) {
    return cellsOf(cells).reduce((chosen, cell) => (several(fours & IN_LINE[cell] & ~bit(cell)) ? chosen | bit(cell) : chosen), 0n);
  }

  /** Mask of the cells where the side that has just moved could make a five. */
  #fives() {
    return this.board.masks()[1] & ALL;
  }

  /** The line after a stone that threatens two fives: the stone, a reply, the five. */
  #finish(cell) {
    this.board.play(cell);
    const [reply, ...rest] = cellsOf(this.#fives());
    this.board.undo();
    return [cell, reply, rest.at(-1)];
  }

  // ---- df-pn

  #effort(attacks) {
    const missing = EFFORT_AT - (attacks ? this.board.value : -this.board.value);
    return Math.min(Math.max(Math.floor(missing / EFFORT_STEP), 1), MOST_EFFORT);
  }

  /** Search until phi or delta of this position reaches its limit. `attacking`: the attacker is to move. */
  #prove(attacking, phiLimit, deltaLimit) {
    const {board, numbers} = this, {key} = board;
    let children = this.children.get(key);
    if (!children) {
      this.#count();
      children = attacking ? this.#attacks() : this.#defences();
      this.children.set(key, children);
    }
    for (;;) {
      let [phi, second, delta, bestPhi, best] = [UNLIMITED, UNLIMITED, 0, 0, []];
      for (const [cells, after] of children) {
        const [childPhi, childDelta] = numbers.get(after);
        delta += childPhi;
        if (childDelta < phi) [phi, second, best, bestPhi] = [childDelta, phi, cells, childPhi];
        else if (childDelta < second) second = childDelta;
      }
      if (!phi || delta > UNLIMITED) delta = UNLIMITED;
      numbers.set(key, [phi, delta]);
      if (phi >= phiLimit || delta >= deltaLimit) return;
      for (const cell of best) board.play(cell);
      this.#prove(!attacking, deltaLimit - delta + bestPhi, Math.min(phiLimit, second + 1));
      this.#undoTo(board.history.length - best.length);
    }
  }

  /** The attacker's moves: open threes in the zone, also after fours. `before`: fours and replies just played. */
  #attacks(before = [], zone = EVERYWHERE) {
    const {board, numbers} = this, [own, other] = board.masks(), stop = other & ALL, children = [];
    let fours = own >> FOUR & zone & ALL, threes = own >> OPEN_THREE & zone & ALL & ~fours;
    if (stop) {
      if (several(stop)) return [];
      fours &= stop;
      threes = stop & ~fours;
    } else if (other >> OPEN_FOUR & ALL) threes &= other >> FOUR; // other threes are too slow
    for (const cell of cellsOf(threes)) {
      this.#count();
      board.play(cell);
      const replies = this.#replies();
      if (replies !== null) {
        children.push([[...before, cell], board.key]);
        const count = cellsOf(replies).length;
        if (!numbers.has(board.key)) numbers.set(board.key, count ? [1, this.#effort(false) * count] : LOST);
      }
      board.undo();
    }
    if (before.length === 2 * MOST_FOURS) return children;
    for (const cell of cellsOf(fours)) {
      this.#count();
      board.play(cell);
      const reply = cellsOf(this.#fives()).at(-1);
      board.play(reply);
      children.push(...this.#attacks([...before, cell, reply], IN_LINE[cell]));
      board.undo();
      board.undo();
    }
    return children;
  }

  /** The defender's replies; if a reply is known to refute the attack, only that reply. */
  #defences() {
    const {board, numbers} = this, children = [];
    for (const cell of cellsOf(this.#replies() ?? 0n)) {
      board.play(cell);
      const {key} = board;
      if (!numbers.has(key) && !this.#leaf().length) numbers.set(key, [this.#effort(true), 1]);
      board.undo();
      children.push([[cell], key]);
      if (is(numbers.get(key), LOST)) return children.slice(-1);
    }
    return children;
  }

  /** The VCF at a leaf, with a budget of LEAF_NODES. A win is stored as a proof. */
  #leaf() {
    const {board} = this, played = board.history.length, budget = this.#budget;
    this.#budget = Math.min(budget, this.#nodes + LEAF_NODES);
    let line = [];
    try {
      line = this.#vcf();
    } catch (error) {
      if (!(error instanceof BudgetUsedUp)) throw error;
      this.#undoTo(played);
    } finally {
      this.#budget = budget;
    }
    if (line.length) {
      this.won.set(board.key, line);
      this.numbers.set(board.key, WON);
    }
    return line;
  }

  /** Mask of the cells that may stop the opponent's threat; null without a threat, or if the mover can make a five. */
  #replies() {
    const {board} = this, [own, other] = board.masks(), fives = other & ALL;
    if (own & ALL) return null;
    if (fives) return several(fives) ? 0n : fives;
    let replies = other >> FOUR;
    if (other >> OPEN_FOUR & ALL) replies = board.openFourAnswers();
    else if (!(board.crossings()[1] >> FOUR & ALL)) return null;
    return (replies | own >> FOUR) & ALL;
  }

  /** The line of a win that is already proved; [] if no win is proved. */
  #line() {
    const {board, numbers, children, won} = this, played = board.history.length, line = [];
    if (!is(numbers.get(board.key), WON)) return line;
    while (!won.has(board.key)) {
      const [cells] = children.get(board.key).find(([, key]) => !numbers.get(key)[1]);
      for (const cell of cells) board.play(cell);
      const replies = children.get(board.key), reply = replies?.length ? replies[0][0][0] : this.#anyReply();
      board.play(reply);
      line.push(...cells, reply);
      if (!replies?.length) this.#leaf();
    }
    line.push(...won.get(board.key));
    this.#undoTo(played);
    return line;
  }

  /** A reply in a lost position: the cell where the opponent would make a five or an open four. */
  #anyReply() {
    const other = this.board.masks()[1];
    return cellsOf(other & ALL || other >> OPEN_FOUR & ALL).at(-1);
  }
}

const is = (numbers, settled) => numbers !== undefined && numbers[0] === settled[0] && numbers[1] === settled[1];
