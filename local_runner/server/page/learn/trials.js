// A row of exercises on a board: the user tries another move than the one that was played, the engine judges that move, and its
// reply is shown on the board. The request is that of the analysis of a game, so both have the same kinds of verdicts.

import {isFault, VERDICTS} from "../analysis/game_report.js";
import {other, turned} from "../board/geometry.js";
import {click, Stage} from "../board/stage.js";
import {connection} from "../connection.js";
import {button, dot, h, put} from "../dom.js";
import {cellName, percent, side, t} from "../language.js";
import {chanceOf, LineList} from "../look/report.js";
import {tell} from "../telling.js";
import {allExercises, dropExercise, dueWords, tried} from "./mistakes.js";

const TRIAL_SECONDS = 0.5; // seconds of search for each position; to judge a move takes two or three positions
const OUTCOMES = {undefined: ["", "·"], true: ["ok", "✓"], false: ["failed", "✕"]};

export class Trials {
  /**
   * `more`: an element below the buttons. `ended(first)` is called after the last exercise; `first`: by exercise, whether the first
   * try found a good move, undefined if there was no try.
   */
  constructor(main, exercises, more, ended) {
    this.queue = exercises.slice();
    this.first = new Map(exercises.map((exercise) => [exercise, undefined]));
    this.ended = ended;
    this.at = -1;
    this.shown = null; // {board, moves} of the exercise that is shown
    this.stage = new Stage({id: "board", onCell: (cell) => this.#clicked(cell)});
    this.lines = new LineList((cells, first) => this.stage.ghost(cells, first));
    this.starts = h("small", {id: "line-side"}); // who plays the first move of the line
    this.steps = h("ol", {class: "row wrap plain-list steps", "aria-hidden": "true", hidden: exercises.length < 2});
    this.count = h("small", {id: "count"});
    this.game = h("p", {class: "note"});
    this.task = h("p", {id: "task", class: "status", role: "status"});
    this.verdict = h("div", {id: "verdict", role: "status"});
    const make = (name, drawing, word, act, key) => button(drawing, word, act, {id: `learn-${name}`, title: t("{what} (key {key})", {what: word, key})});
    this.buttons = {
      again: make("again", "undo", t("Try again"), () => this.#again(), "U"),
      answer: make("answer", "hint", t("Answer"), () => this.#answer(), "B"),
      next: make("next", "next", t("Next"), () => this.next(), "N"),
    };
    put(main, h("div", {class: "room-layout learn"}, h("section", {class: "stage-holder", "aria-label": t("Board")}, this.stage.element),
      h("div", {class: "side"}, h("section", {class: "panel game-panel", "aria-labelledby": "learn-heading"},
        h("div", {class: "row spread"}, h("h1", {id: "learn-heading", tabindex: "-1"}, t("Learn from your mistakes")), this.count), this.steps,
        this.task, this.verdict, h("div", {class: "actions"}, Object.values(this.buttons)), this.starts, this.lines.element, more,
        this.game, h("p", {class: "note"}, t("The engine searches {n} s at each position. Moves count as " +
          "equally good if their chances to win differ by less than 7 percentage points.", {n: TRIAL_SECONDS}))))));
    this.next();
  }

  close() {
    this.closed = true;
    this.lines.close();
    this.#stop();
    if (connection.connected) connection.tell({type: "stop", what: "analyse"});
  }

  key(event) {
    const chosen = this.buttons[{n: "next", u: "again", b: "answer"}[event.key.toLowerCase()]];
    if (chosen && !chosen.hidden) chosen.click();
    return Boolean(chosen) || this.lines.focus(Number(event.key) - 1);
  }

  /** Go on to the next exercise. An exercise that was tried in vain comes again at the end. */
  async next() {
    const before = this.exercise;
    if (before && !this.found && this.first.get(before) !== undefined) this.queue.push(before);
    this.#stop();
    const exercise = this.exercise = this.queue[++this.at];
    if (!exercise) {
      this.close();
      this.ended(this.first);
      return;
    }
    const {position, names, player, cell, verdict, id} = exercise, shown = await connection.ask({type: "show", position});
    if (this.closed || this.exercise !== exercise) return;
    this.shown = shown;
    this.found = false;
    const {board} = shown, [tree, node] = id.split("/"), more = this.first.get(exercise) === undefined ? "" : `${t("Once more.")} `;
    this.count.textContent = t("{n} of {all}", {n: this.at + 1, all: this.queue.length});
    put(this.game, `${connection.title(board.env)}${t(": ")}${names.join(" – ")} · `,
      h("a", {id: "learn-game", href: `#analyse/${tree}/${node}`}, t("In the game")));
    this.#again();
    this.task.textContent = more + t("Move {n}: {cell} was played ({verdict}). Find a better move for {side}.",
      {n: position.moves.length + 1, cell: cellName(cell, board), verdict: VERDICTS[verdict].word, side: side(player, board.kind)});
    this.stage.board.focus();
  }

  #again() {
    this.#stop();
    this.#draw([]);
    this.#say();
  }

  #answer() {
    const {line, before} = this.exercise, {board} = this.shown;
    this.#stop();
    this.#judged("answer", t("The engine plays {cell}", {cell: cellName(line.moves[0], board)}),
      t("The chance to win is {chance} after it.", {chance: this.#chance(before)}), line);
  }

  /** Show the position of the exercise after the moves `tries`. */
  #draw(tries) {
    const {board, moves} = this.shown, {cell, verdict} = this.exercise, {kind, sign, about} = VERDICTS[verdict];
    const over = tries.map((one) => turned(board, this.stage.board.state.stones, one, moves.to_move));
    this.stage.ghost([], 1);
    this.stage.show(board, {...moves, moves: [...moves.moves, ...tries], turned: [...moves.turned, ...over]}, moves.moves.length + tries.length,
      {interactive: !this.found, legal: !board.all_free_legal && !tries.length});
    this.stage.mark("mistake", tries.length ? [] : [{cell, kind, text: sign, title: about}]);
  }

  async #clicked(cell) {
    if (!this.shown || this.found || this.unfollow) return;
    this.#draw([]);
    if (!this.stage.board.state.legal.includes(cell)) {
      this.stage.board.refuse(cell);
      return;
    }
    const {position, line, before} = this.exercise, name = cellName(cell, this.shown.board);
    click();
    if (cell === line.moves[0]) {
      this.#judged(true, t("Right"), t("{cell} is the engine's move, too: chance to win {chance}.", {cell: name, chance: this.#chance(before)}), line);
      return;
    }
    this.#draw([cell]);
    this.#say(null, t("The engine looks at {cell} …", {cell: name}));
    this.unfollow = connection.follow({type: "analyse", position: {...position, moves: [...position.moves, cell]}, seconds: TRIAL_SECONDS,
      since: position.moves.length}, ({analysis}) => { if (analysis.finished) this.#judge(analysis.moves[0]); }, false, (error) => {
      this.#again();
      tell(error);
    });
  }

  /** Say what the engine thinks of a try, a MoveAnalysis. */
  #judge(move) {
    this.#stop();
    const {exercise, shown: {board}} = this, {cell, reply, verdict} = move, best = move.lines[0].moves[0];
    const after = this.#chance(move.after), before = this.#chance(move.before), n = Math.round(100 * move.lost);
    const opponent = other(exercise.player), line = [reply, opponent], name = cellName(cell, board), wrong = isFault(move) || verdict === "inaccuracy";
    const chances = wrong ? t("{cell}: chance to win {after}.", {cell: name, after})
      : best === cell || after === before ? t("{cell}: chance to win {after}. No other move has more.", {cell: name, after})
        : t("{cell}: chance to win {after}, with {best} {before}.", {cell: name, after, best: cellName(best, board), before});
    const both = `${chances} ${reply ? t("{side} answers: {cell}.", {side: side(opponent, board.kind), cell: cellName(reply.moves[0], board)}) : ""}`;
    const lost = n < 100 ? t("Still loses about {n} percentage points of the chance to win", {n}) : t("Still loses the game");
    if (wrong) this.#judged(false, lost, both, ...line);
    else if (verdict === "only move") this.#judged(true, t("Better than the engine's first idea"), both, ...line);
    else if (cell !== exercise.cell) this.#judged(true, t("As good as the best move"), both, ...line);
    else {
      this.first.set(exercise, this.first.get(exercise) ?? true); // so #judged does not keep the exercise
      dropExercise(exercise.id);
      this.#judged(true, t("No mistake after all"), t("With more time the engine finds {cell} as good. The exercise is taken out.", {cell: name}), ...line);
    }
  }

  /** Show a verdict as #say does, and keep that of the first try. A line without `player` begins in the position of the exercise. */
  #judged(good, head, words, line, player = undefined) {
    const {exercise, first} = this;
    this.found = good === true;
    if (first.get(exercise) === undefined) {
      first.set(exercise, this.found);
      tried(exercise, this.found);
    }
    if (!player) this.#draw([]);
    const kept = this.found && allExercises().find(({id}) => id === exercise.id);
    const next = kept ? kept.due ? t("Next try: {when}.", {when: dueWords(kept.due)}) : t("The exercise is learned.") : "";
    this.#say(good, head, `${words} ${next}`, line, player);
  }

