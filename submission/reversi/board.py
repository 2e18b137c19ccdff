"""The n x n board: discs put down, turned and taken back, with the legal cells of both colours always current.

A board is its lines here, too: rows, columns and diagonals, and lists of cells that only have a value, such as the
block of a corner. Each list has a node in the graph of its contents, and a disc that is put down or turns is a step in
each list that it is on. What a step changes of the legal cells is XORed into one int with a field for each direction
and colour: lines of one direction share no cell. All nodes are copied before a move, and undo puts them back.
"""
from __future__ import annotations

from typing import Any, List, Tuple

from ..lines import BLACK, DIRECTIONS, WHITE, cells_of
from .evaluation import Values, evaluation, ranks
from .patterns import patterns
from .weights import STAGES

PASS = -1
COLOURS = (BLACK, WHITE)
TURNED = 2                              # the third thing, after BLACK and WHITE put down, that may happen to a cell
MOST_CONTENTS = 20000                   # of a Geometry's graphs when it is asked for

Node = List[Any]
Step = Tuple[Node, int, Tuple[int, ...], int]


class Contents:
    """The graph of contents of all lists of one kind that run in one direction.

    node    list: the value at each stage; then a step for each slot, None until it is first needed; at last the
            content itself: black, white, legal cells of black and white, spread
    slot    STAGES + i: a black disc is put on cell i; + length: a white one; + 2 * length: the disc on cell i turns
    step    (next node, change of the legal cells, cells that turn with the one put down, the same as a spread mask)

    Args: values: of a content; length: cells; stride: distance of neighbouring cells, 0 where no disc turns; field:
    bits of a mask of the board.
    """

    def __init__(self, values: Values, length: int, stride: int, field: int) -> None:
        self.values, self.length, self.stride, self.field = values, length, stride, field
        self.nodes: dict[tuple[int, int], Node] = {}

    def node(self, black: int, white: int) -> Node:
        """Give the node of a content, made if it is new."""
        node = self.nodes.get((black, white))
        if node is None:
            legal = 0
            if self.stride:
                for cell in cells_of(((1 << self.length) - 1) & ~(black | white)):
                    if turned(black, white, cell, self.length):
                        legal |= 1 << cell * self.stride
                    if turned(white, black, cell, self.length):
                        legal |= 1 << cell * self.stride + self.field
            node = [*self.values(black, white), *[None] * (3 * self.length), (black, white, legal)]
            self.nodes[black, white] = node
        return node

    def grow(self, node: Node, slot: int) -> Step:
        """Fill in and return the step that a slot takes from a node."""
        black, white, legal = node[-1]
        what, cell = divmod(slot - STAGES, self.length)
        bit, turns = 1 << cell, 0
        if what == BLACK:
            turns = turned(black, white, cell, self.length) if self.stride else 0
            black, white = black | bit | turns, white ^ turns
        elif what == WHITE:
            turns = turned(white, black, cell, self.length) if self.stride else 0
            black, white = black ^ turns, white | bit | turns
        else:
            black, white = black ^ bit, white ^ bit
        after = self.node(black, white)
        cells = tuple(cells_of(turns))
        step = after, legal ^ after[-1][2], cells, sum(1 << i * self.stride for i in cells)
        node[slot] = step
        return step


def turned(own: int, other: int, cell: int, length: int) -> int:
    """Discs of a line that turn when `own` is put on an empty cell."""
    turns = 0
    for way in (1, -1):
        run = 0
        i = cell + way
        while 0 <= i < length and other >> i & 1:
            run |= 1 << i
            i += way
        if 0 <= i < length and own >> i & 1:
            turns |= run
    return turns


