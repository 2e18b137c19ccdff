// A report of the engine in words: depth and speed, threats of both sides, counts in Reversi, and the engine's owner.

import {dot, h, put} from "../shared/dom.js";
import {brief, cellName, side, t} from "../shared/language.js";
import {threatTitle} from "./look_marks.js";

export function facts(look) {
  const source = {book: t("from the opening book"), proof: t("a proved win"), solver: t("solved exactly"), threats: t("found by threats"),
    scorer: t("by the scorer"), search: ""}[look.source] || "";
  const speed = look.seconds > 0.02 ? look.nodes / look.seconds : 0;
  return [look.depth ? t("depth {depth}", {depth: look.depth}) : "", look.nodes ? t("{n} positions", {n: brief(look.nodes)})
    : "", speed ? t("{n} a second", {n: brief(speed)}) : "", source].filter(Boolean).join(" · ");
}

export function whoWords({who, look}, mover) {
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
export function threatWords(list, look, board, mover, ghost) {
  const rows = [];
  (look.features?.threats || []).forEach((threats, at) => {
    const player = at + 1;
    const kinds = (board.in_a_row === 5
      ? [["five", threats.fives, t("fives")], ["open_four", threats.open_fours, t("open fours")],
        ["four", threats.fours, t("fours")], ["open_three", threats.open_threes, t("open threes")]]
      : [["five", threats.fives, t("winning cells")], ["open_four", threats.open_fours, t("double threats")],
        ["four", threats.fours, t("threats")]])
      .filter(([, cells]) => cells?.length);
    if (!kinds.length && !threats.win?.length) return;
    rows.push({player, kinds: kinds.map(([kind, cells, word]) => ({kind, word: word + t(": ") + cells.length,
      cells: cells.map((cell) => cellName(cell, board)).join(" ")})), win: threats.win || []});
  });
  const sign = JSON.stringify([mover, rows]);
  if (list.dataset.sign === sign) return;
  list.dataset.sign = sign;
  put(list, rows.map((row) => h("li", {}, dot(row.player),
    h("span", {class: "unseen"}, side(row.player)),
    row.kinds.map(({kind, word, cells}) => h("span", {class: `threat-word ${kind}`, tabindex: "0",
      title: `${threatTitle(kind, row.player, board.in_a_row)} ${cells}`}, word)),
    row.win.length ? h("button", {type: "button", class: "win", on: {
      mouseenter: () => ghost(row.win, row.player), focus: () => ghost(row.win, row.player),
      mouseleave: () => ghost([], 1), blur: () => ghost([], 1)},
    title: row.player === mover ? t("These moves win whatever the other side does.")
      : t("If {side} were to move, these moves would win whatever the other side does.", {side: side(row.player)})},
    winWords(row.win.length, row.player === mover)) : null)));
}

function winWords(plies, now) {
  const n = Math.ceil(plies / 2);
  if (now) return n < 2 ? t("wins with the next move") : t("wins by force in {n} moves", {n});
  return n < 2 ? t("if it were to move: wins at once") : t("if it were to move: wins by force in {n} moves", {n});
}

export function reversiWords(box, look) {
  const {mobility, stable} = look.features || {};
  if (!mobility) {
    if (box.firstChild) box.replaceChildren();
    return;
  }
  const pair = (word, title, [black, white]) => h("div", {class: "pair", title, tabindex: "0"}, h("b", {}, String(black)),
    h("span", {}, word), h("b", {}, String(white)));
  const discs = look.lines[0]?.discs;
  const words = [pair(t("legal moves"), t("Mobility: how many cells each side could play now."), mobility),
    pair(t("stable discs"), t("Discs that can never be turned over again."), (stable || [[], []]).map((cells) => cells.length))];
  const sign = JSON.stringify([mobility, stable?.map((cells) => cells.length), discs]);
  if (box.dataset.sign === sign && box.firstChild) return;
  box.dataset.sign = sign;
  put(box, words, discs === null || discs === undefined ? null : h("p", {class: "exact", title: t("Solved: no play of either " +
    "side can do better.")}, discs === 0 ? t("With best play: a draw.") : t("With best play: {side} wins by {n} discs.",
    {side: side(discs > 0 ? 1 : 2), n: Math.abs(discs)})));
}
