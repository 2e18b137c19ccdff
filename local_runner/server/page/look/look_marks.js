// Converts a report of the engine to marks on the board (marks.js), each with a tooltip. The legend of the marks.

import {Geometry} from "../board/geometry.js";
import {above, elementOf, under} from "../board/marks.js";
import {h, s} from "../dom.js";
import {percent, side, t} from "../language.js";

export const LAYERS = ["lines", "heat", "threats", "stable"];
// The kinds of threats: name in a report, kind of mark, word where five in a row win, word where fewer do. This module is loaded
// after the texts of the language.
const KINDS = [["fives", "five", t("fives"), t("winning cells")], ["open_fours", "open_four", t("open fours"), t("double threats")],
  ["fours", "four", t("fours"), t("threats")], ["open_threes", "open_three", t("open threes"), ""]];

/** A side's threats as [kind, word, cells] each, on a board where `k` in a row win. */
export const threatsOf = (threats, k) => KINDS.map(([name, kind, five, fewer]) => [kind, k === 5 ? five : fewer, threats[name] || []])
  .filter(([, word, cells]) => word && cells.length);

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
    return h("li", {}, h("span", {class: "board legend-figure", "aria-hidden": "true"},
      s("svg", {viewBox: `${0.04 * size} ${0.04 * size} ${0.92 * size} ${0.92 * size}`}, items.map(elementOf))), h("span", {}, words));
  };
  return h("ul", {class: "legend"},
    row(t("One of the best moves, with its chance to win in percent. The stronger the colour, the better the move."), "line", {text: "62"}),
    row(t("Heat map: how much the engine likes a cell before it searches."), "heat"),
    row(t("Five: one more stone here wins. The fill is the colour of the side."), "five"),
    row(t("Open four: one more stone here makes a four with two ways to five."), "open_four"),
    row(t("Four: one more stone here makes a four with one way to five."), "four"),
    row(t("Open three: one more stone here makes a three that becomes an open four."), "open_three"),
    row(t("Stable disc: it can never be turned over again."), "stable"),
    row(t("Hint: the move that the engine would play."), "hint"), row(t("Last move."), "last"));
}
