// Lists of moves to walk through: buttons first, back, next, last, arrow keys, and the switches of the board: numbers on its stones, turned.
// The list of a game is here; that of an analysis board is in tree.js.

import {$, button, chip, h, isNew, keep, origin, put, setting} from "../dom.js";
import {moverOf} from "../board/geometry.js";
import {cellName, spent, t} from "../language.js";

/** A list of moves, of which one is current. `places`: the ids of the positions from the first to the last. */
export class Walk {
  /**
   * @param {HTMLElement} list @param {string} key data attribute of a move's element, which has its id
   * @param {(id: number) => void} jump is called when the user chooses a position
   */
  constructor(list, key, jump) {
    this.list = list;
    this.key = key;
    this.jump = jump;
    this.places = [0];
    this.id = 0;
    const go = (name, word, to) => button(name, word, () => this.#go(to()), {short: true, id: `go-${name}`});
    this.backward = [go("first", t("To the start (Home)"), () => 0), go("back", t("One move back (left arrow)"), () => this.#at - 1)];
    this.forward = [go("next", t("One move on (right arrow)"), () => this.#at + 1), go("last", t("To the end (End)"), () => this.places.length - 1)];
    const toggle = (name, word) => {
      const made = button(name, word, () => {
        keep(name, !setting(name, false));
        made.ariaPressed = String(setting(name, false));
        this.jump(this.id); // the board is drawn by the settings
      }, {short: true, id: name, "aria-pressed": String(setting(name, false))});
      return made;
    };
    this.turner = toggle("turned", t("Turn the board (key F)"));
    this.transport = h("div", {class: "row transport"}, this.backward, this.forward, toggle("numbers", t("Move numbers on the stones")), this.turner);
    this.element = h("div", {class: "moves-box"}, list, this.transport);
    list.addEventListener("click", (event) => {
      const id = origin(event, `[data-${key}]`)?.dataset[key];
      if (id !== undefined) jump(Number(id));
    });
    new ResizeObserver(() => this.#follow()).observe(list);
  }

  get #at() {
    return this.places.indexOf(this.id);
  }

  #go(at) {
    const to = this.places[at];
    if (to !== undefined) this.jump(to);
  }

  /** Mark the move that leads to a position as the current one. */
  mark(id) {
    this.id = id;
    $("[aria-current]", this.list)?.removeAttribute("aria-current");
    $(`button[data-${this.key}="${id}"]`, this.list)?.setAttribute("aria-current", "true");
    this.#follow();
    for (const each of this.backward) each.disabled = this.#at === 0;
    for (const each of this.forward) each.disabled = this.#at === this.places.length - 1;
  }

  /** Scroll the list so that the current move is visible. */
  #follow() {
    const {list} = this, box = list.getBoundingClientRect(), place = $("[aria-current]", list)?.getBoundingClientRect();
    if (!place) list.scrollTop = 0;
    else if (place.top < box.top || place.bottom > box.bottom) list.scrollTop += place.top - box.top - list.clientHeight / 2;
  }

  /** Handle the left and right arrow keys, Home, End and F. Returns whether the key was one of these. */
  press(event) {
    if (event.key.toLowerCase() === "f") {
      this.turner.click();
      return true;
    }
    const to = {ArrowLeft: this.#at - 1, ArrowRight: this.#at + 1, Home: 0, End: this.places.length - 1}[event.key];
    if (to !== undefined) this.#go(to);
    return to !== undefined;
  }
}

/** The moves of a game. The id of a position is its number of plies. */
export class MovesList extends Walk {
  constructor(jump) {
    super(h("ol", {id: "moves", class: "moves", "aria-label": t("the moves"), tabindex: "0"}), "ply", jump);
  }

  /** Show a game after `ply` plies. `seconds`: the seconds of each ply. */
  show(board, moves, ply, seconds) {
    if (isNew(this, [board.env, board.cols, moves.moves])) this.fill({board, moves, seconds});
    this.mark(ply);
  }

  /**
   * List the plies of a game. A last ply with a time and no move is a fault. `more(step, time)` returns what the list also shows
   * for a ply: `figures` in its tooltip, and the words `below` it.
   */
  fill({board, moves, seconds = []}, /** @type {Function} */ more = () => ({figures: [], below: ""})) {
    this.places = [...Array(moves.moves.length + 1).keys()];
    const steps = Math.max(moves.moves.length, seconds.length);
    put(this.list, Array.from({length: steps}, (_, step) => {
      const cell = moves.moves[step], opening = step < moves.opening, spoken = typeof seconds[step] === "number";
      const time = opening ? t("opening") : spoken ? spent(seconds[step]) : "", {figures, below} = more(step, time);
      return h("li", {}, chip(moverOf(board, step), {ply: step + 1}, [time, ...figures].filter(Boolean).join(" · "), [opening && "book"],
        cell === undefined ? t("fault") : cellName(cell, board), below ? h("span", {class: "figures"}, below) : null));
    }));
  }
}
