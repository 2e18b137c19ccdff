// The evaluation bar beside a board: the chances of both sides to win, Black's part at the bottom. On a phone the bar lies above the board.

import {h} from "../dom.js";
import {side, t} from "../language.js";

export class EvalBar {
  constructor() {
    this.text = h("span", {class: "chance-text"});
    this.element = h("div", {class: "chance", role: "img", hidden: true}, h("i", {class: "chance-black"}), this.text);
    this.show(null);
  }

  /** Show Black's chance to win, from 0 to 1; null while it is not known: then the bar keeps its place, and is pale. */
  show(chance) {
    const black = Math.round((chance ?? 0.5) * 100), leader = black < 50 ? 2 : 1, known = chance !== null;
    this.element.classList.toggle("unknown", !known);
    if (known) this.element.style.setProperty("--chance", chance);
    this.element.dataset.leader = String(leader);
    this.text.textContent = known ? String(Math.max(black, 100 - black)) : "";
    this.element.ariaLabel = this.element.title = known ? t("Chance to win: {black} {b} %, {white} {w} %",
      {black: side(1), white: side(2), b: black, w: 100 - black}) : t("Chance to win: not known yet");
  }
}
