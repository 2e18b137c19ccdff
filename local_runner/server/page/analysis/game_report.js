// The analysis of the main line in an analysis board: the graph, the accuracy of both sides, and the verdict on the
// current move with what should have been played.

import {moverOf} from "../board/geometry.js";
import {connection} from "../connection.js";
import {button, choice, clamp, dot, h, isNew, put, s, timeBars} from "../dom.js";
import {cellName, number, percent, side, spent, t} from "../language.js";
import {chanceOf, LineList} from "../look/report.js";
import {say} from "../telling.js";

// The verdicts (docs/en/reference/analysis.md), the worst first: sign, word and meaning; CSS class and kind of mark of the bad
// ones. Inaccuracies are marked as mistakes on the board, and left out of the graph and of the buttons "Previous mistake" and
// "Next mistake". This module is loaded after the texts of the language.
export const VERDICTS = {
  "missed win": {kind: "missed", sign: "×", word: t("missed win"), about: t("A proved win was there, and is gone.")},
  blunder: {kind: "blunder", sign: "??", word: t("blunder"), about: t("It gives away 30 percentage points of the chance to win, or more.")},
  mistake: {kind: "mistake", sign: "?", word: t("mistake"), about: t("It gives away 15 percentage points of the chance to win, or more.")},
  inaccuracy: {kind: "inaccuracy", sign: "?!", word: t("inaccuracy"),
    about: t("It gives away 7 percentage points of the chance to win, or more.")},
  "only move": {kind: "", sign: "!", word: t("only move"), about: t("Every other move gives away 15 percentage points, or more.")},
};
const COUNTED = ["blunder", "mistake", "missed win"];
const SHAPES = {blunder: "M-4.6 0a4.6 4.6 0 1 0 9.2 0a4.6 4.6 0 1 0 -9.2 0", mistake: "M0 -6L6 0L0 6L-6 0Z", missed: "M0 -6L6 4.5H-6Z"};
const LOW = matchMedia("(max-height: 820px)"); // on such screens the graph is less high
const WIDE = 380, LEFT = 30, RIGHT = WIDE - 6; // in units of the graph, about pixels
const WORDS = 16; // height of the heading above the bars of times
const NONE = {kind: "", sign: "", word: "", about: ""};

