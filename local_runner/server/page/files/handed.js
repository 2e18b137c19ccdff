// Hands games from one view to another: a position in the address itself, which a reload, the back button and
// other browsers find; files and lists of games by the ids that the server gives them.

import {connection, fetched, post} from "../connection.js";
import {$, button, h, put} from "../dom.js";
import {clock, number, t} from "../language.js";

const lists = new Map(); // lists of games, by the ids of their files

/** A game {position, problem} as a segment of the address. */
export const hand = (game) => encodeURIComponent(JSON.stringify(game));

/** The game in a segment of the address; null if the segment holds none. */
export function handed(part) {
  try {
    const game = JSON.parse(part);
    return game.position.moves.every(Number.isInteger) ? game : null;
  } catch {
    return null;
  }
}

/**
 * Let the server read a file of games, and open its game, its standings or the list of its games (`listing` of
 * games.py), unless the user has left this view meanwhile. The list is stored. After an error this view is back.
 */
export async function openFile(chosen) {
  const from = location.hash, main = $("#main"), part = [...main.childNodes], ended = new AbortController(), began = Date.now();
  const told = () => `${number(chosen.size / 1e6, 1)} MB · ${clock((Date.now() - began) / 1000)}`;
  const size = h("p", {class: "check-state"}, told()), timer = setInterval(() => { size.textContent = told(); }, 1000);
  put(main, h("div", {class: "narrow wait"}, h("h1", {tabindex: "-1"}, t("Reading {name} …", {name: chosen.name})), size,
    h("div", {}, button("close", t("Stop"), () => ended.abort(), {id: "stop-reading"}))));
  try {
    const list = await post("/open", chosen.name, chosen, ended.signal), {file, games, kind} = list;
    lists.set(file, list);
    if (location.hash !== from) return;
    const one = games.length === 1 && kind !== "tournament";
    if (one && from === "#analyse") await analyse({file});
    else location.hash = kind === "tournament" && from === "#watch" ? `#watch/${file}` : `#replay/${file}${one ? "/0" : ""}`;
  } catch (error) {
    if (!ended.signal.aborted) throw error;
  } finally {
    clearInterval(timer);
    if (location.hash === from) put(main, part);
  }
}

/** The list of an opened file's games, as `openFile` got it. Rejects if the server does not have the file. */
export async function listOf(file) {
  if (lists.has(file)) return lists.get(file);
  const answer = await fetched(`/open/${encodeURIComponent(file)}`);
  if (answer.kind !== "tournament") lists.set(file, answer); // a tournament on the server's disk may grow
  return answer;
}

/** A position with its first `plies` moves only. */
export const upTo = (position, plies) => ({...position, moves: position.moves.slice(0, plies)});

/** Open the form for a new game that begins from a position after its first `plies` moves. */
export function playOn(position, plies) {
  location.hash = `#play/${hand({position: upTo(position, plies)})}`;
}

/** Open the analysis board of a game, {position, names} or {file, number}, after its first `plies` moves. */
export async function analyse(game, plies = null) {
  const {tree} = await connection.ask({type: "new_tree", ...game});
  sessionStorage.setItem("tengen.analysing", tree); // analysed at once, unless an earlier analysis is kept
  location.hash = `#analyse/${tree}${plies === null ? "" : `/${plies}`}`;
}
