// The page of saved games that formats/files/html.py writes: a list of the games, and the replay of the chosen game. A link (link.js) in
// the address opens its game, as in the app.
//
// `data` has title, formats (words by language, by ending), boards (linked.js) and games. A game has the fields of Replay.open, and result,
// damage (sentences by language) and sgf (the file's text, "" without one).

import {$, choice, download, h, put} from "../dom.js";
import {data, fileName, language, said, side, t} from "../language.js";
import {linkIn} from "../files/link.js";
import {shareMenu} from "../files/share.js";
import {linkedGame, positionOf} from "./linked.js";
import {Replay} from "../replay/replay.js";
import {MADE, saveMenu} from "../files/save_menu.js";
import {begin} from "./single.js";

const SCORES = ["", "1–0", "0–1", "½–½"];
let replay = null, chosen = 0;

/** The game of the address, null without one; for a link that cannot be read, the chosen game with the reason. */
function linked() {
  try {
    const link = linkIn(location.hash);
    return link ? linkedGame(link) : null;
  } catch (error) {
    return {...data.games[chosen], damage: {[language]: error.message}};
  }
}

function show() {
  const link = linked(), game = link ?? data.games[chosen], {kind} = game.board, ply = replay?.ply ?? link?.ply;
  const viewer = h("div", {class: "viewer"});
  replay?.remove();
  replay = new Replay(viewer);
  const players = names(game).map((name, at) => (game.names[at] ? t("{name} ({side})", {name, side: side(at + 1, kind)}) : name));
  const result = said([score(game), game.result[language]].filter(Boolean).join(" · "), kind);
  const formats = Object.entries(data.formats).filter(([format]) => format !== "sgf" || game.sgf);
  const save = async (format) => download(fileName(game, format === "sgf" ? game.moves.moves.length : replay.ply, format),
    await (MADE[format]?.(replay.board.svg) ?? game.sgf));
  put($("main"), h("div", {class: "viewer-page"}, data.games.length > 1 ? list() : null, h("div", {class: "viewer-head"},
    h("h2", {tabindex: -1}, players.join(" – ")), h("p", {class: "note result"}, result),
    h("p", {class: "problem damage", role: "note"}, game.damage[language])), viewer,
  h("div", {class: "actions"}, shareMenu(() => ({...game, position: positionOf(game), ply: replay.ply}), replay.board),
    saveMenu(() => formats.map(([format, words]) => [format, words[language]]), save))));
  replay.open(game, ply);
  return data.title || t("Saved game");
}

function list() {
  const games = data.games.map((game, at) => [at, `${at + 1}. ${names(game).join(" – ")} ${SCORES[game.moves.winner]}`]);
  return h("label", {class: "games"}, t("Games"), " ", choice({name: "game-of-file"}, games, chosen, (at) => {
    chosen = Number(at);
    history.replaceState(null, "", location.pathname); // without the link
    again();
    $("select").focus();
  }));
}

const names = (game) => game.names.map((name, at) => name || side(at + 1, game.board.kind));

function score(game) {
  const [black, white] = game.moves.count, {winner} = game.moves;
  const ended = [t("not finished"), t("Black wins"), t("White wins"), t("a draw")][winner];
  return game.board.turns_discs ? `${ended}${t(", ")}${black} : ${white}` : ended;
}

/** Show another game, at its end. */
function again() {
  replay.remove();
  replay = null;
  show();
}

addEventListener("hashchange", again);
begin(show);