class Geometry:
    """What all boards of one size share. Use `geometry()` to get one.

    lists: the patterns, lines first; contents: the graph of each; start: the nodes of the empty board
    evaluation: what its boards are worth
    rank: per cell, its place in the order of moves, the better the larger
    put: per colour and cell, a step for each list that the cell is on: (list, slot, shift of legal cells, first cell)
    turn: per line and place on it, a step for each other list that the cell is on: (list, slot, shift)
    """

    def __init__(self, n: int) -> None:
        self.n, self.cells = n, n * n
        self.all, self.both = (1 << self.cells) - 1, (1 << len(COLOURS) * self.cells) - 1
        self.lists = patterns(n)
        self.evaluation = evaluation(n)
        strides = [down * n + right for down, right in DIRECTIONS]
        graphs: dict[tuple[int, int | None], Contents] = {}
        self.contents: list[Contents] = []
        on: list[list[tuple[int, int]]] = [[] for _ in range(self.cells)]        # (list, place) of each cell
        for number, pattern in enumerate(self.lists):
            kind, direction, cells, _ = pattern
            if (kind, direction) not in graphs:
                stride = 0 if direction is None else strides[direction]
                graphs[kind, direction] = Contents(self.evaluation.values(pattern), len(cells), stride, self.cells)
            self.contents.append(graphs[kind, direction])
            for place, cell in enumerate(cells):
                on[cell].append((number, place))
        self.rank = ranks(n)
        self.start = self._empty()
        self.put = [[tuple(self._step(number, place, colour) for number, place in places) for places in on]
                    for colour in (BLACK, WHITE)]
        self.turn = [[tuple(self._step(number, place, TURNED)[:3] for number, place in on[cell] if number != line)
                      for cell in self.lists[line].cells] for line in range(len(self.lists))]

    def any_direction(self, along: int) -> int:
        """Of each colour, the cells that are legal along one direction or another; see Board."""
        field = len(COLOURS) * self.cells
        along |= along >> 2 * field
        return (along | along >> field) & self.both

    def forget_contents(self) -> None:
        """Empty the graphs, once they have grown too large. The nodes that a board has stay good.

        Steps go in circles, which would never be freed while the garbage collector is held still: they are taken out.
        """
        graphs = set(self.contents)
        if sum(len(contents.nodes) for contents in graphs) <= MOST_CONTENTS:
            return
        for contents in graphs:
            for node in contents.nodes.values():
                node[STAGES:-1] = [None] * (3 * contents.length)
            contents.nodes.clear()
        self.start = self._empty()

    def _empty(self) -> list[Node]:
        return [contents.node(0, 0) for contents in self.contents]

    def _step(self, number: int, place: int, what: int) -> tuple[int, int, int, int]:
        _, direction, cells, _ = self.lists[number]
        slot = STAGES + what * len(cells) + place
        return number, slot, cells[0] + (direction or 0) * len(COLOURS) * self.cells, cells[0]


_GEOMETRIES: dict[int, Geometry] = {}


def geometry(n: int) -> Geometry:
    """The one shared Geometry of a size, made on first need."""
    shape = _GEOMETRIES.get(n)
    if shape is None:
        shape = _GEOMETRIES[n] = Geometry(n)
    shape.forget_contents()
    return shape


class Board:
    """A position that discs are played on and taken back from.

    side      colour to move, BLACK or WHITE
    discs     masks of the black and the white discs, bit row * n + col
    nodes     of each list, the node of its content
    legal     mask of Black's legal cells, and n * n bits higher, of White's
    along     the same for each direction of lines, one above the other
    """

    def __init__(self, n: int) -> None:
        self.geometry = geometry(n)
        self.history: list[tuple[Any, ...]] = []
        self.side = BLACK
        self.discs = (0, 0)
        self.nodes = self.geometry.start
        self.along = self.legal = 0

    def set_up(self, black: int, white: int, side: int) -> None:
        """Show a position as masks, and say who moves."""
        shape = geometry(self.geometry.n)
        self.side, self.discs, self.nodes, self.along = side, (black, white), [], 0
        for (_, direction, cells, _), contents in zip(shape.lists, shape.contents):
            node = contents.node(*(sum(1 << place for place, cell in enumerate(cells) if mask >> cell & 1)
                                   for mask in self.discs))
            self.nodes.append(node)
            self.along ^= node[-1][2] << cells[0] + (direction or 0) * len(COLOURS) * shape.cells
        self.legal = shape.any_direction(self.along)
        self.history.clear()

    def legal_cells(self, side: int) -> int:
        """Mask of the cells where a colour may play."""
        shape = self.geometry
        return self.legal >> shape.cells if side else self.legal & shape.all

    def play(self, cell: int) -> None:
        """Play a legal cell, or PASS (not checked)."""
        shape, side, along = self.geometry, self.side, self.along
        self.history.append((self.nodes, self.discs, along, self.legal))
        self.side = 1 - side
        if cell == PASS:
            return
        nodes = self.nodes = self.nodes[:]
        contents, turn = shape.contents, shape.turn
        flipped = 0
        for number, slot, shift, first in shape.put[side][cell]:
            node = nodes[number]
            nodes[number], change, places, spread = node[slot] or contents[number].grow(node, slot)
            along ^= change << shift
            if places:
                flipped |= spread << first
                steps = turn[number]
                for place in places:
                    for other, slot, shift in steps[place]:
                        node = nodes[other]
                        step = node[slot] or contents[other].grow(node, slot)
                        nodes[other] = step[0]
                        along ^= step[1] << shift
        black, white = self.discs
        self.discs = (black ^ flipped | 1 << cell, white ^ flipped) if side == BLACK else (
            black ^ flipped, white ^ flipped | 1 << cell)
        self.along, self.legal = along, shape.any_direction(along)

    def undo(self) -> None:
        """Take the last move back."""
        self.nodes, self.discs, self.along, self.legal = self.history.pop()
        self.side = 1 - self.side
