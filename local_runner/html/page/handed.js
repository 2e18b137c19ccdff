// Games that one part of the page hands to another, such as "analyse": kept by the browser until the window is closed,
// under a short name that stands in the address. So a reload and the back button find them again.

import {post} from "./connection.js";

const PREFIX = "tengen.game.";
const MOST = 50;
const memory = new Map();

/** Keep a game {position, names, seconds, ...}; returns its name. */
export function hand(game) {
  return handAs(Math.random().toString(36).slice(2, 8), game);
}

/** Keep it under a given name. */
export function handAs(name, game) {
  memory.set(name, game);
  try {
    const kept = Object.keys(sessionStorage).filter((key) => key.startsWith(PREFIX));
    if (kept.length >= MOST) kept.forEach((key) => sessionStorage.removeItem(key));
    sessionStorage.setItem(PREFIX + name, JSON.stringify(game));
  } catch { /* the memory has it */ }
  return name;
}

/** Let the server read a file of games, and keep what it has found; returns that, with `file`: the name. */
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
export function handed(name) {
  if (memory.has(name)) return memory.get(name);
  try {
    return JSON.parse(sessionStorage.getItem(PREFIX + name));
  } catch {
    return null;
  }
}
