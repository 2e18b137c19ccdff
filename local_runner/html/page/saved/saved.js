// The page of saved games that replay_page.py writes: a list of the games, and the replay of the chosen game.
//
// `data` has language ("" for that of the browser), texts (of each language except English), title, formats
// (words by language, by ending) and games. A game has the fields of Replay.open, and result, damage (sentences by
// language) and sgf (the file's text, "" without one).

import {download, h} from "../shared/dom.js";
import {drawing, pixels} from "../board/picture.js";
import {Replay} from "../replay/replay.js";
import {saveMenu} from "../shared/save_menu.js";
import {top, wished} from "./single.js";
import {fileName, filled, sideName, spoken} from "../shared/words.js";

const data = JSON.parse(document.getElementById("data").textContent);
const main = document.querySelector("main");
let replay = null, chosen = 0, ply;

function start(language) {
  const texts = data.texts[language] || {}, t = (text, fields) => filled(texts[text] || text, fields);
  replay?.remove();
  const viewer = h("div", {class: "viewer"}), heading = h("h2", {tabindex: -1}), result = h("p", {class: "note result"});
  const damage = h("p", {class: "problem damage", role: "note"}), saving = h("div", {class: "actions"});
  const head = h("div", {class: "viewer-head"}, heading, result, saving, damage);
  top(language, data.title || t("Saved game"), start);
  main.replaceChildren(h("div", {class: "viewer-page"}, ...(data.games.length > 1 ? [list(t, open)] : []), head, viewer));
  replay = new Replay(viewer, {t, language, within: main, onply: (now) => { ply = now; }});

  function open(at) {
    const game = data.games[chosen = at];
    heading.textContent = names(game, t).map((name, player) => (game.names[player]
      ? t("{name} ({side})", {name, side: sideName(player + 1, t, game.board.kind)}) : name)).join(" – ");
    result.textContent = spoken([score(game, t), game.result[language] || game.result.en].filter(Boolean).join(" · "), t, game.board.kind);
    damage.textContent = game.damage[language] || game.damage.en;
    damage.hidden = !damage.textContent;
    saving.replaceChildren(saveMenu(t,
      () => Object.keys(data.formats).filter((format) => format !== "sgf" || game.sgf)
        .map((format) => [format, data.formats[format][language] || data.formats[format].en]),
      async (format) => download(fileName(game, format === "sgf" ? game.moves.moves.length : ply, format),
        await (MADE[format]?.() ?? game.sgf))));
    replay.open(game, ply);
  }

  open(chosen);
}

function list(t, choose) {
  const options = data.games.map((game, at) => h("option", {value: at, selected: at === chosen},
    `${at + 1}. ${names(game, t).join(" – ")} ${SCORES[game.moves.winner]}`));
  return h("label", {class: "games"}, t("Games"), " ", h("select", {name: "game-of-file", on: {change: (event) => {
    ply = undefined;
    choose(Number(event.target.value));
  }}}, options));
}

const MADE = {png: () => pixels(replay.board.svg), svg: () => drawing(replay.board.svg)}; // made of the shown board

const names = (game, t) => game.names.map((name, at) => name || sideName(at + 1, t, game.board.kind));

const SCORES = ["", "1–0", "0–1", "½–½"];

function score(game, t) {
  const [black, white] = game.moves.count, {winner} = game.moves;
  const ended = [t("not finished"), t("Black wins"), t("White wins"), t("a draw")][winner];
  return game.board.turns_discs ? `${ended}${t(", ")}${black} : ${white}` : ended;
}

start(data.language || wished());
