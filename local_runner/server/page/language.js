// The page's language, English or Chinese, and what is written in it: texts, numbers, times, sides, cells.
// t("{n} games", {n: 3}) returns a text in this language. workshop/page/messages.py collects these texts for the catalogue.
// The page's HTML file holds the texts of the languages other than English.

import {$, setting} from "./dom.js";

/** The data in the HTML file: `texts` by language, and the values that the file's first module needs. @type {any} */
export const data = JSON.parse($("#data")?.textContent ?? "{}");

/** The language that the browser prefers, of those that the page has. */
export const preferred = () => ((navigator.languages?.[0] || navigator.language || "en").toLowerCase().startsWith("zh") ? "zh" : "en");

export let language = setting("language") || preferred();
/** @type {Record<string, string>} */
let texts = data.texts?.[language] ?? {}; // filled when this module is loaded: other modules have constants that are texts
const formats = new Map(); // number of digits -> format of numbers; stored, because making a format is slow

/** Write in a language from now on. */
export function speak(chosen) {
  language = chosen;
  texts = data.texts?.[chosen] ?? {};
  formats.clear();
  document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
}

/** A text with its fields filled. */
export const t = (text, fields = {}) => (texts[text] || text)
  .replace(/{(\w+)}/g, (all, name) => (name in fields ? String(fields[name]) : all));

/** A number. `digits`: after the decimal point; by default as needed, at most 3. */
export function number(value, digits = undefined) {
  if (!formats.has(digits)) {
    formats.set(digits, new Intl.NumberFormat(language === "zh" ? "zh-CN" : "en",
      {minimumFractionDigits: digits, maximumFractionDigits: digits}));
  }
  return formats.get(digits).format(value);
}

/** A large number, shortened: 12 k and 3.4 M in English, 1.2 万 and 3.4 亿 in Chinese. As `brief` of languages.py. */
export function brief(value) {
  const [step, exact, units] = language === "zh" ? [1e4, 100, ["", " 万", " 亿"]] : [1e3, 10, ["", " k", " M", " G"]];
  let at = 0;
  for (; value >= step && at < units.length - 1; at++) value /= step;
  return number(value, at && value < exact ? 1 : 0) + units[at];
}

export const percent = (chance) => t("{n} %", {n: Math.round(chance * 100)});

/** The time of a move in words: in ms below one second, else in s. */
export function spent(seconds) {
  if (seconds < 1) return t("{n} ms", {n: number(1000 * seconds, seconds < 0.01 ? 1 : 0)});
  return t("{n} s", {n: number(seconds, seconds < 10 ? 1 : 0)});
}

/** Seconds as minutes and seconds: 0:07, 12:03. */
export function clock(seconds) {
  const whole = Math.floor(Math.max(0, seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** A time in UTC as the user would say it: the hour if it was today, else the date. */
export function when(time) {
  const date = new Date(time), today = date.toDateString() === new Date().toDateString();
  return date.toLocaleString(language === "zh" ? "zh-CN" : "en-GB", today ? {hour: "2-digit", minute: "2-digit"}
    : {day: "numeric", month: "short", year: date.getFullYear() === new Date().getFullYear() ? undefined : "numeric"});
}

/** The kind of the board that the app shows, which has set data-stones. */
const shown = () => document.documentElement.dataset.stones;

/** The name of a side: 1 Black, 2 White. `kind`: of the board; on "marks" the sides are crosses and noughts. */
export const side = (player, kind = shown()) => (kind === "marks" ? [t("Cross"), t("Nought")] : [t("Black"), t("White")])[player - 1];

/** A sentence about Black and White, for a kind of board; on "marks" about crosses and noughts. */
export const said = (sentence, kind = shown()) => (kind !== "marks" ? sentence
  : [1, 2].reduce((text, player) => text.replaceAll(side(player, ""), side(player, kind)), sentence));

/** The result of a game in words. `winner`: 1 Black, 2 White, 3 a draw, 0 unfinished. */
export function outcome(winner, kind = shown()) {
  if (winner === 3) return t("draw");
  return winner ? t("{side} won", {side: side(winner, kind)}) : t("unfinished");
}

/** Whose turn it is, in words. `moves`: MovesData of a game that goes on. */
export const toMove = ({must_pass: must, to_move: player}) => (must ? t("{side} has no legal move and must pass.", {side: side(player)})
  : t("{side} to move", {side: side(player)}));

/** The name of a cell, such as h8: a letter for the column, then the number of the row, 1 at the top. -1: a pass. */
export const cellName = (cell, board) => (cell < 0 ? t("pass")
  : columnName(cell % board.cols) + (Math.floor(cell / board.cols) + 1));

export const columnName = (col) => "abcdefghijklmnopqrstuvwxyz"[col];

/** The name of a file with a game or its board: the game, the players, the moves. `ending`: its format. */
export function fileName({board, names = []}, plies, ending) {
  const parts = [board.env.replace(/_1v1$/, ""), names.filter(Boolean).join("-"), String(plies)];
  return `${parts.map((part) => part.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "")).filter(Boolean).join("_")}.${ending}`;
}
