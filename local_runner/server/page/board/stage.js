// The Board (board.js) in the app. The board shows a game at one of its plies, as large as its place allows. It
// combines the marks of several sources: the hint, the panel "look inside", the analysis. Each source replaces only its
// own marks.

import {Board} from "./board.js";
import {h, setting} from "../dom.js";
import {ghostsOf, stonesAfter} from "./geometry.js";

export class Stage {
  /** @param {{id: string, onCell?: (cell: number) => void}} options */
  constructor({id, onCell = null}) {
    this.element = h("div", {class: "stage", id});
    this.marks = new Map();
    this.board = new Board(this.element, {onplay: onCell, twice: () => setting("tapTwice", false)});
  }

  /**
   * Show a game after `ply` plies. `interactive`: a human may move; `legal`: mark the legal cells; `free`: every cell
   * can be clicked, to set up a position; `brush`: side of the stone at the pointer while `free`. `enabled`: whether the
   * board takes the focus and plays at all.
   * @param {import("./geometry.js").BoardData} board @param {import("./geometry.js").MovesData} moves
   * @param {number} ply
   */
  show(board, moves, ply, {interactive = false, legal = false, free = false, brush = 0, enabled = true} = {}) {
    const after = stonesAfter(board, moves, ply);
    const newest = ply === moves.moves.length;
    const empty = () => [...after.stones.keys()].filter((cell) => free || !after.stones[cell]);
    const may = !interactive && !free ? [] : board.all_free_legal || !legal ? empty() : moves.legal;
    document.documentElement.dataset.stones = board.kind;
    this.element.style.setProperty("--aspect", String(board.cols / board.rows));
    if (this.board.onplay) this.board.enable(enabled);
    this.board.draw({
      free, board, stones: after.stones, last: ply ? moves.moves[ply - 1] : -1,
      line: newest ? moves.line : [], legal: may, showLegal: legal && newest, label: "",
      toMove: free ? brush : interactive ? moves.to_move : 0, numbers: setting("numbers") && !free ? after.numbers : null,
    });
  }

  /** Replace the marks of a source. `marks`: see marks.js. */
  mark(source, marks) {
    const sign = JSON.stringify(marks);
    if (this.marks.get(source)?.sign === sign || (!marks.length && !this.marks.has(source))) return;
    if (marks.length) this.marks.set(source, {marks, sign}); else this.marks.delete(source);
    this.#drawMarks();
  }

  #drawMarks() {
    const marks = [...this.marks.values()].flatMap((each) => each.marks);
    const hinted = new Set(marks.filter(({kind}) => kind === "hint").map(({cell}) => cell));
    const hidden = ({kind, cell}) => kind === "line" && hinted.has(cell);
    this.board.draw({marks: this.ghosts ? [] : marks.filter((mark) => !hidden(mark))});
  }

  /**
   * Show the stones of a line of play; side `first` plays the first cell. While these stones are shown, the board
   * has no marks, because marks belong to the position without these stones.
   */
  ghost(cells, first) {
    const {board, stones} = this.board.state;
    const changed = Boolean(this.ghosts) !== Boolean(cells.length);
    this.ghosts = cells.length;
    this.board.draw({ghosts: board ? ghostsOf(board, stones, cells, first) : []});
    if (changed) this.#drawMarks();
  }
}
