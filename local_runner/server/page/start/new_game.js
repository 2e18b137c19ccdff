// #play: the form for a new game (game, players, start position, options), and the list of the games so far.
// #play/GAME: the form with a start position that another view handed over.

import {connection} from "../connection.js";
import {$, button, choice, field, h, icon, keep, put, setting} from "../dom.js";
import {stonesAfter, stonesAfterLine} from "../board/geometry.js";
import {beginGame, boardFields, handed} from "../files/games.js";
import {mnkOf} from "../files/link.js";
import {outcome, side, t, when} from "../language.js";
import {playerNames} from "../room/panel.js";
import {HUMAN, possible, seatPicker} from "./seats.js";
import {Stage, thumbnail} from "../board/stage.js";
import {atWelcome, bin, keptList, toast} from "../telling.js";

const TILES = {marks: ["x.x", ".x.", "o.."], stones: ["xo.", "xo.", "..."], crossings: [".ox", ".xo", "x.."],
  squares: ["....", ".ox.", ".xo.", "...."], large: ["......", "......", "..ox..", "..xo..", "......", "......"]}; // pictures of games
const CARD = [112, 97, 96, 128, 110, 113, 81]; // h8 h7 g7 i9 f8 i8 g6, cells of the picture for the proof
const SHOWN = 8; // games in the list, until the user asks for all
const pictures = new Map(); // pictures of games, by room and number of plies

export function openPlay(main, [name]) {
  const position = name ? handed(name)?.position : null;
  if (name && !position) toast(t("This address names no game. Choose one of your games, or begin a new one."), "bad");
  return new Start(main, position);
}

