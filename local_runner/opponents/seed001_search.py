"""How seed001 searches: its switches, its history table, its evaluation. What the switches do its own head explains."""

from typing import Dict, List, NamedTuple, Optional, Tuple, Union

from .clock import MoveClock
from .disc_weights import DiscWeights
from .observed import Cell
from .rules import PASS, MaskPosition, ReversiRules, bits, count

QUARTER = (
    (150, -80, 10, 10),
    (-80, -90, 5, 5),
    (10, 5, 1, 1),
    (10, 5, 1, 1),
)
LOST = -(10**10)
EARLY = 16  # discs, below which to have many is no aim


class Seed001Options(NamedTuple):
    """The switches, as the head of seed001 explains them."""

    depth: int = 6
    pruning: bool = True
    history: bool = True
    corners: bool = True
    stability: bool = True
    vanishing: Union[bool, str] = True
    factor: int = 50
    width: Optional[int] = None
    bad_moves: bool = False
    bad_leaves: bool = False
    cores: int = 1
    seconds: Optional[float] = 0.8
    game_seconds: Optional[float] = 60
    seed: Optional[int] = None

    def checked(self) -> "Seed001Options":
        """Itself; raises ValueError for values that make no sense."""
        if self.depth < 1 or self.cores < 1 or (self.width is not None and self.width < 1):
            raise ValueError("depth, cores and width must be at least 1")
        if self.vanishing not in (True, False, "random"):
            raise ValueError("vanishing must be on, off or random")
        return self


class HistoryTable:
    """For each colour and number of discs a ranking of all cells, in which good moves rise."""

    def __init__(self, rules: ReversiRules) -> None:
        self._cells = list(bits(rules.cells))
        self._rankings: Dict[Tuple[int, int], Tuple[List[int], Dict[int, int]]] = {}

    def _ranking(self, player: int, discs: int) -> Tuple[List[int], Dict[int, int]]:
        """The cells by rank and the ranks by cell; row by row at first."""
        if (player, discs) not in self._rankings:
            self._rankings[player, discs] = self._cells[:], {cell: rank for rank, cell in enumerate(self._cells)}
        return self._rankings[player, discs]

    def ordered(self, moves: List[int], player: int, discs: int) -> List[int]:
        """The moves, best rank first."""
        return sorted(moves, key=self._ranking(player, discs)[1].__getitem__)

    def reward(self, move: int, player: int, discs: int, cut: bool) -> None:
        """Exchange a move's rank with the first one if it `cut` the search off, else with the one before it."""
        cells, ranks = self._ranking(player, discs)
        rank = ranks[move]
        better = 0 if cut else max(rank - 1, 0)
        displaced = cells[better]
        cells[better], cells[rank] = move, displaced
        ranks[move], ranks[displaced] = better, rank


class Squares:
    """The cells that the report speaks of, as masks, four each: of the corners A1, H1, H8 and A8 in this order."""

    def __init__(self, rules: ReversiRules) -> None:
        last = rules.width - 1
        self.corners = corners_of(rules, [(0, 0)])
        self.beside = corners_of(rules, [(0, 1), (1, 0), (1, 1)])
        rings = []
        for at in (0, 1):  # the edge, and the ring of cells inside it
            row, col = [(at, i) for i in range(at, last - at)], [(i, at) for i in range(at + 1, last - at + 1)]
            rings.append(zip(corners_of(rules, [(at, at)]), corners_of(rules, row + col)))
        self.edges = [(*outer, *inner) for outer, inner in zip(*rings)]


def corners_of(rules: ReversiRules, cells: List[Cell]) -> List[int]:
    """The masks of some cells seen from the first corner, and of what they become by quarter turns of the board."""
    masks = []
    for _ in range(4):
        masks.append(sum(map(rules.bit, cells)))
        cells = [(col, rules.width - 1 - row) for row, col in cells]
    return masks


class Seed001Search:
    """Alpha-beta by the switches, on one board; what the history table has learnt stays for the next move."""

    def __init__(self, rules: ReversiRules, options: Seed001Options) -> None:
        self.rules = rules
        self.options = options
        self.weights = DiscWeights(rules, QUARTER)
        self.squares = Squares(rules)
        self.history = HistoryTable(rules) if options.history else None
        self.clock = MoveClock(None)

    def alphabeta(
        self, position: MaskPosition, discs: int, depth: int, alpha: int, beta: int, only: int = -1
    ) -> Tuple[int, int]:
        """The value for the side to move, exact within (alpha, beta), and the best move of those in the mask `only`.

        `discs` are on the board. The move is PASS at a leaf, and where everything loses. Raises TimeUp.
        """
        self.clock.check()
        own, other, player = position
        legal, others = self.rules.legal(own, other), self.rules.legal(other, own)
        if not legal and others:
            return -self.alphabeta(self.rules.play(position, PASS), discs, depth, -beta, -alpha)[0], PASS
        if not legal or depth <= 0:
            mobility = self.options.factor * (count(legal) - count(others))
            early = self.options.vanishing and discs < EARLY and legal
            return mobility + (0 if early else self.evaluate(own, other)), PASS
        moves = list(bits(legal & only))
        if self.history is not None:
            moves = self.history.ordered(moves, player, discs)
        best, choice = LOST, PASS
        for move in moves[: self.options.width]:
            value = -self.alphabeta(self.rules.play(position, move), discs + 1, depth - 1, -beta, -alpha)[0]
            if value > best:
                best, choice = value, move
                if best >= beta and self.options.pruning:
                    break
                alpha = max(alpha, best)
        if self.history is not None and choice:
            self.history.reward(choice, player, discs, cut=self.options.pruning and best >= beta)
        return best, choice

    def evaluate(self, own: int, other: int) -> int:
        """Weights and edges of the owner of `own`, less the other's; LOST without a disc, or with one on a bad cell."""
        if not own or (self.options.bad_leaves and self._has_bad_disc(own)):
            return LOST
        value = self.weights.total(own) - self.weights.total(other)
        if self.options.stability:
            value += self.options.factor * (self._on_edges(own) - self._on_edges(other))
        return value

    def _has_bad_disc(self, own: int) -> bool:
        pairs = zip(self.squares.corners, self.squares.beside)
        return any(own & beside and not own & corner for corner, beside in pairs)

    def _on_edges(self, own: int) -> int:
        """Discs on the two edges of each own corner, and on the ring inside them if its X square is own too.

        What two corners vouch for counts twice, but of the four corners each counts for itself and one neighbour.
        """
        found = 0
        for corner, edges, x_square, ring in self.squares.edges:
            if own & corner:
                found += count(own & edges)
                if own & x_square:
                    found += count(own & ring)
        return found
