// Looks games up in the proof in a thread of its own, since a search may take a third of a second. A message is the cells of
// a game; the answer is {moves, inside, replies}: how many of White's replies are prepared and how many are lost otherwise,
// null with Black to move.

import {Proof} from "./proof_book.js";

const proof = fetch("/proof.json").then((answer) => answer.json()).then((data) => new Proof(data));

addEventListener("message", async ({data: moves}) => {
  const known = await proof, inside = known.inside(moves);
  let replies = null;
  if (inside && moves.length % 2) {
    const {prepared, ...lost} = known.replies(moves);
    replies = [prepared.length, Object.values(lost).flat().length];
  }
  postMessage({moves, inside, replies});
});
