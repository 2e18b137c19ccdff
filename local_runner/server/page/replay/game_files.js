// #replay: a form that asks for a game file. #replay/FILE: the list of its games. #replay/FILE/N: one of these games.
// #replay/GAME: a game that another part handed over (handed.js). Elements: #file, #paste (game_form.js), #games
// (tr[data-number]), #filter, #damage, #viewer, #act-continue, #act-analyse, #act-export, #game-back, #game-next,
// #to-list.

import {connection} from "../connection.js";
import {button, h, put} from "../dom.js";
import {exportMenu} from "../files/exports.js";
import {askForGame} from "../files/game_form.js";
import {analyse, handed, listOf, playOn} from "../files/handed.js";
import {number, outcome, said, side, t} from "../language.js";
import {Replay} from "./replay.js";
import {entitle, leave} from "../telling.js";
import {GamesTable} from "../watch/tournament_view.js";

const ROWS = 1000; // rows of a list, above which it has a button "Show all"

export function open(main, [file, at]) {
  if (!file) {
    const form = askForGame(main, t("Replay a game"), t("Replay"), "replay");
    main.firstChild.append(h("p", {class: "note"}, h("a", {href: "#proof", id: "to-proof"}, t("The proof that Black wins gobang, to walk through"))));
    return form;
  }
  const stored = at === undefined ? handed(file) : null;
  if (stored) return new OneGame(main, null, stored, 0);
  put(main, h("h1", {class: "wait", tabindex: "-1"}, t("Reading …")));
  const part = {close() { part.closed = true; part.game?.close(); }, key: (event) => part.game?.key(event)};
  openFile(main, file, at, part);
  return part;
}

/** Show a file's list of games, or its game with the number `at`. */
async function openFile(main, file, at, part) {
  try {
    const stored = await listOf(file);
    if (part.closed) return;
    if (at === undefined) list(main, file, stored);
    else if (/^\d{1,8}$/.test(at)) part.game = new OneGame(main, file, stored, Number(at));
    else throw new Error(t("This address names no game of the file."));
  } catch (error) {
    if (!part.closed) leave("#replay", error);
  }
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
    cells: [connection.title(game.env), number(game.plies), result(game)]}), ROWS, (wanted) => { more.hidden = wanted <= games.most; });
  const more = button(null, t("Show all"), () => { games.most = Infinity; games.show(); }, {id: "more-games", hidden: true});
  games.show(stored.games.map((game, at) => [game, at]));
  entitle(stored.name || t("Games"));
  put(main, h("div", {class: "wide-page"}, h("h1", {tabindex: "-1"}, stored.name || t("Games")),
    stored.problem ? h("p", {class: "problem", id: "damage", role: "alert"}, stored.problem) : null,
    h("div", {class: "row wrap"}, h("p", {class: "note"}, stored.count === stored.games.length ? t("games: {n}", {n: number(stored.count)})
      : t("games: {n}; listed: the first {m}", {n: number(stored.count), m: number(stored.games.length)})),
    stored.games.length > 10 ? games.filter : null,
    stored.kind === "tournament" ? h("a", {class: "button", id: "to-standings", href: `#watch/${encodeURIComponent(file)}`}, t("Standings")) : null,
    h("a", {class: "button", href: "#replay"}, t("Another file"))),
    stored.games.length ? h("div", {class: "panel table-box", tabindex: "0", role: "group", "aria-label": t("Games")}, games.table) : null,
    more));
  return {};
}

class OneGame {
  constructor(main, file, stored, at) {
    this.file = file;
    this.stored = stored;
    this.at = at;
    this.heading = h("h1", {tabindex: "-1"}, t("Reading …"));
    this.holder = h("div", {id: "viewer", class: "viewer"});
    this.damage = h("p", {class: "problem", id: "damage", role: "alert", hidden: true});
    this.about = h("p", {class: "note", id: "about"});
    this.actions = h("div", {class: "actions row wrap", role: "group", "aria-label": t("Actions"), hidden: true});
    const head = h("div", {class: "viewer-head"}, this.heading, this.about, this.actions, this.damage);
    put(main, h("div", {class: "viewer-page"}, head, this.holder));
    new ResizeObserver(() => this.holder.style.setProperty("--head", `${head.offsetHeight}px`)).observe(head);
    this.replay = new Replay(this.holder, {onply: (ply) => { this.ply = ply; }});
    this.#load();
  }

  close() {
    this.closed = true;
    this.replay.remove();
  }

  /** Handle Home and End anywhere on the page. The viewer itself handles the arrow keys. */
  key(event) {
    const act = {Home: "first", End: "last"}[event.key];
    if (act) this.replay.act(act);
    return Boolean(act);
  }

  async #load() {
    try {
      const game = this.file ? await connection.ask({type: "open_game", file: this.file, number: this.at})
        : await connection.ask({type: "show", position: this.stored.position});
      if (!this.closed) this.#show(game);
    } catch (error) {
      if (!this.closed) leave("#replay", error);
    }
  }

  #show(game) {
    document.documentElement.dataset.stones = game.board.kind;
    this.game = {position: this.stored.position, names: this.stored.names || [side(1), side(2)], result: "", damage: game.problem || "",
      seconds: this.stored.seconds || [], thoughts: [], ...game};
    const {board, moves: {winner}, names} = this.game;
    const listed = this.stored.games?.length > 1; // the list says what is wrong with the file
    const damage = this.game.damage || (listed ? "" : this.stored.problem) || "";
    this.heading.textContent = namesOf(names, board.kind);
    entitle(this.heading.textContent);
    const end = said(this.game.result) || (winner ? outcome(winner) : "");
    const more = this.game.variations ? t("“Analyse” shows the variations of this file") : "";
    this.about.textContent = [connection.title(board.env), end, more].filter(Boolean).join(" · ");
    this.damage.hidden = !damage;
    this.damage.textContent = damage;
    this.replay.open(this.game);
    const {games, kind} = this.stored;
    put(this.actions,
      button("play", t("Play on from here"), () => playOn(this.game.position, this.ply), {id: "act-continue"}),
      button("chart", t("Analyse"), () => this.#analyse(), {id: "act-analyse"}),
      exportMenu(() => ({...(this.file ? {file: this.file, number: this.at} : {position: this.game.position}), game: this.game, ply: this.ply}),
        this.replay.board),
      games?.length > 1 ? [button("back", t("Previous game"), () => this.#go(-1), {id: "game-back", disabled: this.at === 0}),
        button("next", t("Next game"), () => this.#go(1), {id: "game-next", disabled: this.at === games.length - 1}),
        h("a", {class: "button", id: "to-list", href: `#replay/${encodeURIComponent(this.file)}`}, t("All games"))] : null,
      kind === "tournament" ? h("a", {class: "button", id: "to-standings", href: `#watch/${encodeURIComponent(this.file)}`}, t("Standings")) : null,
      h("a", {class: "button", href: "#replay"}, t("Another file")));
    this.actions.hidden = false;
  }

  #analyse() {
    const {position, names} = this.game;
    return analyse(this.file ? {file: this.file, number: this.at} : {position, names}, this.ply);
  }

  #go(by) {
    location.hash = `#replay/${encodeURIComponent(this.file)}/${this.at + by}`;
  }
}
