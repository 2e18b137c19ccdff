// The list of games in a tournament's report, with its filters, and the replay of the chosen game.
//
// `data` has board (BoardData), names (of the agents), games (by number) and texts (translations of texts of `t`). A
// game has players (indices of names, Black's first), opening (its number of moves), and moves, turned, line (as in
// MovesData). A game also has lists with a value for each call on turn, which begin after the opening: ms, and depth,
// value and nodes if the agent gives them.

import {$, origin} from "../shared/dom.js";
import {FIGURES} from "../replay/replay_parts.js";
import {Replay} from "../replay/replay.js";
import {filled} from "../shared/words.js";

const data = JSON.parse($("#data").textContent);

const t = (text, fields) => filled(data.texts[text] ?? text, fields);
const language = document.documentElement.lang.slice(0, 2);

/** Converts a game of `data` to the form that Replay.open takes. */
function whole(game) {
  const by = (key) => game[key] ?? [], before = Array(game.opening).fill(null);
  const thoughts = game.ms.map((_, call) => Object.fromEntries(FIGURES.map((key) => [key, by(key)[call]])));
  return {
    board: data.board,
    moves: {opening: game.opening, moves: game.moves, turned: by("turned"), line: by("line")},
    names: game.players.map((player) => data.names[player]),
    seconds: [...before, ...game.ms.map((ms) => ms / 1000)],
    thoughts: [...before, ...thoughts],
  };
}

function begin() {
  const rows = [...$("#rows").rows], replay = new Replay($("#viewer"), {t, language, within: $("#replay")});
  let row = null;

  function open(number) {
    if (!Object.hasOwn(data.games, number)) return false;
    row?.removeAttribute("aria-current");
    const game = whole(data.games[number]), [black, white] = game.names;
    row = rows.find((each) => each.dataset.game === String(number));
    row.setAttribute("aria-current", "true");
    const [result, text] = [".result", ".text"].map((part) => row.querySelector(part).textContent.trim());
    $("#players").textContent = t("Game {number}: {black} (Black) – {white} (White)", {number, black, white});
    $("#ending").textContent = t("{result}, moves: {n}. {text}", {result, n: game.moves.moves.length, text});
    replay.open(game);
    return true;
  }

  function filter() {
    const {agent, other, end} = Object.fromEntries(new FormData($("#filters")));
    let count = 0;
    for (const each of rows) {
      each.hidden = !fits(each.dataset, agent, other, end);
      count += Number(!each.hidden);
    }
    $("#count").textContent = count === rows.length ? t("games: {n}", {n: count})
      : t("games: {n} of {all}", {n: count, all: rows.length});
  }

  function follow() {
    const match = /^#game-(\d+)$/.exec(location.hash);
    if (match && open(match[1])) {
      $("#replay").scrollIntoView({block: "nearest"});
      $("#players").focus({preventScroll: true});
    }
  }

  $("#rows").addEventListener("click", (event) => {
    const chosen = origin(event, "tr");
    if (!chosen || event.ctrlKey || event.metaKey || event.shiftKey) return; // the link opens in another tab
    event.preventDefault();
    const wanted = `#game-${chosen.dataset.game}`;
    if (location.hash === wanted) follow();
    else location.hash = wanted;
  });
  $("#filters").addEventListener("change", filter);
  $("#filters").addEventListener("submit", (event) => event.preventDefault());
  addEventListener("hashchange", follow);
  filter(); // a reload may keep the selected filters
  if (rows.length) open(rows[0].dataset.game);
  follow();
}

/** Whether a game of the list passes the filters. */
function fits({black, white, winner, fault}, agent, other, end) {
  const side = agent === black ? "1" : agent === white ? "2" : "";
  const played = (name) => name === "" || name === black || name === white;
  const both = agent === "" || agent !== other; // no agent plays against itself
  const lost = side && winner !== side && winner !== "3";
  const ended = {"": true, won: side && winner === side, lost, fault: fault !== undefined};
  return played(agent) && played(other) && both && (end in ended ? ended[end] : winner === end);
}

if ($("#rows")) begin();
