"""The n x n board: play and undo, with the legal cells of both colours updated incrementally.

The board is represented by the configuration of each of its cell lists: all rows, columns and diagonals, and lists for
the evaluation only, such as a square at a corner. The configurations of a list form a graph, as in
k_in_a_row/line_table.py. A disc that is put down or flipped is one step in each list that it is on. A step's change of
the legal cells is XORed into one int, which has a field for each direction and colour. XOR suffices because lines of
one direction share no cell. play() works on a copy of the list of nodes, and undo() restores the old list.
"""

from __future__ import annotations

from typing import Any, List, Tuple, Type

from ..boards import BLACK, DIRECTIONS, WHITE, board_lines, cells_of, geometries
from .evaluation import CellListEvaluator, ListValues, ReversiEvaluator, square_ranks
from .weights import STAGES, cell_lists

PASS = -1
COLOURS = (BLACK, WHITE)
FLIPPED = 2  # a change of a cell is BLACK (a black disc is put there), WHITE, or FLIPPED

Node = List[Any]
Step = Tuple[Node, int, Tuple[int, ...], int]


class ListGraph:
    """The nodes of all lists of one kind and direction.

    node    list: the value at each stage; a step for each slot, None until it is first needed; last the configuration:
            (black, white, legal cells of both colours, spread over the board)
    slot    STAGES + i: a black disc is put on cell i; + length: a white one; + 2 * length: the disc on cell i flips
    step    (next node, change of the legal cells, places of the flipped discs on the line, their mask on the board;
            bit 0 of the mask is the line's first cell)

    Args: values: configuration -> values by stage; length: cells of a list; stride: difference of the numbers of
    neighbouring cells, 0 if the list is no line; field: number of cells of the board.
    """

    def __init__(self, values: ListValues, length: int, stride: int, field: int) -> None:
        self.values, self.length, self.stride, self.field = values, length, stride, field
        self.nodes: dict[tuple[int, int], Node] = {}

    def node(self, black: int, white: int) -> Node:
        """The node of a configuration, made if it is new."""
        node = self.nodes.get((black, white))
        if node is None:
            legal = 0
            if self.stride:
                for cell in cells_of(((1 << self.length) - 1) & ~(black | white)):
                    if flips(black, white, cell, self.length):
                        legal |= 1 << cell * self.stride
                    if flips(white, black, cell, self.length):
                        legal |= 1 << cell * self.stride + self.field
            node = [*self.values(black, white), *[None] * (3 * self.length), (black, white, legal)]
            self.nodes[black, white] = node
        return node

    def grow(self, node: Node, slot: int) -> Step:
        """Compute, store and return the step from `node` by `slot`."""
        black, white, legal = node[-1]
        change, cell = divmod(slot - STAGES, self.length)
        bit, flipped = 1 << cell, 0
        if change == BLACK:
            flipped = flips(black, white, cell, self.length) if self.stride else 0
            black, white = black | bit | flipped, white ^ flipped
        elif change == WHITE:
            flipped = flips(white, black, cell, self.length) if self.stride else 0
            black, white = black ^ flipped, white | bit | flipped
        else:
            black, white = black ^ bit, white ^ bit
        after = self.node(black, white)
        cells = tuple(cells_of(flipped))
        step = after, legal ^ after[-1][2], cells, sum(1 << i * self.stride for i in cells)
        node[slot] = step
        return step


def flips(own: int, other: int, cell: int, length: int) -> int:
    """Mask of the discs of a line that are flipped when the side with the discs `own` plays on an empty cell."""
    flipped = 0
    for way in (1, -1):
        run = 0
        i = cell + way
        while 0 <= i < length and other >> i & 1:
            run |= 1 << i
            i += way
        if 0 <= i < length and own >> i & 1:
            flipped |= run
    return flipped


def legal_cells(stones: bytes, n: int, side: int) -> list[int]:
    """List the cells where a side may play, lowest first, without the tables of a ReversiBoard."""
    found: set[int] = set()
    for _, cells in board_lines(n, n, 3):
        black, white = (sum(1 << i for i, cell in enumerate(cells) if stones[cell] == colour) for colour in (1, 2))
        own, other = (black, white) if side == BLACK else (white, black)
        found.update(cell for i, cell in enumerate(cells) if not stones[cell] and flips(own, other, i, len(cells)))
    return sorted(found)


