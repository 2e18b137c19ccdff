// The proof that Black wins gobang, to walk through: a board on which the user plays White and the proof answers, what the
// proof has against White's replies, the rest of a win by threats, and a gallery of the lines in which White resists
// longest. Used in the app and in the page of `tengen proof --html`.
//
// `data`: of proof_page.py. `ask(moves)` resolves with what the proof has in a game, if that can be said: inside: whether Black's last move is
// the proof's, or with Black to move whether Black has an answer; cell: this answer; replies: White's replies with a
// prepared answer; line: the rest of a win by threats, White's move first; five: the cells of five in a row.

import {Board} from "../board/board.js";
import {WHITE} from "../board/geometry.js";
import {h, icon, put} from "../dom.js";
import {cellName, number, t} from "../language.js";
import {lineOfPlay, Replay} from "../replay/replay.js";

const SHADE = 0.35; // of White's prepared replies on the board, as the value of a heat mark

export class ProofWalk {
  /** @param {{data: any, ask: Function, within: Element, onmoves?: Function}} options */
  constructor({data, ask, within, onmoves = () => {}}) {
    this.data = data;
    this.ask = ask;
    this.onmoves = onmoves;
    this.moves = [];
    this.answers = new Map(); // game -> answer; null while `ask` has not answered
    this.about = h("div", {class: "proof-about", "aria-live": "polite"});
    this.marked = h("input", {type: "checkbox", name: "marked", checked: !data.whole, on: {change: () => this.replay.show(this.replay.ply)}});
    const viewer = h("div", {class: "viewer"}), gallery = h("ol", {class: "proof-gallery", "aria-label": t("The hardest lines")});
    this.replay = new Replay(viewer, {onplay: (cell) => this.#played(cell), onply: (ply) => put(this.about, this.#words(ply)),
      shown: (ply, stones) => this.#shown(ply, stones)});
    this.replay.parts.side.prepend(this.about);
    put(within, h("div", {class: "viewer-page"}, h("div", {class: "viewer-head"}, h("h2", {tabindex: -1}, t("Proved: Black wins gobang")),
      h("p", {class: "note"}, t("15x15, five or more in a row win, nothing is forbidden, Black begins: whatever White does, Black wins."))),
    viewer, h("section", {class: "panel"}, h("h2", {}, t("The hardest lines")),
      h("p", {class: "note"}, t("White has 35 second moves, up to turns and mirror images. Each picture is the game in which White holds out " +
        "longest; White's second move has a red dot. Click on a picture to play its game.")), gallery)));
    setTimeout(() => this.#fill(gallery)); // after the first paint
  }

  /** Show a game, cells with Black's first, after `ply` plies; without moves after Black's first stone. */
  open(moves = [], ply = moves.length) {
    this.#follow(moves.length ? moves : [this.data.lines[0].cells[0]], ply || 1);
  }

  remove() {
    this.removed = true;
    this.replay.remove();
  }

  #follow(cells, ply) {
    this.moves = cells;
    const all = cells.length, line = this.#known(cells)?.five ?? [];
    this.replay.open({board: this.data.board, moves: {opening: 0, moves: cells, turned: [], line, legal: [], must_pass: false,
      to_move: 1 + (all % 2), winner: line.length ? 2 - (all % 2) : 0, count: [Math.ceil(all / 2), Math.floor(all / 2)]}}, ply);
    this.onmoves(cells);
  }

  #played(cell) {
    const {ply} = this.replay, cells = this.moves.slice(0, ply), answer = this.#known(cells);
    if (ply % 2 && !answer?.five.length && !cells.includes(cell)) this.#follow([...cells, cell], ply + 1);
  }

  /** The proof's answer for the position after `cells`; null until it has arrived. */
  #known(cells) {
    const sign = String(cells);
    if (!this.answers.has(sign)) {
      this.answers.set(sign, null);
      this.ask(cells).then((answer) => {
        this.answers.set(sign, answer);
        if (answer && !this.removed) this.#answered(cells, answer);
      });
    }
    return this.answers.get(sign);
  }

