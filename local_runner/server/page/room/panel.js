// The panel beside the board of a room: both players with their stones and clocks, and the buttons and keys for commands.
// The clock of the side to move runs on between two messages of the server.

import {moverOf} from "../board/geometry.js";
import {connection} from "../connection.js";
import {button, choice, dot, h, icon, keep, buttonLink, put, setting} from "../dom.js";
import {beginGame, exportMenu, playOn, upTo} from "../files/games.js";
import {shareMenu} from "../files/share.js";
import {clock, side, t} from "../language.js";
import {confirmed} from "../telling.js";

const TICK_MS = 200;

/** The names of both players as the page shows them. A human who plays against an agent is "You". `kind`: of the board. */
export function playerNames({seats, names}, kind = undefined) {
  const humans = seats.filter((seat) => seat.kind === "human").length;
  return names.map((name, at) => (seats[at].kind !== "human" ? name : humans === 1 ? t("You") : side(at + 1, kind)));
}

/** Whether two agents play, and wait. */
export const paused = ({seats, pace}) => pace === null && seats.every((seat) => seat.kind !== "human");

export class Players {
  constructor() {
    this.rows = [1, 2].map((player) => {
      const name = h("span", {class: "player-name"});
      const count = h("span", {class: "player-count", title: t("Stones on the board")});
      const time = h("span", {class: "player-clock", title: t("Time for all moves so far")});
      const row = h("div", {class: "player", data: {player}}, dot(player),
        h("span", {class: "unseen"}, side(player)), name, count, time);
      return {row, name, count, time};
    });
    this.element = h("div", {id: "players", class: "players"}, this.rows.map((each) => each.row));
    this.timer = setInterval(() => this.#tick(), TICK_MS);
  }

  close() {
    clearInterval(this.timer);
  }

  show(state, over) {
    this.state = state;
    this.running = over ? 0 : state.moves.to_move;
    this.paused = paused(state);
    this.since = performance.now();
    this.rows.forEach(({row, name, count}, at) => {
      name.textContent = playerNames(state)[at];
      name.title = name.textContent;
      count.textContent = String(state.moves.count[at]);
      row.classList.toggle("on-turn", this.running === at + 1);
      row.classList.toggle("winner", state.moves.winner === at + 1);
      row.ariaCurrent = this.running === at + 1 ? "true" : null;
    });
    this.#tick();
  }

  #tick() {
    if (!this.state) return;
    this.rows.forEach(({time}, at) => {
      const more = this.running === at + 1 && !this.paused ? (performance.now() - this.since) / 1000 : 0;
      const text = clock(this.state.clock[at] + more);
      if (time.textContent !== text) time.textContent = text;
    });
  }
}

const ASKING = ["hint", "undo", "moveNow", "pause", "resign", "again", "swap", "restart"]; // disabled without a connection
const PACE = 0.4; // seconds between two moves of agents, as the server begins
const TOUCH = matchMedia("(any-pointer: coarse)");