class ReversiGeometry:
    """The data that all boards of one size share. Use `geometry()` to get an instance.

    lists: the cell lists, lines first; graphs: the graph of each list; start: the nodes of the empty board
    model: the evaluator's data for this size
    rank: per cell, its rank in the order of moves, the higher the better
    put: per colour and cell, for each list that the cell is on: (list, slot, shift of the legal cells, first cell)
    flip: per line and place on it, for each other list that the cell is on: (list, slot, shift)
    """

    def __init__(self, n: int, evaluator: Type[ReversiEvaluator]) -> None:
        self.n, self.cells = n, n * n
        self.all, self.both = (1 << self.cells) - 1, (1 << len(COLOURS) * self.cells) - 1
        self.lists = cell_lists(n)
        self.model = evaluator.model(n)
        strides = [down * n + right for down, right in DIRECTIONS]
        graphs: dict[tuple[int, int | None], ListGraph] = {}
        self.graphs: list[ListGraph] = []
        on: list[list[tuple[int, int]]] = [[] for _ in range(self.cells)]  # (list, place) of each cell
        for number, cell_list in enumerate(self.lists):
            kind, direction, cells, _ = cell_list
            if (kind, direction) not in graphs:
                stride = 0 if direction is None else strides[direction]
                graphs[kind, direction] = ListGraph(self.model.values(cell_list), len(cells), stride, self.cells)
            self.graphs.append(graphs[kind, direction])
            for place, cell in enumerate(cells):
                on[cell].append((number, place))
        self.rank = square_ranks(n)
        self.start = self._empty()
        self.put = [[tuple(self._step(*place, colour) for place in places) for places in on] for colour in COLOURS]
        self.flip = [
            [tuple(self._step(*place, FLIPPED)[:3] for place in on[cell] if place[0] != line) for cell in cells]
            for line, (_, _, cells, _) in enumerate(self.lists)
        ]

    def any_direction(self, along: int) -> int:
        """The legal cells of both colours: the union of `along` over the four directions; see ReversiBoard."""
        field = len(COLOURS) * self.cells
        along |= along >> 2 * field
        return (along | along >> field) & self.both

    def size(self) -> int:
        """Estimated number of bytes in use."""
        contents = sum(len(graph.nodes) * (500 + 24 * graph.length) for graph in set(self.graphs))
        return contents + self.cells * (2000 + self.cells)

    def forget(self) -> None:
        """Empty the graphs. Boards that still use the old nodes stay valid.

        Steps make reference cycles between nodes. When the steps are removed, Python frees the nodes at once, even
        while the garbage collector is disabled.
        """
        for graph in set(self.graphs):
            for node in graph.nodes.values():
                node[STAGES:-1] = [None] * (3 * graph.length)
            graph.nodes.clear()
        self.start = self._empty()

    def _empty(self) -> list[Node]:
        return [graph.node(0, 0) for graph in self.graphs]

    def _step(self, number: int, place: int, change: int) -> tuple[int, int, int, int]:
        _, direction, cells, _ = self.lists[number]
        slot = STAGES + change * len(cells) + place
        return number, slot, cells[0] + (direction or 0) * len(COLOURS) * self.cells, cells[0]


def geometry(n: int, evaluator: Type[ReversiEvaluator]) -> ReversiGeometry:
    """The shared geometry of a size and evaluator."""
    shared: ReversiGeometry = geometries.get((n, evaluator), lambda: ReversiGeometry(n, evaluator))
    return shared


class ReversiBoard:
    """A board with play and undo.

    side      colour to move, BLACK or WHITE
    discs     masks of the black and the white discs, bit row * n + col
    nodes     for each list, the node of its configuration
    legal     mask of Black's legal cells and, n * n bits higher, of White's
    along     as `legal`, but one field of 2 * n * n bits for each direction of lines
    """

    def __init__(self, n: int, evaluator: Type[ReversiEvaluator] = CellListEvaluator) -> None:
        self._evaluator = evaluator
        self.geometry = geometry(n, evaluator)
        self.history: list[tuple[Any, ...]] = []
        self.side = BLACK
        self.discs = (0, 0)
        self.nodes = self.geometry.start
        self.along = self.legal = 0

    def set_discs(self, black: int, white: int, side: int) -> None:
        """Set the discs, as masks, and the side to move."""
        self.geometry = shape = geometry(self.geometry.n, self._evaluator)
        self.side, self.discs, self.nodes, self.along = side, (black, white), [], 0
        for (_, direction, cells, _), graph in zip(shape.lists, shape.graphs):
            content = (sum(1 << i for i, cell in enumerate(cells) if mask >> cell & 1) for mask in self.discs)
            node = graph.node(*content)
            self.nodes.append(node)
            self.along ^= node[-1][2] << cells[0] + (direction or 0) * len(COLOURS) * shape.cells
        self.legal = shape.any_direction(self.along)
        self.history.clear()

    def legal_cells(self, side: int) -> int:
        """Mask of the cells where a colour may play."""
        shape = self.geometry
        return self.legal >> shape.cells if side else self.legal & shape.all

    def play(self, cell: int) -> None:
        """Play a legal cell or PASS; the rules are not checked."""
        shape, side, along = self.geometry, self.side, self.along
        self.history.append((self.nodes, self.discs, along, self.legal))
        self.side = 1 - side
        if cell == PASS:
            return
        nodes = self.nodes = self.nodes[:]
        graphs, flip = shape.graphs, shape.flip
        flipped = 0
        for number, slot, shift, first in shape.put[side][cell]:
            node = nodes[number]
            nodes[number], change, places, spread = node[slot] or graphs[number].grow(node, slot)
            along ^= change << shift
            if places:
                flipped |= spread << first
                steps = flip[number]
                for place in places:
                    for other, slot, shift in steps[place]:
                        node = nodes[other]
                        step = node[slot] or graphs[other].grow(node, slot)
                        nodes[other] = step[0]
                        along ^= step[1] << shift
        black, white = self.discs
        if side == BLACK:
            self.discs = black ^ flipped | 1 << cell, white ^ flipped
        else:
            self.discs = black ^ flipped, white ^ flipped | 1 << cell
        self.along, self.legal = along, shape.any_direction(along)

    def undo(self) -> None:
        """Take the last move back."""
        self.nodes, self.discs, self.along, self.legal = self.history.pop()
        self.side = 1 - self.side
