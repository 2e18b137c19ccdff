"""The gomoku agent of report 002: alpha-beta, two plies deep, with an evaluation that adds up shapes.

A shape is a pattern of stones on a line; `SHAPES` gives the values. In each direction, every stone that no shape covers
yet takes the most valuable shape around it. Two shapes that share a cell add half of the sum of their values. The score
is the value of the opponent's shapes minus 0.3 times that of the own shapes. The search tries the cells within two
steps of a stone along lines. On 11x11 a move takes at most 0.3 s. `last_thought()` gives the scores that the report
prints: on turn the value of the search, off turn the value of the board.

How the agent follows the report:
- The report's score is from the view of the human opponent. This agent, the report's "machine", minimises the score.
- The report's depth of three counts the root, so the depth is two plies. Only two plies give the printed scores.
- The report breaks ties by the order of a Python set. This agent takes the last cell, as in the printed moves.
- A shape at the edge covers its own cells. In the report the covered cells are off by one.
With depth above 3 the agent uses iterative deepening. When time is up, the best move so far is played and the finished
depth is reported. The agent plays every board with room for five in a row. On other boards the agent answers with the
centre or the first free cell.

Options:
    depth=3       plies + 1: the report counts the root
    ratio=0.3     weight of the own shapes in the score
    reach=2       largest distance of searched cells from a stone, in steps; 1 in the report's first version
    bonus=on      two shapes that share a cell add half of the sum of their values
    seconds=0.8   time limit of a call
"""

from functools import lru_cache
from typing import Any, Dict, Hashable, List, NamedTuple, Optional, Tuple

from .observed import Cell, Seen, Stones, controller
from .searchers import AlphaBetaSearch, MoveClock, SearchGame, options_of

AGENTS = {
    "seed002": {
        "rank": 2,
        "about": "student agent, table of shapes; gomoku 11x11",
        "games": ("five_in_a_row",),
        "options": {"depth": 3, "ratio": 0.3, "reach": 2, "bonus": True, "seconds": 0.8},
    }
}

FIVE = 5
DEPTH = 3  # depth of the report's search: plies + 1
SHAPES = {  # X own stone, . free
    ".XX..": 50,
    "..XX.": 50,
    "XX.X.": 200,
    "..XXX": 500,
    "XXX..": 500,
    ".XXX.": 5000,
    ".X.XX.": 5000,
    ".XX.X.": 5000,
    "XXX.X": 5000,
    "XX.XX": 5000,
    "X.XXX": 5000,
    "XXXX.": 5000,
    ".XXXX": 5000,
    ".XXXX.": 50000,
    "XXXXX": 99999999,
}
AXES = ((1, 1), (1, 0), (0, 1), (1, -1))
WINDOW = 6  # length of the longest shape, in cells
SWAP_SIDES = str.maketrans("XO", "OX")

Shape = Tuple[int, int]  # (value, bit mask of the cells)


class LineShapes(NamedTuple):
    """The shapes of Black and of White on one line, and whether either side has five in a row."""

    shapes: Tuple[List[Shape], List[Shape]]
    five: bool


OPTIONS, configure = options_of(AGENTS["seed002"], {"depth": 2, "reach": 1, "ratio": 0.0, "seconds": 0.001})
_thought: Optional[Dict[str, Any]] = None


def last_thought() -> Optional[Dict[str, Any]]:
    """The score that the report prints, the value of both sides' shapes, and on turn depth and nodes of the search."""
    return _thought


def choose(seen: Seen) -> Optional[Cell]:
    """The cell to play; off turn the agent only evaluates the board. None on boards without room for five in a row."""
    global _thought
    clock = MoveClock(OPTIONS.seconds)
    _thought = None
    if seen.reversi or max(len(seen.stones), len(seen.stones[0])) < FIVE:
        return None
    board = ShapeBoard(seen.stones, seen.player, OPTIONS)
    if seen.idle or board.is_over():
        _thought = {"score": board.score(), **board.sides()}
        return (0, 0)
    deep = OPTIONS.depth > DEPTH  # then moves are sorted, so that of equal moves another is taken than in the report
    result = AlphaBetaSearch(board, ordered=deep, deepening=deep, clock=clock).run(OPTIONS.depth - 1)
    score = 0.0 - result.value  # not `-result.value`, which is -0.0 for 0.0
    board.play(result.move)
    _thought = {"score": score, **board.sides(), "depth": result.depth + 1, "nodes": result.nodes}
    row, col = divmod(result.move, board.cols)
    return row, col


class ShapeGeometry(NamedTuple):
    """The tables for one board size. A cell is the number row * columns + column; a set of cells is a bit mask."""

    lines: List[List[int]]  # the cells of every line with room for five
    through: List[List[int]]  # by cell: the indices in `lines` of the lines through it
    near: List[int]  # by cell: the mask of the cells within reach along lines
    known: Dict[Tuple[int, str], LineShapes]  # cache by line number and the line's content


