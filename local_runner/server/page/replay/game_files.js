// #replay: a form that asks for a game file. #replay/FILE: the list of its games. #replay/FILE/N, or at a move
// #replay/FILE/N/PLY: one of these games. #replay/LINK: a game that another view handed over, or that a link brings.

import {connection, Refused} from "../connection.js";
import {button, h, buttonLink, put} from "../dom.js";
import {shareMenu} from "../files/share.js";
import {analyse, askForGame, exportMenu, handed, listOf, playOn} from "../files/games.js";
import {exploreFile} from "../analysis/explorer.js";
import {number, outcome, said, side, t} from "../language.js";
import {Replay} from "./replay.js";
import {entitle} from "../telling.js";
import {GamesTable} from "../watch/tournament_view.js";

const MOST_ROWS = 1000; // rows of a list, above which it has a button "Show all"

export async function openReplay(main, [file, at, ply = ""]) {
  if (!file) {
    askForGame(main, t("Replay a game"), t("Replay"), "replay");
    return {};
  }
  const given = at === undefined ? handed(file) : null;
  if (given) return oneGame(main, null, given, 0, await connection.ask({type: "show", position: given.position}));
  const stored = await listOf(file);
  if (at === undefined) return list(main, file, stored);
  if (!/^\d{1,8}$/.test(at) || !/^\d{0,8}$/.test(ply)) throw new Refused(t("This address names no game of the file."));
  return oneGame(main, file, {...stored, ply: ply ? Number(ply) : undefined}, Number(at), await connection.ask({type: "open_game", file, number: Number(at)}));
}

function result({env, winner, ending}) {
  const kind = connection.kind(env), won = outcome(winner, kind), why = said(ending, kind);
  return why && winner ? won + t(": ") + why : why || won;
}

/** The names of both players. A name that the server has put in for a missing one is that of the side on this board. */
const namesOf = (names, kind) => names.map((name, at) => (name === side(at + 1, "") ? side(at + 1, kind) : name)).join(" – ");

function list(main, file, stored) {
  const games = new GamesTable([t("Game"), t("Moves"), t("Result")], ([game, at]) => ({number: at,
    href: `#replay/${encodeURIComponent(file)}/${at}`, names: namesOf(game.names, connection.kind(game.env)),
    cells: [connection.title(game.env), number(game.plies), result(game)]}), MOST_ROWS, (wanted) => { more.hidden = wanted <= games.most; });
  const more = button(null, t("Show all"), () => { games.most = Infinity; games.show(); }, {id: "more-games", hidden: true});
  games.show(stored.games.map((game, at) => [game, at]));
  entitle(stored.name || t("Games"));
  put(main, h("div", {class: "wide-page"}, h("h1", {tabindex: "-1"}, stored.name || t("Games")),
    stored.problem ? h("p", {class: "problem", id: "damage", role: "alert"}, stored.problem) : null,
    h("div", {class: "row wrap"}, h("p", {class: "note"}, stored.count === stored.games.length ? t("games: {n}", {n: number(stored.count)})
      : t("games: {n}; listed: the first {m}", {n: number(stored.count), m: number(stored.games.length)})),
    buttonLink("learn", t("Learn from mistakes"), `#learn/file/${encodeURIComponent(file)}`, {id: "to-learn"}),
    stored.games.length > 10 ? games.filter : null, elsewhere(file, stored)),
    stored.games.length ? h("div", {class: "panel table-box", tabindex: "0", role: "region", "aria-label": t("Games")}, games.table) : null,
    more));
  return {};
}

/** Show a game of a file that has been opened, whose list is `stored`; or a game that was handed over, without a file. */
function oneGame(main, file, stored, at, shown) {
  document.documentElement.dataset.stones = shown.board.kind;
  const game = {position: stored.position, names: stored.names || [side(1), side(2)], result: "", damage: stored.problem || shown.problem || "",
    seconds: stored.seconds || [], thoughts: [], ...shown};
  const {board, moves: {winner}, names, position} = game, source = file ? {file, number: at} : {position, names};
  const listed = stored.games?.length > 1; // a list of games already shows the damage of the file
  const games = `#replay/${encodeURIComponent(file)}`, go = (by) => () => { location.hash = `${games}/${at + by}`; };
  const end = said(game.result) || (winner ? outcome(winner) : "");
  const more = game.variations ? t("“Analyse” shows the variations of this file") : "";
  const holder = h("div", {id: "viewer", class: "viewer"}), replay = new Replay(holder);
  put(main, h("div", {class: "viewer-page"}, h("div", {class: "viewer-head"}, h("h1", {tabindex: "-1"}, namesOf(names, board.kind)),
    h("p", {class: "note", id: "about"}, [connection.title(board.env), end, more].filter(Boolean).join(" · ")),
    h("p", {class: "problem", id: "damage", role: "alert"}, game.damage || (listed ? "" : stored.problem))), holder,
  h("div", {class: "actions room-actions panel", role: "group", "aria-label": t("Actions")},
    button("play", t("Play on from here"), () => playOn(position, replay.ply), {id: "act-continue"}),
    button("chart", t("Analyse"), () => analyse(source, replay.ply), {id: "act-analyse"}),
    button("learn", t("Learn from mistakes"), () => analyse(source, null, "#learn"), {id: "act-learn"}),
    shareMenu(() => ({...game, ply: replay.ply}), replay.board), exportMenu(() => ({...source, game, ply: replay.ply}), replay.board),
    listed ? [button("back", t("Previous game"), go(-1), {id: "game-back", disabled: at === 0}),
      button("next", t("Next game"), go(1), {id: "game-next", disabled: at === stored.games.length - 1}),
      buttonLink("up", t("All games"), games, {id: "to-list"})] : null,
    elsewhere(file, stored, () => [at, replay.ply]))));
  entitle(namesOf(names, board.kind));
  replay.open(game, stored.ply);
  return {close: () => replay.remove()};
}

/** Links from a file to its openings, to its standings, and to another file. `where()`: the number of the shown game, and its ply. */
const elsewhere = (file, {kind, count}, where = () => []) => [count > 1 ? button("grid", t("Opening explorer"),
  () => exploreFile(file, ...where()), {id: "to-explorer"}) : null, kind === "tournament" ? buttonLink("chart", t("Standings"),
  `#watch/${encodeURIComponent(file)}`, {id: "to-standings"}) : null, buttonLink("open", t("Another file"), "#replay")];
