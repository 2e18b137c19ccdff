// The tree of an analysis board: the nodes as the server sends them (`enter_tree` of requests.py); the moves beside the board,
// with the variations below each fork and the comments; the tools that change or copy the tree. It knows no rules.

import {BLACK, WHITE, count, stonesAfter} from "../board/geometry.js";
import {connection} from "../connection.js";
import {button, chip, dot, h, icon, put} from "../dom.js";
import {cellName, said, spent, t, toMove} from "../language.js";
import {Walk} from "../room/moves_list.js";
import {say} from "../telling.js";

export const ROOT = 0;

export class Tree {
  nodes = new Map(); // nodes by id, each with `ply`: the number of moves from the start of the tree

  /** Take an answer `tree`. */
  receive(state) {
    if (state.whole) this.nodes.clear();
    this.state = {...this.state, ...state, report: state.whole ? state.report : this.state.report};
    for (const node of state.nodes) this.nodes.set(node.id, node);
    const kept = new Map();
    for (const node of this.below(ROOT)) {
      node.ply = (kept.get(node.parent)?.ply || 0) + node.plies.length;
      kept.set(node.id, node);
    }
    this.nodes = kept;
  }

  /** A node and all below, each before its children. */
  below(id) {
    const found = [], waiting = [id];
    while (waiting.length) {
      const node = this.nodes.get(waiting.pop());
      if (!node) continue;
      found.push(node);
      waiting.push(...node.children.slice().reverse());
    }
    return found;
  }

  /** The nodes from the start to this node. */
  path(id) {
    const path = [];
    for (let node = this.nodes.get(id); node; node = this.nodes.get(node.parent)) path.unshift(node);
    return path;
  }

  /** The ids of the nodes from the start through this node to the end; below this node, each fork takes the first branch. */
  line(id) {
    const line = this.path(id).map((node) => node.id);
    for (let next = this.nodes.get(id).children[0]; next !== undefined; next = this.nodes.get(next).children[0]) line.push(next);
    return line;
  }

  /**
   * The state of the board after a node: {board, moves} as BoardData and MovesData; `ids`: the node of each ply;
   * `position`: the same as a PagePosition.
   */
  shown(id) {
    const path = this.path(id), from = path.findLastIndex((node) => node.stones);
    const node = path[path.length - 1], set = path[from], after = path.slice(from + 1);
    const board = {...this.state.board, stones: set.stones, first: set.first};
    const {line, legal, must_pass, to_move, winner} = node;
    const moves = {opening: 0, moves: after.flatMap((each) => each.plies), turned: after.flatMap((each) => each.turned),
      line, legal, must_pass, to_move, winner, count: [0, 0]};
    const {stones} = stonesAfter(board, moves, moves.moves.length);
    moves.count = [count(stones, BLACK), count(stones, WHITE)];
    const own = this.state.board.stones.every((stone, cell) => stone === set.stones[cell]);
    const size = connection.game(board.env)?.rows === board.rows ? null : board.rows;
    return {board, moves, stones, node, ids: after.flatMap((each) => each.plies.map(() => each.id)),
      position: {env: board.env, size, stones: own ? null : set.stones, first: set.first, moves: moves.moves}};
  }
}

/** The tree. `jump(id)` is called when the user chooses a node. The places of the walk are kept while the user goes back. */
export class TreeView extends Walk {
  constructor(tree, jump) {
    super(h("div", {id: "moves", class: "moves tree", role: "region", "aria-label": t("the moves"), tabindex: "0"}), "node", jump);
    this.tree = tree;
    this.made = new Map(); // {signs, element} by a word and a node's id; a change of the tree keeps the others
    this.notes = new Map(); // the verdicts (VERDICTS of game_report.js), by node
  }

  /** Draw the tree after a change. */
  draw() {
    const root = this.tree.nodes.get(ROOT);
    put(this.list, root.comment ? this.#comment(root) : null, root.children.length ? this.#sequence(root.children[0])
      : h("p", {class: "note"}, t("Click on the board to play a move.")));
  }

