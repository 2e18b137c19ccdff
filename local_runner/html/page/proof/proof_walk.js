// The proof that Black wins gobang, to walk through: a board on which the user plays White and the proof answers, what the
// proof has against White's replies, the rest of a win by threats, and a gallery of the lines in which White resists
// longest. Used in the app and in the page of `tengen proof --html`.
//
//   const walk = new ProofWalk(holder, {t, language, data, within});   // data: ProofData of proof_page.py
//   walk.open([112, 97]);   // the cells of a game, Black's first

import {Board} from "../board/board.js";
import {h, icon, put} from "../shared/dom.js";
import {WHITE, other} from "../board/geometry.js";
import {lineOfPlay} from "../board/line.js";
import {Proof, fiveOf} from "./proof_book.js";
import {Replay} from "../replay/replay.js";
import {cellName, numberIn} from "../shared/words.js";

const PAUSE_MS = 30; // so that White's stone is drawn before a search for Black's answer begins
const SHADES = {prepared: 0.35, threats: 0.15}; // of White's replies on the board, as values of heat marks

export class ProofWalk {
  /** @param {Element} holder @param {{t: Function, language: string, data: any, within?: Element, onmoves?: Function}} options */
  constructor(holder, {t, language, data, within = holder, onmoves = () => {}}) {
    this.t = t;
    this.number = numberIn(language);
    this.data = data;
    this.onmoves = onmoves;
    this.proof = new Proof(data);
    this.moves = [];
    this.about = h("div", {class: "proof-about", "aria-live": "polite"});
    this.marked = h("input", {type: "checkbox", name: "marked", on: {change: () => this.replay.show(this.replay.ply)}});
    this.replay = new Replay(holder, {t, language, within, onplay: (cell) => this.#played(cell), onply: (ply) => this.#tell(ply),
      shown: (ply, stones) => this.#shown(ply, stones)});
    this.replay.parts.side.prepend(this.about);
    this.gallery = h("ol", {class: "proof-gallery", "aria-label": t("The hardest lines")});
    setTimeout(() => this.#fill(), PAUSE_MS); // after the first paint
  }

  /** Show a game, after `ply` plies; without moves after Black's first stone. */
  open(moves = [], ply = moves.length) {
    const cells = moves.length ? moves : [this.proof.answer([]).cell];
    this.#follow(cells, moves.length ? ply : 1);
    if (cells.length % 2 === 0) this.#answer();
  }

  /** Handle Home and End anywhere on the page. The viewer itself handles the arrow keys. */
  key(event) {
    const act = {Home: "first", End: "last"}[event.key];
    this.replay.act(act);
    return Boolean(act);
  }

  remove() {
    clearTimeout(this.timer);
    this.replay.remove();
  }

  #follow(cells, ply) {
    this.moves = cells;
    this.line = fiveOf(cells);
    const {board} = this.data, all = cells.length;
    const count = [Math.ceil(all / 2), Math.floor(all / 2)];
    this.replay.open({board, moves: {opening: 0, moves: cells, turned: [], line: this.line, legal: [], must_pass: false,
      to_move: 1 + (all % 2), winner: this.line.length ? 2 - (all % 2) : 0, count}}, ply);
    this.onmoves(cells);
  }

  #played(cell) {
    const {ply} = this.replay, cells = this.moves.slice(0, ply);
    if (ply % 2 === 0 || fiveOf(cells).length || cells.includes(cell)) return;
    this.#follow([...cells, cell], ply + 1);
    this.#answer();
  }

  /** Let Black answer the last move. */
  #answer() {
    clearTimeout(this.timer);
    const cells = this.moves;
    this.timer = setTimeout(() => {
      const answer = fiveOf(cells).length ? null : this.proof.answer(cells);
      if (answer && this.moves === cells) this.#follow([...cells, answer.cell], cells.length + 1);
    }, PAUSE_MS);
  }

