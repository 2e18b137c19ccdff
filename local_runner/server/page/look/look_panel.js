// The panel "look inside": the engine's reports on the shown position, at most ten a second while it searches.

import {connection} from "../connection.js";
import {button, choice, dot, h, isNew, keep, put, setting, whileLooked} from "../dom.js";
import {moverOf} from "../board/geometry.js";
import {brief, cellName, side, t} from "../language.js";
import {LAYERS, legend, LineList, lookMarks, threatsOf, threatTitle} from "./report.js";
import {tell} from "../telling.js";

const BAR_MS = 2000; // length of the search if only the evaluation bar is shown

/** A panel beside a board, with a heading and a button that closes it. `name`: of the setting that shows it, and in its ids. */
export class SidePanel {
  /** `source()` returns the position that the panel is about; `moved()` looks at it again. `opener`: icon, word and tooltip of its button. */
  constructor(name, stage, source, [picture, word, title]) {
    this.name = name;
    this.stage = stage;
    this.source = source;
    this.opener = button(picture, word, () => this.toggle(), {id: `act-${name}`, title, "aria-pressed": String(this.on)});
    this.off = connection.on("connected", () => this.moved());
  }

  /** Make the element. `head`: beside the heading. */
  build(heading, head, ...content) {
    const {name} = this, id = `${name}-heading`;
    this.element = h("section", {class: `panel look ${name}`, id: name, "aria-labelledby": id, hidden: !this.on},
      h("div", {class: "row spread"}, h("h2", {id}, heading), head,
        button("close", t("Close"), () => this.toggle(), {short: true, class: "plain", id: `${name}-close`})), content);
  }

  get on() {
    return setting(this.name, false);
  }

  toggle() {
    keep(this.name, !this.on);
    this.element.hidden = !this.on;
    this.opener.ariaPressed = String(this.on);
    this.sign = null;
    this.moved();
    if (this.on) this.element.scrollIntoView({block: "nearest"}); // on a phone it is below the board
  }

  moved() {}
}

/**
 * The panel, and the evaluation bar of its Stage. `source()` returns the position to look at, {room or position, board, ply}; null after the end of the
 * game; undefined while there is nothing to look at yet. `onplay(cells)`: plays cells of a line, see LineList. `bar`: the name of the
 * setting that shows the bar, and whether the bar is `usual`. `known()`: Black's chance in the position, if it needs no search; else null.
 */
