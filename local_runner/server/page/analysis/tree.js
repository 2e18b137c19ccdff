// The tree of an analysis board as the server sends it (`enter_tree` of requests.py). It draws nothing and knows no rules.

import {count, BLACK, WHITE, stonesAfter} from "../board/geometry.js";

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
    /** @type {import("../board/geometry.js").MovesData} */
    const moves = {opening: 0, moves: after.flatMap((each) => each.plies), turned: after.flatMap((each) => each.turned),
      line, legal, must_pass, to_move, winner, count: [0, 0]};
    const {stones} = stonesAfter(board, moves, moves.moves.length);
    moves.count = [count(stones, BLACK), count(stones, WHITE)];
    const own = this.state.board.stones.every((stone, cell) => stone === set.stones[cell]);
    return {board, moves, stones, node,
      ids: after.flatMap((each) => each.plies.map(() => each.id)),
      position: {env: board.env, size: board.rows, stones: own ? null : set.stones, first: set.first, moves: moves.moves}};
  }
}
