// The answer of the proof that Black wins gobang, for a position; our engine on the server gives it. A room shows it as
// a sentence with a link to the walk through the proof. Element: #proved.

import {h, icon, put} from "../dom.js";
import {cellName, language, number, t} from "../language.js";

/** The server's JSON answer. Rejects with an Error, whose message is a sentence for the user. */
export async function fetchProof(path) {
  const answer = await fetch(`${path}?language=${language}`).catch(() => null), content = await answer?.json().catch(() => null);
  if (!content || content.problem) throw new Error(content?.problem || t("The server does not answer. Is it still running?"));
  return content;
}

/** The proof's answer for the position after `cells`, as `ask` of ProofWalk. */
export const proofOf = (cells, board) => fetchProof(`/proof/${cells.map((cell) => cellName(cell, board)).join("")}`);

/** Fill the element for a game with these moves; hide it outside the proof. `current()`: whether it still shows them. */
export async function showProved(element, board, moves, current) {
  const answer = await proofOf(moves, board).catch(() => null); // without an answer it stays hidden
  if (!current()) return;
  element.hidden = !answer?.inside;
  if (element.hidden) return;
  const address = `#proof/${moves.map((cell) => cellName(cell, board)).join("")}`;
  put(element, h("strong", {}, icon("check"), t("Proved: Black wins")), h("br"), h("span", {}, moves.length % 2
    ? replyWords(answer.replies.length, board.stones.length - moves.length - answer.replies.length)
    : t("Black has an answer from here to the five.")), " ", h("a", {href: address, id: "walk-proof"}, t("Walk through it")));
}

function replyWords(prepared, rest) {
  const n = number(prepared + rest);
  if (!rest) return t("Each of White's {n} replies has a prepared answer.", {n});
  if (!prepared) return t("After each of White's {n} replies Black wins by threats.", {n});
  return t("White has {n} replies: {m} have a prepared answer, and after {k} Black wins by threats.",
    {n, m: number(prepared), k: number(rest)});
}
