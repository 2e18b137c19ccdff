// #watch: the list of tournaments that can be watched. #watch/FILE: one tournament, updated while it runs: standings
// with error bars, the cross-table, the LLR curve of an SPRT, boards of running games, the games so far.
// docs/developers/messages.md describes the data (`watched`). Elements: #files, #standings (tr[data-name]), #cross,
// #llr, #live-boards, #filter, #games (tr[data-number]), #older-games, #faults, #played, #file.

import {connection} from "../shared/connection.js";
import {button, h, origin, put} from "../shared/dom.js";
import {dropped, filePicker} from "../shared/drop.js";
import {handFile} from "../shared/handed.js";
import {number, outcome, said, t} from "../shared/language.js";
import {loadMore} from "../shared/more.js";
import {Stage} from "../board/stage.js";
import {entitle, leave, tell} from "../shared/telling.js";
import {eloBar, llrCurve} from "./watch_charts.js";

const ROWS = 200; // games in the list, until the user asks for more
const MOST_GAMES = 10000; // games that the server sends at most

export function open(main, [file]) {
  loadMore();
  return file ? new Watching(main, file) : choose(main);
}

function choose(main) {
  const {files} = connection.welcome;
  const part = {
    dropped: (file) => file.name.endsWith(".jsonl") && (dropped(), show(file, part), true),
    close() { part.closed = true; },
  };
  put(main, h("div", {class: "narrow"}, h("h1", {tabindex: "-1"}, t("Watch a tournament")),
    files.length ? h("section", {class: "panel"}, h("h2", {}, t("Tournaments of this server")),
      h("ul", {id: "files", class: "plain-list links"}, files.map((name) => h("li", {},
        h("a", {href: `#watch/${encodeURIComponent(name)}`}, name))))) : null,
    h("section", {class: "panel form"}, h("p", {}, files.length ? t("These files were named when the server was started.")
      : t("No tournament was named when the server was started.")), h("p", {class: "note"},
      t("Start it with the file of a tournament or a test, also while it runs:")), h("code", {class: "command"}, "tengen serve FILE.jsonl")),
    h("section", {class: "panel"}, filePicker("file",
      t("Choose a tournament's file (.jsonl), or drop it anywhere on this page"), ".jsonl", (file) => show(file, part)),
    h("p", {class: "note"}, t("It is shown as it is now.")))));
  return part;
}

/** Send a file to the server and open its standings, unless the user has left this part meanwhile. */
async function show(file, part) {
  try {
    const {file: id, kind} = await handFile(file);
    if (part.closed) return;
    location.hash = kind === "tournament" ? `#watch/${id}` : `#replay/${id}`;
  } catch (error) {
    tell(error);
  }
}

/** Whether a tournament is being played, in words. */
function stateOf({running, finished}) {
  if (running) return t("running");
  return finished ? t("ended") : t("stopped before its end; tengen tournament --resume goes on with it");
}

class Watching {
  constructor(main, file) {
    this.file = file;
    this.stages = new Map();
    this.heading = h("h1", {tabindex: "-1"}, t("Tournament"));
    this.about = h("p", {class: "note", id: "played", role: "status"}, t("Reading …"));
    this.bar = h("progress", {id: "progress", "aria-label": t("Games played"), max: "1", hidden: true});
    this.faults = h("p", {class: "problem", id: "faults", hidden: true});
    this.standings = h("tbody");
    this.test = h("section", {class: "panel", id: "llr", hidden: true});
    this.live = h("div", {class: "live-boards", id: "live-boards"});
    this.livePanel = h("section", {class: "panel", hidden: true}, h("h2", {}, t("Games that run now")), this.live);
    this.games = h("tbody");
    this.cross = h("section", {class: "panel table-box", tabindex: "0", "aria-label": t("Cross-table"), hidden: true});
    this.filter = h("input", {type: "text", id: "filter", "aria-label": t("Show only games with this text"),
      placeholder: t("Filter, such as a name"), on: {input: () => this.#showGames()}});
    this.older = button(null, t("Older games"), () => this.#askForAll(), {id: "older-games", hidden: true});
    const table = (id, heads, body) => h("table", {id, class: "rows"}, h("thead", {}, h("tr", {}, heads.map((word) =>
      h("th", {scope: "col"}, word)))), body);
    put(main, h("div", {class: "wide-page"}, h("div", {class: "row wrap spread"}, this.heading,
      h("a", {class: "button", href: "#watch"}, t("All tournaments"))), this.about, this.bar, this.faults, h("div", {class: "watch-grid"},
      h("section", {class: "panel table-box", tabindex: "0", "aria-label": t("Standings")}, h("h2", {}, t("Standings")),
        table("standings", ["#", t("Player"), "Elo", t("95 % range"), t("Games played"), t("Score"), t("Faults")], this.standings)),
      this.livePanel, this.cross, this.test,
      h("section", {class: "panel table-box across", tabindex: "0", "aria-label": t("Games so far")},
        h("div", {class: "row wrap spread"}, h("h2", {}, t("Games so far")), this.filter),
        table("games", ["#", t("Players"), t("Moves"), t("Result")], this.games), this.older))));
    this.games.addEventListener("click", (event) => {
      const row = origin(event, "tr");
      if (row && !origin(event, "a")) row.querySelector("a")?.click();
    });
    this.#follow({});
  }

  #follow(more) {
    this.unfollow?.();
    this.unfollow = connection.follow({type: "watch", file: this.file, ...more}, (message) => this.#show(message),
      {type: "stop_watching"}, (error) => leave("#watch", error));
  }

  #askForAll() {
    this.all = true;
    this.#follow({games: MOST_GAMES});
  }

  close() {
    this.unfollow();
  }

  #show(message) {
    this.heading.textContent = message.title;
    entitle(message.title);
    const planned = message.planned ? t("{n} of {all} games", {n: number(message.played), all: number(message.planned)})
      : t("games: {n}", {n: number(message.played)});
    const left = message.left ? t("{time} left", {time: message.left}) : "";
    this.about.textContent = [planned, stateOf(message), left].filter(Boolean).join(" · ");
    this.bar.hidden = !message.planned || !message.running;
    this.bar.value = message.planned ? message.played / message.planned : 0;
    this.faults.hidden = !message.faults;
    this.faults.textContent = t("Games that ended by a fault: {n}", {n: number(message.faults)});
    this.#showStandings(message.standings);
    this.test.hidden = !message.test;
    if (message.test) put(this.test, h("h2", {}, t("Test (SPRT)")), llrCurve(message.test));
    this.#showCross(message);
    this.#showLive(message.live);
    this.message = message;
    this.#showGames();
  }

  /** The points of each agent against each other; a click lists their games. */
  #showCross({standings, against}) {
    this.cross.hidden = against.length < 3;
    const sign = JSON.stringify(against);
    if (this.cross.hidden || this.cross.dataset.sign === sign) return; // a new table would take the focus away
    this.cross.dataset.sign = sign;
    const cell = ([won, drawn, lost], at, other) => {
      const games = won + drawn + lost, names = [standings[at].name, standings[other].name];
      if (at === other || !games) return h("td", {class: "none"}, at === other ? "" : "–");
      const title = t("{names}: won {won}, drawn {drawn}, lost {lost}", {names: names.join(" – "), won, drawn, lost});
      return h("td", {}, h("button", {type: "button", class: "plain", title, "aria-label": title, on: {click: () => {
        this.filter.value = names.join(" ");
        this.#showGames();
        this.filter.scrollIntoView({block: "center"});
      }}}, `${number(won + drawn / 2)}/${number(games)}`));
    };
    put(this.cross, h("h2", {}, t("Cross-table")), h("table", {id: "cross", class: "rows"},
      h("thead", {}, h("tr", {}, ["#", t("Player"), ...standings.map((row) => row.rank)].map((word) =>
        h("th", {scope: "col"}, String(word))))),
      h("tbody", {}, against.map((row, at) => h("tr", {}, h("td", {}, String(at + 1)),
        h("th", {scope: "row"}, standings[at].name), row.map((tally, other) => cell(tally, at, other)))))));
  }