  /** The elements of a node and what follows it; at each fork the other branches come after the first move of the main one. */
  #sequence(start) {
    const parts = [];
    for (let id = start; id !== undefined;) {
      const node = this.tree.nodes.get(id), note = this.notes.get(id);
      parts.push(this.#kept(`move ${id}`, [node, note], () => this.#move(node, note)), node.comment ? this.#comment(node) : null);
      const [first, ...others] = this.tree.nodes.get(node.parent).children;
      if (id === first) {
        parts.push(...others.map((other) => put(this.#kept(`variation ${other}`, [], () => h("div", {class: "variation"})),
          this.#sequence(other))));
      }
      [id] = node.children;
    }
    return parts;
  }

  /** The stored element of a key, or a new one if any of `signs`, the values that it shows, has changed. */
  #kept(key, signs, make) {
    const known = this.made.get(key);
    if (known?.signs.every((sign, at) => sign === signs[at])) return known.element;
    const element = make();
    this.made.set(key, {signs, element});
    return element;
  }

  #comment(node) {
    return this.#kept(`comment ${node.id}`, [node.comment], () => h("p", {class: "tree-comment", data: {node: node.id}}, node.comment));
  }

  #move(node, note) {
    const cell = node.plies[node.plies.length - 1];
    const title = [node.name, node.seconds ? spent(node.seconds) : "", note?.word, node.problem].filter(Boolean).join(" · ");
    const kinds = [note?.kind, node.problem && "unplayable"];
    if (cell === undefined) return chip(0, {node: node.id}, title, kinds, node.problem ? t("cannot be played") : node.stones ? t("set-up") : "·");
    return chip(3 - node.to_move, {node: node.id, ply: node.ply}, title, kinds,
      note?.sign ? h("span", {class: "sign-of"}, note.sign) : null, cellName(cell, this.tree.state.board));
  }

  /** Show which node is current. */
  show(id) {
    const {places, tree: {nodes}} = this;
    if (!places.includes(id) || places.some((each, at) => at && nodes.get(each)?.parent !== places[at - 1])
      || nodes.get(places[places.length - 1]).children.length) this.places = this.tree.line(id);
    this.mark(id);
  }

  /** Handle the keys of a Walk; the up and down arrow keys go to another variation at the fork before the current move. */
  press(event) {
    const by = {ArrowUp: -1, ArrowDown: 1}[event.key], {nodes} = this.tree;
    if (!by) return super.press(event);
    const branches = nodes.get(nodes.get(this.id).parent)?.children || [], to = branches[branches.indexOf(this.id) + by];
    if (to !== undefined) this.jump(to);
    return true;
  }
}

const COMMENT_MS = 700; // wait after the last key before a comment is sent
const LABELS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