export class Actions {
  constructor(room) {
    this.room = room;
    const make = (name, drawing, word, act, key) => button(drawing, word, act,
      {id: `act-${name}`, title: key ? t("{what} (key {key})", {what: word, key}) : word});
    this.buttons = {
      again: make("again", "again", t("Again, other colours"), () => this.#again(), "A"),
      learn: make("learn", "learn", t("Learn from mistakes"), () => { location.hash = `#learn/${room.room}`; }),
      hint: make("hint", "hint", t("Hint"), () => room.act("hint"), "H"),
      undo: make("undo", "undo", t("Undo"), () => room.act("undo"), "U"),
      moveNow: make("move-now", "now", t("Move now"), () => room.act("move_now"), "M"),
      pause: make("pause", "pause", t("Pause"), () => this.#go(room.state.pace === null ? Number(this.pace.value) : null), t("Space")),
      resign: make("resign", "flag", t("Resign"), () => this.#resign()),
      swap: make("swap", "swap", t("Swap sides"), () => room.act("swap")),
      restart: make("restart", "restart", t("Restart"), () => this.#restart()),
      continued: make("continue", "play", t("Play on from here"), () => playOn(room.state.position, room.ply)),
      analyse: make("analyse", "chart", t("Analyse"), () => { location.hash = `#analyse/${room.room}`; }),
      look: room.look.opener,
      twice: make("twice", "tap", t("Tap twice"), () => { keep("tapTwice", !setting("tapTwice", false)); this.show(); }),
    };
    this.buttons.again.classList.add("primary");
    this.pace = choice({id: "pace", title: t("Time between two moves")}, [[2, t("slow")], [PACE, t("normal")], [0, t("fast")]], PACE,
      (pace) => { if (room.state.pace !== null) this.#go(Number(pace)); });
    this.speed = h("label", {class: "speed"}, h("span", {}, t("Speed")), this.pace);
    const what = () => ({...room.state, names: playerNames(room.state), ply: room.shownPly}), {board} = room.stage;
    this.menus = [shareMenu(what, board), exportMenu(() => ({room: room.room, ply: room.shownPly, game: what()}), board)];
    this.element = h("div", {class: "actions room-actions", role: "group", "aria-label": t("Actions")},
      Object.values(this.buttons), room.look.switch, this.menus,
      buttonLink("plus", t("New game"), "#play", {id: "act-new"}));
    this.buttons.pause.after(this.speed);
  }

  show() {
    const {room, buttons} = this;
    const {state, over} = room;
    const humans = state.seats.filter((seat) => seat.kind === "human").length;
    const now = room.ply === null;
    const turn = !over && state.seats[state.moves.to_move - 1].kind === "human";
    for (const name of ASKING) buttons[name].disabled = !connection.connected;
    buttons.hint.hidden = !turn || !now || state.moves.must_pass;
    buttons.undo.hidden = !humans || !now;
    buttons.undo.disabled ||= !this.#ownMove();
    buttons.moveNow.hidden = over || !now || state.seats[state.moves.to_move - 1].kind !== "level";
    buttons.moveNow.disabled ||= state.thinking === null;
    this.speed.hidden = buttons.pause.hidden = over || humans > 0 || !now;
    if (!over && !humans) this.#showPace(state.pace);
    buttons.resign.hidden = over || !humans || !now;
    buttons.again.hidden = !over || !now;
    buttons.swap.hidden = over || !now;
    buttons.restart.hidden = !now;
    buttons.continued.hidden = now;
    buttons.learn.hidden = !over || !humans || !now;
    buttons.analyse.hidden = room.plies === 0;
    buttons.twice.hidden = over || !humans || !TOUCH.matches;
    buttons.twice.setAttribute("aria-pressed", String(setting("tapTwice", false)));
  }

  /** Click the button of a key. Returns whether the key has an enabled button. */
  key(event) {
    if (event.target.closest?.("[role=grid], [role=application]") && event.key.length > 1) return false;
    const target = {h: "hint", u: "undo", m: "moveNow", a: "again", l: "look", " ": "pause"}[event.key.toLowerCase()];
    const chosen = this.buttons[target];
    if (!this.room.state || !chosen || chosen.hidden || chosen.disabled) return false;
    if (event.key === " " && event.target.closest?.("button, summary, a")) return false; // Space presses that
    chosen.click();
    return true;
  }

  /** Whether a human has made a move that can be taken back. A pass counts only if illegal moves lose the turn. */
  #ownMove() {
    const {seats, board, moves: {moves, opening}, lose_turn} = this.room.state;
    return moves.some((cell, at) => at >= opening && (cell >= 0 || lose_turn)
      && seats[moverOf(board, at) - 1].kind === "human");
  }

  #showPace(pace) {
    const word = pace === null ? t("Go on") : t("Pause");
    put(this.buttons.pause, icon(pace === null ? "play" : "pause"), h("span", {}, word));
    this.buttons.pause.title = t("{what} (key {key})", {what: word, key: t("Space")});
    if (pace !== null) this.pace.value = String(pace);
  }

  /** Let `seconds` pass between two moves of the agents, null to pause. */
  #go(seconds) {
    this.room.act("pace", this.room.plies, {seconds});
  }

  async #resign() {
    const {plies} = this.room;
    if (await confirmed(t("Resign this game?"), t("Resign"))) this.room.act("resign", plies);
  }

  async #restart() {
    const {plies, state, over} = this.room;
    if (over || plies <= state.moves.opening || await confirmed(t("Begin this game again? Its moves will be gone."),
      t("Begin again"))) this.room.act("restart", plies);
  }

  /** Begin a new game from the same start with swapped colours. */
  #again() {
    const {position, moves, seats, lose_turn, ponder} = this.room.state;
    return beginGame({position: upTo(position, moves.opening), seats: [seats[1], seats[0]], lose_turn, ponder});
  }
}
