// The games that come into the page and go out of it: files that are chosen or dropped, moves and boards as text, positions
// in an address, which a reload, the back button and other browsers find; and the menu "Save as" of the app.

import {BLACK, WHITE, count} from "../board/geometry.js";
import {connection, fetched, post, Refused} from "../connection.js";
import {$, button, choice, download, field, h, put} from "../dom.js";
import {clock, fileName, language, number, t} from "../language.js";
import {linkIn, linkOf, mnkOf, readLink} from "./link.js";
import {MADE, saveMenu} from "./save_menu.js";
import {tell} from "../telling.js";

const lists = new Map(); // lists of games, by the ids of their files

/** The rows and columns of a game's board. `size`: its side, null for the usual one. */
const sidesOf = (env, size) => {
  const kind = connection.game(env);
  return kind && (size ? {rows: size, cols: size} : kind);
};

/** A position as a segment of the page's address; `ply`: the number of its moves that are shown. */
const hand = (position, ply = undefined) => linkOf(position, sidesOf(position.env, position.size).cols, ply);

/** The game in a text, as readLink gives it; null if the text has no link. Throws Refused for a link that cannot be read. */
export function handed(text) {
  const link = linkIn(text);
  try {
    return link ? readLink(link, sidesOf) : null;
  } catch (error) {
    throw new Refused(error.message);
  }
}

/**
 * Let the server read a file of games, and open its game, its standings or the list of its games (`listing` of
 * games.py), unless the user has left this view meanwhile. The list is stored. After an error this view is back.
 */
