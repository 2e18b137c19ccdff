// What the proof shows, in words, around the board (proof_walk.js) and the gallery.

import {h} from "../shared/dom.js";

export function introduction(t, viewer, gallery) {
  return h("div", {class: "viewer-page"}, h("div", {class: "viewer-head"}, h("h2", {tabindex: -1}, t("Proved: Black wins gobang")),
    h("p", {class: "note"}, t("15x15, five or more in a row win, nothing is forbidden, Black begins: whatever White does, Black wins."))),
  viewer, h("section", {class: "panel"}, h("h2", {}, t("The hardest lines")),
    h("p", {class: "note"}, t("White has 35 second moves, up to turns and mirror images. Each picture is the game in which White holds out " +
      "longest; White's second move has a red dot. Click on a picture to play its game.")), gallery));
}
