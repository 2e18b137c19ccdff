// The WebSocket to the server, with the messages of requests.py. `ask` sends a request with one
// answer, `follow` a request with many. A lost connection is opened again; the page then sends Hello, and repeats the
// requests of `follow` and those of SAFE_TWICE. Other requests, such as undo, must not be executed twice or late. Such a request fails if
// the page has no connection, or if the connection is lost before the answer.

import {mnkOf} from "./files/link.js";
import {language, t} from "./language.js";

const VERSION = 4; // of the messages, as in wire.py
const AGAIN_MS = [250, 500, 1000, 2000, 4000]; // waits before the next tries to connect
const MOST_MB = 100; // size of a file, as MOST_BYTES of store.py
const SAFE_TWICE = new Set(["enter", "play", "show", "read_moves", "open_game", "look_at", "watch"]);

/** Something has failed or was refused. The message is a sentence for the user; app.js shows it if nobody catches it. */
export class Refused extends Error {}

class Connection extends EventTarget {
  /** @type {any} The last answer `welcome` (requests.py), null before the first one. */
  welcome = null;
  connected = false;
  /** Resolves as soon as there is a Welcome. */
  ready = new Promise((resolve) => { this.addEventListener("welcome", resolve, {once: true}); });
  /** @type {WebSocket} */
  #socket = null;
  #tag = 0;
  #waiting = new Map(); // tag -> {message, each, resolve, reject, follows}
  #failed = 0;
  #timer = 0;