  /** Show a verdict and a line of play that `player` begins. `good`: null without a verdict, "answer" for the engine's move. */
  #say(good = null, head = "", words = "", line = null, player = this.exercise.player) {
    const {buttons, exercise, first, found} = this;
    put(this.verdict, good === null ? head && h("p", {class: "check-state"}, head)
      : h("div", {class: "verdict-box", data: {ready: good}}, h("strong", {}, head), h("span", {}, words)));
    this.lines.show(line ? [line] : [], player, this.shown.board);
    put(this.starts, line ? [dot(player), " ", t("{side} begins:", {side: side(player, this.shown.board.kind)})] : null);
    this.starts.hidden = !line;
    if (line) this.lines.play(0);
    buttons.again.hidden = found || good === null;
    buttons.answer.hidden = found || good === "answer";
    buttons.next.classList.toggle("primary", found);
    buttons.again.classList.toggle("primary", !found);
    put(this.steps, [...first].map(([each, right]) => h("li", {data: {severity: OUTCOMES[right][0]}, "aria-current": each === exercise ? "step" : null},
      h("i", {class: "sign"}, OUTCOMES[right][1]))));
  }

  #chance(black) {
    return percent(chanceOf(black, this.exercise.player));
  }

  /** Stop waiting for the engine's verdict. */
  #stop() {
    this.unfollow?.();
    this.unfollow = null;
  }
}
