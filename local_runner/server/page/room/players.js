// Shows both players: name, number of stones, clock, and who is to move. The clock of the side to move runs on between
// two messages of the server. Elements: #players with [data-player="1"] and "2", each with .player-count and
// .player-clock.

import {dot, h} from "../dom.js";
import {clock, side, t} from "../language.js";

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
      if (this.running === at + 1) row.setAttribute("aria-current", "true"); else row.removeAttribute("aria-current");
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
