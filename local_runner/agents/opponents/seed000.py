"""The Reversi player of report 000: alpha-beta with a weight map and mobility, or simulated annealing on the map.

The agent plays a legal corner without a search. Otherwise the search depth is 4 plies, 5 with at most 9 discs on the
board, 6 with at most 15 free cells. Nodes with remaining depth 4 or more search only the six best moves of a one-ply
search. A node without a legal move is a leaf. `DiscWeights` extends the map to boards other than 8x8.

Corrections of errors in the report's program:
- The report's negamax search evaluates all leaves for one colour. This agent evaluates each leaf for the side to move.
- The report counts stable discs for one side only. This agent subtracts the opponent's count.
- The report's annealing accepts a worse move with a probability that rises with the loss. In this agent the Metropolis
  rule decides. The temperature starts at 1, as in the report. Each temperature tries as many cells as the board has,
  not twelve as in the report: twelve tries rarely hit a second legal cell.
The report's printed search does not play the report's printed moves, one of which gives a corner away.

Options:
    variant=search   or annealing
    depth=none       plies, instead of 4 to 6
    width=6          number of moves searched in nodes with remaining depth 4 or more
    stability=off    whether stable discs count
    seed=N           for annealing
    seconds=0.8      time of a move for iterative deepening, which the report lacks; none: search the full depth at once
"""

import math
import random
from typing import Optional, Tuple

from .observed import PASS, Cell, DiscWeights, MaskPosition, ReversiRules, Seen, bits, controller, count
from .searchers import MoveClock, deepen, options_of

AGENTS = {
    "seed000": {
        "rank": 2,
        "about": "student agent, weight map and mobility, or variant=annealing; Reversi",
        "games": ("reversi",),
        "options": {
            "variant": "search", "depth": None, "width": 6, "stability": False, "seconds": 0.8, "seed": None,
        },
    },
}  # fmt: skip

QUARTER = ((500, -25, 10, 5), (-25, -45, 1, 1), (10, 1, 3, 2), (5, 1, 2, 1))
MOBILITY = 15  # value of one legal move
STABLE = 10  # value of one stable disc
INFINITE = 10000  # larger than any evaluation
FEW_DISCS = 9  # with at most this many discs on the board the depth is 5 plies
FEW_FREE = 15  # with at most this many free cells the depth is 6 plies
SELECTIVE = 4  # remaining depth in plies from which on only the `width` best moves are searched
HOTTEST = 1.0  # first temperature of the annealing
COLDEST = 0.05  # the annealing ends at this temperature: on 8x8 no step would reach another cell
COOLING = 0.1  # factor from each temperature to the next


def depth_for(rules: ReversiRules, position: MaskPosition) -> int:
    """The report's search depth in plies."""
    discs = count(position.own | position.other)
    if discs <= FEW_DISCS:
        return 5
    return 6 if count(rules.cells) - discs <= FEW_FREE else 4


def corner_cells(rules: ReversiRules) -> int:
    """The mask of the four corners."""
    last = rules.width - 1
    return sum(map(rules.bit, ((0, 0), (0, last), (last, 0), (last, last))))


class Seed000Search:
    """Alpha-beta with the report's evaluation, on one board and under one clock."""

    def __init__(self, rules: ReversiRules, width: int, stability: bool, clock: MoveClock) -> None:
        self.rules = rules
        self.weights = DiscWeights(rules, QUARTER)
        self.stable = StableDiscs(rules) if stability else None
        self.width = width
        self.clock = clock

    def negamax(self, position: MaskPosition, depth: int, alpha: int, beta: int) -> Tuple[int, int]:
        """The value for the side to move, exact within (alpha, beta), and the best move; PASS at a leaf.

        Raises MoveTimeUp when the clock's limit is reached.
        """
        self.clock.check()
        legal = self.rules.legal(position.own, position.other)
        if not legal or not depth:
            return self.evaluate(position.own, position.other), PASS
        children = [(self.rules.play(position, move), move) for move in bits(legal)]
        if depth >= SELECTIVE:
            children.sort(key=lambda child: self.negamax(child[0], 1, -INFINITE, INFINITE)[0])
            del children[self.width :]
        best, choice = -INFINITE, PASS
        for child, move in children:
            value = -self.negamax(child, depth - 1, -beta, -max(alpha, best))[0]
            if value > best:
                best, choice = value, move
                if best >= beta:
                    break
        return best, choice

    def evaluate(self, own: int, other: int) -> int:
        """Weights, mobility and optionally stable discs of the side with the discs `own`, minus the same of `other`."""
        value = self.weights.total(own) - self.weights.total(other)
        value += MOBILITY * (count(self.rules.legal(own, other)) - count(self.rules.legal(other, own)))
        if self.stable is not None:
            value += STABLE * (self.stable.number(own, other) - self.stable.number(other, own))
        return value