export class LookPanel extends SidePanel {
  constructor({stage, source, bar, known, onplay = null}) {
    super("look", stage, source, ["eye", t("Look inside"), t("{what} (key {key})", {what: t("Look inside"), key: "L"})]);
    this.known = known;
    this.barSetting = bar;
    this.layers = new Set(setting("layers", ["lines", "arrows", "threats", "stable"]));
    this.count = setting("lines", 3);
    this.lines = new LineList((cells, first) => stage.ghost(cells, first), onplay);
    this.bar = stage.bar;
    this.switch = button("gauge", t("Evaluation bar"), () => {
      keep(bar.name, !this.barred);
      this.moved();
    }, {id: "act-bar", title: t("{what} (key {key})", {what: t("Evaluation bar"), key: "G"})});
    this.facts = h("p", {class: "facts", id: "look-facts", title: t("Depth: how many moves ahead the engine has looked in full. " +
      "Positions: how many it has looked at.")});
    this.who = h("p", {class: "note", id: "look-who"});
    this.threats = h("ul", {class: "threat-list", id: "look-threats"});
    this.reversi = h("div", {id: "look-reversi", class: "reversi-facts"});
    this.build(t("Look inside"), this.#counter(), this.facts, this.lines.element, this.threats, this.reversi, this.who, this.#layerBoxes());
    this.#clear();
  }

  /** Whether the bar is shown also without the panel. */
  get barred() {
    return setting(this.barSetting.name, this.barSetting.usual);
  }

  close() {
    this.off();
    this.#stop();
    this.lines.close();
    cancelAnimationFrame(this.frame);
  }

  /** Handle a key: a digit from 1 to 9 shows that line on the board, G the bar. Returns whether it was such a key. */
  key(event) {
    if (event.key.toLowerCase() === "g") {
      this.switch.click();
      return true;
    }
    const at = Number(event.key);
    return this.on && at >= 1 && at <= 9 && this.lines.focus(at - 1);
  }

  /** Search the position of `source()`, which may have changed. */
  moved() {
    const {board} = this.stage.board.state; // not from `what`, which is null after the end of the game
    this.boxes.threats.hidden = !board?.in_a_row;
    this.boxes.stable.hidden = !board?.turns_discs;
    const known = this.known(), what = this.on || (this.barred && known === null) ? this.source() : undefined;
    const sign = what && JSON.stringify([what.room, what.position, this.on && this.count]);
    this.bar.element.hidden = !this.on && !this.barred;
    this.switch.ariaPressed = String(this.barred);
    if (!what) {
      this.#stop();
      this.#clear();
      this.bar.show(known);
      if (what === null && this.on) this.facts.textContent = t("The game is over. Go back to a move to look inside.");
      return;
    }
    if (this.what && what.ply !== this.what.ply) { // the marks of the last report belong to another position
      this.stage.mark("look", []);
      this.stage.ghost([], 1);
      this.bar.show(known);
    }
    this.what = what;
    if (sign === this.sign) return;
    this.#stop();
    this.sign = sign;
    this.#clear();
    this.bar.show(known);
    const {room = null, position = null} = what;
    this.unfollow = connection.follow({type: "look_at", room, position, lines: this.on ? this.count : 1},
      (message) => this.#heard(message), true, (error) => tell(error));
    if (!this.on && position) this.timer = setTimeout(() => this.unfollow?.(), BAR_MS);
  }

  #stop() {
    clearTimeout(this.timer);
    this.unfollow?.();
    this.unfollow = null;
    this.sign = null;
  }

  #clear() {
    this.message = null;
    this.stage.mark("look", []);
    this.lines.show([], 1);
    this.facts.textContent = this.on ? t("Waiting for the engine …") : "";
    this.who.textContent = "";
    threatWords(this.threats, {}, {}, 1, null);
    reversiWords(this.reversi, {});
  }

  #heard(message) {
    this.message = message;
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      if (this.message && this.what) this.#draw();
    });
  }

  #draw() {
    const {look, ply} = this.message;
    const {board} = this.what;
    const mover = moverOf(board, ply);
    if (ply !== this.what.ply) return; // a report on an earlier position
    this.bar.show(look.chance);
    if (!this.on) return;
    this.facts.textContent = facts(look);
    this.lines.show(look.lines, mover, board);
    threatWords(this.threats, look, board, mover, (cells, first) => this.stage.ghost(cells, first));
    reversiWords(this.reversi, look);
    this.who.textContent = whoWords(this.message, mover);
    this.stage.mark("look", lookMarks(look, mover, board, this.layers));
  }

  #counter() {
    const title = t("Number of lines");
    return choice({id: "look-count", class: "count", title, "aria-label": title},
      [1, 2, 3, 5, 9].map((n) => [n, n === 1 ? t("1 line") : t("{n} lines", {n})]), this.count, (count) => {
        this.count = Number(count);
        keep("lines", this.count);
        this.moved();
      });
  }

  #layerBoxes() {
    const words = {lines: t("Best moves"), arrows: t("Arrows"), heat: t("Heat map"), threats: t("Threats"), stable: t("Stable discs")};
    this.boxes = Object.fromEntries(LAYERS.map((layer) => [layer, h("label", {class: "chip"},
      h("input", {type: "checkbox", name: `layer-${layer}`, data: {layer}, checked: this.layers.has(layer), on: {change: (event) => {
        if (event.target.checked) this.layers.add(layer); else this.layers.delete(layer);
        keep("layers", [...this.layers]);
        if (this.message) this.#draw();
      }}}), words[layer])]));
    return h("div", {id: "look-more", class: "look-more"}, h("div", {class: "row wrap", role: "group",
      "aria-label": t("Marks on the board")}, Object.values(this.boxes)),
    h("details", {class: "legend-box"}, h("summary", {}, t("What the marks mean")), legend()));
  }
}

