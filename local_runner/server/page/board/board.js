// Draws the board of every game (gobang, Reversi, tic-tac-toe) as SVG. Used in the app, in replays and in reports. A Board
// draws only what its caller gives, and knows no rules. With `onplay` the board takes the focus: arrow keys
// move a cursor, Enter or Space plays its cell, and screen readers announce the cell and its stone. A click or tap
// plays the nearest cell.

import {clamp, h, s} from "../dom.js";
import {Geometry, count, BLACK, WHITE} from "./geometry.js";
import {Layer, above, ghosts, under, words} from "./marks.js";
import {cellName, columnName, said, side, t} from "../language.js";

const GROUPS = ["under", "legal", "shadows", "stones", "numbers", "notes", "marks", "ghosts", "cursor"];
const ARROWS = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0]};
// The state that draw() changes. stones: row by row; numbers: Map of cell to ply number, null to show none; last: cell
// of the last move, -1 without one; line: winning cells; legal: cells that may be played; showLegal: whether these
// cells are marked; toMove: side of the stone at the pointer, 0 for none; marks, ghosts: see marks.js; label: for
// screen readers; free: whether stones are set up; turned: whether the board is turned by 180 degrees.
const EMPTY = {board: null, stones: [], numbers: null, last: -1, line: [], legal: [], showLegal: false, toMove: 0,
  marks: [], ghosts: [], label: "", free: false, turned: false};
const NEEDS = {under: ["marks"], legal: ["legal", "showLegal"], shadows: ["stones"], stones: ["stones"],
  numbers: ["stones", "numbers", "last"], notes: ["last", "line", "numbers", "stones"], marks: ["marks"],
  ghosts: ["ghosts", "stones"], cursor: ["legal", "toMove", "stones", "ghosts"]};
const SHAKE_MS = 350;
const LEAST_TAP = 20; // pixels; on smaller cells the first tap marks a cell, and the second plays
let boards = 0;

export class Board {
  #layers = {};
  #width = Infinity; // width of the board in pixels
  #shape = "";
  #hovered = -1;
  #cursor = -1; // cell of the keyboard's cursor, -1 while it is hidden
  #last = -1; // last cell of the cursor, where it appears again
  #pressed = -1; // cell where the pointer went down
  #clicked = -1; // cell of the last click
  #chosen = -1; // cell of a first tap that waits for the second, -1 without one

  /**
   * `twice()`: whether a tap only marks a cell, and a second tap there plays.
   * @param {Element} holder
   * @param {{onplay?: Function, twice?: () => boolean}} options
   */
  constructor(holder, {onplay = null, twice = () => false} = {}) {
    this.onplay = onplay;
    this.twice = twice;
    this.state = {...EMPTY};
    this.name = `board-${++boards}`; // prefix of the ids of this board's gradients
    this.svg = s("svg", {"aria-hidden": "true", focusable: "false"});
    this.live = h("div", {class: "board-live unseen", "aria-live": "polite"});
    this.root = h("div", {class: "board", role: onplay ? "application" : "img", tabindex: onplay ? "0" : null}, this.svg, onplay ? this.live : null);
    holder.append(this.root);
    new ResizeObserver(([{contentRect: {width}}]) => {
      this.#width = width || Infinity; // 0 while the board is hidden
      this.draw({});
    }).observe(this.root);
    this.#listen();
  }

