// #analyse/GAME: the analysis of a whole game. #analyse: a form that asks for a game (game_form.js).
// Elements: #board, #graph, #times, #verdict, #better, #mistake-back, #mistake-next, #accuracy, #progress, #stop,
// #moves, #seconds, #look.

import {Chart} from "./chart.js";
import {connection} from "./connection.js";
import {$, button, dot, h, put} from "./dom.js";
import {exportMenu} from "./exports.js";
import {askForGame} from "./game_form.js";
import {handed, playOn, upTo} from "./handed.js";
import {number, percent, side, t} from "./language.js";
import {LineList} from "./line_list.js";
import {chanceOf} from "./look_marks.js";
import {LookPanel} from "./look_panel.js";
import {loadMore} from "./more.js";
import {MovesList} from "./moves_list.js";
import {Stage} from "./stage.js";
import {entitle, leave, say} from "./telling.js";
import {FAULTS, SIGNS, verdictAbout, verdictWord} from "./verdicts.js";
import {cellName} from "./words.js";

export function open(main, [name]) {
  loadMore();
  const game = name ? handed(name) : null;
  if (name && !game) {
    leave("#analyse", new Error(t("This browser no longer has the game of this address. Open the game again.")));
    return null;
  }
  return game ? new Analysis(main, game) : askForGame(main, t("Analyse a game"), t("Analyse"), "analyse");
}

