// The list of a game's moves; a click on a move shows its position. Below are the buttons first, back, next, last,
// and the switch of the numbers on the stones. Used by a room. Elements: #moves (buttons with data-ply),
// #go-first, #go-back, #go-next, #go-last, #numbers.

import {$, button, chip, clamp, h, origin, put} from "../dom.js";
import {moverOf} from "../board/geometry.js";
import {cellName, spent, t} from "../language.js";
import {keep, setting} from "../settings.js";

/** The switch of the numbers on the stones, which the Stage draws. `redraw()` is called after a change. */
export function numbersSwitch(redraw) {
  const pressed = button("numbers", t("Move numbers on the stones"), () => {
    keep("numbers", !setting("numbers", false));
    pressed.setAttribute("aria-pressed", String(setting("numbers", false)));
    redraw();
  }, {short: true, id: "numbers", "aria-pressed": String(setting("numbers", false))});
  return pressed;
}

/** The list. `jump(ply)` is called when the user chooses the position after `ply` plies. */
export class MovesList {
  constructor(jump) {
    this.jump = jump;
    this.ply = 0;
    this.all = 0;
    this.list = h("ol", {id: "moves", class: "moves", "aria-label": t("the moves"), tabindex: "0"});
    this.buttons = {
      first: button("first", t("First position"), () => jump(0), {short: true, id: "go-first"}),
      back: button("back", t("One move back"), () => this.step(-1), {short: true, id: "go-back"}),
      next: button("next", t("One move on"), () => this.step(1), {short: true, id: "go-next"}),
      last: button("last", t("Last position"), () => jump(this.all), {short: true, id: "go-last"}),
    };
    this.element = h("div", {class: "moves-box"}, this.list,
      h("div", {class: "row transport"}, Object.values(this.buttons), numbersSwitch(() => this.jump(this.ply))));
    this.list.addEventListener("click", (event) => {
      const ply = origin(event, "[data-ply]")?.dataset.ply;
      if (ply !== undefined) jump(Number(ply));
    });
    new ResizeObserver(() => this.#follow()).observe(this.list);
  }

  step(by) {
    this.jump(clamp(this.ply + by, 0, this.all));
  }

  /** Show a game after `ply` plies. `notes`: {kind, title} of a mark, by the ply's index from 0; `seconds`: by ply. */
  show(board, moves, ply, {notes = {}, seconds = []} = {}) {
    const cells = moves.moves;
    const sign = JSON.stringify([board.env, board.cols, cells, notes]);
    if (sign !== this.sign) {
      this.sign = sign;
      put(this.list, cells.map((cell, at) => this.#move(board, moves, cell, at, notes[at], seconds[at])));
    }
    this.ply = ply;
    this.all = cells.length;
    this.list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const now = this.list.querySelector(`[data-ply="${ply}"]`);
    now?.setAttribute("aria-current", "true");
    this.#follow();
    this.buttons.first.disabled = this.buttons.back.disabled = ply === 0;
    this.buttons.next.disabled = this.buttons.last.disabled = ply === cells.length;
  }

  #move(board, moves, cell, at, note, seconds) {
    const title = [at < moves.opening ? t("opening") : "", seconds ? spent(seconds) : "",
      note?.title || ""].filter(Boolean).join(" · ");
    return h("li", {}, chip(moverOf(board, at), {ply: at + 1}, title, [note?.kind, at < moves.opening && "book"],
      cellName(cell, board)));
  }

  /** Scroll the list so that the current move is visible. */
  #follow() {
    const element = $("[aria-current]", this.list);
    if (!element) {
      this.list.scrollTop = 0;
      return;
    }
    const top = element.offsetTop - this.list.offsetTop;
    if (top < this.list.scrollTop || top + element.offsetHeight > this.list.scrollTop + this.list.clientHeight) {
      this.list.scrollTop = top - this.list.clientHeight / 2;
    }
  }

  /** Handle the left and right arrow keys, Home and End. Returns whether the key was one of these. */
  key(event) {
    const act = {ArrowLeft: () => this.step(-1), ArrowRight: () => this.step(1), Home: () => this.jump(0),
      End: () => this.jump(this.all)}[event.key];
    act?.();
    return Boolean(act);
  }
}
