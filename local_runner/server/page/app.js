// The entry module of the page. This module opens the part that the address names after #: #play, #room/ID,
// #analyse/GAME, #learn, #replay/FILE, #watch, #check, #proof; a link (link.js) opens in #replay. This module also draws the switches at
// the top, and handles keys and dropped files.

import {connection, Refused} from "./connection.js";
import {$, $$, h, icon, keep, origin, put, setting} from "./dom.js";
import {click} from "./board/stage.js";
import {acceptDrops, openFile} from "./files/games.js";
import {language, speak, t} from "./language.js";
import {openAnalysis} from "./analysis/analyse.js";
import {check, openCheck} from "./check/check.js";
import {help} from "./help.js";
import {openLearn} from "./learn/learn.js";
import {openProof} from "./proof/proof.js";
import {openReplay} from "./replay/game_files.js";
import {openRoom} from "./room/room.js";
import {openPlay} from "./start/new_game.js";
import {openWatch} from "./watch/watch.js";
import {entitle, forget, leave, tell, toast} from "./telling.js";

const VIEWS = {play: openPlay, room: openRoom, analyse: openAnalysis, learn: openLearn, replay: openReplay, watch: openWatch,
  check: openCheck, proof: openProof};
const PARTS = {room: "play", proof: "play"}; // view -> its entry in the menu at the top, where the names differ
let current = {}; // the open part, with close() and key(event) if it needs them
let opening = 0;

/** A segment of the address, percent-decoded; unchanged if it cannot be decoded. */
function plain(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Open the view that the address names. If the view cannot be opened, open the view above and show the reason. */
async function route(first) {
  const [name, ...rest] = location.hash.slice(1).replace(/^(?=m=)/, "replay/").split("/");
  const view = Object.hasOwn(VIEWS, name) ? name : "play", part = PARTS[view] || view, mine = ++opening;
  forget();
  await connection.ready;
  if (mine !== opening) return;
  current.close?.();
  current = {};
  $("dialog[open]")?.close();
  const main = $("#main"), place = h("div", {}, h("h1", {class: "wait", tabindex: "-1"}, t("Loading …")));
  main.className = `view-${view}`;
  put(main, place);
  for (const link of $$("#nav a")) link.ariaCurrent = link.dataset.view === part ? "page" : null;
  entitle($(`#nav a[data-view=${part}]`).textContent);
  let opened;
  try {
    opened = await VIEWS[view](place, rest.map(plain)) || {};
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (mine === opening) leave(`#${part}`, error);
    return;
  }
  if (mine !== opening) { // the user has opened another view in the meantime
    opened.close?.();
    return;
  }
  current = opened;
  document.documentElement.dataset.ready = view;
  if (!first) {
    scrollTo(0, 0);
    (main.querySelector("h1") || main).focus?.({preventScroll: true});
  }
}

/** Write the frame of the page. */
function prepare() {
  speak(language);
  const parts = {play: t("Play"), analyse: t("Analyse"), learn: t("Learn"), replay: t("Replay"), watch: t("Watch"), check: t("Check")};
  $("#nav").ariaLabel = t("Parts of the page");
  put($("#nav"), Object.entries(parts).map(([view, word]) => h("a", {href: `#${view}`, data: {view}}, word)));
  put($("#skip"), t("Skip to the content"));
}

const systemDark = matchMedia("(prefers-color-scheme: dark)");
const isDark = () => (setting("theme") || (systemDark.matches ? "dark" : "light")) === "dark";

function drawSwitches() {
  const dark = isDark(), sound = setting("sound", false), other = language === "zh" ? "en" : "zh";
  const one = (id, word, content, act, more = {}) => h("button", {type: "button", id, class: "switch", title: word, "aria-label": word,
    on: {click: () => {
      act();
      drawSwitches();
      $(`#${id}`).focus();
    }}, ...more}, content);
  put($("#switches"),
    one("switch-language", ...other === "en" ? ["English (EN)", "EN"] : ["中文", "中"], () => {
      keep("language", other);
      location.reload(); // no game is lost, because the server keeps all games
    }, {lang: other === "zh" ? "zh-CN" : other}),
    one("switch-sound", t("Sound"), icon(sound ? "sound" : "silent"), () => {
      keep("sound", !sound);
      click();
    }, {"aria-pressed": String(sound)}),
    one("switch-theme", dark ? t("Light colours") : t("Dark colours"), icon(dark ? "sun" : "moon"), () => {
      document.documentElement.dataset.theme = dark ? "light" : "dark";
      keep("theme", document.documentElement.dataset.theme);
    }),
    one("switch-help", t("Keys and marks"), "?", help));
}

function keys(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  const letter = event.key.length === 1 && event.key !== " "; // a radio button has no use for letters and digits
  if (origin(event, letter ? "input:not([type=radio], [type=checkbox]), textarea, select" : "input, textarea, select")
    || $("dialog[open]")) return;
  if (event.key === "?") {
    event.preventDefault();
    help();
  } else if (!(event.repeat && event.key.length === 1) && current.key?.(event)) event.preventDefault();
}

connection.on("lost", ({failed}) => {
  $("#offline").textContent = failed < 8 ? t("The connection is lost. Connecting again …")
    : t("The server does not answer. Start it again with tengen serve; the games are kept.");
});
connection.on("connected", () => put($("#offline")));
connection.on("refusal", ({tag, sentence}) => {
  if (tag === null && connection.connected) toast(sentence, "bad");
  else if (tag === null) $("#offline").textContent = t("This page does not fit its server. Reload the page; if that does not help, start tengen serve again.");
});
$("#skip").addEventListener("click", (event) => {
  event.preventDefault(); // the link would change the address, and with it the open view
  $("#main").focus();
});
addEventListener("hashchange", () => route(false));
addEventListener("keydown", keys);
systemDark.addEventListener("change", drawSwitches);
addEventListener("unhandledrejection", (event) => {
  if (!(event.reason instanceof Refused)) return;
  event.preventDefault();
  tell(event.reason);
});

if (location.search) history.replaceState(null, "", location.pathname + location.hash); // the secret; the cookie has it
prepare();
acceptDrops((file) => (file.name.endsWith(".py") ? check(file) : openFile(file)));
drawSwitches();
await route(true);
