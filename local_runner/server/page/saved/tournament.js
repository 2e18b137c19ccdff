// The page of a tournament that tournament_page.py writes: what #watch shows, and the replay of the chosen game.
//
// `data` has tournament (`watched` of requests.py) by language, board (BoardData) and games (by number). A
// game has opening (its number of moves), and moves, turned, line (as in MovesData); lists with a value for each call on
// turn, which begin after the opening: ms, and depth, value and nodes if the agent gives them; said: what the agent that
// failed has printed, its error first. #game-N in the address chooses a game.

import {$, h, put} from "../dom.js";
import {data, language, outcome, said, t} from "../language.js";
import {FIGURES, Replay} from "../replay/replay.js";
import {begin} from "./single.js";
import {TournamentView} from "../watch/tournament_view.js";

let replay = null, opened = null;

begin(() => {
  const tournament = data.tournament[language], {kind} = data.board;
  const view = new TournamentView({href: ({number}) => `#game-${number + 1}`, kindOf: () => kind, most: tournament.games.length});
  const players = h("h2", {tabindex: "-1"}), ending = h("p", {class: "note result"}), text = h("pre");
  const more = h("details", {class: "fault"}, h("summary", {}, t("What the agent said")), text), holder = h("div", {class: "viewer"});
  const part = h("section", {class: "viewer-page", id: "replay"}, h("div", {class: "viewer-head"}, players, ending, more), holder);
  replay?.remove();
  replay = new Replay(holder, {within: part});
  view.show(tournament);
  put($("main"), h("div", {class: "wide-page"}, view.about, view.faults,
    h("div", {class: "watch-grid"}, view.standings, view.cross, view.test, view.games), part));
  opened = () => {
    const wanted = Number(/^#game-(\d+)$/.exec(location.hash)?.[1]) - 1;
    const row = tournament.games.find(({number}) => number === wanted) ?? tournament.games[0], game = data.games[row?.number];
    part.hidden = !game;
    if (!game) return;
    players.textContent = t("Game {number}: {black} (Black) – {white} (White)",
      {number: row.number + 1, black: row.names[0], white: row.names[1]});
    ending.textContent = [outcome(row.winner, kind), said(row.ending, kind)].filter(Boolean).join(" · ");
    more.hidden = !game.said;
    text.textContent = game.said ?? "";
    replay.open(whole(game, row.names));
    if (row.number === wanted) part.scrollIntoView();
  };
  opened();
  return tournament.title;
});
addEventListener("hashchange", () => opened());

/** A game of `data` in the form that Replay.open takes. */
function whole(game, names) {
  const by = (key) => game[key] ?? [], before = Array(game.opening).fill(null);
  const thoughts = game.ms.map((_, call) => Object.fromEntries(FIGURES.map((key) => [key, by(key)[call]])));
  return {
    board: data.board, moves: {opening: game.opening, moves: game.moves, turned: by("turned"), line: by("line")}, names,
    seconds: [...before, ...game.ms.map((ms) => ms / 1000)], thoughts: [...before, ...thoughts],
  };
}
