// The tree of moves beside the board: the main line, below each fork the variations, and the comments. Elements: #moves
// (buttons with data-node; moves have data-ply), #go-first, #go-back, #go-next, #go-last, #numbers.

import {$, button, chip, h, origin, put} from "../dom.js";
import {cellName, spent, t} from "../language.js";
import {numbersSwitch} from "../room/moves_list.js";
import {ROOT} from "./tree.js";

/** The tree. `jump(id)` is called when the user chooses a node. */
export class TreeView {
  constructor(tree, jump) {
    this.tree = tree;
    this.jump = jump;
    this.made = new Map(); // buttons by node: {sign, element}; a change of the tree keeps the others
    this.notes = new Map(); // {kind, title, sign} of a verdict, by node
    this.line = [ROOT]; // ids from the start through the current node to the end; kept while the user goes back
    this.list = h("div", {id: "moves", class: "moves tree", role: "group", "aria-label": t("the moves"), tabindex: "0"});
    this.buttons = {
      first: button("first", t("First position"), () => jump(ROOT), {short: true, id: "go-first"}),
      back: button("back", t("One move back"), () => this.step(-1), {short: true, id: "go-back"}),
      next: button("next", t("One move on"), () => this.step(1), {short: true, id: "go-next"}),
      last: button("last", t("Last position"), () => jump(this.line[this.line.length - 1]), {short: true, id: "go-last"}),
    };
    this.transport = h("div", {class: "row transport"}, Object.values(this.buttons), numbersSwitch(() => jump(this.id)));
    this.element = h("div", {class: "moves-box"}, this.list, this.transport);
    this.list.addEventListener("click", (event) => {
      const id = origin(event, "[data-node]")?.dataset.node;
      if (id !== undefined) jump(Number(id));
    });
    new ResizeObserver(() => this.#follow()).observe(this.list);
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
      const node = this.tree.nodes.get(id);
      parts.push(this.#move(node), node.comment ? this.#comment(node) : null);
      const [first, ...others] = this.tree.nodes.get(node.parent).children;
      if (id === first) parts.push(...others.map((other) => h("div", {class: "variation"}, this.#sequence(other))));
      [id] = node.children;
    }
    return parts;
  }

  #comment(node) {
    return h("p", {class: "tree-comment", data: {node: node.id}}, node.comment);
  }

  #move(node) {
    const cell = node.plies[node.plies.length - 1], note = this.notes.get(node.id);
    const {board} = this.tree.state;
    const title = [node.name, node.seconds ? spent(node.seconds) : "", note?.title, node.problem].filter(Boolean).join(" · ");
    const sign = JSON.stringify([node.ply, cell, title, note?.sign, note?.kind]);
    const known = this.made.get(node.id);
    if (known?.sign === sign) return known.element;
    const kinds = [note?.kind, node.problem && "unplayable"];
    const element = cell === undefined ? h("button", {type: "button", class: ["move", ...kinds].filter(Boolean).join(" "),
      tabindex: "-1", title: title || null, data: {node: node.id}}, node.problem ? t("cannot be played") : node.stones ? t("set-up") : "·")
      : chip(3 - node.to_move, {node: node.id, ply: node.ply}, title, kinds,
        note?.sign ? h("span", {class: "sign-of"}, note.sign) : null, cellName(cell, board));
    this.made.set(node.id, {sign, element});
    return element;
  }

  /** Show which node is current. */
  show(id) {
    if (!this.line.includes(id) || this.line.some((each, at) => at && this.tree.nodes.get(each)?.parent !== this.line[at - 1])
      || this.tree.nodes.get(this.line[this.line.length - 1]).children.length) this.line = this.tree.line(id);
    this.id = id;
    this.list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    $(`button[data-node="${id}"]`, this.list)?.setAttribute("aria-current", "true");
    this.#follow();
    this.buttons.first.disabled = this.buttons.back.disabled = id === ROOT;
    this.buttons.next.disabled = this.buttons.last.disabled = id === this.line[this.line.length - 1];
  }

  step(by) {
    const to = this.line[this.line.indexOf(this.id) + by];
    if (to !== undefined) this.jump(to);
  }

  /** Go to the next or previous variation at the fork before the current move. */
  #aside(by) {
    const branches = this.tree.nodes.get(this.tree.nodes.get(this.id).parent)?.children || [];
    const to = branches[branches.indexOf(this.id) + by];
    if (to !== undefined) this.jump(to);
  }

  /** Scroll the list so that the current move is visible. */
  #follow() {
    const element = $("[aria-current]", this.list);
    if (!element) {
      this.list.scrollTop = 0;
      return;
    }
    const top = element.offsetTop; // measured from the list, whose CSS position is relative
    if (top < this.list.scrollTop || top + element.offsetHeight > this.list.scrollTop + this.list.clientHeight) {
      this.list.scrollTop = top - this.list.clientHeight / 2;
    }
  }

  /** Handle the arrow keys, Home and End. Returns whether the key was one of these. */
  key(event) {
    const act = {ArrowLeft: () => this.step(-1), ArrowRight: () => this.step(1), ArrowUp: () => this.#aside(-1),
      ArrowDown: () => this.#aside(1), Home: () => this.jump(ROOT), End: () => this.jump(this.line[this.line.length - 1])}[event.key];
    act?.();
    return Boolean(act);
  }
}
