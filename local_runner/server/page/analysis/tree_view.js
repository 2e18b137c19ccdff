// The tree of moves beside the board: the main line, below each fork the variations, and the comments. Elements: #moves
// (buttons with data-node; moves have data-ply), #go-first, #go-back, #go-next, #go-last, #numbers.

import {chip, h, put} from "../dom.js";
import {cellName, spent, t} from "../language.js";
import {Walk} from "../room/moves_list.js";
import {ROOT} from "./tree.js";

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

  /** The elements of a node and what follows it; at each fork the other branches come after the first one's move. */
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

  /** The element of a key, made again when one of `signs`, on which it depends, is another. */
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
    return cell === undefined ? h("button", {type: "button", class: ["move", ...kinds].filter(Boolean).join(" "),
      tabindex: "-1", title: title || null, data: {node: node.id}}, node.problem ? t("cannot be played") : node.stones ? t("set-up") : "·")
      : chip(3 - node.to_move, {node: node.id, ply: node.ply}, title, kinds,
          note?.sign ? h("span", {class: "sign-of"}, note.sign) : null, cellName(cell, this.tree.state.board));
  }

  /** Show which node is current. */
  show(id) {
    const {places, tree: {nodes}} = this;
    if (!places.includes(id) || places.some((each, at) => at && nodes.get(each)?.parent !== places[at - 1])
      || nodes.get(places[places.length - 1]).children.length) this.places = this.tree.line(id);
    this.mark(id);
  }

  /** Go to the next or previous variation at the fork before the current move. */
  #aside(by) {
    const branches = this.tree.nodes.get(this.tree.nodes.get(this.id).parent)?.children || [];
    const to = branches[branches.indexOf(this.id) + by];
    if (to !== undefined) this.jump(to);
  }

  /** Handle the arrow keys, Home and End. Returns whether the key was one of these. */
  press(event) {
    const aside = {ArrowUp: -1, ArrowDown: 1}[event.key];
    if (aside) this.#aside(aside);
    return Boolean(aside) || super.press(event);
  }
}