/** The report beside the board of an Analysis, which is its `view`. */
export class GameReport {
  constructor(view) {
    this.view = view;
    this.tree = view.tree;
    this.seconds = 0.2;
    this.byNode = new Map(); // node -> the report's move
    this.chart = new Chart((ply) => view.jump(this.ids[ply]));
    this.lines = new LineList((cells, first) => view.ghost(cells, first));
    this.verdict = h("div", {id: "verdict", class: "verdict", "aria-live": "polite"});
    this.progress = h("progress", {id: "progress", "aria-label": t("Positions analysed"), max: "1", hidden: true});
    this.stopper = button("close", t("Stop"), () => this.stop(), {id: "stop", hidden: true});
    this.accuracy = h("div", {id: "accuracy", class: "accuracy"});
    this.learn = button("learn", t("Learn from your mistakes"), () => { location.hash = `#learn/${view.name}`; }, {short: true, id: "learn", hidden: true});
    this.back = button("back", t("Previous mistake"), () => this.toMistake(-1), {short: true, id: "mistake-back", disabled: true});
    this.next = button("next", t("Next mistake"), () => this.toMistake(1), {short: true, id: "mistake-next", disabled: true});
    this.starter = button("chart", t("Analyse"), () => this.start(), {id: "analyse-game", title: t("Analyse every move of the main line")});
    const title = t("Seconds for each position"), speed = choice({id: "seconds", class: "count", title, "aria-label": title},
      [[0.05, t("fast")], [0.2, t("normal")], [1, t("thorough")]], this.seconds, (seconds) => {
        this.seconds = Number(seconds);
        this.start();
      });
    this.head = h("div", {class: "row report-head"}, this.progress, this.stopper, this.starter, speed, this.back, this.next, this.learn);
    this.body = h("div", {class: "report"}, h("div", {}, this.chart.svg), this.verdict, this.lines.element, this.accuracy);
    this.element = h("div", {class: "report-box"}, this.head, this.body);
    LOW.onchange = () => { if (this.shown) this.#fit(); };
  }

  close() {
    LOW.onchange = null;
    this.unfollow?.();
    this.lines.close();
  }

  /** The main line of the tree may have changed. An analysis of its first moves stays. */
  changed() {
    const line = this.tree.line(0), shown = this.tree.shown(line[line.length - 1]);
    if (!isNew(this, [shown.position, shown.ids])) return;
    this.shown = shown;
    this.ids = [shown.ids.length ? this.tree.nodes.get(shown.ids[0]).parent : 0, ...shown.ids]; // ply -> node
    this.#fit();
  }

  start() {
    this.asked = true; // the board starts the analysis when the tree comes, if it has not come yet
    if (!this.shown) return;
    this.unfollow?.();
    this.progress.hidden = this.stopper.hidden = false;
    this.starter.hidden = true;
    this.progress.value = 0;
    sessionStorage.setItem("tengen.analysing", this.tree.state.tree);
    const {position} = this.shown;
    this.unfollow = connection.follow({type: "analyse", position, seconds: this.seconds, tree: this.tree.state.tree}, (message) => {
      this.progress.value = message.done / Math.max(1, message.all);
      this.take(message.analysis);
      if (!message.analysis.finished) return;
      this.stop();
      say(t("The analysis is finished."));
    }, true, (error) => {
      this.stop();
      put(this.view.problem, error.message);
    });
    this.take(null);
  }

  /** Stop the analysis. The page keeps the results so far. */
  stop() {
    this.unfollow?.();
    this.unfollow = null;
    this.progress.hidden = this.stopper.hidden = true;
    this.starter.hidden = false;
    sessionStorage.removeItem("tengen.analysing");
  }

  /** Show an analysis, which may be unfinished or stored. Returns whether the analysis is of this main line. */
  take(analysis) {
    this.analysis = analysis;
    const fits = this.#fit();
    this.view.judged();
    return fits;
  }

  #fit() {
    const found = this.analysis && fitting(this.analysis, this.shown.moves.moves);
    this.byNode = new Map((found?.moves || []).map((move) => [this.ids[move.ply + 1], move]));
    const {board} = this.shown;
    const faults = this.#faults();
    const chances = this.ids.map((_id, ply) => found?.chances[ply] ?? null);
    this.chart.show(chances, faults.map((move) => ({ply: move.ply + 1, kind: VERDICTS[move.verdict].kind,
      title: `${move.ply + 1}. ${cellName(move.cell, board)}${t(": ")}${VERDICTS[move.verdict].word}`})),
    this.shown.ids.map((id) => this.tree.nodes.get(id).seconds), board.first);
    this.#showAccuracy(found);
    this.learn.hidden = this.back.disabled = this.next.disabled = !faults.length;
    this.body.hidden = !found && !this.unfollow;
    return Boolean(found);
  }

