// The language of the page: English, or Chinese if the browser prefers it or the user has chosen it.
// t("{n} games", {n: 3}) is a text in it. Chinese comes from the server, in one file, and only when it is needed.
// data-t in index.html marks texts there (page_texts.py collects both kinds).

import {keep, setting} from "./settings.js";

let texts = {};
export const language = setting("language") || ((navigator.languages?.[0] || navigator.language || "en")
  .toLowerCase().startsWith("zh") ? "zh" : "en");

export function t(text, fields = {}) {
  return (texts[text] || text).replace(/{(\w+)}/g, (all, name) => (name in fields ? String(fields[name]) : all));
}

/** Fetch the texts and translate what index.html holds. */
export async function prepare() {
  document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
  if (language === "zh") {
    try {
      const answer = await fetch("/messages/zh.json");
      if (answer.ok) texts = await answer.json();
    } catch { /* without a server the page stays in English and says that it is not connected */ }
  }
  for (const element of document.querySelectorAll("[data-t]")) {
    for (const name of element.dataset.t.split(" ").filter(Boolean)) {
      element.setAttribute(name, t(element.getAttribute(name)));
    }
    if (!element.dataset.t) element.textContent = t(element.textContent.replace(/\s+/g, " ").trim());
  }
}

/** Change the language; the page begins anew, its game is on the server. */
export function switchLanguage() {
  keep("language", language === "zh" ? "en" : "zh");
  location.reload();
}

const formats = []; // by digits; to make one takes longer than to use it a hundred times

export function number(value, digits = 0) {
  formats[digits] ||= new Intl.NumberFormat(language === "zh" ? "zh-CN" : "en-GB",
    {minimumFractionDigits: digits, maximumFractionDigits: digits});
  return formats[digits].format(value);
}

/** Seconds of a move, in the unit that suits them. */
export const spent = (seconds) => (seconds < 1 ? t("{n} ms", {n: number(1000 * seconds)})
  : t("{n} s", {n: number(seconds, seconds < 10 ? 1 : 0)}));

/** Seconds as a clock shows them: 0:07, 12:03. */
export function clock(seconds) {
  const whole = Math.floor(Math.max(0, seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** A large number in few letters: 950, 12 k, 3.4 M. */
export function brief(value) {
  if (value < 1000) return String(Math.round(value));
  if (value < 1e6) return `${number(value / 1e3, value < 1e4 ? 1 : 0)} k`;
  return `${number(value / 1e6, value < 1e7 ? 1 : 0)} M`;
}

export const percent = (chance) => `${Math.round(chance * 100)} %`;
export const side = (player) => (player === 1 ? t("Black") : t("White"));