  /** Change the given parts of the state, and redraw the layers that depend on these parts. */
  draw(changes) {
    Object.assign(this.state, changes);
    if ("stones" in changes || "legal" in changes) this.#chosen = -1;
    const {board, turned} = this.state;
    if (!board) return;
    const geometry = Geometry.within(board, this.#width, turned);
    const shape = `${board.kind} ${board.rows} ${board.cols} ${geometry.slim} ${turned}`;
    const whole = shape !== this.#shape;
    if (whole) this.#ground(shape, geometry);
    for (const name of GROUPS) {
      if (whole || NEEDS[name].some((key) => key in changes)) this.#layers[name].update(this.#items(name));
    }
    const label = this.#label();
    if (this.root.getAttribute("aria-label") !== label) this.root.setAttribute("aria-label", label);
    this.root.classList.toggle("playable", Boolean(this.onplay) && this.state.legal.length > 0);
  }

  /** Take the focus. The cursor appears with the first key. */
  focus() {
    this.quiet = true;
    this.root.focus({preventScroll: true});
    this.quiet = false;
  }

  /** Let a cell shake, because nothing can be played there, and say why. */
  refuse(cell) {
    const {geometry} = this, at = `[data-cell="${cell}"]`;
    const stone = this.svg.querySelector(at) || this.svg.appendChild(s("circle", {class: "refused", r: geometry.cell * 0.4,
      cx: geometry.x(cell), cy: geometry.y(cell)}));
    stone.classList.add("shaking");
    setTimeout(() => (stone.matches(".refused") ? stone.remove() : stone.classList.remove("shaking")), SHAKE_MS);
    this.#say(cell);
  }

  /** The cell nearest to a point of the window, -1 if none is near. */
  cellAt(clientX, clientY) {
    const matrix = this.svg.getScreenCTM();
    if (!matrix || !this.geometry) return -1;
    const at = new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
    return this.geometry.nearest(at.x, at.y);
  }

  // ---- drawing

  #ground(shape, geometry) {
    this.#shape = shape;
    this.geometry = geometry;
    const {board} = this.state, {width, height, crossed, slim} = geometry;
    this.#hovered = this.#cursor = this.#chosen = this.#last = -1;
    this.root.classList.remove("crossings", "squares", "marks");
    this.root.classList.add(board.kind);
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.svg.replaceChildren(this.#paints(), s("rect", {class: "ground", width, height}));
    const lines = s("g", {class: "lines"}, s("path", {d: geometry.lines()}));
    for (const [cx, cy] of geometry.stars()) lines.append(s("circle", {cx, cy, r: 4}));
    const names = s("g", {class: "coordinates", "font-size": slim ? 15 : crossed ? 18 : 17});
    for (let col = 0; col < board.cols; col++) {
      names.append(s("text", {x: geometry.x(col), y: slim ? 14 : 19}, columnName(col)));
    }
    for (let row = 0; row < board.rows; row++) {
      names.append(s("text", {x: slim ? 9 : crossed ? 12.5 : 13.5, y: geometry.y(row * board.cols) + 6}, row + 1));
    }
    this.svg.append(lines, names);
    for (const name of GROUPS) this.#layers[name] = new Layer(name, this.svg);
  }

  #paints() {
    const stops = (...pairs) => pairs.map(([offset, colour]) => s("stop", {offset, "stop-color": colour}));
    const paint = (name, cx, cy, light, dark) => s("radialGradient", {id: `${this.name}-${name}`, cx, cy, r: 0.7},
      stops([light, `var(--${name}-light)`], [dark, `var(--${name}-dark)`]));
    const shadow = s("radialGradient", {id: `${this.name}-shadow`}, stops([0.75, "var(--shade)"], [1, "#0000"]));
    return s("defs", {}, paint("black", 0.36, 0.3, 0, 0.9), paint("white", 0.38, 0.32, 0.35, 1), shadow);
  }

