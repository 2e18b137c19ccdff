// #proof: the proof that Black wins gobang, to walk through. #proof/MOVES: from these moves on, such as h8h7g7.
// Elements: those of proof_walk.js.

import {h, put} from "../shared/dom.js";
import {language, t} from "../shared/language.js";
import {loadMore} from "../shared/more.js";
import {ProofWalk} from "./proof_walk.js";
import {introduction} from "./proof_words.js";
import {address, entitle, leave} from "../shared/telling.js";
import {cellName} from "../shared/words.js";

const CELL = /([a-o])(1[0-5]|[1-9])/g;
let data = null; // of the server, loaded once

/** Load the proof's data, ProofData of proof_page.py. Rejects with a sentence if the server has it not. */
async function load() {
  if (data) return;
  const answer = await fetch("/proof.json").catch(() => null), content = await answer?.json().catch(() => ({}));
  if (!content?.book) throw new Error(content?.problem || t("The server does not answer. Is it still running?"));
  data = content;
}

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
    await load();
  } catch (error) {
    if (!part.closed) leave("#play", error);
    return;
  }
  if (part.closed) return;
  const viewer = h("div", {class: "viewer"});
  part.walk = new ProofWalk(viewer, {t, language, data, within: main, onmoves: (cells) => {
    const text = cells.map((cell) => cellName(cell, data.board, t)).join("");
    address(`#proof/${text}`);
  }});
  put(main, introduction(t, viewer, part.walk.gallery));
  part.walk.open(cellsOf(moves));
}

/** The cells of a text of moves, up to the first that cannot be played. */
function cellsOf(text) {
  const cells = [...text.matchAll(CELL)].map(([, column, row]) => (Number(row) - 1) * data.board.cols + column.charCodeAt(0) - 97);
  const twice = cells.findIndex((cell, at) => cells.indexOf(cell) < at);
  return twice < 0 ? cells : cells.slice(0, twice);
}
