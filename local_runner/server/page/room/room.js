// #room/ID, or at an earlier move #room/ID/PLY: the page of one game on the server, with the panel beside its board (panel.js) and "look inside".

import {connection, Refused} from "../connection.js";
import {diagrams} from "../board/diagrams.js";
import {button, h, put} from "../dom.js";
import {moverOf, turned} from "../board/geometry.js";
import {upTo} from "../files/games.js";
import {cellName, said, side, t, toMove} from "../language.js";
import {CHANCES} from "../look/report.js";
import {LookPanel} from "../look/look_panel.js";
import {MovesList} from "./moves_list.js";
import {Actions, paused, playerNames, Players} from "./panel.js";
import {showProved} from "../proof/proof.js";
import {click, Stage} from "../board/stage.js";
import {entitle, leave, say, tell, toast} from "../telling.js";

const PASS_MS = 2500; // how long a forced pass is shown before it is made
const PROVED_MS = 150; // how long a position must stand before it is looked up in the proof; the move is drawn first

export function openRoom(main, [room, at]) {
  if (/^[a-z0-9]{12}$/.test(room)) return new Room(main, room, /^\d{1,8}$/.test(at) ? Number(at) : null);
  throw new Refused(t("This address names no game. Choose one of your games, or begin a new one."));
}

