// Parts of the viewer in replay.js: the list of moves, the bar chart of times, and the sentence about a ply.
//
// The functions take the game that was passed to Replay.open. `figures`: the agents' figures for which the game has values.

import {chip, h, s} from "../shared/dom.js";
import {BLACK, moverOf} from "../board/geometry.js";
import {brief, cellName, number, side, spent, t} from "../shared/language.js";

export const FIGURES = ["depth", "value", "nodes"];
const PROVED = 999_000, WON = 1_000_000; // as in play/showing.py

/** Fill the list of moves. Below a move stand its time and the depth of the agent's search. */
export function fillMoves(list, game, figures) {
  const {board, moves, seconds = [], thoughts = []} = game;
  const steps = Math.max(moves.moves.length, seconds.length), items = [];
  for (let step = 0; step < steps; step++) {
    const cell = moves.moves[step], opening = step < moves.opening, thought = thoughts[step];
    const where = cell === undefined ? t("fault") : cellName(cell, board);
    const time = opening ? t("opening") : (seconds[step] ?? null) === null ? "" : spent(seconds[step]);
    const told = figures.map((key) => figureWords(board, thought, key));
    const below = [time, figureOf(board, thought, "depth")].filter(Boolean).join(" · ");
    items.push(h("li", {}, chip(moverOf(board, step), {ply: step + 1}, [time, ...told].filter(Boolean).join(t(", ")),
      [opening && "book"], where, below ? h("span", {class: "figures"}, below) : null)));
  }
  list.classList.toggle("figured", items.some((item) => item.querySelector(".figures")));
  list.replaceChildren(...items);
}

/** Draw the time of each ply as a bar. */
export function drawStrip(strip, game) {
  const {board, moves, seconds = []} = game, longest = Math.max(0.001, ...seconds.map((value) => value ?? 0));
  strip.setAttribute("viewBox", `0 0 ${Math.max(20, moves.moves.length + 1)} 100`);
  strip.replaceChildren(...seconds.flatMap((value, step) => {
    if (value === null || step < moves.opening) return [];
    const height = 3 + (95 * value) / longest, colour = moverOf(board, step) === BLACK ? "black" : "white";
    const told = t("move {n}: {time}", {n: step + 1, time: spent(value)});
    return [s("rect", {class: colour, x: step + 0.1, width: 0.8, y: 100 - height, height, data: {ply: step + 1}},
      s("title", {}, told))];
  }));
  strip.setAttribute("aria-label", t("Time per move, at most {time}", {time: spent(longest)}));
}

/** A sentence about the last of the first `ply` plies. */
export function sentence(game, ply, figures) {
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