class StableDiscs:
    """Counts stable discs (discs that cannot be flipped) in three classes. A disc in two classes counts twice."""

    def __init__(self, rules: ReversiRules) -> None:
        self.cells = rules.cells
        self.corners = corner_cells(rules)
        starts = [(bit, step) for step in rules.steps for bit in bits(rules.cells) if not bit >> step & rules.cells]
        self.lines = [self._run(rules.cells, bit, step) for bit, step in starts]
        self.edge_steps = rules.steps[:2]

    def number(self, own: int, other: int) -> int:
        """The sum of three counts of own discs.

        1. Discs on corners.
        2. Discs connected to an own corner along an edge, without the corner.
        3. Discs whose row, column and diagonals are all full.
        """
        along_edges = 0
        for corner in bits(own & self.corners):
            for step in self.edge_steps:
                along_edges |= self._run(own, corner, step) | self._run(own, corner, -step)
        free, open_cells = self.cells & ~(own | other), 0
        for line in self.lines:
            if line & free:
                open_cells |= line
        return count(own & self.corners) + count(along_edges & ~self.corners) + count(own & ~open_cells)

    @staticmethod
    def _run(cells: int, start: int, step: int) -> int:
        """The unbroken run of cells in `cells` that begins at `start`, in steps of `step` bits."""
        run = 0
        while start & cells:
            run |= start
            start = start << step if step > 0 else start >> -step
        return run


def anneal(rules: ReversiRules, position: MaskPosition, rng: random.Random) -> int:
    """The best move found by simulated annealing.

    The walk starts at the first legal cell. The maximum step length is proportional to the temperature.
    """
    moves = rules.moves(position)
    weights = DiscWeights(rules, QUARTER)
    worth = {}
    for move in moves:
        after = rules.play(position, move)
        worth[rules.cell(move)] = weights.total(after.other) - weights.total(after.own)
    here = best = rules.cell(moves[0])
    temperature = HOTTEST
    while temperature > COLDEST:
        reach = temperature * (rules.width + 1)
        for _ in range(count(rules.cells)):
            row, col = (round(at + reach * (rng.random() - rng.random())) for at in here)
            if (row, col) not in worth:  # off the board, or not a legal move
                continue
            if accepts(worth[row, col] - worth[here], temperature, rng):
                here = row, col
                best = max(best, here, key=lambda cell: worth[cell])
        temperature *= COOLING
    return rules.bit(best)


def accepts(gain: int, temperature: float, rng: random.Random) -> bool:
    """The Metropolis rule: accept a positive gain always, any other with probability exp(gain / temperature)."""
    return gain > 0 or rng.random() < math.exp(gain / temperature)


OPTIONS, configure = options_of(AGENTS["seed000"], {"depth": 1, "width": 1}, {"variant": ("search", "annealing")})


def choose(seen: Seen) -> Optional[Cell]:
    """The cell to play at Reversi; None for a pass, off turn, and in other games."""
    if not seen.reversi or seen.idle:
        return None
    rules = ReversiRules(len(seen.stones))
    position = rules.position(seen.stones, seen.player)
    moves = rules.moves(position)
    if moves == [PASS]:
        return None
    if OPTIONS.variant == "annealing":
        return rules.cell(anneal(rules, position, OPTIONS.rng))
    corners = [move for move in moves if move & corner_cells(rules)]
    if corners:
        return rules.cell(corners[0])
    search = Seed000Search(rules, OPTIONS.width, OPTIONS.stability, MoveClock(OPTIONS.seconds))
    depth = OPTIONS.depth or depth_for(rules, position)
    results = deepen(lambda plies: search.negamax(position, plies, -INFINITE, INFINITE), search.clock.depths(depth))
    return rules.cell(results[-1][1] if results else moves[0])


my_controller = controller(choose)