class Start {
  constructor(main, given) {
    this.turn = 0; // number of the last request of #show; answers to older requests are dropped
    this.form = setting("form", {env: null, size: null, black: HUMAN, white: {kind: "level", level: 2}});
    this.given = given;
    if (given) Object.assign(this.form, {env: given.env, size: given.size ?? null});
    this.form.env = this.kind.env;
    this.from = given ? "given" : "empty";
    this.opening = 0;
    this.stage = new Stage({id: "preview"});
    this.chooser = h("form", {class: "panel new-game", id: "new-game", on: {submit: (event) => {
      event.preventDefault();
      this.#begin();
    }}});
    put(main, h("h1", {tabindex: "-1", class: "unseen"}, t("New game")),
      h("div", {class: "play-layout"}, proofCard(), h("section", {class: "stage-holder", "aria-label": t("The start position")},
        this.stage.element), h("div", {class: "side"}, this.chooser, roomList())));
    this.off = [connection.on("connected", () => this.#show()), connection.on("lost", () => this.#mayBegin())];
    this.#draw();
  }

  close() {
    this.turn += 1;
    this.off.forEach((end) => end());
  }

  get kind() {
    return connection.game(this.form.env) || connection.welcome.games[0];
  }

  get size() {
    return this.kind.sizes.includes(this.form.size) ? this.form.size : this.kind.rows;
  }

  #draw() {
    const {kind} = this, {any_board: any} = connection.welcome;
    document.documentElement.dataset.stones = kind.style;
    this.form.black = possible(this.form.black, kind, HUMAN);
    this.form.white = possible(this.form.white, kind, {kind: "level", level: 2});
    put(this.chooser,
      h("fieldset", {class: "tiles"}, h("legend", {class: "unseen"}, t("Game")),
        connection.welcome.games.map((game) => tile(game, game.env === kind.env, () => this.#restart(`game-${game.env}`, {env: game.env, size: null}))),
        tile({...any, title: t("Any board")}, Boolean(mnkOf(kind.env)), () => this.#restart(`game-${any.env}`, {env: any.env, size: null})),
        kind.in_a_row ? h("small", {}, t("By the written rules. The site's code gives a full board to the last mover.")) : null),
      boardFields(kind, this.size, "size", (board) => {
        if (!mnkOf(kind.env)) return this.#restart("size", board);
        Object.assign(this.form, board); // the form is not drawn again, so the user can go on typing
        keep("form", this.form);
        this.from = $("#from").value = "empty";
        return this.#show();
      }),
      h("div", {class: "sides"},
        this.#seat("black", 1), button("swap", t("Swap sides"), () => this.#exchange(), {short: true, id: "exchange"}),
        this.#seat("white", 2)),
      h("button", {type: "submit", class: "button primary big", id: "begin"}, t("Start the game")),
      h("p", {class: "problem", id: "problem", role: "alert"}),
      h("details", {class: "more", open: $("#more", this.chooser)?.open || this.from !== "empty", id: "more"},
        h("summary", {}, t("Start position and options")), this.#fromField(),
        this.from === "opening" ? h("fieldset", {class: "openings", id: "openings"}, h("legend", {class: "unseen"}, t("Opening"))) : null,
        this.#options()));
    this.#show();
  }

  #seat(word, player) {
    return h("div", {class: "seat-card"}, h("label", {class: "side-name", for: `seat-${word}`},
      h("i", {class: `dot ${word}`}), side(player)),
    seatPicker(`seat-${word}`, side(player), this.form[word], this.kind, (seat) => {
      this.form[word] = seat;
      keep("form", this.form);
    }));
  }

  /** Choose another board, which is empty. `focus`: the field that was used. */
  #restart(focus, board) {
    Object.assign(this.form, board);
    this.given = null;
    $("#more").open = false;
    this.from = "empty";
    this.opening = 0;
    this.#keepAndDraw(focus);
  }

  #exchange() {
    [this.form.black, this.form.white] = [this.form.white, this.form.black];
    this.#keepAndDraw("exchange");
  }

  #keepAndDraw(focus) {
    keep("form", this.form);
    this.#draw();
    $(`#${focus}`)?.focus();
  }

  #fromField() {
    const kind = this.kind;
    const usual = this.size === kind.rows;
    const starts = {empty: t("Empty board"), stones: t("The four stones"), discs: t("The four discs")};
    const choices = [["empty", starts[kind.start]],
      ...(kind.openings.length && usual ? [["opening", t("An opening of the book")]] : []),
      ...(this.given ? [["given", t("The position you came from")]] : [])];
    const from = choice({id: "from"}, choices, this.from, (chosen) => {
      this.from = chosen;
      this.#draw();
      $("#from").focus({preventScroll: true});
    });
    return [field(t("Start from"), from), h("a", {href: "#analyse", id: "set-up"}, t("Set up stones or paste moves, then “Play on from here”"))];
  }

  /** Fill the list of openings with their pictures, once the start board is known. */
  #drawOpenings(board) {
    const list = $("#openings");
    if (!list || list.children.length > 1) return;
    list.append(...this.kind.openings.map((moves, at) => h("label", {class: "opening"},
      h("input", {type: "radio", name: "opening", value: at, checked: at === this.opening,
        "aria-label": t("Opening {n}", {n: at + 1}), on: {change: () => {
          this.opening = at;
          this.#show();
        }}}),
      thumbnail(board, stonesAfterLine(board, board.stones, moves, board.first), moves.at(-1)), String(at + 1))));
    list.querySelector(":checked")?.parentElement.scrollIntoView({block: "nearest"});
  }

  #options() {
    const box = (id, word, key, usual) => h("label", {class: "tick"}, h("input", {type: "checkbox", id,
      checked: this.form[key] ?? usual, on: {change: (event) => {
        this.form[key] = event.target.checked;
        keep("form", this.form);
      }}}), h("span", {}, word));
    return h("div", {class: "ticks"},
      this.kind.has_pass ? box("lose-turn", t("An illegal move of yours loses the turn"), "loseTurn", false) : null,
      box("ponder", t("At full strength, the engine thinks ahead in your time"), "ponder", true));
  }

  get #position() {
    const {kind, from, opening} = this;
    if (from === "given") return this.given;
    return {env: kind.env, size: this.size === kind.rows ? null : this.size, moves: from === "opening" ? kind.openings[opening] || [] : []};
  }

  async #show() {
    const turn = ++this.turn;
    let problem;
    try {
      const shown = await connection.ask({type: "show", position: this.#position});
      if (turn !== this.turn) return;
      this.#drawOpenings(shown.board);
      this.stage.show(shown.board, shown.moves, shown.moves.moves.length);
      ({problem} = shown);
    } catch (error) {
      if (turn !== this.turn) return;
      problem = error.message;
    }
    $("#problem").textContent = problem;
    this.#mayBegin();
  }

  #mayBegin() {
    $("#begin").disabled = Boolean($("#problem").textContent) || !connection.connected;
  }

  async #begin() {
    if ($("#begin").disabled) return;
    const opening = this.from === "opening" ? this.opening : null;
    const position = {...this.#position, ...opening === null ? {} : {moves: []}};
    await beginGame({position, opening, seats: [this.form.black, this.form.white],
      lose_turn: Boolean(this.form.loseTurn) && this.kind.has_pass, ponder: this.form.ponder ?? true});
    keep("form", this.form);
  }
}