class Analysis {
  constructor(main, game) {
    this.game = game;
    this.ply = game.ply ?? game.position.moves.length;
    this.seconds = 0.2;
    this.stage = new Stage({id: "board"});
    this.moves = new MovesList((ply) => this.jump(ply));
    this.chart = new Chart((ply) => this.jump(ply));
    this.lines = new LineList((cells, first) => this.#ghost(cells, first));
    this.look = new LookPanel({stage: this.stage, source: () => this.#lookedAt()});
    this.heading = h("h1", {tabindex: "-1", class: "unseen"}, t("Analysis"));
    this.verdict = h("div", {id: "verdict", class: "verdict", "aria-live": "polite"});
    this.progress = h("progress", {id: "progress", "aria-label": t("Positions analysed"), max: "1"});
    this.stopper = button("close", t("Stop"), () => this.#stop(), {id: "stop"});
    this.accuracy = h("div", {id: "accuracy", class: "accuracy"});
    this.problem = h("p", {class: "problem", id: "problem", role: "alert", hidden: true});
    if (game.names) entitle(t("Analyse") + t(": ") + game.names.join(" – "));
    put(main, this.heading, h("div", {class: "room-layout analysis"},
      h("section", {class: "stage-holder", "aria-label": t("Board")}, this.stage.element),
      h("div", {class: "side"}, h("section", {class: "panel game-panel", "aria-label": t("Analysis")}, this.problem, this.accuracy,
        h("div", {class: "row"}, this.progress, this.stopper), this.chart.element, this.#buttons(), this.verdict, this.lines.element, this.moves.element,
        this.#actions())), this.look.element));
    this.#load();
  }

  close() {
    this.closed = true;
    this.unfollow?.();
    this.lines.close();
    this.look.close();
  }

  key(event) {
    const act = {n: () => this.#toMistake(1), p: () => this.#toMistake(-1), b: () => $("#better")?.click(),
      l: () => this.look.toggle()}[event.key.toLowerCase()];
    act?.();
    return Boolean(act) || this.moves.key(event) || this.look.key(event);
  }

  async #load() {
    try {
      const {board, moves, problem} = await connection.ask({type: "show", position: this.game.position});
      if (this.closed) return;
      this.board = board;
      this.played = moves;
      this.#showProblem(problem || this.game.problem || "");
      if (problem && !moves.moves.length) {
        this.#stop();
        this.jump(0);
        return;
      }
      this.game = {...this.game, position: upTo(this.game.position, moves.moves.length)}; // only what can be played
      this.ply = Math.min(this.ply, moves.moves.length);
    } catch (error) {
      if (!this.closed) leave("#analyse", error);
      return;
    }
    if (this.game.analysis?.finished) this.#analysed(this.game.analysis);
    else this.#start();
    this.jump(this.ply);
  }

  #showProblem(sentence) {
    this.problem.textContent = sentence;
    this.problem.hidden = !sentence;
  }

  #start() {
    if (!this.board) return; // #load starts the analysis when the board is known
    this.unfollow?.();
    this.analysis = null;
    this.progress.hidden = this.stopper.hidden = false;
    this.progress.value = 0;
    this.unfollow = connection.follow({type: "analyse", position: this.game.position, seconds: this.seconds},
      (message) => {
        this.progress.value = message.done / Math.max(1, message.all);
        this.#analysed(message.analysis);
      }, {type: "stop_analysing"}, (error) => {
        this.#stop();
        this.#showProblem(error.message);
      });
    this.#analysed(null);
  }

  /** Stop the analysis. The page keeps the results so far. */
  #stop() {
    this.unfollow?.();
    this.unfollow = null;
    this.progress.hidden = this.stopper.hidden = true;
  }

  #analysed(received) {
    const analysis = received && fitting(received, this.game.position.moves.length);
    this.analysis = analysis;
    this.byPly = new Map((analysis?.moves || []).map((move) => [move.ply + 1, move]));
    this.progress.hidden = this.stopper.hidden = Boolean(analysis?.finished);
    if (analysis?.finished) {
      this.game.analysis = analysis;
      say(t("The analysis is finished."));
    }
    const faults = this.#faults();
    const chances = analysis?.chances || [...Array(this.game.position.moves.length + 1)].fill(null);
    this.chart.show(chances, faults.map((move) => ({ply: move.ply + 1, kind: FAULTS[move.verdict],
      title: `${move.ply + 1}. ${cellName(move.cell, this.board, t)}${t(": ")}${verdictWord(move.verdict)}`})),
    this.game.seconds || [], this.board.first);
    this.#showAccuracy();
    for (const id of ["mistake-back", "mistake-next"]) $(`#${id}`).disabled = !faults.length;
    this.jump(this.ply);
  }

  #faults() {
    return (this.analysis?.moves || []).filter((move) => move.verdict in FAULTS && move.verdict !== "inaccuracy");
  }

  #showAccuracy() {
    const {analysis} = this;
    const names = this.game.names || [side(1), side(2)];
    put(this.accuracy, h("table", {}, h("thead", {}, h("tr", {}, h("th", {scope: "col"}, t("Side")),
      h("th", {scope: "col", title: t("100 means that no move gave anything away.")}, t("Accuracy")),
      h("th", {scope: "col", title: verdictAbout("blunder")}, "??"), h("th", {scope: "col", title: verdictAbout("mistake")}, "?"),
      h("th", {scope: "col", title: verdictAbout("missed win")}, "×"))),
    h("tbody", {}, [0, 1].map((player) => {
      const count = analysis?.counts?.[player] || {};
      const value = analysis?.accuracy?.[player];
      return h("tr", {data: {player: player + 1}}, h("th", {scope: "row"}, dot(player + 1),
        h("span", {class: "player-name"}, names[player])), h("td", {class: "accuracy-value"},
        value === null || value === undefined ? "–" : number(value, 0)), h("td", {}, String(count.blunder || 0)),
      h("td", {}, String(count.mistake || 0)), h("td", {}, String(count["missed win"] || 0)));
    }))));
  }

  #buttons() {
    return h("div", {class: "row"},
      button("back", t("Previous mistake"), () => this.#toMistake(-1), {id: "mistake-back", disabled: true}),
      button("next", t("Next mistake"), () => this.#toMistake(1), {id: "mistake-next", disabled: true}));
  }

  #actions() {
    const speeds = [[0.05, t("fast")], [0.2, t("normal")], [1, t("thorough")]];
    return h("div", {class: "actions room-actions", role: "group", "aria-label": t("Actions")},
      button("play", t("Play on from here"), () => playOn(this.game.position, this.ply), {id: "act-continue"}),
      button("eye", t("Look inside"), () => this.look.toggle(), {id: "act-look", "aria-pressed": String(this.look.on)}),
      exportMenu(() => ({position: this.game.position, ply: this.ply, game: {board: this.board, moves: this.played,
        names: this.game.names}}), this.stage.board),
      h("label", {class: "count speed"}, h("span", {}, t("Analysis")), h("select", {id: "seconds",
        title: t("Seconds for each position"), on: {change: (event) => {
          this.seconds = Number(event.target.value);
          this.game.analysis = null;
          this.#start();
        }}}, speeds.map(([value, word]) => h("option", {value, selected: value === this.seconds}, word)))));
  }

  #toMistake(by) {
    const plies = this.#faults().map((move) => move.ply + 1);
    const next = by > 0 ? plies.find((ply) => ply > this.ply) ?? plies[0] : plies.findLast((ply) => ply < this.ply)
      ?? plies[plies.length - 1];
    if (next !== undefined) this.jump(next);
  }

  jump(ply) {
    if (!this.board) return;
    this.ply = ply;
    this.stage.ghost([], 1);
    this.#draw(ply);
    this.chart.move(ply);
    const notes = {};
    for (const [at, move] of this.byPly || []) {
      if (move.verdict) notes[at - 1] = {kind: FAULTS[move.verdict] || "", title: verdictWord(move.verdict)};
    }
    this.moves.show(this.board, this.played, ply, {notes, seconds: this.game.seconds || []});
    this.#judge(this.byPly?.get(ply));
    this.look.moved();
  }

  #draw(ply) {
    this.stage.show(this.board, this.played, ply);
    const move = this.byPly?.get(this.ply);
    const marks = [];
    if (ply === this.ply && move?.verdict in FAULTS) {
      const kind = move.verdict === "inaccuracy" ? "mistake" : FAULTS[move.verdict];
      if (move.cell >= 0) marks.push({cell: move.cell, kind, text: SIGNS[move.verdict], title: verdictAbout(move.verdict)});
      if (move.best >= 0 && move.best !== move.cell) {
        marks.push({cell: move.best, kind: "best", text: "★", title: t("The best move here.")});
      }
    }
    this.stage.mark("analysis", marks);
  }