export async function openFile(chosen) {
  const from = location.hash, main = $("#main"), part = [...main.childNodes], ended = new AbortController(), began = Date.now();
  let done = 0; // the part of the file that the server has read, 0 to 1
  const told = () => `${number(chosen.size / 1e6, 1)} MB · ${clock((Date.now() - began) / 1000)} · ${Math.floor(100 * done)} %`;
  const size = h("p", {class: "check-state", id: "read"}, told()), timer = setInterval(() => { size.textContent = told(); }, 200);
  put(main, h("div", {class: "narrow wait"}, h("h1", {tabindex: "-1"}, t("Reading {name} …", {name: chosen.name})), size,
    h("div", {}, button("close", t("Stop"), () => ended.abort(), {id: "stop-reading"}))));
  try {
    const list = await post("/open", chosen.name, chosen, ended.signal, (share) => { done = share; }), {file, games, kind} = list;
    lists.set(file, list);
    if (location.hash !== from) return;
    const one = games.length === 1 && kind !== "tournament";
    if (one && ["#analyse", "#learn"].includes(from)) await analyse({file}, null, from);
    else if (from === "#learn") location.hash = `#learn/file/${file}`;
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

let beginning = false;

/** Begin a game, of which the fields of `new_game` are given, and go to its room. A second call meanwhile does nothing. */
export async function beginGame(game) {
  if (beginning) return;
  beginning = true;
  try {
    location.hash = `#room/${(await connection.ask({type: "new_game", ...game})).room}`;
  } finally {
    beginning = false;
  }
}

/** Open the form for a new game that begins from a position after its first `plies` moves. */
export function playOn(position, plies) {
  location.hash = `#play/${hand(upTo(position, plies))}`;
}

/** Open the analysis board of a game, {position, names} or {file, number}, after its first `plies` moves; or another view of it, `part`. */
export async function analyse(game, plies = null, part = "#analyse") {
  const {tree} = await connection.ask({type: "new_tree", ...game});
  sessionStorage.setItem("tengen.analysing", tree); // the board analyses the game at once, unless an analysis is stored
  location.hash = `${part}/${tree}${plies === null ? "" : `/${plies}`}`;
}

const BLACK_MARKS = "xX#*@b1●";
const WHITE_MARKS = "oOw2○0";
const FREE = ".-_+·";
const MOST = 8000; // characters; the longest game is far shorter

/**
 * The position in a text or link, and why the text after its moves cannot be read or played ("" if there is no such text); of a link
 * also the `ply` to show.
 * `kind`: the game (GameKind); `size`: of the board, null for the usual one. Rejects with Refused if there is no game.
 */
export async function read(text, kind, size) {
  const clean = text.trim();
  if (clean.length > MOST) throw new Refused(t("This text is too long for one game. Open it as a file in Replay."));
  if (!clean || linkIn(clean)) return handed(clean) ?? {position: {env: kind.env, size, moves: []}, problem: ""};
  const lines = clean.split(/\n+/).map((line) => line.replace(/[\s|]/g, "")).filter(Boolean);
  if (lines.length > 1 && lines.every((line) => [...line].every((mark) => (BLACK_MARKS + WHITE_MARKS + FREE).includes(mark)))) {
    return {position: drawnPosition(lines, kind, size, size || kind.rows, size || kind.cols), problem: ""};
  }
  const {position, damage} = await connection.ask({type: "read_moves", env: kind.env, size, text: clean});
  return {position, problem: damage};
}

function drawnPosition(lines, kind, size, rows, cols) {
  if (lines.length !== rows || lines.some((line) => [...line].length !== cols)) {
    throw new Refused(t("The board needs {rows} lines with {cols} marks each.", {rows, cols}));
  }
  const stones = lines.flatMap((line) => [...line].map((mark) => (BLACK_MARKS.includes(mark) ? 1 : WHITE_MARKS.includes(mark) ? 2 : 0)));
  return {env: kind.env, size, stones, first: !kind.takes_board && count(stones, BLACK) > count(stones, WHITE) ? WHITE : BLACK, moves: []};
}

/** Call `act(file)` for each file that is dropped anywhere on the page. */
export function acceptDrops(act) {
  const veil = h("div", {id: "drop", class: "veil", hidden: true}, h("p", {}, t("Drop a game or a submission.py")));
  document.body.append(veil);
  const take = (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    veil.hidden = event.type === "drop";
    if (veil.hidden && event.dataTransfer.files[0]) act(event.dataTransfer.files[0]);
  };
  for (const kind of ["dragenter", "dragover", "drop"]) addEventListener(kind, take);
  addEventListener("dragleave", (event) => { veil.hidden ||= !event.relatedTarget; }); // out of the window
}

/** A field in which the user chooses a file. `act(file)` is called with the chosen file. */
export function filePicker(id, word, accept, act) {
  const input = h("input", {type: "file", id, accept, class: "unseen", on: {change: () => {
    const file = input.files[0];
    input.value = "";
    if (file) act(file);
  }}});
  return h("label", {class: "picker", for: id}, input, h("span", {}, word));
}

export const FILES = ".json,.jsonl,.log,.txt,.pos,.csv,.sgf,.ggf,.pgn,.wtb,.psq";

/** Show the form. `part`: where pasted moves open, "analyse" or "replay". */
export function askForGame(main, heading, verb, part) {
  const {games, any_board: any} = connection.welcome, fields = h("div", {class: "form"});
  const titles = [...games.map((game) => [game.env, game.title]), [any.env, t("Any board")]];
  const select = choice({id: "paste-game"}, titles, null, (env) => start({env, size: null}));
  const text = h("textarea", {id: "paste", rows: 3, spellcheck: "false"}), chosen = {env: games[0].env, size: null};
  const kind = () => connection.game(chosen.env);
  const choose = (board) => {
    Object.assign(chosen, board);
    text.placeholder = kind().start === "discs" ? "f5d6c3d3" : kind().rows < 9 ? "b2a1c3" : "h8h9i9g8";
  };
  const start = (board) => {
    choose(board);
    put(fields, boardFields(kind(), null, "paste-size", choose));
  };
  const go = async (empty = false) => {
    if (empty) text.value = "";
    else if (!text.value.trim()) throw new Refused(t("Nothing is pasted yet. Put in moves such as {moves}, or a board.", {moves: text.placeholder}));
    connection.check();
    const {position, problem, ply = null} = await read(text.value, kind(), chosen.size);
    if (problem && !position.moves.length) throw new Refused(problem);
    if (!text.isConnected) return; // another view is open now
    if (part === "analyse") await analyse({position, damage: problem}, ply);
    else {
      location.hash = `#${part}/${hand(position, ply ?? undefined)}`;
      if (problem) tell(new Error(problem));
    }
  };
  put(main, h("div", {class: "narrow"}, h("h1", {tabindex: "-1"}, heading),
    h("section", {class: "panel"}, filePicker("file", t("Choose a game file, or drop it anywhere on this page"), FILES, openFile), h("p", {class: "note"},
      t("Logs of ours and of the site, match results, tournaments (.jsonl), SGF, GGF, WTHOR (.wtb), Piskvork (.psq), tables (.csv), moves as text."))),
    h("section", {class: "panel form"}, h("h2", {}, t("Or paste the moves or a link")),
      field(t("Game"), select), fields,
      h("label", {class: "field tall"}, h("span", {}, t("Moves, or a board")), text),
      h("div", {class: "row wrap"}, button(null, verb, () => go(), {id: "paste-go", class: "button primary"}),
        part === "analyse" ? button(null, t("Begin from the start position"), () => go(true), {id: "from-start"}) : null))));
  start({});
  return {};
}

/**
 * The fields of a game's board: its size if there are several; of an m,n,k-game its three numbers. `size`: null for the usual one.
 * `act(board)`: called with the changed `env` or `size` (null for the usual one). `id`: of the size, and the start of other ids.
 */
export function boardFields({env, rows, sizes}, size, id, act) {
  if (!mnkOf(env)) {
    return sizes.length < 2 ? [] : field(t("Board"), choice({id}, sizes.map((side) => [side, `${side} × ${side}`]), size ?? rows,
      (side) => act({size: Number(side) === rows ? null : Number(side)})));
  }
  const numbers = mnkOf(env), words = {rows: t("Rows"), cols: t("Columns"), in_a_row: t("In a row")};
  return h("div", {class: "board-numbers"}, Object.entries(words).map(([key, word]) => field(word, h("input", {type: "number",
    id: `${id}-${key}`, min: 3, max: 19, required: true, value: numbers[key], on: {input: (event) => {
      numbers[key] = Number(event.target.value);
      act({env: `mnk_${Object.values(numbers).map((each) => Math.trunc(Math.abs(each))).join("_")}_1v1`});
    }}}))));
}

/**
 * The menu. `what()` returns the game to save, {room}, {file, number} or {position}, with {tree} for its variations; and for
 * the file's name `game`, {board, moves, names}, and `ply`, the ply that is shown. `shown`: the Board.
 */
export function exportMenu(what, shown) {
  const formats = () => {
    const {formats: words} = connection.welcome, {formats: held} = connection.game(what().game.board.env);
    return Object.entries(words).filter(([format]) => held.includes(format));
  };
  return saveMenu(formats, async (format) => {
    const {game, ply} = what(), make = MADE[format];
    try {
      const content = await (make ? make(shown.svg) : exported(what(), format));
      download(fileName(game, make ? ply : game.moves.moves.length, format), content);
    } catch (error) {
      throw error instanceof Refused && error.message ? error : new Refused(t("This cannot be saved."));
    }
  });
}

async function exported(what, format) {
  const answer = what.position
    ? await fetch(`/export.${format}?tree=${what.tree || ""}&language=${language}`, {method: "POST", body: JSON.stringify(what.position),
        headers: {"content-type": "application/json"}})
    : await fetch(`/export/${what.room || what.file}.${format}?number=${what.number || 0}&language=${language}`);
  if (!answer.ok) throw new Refused((await answer.json()).problem);
  return answer.blob();
}
