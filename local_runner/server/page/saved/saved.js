// The page of saved games that formats/files/html.py writes: a list of the games, and the replay of the chosen game.
//
// `data` has title, formats (words by language, by ending) and games. A game has the fields of Replay.open, and result,
// damage (sentences by language) and sgf (the file's text, "" without one).

import {$, choice, download, h} from "../dom.js";
import {fileName, language, said, side, t} from "../language.js";
import {Replay} from "../replay/replay.js";
import {MADE, saveMenu} from "../files/save_menu.js";
import {begin, data} from "./single.js";

const SCORES = ["", "1–0", "0–1", "½–½"];
const main = $("main");
let replay = null, chosen = 0;

function show() {
  const ply = replay?.ply;
  replay?.remove();
  const viewer = h("div", {class: "viewer"}), heading = h("h2", {tabindex: -1}), result = h("p", {class: "note result"});
  const damage = h("p", {class: "problem damage", role: "note"}), saving = h("div", {class: "actions"});
  const head = h("div", {class: "viewer-head"}, heading, result, saving, damage);
  main.replaceChildren(h("div", {class: "viewer-page"}, ...(data.games.length > 1 ? [list(open)] : []), head, viewer));
  replay = new Replay(viewer);

  function open(at, after = undefined) {
    const game = data.games[chosen = at];
    heading.textContent = names(game).map((name, player) => (game.names[player]
      ? t("{name} ({side})", {name, side: side(player + 1, game.board.kind)}) : name)).join(" – ");
    result.textContent = said([score(game), game.result[language]].filter(Boolean).join(" · "), game.board.kind);
    damage.textContent = game.damage[language];
    saving.replaceChildren(saveMenu(() => Object.entries(data.formats).filter(([format]) => format !== "sgf" || game.sgf)
      .map(([format, words]) => [format, words[language]]),
    async (format) => download(fileName(game, format === "sgf" ? game.moves.moves.length : replay.ply, format),
      await (MADE[format]?.(replay.board.svg) ?? game.sgf))));
    replay.open(game, after);
  }

  open(chosen, ply);
  return data.title || t("Saved game");
}

function list(choose) {
  const games = data.games.map((game, at) => [at, `${at + 1}. ${names(game).join(" – ")} ${SCORES[game.moves.winner]}`]);
  return h("label", {class: "games"}, t("Games"), " ", choice({name: "game-of-file"}, games, chosen, (at) => choose(Number(at))));
}

const names = (game) => game.names.map((name, at) => name || side(at + 1, game.board.kind));

function score(game) {
  const [black, white] = game.moves.count, {winner} = game.moves;
  const ended = [t("not finished"), t("Black wins"), t("White wins"), t("a draw")][winner];
  return game.board.turns_discs ? `${ended}${t(", ")}${black} : ${white}` : ended;
}

begin(show);
