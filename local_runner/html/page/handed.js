// Games that one part of the page hands to another, such as "analyse". The browser stores them until the window is
// closed. Their short names stand in the address, so that a reload and the back button find them again. A list of games
// that is too long for the browser's storage lasts until the next reload.

import {post} from "./connection.js";

const MOST = 50; // games that the browser stores
const memory = new Map();

/** Keep a game {position, names, seconds, ...}; returns its name. */
export function hand(game) {
  return handAs(Math.random().toString(36).slice(2, 8), game);
}

/** Keep it under a given name. */
function handAs(name, game) {
  memory.set(name, game);
  if (sessionStorage.length >= MOST) sessionStorage.clear();
  try {
    sessionStorage.setItem(name, JSON.stringify(game));
  } catch { /* too long */ }
  return name;
}

/** Let the server read a file of games, and store its answer under the file's id; returns the answer. */
export async function handFile(file) {
  const {file: name, games, problem, kind} = await post("/open", file.name, file);
  handAs(name, {games, problem, kind, name: file.name});
  return {file: name, games, kind};
}

/** A position after its first plies. */
export const upTo = (position, plies) => ({...position, moves: position.moves.slice(0, plies)});

/** Go to the form of a new game, from a position after so many plies. */
export function playOn(position, plies) {
  location.hash = `#play/${hand({position: upTo(position, plies)})}`;
}

/** The game of a name, null if it is gone. */
export const handed = (name) => memory.get(name) ?? JSON.parse(sessionStorage.getItem(name));
