// The proof that Black wins gobang, to walk through: a board on which the user plays White and the proof answers, what White
// could still try, the rest of a win by threats, what is proved and how it was checked, and a gallery of the lines in which
// White resists longest. Used in the app and in the page of `tengen proof --html`.
//
// `data`: of proof_page.py. `ask(moves)` resolves with what the proof has in a game, if that can be said: inside: whether Black's last move is
// the proof's, or with Black to move whether Black has an answer; cell: this answer; replies: White's replies with a
// prepared answer; line: the rest of a win by threats, White's move first; threats: of both sides on the board, as in the
// engine's reports, Black's first; five: the cells of five in a row.

import {Board} from "../board/board.js";
import {WHITE} from "../board/geometry.js";
import {button, h, icon, put} from "../dom.js";
import {cellName, number, t} from "../language.js";
import {threatsOf} from "../look/report.js";
import {lineOfPlay, Replay} from "../replay/replay.js";

const SHADE = 0.35; // shade of White's replies that the proof answers, as the value of a heat mark
const MARKED = [["five", "open_four"], ["open_four", "four"]]; // threats that are marked, Black's and White's
const MOST_TRIES = 12; // most cells that are named for each kind of White's tries

export class ProofWalk {
  /** @param {{data: any, ask: Function, within: Element, onmoves?: Function}} options */
  constructor({data, ask, within, onmoves = () => {}}) {
    this.data = data;
    this.ask = ask;
    this.onmoves = onmoves;
    this.moves = [];
    this.answers = new Map(); // game -> answer; null while `ask` has not answered
    this.about = h("div", {class: "proof-about", "aria-live": "polite"});
    const viewer = h("div", {class: "viewer"}), gallery = h("ol", {class: "proof-gallery", "aria-label": t("The longest lines")});
    this.replay = new Replay(viewer, {onplay: (cell) => this.#played(cell), onply: (ply) => put(this.about, this.#words(ply)),
      shown: (ply, stones) => this.#shown(ply, stones)});
    this.replay.parts.side.prepend(this.about);
    put(within, h("div", {class: "viewer-page"}, h("div", {class: "viewer-head"},
      h("h2", {tabindex: -1}, t("Black wins. Try to stop it.")), h("p", {class: "note"},
        t("Gobang, 15x15: five or more in a row win, nothing is forbidden. You are White; Black's answers are proved to win."))),
    viewer, explanation(data), h("section", {class: "panel"}, h("h2", {}, t("The longest lines")),
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

  /** The state of the board: White may click; marks show both sides' threats, a shade White's replies that the proof answers. */
  #shown(ply, stones) {
    const answer = this.#known(this.moves.slice(0, ply)), turn = ply % 2 === 1 && !answer?.five.length;
    const free = turn ? [...stones.keys()].filter((cell) => !stones[cell]) : [], {replies, threats} = answer || {};
    const shaded = replies?.length < free.length ? replies : []; // if all free cells have an answer, none is shaded
    const marks = [shaded.map((cell) => ({cell, kind: "heat", value: SHADE})), (threats || []).map((side, at) => threatsOf(side, 5)
      .filter(([kind]) => MARKED[at].includes(kind)).map(([kind, , cells]) => cells.map((cell) => ({cell, kind, side: at + 1}))))];
    return {legal: free, toMove: turn ? WHITE : 0, marks: turn ? marks.flat(Infinity) : []};
  }

  // ---- words

  #words(ply) {
    const answer = this.#known(this.moves.slice(0, ply));
    if (!answer) return h("p", {class: "note"}, t("Looking it up …"));
    const {inside, five, replies, line} = answer;
    const result = (head, sentence, again = false) => h("div", {class: `result${inside ? " proved" : ""}`}, h("strong", {},
      inside ? icon("check") : null, head), h("span", {}, sentence), again ? h("div", {}, button("restart", t("Try again"),
      () => this.open(), {id: "proof-again"})) : null);
    if (five.length) {
      const text = ply % 2 ? t("Black has five in a row.") : t("White has five in a row.");
      return result(t("Black has won"), t("{sentence} Stones on the board: {n}.", {sentence: text, n: ply}), true);
    }
    if (!inside) {
      return result(this.data.whole ? t("Outside the proof") : t("The line ends here"), this.data.whole
        ? t("Black has left the prepared moves. Go back to a position inside the proof.")
        : t("This page holds the longest lines only. On the page of tengen serve, Black answers every move of White."), true);
    }
    if (ply % 2 === 0) return result(t("Proved: Black wins"), t("Black to move."));
    const free = this.data.board.stones.length - ply, {whole} = this.data;
    const tile = (n, word) => (n ? h("div", {}, h("dt", {}, word), h("dd", {}, number(n))) : null);
    return [result(t("Your move, White"), line.length ? line.length < 3 ? t("Black wins with the next move.")
      : t("The prepared moves are over: Black wins by threats.") : t("Black's move was prepared. Click on any free point.")),
    h("dl", {class: "proof-counts"}, line.length ? tile(Math.floor(line.length / 2), t("moves of Black to five, in the line below")) : null,
      tile(whole ? free : 0, t("replies of White")), tile(replies.length, whole ? t("with a prepared answer") : t("replies on this page")),
      tile(whole ? free - replies.length : 0, t("lost to threats"))),
    this.#tries(answer, free), line.length > 2 ? h("p", {class: "note"}, t("If White defends as in this line:"), " ",
      lineOfPlay({shown: this.replay.board, cells: line, first: WHITE})) : null];
  }

  /** What White could still try, as buttons that play it. @param {{replies: number[], threats?: any[]}} answer */
  #tries({replies, threats: [black, white] = [{}, {}]}, free) {
    const {fives = [], open_fours: stops = []} = black, {open_fours = [], fours = []} = white;
    const tries = fives.length ? [[fives.length > 1 ? t("Stop one of Black's {n} ways to five", {n: fives.length}) : t("Stop Black's five"), fives]]
      : [[t("A reply with a prepared answer"), replies.length < free ? replies : []],
          [t("A four of White's own, which Black must answer"), [...open_fours, ...fours]], [t("Stop Black's open four"), stops]];
    const any = replies.length ? t("Any free point; Black has an answer to each.") : t("Any free point; each loses to threats.");
    const play = (cell) => [" ", h("button", {type: "button", class: "plain try", on: {click: () => this.#played(cell)}},
      cellName(cell, this.data.board))];
    const rows = tries.filter(([, cells]) => cells.length).map(([words, cells]) => h("p", {}, words + t(": "),
      cells.slice(0, MOST_TRIES).map(play), cells.length > MOST_TRIES ? ` ${t("and {n} more", {n: cells.length - MOST_TRIES})}` : ""));
    return h("div", {class: "tries"}, h("h3", {}, t("What White could still try")), rows.length ? rows : h("p", {}, any));
  }

  // ---- the gallery

  #fill(gallery) {
    const {lines, board} = this.data;
    put(gallery, lines.map(({entries, cells, five}) => {
      const second = cellName(cells[1], board);
      return h("li", {}, h("button", {type: "button", class: "proof-tile", data: {second: cells[1]}, on: {click: () => {
        this.open(cells, 3);
        this.replay.board.root.scrollIntoView({block: "nearest"});
      }}}, smallBoard(board, cells, {line: five, last: cells[1], label: t("The line after {cell}", {cell: second})}),
      h("b", {}, second), h("small", {}, t("{n} prepared, {m} stones", {n: number(entries), m: cells.length}))));
    }));
  }
}

/** A small board after the moves of `cells`. `more`: of the state of a Board. */
function smallBoard(board, cells, more) {
  const holder = h("div"), stones = board.stones.map((_, cell) => (cells.indexOf(cell) < 0 ? 0 : 1 + cells.indexOf(cell) % 2));
  new Board(holder).draw({board, stones, ...more});
  return holder;
}

/** What is proved and how it was checked, a screen each. */
function explanation({positions, lines: [{cells}], board}) {
  const step = (ply, words) => h("li", {}, smallBoard(board, cells.slice(0, ply), {last: cells[ply - 1], label: words}), h("span", {}, words));
  const section = (heading, ...content) => h("section", {class: "panel"}, h("h2", {}, heading), content);
  return h("div", {class: "explanation"}, section(t("What is proved"),
    h("p", {}, t("On an empty board of 15x15 the first player, Black, wins against every play of White. L. V. Allis showed this in 1994. " +
      "This proof shows it again, for the moves that our engine plays.")),
    h("ol", {}, step(2, t("Black begins in the middle. White has 35 second moves that are not turns or mirror images of each other.")),
      step(9, t("Black's answers are prepared, for {n} positions in all.", {n: number(positions)})),
      step(cells.length, t("After the last prepared move Black makes fours and open threes. White must answer each, until Black has five."))),
    h("p", {class: "note"}, t("Nothing is proved for White, for other boards or for other rules."))),
  section(t("How it was checked"),
    h("p", {}, t("A second program checked the proof. It shares no code with the program that found the proof, and takes Black's moves from the upload.")),
    h("ul", {}, h("li", {}, t("At every turn it let White play on every free point. No reply was left out.")),
      h("li", {}, t("Below the prepared positions, Black's search for threats won all {n} positions, within 20,000 nodes each.", {n: number(2618145)})),
      h("li", {}, t("No position is open. The check took 40 minutes on two cores.")),
      h("li", {}, t("A referee that knows only the rules confirms that each line below ends in Black's five."))),
    h("p", {class: "note"}, t("You can repeat the check:"), " ", h("code", {}, "make verify-proof"))));
}