  /** Let Black answer the last move, or show what has become known of the position. */
  #answered(cells, {cell, five}) {
    const {replay, moves} = this, last = String(cells) === String(moves), shown = String(cells) === String(moves.slice(0, replay.ply));
    if (last && shown && cell !== null) this.#follow([...cells, cell], cells.length + 1);
    else if (last && five.length) this.#follow(cells, replay.ply);
    else if (shown) replay.show(replay.ply);
  }

  /** White's replies may be clicked; those with a prepared answer have a shade. */
  #shown(ply, stones) {
    const answer = this.#known(this.moves.slice(0, ply)), turn = ply % 2 === 1 && !answer?.five.length;
    const marked = turn && answer && this.marked.checked ? answer.replies : [];
    return {legal: turn ? [...stones.keys()].filter((cell) => !stones[cell]) : [], toMove: turn ? WHITE : 0,
      marks: marked.map((cell) => ({cell, kind: "heat", value: SHADE}))};
  }

  // ---- words

  #words(ply) {
    const answer = this.#known(this.moves.slice(0, ply));
    if (!answer) return h("p", {class: "note"}, t("Looking it up …"));
    const {inside, five, replies, line} = answer;
    const proved = (head, sentence) => h("div", {class: "result proved"}, h("strong", {}, icon("check"), head), h("span", {}, sentence));
    if (five.length) {
      const text = ply % 2 ? t("Black has five in a row.") : t("White has five in a row.");
      return proved(t("Black has won"), t("{sentence} Stones on the board: {n}.", {sentence: text, n: ply}));
    }
    if (!inside) {
      return h("div", {class: "result"}, h("strong", {}, this.data.whole ? t("Outside the proof") : t("The line ends here")),
        h("span", {}, this.data.whole ? t("Black has left the prepared moves. Go back to a position inside the proof.")
          : t("This page holds the longest lines only. On the page of tengen serve, Black answers every move of White.")));
    }
    if (ply % 2 === 0) return proved(t("Proved: Black wins"), t("Black to move."));
    const free = this.data.board.stones.length - ply, row = (n, word) => (n ? [h("dt", {}, number(n)), h("dd", {}, word)] : null);
    return [proved(t("Proved: Black wins"), this.data.whole ? t("Whatever White does. Click on any free point to play White.")
      : t("Whatever White does. Click on a shaded point to play White.")),
    h("dl", {class: "proof-counts"}, row(free, t("replies of White")), this.data.whole
      ? [row(replies.length, t("with a prepared answer")), row(free - replies.length, t("lost to threats: fives, fours and open threes"))]
      : row(replies.length, t("on this page"))),
    this.#rest(line),
    h("label", {class: "tick"}, this.marked, h("span", {}, this.data.whole ? t("Shade White's replies that have a prepared answer")
      : t("Shade White's replies on this page")))];
  }

  /** A note about the win after Black's last move. */
  #rest(line) {
    if (!this.data.whole) return null;
    if (!line.length) return h("p", {class: "note"}, t("Black's move is prepared. Where no answer is prepared, Black wins by fours and open threes."));
    return h("div", {}, h("p", {class: "note"}, line.length < 3 ? t("Black wins with the next move.")
      : t("Black wins by threats now. If White defends as in this line, Black needs {n} more moves:", {n: Math.floor(line.length / 2)})),
    line.length > 1 ? lineOfPlay({shown: this.replay.board, cells: line, first: WHITE}) : null);
  }

  // ---- the gallery

  #fill(gallery) {
    const {lines, board} = this.data;
    put(gallery, lines.map(({entries, cells, five}) => {
      const holder = h("div"), second = cellName(cells[1], board);
      const tile = h("li", {}, h("button", {type: "button", class: "proof-tile", data: {second: cells[1]}, on: {click: () => {
        this.open(cells, 3);
        this.replay.root.scrollIntoView({block: "nearest"});
      }}}, holder, h("b", {}, second), h("small", {}, t("{n} prepared, {m} stones", {n: number(entries), m: cells.length}))));
      const stones = board.stones.map((_, cell) => (cells.indexOf(cell) < 0 ? 0 : 1 + cells.indexOf(cell) % 2));
      new Board(holder).draw({board, stones, line: five, last: cells[1], label: t("The line after {cell}", {cell: second})});
      return tile;
    }));
  }
}
