// The verdicts of the analysis in words. docs/en/reference/analysis.md explains the thresholds, which are in the server.

import {t} from "../language.js";

// Verdicts of bad moves, the worst first, each with its CSS class and kind of mark (marks.js). Inaccuracies are marked
// as mistakes on the board, and left out of the graph and of the buttons "Previous mistake" and "Next mistake".
export const FAULTS = {"missed win": "missed", blunder: "blunder", mistake: "mistake", inaccuracy: "inaccuracy"};
export const SIGNS = {"missed win": "×", blunder: "??", mistake: "?", inaccuracy: "?!", "only move": "!"};

export function verdictWord(verdict) {
  return {"missed win": t("missed win"), blunder: t("blunder"), mistake: t("mistake"), inaccuracy: t("inaccuracy"),
    "only move": t("only move")}[verdict] || "";
}

export function verdictAbout(verdict) {
  return {
    "missed win": t("A proved win was there, and is gone."),
    blunder: t("It gives away 30 percentage points of the chance to win, or more."),
    mistake: t("It gives away 15 percentage points of the chance to win, or more."),
    inaccuracy: t("It gives away 7 percentage points of the chance to win, or more."),
    "only move": t("Every other move gives away 15 percentage points, or more."),
  }[verdict] || "";
}
