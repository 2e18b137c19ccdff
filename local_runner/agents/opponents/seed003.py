"""The tic-tac-toe agent of report 003: a search of three plies; the value is own open lines minus the opponent's.

The agent plays the centre of an empty board and an immediate win without a search. The search is alpha-beta;
`configure` can choose the report's other searches: minimax, negamax, iterative deepening, quiescence. Cells are tried
row by row; ties go to the first. `last_thought()` gives the value that the report prints, and the node counts.

Differences from the report's program, where it is wrong or unclear:
- The report's program searches on after three in a row. In this agent's search, three in a row end the game.
- The report's program looks for immediate wins only in rows and columns. This agent looks at diagonals too.
- The report's program may play a move from inside the tree. This agent plays the best move at the root.
- In the report a win is worth 999999999 and a loss -100000. In this agent a win is worth 100000 and a loss -100000.
- If the report's program moves at random, or if all moves lose, this agent plays the first free cell.
- The report's quiescence search tries captures. This agent's tries cells that complete a line of either side.
On boards other than 3x3 the agent answers with the centre or the first free cell.
"""

from typing import Any, Dict, Hashable, List, Optional

from .observed import Cell, Seen, Stones, controller
from .searchers import AlphaBetaSearch, SearchGame, SearchResult, options_of

AGENTS = {
    "seed003": {
        "rank": 2,
        "about": "student agent, open lines, search=minimax, negamax, alphabeta, deepening or quiescence; tic-tac-toe",
        "games": ("tictactoe_1v1",),
        "options": {"depth": 3, "search": "alphabeta"},
    }
}

SIDE = 3
WIN = 100000
LINES = (0b111000000, 0b000111000, 0b000000111, 0b100100100, 0b010010010, 0b001001001, 0b100010001, 0b001010100)
CELLS = [1 << cell for cell in reversed(range(SIDE * SIDE))]  # row by row, as in LINES
CENTRE, ALL = CELLS[4], sum(CELLS)
WINS = [any(line & mask == line for line in LINES) for mask in range(ALL + 1)]
OPEN = [sum(not line & mask for line in LINES) for mask in range(ALL + 1)]  # mask -> number of lines without its cells

SEARCHES: Dict[str, Dict[str, Any]] = {  # name -> the switches of AlphaBetaSearch
    "minimax": {"pruning": False},
    "negamax": {"pruning": False},  # minimax is written in negamax form, so both searches are the same
    "alphabeta": {},
    "deepening": {"deepening": True},
    "quiescence": {"quiescence": True},
}

OPTIONS, configure = options_of(AGENTS["seed003"], {"depth": 1}, {"search": tuple(SEARCHES)})
_thought: Optional[Dict[str, Any]] = None


def last_thought() -> Optional[Dict[str, Any]]:
    """Value, depth, nodes, leaves and the name of the search of the last call; None if that call did not search."""
    return _thought


def choose(seen: Seen) -> Optional[Cell]:
    """The cell to play; None on boards other than 3x3. Off turn the answer is (0, 0), which the platform ignores."""
    global _thought
    _thought = None
    if seen.reversi or (len(seen.stones), len(seen.stones[0])) != (SIDE, SIDE):
        return None
    grid = TicTacToeBoard(seen.stones, seen.player)
    if seen.idle or grid.is_over():
        return (0, 0)
    result = think(grid)
    _thought = dict(result._asdict(), search=OPTIONS.search)
    del _thought["move"]
    return divmod(CELLS.index(result.move), SIDE)


def think(grid: "TicTacToeBoard") -> SearchResult:
    """The result with the move as a bit of CELLS. An immediate win has the value WIN and 0 nodes."""
    if grid.taken == 0:
        return SearchResult(grid.evaluate(), CENTRE, 0, 0, 0)
    own = grid.sides[grid.mover]
    for cell in grid.moves():
        if WINS[own | cell]:
            return SearchResult(WIN, cell, 1, 0, 0)
    return AlphaBetaSearch(grid, **SEARCHES[OPTIONS.search]).run(OPTIONS.depth)


class TicTacToeBoard(SearchGame):
    """The 3x3 board. Each cell is a bit of CELLS; `sides` holds the mask of each side's stones."""

    def __init__(self, stones: Stones, player: int) -> None:
        flat = [stone for row in stones for stone in row]
        self.sides = [sum(cell for cell, stone in zip(CELLS, flat) if stone == colour) for colour in (1, 2)]
        self.mover = player - 1

    @property
    def taken(self) -> int:
        """The mask of all stones."""
        return self.sides[0] | self.sides[1]

    def moves(self) -> List[int]:
        """The free cells, row by row."""
        taken = self.taken
        return [cell for cell in CELLS if not cell & taken]

    def play(self, move: int) -> None:
        self.sides[self.mover] |= move
        self.mover = 1 - self.mover

    def undo(self, move: int) -> None:
        self.mover = 1 - self.mover
        self.sides[self.mover] ^= move

    def is_over(self) -> bool:
        return WINS[self.sides[0]] or WINS[self.sides[1]] or self.taken == ALL

    def evaluate(self) -> int:
        """WIN, -WIN, or the number of lines open to the side to move minus the number open to the opponent."""
        own, other = self.sides[self.mover], self.sides[1 - self.mover]
        if WINS[own] or WINS[other]:
            return WIN if WINS[own] else -WIN
        return OPEN[other] - OPEN[own]

    def key(self) -> Hashable:
        return (self.sides[0], self.sides[1], self.mover)

    def forcing(self) -> List[int]:
        """The cells that complete a line of either side."""
        return [cell for cell in self.moves() if any(WINS[side | cell] for side in self.sides)]


my_controller = controller(choose)
