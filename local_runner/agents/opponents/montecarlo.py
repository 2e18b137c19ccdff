"""Monte Carlo tree search (UCT) for every game.

In k in a row the tree holds only cells near the stones, and only winning or blocking cells if there are any. A full
board without a row counts as a draw, whatever the platform pays for it. Every move starts a new tree.

Options:
    seconds=0.8       time of a move
    playouts=N        number of playouts of a move, instead of seconds; with a seed the moves are repeatable
    exploration=1.4   exploration constant of UCB1
    seed=N            seed of the random moves
"""

import math
import random
from typing import List, Optional, Union

from .observed import PASS, Cell, MaskBoard, MaskPosition, ReversiRules, Seen, bits, controller, count, legal_cells
from .searchers import MoveClock, options_of

AGENTS = {
    "montecarlo": {
        "rank": 4,
        "about": "Monte Carlo tree search (UCT) with random playouts; every game",
        "games": ("reversi", "k_in_a_row"),
        "options": {"seconds": 0.8, "playouts": None, "exploration": 1.4, "seed": None},
    }
}


DRAW = 0  # result of `winner` and `finish`; 1 is Black, 2 is White
USUAL_K = 5  # stones in a row; a board with a shorter side, such as tic-tac-toe, needs as many as that side has cells


class ReversiPlayouts(ReversiRules):
    """Reversi with random playouts."""

    def winner(self, position: MaskPosition) -> Optional[int]:
        """1, 2 or DRAW if neither side can move, else None."""
        own, other, _ = position
        return None if self.legal(own, other) or self.legal(other, own) else self._leader(position)

    def finish(self, position: MaskPosition, rng: random.Random) -> int:
        """Play random moves to the end of the game; returns the winner or DRAW."""
        passes = 0
        while passes < 2:
            legal = self.legal(position.own, position.other)
            passes = 0 if legal else passes + 1
            position = self.play(position, rng.choice(list(bits(legal))) if legal else PASS)
        return self._leader(position)

    @staticmethod
    def _leader(position: MaskPosition) -> int:
        lead = count(position.own) - count(position.other)
        return DRAW if not lead else position.player if lead > 0 else 3 - position.player


class KInARowRules(MaskBoard):
    """A stone goes on any free cell; `k` or more in a row win, and a full board without a row is a draw."""

    def __init__(self, height: int, width: int, k: int) -> None:
        super().__init__(height, width)
        self.k = k

    def moves(self, position: MaskPosition) -> List[int]:
        """All free cells, row by row. Does not check whether the game is over."""
        return list(bits(self.cells & ~(position.own | position.other)))

    def near(self, position: MaskPosition) -> List[int]:
        """The free cells at most two king's moves from a stone, row by row.

        On an empty board: the centre. If no free cell is near a stone: all free cells.
        """
        stones = spread = position.own | position.other
        if not stones:
            return [self.bit((self.height // 2, self.width // 2))]
        for _ in range(2):
            for step in self.steps:
                spread |= stones << step | stones >> step
            stones = spread = spread & self.cells
        return list(bits(spread & ~(position.own | position.other))) or self.moves(position)

    def play(self, position: MaskPosition, move: int) -> MaskPosition:
        """The position after a stone on a free cell."""
        return MaskPosition(position.other, position.own | move, 3 - position.player)

    def winner(self, position: MaskPosition) -> Optional[int]:
        """1, 2 or DRAW if the game is over, else None. Only the stones of the side that moved last are checked."""
        own, other, player = position
        if self.has_k_in_a_row(other):
            return 3 - player
        return None if (own | other) != self.cells else DRAW

    def finish(self, position: MaskPosition, rng: random.Random) -> int:
        """Play random moves to the end of a game that is not over; returns the winner or DRAW."""
        own, other, player = position
        free = self.moves(position)
        rng.shuffle(free)
        for move in free:
            own |= move
            if self.has_k_in_a_row(own):
                return player
            own, other, player = other, own, 3 - player
        return DRAW

    def has_k_in_a_row(self, stones: int) -> bool:
        """Whether at least `k` of these stones are in a row."""
        for step in self.steps:
            rows = stones
            for _ in range(self.k - 1):
                rows &= rows >> step
            if rows:
                return True
        return False


Rules = Union[ReversiPlayouts, KInARowRules]


class TreeNode:
    """A position in the tree. `wins`: playouts won by the side whose move led to this position; a draw counts half."""

    def __init__(self, rules: Rules, position: MaskPosition, move: int, rng: random.Random) -> None:
        self.position = position
        self.move = move
        self.winner = rules.winner(position)
        self.children: List[TreeNode] = []
        self.untried = candidates(rules, position) if self.winner is None else []
        rng.shuffle(self.untried)
        self.visits = 0
        self.wins = 0.0

    def favourite(self, exploration: float) -> "TreeNode":
        """The child with the highest upper confidence bound (UCB1)."""
        scale = exploration * math.sqrt(math.log(self.visits))
        return max(self.children, key=lambda child: child.wins / child.visits + scale / math.sqrt(child.visits))


def playout(rules: Rules, root: TreeNode) -> None:
    """Selection, expansion, random playout to the end of the game, backpropagation."""
    node, path = root, [root]
    while not node.untried and node.children:
        node = node.favourite(OPTIONS.exploration)
        path.append(node)
    if node.untried:
        move = node.untried.pop()
        node.children.append(TreeNode(rules, rules.play(node.position, move), move, OPTIONS.rng))
        node = node.children[-1]
        path.append(node)
    winner = rules.finish(node.position, OPTIONS.rng) if node.winner is None else node.winner
    for node in path:
        node.visits += 1
        node.wins += 0.5 if winner == DRAW else float(winner != node.position.player)


def candidates(rules: Rules, position: MaskPosition) -> List[int]:
    """The moves to try: all legal moves in Reversi; in k in a row winning moves, else blocks, else near cells."""
    if isinstance(rules, ReversiPlayouts):
        return rules.moves(position)
    near = rules.near(position)
    for stones in (position.own, position.other):
        completing = [move for move in near if rules.has_k_in_a_row(stones | move)]
        if completing:
            return completing
    return near


OPTIONS, configure = options_of(AGENTS["montecarlo"], {"seconds": 0.001, "playouts": 1})


def best_move(rules: Rules, position: MaskPosition) -> int:
    """The most visited move; ties go to the move with more wins. The game must not be over."""
    root = TreeNode(rules, position, 0, OPTIONS.rng)
    if len(root.untried) == 1:
        return root.untried[0]
    least, clock = OPTIONS.playouts, MoveClock(OPTIONS.seconds)
    while root.visits < (least or 1) or (least is None and not clock.is_over()):
        playout(rules, root)
    return max(root.children, key=lambda child: (child.visits, child.wins)).move


def choose(seen: Seen) -> Optional[Cell]:
    """The cell to play; None off turn, and if there is none."""
    if seen.idle or not legal_cells(seen):
        return None
    height, width = len(seen.stones), len(seen.stones[0])
    k = min(USUAL_K, height, width)  # which an observation does not contain
    rules: Rules = ReversiPlayouts(height) if seen.reversi else KInARowRules(height, width, k)
    return rules.cell(best_move(rules, rules.position(seen.stones, seen.player)))


my_controller = controller(choose)