  #items(name) {
    const {geometry, state} = this, {stones} = state;
    const taken = () => [...stones.keys()].filter((cell) => stones[cell]);
    switch (name) {
      case "under": return under(geometry, state.marks);
      case "legal": return (state.showLegal ? state.legal : []).map((cell) => this.#dot(cell, cell, "may", 0.1));
      case "shadows": return (state.board.kind === "marks" ? [] : taken()).map((cell) => this.#shadow(cell));
      case "stones": return taken().flatMap((cell) => this.#stone(cell, stones[cell]).map((item) => ({...item,
        attributes: {...item.attributes, "data-cell": cell, "data-stone": stones[cell]}})));
      case "numbers": return [...(state.numbers || [])].filter(([cell]) => stones[cell]).map(([cell, number]) => {
        const newest = cell === state.last ? " newest" : "";
        return words(geometry, cell, `number ${cell}`, number, `on-${stones[cell]}${newest}`, 0.42);
      });
      case "notes": return this.#notes();
      case "marks": return above(geometry, state.marks);
      case "ghosts": return ghosts(geometry, state.ghosts, (cell, colour) => this.#stone(cell, colour));
      default: return this.#pointed();
    }
  }

  #stone(cell, player) {
    const {geometry} = this, [x, y, size] = [geometry.x(cell), geometry.y(cell), geometry.cell];
    const colour = player === BLACK ? "black" : "white", key = `stone ${cell}`;
    if (this.state.board.kind !== "marks") {
      return [{key, tag: "circle", attributes: {class: `stone ${colour}`, cx: x, cy: y, r: size * 0.45,
        fill: `url(#${this.name}-${colour})`}}];
    }
    const arm = size * 0.26;
    const cross = `M${x - arm} ${y - arm}l${2 * arm} ${2 * arm}m0 ${-2 * arm}l${-2 * arm} ${2 * arm}`;
    const circle = `M${x - arm} ${y}a${arm} ${arm} 0 1 1 ${2 * arm} 0a${arm} ${arm} 0 1 1 ${-2 * arm} 0`;
    return [{key, tag: "path", attributes: {class: `stone drawn ${colour}`, d: player === BLACK ? cross : circle}}];
  }

  #shadow(cell) {
    const {geometry} = this, size = geometry.cell;
    return {key: cell, tag: "circle", attributes: {r: size * 0.5, fill: `url(#${this.name}-shadow)`,
      cx: geometry.x(cell) + size * 0.02, cy: geometry.y(cell) + size * 0.05}};
  }

  #dot(cell, key, name, size) {
    const {geometry} = this, at = {cx: geometry.x(cell), cy: geometry.y(cell)};
    return {key, tag: "circle", attributes: {class: name, ...at, r: geometry.cell * size}};
  }

  #notes() {
    const {line, last, numbers, stones, board} = this.state, items = [], {geometry} = this;
    if (line.length && board.kind === "marks") {
      const ends = [line[0], line[line.length - 1]].map((cell) => `${geometry.x(cell)} ${geometry.y(cell)}`);
      items.push({key: "line", tag: "path", attributes: {class: "won", d: `M${ends.join("L")}`}});
    } else items.push(...line.map((cell) => this.#dot(cell, `won ${cell}`, "won", 0.45)));
    if (last >= 0 && stones[last] && !numbers?.has(last)) {
      items.push(this.#dot(last, "last", `last on-${stones[last]}`, board.kind === "marks" ? 0.06 : 0.13));
    }
    return items;
  }

  /** The stone that a click or key would place, and the frame of the keyboard's cursor. */
  #pointed() {
    const {geometry, state} = this, items = [], framed = this.#cursor >= 0 ? this.#cursor : this.#chosen;
    const cell = framed >= 0 ? framed : this.#hovered;
    if (cell >= 0 && state.toMove && !state.ghosts.length && this.onplay && state.legal.includes(cell)) {
      items.push(...this.#stone(cell, state.toMove));
    }
    if (framed >= 0) {
      const width = geometry.cell * 0.98, half = width / 2, key = "frame";
      items.push({key, tag: "rect", attributes: {class: key, width, height: width, rx: 4,
        x: geometry.x(framed) - half, y: geometry.y(framed) - half}});
    }
    return items;
  }

  #label() {
    const {label, stones, board} = this.state;
    const counted = said(label || t("The board. Stones: Black {black}, White {white}",
      {black: count(stones, BLACK), white: count(stones, WHITE)}), board.kind);
    if (!this.onplay) return counted;
    if (!this.state.legal.length) return counted + t(". ") + t("Arrow keys move.");
    return counted + t(". ") + (this.state.free ? t("Arrow keys move, Enter puts or takes a stone.") : t("Arrow keys move, Enter plays."));
  }

  // ---- pointer and keys

  #listen() {
    const {root} = this;
    root.addEventListener("pointermove", (event) => this.#hover(this.cellAt(event.clientX, event.clientY)));
    root.addEventListener("pointerleave", () => this.#hover(-1));
    if (!this.onplay) return;
    let touched = false;
    root.addEventListener("pointerdown", (event) => {
      this.#pressed = this.cellAt(event.clientX, event.clientY);
      touched = event.pointerType === "touch";
    });
    root.addEventListener("click", (event) => {
      const cell = this.cellAt(event.clientX, event.clientY);
      if (touched && (this.twice() || this.#isSmall()) && this.#choose(cell)) return;
      const again = event.detail > 1 && cell === this.#clicked && !this.state.free; // the second half of a double click
      this.#unkey();
      this.#clicked = cell;
      if (cell === this.#pressed && !again) this.#play(cell); // a pointer that was dragged to another cell plays nothing
    });
    root.addEventListener("keydown", (event) => this.#press(event));
    root.addEventListener("focus", () => { if (!this.quiet && root.matches(":focus-visible")) this.#move(0, 0); });
    root.addEventListener("blur", () => this.#unkey());
  }

  /** Whether the cells are too small for a finger, even as far as the user has zoomed in. */
  #isSmall() {
    return this.geometry.cell / this.geometry.width * this.#width * visualViewport.scale < LEAST_TAP;
  }

  #hover(cell) {
    if (cell === this.#hovered) return;
    this.#hovered = cell;
    this.#layers.cursor?.update(this.#pointed());
  }

  #press(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || !this.geometry) return;
    const arrow = ARROWS[event.key], play = event.key === "Enter" || event.key === " ";
    if (!arrow && !play) return;
    event.preventDefault();
    event.stopPropagation();
    if (arrow) this.#move(...(this.#cursor < 0 ? [0, 0] : arrow.map((by) => (this.state.turned ? -by : by))));
    else if (this.#cursor < 0) this.#move(0, 0);
    else if (!event.repeat) this.#play(this.#cursor);
  }

  #move(down, right) {
    const {geometry} = this, {last} = this.state;
    if (!geometry) return;
    const middle = Math.floor(geometry.rows / 2) * geometry.cols + Math.floor(geometry.cols / 2);
    const from = this.#cursor >= 0 ? this.#cursor : this.#last >= 0 ? this.#last : last >= 0 ? last : middle;
    const row = clamp(Math.floor(from / geometry.cols) + down, 0, geometry.rows - 1);
    this.#cursor = this.#last = row * geometry.cols + clamp((from % geometry.cols) + right, 0, geometry.cols - 1);
    this.root.classList.add("keyed");
    this.#layers.cursor.update(this.#pointed());
    this.#say(this.#cursor);
  }

  #unkey() {
    if (this.#cursor < 0) return;
    this.#cursor = -1;
    this.root.classList.remove("keyed");
    this.#layers.cursor.update(this.#pointed());
  }

  /** Mark a cell that may be played, until a second tap there. Returns whether this was the first tap. */
  #choose(cell) {
    const first = !this.state.free && this.state.legal.includes(cell) && cell !== this.#chosen;
    this.#clicked = -1; // the second tap may be as quick as a double click
    this.#chosen = first ? cell : -1;
    this.#layers.cursor.update(this.#pointed());
    if (first) this.#say(cell, t(". ") + t("Tap again to play here."));
    return first;
  }

  #play(cell) {
    if (cell >= 0) this.onplay(cell);
  }

  /** Let screen readers say a cell: its name, its stone or whether it can be played, and whether it is the last move. */
  #say(cell, more = "") {
    const {board, stones, legal, last} = this.state, what = [cellName(cell, board)];
    what.push([legal.includes(cell) ? t("can be played") : t("free"), side(1, board.kind), side(2, board.kind)][stones[cell]]);
    if (cell === last) what.push(t("last move"));
    what.push(...this.state.marks.filter((mark) => mark.cell === cell && mark.title && mark.kind !== "heat").map(({title}) => title));
    this.live.textContent = what.join(t(", ")) + more;
  }
}
