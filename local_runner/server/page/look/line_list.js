// The list of the best lines: first move, chance to win, proved result, and continuation. With the pointer or the focus
// on a line, the board shows the line stone by stone. With the pointer on a cell, the board shows the line up to that
// cell. An update keeps the elements of the rows, so that the focus is not lost.

import {h, put} from "../dom.js";
import {cellName, percent, t} from "../language.js";
import {chanceOf} from "./look_marks.js";

const STEP_MS = 350;
const LONGEST = 24; // cells of a line that are shown

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
      if (!line) return;
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
      mouseenter: () => this.#play(row), focus: () => this.#play(row),
      click: (event) => (onplay ? onplay(row.line.moves.slice(0, Number(event.target.dataset?.upto || 1))) : this.#play(row)),
      mouseleave: () => this.#stop(row), blur: () => this.#stop(row),
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
    }, STEP_MS);
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

/** The proved result of a line for the side to move, in words, "" without one. In Reversi the words name the lead in
 * discs. */
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
