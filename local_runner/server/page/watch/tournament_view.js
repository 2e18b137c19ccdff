// The standings of a tournament with error bars, the cross-table, the LLR curve of an SPRT, and the list of its games. Used
// in the app and in the page of `tengen report --html`. requests.py describes the data (`watched`).

import {h, isNew, origin, put, s} from "../dom.js";
import {number, outcome, said, t} from "../language.js";

const ROWS = 200; // games in the list, until the user asks for more

/** An HTML table: `name` is said by screen readers, `heads` are the titles of its columns, `body` its element tbody. */
export const table = (id, name, heads, body) => h("table", {id, class: "rows", "aria-label": name}, h("thead", {}, h("tr", {}, heads.map((word) =>
  h("th", {scope: "col"}, String(word))))), body);

/**
 * A table of games with a filter. `row(game)`: {number, href, names, cells, title, bad}, with the cells beside the link of the
 * names; `most`: rows of the table, at most; `drawn(wanted)`: called with the number of games that pass the filter.
 */
export class GamesTable {
  constructor(heads, row, most, drawn) {
    this.row = row;
    this.most = most;
    this.drawn = drawn;
    this.body = h("tbody");
    this.table = table("games", t("Games"), ["#", t("Players"), ...heads], this.body);
    this.filter = h("input", {type: "text", id: "filter", "aria-label": t("Show only games with this text"),
      placeholder: t("Filter, such as a name"), on: {input: () => this.show()}});
    this.body.addEventListener("click", (event) => {
      if (!origin(event, "a")) origin(event, "tr")?.querySelector("a").click();
    });
  }

  /** List the games whose row has the text of the filter; if there are none, those whose row has each of its words. */
  show(games = this.games || []) {
    this.games = games;
    const rows = games.map((game) => this.row(game)), text = this.filter.value.trim().toLowerCase();
    const told = rows.map(({names, cells, title = ""}) => `${names} ${cells.join(" ")} ${title}`.toLowerCase());
    const parts = told.some((each) => each.includes(text)) ? [text] : text.split(/\s+/);
    const wanted = rows.filter((_row, at) => parts.every((part) => told[at].includes(part)));
    put(this.body, wanted.slice(0, this.most).map(({number: at, href, names, cells, title = null, bad = false}) =>
      h("tr", {data: {number: at}, class: bad ? "bad" : null}, h("td", {}, number(at + 1)), h("td", {}, h("a", {href}, names)),
        cells.map((cell, index) => h("td", {title: index === cells.length - 1 ? title : null}, cell)))));
    this.drawn(wanted.length);
  }
}

export class TournamentView {
  /**
   * `href(game)`: the address of a game; `kindOf(env)`: the kind of a game's board; `most`: rows of games, at most.
   * `filtered(wanted)`: called with the number of games that pass the filter.
   * @param {{href: Function, kindOf: Function, most?: number, filtered?: Function}} options
   */
  constructor({href, kindOf, most = ROWS, filtered = () => {}}) {
    this.kindOf = kindOf;
    this.about = h("p", {class: "note", id: "played", role: "status"}, t("Reading …"));
    this.faults = h("p", {class: "problem", id: "faults"});
    this.rows = h("tbody");
    this.standings = h("section", {class: "panel table-box", tabindex: "0", "aria-label": t("Standings")}, h("h2", {}, t("Standings")),
      table("standings", t("Standings"), ["#", t("Player"), "Elo", t("95 % range"), t("Games played"), t("Score"), t("Faults")], this.rows));
    this.test = h("section", {class: "panel", id: "llr"});
    this.cross = h("section", {class: "panel table-box", tabindex: "0", "aria-label": t("Cross-table"), hidden: true});
    this.list = new GamesTable([t("Moves"), t("Result")], (game) => {
      const kind = kindOf(this.message.env), word = outcome(game.winner, kind), ending = said(game.ending, kind);
      return {number: game.number, href: href(game), names: `${game.names[0]} – ${game.names[1]}`, title: ending,
        cells: [number(game.plies), game.fault ? `${word} · ${ending}` : word], bad: Boolean(game.fault)};
    }, most, filtered);
    this.games = h("section", {class: "panel table-box across", tabindex: "0", "aria-label": t("Games so far")},
      h("div", {class: "row wrap spread"}, this.listed = h("h2", {}, t("Games so far")), this.list.filter), this.list.table);
  }

  show(message) {
    this.message = message;
    const planned = message.planned ? t("{n} of {all} games", {n: number(message.played), all: number(message.planned)})
      : t("games: {n}", {n: number(message.played)});
    const state = message.running ? t("running") : message.finished ? t("ended")
      : t("stopped before its end; tengen tournament --resume goes on with it");
    const left = message.left ? t("{time} left", {time: message.left}) : "";
    this.about.textContent = [planned, state, left].filter(Boolean).join(" · ");
    this.faults.textContent = message.faults ? t("Games that ended by a fault: {n}", {n: number(message.faults)}) : "";
    this.#showStandings(message.standings);
    put(this.test, message.test ? [h("h2", {}, t("Test (SPRT)")), llrCurve(message.test)] : null);
    this.#showCross(message);
    this.listed.textContent = message.finished ? t("Games") : t("Games so far");
    this.list.show(message.games);
  }

