// Says in a room of gobang whether the position is inside the proof that Black wins, and links to the walk through it.
// Element: #proved.

import {h, icon, put} from "../shared/dom.js";
import {number, t} from "../shared/language.js";
import {cellName} from "../shared/words.js";

const worker = new Worker("/page/proof/proof_worker.js", {type: "module"});

/** Fill the element for a game with these moves; hide it outside the proof. `current()`: whether it still shows them. */
export function showProved(element, board, moves, current) {
  worker.onmessage = ({data: {moves: asked, inside, replies}}) => {
    if (String(asked) !== String(moves) || !current()) return;
    element.hidden = !inside;
    const address = `#proof/${moves.map((cell) => cellName(cell, board, t)).join("")}`;
    put(element, h("strong", {}, icon("check"), t("Proved: Black wins")), h("br"), h("span", {}, replies ? replyWords(replies)
      : t("Black has an answer from here to the five.")), " ", h("a", {href: address, id: "walk-proof"}, t("Walk through it")));
  };
  worker.postMessage(moves);
}

function replyWords([prepared, rest]) {
  const n = number(prepared + rest);
  if (!rest) return t("Each of White's {n} replies has a prepared answer.", {n});
  if (!prepared) return t("After each of White's {n} replies Black wins by threats.", {n});
  return t("White has {n} replies: {m} have a prepared answer, and after {k} Black wins by threats.",
    {n, m: number(prepared), k: number(rest)});
}
