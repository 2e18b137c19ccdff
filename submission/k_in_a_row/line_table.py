"""Line tables: a board is represented by the configuration of each of its lines.

The value of a board is a sum over its lines, its pattern masks are unions over its lines. A move changes only the lines
through its cell. For each of these lines one table look-up gives the change. The tables are filled on first use and
form a graph of configurations. This module does not know patterns. Two functions are passed in: `describe` computes
masks and value, `score` computes scores.

    configuration   the stones on a line, as two bit masks: bit i is the i-th cell
    node            a list for one configuration: a step for each slot, then the scores of the cells, then the Content
    slot            i for a black stone on the i-th cell, length + i for a white one
    step            [next node, change of the packed masks, change of the value, change of the scores]; a step is None
                    until it is first needed, and so is its last item

    A line of three cells, after Black has played on its first cell:

        slot      0     1        2     3     4        5      6        7
        node   [ None, step, None, None, None, step,  scores,  Content(black=0b001, white=0b000, ...) ]
                        |                         |
                        v                         v
                node of 0b011, 0b000      node of 0b001, 0b100

The masks of a configuration are packed side by side into one int. Each mask has one bit per cell of the whole board.
Lines of one direction share no cell, so the masks of a direction are the XOR of those of its lines.
"""

from __future__ import annotations

from typing import Any, Callable, List, NamedTuple, Tuple

from ..boards import Line

Node = List[Any]
Step = List[Any]
Facts = Tuple[int, int]  # result of `describe` for a configuration: packed masks, value


class Content(NamedTuple):
    """The stones on a line, the packed masks and the value."""

    black: int
    white: int
    packed: int
    value: int


Describe = Callable[[int, int, Line], Facts]
Score = Callable[[int, int, Line], int]
SCORES = -2  # index of the scores in a node; the item is None until it is first needed
CHANGE = 3  # index of the change of the scores in a step


class LineTable:
    """The nodes of one line, made on first need.

    Lines do not share their tables, because only one step in ten occurs in more than one line.

    Args: describe: (black, white, line) -> Facts; score: (black, white, line) -> scores of the line's cells, packed.
    """

    def __init__(self, describe: Describe, score: Score, line: Line) -> None:
        self.describe, self.score = describe, score
        self.line, self.length = line, len(line.cells)
        self.nodes: dict[tuple[int, int], Node] = {}

    def node(self, black: int, white: int) -> Node:
        """The node of a configuration, made if it is new."""
        node: Any = self.nodes.get((black, white))
        if node is None:
            node = [None] * (2 * self.length + 1)
            node.append(Content(black, white, *self.describe(black, white, self.line)))
            self.nodes[black, white] = node
        return node

    def grow(self, node: Node, slot: int) -> Step:
        """Compute, store and return the step from `node` by a stone in `slot`."""
        black, white, packed, value = node[-1]
        if slot < self.length:
            after = self.node(black | 1 << slot, white)
        else:
            after = self.node(black, white | 1 << slot - self.length)
        there = after[-1]
        step = node[slot] = [after, packed ^ there.packed, there.value - value, None]
        return step

    def change(self, node: Node, slot: int) -> int:
        """Compute, store and return the change of the scores by a step that exists."""
        step = node[slot]
        change: int = self.scores(step[0]) - self.scores(node)
        step[CHANGE] = change
        return change

    def scores(self, node: Node) -> int:
        """The packed scores of a node; computed on first need."""
        scores: int = node[SCORES]
        if scores is None:
            here = node[-1]
            scores = node[SCORES] = self.score(here.black, here.white, self.line)
        return scores