/** The tile of a game, a radio button with a picture of its board and two lines about its rules. */
function tile(game, chosen, choose) {
  const rows = TILES[game.start === "stones" ? "stones" : game.style === "squares" && game.rows > 8 ? "large" : game.style];
  return h("label", {class: "tile"},
    h("input", {type: "radio", name: "game", id: `game-${game.env}`, value: game.env, checked: chosen, on: {change: choose}}),
    thumbnail({kind: game.style, rows: rows.length, cols: rows.length}, [...rows.join("")].map((mark) => ".xo".indexOf(mark))),
    h("b", {}, game.title), h("small", {}, rules(game).map((line) => h("span", {}, line))));
}

/** The rules in two lines: how to win, and the next question of most players, such as forbidden moves. */
function rules({env, in_a_row: k, start}) {
  if (mnkOf(env)) return [t("m × n, and k in a row win"), t("Full board: draw")];
  if (!k) return [t("Most discs win; equal: draw"), t("No legal move: you pass")];
  if (k < 5) return [t("{k} in a row win", {k}), t("Full board: draw")];
  return [t("5 or more win; no forbidden moves"),
    start === "stones" ? t("4 stones set; full board: draw") : t("Starts empty; full board: draw")];
}

/** The card that opens the proof, with a picture of the proof's first moves. */
function proofCard() {
  const size = 15, stones = Array(size * size).fill(0);
  CARD.forEach((cell, at) => { stones[cell] = 1 + at % 2; });
  return h("a", {class: "panel proof-card", id: "to-proof", href: "#proof"}, thumbnail({kind: "crossings", rows: size, cols: size}, stones, CARD.at(-1)),
    h("span", {}, h("b", {}, t("Black wins. Try to stop it.")), h("small", {}, t("Gobang is solved: play White against the proof."))), icon("next"));
}

// ---- the games on the server

/** The list of the games, newest first. The picture of a game is asked for when its row comes into view. */
function roomList() {
  const {box, show} = keptList("rooms", t("My games"));
  let most = SHOWN;
  const seen = new IntersectionObserver((entries) => entries.filter((entry) => entry.isIntersecting).forEach(({target}) => {
    seen.unobserve(target);
    picture(connection.welcome.rooms.find(({room}) => room === /** @type {HTMLElement} */ (target).dataset.of), target);
  }));
  const draw = () => {
    const {rooms, damaged} = connection.welcome;
    show(rooms.slice(0, most).map(roomRow), damaged, rooms.length > most
      ? button(null, t("All {n} games", {n: rooms.length}), () => { most = Infinity; draw(); }, {id: "more-rooms"}) : null);
    for (const place of box.querySelectorAll(".room-picture")) seen.observe(place);
  };
  if (document.documentElement.dataset.ready) connection.refresh(); // the first view has a new Welcome
  return atWelcome(box, draw);
}

const roomRow = (room) => [{data: {room: room.room}}, h("a", {href: `#room/${room.room}`},
  h("i", {class: "room-picture", data: {of: room.room}}),
  h("b", {}, connection.title(room.env)), h("small", {class: "room-date"}, when(room.changed)),
  h("span", {}, playerNames(room, connection.kind(room.env)).join(" – ")), h("small", {}, standing(room))),
bin(t("Delete"), t("Delete this game?"), {type: "command", room: room.room, ply: room.plies, command: "delete"})];

async function picture({room, plies}, place) {
  const key = `${room} ${plies}`;
  try {
    if (!pictures.has(key)) pictures.set(key, await connection.ask({type: "show", room}));
    const {board, moves} = pictures.get(key);
    put(place, thumbnail(board, stonesAfter(board, moves, moves.moves.length).stones, moves.moves.at(-1)));
  } catch { /* the game was deleted meanwhile; its row goes with the next Welcome */ }
}

/** The result of a game, or whose turn it is. */
function standing({env, winner, to_move: player, plies, seats, names}) {
  const kind = connection.kind(env);
  const yours = seats.filter((seat) => seat.kind === "human").length === 1;
  const moves = t("moves: {n}", {n: plies});
  if (winner === 3 || !yours && winner) return `${outcome(winner, kind)} · ${moves}`;
  if (winner) return `${seats[winner - 1].kind === "human" ? t("you won") : t("you lost")} · ${moves}`;
  if (!player) return `${t("cannot go on")} · ${moves}`;
  if (yours && seats[player - 1].kind === "human") return `${t("your turn")} · ${moves}`;
  return `${t("to move: {name}", {name: playerNames({seats, names}, kind)[player - 1]})} · ${moves}`;
}
