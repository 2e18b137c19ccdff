// The viewer of one game: board, buttons, slider, times, moves. Used in the app, in reports and in pages of saved games. The
// keys of a MovesList and the wheel over the board step through the game, Space plays it.

import {Board} from "../board/board.js";
import {diagrams} from "../board/diagrams.js";
import {button, clamp, h, origin, s, setting, timeBars} from "../dom.js";
import {BLACK, WHITE, count, ghostsOf, moverOf, other, stonesAfter} from "../board/geometry.js";
import {brief, cellName, number, side, spent, t} from "../language.js";
import {MovesList} from "../room/moves_list.js";

export const FIGURES = ["depth", "value", "nodes"];
const PROVED = 999_000, WON = 1_000_000; // as in play/showing.py
const STEP_MS = 550;
const WHEEL = 40; // pixels of a wheel's turn for one move

export class Replay {
  #timer = 0;
  #ended = new AbortController();

  /**
   * `onplay(cell)`: called for a click on the board, which then takes the focus; `shown(ply, stones)`: returns more changes of
   * the board's state at a ply, such as the cells that may be played. Home and End work inside the element `within`.
   * @param {Element} holder
   * @param {{onply?: Function, within?: Element, onplay?: Function, shown?: Function}} options
   */
  constructor(holder, {onply = null, within = document.body, onplay = null, shown = () => ({})} = {}) {
    this.onply = onply;
    this.shown = shown;
    this.within = within;
    this.game = null;
    this.ply = 0;
    this.root = h("div", {class: "replay-view"});
    this.board = new Board(this.root, {onplay});
    this.#build();
    holder.append(this.root);
    document.addEventListener("keydown", (event) => this.#press(event), {signal: this.#ended.signal});
  }

  /**
   * Show a game, {board, moves, names, seconds, thoughts}, after `ply` plies. `seconds` and `thoughts` have an entry for each ply,
   * null where unknown, and one more if the last call was a fault. A thought may have depth, value, nodes, source and line
   * (game/board_data.py): the cells that the agent expects, its own move first.
   */
  open(game, ply = game.moves.moves.length) {
    const {parts} = this;
    this.stop();
    this.game = game;
    const {seconds = [], thoughts = []} = game;
    this.figures = FIGURES.filter((key) => thoughts.some((thought) => typeof thought?.[key] === "number"));
    parts.own.hidden = !this.figures.length;
    parts.slider.max = game.moves.moves.length;
    parts.strip.toggleAttribute("hidden", !seconds.some((value) => value !== null));
    this.moves.fill(game, (step, time) => ({
      figures: this.figures.map((key) => figureWords(game.board, thoughts[step], key)),
      below: [time, figureOf(game.board, thoughts[step], "depth")].filter(Boolean).join(" · ")}));
    drawStrip(parts.strip, game);
    this.board.draw({board: game.board, marks: [], ghosts: []});
    this.show(ply);
  }

  /** Show the position after `wanted` plies. */
  show(wanted) {
    const {game, parts} = this;
    if (!game) return;
    this.ply = clamp(wanted, 0, game.moves.moves.length);
    this.#draw();
    parts.told.textContent = sentence(game, this.ply, this.figures);
    this.#tellThought();
    parts.slider.value = String(this.ply);
    parts.slider.setAttribute("aria-valuetext", t("move {n}", {n: this.ply}));
    for (const bar of parts.strip.children) bar.classList.toggle("now", bar.getAttribute("data-ply") === String(this.ply));
    this.moves.mark(this.ply);
    if (this.ply === game.moves.moves.length) this.stop();
    this.onply?.(this.ply);
  }

  /** Play the moves one after another to the end of the game; if they are being played, stop. */
  play() {
    if (this.#timer) {
      this.stop();
      return;
    }
    if (this.ply === this.game.moves.moves.length) this.show(0);
    this.player.lastChild.textContent = t("stop");
    this.#timer = setInterval(() => this.show(this.ply + 1), STEP_MS);
  }

  stop() {
    clearInterval(this.#timer);
    this.#timer = 0;
    this.player.lastChild.textContent = t("play");
  }

  /** Remove the viewer from the page. */
  remove() {
    this.stop();
    this.#ended.abort();
    this.root.remove();
  }

  // ---- elements

  #build() {
    this.player = button("play", t("play"), () => this.play(), {id: "go-play", title: t("Play to the end, or stop (space)")});
    this.moves = new MovesList((ply) => this.#jump(ply));
    this.moves.backward[1].after(this.player);
    const parts = this.parts = {
      slider: h("input", {type: "range", name: "move", class: "slider", min: 0, max: 0, step: 1, "aria-label": t("Move"),
        on: {input: () => this.#jump(Number(parts.slider.value))}}),
      told: h("p", {class: "told", "aria-live": "polite"}),
      thought: h("p", {class: "thought"}),
      strip: s("svg", {class: "strip", role: "img", preserveAspectRatio: "none", on: {click: (event) => {
        const bar = origin(event, "[data-ply]");
        if (bar) this.#jump(Number(bar.dataset.ply));
      }}}),
      own: h("span", {}, ` ${t("Below a move: its time, and the depth of the agent's search. Depth, value and nodes are the agent's own figures.")}`),
    };
    const legend = h("p", {class: "legend"},
      t("A cell is a letter for the column and a number for the row, from the top left."), parts.own);
    parts.side = h("div", {class: "panel replay-side"}, this.moves.transport, parts.slider, parts.told, parts.thought, parts.strip,
      this.moves.list, legend);
    this.root.append(parts.side, diagrams(() => this.game));
    let turned = 0;
    this.board.root.addEventListener("wheel", (event) => {
      if (event.ctrlKey || !event.deltaY || !this.game) return; // with Ctrl the wheel zooms
      event.preventDefault();
      turned = Math.sign(turned) === Math.sign(event.deltaY) ? turned + event.deltaY : event.deltaY;
      if (Math.abs(turned) < WHEEL) return;
      this.#jump(this.ply + Math.sign(turned));
      turned = 0;
    }, {passive: false});
  }

  #jump(ply) {
    this.stop();
    this.show(ply);
  }

  #press(event) {
    const {target, key} = event;
    if (!this.game || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    if (target.closest("select, input:not([type=checkbox]), textarea, [role=application], dialog")) return;
    if (key === " " && target.closest("button, input, summary, a, [tabindex='0']")) return; // there Space presses the button or scrolls
    if ((key === "Home" || key === "End") && !this.within.contains(target)) return;
    if (key === " ") this.play();
    else if (!this.moves.press(event)) return;
    event.preventDefault();
  }

  #draw() {
    const {game, ply} = this;
    const {stones, numbers} = stonesAfter(game.board, game.moves, ply), last = ply ? game.moves.moves[ply - 1] : -1;
    const label = t("The board after move {n}. Stones: Black {black}, White {white}",
      {n: ply, black: count(stones, BLACK), white: count(stones, WHITE)});
    this.board.draw({stones, last, label, ghosts: [], turned: setting("turned", false), numbers: setting("numbers") ? numbers : null,
      line: ply === game.moves.moves.length ? game.moves.line : [], ...this.shown(ply, stones)});
  }

  #tellThought() {
    const {game, ply, board, parts} = this, thought = game.thoughts?.[ply - 1];
    const line = thought?.line ?? [], cell = game.moves.moves[ply - 1];
    const next = line[0] === cell ? line.slice(1) : []; // the agent's own move is already on the board
    parts.thought.replaceChildren();
    if (next.length) {
      const opponent = other(moverOf(game.board, ply - 1));
      parts.thought.append(lineOfPlay({shown: board, cells: next, first: opponent, label: t("expects")}));
    }
    if (thought?.source) parts.thought.append(` ${t("source: {source}", {source: thought.source})}`);
  }
}

// ---- the parts. `figures`: the agents' figures for which the game has values

/**
 * Make a button of a line of play. With the pointer on the name of a cell, the board shows the line up to that cell; with the focus,
 * the whole line. `shown`: the Board; `cells`: the line, -1 for a pass; `first`: the side that plays the
 * first cell.
 */
export function lineOfPlay({shown, cells, first, label = ""}) {
  const {board} = shown.state;
  const words = cells.map((cell, index) => h("span", {data: {at: index}}, cellName(cell, board)));
  const upTo = (index) => shown.draw({ghosts: ghostsOf(board, shown.state.stones, cells.slice(0, index + 1), first)});
  const all = () => upTo(cells.length - 1), none = () => shown.draw({ghosts: []});
  const over = (event) => (event.target.dataset.at === undefined ? all() : upTo(Number(event.target.dataset.at)));
  return h("button", {type: "button", class: "plain line-of-play", title: t("Shows these moves on the board"),
    on: {pointerover: over, pointerleave: none, focus: all, blur: none, click: over}},
  label ? h("span", {class: "line-label"}, label) : null, words.flatMap((word) => [" ", word]));
}

/** Draw the time of each ply as a bar. */
function drawStrip(strip, game) {
  const {board, moves, seconds = []} = game, longest = Math.max(0.001, ...seconds.map((value) => value ?? 0));
  strip.setAttribute("viewBox", `0 0 ${Math.max(20, moves.moves.length + 1)} 100`);
  strip.replaceChildren(...timeBars(seconds.map((value, step) => (value === null || step < moves.opening ? null
    : [moverOf(board, step), value, t("move {n}: {time}", {n: step + 1, time: spent(value)})])), seconds.length, 100));
  strip.setAttribute("aria-label", t("Time per move, at most {time}", {time: spent(longest)}));
}

/** A sentence about the last of the first `ply` plies. */
function sentence(game, ply, figures) {
  if (!ply) return t("The start of the game.");
  const {board, moves, names = ["", ""], seconds = [], thoughts = []} = game;
  const step = ply - 1, cell = moves.moves[step];
  const mover = moverOf(board, step), mine = side(mover, board.kind), name = names[mover - 1];
  const named = name && !mine.endsWith(name) && name !== side(mover, ""); // not a name that stands for a missing one
  const who = named ? t("{side} ({name})", {side: mine, name}) : mine, n = ply, all = moves.moves.length;
  let text = cell < 0 ? t("Move {n} of {all}: {who} passes", {n, all, who})
    : t("Move {n} of {all}: {who} plays {cell}", {n, all, who, cell: cellName(cell, board)});
  if (step < moves.opening) return text + t(", ") + t("set by the opening") + t(".");
  if ((seconds[step] ?? null) !== null) text += t(", ") + spent(seconds[step]);
  const more = figures.map((key) => figureWords(board, thoughts[step], key)).filter(Boolean);
  if (more.length) text += t("; ") + more.join(t(", "));
  return text + t(".");
}

function figureOf(board, thought, key) {
  const value = thought?.[key];
  if (typeof value !== "number" || (key !== "value" && !value)) return ""; // no search
  if (proved(board, thought, key)) return value > 0 ? t("wins") : t("loses");
  return (key === "nodes" ? brief : number)(value);
}

/** A figure with its name, such as "depth 3"; "" if there is none. */
function figureWords(board, thought, key) {
  const value = figureOf(board, thought, key);
  return !value || proved(board, thought, key) ? value : `${word(key)} ${value}`;
}

/** Whether a figure is our engine's value of a proved result in k in a row. */
const proved = (board, thought, key) => key === "value" && board.in_a_row > 0 && Math.abs(thought?.value) >= PROVED
  && Math.abs(thought.value) <= WON;

const word = (key) => ({depth: t("depth"), value: t("value"), nodes: t("nodes")})[key];
