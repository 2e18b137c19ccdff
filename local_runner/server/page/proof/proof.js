// #proof: the proof that Black wins gobang, to walk through. #proof/MOVES: from these moves on, such as h8h7g7.
// This module also shows in a room whether its game is inside the proof.

import {fetched} from "../connection.js";
import {$, h, icon, put} from "../dom.js";
import {cellName, t} from "../language.js";
import {readLink} from "../files/link.js";
import {ProofWalk} from "./proof_walk.js";
import {address, entitle, tell} from "../telling.js";

let proof = null; // the server's answer with the whole proof, loaded once

export async function openProof(main, [moves = ""]) {
  entitle(t("The proof"));
  proof ||= await fetched("/proof");
  put(main, h("h1", {tabindex: "-1", class: "unseen"}, t("The proof")), h("div"));
  const walk = new ProofWalk({data: proof, ask: (cells) => proofOf(cells, proof.board).catch(tell), within: $("div", main),
    onmoves: (cells) => address(`#proof/${textOf(cells, proof.board)}`)});
  walk.open(cellsOf(moves));
  return {close: () => walk.remove()};
}

/** The cells of a text of moves, up to the first that cannot be played. */
function cellsOf(text) {
  const {moves} = readLink(`m=${text}`, () => proof.board).position, twice = moves.findIndex((cell, at) => cell < 0 || moves.indexOf(cell) < at);
  return twice < 0 ? moves : moves.slice(0, twice);
}

const textOf = (cells, board) => cells.map((cell) => cellName(cell, board)).join("");

/** The proof's answer for the position after `cells`, as `ask` of ProofWalk. */
const proofOf = (cells, board) => fetched(`/proof/${textOf(cells, board)}`);

/** Fill the empty element for a game with these moves, if it is inside the proof. `current()`: whether it still shows them. */
export async function showProved(element, board, moves, current) {
  const answer = await proofOf(moves, board).catch(() => null); // without an answer the element stays hidden
  if (!current() || !answer?.inside) return;
  put(element, h("strong", {}, icon("check"), t("Proved: Black wins")), " ",
    h("a", {href: `#proof/${textOf(moves, board)}`, id: "walk-proof"}, t("Walk through it")));
}
