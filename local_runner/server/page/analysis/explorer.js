// The panel "Opening explorer": what was played from the shown position in the games of a file or on the server, with
// the results, or what our engine has prepared there (`explore` of requests.py). A click on a move goes on.

import {connection, post} from "../connection.js";
import {$, choice, h, keep, put, setting, whileLooked} from "../dom.js";
import {FILES, filePicker} from "../files/games.js";
import {cellName, number, outcome, percent, t} from "../language.js";
import {SidePanel} from "../look/look_panel.js";

/** Open the analysis board of a file's game after `ply` plies, with the explorer of the file's games. */
export async function exploreFile(file, game = 0, ply = 0) {
  keep("explorer", true);
  keep("explored", file);
  location.hash = `#analyse/${(await connection.ask({type: "new_tree", file, number: game})).tree}/${ply}`;
}

const WINS = [1, 3, 2]; // the order of results in a bar: Black won, drawn, White won

/** `source()` returns the position to look up, {position, board, moves}, or undefined while there is none. */
export class ExplorerPanel extends SidePanel {
  constructor({stage, source, onplay}) {
    super("explorer", stage, source, ["grid", t("Explorer"), t("Opening explorer (key E)")]);
    this.onplay = onplay;
    this.chooser = h("div", {class: "row wrap"});
    this.progress = h("progress", {id: "explore-progress", "aria-label": t("Games read"), hidden: true});
    this.told = h("p", {class: "note", id: "explore-told", role: "status"});
    this.head = h("div", {class: "line played note", id: "explore-head", hidden: true});
    this.list = h("ol", {class: "lines", id: "explore-moves", "aria-label": t("Moves that were played from here")});
    this.games = h("ul", {class: "plain-list explore-games", id: "explore-games", "aria-label": t("Games through this position")});
    this.build(t("Opening explorer"), null, this.chooser, this.progress, this.told, this.head, this.list, this.games,
      h("p", {class: "note"}, t("Mirrored and rotated positions count as one.")));
  }

  close() {
    this.off();
    this.unfollow?.();
  }

  /** Look up the position of `source()`, which may have changed. */
  moved() {
    const what = this.on ? this.source() : undefined, sign = what && JSON.stringify([what.position, setting("explored")]);
    if (sign === this.sign && connection.connected && this.unfollow) return;
    this.unfollow?.();
    this.unfollow = null;
    this.sign = sign;
    if (!what) return;
    this.what = what;
    this.unfollow = connection.follow({type: "explore", position: what.position, source: setting("explored") || ""},
      (answer) => this.#heard(answer), true, (error) => {
        put(this.list);
        put(this.games);
        this.told.textContent = error.message;
      });
  }

  #heard(answer) {
    const {board} = this.what, reading = answer.done < answer.all;
    const focused = this.list.contains(document.activeElement);
    this.#choose(answer);
    this.progress.hidden = !reading;
    this.progress.value = answer.done / answer.all;
    put(this.list, answer.moves.map((row) => this.#row(row)));
    put(this.head, [t("Next move"), t("Games"), t("{results} (%)", {results: WINS.map((winner) => outcome(winner, board.kind)).join(" · ")})]
      .map((words) => h("span", {}, words)));
    this.head.hidden = answer.source === "engine" || !answer.moves.length;
    const all = sum(answer.ended) + sum(answer.moves.map(({results}) => sum(results))), {length} = answer.games;
    put(this.games, answer.games.map(([names, winner, name, ply]) => h("li", {}, h("a", {href: `${typeof name === "string" ? `#room/${name}`
      : `#replay/${encodeURIComponent(answer.source)}/${name}`}/${ply}`}, names.join(" – ")), h("small", {}, winner ? outcome(winner, board.kind) : ""))),
    length && length < all ? h("li", {class: "note"}, t("{n} of {all} games", {n: number(length), all: number(all)})) : null);
    this.told.textContent = reading ? t("Reading the games: {n} of {all} …", {n: number(answer.done), all: number(answer.all)})
      : toldOf(answer, all);
    if (focused) (this.list.querySelector("button") || $("#explorer-heading")).focus();
  }

  #choose({source, files}) {
    const sources = [...files, ["rooms", t("My games")], ["engine", t("Our engine's book and the proof")]];
    const sign = JSON.stringify([source, files]);
    if (sign === this.chosen) return;
    this.chosen = sign;
    put(this.chooser, choice({id: "explore-source", "aria-label": t("Games to explore")}, sources, source, (chosen) => this.#take(chosen)),
      filePicker("explore-file", t("Open a file …"), FILES, async (file) => this.#take((await post("/open", file.name, file)).file)));
  }

  #take(source) {
    keep("explored", source);
    this.moved();
  }

  #row({cells, results, why, chance}) {
    const {board, moves} = this.what, all = sum(results), decided = all - results[0];
    const name = cellName(cells[0], board), equal = cells.slice(1).map((cell) => cellName(cell, board));
    const words = decided ? WINS.map((winner) => `${outcome(winner, board.kind)} ${percent(results[winner] / decided)}`).join(t(", ")) : "";
    const same = equal.length ? t("Equal by symmetry: {cells}", {cells: equal.join(" ")}) : "", first = moves.to_move;
    const show = ({type, target}) => { // the move is shown while the mouse is over it, or while it has the focus by the keyboard
      if (type !== "focus" || target.matches(":focus-visible")) this.stage.ghost(cells.slice(0, 1), first);
    };
    return h("li", {}, h("button", {type: "button", class: "line played", data: {cell: cells[0]}, title: [words, same].filter(Boolean).join("\n"),
      on: {...whileLooked(show, () => this.stage.ghost([], first)), click: () => this.onplay(cells.slice(0, 1))}},
    h("b", {}, name), why ? [h("span", {}, percent(chance)), h("span", {class: "why"}, whyWords(why))]
      : [h("span", {class: "played-count"}, number(all)), h("span", {class: "shares", "aria-hidden": "true"}, decided
          ? WINS.map((winner) => share(winner, results[winner] / decided)) : null), h("span", {class: "unseen"}, words)]));
  }
}

/** A part of the bar of results, with its percentage where there is room. */
function share(winner, part) {
  const element = h("i", {class: `share-${winner}`}, part >= 0.15 ? String(Math.round(100 * part)) : "");
  element.style.flexGrow = String(part);
  return element;
}

const whyWords = (why) => ({proof: t("Black's answer in the proof"), reply: t("a reply with a prepared answer"), book: t("opening book")})[why];

const sum = (results) => results.reduce((all, n) => all + n, 0);

/** The answer of the server as a sentence. `all`: the number of games with the position. */
function toldOf({source, moves, ended, problem}, all) {
  const over = sum(ended);
  if (source === "engine") {
    return moves.length ? t("Percentages are Black's chance to win.") : t("The book and the proof have nothing here; they are of gobang 15x15.");
  }
  return [all ? t("Games with this position: {n}.", {n: number(all)}) : t("None of these games has this position."),
    over ? t("{n} end here.", {n: number(over)}) : "", problem].filter(Boolean).join(" ");
}