  #judge(move) {
    if (!move) {
      put(this.verdict, h("p", {class: "note"}, this.ply === 0 ? t("The start of the game.") : t("Not analysed yet.")));
      this.lines.show([], 1, this.board);
      return;
    }
    const sign = SIGNS[move.verdict];
    put(this.verdict, h("p", {}, dot(move.player + 1), " ",
      h("b", {}, `${move.ply + 1}. ${cellName(move.cell, this.board, t)} ${sign || ""}`), " ", h("span", {class: `word ${FAULTS[move.verdict] || ""}`,
        title: verdictAbout(move.verdict)}, verdictWord(move.verdict))),
    h("p", {class: "note"}, t("Chance to win of {side}: {before} before, {after} after this move.", {side: side(move.player + 1),
      before: percent(chanceOf(move.before, move.player + 1)), after: percent(chanceOf(move.after, move.player + 1))})),
    move.best !== move.cell && move.best >= 0 && percent(move.before) !== percent(move.after) ? h("button", {type: "button", class: "button", id: "better",
      "aria-pressed": "false", on: {click: (event) => this.#better(event.currentTarget, move)}},
    t("What should have been played? {cell}", {cell: cellName(move.best, this.board, t)})) : null);
    this.lines.show(move.lines, move.player + 1, this.board);
  }

  /** Show the best line from the position before the move; a second press shows the game again. */
  #better(pressed, move) {
    const on = pressed.getAttribute("aria-pressed") !== "true";
    pressed.setAttribute("aria-pressed", String(on));
    this.#ghost(on ? move.lines[0]?.moves || [move.best] : [], move.player + 1);
  }

  #ghost(cells, first) {
    this.#draw(cells.length ? this.ply - 1 : this.ply);
    this.stage.ghost(cells, first);
  }

  #lookedAt() {
    if (!this.board || !this.analysis?.finished) return undefined;
    if (this.ply === this.played.moves.length && this.played.winner) return null;
    return {position: upTo(this.game.position, this.ply), board: this.board, ply: this.ply};
  }
}

/** An analysis with plies counted from the page's position. The server's count includes the stones that were set up. */
function fitting(analysis, plies) {
  const lead = analysis.chances.length - 1 - plies;
  if (lead <= 0) return analysis;
  const moves = analysis.moves.filter((move) => move.ply >= lead).map((move) => ({...move, ply: move.ply - lead}));
  return {...analysis, moves, chances: analysis.chances.slice(lead)};
}
