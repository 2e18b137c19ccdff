// Parts of the viewer in replay.js: the list of moves, the bar chart of times, and the sentence about a ply.
//
// The functions take the game that was passed to Replay.open, and {figures, t, number, brief}. `figures`: the agents'
// figures for which the game has values; `t`: translates a text; `number`: writes a number in the page's
// language; `brief`: shortens a large number.

import {chip, h, s} from "../shared/dom.js";
import {BLACK, moverOf} from "../board/geometry.js";
import {cellName, duration, sideName} from "../shared/words.js";

export const FIGURES = ["depth", "value", "nodes"];
const PROVED = 999_000, WON = 1_000_000; // as in play/showing.py

/** Fill the list of moves. Below a move stand its time and the depth of the agent's search. */
export function fillMoves(list, game, {figures, t, number, brief}) {
  const {board, moves, seconds = [], thoughts = []} = game;
  const steps = Math.max(moves.moves.length, seconds.length), items = [];
  for (let step = 0; step < steps; step++) {
    const cell = moves.moves[step], opening = step < moves.opening, thought = thoughts[step];
    const where = cell === undefined ? t("fault") : cellName(cell, board, t);
    const time = opening ? t("opening") : (seconds[step] ?? null) === null ? "" : duration(seconds[step], t, number);
    const told = figures.map((key) => figureWords(board, thought, key, {t, number, brief}));
    const below = [time, figureOf(board, thought, "depth", {t, number, brief})].filter(Boolean).join(" · ");
    items.push(h("li", {}, chip(moverOf(board, step), {ply: step + 1}, [time, ...told].filter(Boolean).join(t(", ")),
      [opening && "book"], where, below ? h("span", {class: "figures"}, below) : null)));
  }
  list.classList.toggle("figured", items.some((item) => item.querySelector(".figures")));
  list.replaceChildren(...items);
}

/** Draw the time of each ply as a bar. */
export function drawStrip(strip, game, {t, number}) {
  const {board, moves, seconds = []} = game, longest = Math.max(0.001, ...seconds.map((value) => value ?? 0));
  strip.setAttribute("viewBox", `0 0 ${Math.max(20, moves.moves.length + 1)} 100`);
  strip.replaceChildren(...seconds.flatMap((value, step) => {
    if (value === null || step < moves.opening) return [];
    const height = 3 + (95 * value) / longest, side = moverOf(board, step) === BLACK ? "black" : "white";
    const told = t("move {n}: {time}", {n: step + 1, time: duration(value, t, number)});
    return [s("rect", {class: side, x: step + 0.1, width: 0.8, y: 100 - height, height, data: {ply: step + 1}},
      s("title", {}, told))];
  }));
  strip.setAttribute("aria-label", t("Time per move, at most {time}", {time: duration(longest, t, number)}));
}

/** A sentence about the last of the first `ply` plies. */
export function sentence(game, ply, {figures, t, number, brief}) {
  if (!ply) return t("The start of the game.");
  const {board, moves, names = ["", ""], seconds = [], thoughts = []} = game;
  const step = ply - 1, cell = moves.moves[step];
  const mover = moverOf(board, step), side = sideName(mover, t, board.kind), name = names[mover - 1];
  const named = name && !side.endsWith(name) && name !== sideName(mover, t); // not a name that stands for a missing one
  const who = named ? t("{side} ({name})", {side, name}) : side, n = ply, all = moves.moves.length;
  let text = cell < 0 ? t("Move {n} of {all}: {who} passes", {n, all, who})
    : t("Move {n} of {all}: {who} plays {cell}", {n, all, who, cell: cellName(cell, board, t)});
  if (step < moves.opening) return text + t(", ") + t("set by the opening") + t(".");
  if ((seconds[step] ?? null) !== null) text += t(", ") + duration(seconds[step], t, number);
  const more = figures.map((key) => figureWords(board, thoughts[step], key, {t, number, brief})).filter(Boolean);
  if (more.length) text += t("; ") + more.join(t(", "));
  return text + t(".");
}

function figureOf(board, thought, key, {t, number, brief}) {
  const value = thought?.[key];
  if (typeof value !== "number" || (key !== "value" && !value)) return ""; // no search
  if (proved(board, thought, key)) return value > 0 ? t("wins") : t("loses");
  return (key === "nodes" ? brief : number)(value);
}

/** A figure with its name, such as "depth 3"; "" if there is none. */
function figureWords(board, thought, key, words) {
  const value = figureOf(board, thought, key, words);
  return !value || proved(board, thought, key) ? value : `${word(key, words.t)} ${value}`;
}

/** Whether a figure is our engine's value of a proved result in k in a row. */
const proved = (board, thought, key) => key === "value" && board.in_a_row > 0 && Math.abs(thought?.value) >= PROVED
  && Math.abs(thought.value) <= WON;

const word = (key, t) => ({depth: t("depth"), value: t("value"), nodes: t("nodes")})[key];
