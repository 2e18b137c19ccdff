// The user's mistakes as exercises, in the browser's storage, with the day on which each is to be tried again. The days are
// those of the user's clock. The analysis of a game (game_report.js) decides which moves are mistakes.
//
// An exercise: `id`, the tree, the node of the move and the ply; `position`, a PagePosition before the move; `board`, `stones`: for
// its picture; `names`; `player`, 1 or 2; `cell`, the move that was played; `verdict`, `before`: of MoveAnalysis; `line`: the best one.
// `step`: how often it was found on its day; `due`: the day of the next try, as 2026-11-30, "" once it is learned.

import {fitting, isFault} from "../analysis/game_report.js";
import {stonesAfter} from "../board/geometry.js";
import {keep, setting} from "../dom.js";
import {upTo} from "../files/games.js";
import {t, when} from "../language.js";

const DAYS = [1, 3, 7]; // days from finding a move to the next try; found after the last one, the move is learned
const MOST_EXERCISES = 300; // most exercises that are stored, about 2 kB each; the browser's storage holds 5 MB
const LINE_MOVES = 24; // most moves of a stored line

/** The day in so many days. */
export function day(more = 0) {
  const date = new Date();
  date.setDate(date.getDate() + more);
  return date.toLocaleDateString("sv"); // Sweden writes dates as ISO 8601
}

/** The kept exercises, those with the earliest day first, the learned ones last. */
export const allExercises = () => setting("mistakes", []).sort((a, b) => (a.due || "9").localeCompare(b.due || "9"));

export const isDue = ({due}) => due !== "" && due <= day();

/** When an exercise is to be tried again, in words. */
export const dueWords = (due) => (due === "" ? t("learned") : due <= day() ? t("today") : due === day(1) ? t("tomorrow") : when(`${due}T12:00`));

/** Store exercises. An exercise that is already stored does not change. */
export function keepExercises(exercises) {
  const all = allExercises(), known = new Set(all.map(({id}) => id));
  keep("mistakes", [...all, ...exercises.filter(({id}) => !known.has(id))].slice(0, MOST_EXERCISES));
}

export const dropExercise = (id) => keep("mistakes", allExercises().filter((each) => each.id !== id));

/** Keep the outcome of a try: whether the user found a move that is good enough, without help. */
export function tried(exercise, found) {
  keepExercises([exercise]);
  keep("mistakes", allExercises().map((each) => {
    if (each.id !== exercise.id || (found && !isDue(each))) return each; // solved before its day: the day stays
    const {step} = each;
    return {...each, step: found ? step + 1 : 0, due: found && step >= DAYS.length ? "" : day(found ? DAYS[step] : 1)};
  }));
}

/** The mistakes of both sides in the analysis of a tree's main line; null if the analysis is none of that line. */
export function exercisesOf(tree, analysis) {
  const line = tree.line(0), {board, moves, position, ids} = tree.shown(line[line.length - 1]);
  const found = analysis && fitting(analysis, moves.moves);
  return found && found.moves.filter((move) => isFault(move) && move.best !== move.cell).map(({ply, player, cell, verdict, before, lines}) => ({
    id: `${tree.state.tree}/${ids[ply]}/${ply}`, position: upTo(position, ply), player: player + 1, cell, verdict, before,
    names: tree.state.names, board: {rows: board.rows, cols: board.cols, kind: board.kind}, stones: stonesAfter(board, moves, ply).stones,
    line: {...lines[0], moves: lines[0].moves.slice(0, LINE_MOVES)}, step: 0, due: day()}));
}
