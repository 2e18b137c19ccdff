// #watch: the list of tournaments that can be watched. #watch/FILE: one tournament, updated while it runs, with the boards
// of running games.

import {exploreFile} from "../analysis/explorer.js";
import {connection} from "../connection.js";
import {button, h, keep, buttonLink, put, setting} from "../dom.js";
import {filePicker, openFile} from "../files/games.js";
import {t} from "../language.js";
import {Stage} from "../board/stage.js";
import {entitle, leave} from "../telling.js";
import {TournamentView} from "./tournament_view.js";

const MOST_GAMES = 10000; // games that the server sends at most
const JUDGE_MS = 400; // search time of our engine for each position of a running game

export function openWatch(main, [file]) {
  return file ? new Watching(main, file) : choose(main);
}

function choose(main) {
  const {files} = connection.welcome;
  put(main, h("div", {class: "narrow"}, h("h1", {tabindex: "-1"}, t("Watch a tournament")),
    files.length ? h("section", {class: "panel"}, h("h2", {}, t("Tournaments of this server")),
      h("ul", {id: "files", class: "plain-list links"}, files.map((name) => h("li", {},
        h("a", {href: `#watch/${encodeURIComponent(name)}`}, name))))) : null,
    h("section", {class: "panel form"}, h("p", {}, files.length ? t("These files were named when the server was started.")
      : t("No tournament was named when the server was started.")), h("p", {class: "note"},
      t("Start it with the file of a tournament or a test, also while it runs:")), h("code", {class: "command"}, "tengen serve FILE.jsonl")),
    h("section", {class: "panel"}, filePicker("file",
      t("Choose a tournament's file (.jsonl), or drop it anywhere on this page"), ".jsonl", openFile),
    h("p", {class: "note"}, t("It is shown as it is now.")))));
  return {};
}

class Watching {
  constructor(main, file) {
    this.file = file;
    this.stages = new Map();
    this.heading = h("h1", {tabindex: "-1"}, t("Tournament"));
    this.bar = h("progress", {id: "progress", "aria-label": t("Games played"), max: "1", hidden: true});
    this.live = h("div", {class: "live-boards", id: "live-boards"});
    this.barred = button("gauge", t("Evaluation bar"), () => this.#toggleBars(), {id: "act-bar", "aria-pressed": String(setting("watchBar", false)),
      title: t("Our engine judges the boards one after another. It takes computing time from the games, if they run on this machine.")});
    this.livePanel = h("section", {class: "panel", hidden: true}, h("div", {class: "row spread"}, h("h2", {}, t("Games that run now")),
      this.barred), this.live);
    this.older = button(null, t("Older games"), () => this.#follow({games: MOST_GAMES}), {id: "older-games", hidden: true});
    const view = this.view = new TournamentView({href: ({number}) => `#replay/${encodeURIComponent(file)}/${number}`,
      kindOf: (env) => connection.kind(env), filtered: (wanted) => {
        const {games, played} = view.message;
        this.older.hidden = view.list.most === MOST_GAMES || (games.length === played && wanted <= view.list.most);
      }});
    view.games.append(this.older);
    put(main, h("div", {class: "wide-page"}, h("div", {class: "row wrap spread"}, this.heading,
      button("grid", t("Opening explorer"), () => exploreFile(file), {id: "to-explorer"}),
      buttonLink("up", t("All tournaments"), "#watch")), view.about, this.bar, view.faults,
    h("div", {class: "watch-grid"}, view.standings, this.livePanel, view.cross, view.test, view.games)));
    this.#follow({});
  }

  #follow(more) {
    if (more.games) this.view.list.most = more.games;
    this.unfollow?.();
    this.unfollow = connection.follow({type: "watch", file: this.file, ...more}, (message) => this.#show(message),
      true, (error) => leave("#watch", error));
  }

  close() {
    this.unfollow();
    this.#judgeNone();
  }

  #toggleBars() {
    keep("watchBar", !setting("watchBar", false));
    this.barred.ariaPressed = String(setting("watchBar", false));
    for (const {stage} of this.stages.values()) stage.bar.element.hidden = !setting("watchBar", false);
    this.#judgeNone();
    this.#judge();
  }

  /** Let our engine evaluate one running game after another: each time, of those with a new position, the one not evaluated for longest. */
  #judge() {
    const [next] = [...this.stages.values()].filter(({game, judged}) => game.moves.moves.length !== judged && !game.moves.winner)
      .sort((one, other) => one.at - other.at);
    if (this.judging || !next || !setting("watchBar", false)) return;
    const {stage, game: {board, moves}} = next, kind = connection.game(board.env);
    const position = {env: board.env, size: board.rows === kind.rows ? null : board.rows, stones: kind.takes_board ? board.stones : null,
      first: board.first, moves: moves.moves};
    next.judged = moves.moves.length;
    next.at = Date.now();
    this.judging = connection.follow({type: "look_at", position, lines: 1}, ({look}) => {
      stage.bar.show(look.chance);
      this.judged ??= setTimeout(() => { // the time counts from the first report, since the engine may have to start
        this.#judgeNone();
        this.#judge();
      }, JUDGE_MS);
    }, true, () => this.#judgeNone());
  }

  #judgeNone() {
    clearTimeout(this.judged);
    this.judged = null;
    this.judging?.();
    this.judging = null;
  }

  /** Show the fields that have changed, at first all. */
  #show({live, ...changes}) {
    const message = this.message = {...this.message, ...changes};
    this.heading.textContent = message.title;
    entitle(message.title);
    this.bar.hidden = !message.planned || !message.running;
    this.bar.value = message.planned ? message.played / message.planned : 0;
    if (Object.keys(changes).length) this.view.show(message);
    if (!live) return;
    this.livePanel.hidden = !live.length;
    this.stages = new Map(live.map((game) => [game.number, this.stages.get(game.number) || this.#stage(game)]));
    put(this.live, live.map((game) => {
      const shown = this.stages.get(game.number);
      shown.game = game;
      shown.stage.show(game.board, game.moves, game.moves.moves.length);
      return shown.figure;
    }));
    this.#judge();
  }

  #stage({number, names}) {
    const stage = new Stage({id: `live-${number}`});
    stage.bar.element.hidden = !setting("watchBar", false);
    return {stage, game: null, judged: -1, at: 0, figure: h("figure", {}, stage.element, h("figcaption", {}, names.join(" – ")))};
  }
}
