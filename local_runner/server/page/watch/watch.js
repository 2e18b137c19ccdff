// #watch: the list of tournaments that can be watched. #watch/FILE: one tournament, updated while it runs, with the boards
// of running games.

import {connection} from "../connection.js";
import {button, h, put} from "../dom.js";
import {filePicker, openFile} from "../files/games.js";
import {t} from "../language.js";
import {Stage} from "../board/stage.js";
import {entitle, leave} from "../telling.js";
import {TournamentView} from "./tournament_view.js";

const MOST_GAMES = 10000; // games that the server sends at most

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
    this.livePanel = h("section", {class: "panel", hidden: true}, h("h2", {}, t("Games that run now")), this.live);
    this.older = button(null, t("Older games"), () => this.#follow({games: MOST_GAMES}), {id: "older-games", hidden: true});
    const view = this.view = new TournamentView({href: ({number}) => `#replay/${encodeURIComponent(file)}/${number}`,
      kindOf: (env) => connection.kind(env), filtered: (wanted) => {
        const {games, played} = view.message;
        this.older.hidden = view.list.most === MOST_GAMES || (games.length === played && wanted <= view.list.most);
      }});
    view.games.append(this.older);
    put(main, h("div", {class: "wide-page"}, h("div", {class: "row wrap spread"}, this.heading,
      h("a", {class: "button", href: "#watch"}, t("All tournaments"))), view.about, this.bar, view.faults,
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
      const {stage, figure} = this.stages.get(game.number);
      stage.show(game.board, game.moves, game.moves.moves.length);
      return figure;
    }));
  }

  #stage({number, names}) {
    const stage = new Stage({id: `live-${number}`});
    return {stage, figure: h("figure", {}, stage.element, h("figcaption", {}, names.join(" – ")))};
  }
}
