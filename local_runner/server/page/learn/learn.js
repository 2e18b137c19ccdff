// #learn: the user's mistakes in all games. #learn/again: those to try today; #learn/again/ID: one. #learn/TREE, #learn/TREE/SIDE: the
// mistakes of a side in one game. #learn/file/FILE: those of a player in a file of games.

import {Tree} from "../analysis/tree.js";
import {thumbnail} from "../board/stage.js";
import {connection} from "../connection.js";
import {button, choice, field, h, keep, buttonLink, put, setting} from "../dom.js";
import {filePicker, FILES, listOf, openFile} from "../files/games.js";
import {cellName, number, side, t} from "../language.js";
import {VERDICTS} from "../analysis/game_report.js";
import {atWelcome, entitle, keptList, leave} from "../telling.js";
import {allExercises, dropExercise, dueWords, exercisesOf, isDue, keepExercises} from "./mistakes.js";
import {Trials} from "./trials.js";

const GAME_SECONDS = 0.2; // seconds of search for each position of a game, as in the analysis of a game

export async function openLearn(main, [name, part]) {
  entitle(t("Learn"));
  const view = new Learn(main);
  if (!name) view.overview();
  else if (name === "again") view.again(allExercises().filter((each) => (part ? each.id === part : isDue(each))));
  else if (name === "file") view.ofFile(part, await listOf(part));
  else view.ofGame(name, Number(part) || 0).catch((error) => leave("#learn", error));
  return view;
}

class Learn {
  constructor(main) {
    this.main = main;
    this.bar = h("progress", {"aria-label": t("Positions analysed"), max: "1", value: 0});
    this.state = h("p", {class: "check-state", role: "status"});
    this.finder = h("div", {class: "form", hidden: true}, this.state, h("div", {class: "row report-head"}, this.bar,
      button("close", t("Stop"), () => this.#stop(), {id: "learn-stop"})));
  }

  close() {
    this.closed = true;
    this.#stop();
    this.trials?.close();
  }

  key(event) {
    return this.trials?.key(event);
  }

  // ---- looking for mistakes

  /** Look for mistakes in games, one after another. `found(tree, exercises)`: called after each; `games`: names of trees, or functions that make one. */
  async #look(games, found) {
    this.finder.hidden = this.stopped = false;
    for (const [at, game] of games.entries()) {
      if (this.stopped) break;
      this.state.textContent = t("Looking for mistakes: game {n} of {all}", {n: at + 1, all: games.length});
      const name = typeof game === "string" ? game : (await connection.ask({type: "new_tree", ...game})).tree;
      const tree = await treeOf(name), known = exercisesOf(tree, tree.state.report) || await this.#analysed(tree);
      if (!this.closed) found(tree, known, game);
    }
    this.finder.hidden = true;
  }

  /** The mistakes in a tree's main line; if the user stops the analysis, those in its analysed part. */
  #analysed(tree) {
    return new Promise((resolve, reject) => {
      const line = tree.line(0), {position} = tree.shown(line[line.length - 1]);
      let analysis = null;
      this.end = () => {
        unfollow();
        resolve(exercisesOf(tree, analysis) || []);
      };
      const unfollow = connection.follow({type: "analyse", position, seconds: GAME_SECONDS, tree: tree.state.tree}, (message) => {
        this.bar.value = message.done / message.all;
        ({analysis} = message);
        if (analysis.finished) this.end();
      }, false, reject);
    });
  }

  #stop() {
    this.stopped = true;
    this.end?.();
    if (connection.connected) connection.tell({type: "stop", what: "analyse"});
  }

  // ---- the views

