// The language of the page: English, or Chinese if the browser prefers it or the user has chosen it.
// t("{n} games", {n: 3}) returns a text in this language. The Chinese texts are one file, loaded from the server only
// if the page is in Chinese. data-t marks texts in index.html. page_texts.py collects both kinds of texts.

import {$$} from "./dom.js";
import {keep, setting} from "./settings.js";
import {briefIn, duration, filled, numberIn, sideName, spoken} from "./words.js";

let texts = {};
export const language = setting("language") || ((navigator.languages?.[0] || navigator.language || "en")
  .toLowerCase().startsWith("zh") ? "zh" : "en");

export const t = (text, fields = {}) => filled(texts[text] || text, fields);

/** Load the translations, and translate the marked texts of index.html. */
export async function prepare() {
  document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
  if (language === "zh") {
    try {
      const answer = await fetch("/messages/zh.json");
      if (answer.ok) texts = await answer.json();
    } catch { /* without a server the page stays in English, and shows that it is not connected */ }
  }
  for (const element of $$("[data-t]")) {
    for (const name of element.dataset.t.split(" ").filter(Boolean)) {
      element.setAttribute(name, t(element.getAttribute(name)));
    }
    if (!element.dataset.t) element.textContent = t(element.textContent.replace(/\s+/g, " ").trim());
  }
}

/** Change the language and reload the page. No game is lost, because the server keeps all games. */
export function switchLanguage() {
  keep("language", language === "zh" ? "en" : "zh");
  location.reload();
}

export const number = numberIn(language);

/** The time of a move in words. */
export const spent = (seconds) => duration(seconds, t, number);

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

/** A large number, shortened: 950, 12 k, 3.4 M. */
export const brief = briefIn(language);

export const percent = (chance) => t("{n} %", {n: Math.round(chance * 100)});
/** The kind of the board that is shown, which has set data-stones. */
const shown = () => document.documentElement.dataset.stones;

/** The name of a side on a kind of board. */
export const side = (player, kind = shown()) => sideName(player, t, kind);

/** A sentence of the server about Black and White, for a kind of board. */
export const said = (sentence, kind = shown()) => spoken(sentence, t, kind);

/** The result of a game in words. `winner`: 1 Black, 2 White, 3 a draw, 0 unfinished. */
export function outcome(winner, kind = shown()) {
  if (winner === 3) return t("draw");
  return winner ? t("{side} won", {side: side(winner, kind)}) : t("unfinished");
}
