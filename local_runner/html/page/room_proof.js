// Says in a room of gobang whether the position is inside the proof that Black wins, and links to the walk through it.
// Element: #proved.

import {h, icon, put} from "./dom.js";
import {number, t} from "./language.js";
import {proofData} from "./proof.js";
import {Proof} from "./proof_book.js";
import {cellName} from "./words.js";

let proof = null;

/** Fill the element for a game with these moves; hide it outside the proof. `current()`: whether it still shows them. */
export async function showProved(element, board, moves, current) {
  proof ||= new Proof(await proofData());
  if (!current()) return;
  element.hidden = !proof.inside(moves);
  if (element.hidden) return;
  const address = `#proof/${moves.map((cell) => cellName(cell, board, t)).join("")}`;
  put(element, h("strong", {}, icon("check"), t("Proved: Black wins")), h("br"), h("span", {}, moves.length % 2 ? replies(moves)
    : t("Black has an answer from here to the five.")), " ", h("a", {href: address, id: "walk-proof"}, t("Walk through it")));
}

function replies(moves) {
  const {prepared, ...won} = proof.replies(moves), rest = Object.values(won).flat().length, n = number(prepared.length + rest);
  if (!rest) return t("Each of White's {n} replies has a prepared answer.", {n});
  if (!prepared.length) return t("After each of White's {n} replies Black wins by threats.", {n});
  return t("White has {n} replies: {m} have a prepared answer, and after {k} Black wins by threats.",
    {n, m: number(prepared.length), k: number(rest)});
}
