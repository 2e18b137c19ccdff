// The page of `tengen proof --html`: the proof to walk through, without a server.
//
// `data` has language ("" for that of the browser), texts (of each language except English), and the fields of ProofData.

import {h} from "../shared/dom.js";
import {ProofWalk} from "./proof_walk.js";
import {introduction} from "./proof_words.js";
import {top, wished} from "../saved/single.js";
import {filled} from "../shared/words.js";

const data = JSON.parse(document.getElementById("data").textContent);
const main = document.querySelector("main");
let walk = null, moves;

function start(language) {
  const texts = data.texts[language] || {}, t = (text, fields) => filled(texts[text] || text, fields);
  const viewer = h("div", {class: "viewer"});
  document.title = t("Black wins gobang");
  walk?.remove();
  top(language, t("The proof"), start);
  walk = new ProofWalk(viewer, {t, language, data, within: main, onmoves: (cells) => { moves = cells; }});
  main.replaceChildren(introduction(t, viewer, walk.gallery));
  walk.open(moves);
}

start(data.language || wished());