function facts(look) {
  const source = {book: t("from the opening book"), proof: t("a proved win"), solver: t("solved exactly"), threats: t("found by threats"),
    scorer: t("by the scorer"), search: ""}[look.source] || "";
  const speed = look.seconds > 0.02 ? look.nodes / look.seconds : 0;
  return [look.depth ? t("depth {depth}", {depth: look.depth}) : "", look.nodes ? t("{n} positions", {n: brief(look.nodes)})
    : "", speed ? t("{n} a second", {n: brief(speed)}) : "", speed ? look.compiled ? t("compiled engine") : t("Python engine") : "",
  source].filter(Boolean).join(" · ");
}

function whoWords({who, look}, mover) {
  if (who === "engine") return look.finished ? t("The engine has finished this position.") : "";
  const player = who === "black" ? 1 : 2;
  if (player === mover) return t("This is what {side} sees while it thinks.", {side: side(player)});
  return t("{side} thinks ahead in the time of the other side, and sees this.", {side: side(player)});
}

/**
 * Fill `list` with the threats of both sides by kind, and with proved wins and their numbers of moves. `mover`: the side to
 * move. A win of the other side is one that it would have if it were to move.
 * `ghost(cells, first)` is called to show the moves of a proved win on the board.
 */
function threatWords(list, look, board, mover, ghost) {
  const rows = [];
  (look.features?.threats || []).forEach((threats, at) => {
    const kinds = threatsOf(threats, board.in_a_row).map(([kind, word, cells]) => ({kind, word: word + t(": ") + cells.length,
      cells: cells.map((cell) => cellName(cell, board)).join(" ")}));
    if (kinds.length || threats.win?.length) rows.push({player: at + 1, kinds, win: threats.win || []});
  });
  if (!isNew(list, [mover, rows])) return;
  put(list, rows.map((row) => h("li", {}, dot(row.player),
    h("span", {class: "unseen"}, side(row.player)),
    row.kinds.map(({kind, word, cells}) => h("span", {class: `threat-word ${kind}`,
      title: `${threatTitle(kind, row.player, board.in_a_row)} ${cells}`}, word)),
    row.win.length ? h("button", {type: "button", class: "win", on: whileLooked(() => ghost(row.win, row.player), () => ghost([], 1)),
      title: row.player === mover ? t("These moves win whatever the other side does.")
        : t("If {side} were to move, these moves would win whatever the other side does.", {side: side(row.player)})},
    winWords(row.win.length, row.player === mover)) : null)));
}

function winWords(plies, now) {
  const n = Math.ceil(plies / 2);
  if (now) return n < 2 ? t("wins with the next move") : t("wins by force in {n} moves", {n});
  return n < 2 ? t("if it were to move: wins at once") : t("if it were to move: wins by force in {n} moves", {n});
}

function reversiWords(box, look) {
  const {mobility, stable = [[], []]} = look.features || {}, discs = look.lines?.[0]?.discs ?? null;
  const counts = stable.map((cells) => cells.length);
  if (!isNew(box, [mobility, counts, discs])) return;
  const pair = (word, title, [black, white]) => h("div", {class: "pair", title}, h("b", {}, String(black)),
    h("span", {}, word), h("b", {}, String(white)));
  put(box, mobility ? [pair(t("legal moves"), t("Mobility: how many cells each side could play now."), mobility),
    pair(t("stable discs"), t("Discs that can never be turned over again."), counts),
    discs === null ? null : h("p", {class: "exact", title: t("Solved: no play of either side can do better.")}, discs === 0 ? t("With best play: a draw.")
      : t("With best play: {side} wins by {n} discs.", {side: side(discs > 0 ? 1 : 2), n: Math.abs(discs)}))] : null);
}