@lru_cache(maxsize=None)
def geometry(rows: int, cols: int, reach: int) -> ShapeGeometry:
    """The tables for a board size; `reach` is the option."""
    lines, near = [], [0] * (rows * cols)
    for cell in range(rows * cols):
        for down, right in AXES:
            if not on_board(cell, -1, (down, right), rows, cols):
                line = [at for i in range(max(rows, cols)) for at in on_board(cell, i, (down, right), rows, cols)]
                lines += [line] if len(line) >= FIVE else []
            for i in range(-reach, reach + 1):
                near[cell] |= sum(1 << at for at in on_board(cell, i, (down, right), rows, cols))
    through = [[number for number, line in enumerate(lines) if cell in line] for cell in range(rows * cols)]
    return ShapeGeometry(lines, through, near, {})


def on_board(cell: int, steps: int, axis: Cell, rows: int, cols: int) -> List[int]:
    """A list with the cell `steps` steps away along an axis; empty if that is off the board."""
    row, col = cell // cols + steps * axis[0], cell % cols + steps * axis[1]
    return [row * cols + col] if 0 <= row < rows and 0 <= col < cols else []


def shapes_of(text: str) -> List[Tuple[int, int]]:
    """X's shapes on a line in order: (value, index of the first of the five cells that the shape covers).

    The last cell of a shape of six cells is free, so the first five cells cover all its stones.

    >>> shapes_of("...XXXO")
    [(500, 1)]
    """
    shapes: List[Tuple[int, int]] = []
    for at, mark in enumerate(text):
        if mark == "X" and not any(first <= at < first + FIVE for _, first in shapes):
            firsts = range(max(0, at + 1 - WINDOW), min(at, len(text) - FIVE) + 1)
            scores = [max(SHAPES.get(text[first : first + size], 0) for size in (FIVE, WINDOW)) for first in firsts]
            if any(scores):
                shapes.append((max(scores), firsts[scores.index(max(scores))]))
    return shapes


class ShapeBoard(SearchGame):
    """A board as a list of lines with their shapes. Values are the report's score from the view of the side to move."""

    def __init__(self, stones: Stones, machine: int, options: Any) -> None:
        self.cols = len(stones[0])
        self.machine = machine
        self.options = options
        self.geometry = geometry(len(stones), self.cols, options.reach)
        self.marks = [".XO"[stone] for row in stones for stone in row]
        self.mover = 1 if self.marks.count("X") == self.marks.count("O") else 2
        self.taken = sum(1 << cell for cell, mark in enumerate(self.marks) if mark != ".")
        self.contents = [self._content(number) for number in range(len(self.geometry.lines))]
        self.five = any(content.five for content in self.contents)
        self.before: List[List[LineShapes]] = []  # for each move played: the old contents of the lines through its cell

    def moves(self) -> List[int]:
        """The free cells near a stone, or all if none is near, last cell first; on an empty board the centre."""
        cells = range(len(self.marks) - 1, -1, -1)
        free = [cell for cell in cells if not self.taken >> cell & 1]
        if not self.taken:
            return [len(self.marks) // 2]
        return [cell for cell in free if self.geometry.near[cell] & self.taken] or free

    def play(self, move: int) -> None:
        self.marks[move] = ".XO"[self.mover]
        self.taken |= 1 << move
        self.mover = 3 - self.mover
        through = self.geometry.through[move]
        self.before.append([self.contents[number] for number in through])
        for number in through:
            content = self.contents[number] = self._content(number)
            self.five = self.five or content.five

    def undo(self, move: int) -> None:
        self.marks[move] = "."
        self.taken ^= 1 << move
        self.mover = 3 - self.mover
        for number, content in zip(self.geometry.through[move], self.before.pop()):
            self.contents[number] = content
        self.five = False  # the search plays no move after a five, so the board before has no five

    def is_over(self) -> bool:
        return self.five or self.taken + 1 == 1 << len(self.marks)

    def evaluate(self) -> float:
        return -self.score() if self.mover == self.machine else self.score()

    def key(self) -> Hashable:
        """All stones. The number of stones determines the side to move."""
        return "".join(self.marks)

    def score(self) -> float:
        """The value of the human's (opponent's) shapes minus `ratio` times that of the machine's (own) shapes."""
        machine, man = self.side(self.machine), self.side(3 - self.machine)
        return man - machine * float(self.options.ratio)

    def sides(self) -> Dict[str, int]:
        """The value of each side's shapes."""
        return {"machine": self.side(self.machine), "man": self.side(3 - self.machine)}

    def side(self, colour: int) -> int:
        """The sum of the values of a side's shapes, plus half of the sum for any two shapes that share a cell."""
        shapes = [shape for content in self.contents for shape in content.shapes[colour - 1]]
        total = sum(score for score, _ in shapes)
        if self.options.bonus:
            for number, (score, cells) in enumerate(shapes):
                total += sum((score + other) // 2 for other, others in shapes[:number] if cells & others)
        return total

    def _content(self, number: int) -> LineShapes:
        line = self.geometry.lines[number]
        text = "".join([self.marks[cell] for cell in line])
        content = self.geometry.known.get((number, text))
        if content is None:
            black, white = (
                [(score, sum(1 << cell for cell in line[first : first + FIVE])) for score, first in shapes_of(side)]
                for side in (text, text.translate(SWAP_SIDES))
            )
            five = "X" * FIVE in text or "O" * FIVE in text
            content = self.geometry.known[number, text] = LineShapes((black, white), five)
        return content


my_controller = controller(choose)
