// A line of play as a button with the names of its cells. With the pointer on a name, the board shows the line up to
// that cell. With the focus on the button, the board shows the whole line.

import {h} from "../dom.js";
import {ghostsOf} from "./geometry.js";
import {cellName, t} from "../language.js";

/** The button. `shown`: the Board; `cells`: the line, -1 for a pass; `side`: the side that plays the first cell. */
export function lineOfPlay({shown, cells, side, label = ""}) {
  const {board} = shown.state;
  const words = cells.map((cell, index) => h("span", {data: {at: index}}, cellName(cell, board)));
  const upTo = (index) => shown.draw({ghosts: ghostsOf(board, shown.state.stones, cells.slice(0, index + 1), side)});
  const all = () => upTo(cells.length - 1), none = () => shown.draw({ghosts: []});
  const over = (event) => (event.target.dataset.at === undefined ? all() : upTo(Number(event.target.dataset.at)));
  return h("button", {type: "button", class: "line-of-play", title: t("Shows these moves on the board"),
    on: {pointerover: over, pointerleave: none, focus: all, blur: none, click: over}},
  label ? h("span", {class: "line-label"}, label) : null, words.flatMap((word) => [" ", word]));
}