  start() {
    addEventListener("online", () => this.#now());
    document.addEventListener("visibilitychange", () => { if (!document.hidden) this.#now(); });
    this.#open();
  }

  /** Call `act` for each message of a type, or at "connected" or "lost". Returns a function that ends the calls. */
  on(type, act) {
    const hear = (/** @type {any} */ {detail}) => act(detail);
    this.addEventListener(type, hear);
    return () => this.removeEventListener(type, hear);
  }

  /** Throw Refused if there is no connection. */
  check() {
    if (!this.connected) {
      throw new Refused(t("There is no connection to the server now, so this was not done. Try again when it is back."));
    }
  }

  /** Send a request with one answer. Rejects with Refused if the request is refused or lost. @returns {Promise<any>} */
  ask(message) {
    return new Promise((resolve, reject) => this.#request({message, resolve, reject, follows: false}));
  }

  /**
   * Send a request with many answers. The returned function ends the answers; with `stop` it also ends the work on the
   * server.
   * @param {(message: any) => void} each
   * @param {(error: Error) => void} reject
   */
  follow(message, each, stop = false, reject = () => {}) {
    const tag = this.#request({message, each, reject, follows: true});
    return () => {
      if (this.#waiting.delete(tag) && stop && this.connected) this.tell({type: "stop", what: message.type});
    };
  }

  /** A game of `welcome` by its name, undefined if there is none; an m,n,k-game is made of `any_board`. */
  game(env) {
    const numbers = mnkOf(env), {games, any_board: any} = this.welcome;
    if (!numbers) return games.find((game) => game.env === env);
    const {rows, cols, in_a_row: k} = numbers;
    return {...any, ...numbers, env, sizes: [rows], title: t("{k} in a row, {rows} × {cols}", {k, rows, cols})};
  }

  /** The title of a game, in the page's language. */
  title(env) {
    return this.game(env)?.title || env;
  }

  /** The kind of a game's board. */
  kind(env) {
    return this.game(env)?.style || "";
  }

  /** Ask for a new Welcome, because the list of games may have changed. */
  refresh() {
    if (this.connected) this.tell({type: "hello", version: VERSION, language});
  }

  #request(request) {
    if (!request.follows && !SAFE_TWICE.has(request.message.type)) this.check(); // its error rejects the promise of `ask`
    const tag = this.#tag++;
    request.message = {...request.message, tag};
    this.#waiting.set(tag, request);
    if (this.connected) this.tell(request.message);
    return tag;
  }

  /** Send a message that has no answer. */
  tell(message) {
    this.#socket.send(JSON.stringify(message));
  }

  #now() {
    if (!this.#socket && this.#timer) this.#open();
  }

  #open() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`);
    this.#socket = socket;
    socket.addEventListener("open", () => this.tell({type: "hello", version: VERSION, language}));
    socket.addEventListener("message", (event) => this.#hear(JSON.parse(event.data)));
    socket.addEventListener("close", () => this.#lost());
  }

  #lost() {
    const was = this.connected;
    this.connected = false;
    this.#socket = null;
    for (const [tag, request] of was ? [...this.#waiting] : []) {
      if (request.follows || SAFE_TWICE.has(request.message.type)) continue;
      this.#waiting.delete(tag);
      request.reject(new Refused(t("The connection was lost before this was done. Try again.")));
    }
    this.#failed += 1;
    this.#emit("lost", {failed: this.#failed});
    this.#timer = setTimeout(() => this.#open(), AGAIN_MS[Math.min(this.#failed, AGAIN_MS.length) - 1]);
  }

  #hear(message) {
    if (message.type === "welcome") {
      this.welcome = message;
      if (!this.connected) {
        this.connected = true;
        this.#failed = 0;
        for (const request of this.#waiting.values()) this.tell(request.message);
        this.#emit("connected", message);
      }
    }
    const request = this.#waiting.get(message.tag);
    if (request && message.type === "refusal") {
      this.#waiting.delete(message.tag);
      request.reject(new Refused(message.sentence));
      return;
    }
    if (request?.follows) request.each(message);
    else if (request) {
      this.#waiting.delete(message.tag);
      request.resolve(message);
    }
    this.#emit(message.type, message);
  }

  #emit(type, message) {
    this.dispatchEvent(new CustomEvent(type, {detail: message}));
  }
}

export const connection = new Connection();
connection.start(); // index.html loads this module first, so that the Welcome arrives while others load

/**
 * Send a file to the server; returns its JSON answer. Rejects with Refused if it cannot be read, sent or used. `signal`: of an
 * AbortController that ends it. `told`: as for `fetched`.
 */
export async function post(path, name, file, signal = undefined, told = undefined) {
  if (file.size > MOST_MB * 1e6) throw new Refused(t("{name} has more than {most} MB; choose a smaller file.", {name, most: MOST_MB}));
  let body;
  try {
    body = await file.arrayBuffer(); // read first: fetch would report a changed file as a network error
  } catch {
    throw new Refused(t("{name} has changed since it was chosen, or cannot be read. Choose it again.", {name}));
  }
  return fetched(`${path}?name=${encodeURIComponent(name)}`, {method: "POST", body, signal}, told);
}

/**
 * The JSON answer of the server. Rejects with Refused if there is none, or the answer has only a problem. An answer that takes long
 * is a stream of events: `told(part)` gets the part of the work that is done, 0 to 1, and the last event is the answer.
 * @param {(part: number) => void} told
 */
export async function fetched(path, request = {}, told = () => {}) {
  let answer;
  try {
    answer = await fetch(`${path}${path.includes("?") ? "&" : "?"}language=${language}`, request);
  } catch {
    throw new Refused(t("The server does not answer. Is it still running?"));
  }
  const content = await lastOf(answer, told).catch(() => ({}));
  if (answer.ok && (content.file || !content.problem)) return content;
  throw new Refused(content.problem || t("The server refused the file ({code}).", {code: answer.status}));
}

/** The last event of a stream of events, the others go to `told`; or the value of an answer that is no stream. */
async function lastOf(answer, told) {
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (let {value, done} = await reader.read(); !done; {value, done} = await reader.read()) {
    text = (text + value).replace(/^(?:data: ([\d.]+)\n\n)+/, (_events, part) => { told(Number(part)); return ""; });
  }
  return JSON.parse(text.replace(/^data: /, ""));
}