  /** White's replies may be clicked; those with a prepared answer have a shade. */
  #shown(ply, stones) {
    const over = ply === this.moves.length && this.line.length > 0, turn = ply % 2 === 1 && !over;
    const legal = turn ? [...stones.keys()].filter((cell) => !stones[cell]) : [];
    const replies = turn && this.marked.checked ? this.#replies(ply) : null;
    const marks = replies ? Object.entries(SHADES).flatMap(([kind, value]) => replies[kind].map((cell) => ({cell, kind: "heat", value}))) : [];
    return {legal, toMove: turn ? WHITE : 0, marks};
  }

  /** What Black has against each reply at a ply, null outside the proof. */
  #replies(ply) {
    const cells = this.moves.slice(0, ply), sign = String(cells);
    if (this.known?.sign !== sign) {
      this.known = {sign, replies: cells.length % 2 && this.proof.inside(cells) ? this.proof.replies(cells) : null};
    }
    return this.known.replies;
  }

  // ---- words

  #tell(ply) {
    const {t} = this, cells = this.moves.slice(0, ply), won = fiveOf(cells).length > 0;
    if (won) {
      const text = ply % 2 ? t("Black has five in a row.") : t("White has five in a row.");
      put(this.about, this.#verdict(t("Black has won"), t("{sentence} Stones on the board: {n}.", {sentence: text, n: ply})));
      return;
    }
    if (ply % 2 === 0) {
      const inside = !ply || this.proof.inside(cells.slice(0, -1)); // not `answer(cells)`, which may search
      put(this.about, inside ? this.#verdict(t("Proved: Black wins"), t("Black to move.")) : this.#outside());
      return;
    }
    const replies = this.#replies(ply);
    if (!replies) put(this.about, this.#outside());
    else {
      put(this.about, this.#verdict(t("Proved: Black wins"), t("Whatever White does. Click on any free point to play White.")),
        this.#counts(replies), this.#rest(cells),
        h("label", {class: "tick"}, this.marked, h("span", {}, t("Shade White's replies: dark where the answer is prepared"))));
    }
  }

  #verdict(head, sentence) {
    return h("div", {class: "result proved"}, h("strong", {}, icon("check"), head), h("span", {}, sentence));
  }

  #outside() {
    const {t} = this;
    return h("div", {class: "result"}, h("strong", {}, t("Outside the proof")),
      h("span", {}, t("Black has left the prepared moves. Go back to a position inside the proof.")));
  }

  /** How many replies there are, and what Black has against them. */
  #counts(replies) {
    const {t, number} = this, words = {prepared: t("with a prepared answer"), threats: t("lost to a chain of threats"),
      four: t("lost to an open four or two fours at once"), five: t("lost to a five at once")};
    const all = Object.values(replies).reduce((sum, cells) => sum + cells.length, 0);
    return h("dl", {class: "proof-counts"}, h("dt", {}, number(all)), h("dd", {}, t("replies of White")),
      Object.entries(words).filter(([kind]) => replies[kind].length).map(([kind, word]) => [
        h("dt", {}, number(replies[kind].length)), h("dd", {}, word)]));
  }

  /** How the rest is won after Black's last move. */
  #rest(cells) {
    const {t} = this, {line} = this.proof.answer(cells.slice(0, -1));
    if (!line.length) return h("p", {class: "note"}, t("Black's move is prepared. Where no answer is prepared, Black wins by fours and open threes."));
    return h("div", {}, h("p", {class: "note"}, line.length < 4 ? t("Black wins with the next move.")
      : t("Black wins by threats now. If White defends as in this line, Black needs {n} more moves:", {n: Math.floor(line.length / 2)})),
    line.length > 2 ? lineOfPlay({shown: this.replay.board, cells: line.slice(1), side: other(1), t}) : null);
  }

  // ---- the gallery

  #fill() {
    const {t, number, data: {lines, board}} = this;
    put(this.gallery, lines.map(([entries, cells]) => {
      const holder = h("div"), second = cellName(cells[1], board, t);
      const tile = h("li", {}, h("button", {type: "button", class: "proof-tile", data: {second: cells[1]}, on: {click: () => {
        this.open(cells, 3);
        this.replay.root.scrollIntoView({block: "nearest"});
      }}}, holder, h("b", {}, second), h("small", {}, t("{n} prepared, {m} stones", {n: number(entries), m: cells.length}))));
      const stones = board.stones.map((_, cell) => (cells.indexOf(cell) < 0 ? 0 : 1 + cells.indexOf(cell) % 2));
      new Board(holder, {t}).draw({board, stones, line: fiveOf(cells), last: cells[1], label: t("The line after {cell}", {cell: second})});
      return tile;
    }));
  }
}
