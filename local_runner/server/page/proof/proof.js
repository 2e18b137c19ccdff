// #proof: the proof that Black wins gobang, to walk through. #proof/MOVES: from these moves on, such as h8h7g7.
// Elements: those of proof_walk.js.

import {h, loadMore, put} from "../dom.js";
import {cellName, t} from "../language.js";
import {ProofWalk} from "./proof_walk.js";
import {fetchProof, proofOf} from "./proved.js";
import {address, entitle, leave, tell} from "../telling.js";

const CELL = /([a-o])(1[0-5]|[1-9])/g;
let data = null; // of the server, loaded once

export function open(main, [moves = ""]) {
  loadMore("proof/proof");
  const part = {close() { part.closed = true; part.walk?.remove(); }, key: (event) => Boolean(part.walk?.key(event))};
  put(main, h("h1", {class: "wait", tabindex: "-1"}, t("Loading …")));
  entitle(t("The proof"));
  show(main, moves, part);
  return part;
}

async function show(main, moves, part) {
  try {
    data ||= await fetchProof("/proof");
  } catch (error) {
    if (!part.closed) leave("#play", error);
    return;
  }
  if (part.closed) return;
  part.walk = new ProofWalk({data, ask, within: main, onmoves: (cells) => {
    address(`#proof/${cells.map((cell) => cellName(cell, data.board)).join("")}`);
  }});
  part.walk.open(cellsOf(moves));
}

/** The proof's answer for the position after `cells`; null after an error. */
const ask = (cells) => proofOf(cells, data.board).catch((error) => {
  tell(error);
  return null;
});

/** The cells of a text of moves, up to the first that cannot be played. */
function cellsOf(text) {
  const cells = [...text.matchAll(CELL)].map(([, column, row]) => (Number(row) - 1) * data.board.cols + column.charCodeAt(0) - 97);
  const twice = cells.findIndex((cell, at) => cells.indexOf(cell) < at);
  return twice < 0 ? cells : cells.slice(0, twice);
}
