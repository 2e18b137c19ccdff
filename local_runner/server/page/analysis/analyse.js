// #analyse: a form that asks for a game, and the list of stored analyses. #analyse/TREE, #analyse/TREE/NODE: the analysis board
// of a game; TREE is the name of a tree or of a room.

import {connection} from "../connection.js";
import {$, button, h, put} from "../dom.js";
import {askForGame, exportMenu, playOn} from "../files/games.js";
import {ExplorerPanel} from "./explorer.js";
import {shareMenu} from "../files/share.js";
import {GameReport} from "./game_report.js";
import {cellName, number, outcome, side, t, when} from "../language.js";
import {CHANCES} from "../look/report.js";
import {LookPanel} from "../look/look_panel.js";
import {diagrams} from "../board/diagrams.js";
import {drawOn, userMarks} from "../board/drawing.js";
import {click, Stage} from "../board/stage.js";
import {address, bin, entitle, keptList, leave, say, tell} from "../telling.js";
import {ROOT, Tree, TreeTools, TreeView, turnWords} from "./tree.js";

export function openAnalysis(main, [name, node]) {
  if (name) return new Analysis(main, name, node === undefined ? null : Number(node));
  askForGame(main, t("Analyse a game"), t("Analyse"), "analyse");
  treeList(main.firstChild);
  return {};
}

