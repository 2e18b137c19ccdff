// The dialog that "?" opens. The dialog explains the keys, the marks on the board, and the verdicts of an analysis.
// Element: #help.

import {VERDICTS} from "./analysis/game_report.js";
import {h} from "./dom.js";
import {t} from "./language.js";
import {legend} from "./look/report.js";
import {dialog} from "./telling.js";

export function help() {
  const rows = [
    [["?"], t("this help")],
    [["↑", "↓", "←", "→"], t("on the board: choose a cell")],
    [["Enter", t("Space")], t("on the board: play there")],
    [["←", "→"], t("beside the board: one move back, one move on")],
    [["Home", "End"], t("first and last position")],
    [[t("Space")], t("in a replay: play or stop; between two agents: pause or go on")],
    [["H"], t("hint")],
    [["U"], t("undo")],
    [["M"], t("our engine moves now")],
    [["A"], t("again, with the other colours")],
    [["L"], t("look inside")],
    [["F"], t("turn the board")],
    [["G"], t("evaluation bar")],
    [["E"], t("in the analysis: opening explorer")],
    [["1", "…", "9"], t("show one of the best lines on the board")],
    [["N", "P"], t("in the analysis: next and previous mistake")],
    [["B"], t("in the analysis: what should have been played")],
    [["U", "B", "N"], t("in an exercise: try again, answer, next")],
    [["↑", "↓"], t("in the analysis: previous and next variation")],
    [["Del", "V", "C"], t("in the analysis: delete the move, make its variation the first, comment on it")],
    [["Esc"], t("close a window")],
  ];
  dialog("help", t("Keys and marks"), h("div", {class: "help-parts"},
    h("section", {}, h("h3", {}, t("Keys")), h("dl", {class: "keys"}, rows.map(([names, words]) => [
      h("dt", {}, names.map((name) => h("kbd", {}, name))), h("dd", {}, words)]))),
    h("section", {}, h("h3", {}, t("Marks on the board")), legend(), h("h3", {}, t("Analysis")), h("dl", {class: "keys"},
      Object.values(VERDICTS).map(({sign, word, about}) => [h("dt", {}, h("b", {}, sign)),
        h("dd", {}, t("{what}: {about}", {what: word, about}))])))));
}
