// A report of the engine: as marks on the board (marks.js), each with a tooltip, and their legend; and as the list of the
// best lines. With the pointer or the focus on a line, the board shows the line stone by stone; with the pointer on a cell,
// up to that cell. An update keeps the elements of the rows, so that the focus is not lost.

import {Geometry} from "../board/geometry.js";
import {above, elementOf, under} from "../board/marks.js";
import {h, put, s, whileLooked} from "../dom.js";
import {cellName, percent, side, t} from "../language.js";

export const LAYERS = ["lines", "arrows", "heat", "threats", "stable"];
// The kinds of threats: name in a report, kind of mark, word where five in a row win, word where fewer do. This module is loaded
// after the texts of the language.
const KINDS = [["fives", "five", t("fives"), t("winning cells")], ["open_fours", "open_four", t("open fours"), t("double threats")],
  ["fours", "four", t("fours"), t("threats")], ["open_threes", "open_three", t("open threes"), ""]];

/** A side's threats as [kind, word, cells] each, on a board where `k` in a row win. */
export const threatsOf = (threats, k) => KINDS.map(([name, kind, five, fewer]) => [kind, k === 5 ? five : fewer, threats[name] || []])
  .filter(([, word, cells]) => word && cells.length);

const LINE_ARROWS = 3; // arrows on the board, each from a move of the best line to its next move

/** Black's chance after the end of a game, by its winner: 1 Black, 2 White, 3 a draw. */
export const CHANCES = {1: 1, 2: 0, 3: 0.5};

/** A side's chance to win. `chance`: Black's chance; `player`: 1 Black, 2 White. */
export const chanceOf = (chance, player) => (player === 1 ? chance : 1 - chance);

export function lookMarks(look, mover, board, layers) {
  const marks = [];
  const around = look.features || {};
  if (layers.has("heat")) {
    const title = t("Heat map: the warmer, the better the engine likes this cell before it has searched.");
    marks.push(...(around.heat || []).map(([cell, value]) => ({cell, kind: "heat", value, title})));
  }
  if (layers.has("stable")) {
    (around.stable || []).forEach((cells, player) => marks.push(...cells.map((cell) => ({cell, kind: "stable",
      title: t("Stable: this disc of {side} can never be turned over again.", {side: side(player + 1)})}))));
  }
  if (layers.has("threats")) {
    (around.threats || []).forEach((threats, player) => threatsOf(threats, board.in_a_row).forEach(([kind, , cells]) => marks.push(
      ...cells.map((cell) => ({cell, kind, side: player + 1, title: threatTitle(kind, player + 1, board.in_a_row)})))));
  }
  if (layers.has("arrows") && look.lines.length) {
    const cells = look.lines[0].moves.slice(0, LINE_ARROWS + 1);
    cells.slice(1).forEach((to, at) => {
      const from = cells[at], title = t("The best line: move {n} after {cell}.", {n: at + 2, cell: cellName(from, board)});
      if (from >= 0 && to >= 0) marks.push({cell: from, to, kind: "arrow", value: 1 - at / LINE_ARROWS, title});
    });
  }
  if (layers.has("lines")) {
    look.lines.slice().reverse().forEach((line, back) => {
      if (!line.moves.length || line.moves[0] < 0) return;
      const at = look.lines.length - 1 - back;
      const chance = chanceOf(line.chance, mover);
      const best = chanceOf(look.lines[0].chance, mover);
      marks.push({cell: line.moves[0], kind: "line", value: Math.max(0.15, 1 - 4 * (best - chance) - at * 0.05),
        text: String(Math.round(chance * 100)), title: t("Best move number {n}: chance to win {chance}.",
          {n: at + 1, chance: percent(chance)})});
    });
  }
  return marks;
}

/** The meaning of a side's threat. `k`: stones in a row that win; only for 5 are there the words "four" and "three". */
export function threatTitle(kind, player, k) {
  const who = side(player);
  if (kind === "five") return t("With a stone here, {side} has {k} in a row and wins.", {side: who, k});
  if (k !== 5) {
    return kind === "four" ? t("With a stone here, {side} threatens to win.", {side: who})
      : t("With a stone here, {side} threatens to win in two ways.", {side: who});
  }
  if (kind === "open_four") return t("With a stone here, {side} has an open four: two ways to five.", {side: who});
  if (kind === "four") return t("With a stone here, {side} has a four: one way to five, which must be answered.", {side: who});
  return t("With a stone here, {side} has an open three: next comes an open four.", {side: who});
}