class Analysis {
  constructor(main, name, node) {
    this.name = name;
    this.wanted = node; // the node of the address, until the tree has come
    this.id = ROOT;
    this.doing = /** @type {Promise<any>} */ (Promise.resolve()); // changes are sent one after another
    this.tree = new Tree();
    this.stage = new Stage({id: "board", onCell: (cell) => this.#clicked(cell)});
    this.stage.element.addEventListener("mousedown", (event) => event.preventDefault()); // the arrow keys stay the tree's
    this.view = new TreeView(this.tree, (id) => this.jump(id));
    this.tools = new TreeTools(this.tree, (act, changes) => this.edit(act, changes), () => this.#draw());
    this.view.transport.append(...this.tools.changes);
    drawOn(this.stage, (from, to) => this.tools.draw(from, to));
    this.report = new GameReport(this);
    this.look = new LookPanel({stage: this.stage, source: () => this.#lookedAt(), known: () => this.#known(),
      bar: {name: "analysisBar", usual: true}, onplay: (cells) => this.edit("play", {cells})});
    this.explorer = new ExplorerPanel({stage: this.stage, source: () => this.shown, onplay: (cells) => this.edit("play", {cells})});
    this.turn = h("p", {id: "turn", class: "status", role: "status"});
    this.pass = button("pass", t("Pass"), () => this.edit("play", {cells: [-1]}), {id: "pass", class: "button primary", hidden: true});
    this.problem = h("p", {class: "problem", id: "problem", role: "alert"});
    put(main, h("h1", {tabindex: "-1", class: "unseen"}, t("Analysis")), h("div", {class: "room-layout analysis"},
      h("section", {class: "stage-holder", "aria-label": t("Board")}, this.stage.element),
      h("div", {class: "side"}, h("section", {class: "panel game-panel", "aria-label": t("Analysis")}, this.problem,
        h("div", {class: "row spread"}, this.turn, this.pass), this.view.element, this.tools.element, this.report.element,
        this.#actions())), h("div", {class: "insights"}, this.look.element, this.explorer.element), diagrams(() => this.shown && this.#shared())));
    this.off = connection.on("tree", (state) => { if (state.tree === name && !state.whole) this.#received(state); });
    this.unfollow = connection.follow({type: "enter_tree", tree: name}, (state) => { if (state.whole) this.#received(state); },
      null, (error) => leave("#analyse", error));
  }

  close() {
    this.tools.flush();
    this.tools.off();
    this.off();
    this.unfollow();
    if (connection.connected) this.doing.finally(() => connection.tell({type: "leave_tree", tree: this.name}));
    this.report.close();
    this.look.close();
    this.explorer.close();
  }

  key(event) {
    if (!this.shown) return false;
    const act = {n: () => this.report.toMistake(1), p: () => this.report.toMistake(-1), b: () => $("#better")?.click(),
      l: () => this.look.toggle(), e: () => this.explorer.toggle()}[event.key.toLowerCase()];
    act?.();
    return Boolean(act) || this.view.press(event) || this.tools.key(event) || this.look.key(event);
  }

  // ---- the tree

  #received(state) {
    const first = !this.shown;
    this.tree.receive(state);
    while (!this.tree.nodes.has(this.id)) this.id = this.parents?.get(this.id) ?? ROOT; // the node was deleted in another window
    this.parents = new Map([...this.tree.nodes.values()].map((node) => [node.id, node.parent]));
    if (first) this.#begin(state);
    this.problem.textContent = state.unkept || state.damage;
    this.report.changed();
    this.view.draw();
    this.jump(this.acting === "comment" ? this.id : state.node ?? this.id); // a comment may belong to the move before
  }

  #begin(state) {
    const line = this.tree.line(ROOT);
    this.id = this.tree.nodes.has(this.wanted) ? this.wanted : line[line.length - 1];
    const names = state.names.join(" – ");
    entitle(t("Analyse") + t(": ") + names);
    this.report.changed();
    const interrupted = sessionStorage.getItem("tengen.analysing") === this.name;
    const kept = state.report && this.report.take(state.report);
    const start = this.report.asked || (!kept && (this.wanted === null || interrupted));
    if (start && this.report.ids.length > 1) this.report.start();
  }

  /**
   * Change the tree at the current node. Changes wait for each other, so that each begins where the last one ended. Resolves with
   * false if there was no connection.
   */
  edit(act, {node = null, cells = [], text = ""} = {}) {
    this.doing = this.doing.then(async () => {
      try {
        if (act !== "comment") this.tools.flush();
        this.acting = act;
        const answer = await connection.ask({type: "edit_tree", tree: this.name, node: node ?? this.id, act, cells, text});
        if (act === "play") this.#said(answer);
      } catch (error) {
        if (act === "comment" && !connection.connected) return false; // TreeTools shows this, and sends the comment later
        tell(error);
      }
      return true;
    });
    return this.doing;
  }

  #clicked(cell) {
    if (this.tools.tool || this.stage.board.state.legal.includes(cell)) this.tools.click(cell);
    else this.stage.board.refuse(cell);
  }

  #said(answer) {
    click();
    const node = this.tree.nodes.get(answer.node);
    if (node) say(side(3 - node.to_move) + t(": ") + cellName(node.plies[node.plies.length - 1], this.shown.board));
  }

  /** Show a node. */
  jump(id) {
    if (!this.tree.nodes.has(id)) return;
    this.id = id;
    this.shown = this.tree.shown(id);
    this.tools.show(this.shown);
    address(`#analyse/${encodeURIComponent(this.name)}/${id}`);
    this.stage.ghost([], 1);
    this.#draw();
    this.view.show(id);
    this.report.show(id);
    this.turn.textContent = turnWords(this.shown, outcome(this.shown.node.winner));
    this.turn.classList.toggle("unplayable", Boolean(this.shown.node.problem));
    this.pass.hidden = !this.shown.moves.must_pass;
    this.look.moved();
    this.explorer.moved();
  }

  #draw() {
    const {board, moves, node} = this.shown, {tool} = this.tools;
    const plays = !tool && !node.winner && !node.problem;
    this.stage.show(board, moves, moves.moves.length, {interactive: plays, legal: plays && !board.all_free_legal,
      free: Boolean(tool), brush: {B: 1, W: 2}[tool] || 0});
    this.stage.mark("user", userMarks(this.tools.marks, this.shown));
    this.stage.mark("analysis", this.report.marks(this.id));
  }

  /** Show a line from the position before the current move. */
  ghost(cells, first) {
    const {shown} = this;
    if (cells.length && shown.node.parent >= 0) {
      const before = this.tree.shown(shown.node.parent);
      this.stage.show(before.board, before.moves, before.moves.moves.length);
    } else this.#draw();
    this.stage.ghost(cells, first);
  }

  /** The verdicts have changed. */
  judged() {
    this.view.notes = this.report.notes();
    if (!this.shown) return;
    this.view.draw();
    this.jump(this.id);
  }

  #lookedAt() {
    if (!this.shown || this.shown.node.problem || (this.report.unfollow && !this.look.on)) return undefined;
    if (this.shown.node.winner) return null;
    return {position: this.shown.position, board: this.shown.board, ply: this.shown.moves.moves.length};
  }

  /** Black's chance in the current position: by the game's result, else by the analysis; null if neither gives it. */
  #known() {
    const {winner} = this.shown?.node ?? {};
    return winner ? CHANCES[winner] : this.report.chanceAt(this.id);
  }

  #actions() {
    return h("div", {class: "actions room-actions", role: "group", "aria-label": t("Actions")},
      button("play", t("Play on from here"), () => playOn(this.shown.position, this.shown.moves.moves.length), {id: "act-continue"}),
      this.look.opener, this.look.switch, this.explorer.opener,
      shareMenu(() => this.#shared(), this.stage.board), exportMenu(() => ({tree: this.name, position: this.shown.position,
        ply: this.shown.moves.moves.length, game: {...this.shown, names: this.tree.state.names}}), this.stage.board));
  }

  /** What "Share" copies: the line through the current node, shown at this node; cut at this node if stones are set up after it. */
  #shared() {
    const {tree, id, shown} = this, {names} = tree.state, whole = tree.shown(tree.line(id).at(-1));
    const goes = String([whole.position.stones, whole.ids.slice(0, shown.ids.length)]) === String([shown.position.stones, shown.ids]);
    return {...(goes ? whole : shown), names, ply: shown.ids.length};
  }
}

/** Add the list of the stored analyses, newest first, to a view, once the server has sent the list. */
async function treeList(holder) {
  const {box, show} = keptList("trees", t("Your analyses"));
  holder.append(box);
  const draw = ({trees, damaged}) => show(trees.map((tree) => [{data: {tree: tree.tree}}, h("a", {href: `#analyse/${tree.tree}`},
    h("b", {}, connection.title(tree.env)), h("small", {}, when(tree.changed)),
    h("span", {}, tree.names.join(" – ")), h("small", {}, t("moves: {n}", {n: number(tree.moves)}))),
  bin(t("Delete this analysis"), t("Delete this analysis?"), {type: "list_trees", forget: tree.tree}, draw)]), damaged);
  draw(await connection.ask({type: "list_trees", forget: ""}));
}