export class TreeTools {
  /** `edit(act, changes)` sends a change, and resolves with whether the server has it; `changed()`: another tool was chosen. */
  constructor(tree, edit, changed) {
    this.tree = tree;
    this.edit = edit;
    this.tool = "";
    this.from = -1; // where an arrow begins that is not finished
    this.changed = changed;
    this.unsent = new Map(); // comments that the server does not have yet, by node
    const tools = [["", icon("pointer"), t("Play moves")], ["TR", "△", t("Triangle")], ["SQ", "□", t("Square")], ["CR", "○", t("Circle")],
      ["MA", "✕", t("Cross")], ["LB", "A", t("Letter")], ["AR", "↗", t("Arrow: from one cell to another")],
      ["B", dot(1), t("Set up black stones")], ["W", dot(2), t("Set up white stones")]];
    this.bar = h("fieldset", {id: "tools", class: "tools"}, h("legend", {class: "unseen"}, t("A click on the board")),
      tools.map(([value, figure, word]) => h("label", {class: "tool", title: word}, h("input", {type: "radio", name: "tool", value,
        checked: !value, "aria-label": word, on: {change: () => {
          this.tool = value;
          this.from = -1;
          changed();
        }}}), h("span", {"aria-hidden": "true"}, figure))));
    this.text = h("textarea", {id: "comment", rows: 2, "aria-label": t("Comment on this move"), placeholder: t("Comment on this move"),
      maxlength: "9000", on: {input: () => this.#typed(), blur: () => this.flush()}});
    const make = (id, drawing, word, act) => button(drawing, word, act, {id, short: true});
    this.buttons = {
      promote: make("tree-promote", "up", t("Make this the first variation (key V)"), () => edit("promote")),
      delete: make("tree-delete", "bin", t("Delete this move and all after it (Delete key)"), () => edit("delete")),
      undo: make("tree-undo", "undo", t("Take back the last change (key U)"), () => edit("undo")),
      turn: make("tree-turn", "swap", t("Let the other side begin here"), () => edit("turn", {text: this.node.to_move === 1 ? "W" : "B"})),
    };
    this.changes = Object.values(this.buttons);
    this.element = h("div", {class: "tree-tools"}, this.bar, this.text,
      this.warning = h("p", {class: "unkept", id: "comment-unsent", role: "status", hidden: true},
        t("Not saved: there is no connection. It is sent when the connection is back.")));
    this.off = connection.on("connected", () => this.flush());
  }

  /** Show the tools for a node; `shown` as Tree.shown. */
  show(shown) {
    if (this.node?.id !== shown.node.id) {
      this.flush();
      this.from = -1;
    }
    const same = this.node?.id === shown.node.id && document.activeElement === this.text;
    this.shown = shown;
    this.node = shown.node;
    const {id} = this.node;
    if (!same) this.text.value = this.unsent.get(id) ?? this.node.comment;
    this.buttons.delete.disabled = id === ROOT;
    this.buttons.undo.disabled = !this.tree.state.can_undo;
    const fork = (node) => node.id !== ROOT && this.tree.nodes.get(node.parent).children[0] !== node.id;
    this.buttons.promote.disabled = !this.tree.path(id).some(fork);
    this.buttons.turn.hidden = !shown.board.turns_discs || (id === ROOT ? this.node.children.length > 0 : !this.node.stones);
  }

  /** Click the button of a key. Returns whether the key has one. */
  key(event) {
    if (event.key.toLowerCase() === "c") {
      this.text.focus();
      return true;
    }
    const chosen = this.buttons[{delete: "delete", backspace: "delete", v: "promote", u: "undo"}[event.key.toLowerCase()]];
    if (chosen && !chosen.disabled) chosen.click();
    return Boolean(chosen);
  }

  /** Apply the chosen tool to a cell. */
  click(cell) {
    if (!this.tool) return this.edit("play", {cells: [cell]});
    if (this.tool === "B" || this.tool === "W") return this.edit("stone", {cells: [cell], text: this.tool});
    if (this.tool === "AR" && this.from < 0) {
      this.from = cell;
      say(t("The arrow begins at {cell}. Choose its end.", {cell: cellName(cell, this.shown.board)}));
      return this.changed();
    }
    if (this.tool === "AR") return this.draw(this.from, cell);
    const known = this.node.marks.find(([kind, [at]]) => kind === "LB" && at === cell);
    const used = new Set(this.node.marks.map(([, , label]) => label));
    const label = known ? known[2] : [...LABELS].find((letter) => !used.has(letter)) || "?";
    return this.edit("mark", {cells: [cell], text: this.tool === "LB" ? `LB:${label}` : this.tool});
  }

  /** Put the arrow between two cells, or take it away; a circle if both cells are the same. */
  draw(from, to) {
    this.from = -1;
    return this.edit("mark", from === to ? {cells: [to], text: "CR"} : {cells: [from, to], text: "AR"});
  }

  /** The marks of the node, and where an arrow begins whose end is not chosen yet. */
  get marks() {
    return [...this.node.marks, ...(this.from < 0 ? [] : [["CR", [this.from], ""]])];
  }

  #typed() {
    clearTimeout(this.timer);
    this.unsent.set(this.node.id, this.text.value);
    this.timer = setTimeout(() => this.flush(), COMMENT_MS);
  }

  /** Send the comments that the server does not have yet; without a connection they stay. */
  async flush() {
    clearTimeout(this.timer);
    for (const [node, text] of this.unsent) {
      const done = this.tree.nodes.get(node)?.comment === text || await this.edit("comment", {node, text});
      if (done && this.unsent.get(node) === text) this.unsent.delete(node);
    }
    this.warning.hidden = connection.connected || !this.unsent.size;
  }
}

/** Whose turn it is after a node, in words, or how the game ended. */
export function turnWords(shown, outcome) {
  const {node, moves} = shown;
  if (node.problem) return said(node.problem);
  if (node.winner) return outcome;
  return toMove(moves);
}
