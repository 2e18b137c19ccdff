// Draws an Elo rating with its error bar, and the curve of the log-likelihood ratio (LLR) of an SPRT.

import {h, s} from "../shared/dom.js";
import {number, t} from "../shared/language.js";

/** An error bar from elo - error to elo + error. `reach`: the axis goes from -reach to +reach. */
export function eloBar({elo, error}, reach) {
  if (elo === null) return "";
  const x = (value) => 100 + 96 * value / reach;
  return s("svg", {viewBox: "0 0 200 20", class: "elo-bar", role: "img", "aria-label": t("{low} to {high} Elo",
    {low: number(elo - error, 0), high: number(elo + error, 0)})}, s("path", {d: "M100 2V18", class: "graph-half"}),
  s("path", {d: `M${x(elo - error)} 10H${x(elo + error)}M${x(elo - error)} 6V14M${x(elo + error)} 6V14`, class: "error-bar"}),
  s("circle", {cx: x(elo), cy: 10, r: 4, class: "elo-dot"}));
}

/** The LLR curve of a test (SprtState of docs/developers/messages.md). A point is [number of games, LLR]. */
export function llrCurve({elo0, elo1, llr, lower, upper, curve: points, decision}) {
  const last = Math.max(1, points.at(-1)?.[0] ?? 1);
  const low = Math.min(lower, llr, ...points.map((point) => point[1]));
  const high = Math.max(upper, llr, ...points.map((point) => point[1]));
  const x = (value) => 40 + 550 * value / last;
  const y = (value) => 10 + 140 * (high - value) / (high - low || 1);
  const level = (value, name) => [s("path", {d: `M40 ${y(value)}H590`, class: name}),
    s("text", {x: 36, y: y(value) + 4, class: "graph-word"}, number(value, 2).replace("-", "−"))];
  const words = {H0: t("H0 accepted: not stronger"), H1: t("H1 accepted: stronger")}[decision] || decision || t("not decided yet");
  return h("div", {}, s("svg", {viewBox: "0 0 600 170", class: "graph", role: "img", "aria-label": t("LLR {llr} between {low} and {high}",
    {llr: number(llr, 2), low: number(lower, 2), high: number(upper, 2)})}, level(upper, "llr-upper"), level(lower, "llr-lower"),
  s("path", {d: `M40 ${y(0)}H590`, class: "graph-half"}),
  points.length ? s("path", {d: `M${points.map((point) => `${x(point[0]).toFixed(1)} ${y(point[1]).toFixed(1)}`).join("L")}`,
    class: "graph-line"}) : null),
  h("p", {}, h("b", {}, `LLR ${number(llr, 2).replace("-", "−")}`), ` · ${words} · `,
    t("H0: {elo0} Elo, H1: {elo1} Elo", {elo0: number(elo0), elo1: number(elo1)})));
}