  #faults() {
    return [...this.byNode.values()].filter(isFault);
  }

  #showAccuracy(analysis) {
    const {names} = this.tree.state;
    put(this.accuracy, h("table", {"aria-label": t("Accuracy")}, h("thead", {}, h("tr", {}, h("th", {scope: "col"}, t("Side")),
      h("th", {scope: "col", title: t("100 means that no move gave anything away.")}, t("Accuracy")),
      COUNTED.map((verdict) => h("th", {scope: "col", title: VERDICTS[verdict].about}, VERDICTS[verdict].sign)))),
    h("tbody", {}, [0, 1].map((player) => {
      const counts = analysis?.counts?.[player] || {};
      const value = analysis?.accuracy?.[player];
      return h("tr", {data: {player: player + 1}}, h("th", {scope: "row"}, dot(player + 1),
        h("span", {class: "player-name"}, names[player])), h("td", {class: "accuracy-value"},
        value === null || value === undefined ? "–" : number(value, 0)),
      COUNTED.map((verdict) => h("td", {}, String(counts[verdict] || 0))));
    }))));
  }

  /** The verdicts on the tree's moves, by node. */
  notes() {
    return new Map([...this.byNode].filter(([, move]) => move.verdict).map(([id, {verdict}]) => [id, VERDICTS[verdict]]));
  }

  /** Go to the next or previous mistake, from the place where the current path leaves the main line. */
  toMistake(by) {
    const plies = this.#faults().map((move) => move.ply + 1);
    const next = by > 0 ? plies.find((ply) => ply > this.ply) ?? plies[0] : plies.findLast((ply) => ply < this.ply)
      ?? plies[plies.length - 1];
    if (next !== undefined) this.view.jump(this.ids[next]);
  }

  /** Black's chance after a node of the main line, null where it is not known. */
  chanceAt(id) {
    return this.chart.chances?.[this.ids.indexOf(id)] ?? null;
  }

  /** Show the verdict on a node. */
  show(id) {
    const path = new Set(this.tree.path(id).map((node) => node.id));
    this.ply = Math.max(0, this.ids.findLastIndex((each) => path.has(each)));
    this.chart.move(this.ply);
    const move = this.byNode.get(id), {board} = this.shown;
    if (!move) {
      const words = id === this.ids[0] ? t("The start of the game.") : this.ids.includes(id) ? t("Not analysed yet.") : t("A variation.");
      put(this.verdict, h("p", {class: "note"}, words));
      this.lines.show([], 1, board);
      return;
    }
    const {kind, sign, word, about} = VERDICTS[move.verdict] || NONE;
    put(this.verdict, h("div", {}, dot(move.player + 1), " ", h("b", {}, `${move.ply + 1}. ${cellName(move.cell, board)} ${sign}`),
      " ", h("span", {class: `word ${kind}`, title: about}, word)),
    move.best !== move.cell && move.best >= 0 && percent(move.before) !== percent(move.after) ? h("button", {type: "button", class: "button", id: "better",
      "aria-pressed": "false", on: {click: (event) => this.#better(event.currentTarget, move)}},
    t("What should have been played? {cell}", {cell: cellName(move.best, board)})) : null,
    h("p", {class: "note"}, t("Chance to win of {side}: {before} before, {after} after this move.", {side: side(move.player + 1),
      before: percent(chanceOf(move.before, move.player + 1)), after: percent(chanceOf(move.after, move.player + 1))})));
    this.lines.show(move.lines, move.player + 1, board);
  }

  /** The marks on the board of the verdict on a node. */
  marks(id) {
    const move = this.byNode.get(id);
    const {kind, sign, about} = VERDICTS[move?.verdict] || NONE, marks = [];
    if (!kind) return [];
    if (move.cell >= 0) marks.push({cell: move.cell, kind: kind === "inaccuracy" ? "mistake" : kind, text: sign, title: about});
    if (move.best >= 0 && move.best !== move.cell) marks.push({cell: move.best, kind: "best", text: "★", title: t("The best move here.")});
    return marks;
  }

  /** Show the best line from the position before the move; a second press shows the game again. */
  #better(pressed, move) {
    const on = pressed.getAttribute("aria-pressed") !== "true";
    pressed.ariaPressed = String(on);
    this.view.ghost(on ? move.lines[0]?.moves || [move.best] : [], move.player + 1);
  }
}

/** Whether a move of an analysis is a mistake to learn from. */
export const isFault = ({verdict}) => Boolean(VERDICTS[verdict]?.kind) && verdict !== "inaccuracy";

/**
 * An analysis with plies counted from the page's position; the server's count includes the stones that were set up.
 * Null if its moves are not the first ones of `moves`.
 */
export function fitting(analysis, moves) {
  const known = analysis.moves.map((move) => move.cell);
  const lead = Math.max(0, analysis.lead ?? 0);
  const own = analysis.moves.filter((move) => move.ply >= lead).map((move) => ({...move, ply: move.ply - lead}));
  return known.length && own.every((move) => moves[move.ply] === move.cell) ? {...analysis, moves: own, chances: analysis.chances.slice(lead)} : null;
}

/**
 * The graph of Black's chance to win over a game, with its mistakes, and below the graph the time of every move. A click or an
 * arrow key shows another position.
 */
