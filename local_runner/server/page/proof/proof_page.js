// The page of `tengen proof --html`: the longest lines of the proof to walk through, without a server.
//
// `data` has the fields of ProofData and `images`: eight turns and mirror images of each line, as cells.

import {$} from "../dom.js";
import {data, t} from "../language.js";
import {ProofWalk} from "./proof_walk.js";
import {begin} from "../saved/single.js";

let walk = null, moves;

begin(() => {
  walk?.remove();
  document.title = t("Black wins gobang");
  walk = new ProofWalk({data, ask, within: $("main"), onmoves: (cells) => { moves = cells; }});
  walk.open(moves);
  return t("The proof");
});

/** The proof's answer for the position after `cells`, from the lines of this page; as `ask` of ProofWalk. */
async function ask(cells) {
  const held = data.images.filter((image) => cells.every((cell, at) => image[at] === cell)), ply = cells.length;
  const next = [...new Set(held.filter((image) => image.length > ply).map((image) => image[ply]))];
  const at = data.images.findIndex((image) => String(image) === String(cells)), {cells: line, five} = data.lines[at >> 3] ?? {};
  return {inside: held.length > 0, cell: ply % 2 ? null : next[0] ?? null, replies: ply % 2 ? next : [], line: [],
    five: at < 0 ? [] : five.map((cell) => cells[line.indexOf(cell)])};
}