  /** The points of each agent against each other; a click lists their games. */
  #showCross({standings, against}) {
    this.cross.hidden = against.length < 3;
    if (this.cross.hidden || !isNew(this.cross, against)) return; // a new table would take the focus away
    const cell = ([won, drawn, lost], at, other) => {
      const games = won + drawn + lost, names = [standings[at].name, standings[other].name];
      if (at === other || !games) return h("td", {class: "none"}, at === other ? "" : "–");
      const points = `${number(won + drawn / 2)}/${number(games)}`;
      const title = t("{names}: won {won}, drawn {drawn}, lost {lost}", {names: names.join(" – "), won, drawn, lost});
      return h("td", {}, h("button", {type: "button", class: "plain", title, "aria-label": points + t(", ") + title, on: {click: () => {
        this.list.filter.value = names.join(" ");
        this.list.show();
        this.list.filter.scrollIntoView({block: "center"});
      }}}, points));
    };
    put(this.cross, h("h2", {}, t("Cross-table")), table("cross", t("Cross-table"), ["#", t("Player"), ...standings.map((row) => row.rank)],
      h("tbody", {}, against.map((row, at) => h("tr", {}, h("td", {}, String(at + 1)),
        h("th", {scope: "row"}, standings[at].name), row.map((tally, other) => cell(tally, at, other)))))));
  }

  #showStandings(rows) {
    const reach = Math.max(50, ...rows.map((row) => Math.abs(row.elo ?? 0) + (row.error ?? 0)));
    const signed = (value) => (Math.round(value) > 0 ? `+${number(value, 0)}` : number(Math.round(value) || 0).replace("-", "−"));
    put(this.rows, rows.map((row) => h("tr", {data: {name: row.name}}, h("td", {}, String(row.rank)),
      h("th", {scope: "row"}, row.name), h("td", {}, row.elo === null ? "–"
        : `${signed(row.elo)} ± ${number(row.error, 0)}`),
      h("td", {class: "bar-cell"}, eloBar(row, reach)), h("td", {}, number(row.games)),
      h("td", {}, row.score === null ? "–" : t("{n} %", {n: number(100 * row.score, 1)})),
      h("td", {class: row.faults ? "bad" : ""}, String(row.faults)))));
  }
}

/** An error bar from elo - error to elo + error. `reach`: the axis goes from -reach to +reach. */
function eloBar({elo, error}, reach) {
  if (elo === null) return "";
  const x = (value) => 100 + 96 * value / reach;
  return s("svg", {viewBox: "0 0 200 20", class: "elo-bar", role: "img", "aria-label": t("{low} to {high} Elo",
    {low: number(elo - error, 0), high: number(elo + error, 0)})}, s("path", {d: "M100 2V18", class: "graph-half"}),
  s("path", {d: `M${x(elo - error)} 10H${x(elo + error)}M${x(elo - error)} 6V14M${x(elo + error)} 6V14`, class: "error-bar"}),
  s("circle", {cx: x(elo), cy: 10, r: 4, class: "elo-dot"}));
}

/** The curve of the log-likelihood ratio (LLR) of an SPRT. A point is [number of games, LLR]. */
function llrCurve({elo0, elo1, llr, lower, upper, curve: points, decision}) {
  const last = Math.max(1, points.at(-1)?.[0] ?? 1);
  const low = Math.min(lower, llr, ...points.map((point) => point[1]));
  const high = Math.max(upper, llr, ...points.map((point) => point[1]));
  const x = (value) => 40 + 550 * value / last;
  const y = (value) => 10 + 140 * (high - value) / (high - low || 1);
  const level = (value, name) => [s("path", {d: `M40 ${y(value)}H590`, class: name}),
    s("text", {x: 36, y: y(value) + 4, class: "graph-word"}, number(value, 2).replace("-", "−"))];
  const words = {H0: t("H0 accepted: not stronger"), H1: t("H1 accepted: stronger")}[decision] || decision || t("not decided yet");
  return h("div", {}, s("svg", {viewBox: "0 0 600 170", class: "graph", role: "img", "aria-label": t("LLR {llr} between {low} and {high}",
    {llr: number(llr, 2), low: number(lower, 2), high: number(upper, 2)})}, level(upper, "llr-upper"), level(lower, "llr-lower"),
  s("path", {d: `M40 ${y(0)}H590`, class: "graph-half"}),
  points.length ? s("path", {d: `M${points.map((point) => `${x(point[0]).toFixed(1)} ${y(point[1]).toFixed(1)}`).join("L")}`,
    class: "graph-line"}) : null),
  h("p", {}, h("b", {}, `LLR ${number(llr, 2).replace("-", "−")}`), ` · ${words} · `,
    t("H0: {elo0} Elo, H1: {elo1} Elo", {elo0: number(elo0), elo1: number(elo1)})));
}
