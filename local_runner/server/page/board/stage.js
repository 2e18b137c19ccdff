// The boards of the app: the Board (board.js) of a game at one of its plies, as large as its place allows, with the marks of
// several sources; a small picture of a position; and the sound of a stone.

import {Board} from "./board.js";
import {EvalBar} from "./eval_bar.js";
import {clamp, h, s, setting} from "../dom.js";
import {Geometry, ghostsOf, stonesAfter} from "./geometry.js";

export class Stage {
  /** @param {{id: string, onCell?: Function}} options */
  constructor({id, onCell = null}) {
    this.bar = new EvalBar();
    this.element = h("div", {class: "stage", id}, this.bar.element);
    this.marks = new Map();
    this.board = new Board(this.element, {onplay: onCell, twice: () => setting("tapTwice", false)});
  }

  /**
   * Show a game after `ply` plies. `interactive`: a human may move; `legal`: mark the legal cells; `free`: every cell
   * can be clicked, to set up a position; `brush`: side of the stone at the pointer while `free`.
   */
  show(board, moves, ply, {interactive = false, legal = false, free = false, brush = 0} = {}) {
    const after = stonesAfter(board, moves, ply);
    const newest = ply === moves.moves.length;
    const empty = () => [...after.stones.keys()].filter((cell) => free || !after.stones[cell]);
    const may = !interactive && !free ? [] : board.all_free_legal || !legal ? empty() : moves.legal;
    document.documentElement.dataset.stones = board.kind;
    this.element.style.setProperty("--aspect", String(board.cols / board.rows));
    this.board.draw({
      free, board, turned: setting("turned", false), stones: after.stones, last: ply ? moves.moves[ply - 1] : -1,
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

const LEAST = 9, BESIDE = 1; // cells: least width of the part of a board in a picture, and free cells around its stones

/** The picture. `board`: BoardData; `stones`: row by row; `last`: cell of the last move, -1 without one. */
export function thumbnail(board, stones, last = -1) {
  const geometry = new Geometry(board), {kind} = board, {cell: size, edge} = geometry;
  const [left, top, wide, high] = part(board, stones).map((cells) => cells * size);
  const svg = s("svg", {viewBox: [edge + left, edge + top, wide, high].join(" "), class: `thumbnail ${kind}`,
    "aria-hidden": "true"}, s("rect", {x: 0, y: 0, width: geometry.width, height: geometry.height, class: "thumbnail-ground"}),
  s("path", {d: geometry.lines(), class: "thumbnail-lines"}));
  stones.forEach((stone, cell) => {
    if (!stone) return;
    const [cx, cy, arm] = [geometry.x(cell), geometry.y(cell), size * 0.27];
    const cross = `M${cx - arm} ${cy - arm}l${2 * arm} ${2 * arm}m0 ${-2 * arm}l${-2 * arm} ${2 * arm}`;
    if (kind === "marks") {
      svg.append(stone === 1 ? s("path", {d: cross, class: "thumbnail-cross"}) : s("circle", {cx, cy, r: arm, class: "thumbnail-nought"}));
      return;
    }
    svg.append(s("circle", {cx, cy, r: size * 0.46, class: stone === 1 ? "brand-black" : "brand-white"}));
    if (cell === last) svg.append(s("circle", {cx, cy, r: size * 0.16, class: "thumbnail-last"}));
  });
  return svg;
}

/** The part of a board that is shown, in cells: left, top, width and height. */
function part({rows, cols, kind}, stones) {
  const taken = [...stones.keys()].filter((cell) => stones[cell]);
  if (kind !== "crossings" || !taken.length) return [0, 0, cols, rows];
  const span = (places, size) => [Math.max(0, Math.min(...places) - BESIDE), Math.min(size, Math.max(...places) + BESIDE + 1)];
  const [left, right] = span(taken.map((cell) => cell % cols), cols);
  const [top, bottom] = span(taken.map((cell) => Math.floor(cell / cols)), rows);
  const width = Math.min(cols, rows, Math.max(LEAST, right - left, bottom - top));
  const from = (low, high, size) => clamp(Math.round((low + high - width) / 2), 0, size - width);
  return [from(left, right, cols), from(top, bottom, rows), width, width];
}

let context = null;

export function click() {
  if (!setting("sound", false)) return;
  context ||= new AudioContext();
  const now = context.currentTime;
  const tone = context.createOscillator();
  const loudness = context.createGain();
  tone.type = "triangle";
  tone.frequency.setValueAtTime(900, now);
  tone.frequency.exponentialRampToValueAtTime(180, now + 0.05);
  loudness.gain.setValueAtTime(0.25, now);
  loudness.gain.exponentialRampToValueAtTime(0.001, now + 0.09);
  tone.connect(loudness).connect(context.destination);
  tone.start(now);
  tone.stop(now + 0.1);
}