class Room {
  constructor(main, room, wanted) {
    this.room = room;
    this.state = null;
    this.ply = wanted; // the plies to show, null for the newest
    this.asking = new Set(); // commands whose answers are awaited
    this.playing = null; // the move that is drawn, until the server has confirmed or refused it
    this.stage = new Stage({id: "board", onCell: (cell) => this.#clicked(cell)});
    this.moves = new MovesList((ply) => this.jump(ply));
    this.players = new Players();
    this.look = new LookPanel({stage: this.stage, source: () => this.#lookedAt(), bar: {name: "bar", usual: false},
      known: () => (this.state && this.over && this.ply === null ? CHANCES[this.state.moves.winner] ?? null : null)});
    this.actions = new Actions(this);
    this.status = h("p", {id: "status", class: "status", role: "status"});
    this.result = h("div", {id: "result", class: "result", hidden: true});
    this.unkept = h("p", {id: "unkept", class: "unkept", role: "alert"});
    this.proved = h("p", {id: "proved", class: "proved"});
    this.fault = h("details", {id: "fault", class: "fault"});
    this.pass = button("pass", t("Pass"), () => this.#play(-1), {id: "pass", class: "button primary", hidden: true});
    this.heading = h("h1", {tabindex: "-1", class: "unseen"}, t("This game"));
    put(main, this.heading, h("div", {class: "room-layout"},
      h("section", {class: "stage-holder", "aria-label": t("Board")}, this.stage.element),
      h("div", {class: "side"}, h("section", {class: "panel game-panel", "aria-label": t("This game")}, this.players.element,
        this.result, h("div", {class: "row status-row"}, this.status, this.pass), this.proved, this.unkept, this.fault,
        this.moves.element, this.actions.element)),
      this.look.element, diagrams(() => this.state)));
    this.off = [connection.on("state", (state) => { if (state.room === room) this.#changed(state); }),
      connection.on("moved", (moved) => { if (moved.room === room) this.#moved(moved); }),
      connection.on("lost", () => this.#refresh()), connection.on("connected", () => this.#refresh())];
    this.#enter();
  }

  #enter() {
    this.unfollow?.();
    this.unfollow = connection.follow({type: "enter", room: this.room}, () => {}, false, (error) => leave("#play", error));
  }

  close() {
    this.off.forEach((end) => end());
    this.unfollow();
    clearTimeout(this.passing);
    clearTimeout(this.proving);
    this.look.close();
    this.players.close();
    if (connection.connected) connection.tell({type: "leave", room: this.room});
  }

  key(event) {
    return Boolean(this.state) && (this.actions.key(event) || this.moves.press(event) || this.look.key(event));
  }

  // ---- the state

  get plies() {
    return this.state.moves.moves.length;
  }

  get shownPly() {
    return this.ply === null ? this.plies : this.ply;
  }

  get over() {
    return Boolean(this.state.moves.winner || this.state.result);
  }

  /** Whether a human may move now. False while an earlier position is shown, or a move is not yet confirmed. */
  get mayMove() {
    const {seats, moves, thinking} = this.state;
    return connection.connected && !this.over && !this.playing && thinking === null && this.ply === null
      && seats[moves.to_move - 1].kind === "human";
  }

  // ---- after a change of the state

  /** Add new moves to the state. If a change was missed, ask for the whole state again. */
  #moved(moved) {
    const {state} = this;
    if (!state || moved.version <= state.version) return;
    if (moved.version > state.version + 1) this.#enter();
    else {
      const moves = {...moved.moves};
      for (const name of ["moves", "turned"]) moves[name] = [...state.moves[name], ...moves[name]];
      this.#changed({...state, ...moved, moves, seconds: [...state.seconds, ...moved.seconds],
        position: {...state.position, moves: moves.moves}});
    }
  }

  #changed(state) {
    const before = this.state;
    this.state = state;
    this.playing = null;
    if (before && state.moves.moves.length > before.moves.moves.length) {
      click();
      const {board, moves: {moves}} = state;
      for (let at = before.moves.moves.length; at < moves.length; at++) say(side(moverOf(board, at)) + t(": ") + cellName(moves[at], board));
    }
    if (this.ply !== null && (this.ply >= this.plies || before?.moves.moves.length > this.plies)) this.ply = null;
    if (this.over || (before && state.moves.moves.length !== before.moves.moves.length)) this.hint = null;
    if (this.over && !(before && (before.moves.winner || before.result))) say(this.#outcome());
    this.#refresh();
    this.look.moved();
    if (!before && this.mayMove) this.stage.board.focus();
  }

  jump(ply) {
    this.ply = ply >= this.plies ? null : ply;
    this.#refresh();
    this.look.moved();
  }

  #refresh() {
    if (!this.state) return;
    const {board, moves} = this.state;
    const title = connection.title(board.env);
    document.documentElement.dataset.stones = board.kind;
    const names = playerNames(this.state);
    this.heading.textContent = title + t(": ") + names.join(" – ");
    entitle(this.heading.textContent);
    const legal = this.mayMove && !board.all_free_legal && !this.state.lose_turn;
    this.stage.show(board, moves, this.shownPly, {interactive: this.mayMove, legal});
    this.stage.mark("hint", this.hint ? [{cell: this.hint.cell, kind: "hint", title: t("Hint: {sentence}", {sentence: said(this.hint.sentence)})}] : []);
    this.moves.show(board, moves, this.shownPly, this.state.seconds);
    this.players.show(this.state, this.over);
    this.actions.show();
    this.#showStatus();
    this.#mustPass();
    this.#showProved();
  }

  /** On gobang, say whether the shown position is inside the proof. It begins with Black in the middle of an empty board. */
  #showProved() {
    const {board, moves: {moves}} = this.state;
    const shown = moves.slice(0, this.shownPly), sign = String(shown);
    const may = board.env === "gobang_1v1" && board.rows === 15 && shown[0] === 112 && !board.stones.some(Boolean) && !this.over;
    if (sign === this.provedSign && may) return;
    this.provedSign = sign;
    put(this.proved);
    clearTimeout(this.proving);
    if (!may) return;
    this.proving = setTimeout(() => showProved(this.proved, board, shown, () => this.provedSign === sign), PROVED_MS);
  }

  #outcome() {
    const {winner} = this.state.moves;
    const names = playerNames(this.state);
    if (winner === 3) return t("Draw.");
    if (winner && names.includes(t("You"))) return names[winner - 1] === t("You") ? t("You win.") : t("You lose.");
    if (winner && names[winner - 1] === side(winner)) return t("{side} wins.", {side: side(winner)});
    if (winner) return t("{side} wins: {name}.", {side: side(winner), name: names[winner - 1]});
    return said(this.state.result) || t("The game cannot go on.");
  }

  #showStatus() {
    const {state} = this;
    if (this.unkept.textContent !== state.unkept) this.unkept.textContent = state.unkept; // said once, not at every move
    const {moves} = state;
    this.result.hidden = !this.over;
    if (this.over) {
      const yours = state.seats.filter((seat) => seat.kind === "human").length === 1, [, ...why] = said(state.result).split(t(": "));
      put(this.result, h("strong", {}, yours || !state.result ? this.#outcome() : said(state.result)),
        yours && why.length ? h("span", {}, why.join(t(": "))) : null);
      this.result.dataset.winner = moves.winner;
    }
    put(this.fault, state.fault ? [h("summary", {}, t("What the agent said")), h("pre", {tabindex: "0"}, state.fault)] : null);
    this.status.textContent = this.#sentence();
    this.status.parentElement.hidden = this.over && this.ply === null;
  }

  #sentence() {
    const {state} = this;
    const {moves, seats, names} = state;
    if (this.ply !== null) return t("Move {n} of {all}. The end key goes back to the game.", {n: this.ply, all: this.plies});
    if (this.over) return "";
    if (this.hint) return said(this.hint.sentence);
    const player = moves.to_move - 1;
    if (paused(state)) return t("The game is paused.");
    if (seats[player].kind !== "human") return t("{name} is thinking …", {name: names[player]});
    if (moves.must_pass || seats[1 - player].kind === "human") return toMove(moves);
    return t("Your turn: {side}", {side: side(player + 1)});
  }

  #mustPass() {
    clearTimeout(this.passing);
    const must = this.state.moves.must_pass && this.mayMove;
    this.pass.hidden = !must;
    if (must) this.passing = setTimeout(() => this.#play(-1), PASS_MS);
  }

  // ---- the user's actions

  async #clicked(cell) {
    await this.playing; // if the last move is not yet confirmed, the click waits
    if (this.ply !== null) this.jump(this.plies);
    else if (this.mayMove && !this.state.lose_turn && !this.stage.board.state.legal.includes(cell)) this.stage.board.refuse(cell);
    else this.#play(cell);
  }

