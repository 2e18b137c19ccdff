// The graph of Black's chance to win over a game, with its mistakes, and below the graph the time of every move. A
// click or an arrow key shows another position. Elements: #graph (role slider), circle[data-ply] for each mistake,
// #times.

import {clamp, h, put, s, timeBars} from "../dom.js";
import {moverOf} from "../board/geometry.js";
import {percent, side, spent, t} from "../language.js";

const WIDE = 380;
const HIGH = 130;
const TIME_HIGH = 36;
const LEFT = 30;

export class Chart {
  constructor(jump) {
    this.jump = jump;
    this.svg = s("svg", {viewBox: `0 0 ${WIDE} ${HIGH}`, class: "graph", id: "graph", role: "slider", tabindex: "0",
      "aria-label": t("Black's chance to win over the game"), "aria-valuemin": "0"});
    this.times = s("svg", {viewBox: `0 0 ${WIDE} ${TIME_HIGH}`, class: "times", id: "times", role: "img",
      "aria-label": t("Time per move")});
    this.timesBox = h("div", {class: "times-box", hidden: true}, this.timesHead = h("h3"), this.times);
    this.element = h("div", {class: "chart"}, this.svg, this.timesBox);
    for (const each of [this.svg, this.times]) each.addEventListener("pointerdown", (event) => this.#point(event, each));
    this.svg.addEventListener("pointermove", (event) => { if (event.buttons) this.#point(event, this.svg); });
    this.svg.addEventListener("keydown", (event) => this.#key(event));
  }

  #x(ply) {
    return LEFT + (WIDE - LEFT - 6) * (this.plies ? ply / this.plies : 0);
  }

  #y(chance) {
    return 8 + (HIGH - 16) * (1 - chance);
  }

  /**
   * Draw a game. `chances`: Black's chance in each position, null where unknown; `marks`: the mistakes, {ply, kind, title};
   * `seconds`: the seconds of each ply; `first`: the side that moves first.
   */
  show(chances, marks, seconds, first) {
    this.plies = chances.length - 1;
    this.chances = chances;
    const known = [...chances.keys()].filter((ply) => chances[ply] !== null);
    const points = known.map((ply) => `${this.#x(ply).toFixed(1)} ${this.#y(chances[ply]).toFixed(1)}`);
    const from = known[0] ?? 0;
    const to = known[known.length - 1] ?? 0;
    const middle = this.#y(0.5);
    put(this.svg,
      s("rect", {x: LEFT, y: this.#y(1), width: WIDE - LEFT - 6, height: HIGH - 16, class: "graph-ground"}),
      [0, 0.25, 0.5, 0.75, 1].map((level) => s("path", {d: `M${LEFT} ${this.#y(level)}H${WIDE - 6}`,
        class: level === 0.5 ? "graph-half" : "graph-level"})),
      [0, 0.5, 1].map((level) => s("text", {x: LEFT - 5, y: this.#y(level) + 4, class: "graph-word"}, String(level * 100))),
      points.length ? s("path", {d: `M${this.#x(from)} ${middle}L${points.join("L")}L${this.#x(to)} ${middle}Z`,
        class: "graph-area"}) : null,
      points.length ? s("path", {d: `M${points.join("L")}`, class: "graph-line"}) : null,
      this.cursor = s("path", {class: "graph-cursor"}),
      marks.map((mark) => s("circle", {cx: this.#x(mark.ply), cy: this.#y(chances[mark.ply] ?? 0.5), r: 4.6,
        class: `graph-mark ${mark.kind}`, "data-ply": mark.ply}, s("title", {}, mark.title))));
    this.svg.setAttribute("aria-valuemax", String(this.plies));
    this.#showTimes(seconds, first);
    this.move(this.ply || 0);
  }

  #showTimes(seconds, first) {
    const longest = Math.max(0, ...seconds.map((value) => value || 0));
    this.timesBox.hidden = longest === 0;
    if (!longest) return;
    this.timesHead.textContent = t("Time per move, at most {time}", {time: spent(longest)});
    const bars = seconds.map((value, at) => value && [moverOf({first}, at), value,
      t("{side}, move {n}: {time}", {side: side(moverOf({first}, at)), n: at + 1, time: spent(value)})]);
    put(this.times, s("g", {transform: `translate(${LEFT})`}, timeBars(bars, WIDE - LEFT - 6, TIME_HIGH)));
  }

  /** Move the cursor to the position after `ply` plies. */
  move(ply) {
    this.ply = ply;
    if (!this.cursor) return;
    this.cursor.setAttribute("d", `M${this.#x(ply)} 4V${HIGH - 4}`);
    const chance = this.chances[ply];
    this.svg.setAttribute("aria-valuenow", ply);
    this.svg.setAttribute("aria-valuetext", chance === null || chance === undefined ? t("move {n}", {n: ply})
      : t("move {n}: Black's chance {chance}", {n: ply, chance: percent(chance)}));
  }

  #point(event, within) {
    const mark = event.target.dataset?.ply;
    if (mark !== undefined) {
      this.jump(Number(mark));
      return;
    }
    const box = within.getBoundingClientRect();
    const x = (event.clientX - box.left) / box.width * WIDE;
    this.jump(clamp(Math.round((x - LEFT) / (WIDE - LEFT - 6) * this.plies), 0, this.plies));
  }

  #key(event) {
    const to = {ArrowLeft: this.ply - 1, ArrowDown: this.ply - 1, ArrowRight: this.ply + 1, ArrowUp: this.ply + 1,
      PageDown: this.ply - 10, PageUp: this.ply + 10, Home: 0, End: this.plies}[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.jump(clamp(to, 0, this.plies));
  }
}
