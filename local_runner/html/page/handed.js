// Keeps games that one part of the page hands to another, for example a replayed game to the analysis. These games are
// in the browser's session storage, until the window is closed. A game's short name is in the address, so that a reload
// and the back button find the game. A list of games too long for that storage is kept until the next reload.

import {post} from "./connection.js";

const MOST = 50; // entries in the session storage, above which it is cleared
const memory = new Map();

/** Keep a game {position, names, seconds, ...}; returns its name. */
export function hand(game) {
  return handAs(Math.random().toString(36).slice(2, 8), game);
}

/** Keep a game under a given name. */
function handAs(name, game) {
  memory.set(name, game);
  if (sessionStorage.length >= MOST) sessionStorage.clear();
  try {
    sessionStorage.setItem(name, JSON.stringify(game));
  } catch { /* too long */ }
  return name;
}

/** Let the server read a file of games. The answer is kept under the file's id, and returned. */
export async function handFile(file) {
  const {file: name, games, problem, kind} = await post("/open", file.name, file);
  handAs(name, {games, problem, kind, name: file.name});
  return {file: name, games, kind};
}

/** A position with its first `plies` moves only. */
export const upTo = (position, plies) => ({...position, moves: position.moves.slice(0, plies)});

/** Open the form for a new game that begins from a position after its first `plies` moves. */
export function playOn(position, plies) {
  location.hash = `#play/${hand({position: upTo(position, plies)})}`;
}

/** The game with this name, null if it is no longer kept. */
export const handed = (name) => memory.get(name) ?? JSON.parse(sessionStorage.getItem(name));