  #showStandings(rows) {
    const reach = Math.max(50, ...rows.map((row) => Math.abs(row.elo ?? 0) + (row.error ?? 0)));
    const signed = (value) => (Math.round(value) > 0 ? `+${number(value, 0)}` : number(Math.round(value) || 0).replace("-", "−"));
    put(this.standings, rows.map((row) => h("tr", {data: {name: row.name}}, h("td", {}, String(row.rank)),
      h("th", {scope: "row"}, row.name), h("td", {}, row.elo === null ? "–"
        : `${signed(row.elo)} ± ${number(row.error, 0)}`),
      h("td", {class: "bar-cell"}, eloBar(row, reach)), h("td", {}, number(row.games)),
      h("td", {}, row.score === null ? "–" : t("{n} %", {n: number(100 * row.score, 1)})),
      h("td", {class: row.faults ? "bad" : ""}, String(row.faults)))));
  }

  #showLive(boards) {
    this.livePanel.hidden = !boards.length;
    this.livePanel.parentElement.classList.toggle("live", boards.length > 0);
    this.live.dataset.count = String(Math.min(boards.length, 3));
    const wanted = new Set();
    boards.forEach((game) => {
      const key = String(game.number);
      wanted.add(key);
      if (!this.stages.has(key)) {
        const stage = new Stage({id: `live-${key}`});
        const words = h("figcaption", {});
        const figure = h("figure", {}, stage.element, words);
        this.stages.set(key, {stage, words, figure});
        this.live.append(figure);
      }
      const {stage, words} = this.stages.get(key);
      stage.show(game.board, game.moves, game.moves.moves.length);
      words.textContent = `${game.names[0]} – ${game.names[1]}`;
    });
    for (const [key, {figure}] of this.stages) {
      if (wanted.has(key)) continue;
      figure.remove();
      this.stages.delete(key);
    }
  }

  #showGames() {
    const words = this.filter.value.trim().toLowerCase().split(/\s+/), {games, played} = this.message;
    const kind = connection.kind(this.message.env);
    const told = (game) => `${game.names.join(" ")} ${outcome(game.winner, kind)} ${said(game.ending, kind)}`.toLowerCase();
    const wanted = games.filter((game) => words.every((word) => told(game).includes(word)));
    this.older.hidden = this.all ? true : games.length === played && wanted.length <= ROWS;
    put(this.games, wanted.slice(0, this.all ? MOST_GAMES : ROWS).map((game) => {
      const word = outcome(game.winner, kind), ending = said(game.ending, kind);
      return h("tr", {data: {number: game.number}, class: game.fault ? "bad" : ""}, h("td", {}, number(game.number + 1)),
        h("td", {}, h("a", {href: `#replay/${encodeURIComponent(this.file)}/${game.number}`}, `${game.names[0]} – ${game.names[1]}`)),
        h("td", {}, number(game.plies)), h("td", {title: ending || null}, game.fault ? `${word} · ${ending}` : word));
    }));
  }
}