  /** Draw the user's move at once, and send it. A refused stone goes back. */
  #play(cell) {
    if (!this.mayMove) return;
    clearTimeout(this.passing);
    const {plies, state: {board, moves}} = this, {stones, legal} = this.stage.board.state;
    if (legal.includes(cell)) {
      this.stage.show(board, {...moves, moves: [...moves.moves, cell],
        turned: [...moves.turned, turned(board, stones, cell, moves.to_move)], line: []}, plies + 1);
    }
    this.playing = this.#send(cell, plies);
  }

  async #send(cell, plies) {
    try {
      await connection.ask({type: "play", room: this.room, ply: plies, cell});
      if (cell >= 0 && this.state.moves.moves[plies] === -1) {
        toast(t("{cell} is no legal move: the turn is lost.", {cell: cellName(cell, this.state.board)}));
      }
    } catch (error) {
      this.playing = null;
      this.#refresh();
      tell(error);
    }
  }

  /**
   * Send a command such as "undo" (`command` of requests.py), unless the answer to the same command is still awaited. `ply`:
   * the number of plies that the user saw; `more`: further fields.
   */
  async act(command, ply = this.plies, more = {}) {
    if (this.asking.has(command)) return;
    this.asking.add(command);
    try {
      const answer = await connection.ask({type: "command", room: this.room, ply, command, ...more});
      if (command === "hint") {
        this.hint = answer;
        say(said(answer.sentence));
        this.#refresh();
      } else this.ply = null;
    } finally {
      this.asking.delete(command);
    }
  }

  #lookedAt() {
    if (!this.state) return undefined;
    if (this.over && this.ply === null) return null;
    if (this.ply === null) return {room: this.room, board: this.state.board, ply: this.plies};
    return {position: upTo(this.state.position, this.ply), board: this.state.board, ply: this.ply};
  }
}