  /** The exercises, and the games that were not looked through yet. */
  overview() {
    const {box, show} = keptList("mistakes", t("All mistakes")), today = h("section", {class: "panel learn-today"}), rooms = h("div", {class: "row wrap"});
    const draw = () => {
      const all = allExercises(), now = all.filter(isDue).length, looked = setting("looked", []);
      const fresh = connection.welcome.rooms.filter((room) => room.to_move === 0 && room.plies > 1 && !looked.includes(room.room) && you(room) >= 0);
      put(today, h("div", {}, h("b", {class: "big-number"}, number(now)), " ", t("to try today")), h("p", {class: "note"}, !all.length
        ? t("Each mistake that the engine finds in a game of yours becomes an exercise: find a better move. A move found comes again " +
          "after 1, 3 and 7 days, one not found on the next day.") : dueCounts(all)),
      now ? h("a", {class: "button primary big", id: "learn-start", href: "#learn/again"}, t("Start")) : null);
      put(rooms, fresh.length ? button("eye", t("Look through my finished games ({n})", {n: fresh.length}), () => this.#look(fresh.map(({room}) => room),
        (tree, exercises, room) => {
          this.#yours(tree, exercises, 1 + you(fresh.find((each) => each.room === room)));
          draw();
        }), {id: "learn-look"}) : null);
      show(all.map((each) => [{data: {id: each.id}}, h("a", {href: `#learn/again/${encodeURIComponent(each.id)}`},
        h("div", {class: "room-picture"}, thumbnail(each.board, each.stones)),
        h("b", {}, `${each.position.moves.length + 1}. ${cellName(each.cell, each.board)} ${VERDICTS[each.verdict].sign}`),
        h("small", {}, dueWords(each.due)), h("span", {}, each.names.join(" – ")), h("small", {}, connection.title(each.position.env))),
      button("bin", t("Delete this exercise"), () => { dropExercise(each.id); draw(); }, {short: true, class: "plain"})]));
    };
    if (document.documentElement.dataset.ready) connection.refresh();
    put(this.main, h("div", {class: "narrow"}, h("h1", {tabindex: "-1"}, t("My mistakes")), today, h("section", {class: "panel form"},
      h("h2", {}, t("Find mistakes")), rooms, this.finder, filePicker("file", t("Choose a game file, or drop it anywhere on this page"), FILES, openFile),
      h("p", {class: "note"}, t("A log of the site, for example a game that you lost, or a file with many games."))), atWelcome(box, draw)));
  }

  /** Store the mistakes of the user in a game. */
  #yours(tree, exercises, player) {
    keepExercises(exercises.filter((each) => each.player === player));
    if (!this.stopped) keep("looked", [...setting("looked", []), tree.state.tree]);
  }

  async ofGame(name, wanted) {
    put(this.main, h("div", {class: "narrow"}, h("h1", {tabindex: "-1"}, t("Learn from your mistakes")), h("section", {class: "panel form"}, this.finder)));
    await this.#look([name], (tree, exercises) => {
      const {names} = tree.state, line = tree.line(0), {winner} = tree.nodes.get(line[line.length - 1]), mine = 1 + names.indexOf(t("You"));
      const of = (player) => exercises.filter((each) => each.player === player), most = of(2).length > of(1).length ? 2 : 1;
      const player = wanted || mine || {1: 2, 2: 1}[winner] || most, {kind} = tree.state.board;
      if (mine) this.#yours(tree, exercises, mine);
      const sides = [1, 2].map((each) => [each, `${[...new Set([side(each, kind), names[each - 1]])].join(t(": "))} (${of(each).length})`]);
      const whose = field(t("Mistakes of"), choice({id: "learn-side"}, sides, player, (each) => { location.hash = `#learn/${name}/${each}`; }));
      this.again(of(player), whose, buttonLink("chart", t("Analyse"), `#analyse/${name}`));
    });
  }

  /** Let the user try exercises. `more`: an element above; `back`: a link where to go afterwards. */
  again(exercises, more = null, back = null) {
    const done = (head, words) => {
      this.trials = null;
      put(this.main, h("div", {class: "narrow"}, h("h1", {tabindex: "-1"}, head), h("section", {class: "panel form"}, more, words,
        h("div", {class: "row wrap"}, h("a", {class: "button primary", id: "to-mistakes", href: "#learn"}, t("My mistakes")), back))));
      this.main.querySelector("h1").focus();
    };
    if (!exercises.length) {
      done(t("No mistakes here"), h("p", {}, t("The engine found none, or none is to be tried today.")));
      return;
    }
    this.trials = new Trials(this.main, exercises, more, (first) => {
      const found = [...first.values()].filter(Boolean).length, ids = new Set([...first.keys()].map(({id}) => id));
      done(t("Found at the first try: {n} of {all}", {n: found, all: first.size}), h("p", {}, dueCounts(allExercises().filter(({id}) => ids.has(id)))));
    });
  }

  /** Let the user choose a player of a file, whose mistakes in all its games are then looked for. */
  ofFile(file, {name, games}) {
    const counts = new Map();
    for (const each of games.flatMap(({names}) => [...new Set(names)])) counts.set(each, (counts.get(each) || 0) + 1);
    const players = [...counts].sort((a, b) => b[1] - a[1]).map(([each, n]) => [each, `${each} (${n})`]);
    const mine = choice({id: "learn-player"}, players, null, () => {});
    put(this.main, h("div", {class: "narrow"}, h("h1", {tabindex: "-1"}, name || t("Games")), h("section", {class: "panel form"},
      field(t("Mistakes of"), mine), this.finder, h("div", {}, button("eye", t("Look for mistakes"), async () => {
        const own = [...games.keys()].filter((at) => games[at].names.includes(mine.value));
        await this.#look(own.map((at) => ({file, number: at})), (_tree, exercises, {number: at}) => keepExercises(exercises.filter((each) =>
          games[at].names[each.player - 1] === mine.value)));
        if (!this.closed) location.hash = "#learn";
      }, {id: "learn-look", class: "button primary"})))));
  }
}

/** The seat of the only human of a room: 0 Black, 1 White, -1 if there is none. */
const you = ({seats}) => (seats.filter(({kind}) => kind === "human").length === 1 ? seats.findIndex(({kind}) => kind === "human") : -1);

/** A promise of the tree with a name, in the server's present state of it. */
const treeOf = (name) => new Promise((resolve, reject) => {
  const tree = new Tree(), unfollow = connection.follow({type: "enter_tree", tree: name}, (state) => {
    unfollow();
    connection.tell({type: "leave_tree", tree: name});
    tree.receive(state);
    resolve(tree);
  }, false, reject);
});

/** Sentences that say how many exercises are due today, tomorrow and later. */
function dueCounts(exercises) {
  const words = exercises.map(({due}) => dueWords(due));
  return [...new Set(words)].map((word) => word + t(": ") + words.filter((each) => each === word).length).join(" · ");
}
