"""The search of seed001: history table and evaluation. The docstring of seed001.py explains the options."""

from typing import Any, Dict, List, Tuple

from .clock import MoveClock
from .observed import PASS, Cell, DiscWeights, MaskPosition, ReversiRules, bits, count

QUARTER = ((150, -80, 10, 10), (-80, -90, 5, 5), (10, 5, 1, 1), (10, 5, 1, 1))
LOST = -(10**10)  # value of a lost game
EARLY = 16  # discs on the board; with fewer, `vanishing` counts mobility only


class HistoryTable:
    """The history heuristic: a ranking of all cells for each colour and number of discs, in which good moves rise."""

    def __init__(self, rules: ReversiRules) -> None:
        self._cells = list(bits(rules.cells))
        self._rankings: Dict[Tuple[int, int], Tuple[List[int], Dict[int, int]]] = {}

    def _ranking(self, player: int, discs: int) -> Tuple[List[int], Dict[int, int]]:
        """The cells by rank and the ranks by cell. The first ranking is row by row."""
        if (player, discs) not in self._rankings:
            self._rankings[player, discs] = self._cells[:], {cell: rank for rank, cell in enumerate(self._cells)}
        return self._rankings[player, discs]

    def ordered(self, moves: List[int], player: int, discs: int) -> List[int]:
        """The moves, best rank first."""
        return sorted(moves, key=self._ranking(player, discs)[1].__getitem__)

    def reward(self, move: int, player: int, discs: int, cut: bool) -> None:
        """After a cutoff (`cut`), swap the move with the first cell of the ranking; else with the next better cell."""
        cells, ranks = self._ranking(player, discs)
        rank = ranks[move]
        better = 0 if cut else max(rank - 1, 0)
        displaced = cells[better]
        cells[better], cells[rank] = move, displaced
        ranks[move], ranks[displaced] = better, rank


class Squares:
    """Masks of the report's groups of cells. Each group has four masks: at the corners A1, H1, H8 and A8."""

    def __init__(self, rules: ReversiRules) -> None:
        last = rules.width - 1
        self.corners = corners_of(rules, [(0, 0)])
        self.beside = corners_of(rules, [(0, 1), (1, 0), (1, 1)])
        rings = []
        for at in (0, 1):  # 0: the edge; 1: the ring of cells next to it
            row, col = [(at, i) for i in range(at, last - at)], [(i, at) for i in range(at + 1, last - at + 1)]
            rings.append(zip(corners_of(rules, [(at, at)]), corners_of(rules, row + col)))
        self.edges = [(*outer, *inner) for outer, inner in zip(*rings)]


def corners_of(rules: ReversiRules, cells: List[Cell]) -> List[int]:
    """Four masks: the cells, which lie at corner A1, and their images under quarter turns of the board."""
    masks = []
    for _ in range(4):
        masks.append(sum(map(rules.bit, cells)))
        cells = [(col, rules.width - 1 - row) for row, col in cells]
    return masks


class Seed001Search:
    """Alpha-beta with the options, on one board. The history table is kept from move to move."""

    def __init__(self, rules: ReversiRules, options: Any) -> None:
        self.rules = rules
        self.options = options
        self.weights = DiscWeights(rules, QUARTER)
        self.squares = Squares(rules)
        self.history = HistoryTable(rules) if options.history else None
        self.clock = MoveClock(None)

    def alphabeta(
        self, position: MaskPosition, discs: int, depth: int, alpha: int, beta: int, only: int = -1
    ) -> Tuple[int, int]:
        """The value for the side to move, exact within (alpha, beta), and the best move in the mask `only`.

        `discs`: the number of discs on the board. The move is PASS at a leaf, and if all moves lose. Raises MoveTimeUp
        when the clock's limit is reached.
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
        """Weights and edge discs of the side with `own`, minus those of the opponent.

        LOST if `own` is empty or, with `bad_leaves`, has a disc next to a corner without an own disc.
        """
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
        """The number of own discs on the two edges of each own corner.

        If the X square of that corner is own too, own discs on the two lines next to these edges also count. An edge
        between two own corners counts twice. Each edge includes only one of its two corners.
        """
        discs = 0
        for corner, edges, x_square, ring in self.squares.edges:
            if own & corner:
                discs += count(own & edges)
                if own & x_square:
                    discs += count(own & ring)
        return discs
