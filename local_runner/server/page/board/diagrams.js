// Diagrams for the printer: a board for every ten moves of a game, with the numbers of these moves. They are drawn when the user prints.

import {h, put, setting} from "../dom.js";
import {t} from "../language.js";
import {Board} from "./board.js";
import {stonesAfter} from "./geometry.js";

const EACH = 10; // moves of a diagram

/** The place of the diagrams, which is empty on the screen. `game()` returns the game, {board, moves}, null without one. */
export function diagrams(game) {
  const box = h("section", {class: "diagrams"});
  const fill = () => {
    if (!box.isConnected) {
      removeEventListener("beforeprint", fill);
      return;
    }
    const {board = null, moves = {moves: []}} = game() ?? {}, all = moves.moves.length;
    put(box, Array.from({length: Math.ceil(all / EACH)}, (_, at) => diagram(board, moves, at * EACH, Math.min(all, (at + 1) * EACH))));
  };
  addEventListener("beforeprint", fill);
  addEventListener("afterprint", () => put(box));
  return box;
}

function diagram(board, moves, from, to) {
  const figure = h("figure"), {stones, numbers} = stonesAfter(board, moves, to);
  new Board(figure).draw({board, stones, numbers: new Map([...numbers].filter(([, number]) => number > from)),
    turned: setting("turned", false), line: to === moves.moves.length ? moves.line : []});
  figure.append(h("figcaption", {}, t("Moves {from} to {to}", {from: from + 1, to})));
  return figure;
}