/** The legend: each mark with its meaning in words, drawn as on the board. */
export function legend() {
  const place = new Geometry({rows: 9, cols: 9, kind: "crossings"}, true), {cell: size} = place; // for its first cell
  const last = {tag: "circle", attributes: {class: "last", cx: size / 2, cy: size / 2, r: 0.13 * size}};
  const row = (words, kind, more = {}) => {
    const marks = [{cell: 0, kind, side: 1, ...more}], items = kind === "last" ? [last] : [...under(place, marks), ...above(place, marks)];
    const from = 0.04 * size, wide = (kind === "arrow" ? 1.92 : 0.92) * size;
    return h("li", {}, h("span", {class: "board legend-figure", "aria-hidden": "true"},
      s("svg", {viewBox: `${from} ${from} ${wide} ${wide}`}, items.map(elementOf))), h("span", {}, words));
  };
  return h("ul", {class: "legend"},
    row(t("One of the best moves, with its chance to win in percent. The stronger the colour, the better the move."), "line", {text: "62"}),
    row(t("Arrows: the best line, from its first move to the answer, and on."), "arrow", {to: 10}),
    row(t("Heat map: how much the engine likes a cell before it searches."), "heat"),
    row(t("Five: one more stone here wins. The fill is the colour of the side."), "five"),
    row(t("Open four: one more stone here makes a four with two ways to five."), "open_four"),
    row(t("Four: one more stone here makes a four with one way to five."), "four"),
    row(t("Open three: one more stone here makes a three that becomes an open four."), "open_three"),
    row(t("Stable disc: it can never be turned over again."), "stable"),
    row(t("Hint: the move that the engine would play."), "hint"), row(t("Last move."), "last"));
}

const LOOK_MS = 350;
const LONGEST = 24; // most moves of a line that are shown

/**
 * The list. `ghost(cells, first)` is called to show a line on the board; side `first` plays its first cell. With `onplay`,
 * a click on a cell of a line calls `onplay(cells)` with the line up to there.
 */
export class LineList {
  constructor(ghost, onplay = null) {
    this.ghost = ghost;
    this.onplay = onplay;
    this.rows = [];
    this.element = h("ol", {id: "look-lines", class: "lines"});
  }

  close() {
    clearInterval(this.timer);
  }

  /** Show a line on the board, move by move. */
  play(at) {
    this.#play(this.rows[at]);
  }

  focus(at) {
    const row = this.rows[at];
    if (!row || row.item.hidden) return false;
    row.button.focus();
    return true;
  }

  show(lines, mover, board) {
    this.mover = mover;
    while (this.rows.length < lines.length) this.#add(this.rows.length);
    this.rows.forEach((row, at) => {
      const line = lines[at];
      row.item.hidden = !line;
      if (!line) {
        this.#stop(row);
        return;
      }
      const same = row.line && JSON.stringify(row.line.moves) === JSON.stringify(line.moves);
      row.line = line;
      const chance = chanceOf(line.chance, mover);
      const cells = line.moves.slice(0, LONGEST);
      row.move.textContent = cellName(cells[0] ?? -1, board);
      row.chance.textContent = percent(chance);
      row.exact.textContent = exactWords(line, mover);
      row.exact.dataset.exact = line.exact;
      if (!same) {
        put(row.rest, cells.slice(1).map((cell, index) => [h("span", {data: {upto: index + 2}}, cellName(cell, board)), " "]));
      }
      if (this.showing === row && !same) this.ghost(cells.slice(0, this.upto), mover);
    });
  }

  #add(at) {
    const {onplay} = this;
    const row = {line: null, move: h("b", {}), chance: h("span", {class: "line-chance", title: t("Chance to win with this move.")}),
      exact: h("em", {title: t("Proved: the other side cannot change it. Counted in moves of the winner.")}),
      rest: h("span", {class: "line-rest"})};
    row.button = h("button", {type: "button", class: "line", title: onplay
      ? t("Shows this line on the board; a click plays it up to the cell") : t("Shows this line on the board, stone by stone"), on: {
      ...whileLooked(() => this.#play(row), () => this.#stop(row)),
      click: (event) => (onplay ? onplay(row.line.moves.slice(0, Number(event.target.dataset?.upto || 1))) : this.#play(row)),
      mouseover: (event) => {
        const upto = Number(event.target.dataset?.upto || 0);
        if (upto) this.#upto(row, upto);
      }}}, row.move, row.chance, row.exact, row.rest);
    row.item = h("li", {data: {line: at + 1}}, row.button);
    this.rows.push(row);
    this.element.append(row.item);
  }

  #play(row) {
    this.#upto(row, 1);
    this.timer = setInterval(() => {
      if (this.upto >= Math.min(LONGEST, row.line.moves.length)) clearInterval(this.timer);
      else this.#draw(row, this.upto + 1);
    }, LOOK_MS);
  }

  #upto(row, upto) {
    clearInterval(this.timer);
    this.#draw(row, upto);
  }

  #draw(row, upto) {
    this.showing = row;
    this.upto = upto;
    this.ghost(row.line.moves.slice(0, upto), this.mover);
  }

  #stop(row) {
    if (this.showing !== row) return;
    clearInterval(this.timer);
    this.showing = null;
    this.ghost([], 1);
  }
}

/** The proved result of a line for the side to move, in words, "" without one; in Reversi with the lead in discs. */
function exactWords(line, mover) {
  if (line.discs) {
    const lead = mover === 1 ? line.discs : -line.discs;
    return `${lead > 0 ? t("wins") : t("loses")} ${lead > 0 ? "+" : "−"}${Math.abs(lead)}`;
  }
  const moves = line.plies === null || line.plies === undefined ? null : Math.ceil(line.plies / 2);
  if (line.exact === "win") return moves === null ? t("wins") : t("wins in {n}", {n: moves});
  if (line.exact === "loss") return moves === null ? t("loses") : t("loses in {n}", {n: moves});
  return line.exact === "draw" ? t("draw") : "";
}
