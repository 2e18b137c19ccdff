// The menu "Share" of a game: it copies the game's link at once if the game has moves, and offers the link of the position alone, pictures, and texts.
// In a file on a disk, whose address nobody else can open, the link is only its part from "#" on.

import {download, h, put} from "../dom.js";
import {cellName, fileName, t} from "../language.js";
import {linkOf, MARKS} from "./link.js";
import {MADE, menu, menuRow} from "./save_menu.js";

/** `what()`: the game, {board, position, names}, and `ply`, the ply that is shown. `shown`: the Board. */
export function shareMenu(what, shown) {
  const told = h("p", {class: "note", role: "status"});
  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      put(told, t("Copied: {text}", {text}));
    } catch {
      put(told, t("The browser does not allow copying: {text}", {text}));
    }
  };
  return menu("link", t("Share"), "share", () => {
    const {board, position, names, ply} = what(), {rows, cols} = board, {stones} = shown.state, moves = position.moves.slice(0, ply);
    const disk = location.protocol === "file:", link = (game) => `${disk ? "" : location.href.split("#")[0]}#${linkOf(game, cols, ply)}`;
    const picture = (ending) => async () => download(fileName({board, names}, ply, ending), await MADE[ending](shown.svg));
    const lines = [...Array(rows).keys()].map((row) => stones.slice(row * cols, (row + 1) * cols).map((stone) => MARKS[stone]).join(""));
    if (position.moves.length) copy(link(position));
    return [h("li", {}, told), menuRow(t("Whole game, at move {n}", {n: ply}), t("link"), () => copy(link(position))),
      menuRow(t("Only this position"), t("link"), () => copy(link({...position, moves}))),
      h("li", {}, h("p", {class: "note"}, disk ? t("Paste the link behind the address of any tengen page, or into Replay there.")
        : t("A link opens only in a tengen page on this computer. Another person opens it with the file of " +
          "“Save as”, HTML, or in their own tengen page: the part after # stays the same."))),
      ["png", "svg"].map((ending) => menuRow(ending.toUpperCase(), t("a picture of this position"), picture(ending))),
      menuRow(t("Moves"), t("as text"), () => copy(moves.map((cell) => (cell < 0 ? "pass" : cellName(cell, board))).join(" "))),
      menuRow(t("Board"), t("as text"), () => copy(lines.join("\n")))];
  });
}
