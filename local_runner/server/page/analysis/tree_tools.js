// The tools of an analysis board: the action of a click on the board, the comment of the current node, and the buttons that
// change or copy the tree. Elements: #tools (input[name=tool]), #comment, #tree-promote, #tree-delete, #tree-undo,
// #tree-turn, #copy-moves, #copy-position.

import {connection} from "../connection.js";
import {button, dot, h, icon} from "../dom.js";
import {cellName, said, side, t} from "../language.js";
import {ROOT} from "./tree.js";
import {tell, toast} from "../telling.js";

const COMMENT_MS = 700; // wait after the last key before a comment is sent
const LABELS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const STONES = ".xo"; // free, Black and White in a copied position, as position_text.js reads it

export class TreeTools {
  /** `edit(act, changes)` sends a change, and resolves with whether the server has it; `changed()`: another tool was chosen. */
  constructor(tree, edit, changed) {
    this.tree = tree;
    this.edit = edit;
    this.tool = "";
    this.unsent = new Map(); // comments that the server does not have yet, by node
    const tools = [["", icon("pointer"), t("Play moves")], ["TR", "△", t("Triangle")], ["SQ", "□", t("Square")], ["CR", "○", t("Circle")],
      ["MA", "✕", t("Cross")], ["LB", "A", t("Letter")], ["B", dot(1), t("Set up black stones")], ["W", dot(2), t("Set up white stones")]];
    this.bar = h("fieldset", {id: "tools", class: "tools"}, h("legend", {class: "unseen"}, t("A click on the board")),
      tools.map(([value, figure, word]) => h("label", {class: "tool", title: word}, h("input", {type: "radio", name: "tool", value,
        checked: !value, "aria-label": word, on: {change: () => { this.tool = value; changed(); }}}), h("span", {"aria-hidden": "true"}, figure))));
    this.text = h("textarea", {id: "comment", rows: 2, "aria-label": t("Comment on this move"), placeholder: t("Comment on this move"),
      maxlength: "9000", on: {input: () => this.#typed(), blur: () => this.flush()}});
    const make = (id, drawing, word, act) => button(drawing, word, act, {id, short: true});
    this.buttons = {
      promote: make("tree-promote", "up", t("Make this the first variation (key V)"), () => edit("promote")),
      delete: make("tree-delete", "bin", t("Delete this move and all after it (Delete key)"), () => edit("delete")),
      undo: make("tree-undo", "undo", t("Take back the last change (key U)"), () => edit("undo")),
      turn: make("tree-turn", "swap", t("Let the other side begin here"), () => edit("turn", {text: this.node.to_move === 1 ? "W" : "B"})),
      moves: make("copy-moves", "copy", t("Copy the moves as text"), () => this.#copy(this.#moves)),
      position: make("copy-position", "grid", t("Copy the position as text"), () => this.#copy(this.#position())),
    };
    const {moves, position, ...changes} = this.buttons;
    this.changes = Object.values(changes);
    this.element = h("div", {class: "tree-tools"}, h("div", {class: "row tool-row"}, this.bar, moves, position), this.text,
      this.warning = h("p", {class: "unkept", id: "comment-unsent", role: "status", hidden: true},
        t("Not saved: there is no connection. It is sent when the connection is back.")));
    this.off = connection.on("connected", () => this.flush());
  }

  /** Show the tools for a node; `shown` as Tree.shown. */
  show(shown) {
    if (this.node?.id !== shown.node.id) this.flush();
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
    const known = this.node.marks.find(([kind, at]) => kind === "LB" && at === cell);
    const used = new Set(this.node.marks.map(([, , label]) => label));
    const label = known ? known[2] : [...LABELS].find((letter) => !used.has(letter)) || "?";
    return this.edit("mark", {cells: [cell], text: this.tool === "LB" ? `LB:${label}` : this.tool});
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

  get #moves() {
    return this.shown.moves.moves.map((cell) => (cell < 0 ? "pass" : cellName(cell, this.shown.board))).join(" ");
  }

  /** The board as lines of x, o and ., which the page reads again. */
  #position() {
    const {board: {rows, cols}, stones} = this.shown;
    return [...Array(rows).keys()].map((row) => stones.slice(row * cols, (row + 1) * cols).map((stone) => STONES[stone]).join(""))
      .join("\n");
  }

  async #copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      toast(t("Copied."));
    } catch {
      tell(new Error(t("The browser does not allow copying: {text}", {text})));
    }
  }
}

/** The marks of a node for the Stage. `stones`: the stones under the marks; their colour decides the marks' colour. */
export const userMarks = (node, stones) => node.marks.map(([kind, cell, text]) => ({cell, kind: "user", figure: kind, text,
  side: stones[cell], title: text || ""}));

/** Whose turn it is after a node, in words, or how the game ended. */
export function turnWords(shown, outcome) {
  const {node, moves} = shown;
  if (node.problem) return said(node.problem);
  if (node.winner) return outcome;
  return moves.must_pass ? t("{side} has no legal move and must pass.", {side: side(moves.to_move)}) : t("{side} to move", {side: side(moves.to_move)});
}