class Chart {
  constructor(jump) {
    this.jump = jump;
    this.svg = s("svg", {class: "graph", id: "graph", role: "slider", tabindex: "0", "aria-valuemin": "0",
      "aria-label": t("Black's chance to win over the game")});
    this.svg.addEventListener("pointerdown", (event) => this.#point(event));
    this.svg.addEventListener("pointermove", (event) => { if (event.buttons) this.#point(event); });
    this.svg.addEventListener("keydown", (event) => this.#key(event));
  }

  #x(ply) {
    return LEFT + (RIGHT - LEFT) * (this.plies ? ply / this.plies : 0);
  }

  #y(chance) {
    return 8 + (this.high - 16) * (1 - chance);
  }

  /**
   * Draw a game. `chances`: Black's chance in each position, null where unknown; `marks`: the mistakes, {ply, kind, title};
   * `seconds`: the seconds of each ply; `first`: the side that moves first.
   */
  show(chances, marks, seconds, first) {
    this.plies = chances.length - 1;
    this.chances = chances;
    this.high = LOW.matches ? 84 : 130;
    const known = [...chances.keys()].filter((ply) => chances[ply] !== null);
    const points = known.map((ply) => `${this.#x(ply).toFixed(1)} ${this.#y(chances[ply]).toFixed(1)}`);
    const from = known[0] ?? 0;
    const to = known[known.length - 1] ?? 0;
    const middle = this.#y(0.5);
    put(this.svg,
      s("rect", {x: LEFT, y: this.#y(1), width: RIGHT - LEFT, height: this.high - 16, class: "graph-ground"}),
      [0, 0.25, 0.5, 0.75, 1].map((level) => s("path", {d: `M${LEFT} ${this.#y(level)}H${RIGHT}`,
        class: level === 0.5 ? "graph-half" : "graph-level"})),
      [0, 0.5, 1].map((level) => s("text", {x: LEFT - 5, y: this.#y(level) + 4, class: "graph-word"}, String(level * 100))),
      points.length ? s("path", {d: `M${this.#x(from)} ${middle}L${points.join("L")}L${this.#x(to)} ${middle}Z`,
        class: "graph-area"}) : null,
      points.length ? s("path", {d: `M${points.join("L")}`, class: "graph-line"}) : null,
      this.cursor = s("path", {class: "graph-cursor"}),
      marks.map((mark) => s("path", {d: SHAPES[mark.kind], transform: `translate(${this.#x(mark.ply)} ${this.#y(chances[mark.ply] ?? 0.5)})`,
        class: `graph-mark ${mark.kind}`, "data-ply": mark.ply}, s("title", {}, mark.title))), this.#times(seconds, first));
    this.svg.setAttribute("aria-valuemax", String(this.plies));
    this.move(this.ply || 0);
  }

  /** The times of the moves, below the graph and as wide; null without times. */
  #times(seconds, first) {
    const longest = Math.max(0, ...seconds.map((value) => value || 0)), high = longest ? WORDS + (LOW.matches ? 20 : 36) : 0;
    this.svg.setAttribute("viewBox", `0 0 ${WIDE} ${this.high + high}`);
    const bars = seconds.map((value, at) => value && [moverOf({first}, at), value,
      t("{side}, move {n}: {time}", {side: side(moverOf({first}, at)), n: at + 1, time: spent(value)})]);
    return longest ? s("g", {id: "times", transform: `translate(${LEFT} ${this.high + WORDS})`},
      s("text", {x: 0, y: -4, class: "graph-word times-word"}, t("Time per move, at most {time}", {time: spent(longest)})),
      timeBars(bars, RIGHT - LEFT, high - WORDS)) : null;
  }

  /** Move the cursor to the position after `ply` plies. */
  move(ply) {
    this.ply = ply;
    if (!this.cursor) return;
    this.cursor.setAttribute("d", `M${this.#x(ply)} 4V${this.high - 4}`);
    const chance = this.chances[ply];
    this.svg.setAttribute("aria-valuenow", ply);
    this.svg.setAttribute("aria-valuetext", chance === null || chance === undefined ? t("move {n}", {n: ply})
      : t("move {n}: Black's chance {chance}", {n: ply, chance: percent(chance)}));
  }

  #point(event) {
    const mark = event.target.dataset?.ply;
    if (mark !== undefined) {
      this.jump(Number(mark));
      return;
    }
    const box = this.svg.getBoundingClientRect();
    const x = (event.clientX - box.left) / box.width * WIDE;
    this.jump(clamp(Math.round((x - LEFT) / (RIGHT - LEFT) * this.plies), 0, this.plies));
  }

  #key(event) {
    const to = {ArrowLeft: this.ply - 1, ArrowDown: this.ply - 1, ArrowRight: this.ply + 1, ArrowUp: this.ply + 1,
      PageDown: this.ply - 10, PageUp: this.ply + 10, Home: 0, End: this.plies}[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.jump(clamp(to, 0, this.plies));
  }
}
