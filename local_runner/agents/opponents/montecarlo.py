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
from typing import Any, Iterator, List, Optional

from .clock import MoveClock, MoveTimeUp
from .observed import centre_or_first, legal_cells, look, one_hots
from .rules import DRAW, MaskPosition, ReversiRules, Rules, rules_for

AGENTS = {
    "montecarlo": {
        "rank": 4,
        "about": "Monte Carlo tree search (UCT) with random playouts; every game",
        "games": ("reversi", "k_in_a_row"),
        "options": {"seconds": 0.8, "playouts": None, "exploration": 1.4, "seed": None},
    }
}


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


class Player:
    """Chooses moves with the module's options. Raises ValueError if seconds <= 0 or playouts < 1."""

    def __init__(
        self, seconds: float = 0.8, playouts: Optional[int] = None, exploration: float = 1.4, seed: Optional[int] = None
    ) -> None:
        if seconds <= 0 or (playouts is not None and playouts < 1):
            raise ValueError("seconds must be above 0 and playouts at least 1")
        self.seconds = seconds
        self.playouts = playouts
        self.exploration = exploration
        self.rng = random.Random(random.random() if seed is None else seed)

    def choose(self, rules: Rules, position: MaskPosition) -> int:
        """The most visited move; ties go to the move with more wins. The game must not be over."""
        root = TreeNode(rules, position, 0, self.rng)
        if len(root.untried) == 1:
            return root.untried[0]
        for _ in self._playouts():
            self._playout(rules, root)
        return max(root.children, key=lambda child: (child.visits, child.wins)).move

    def _playouts(self) -> Iterator[int]:
        """Yield once for every playout to run, at least once; ends when the playouts or the time are used up."""
        if self.playouts is not None:
            yield from range(self.playouts)
            return
        clock, number = MoveClock(self.seconds), 0
        while True:
            yield number
            number += 1
            try:
                clock.check()
            except MoveTimeUp:
                return

    def _playout(self, rules: Rules, root: TreeNode) -> None:
        """Selection, expansion, random playout to the end of the game, backpropagation."""
        node, path = root, [root]
        while not node.untried and node.children:
            node = node.favourite(self.exploration)
            path.append(node)
        if node.untried:
            move = node.untried.pop()
            node.children.append(TreeNode(rules, rules.play(node.position, move), move, self.rng))
            node = node.children[-1]
            path.append(node)
        winner = rules.finish(node.position, self.rng) if node.winner is None else node.winner
        for node in path:
            node.visits += 1
            node.wins += 0.5 if winner == DRAW else float(winner != node.position.player)


def candidates(rules: Rules, position: MaskPosition) -> List[int]:
    """The moves to try: all legal moves in Reversi; in k in a row winning moves, else blocks, else near cells."""
    if isinstance(rules, ReversiRules):
        return rules.moves(position)
    near = rules.near(position)
    for stones in (position.own, position.other):
        completing = [move for move in near if rules.has_k_in_a_row(stones | move)]
        if completing:
            return completing
    return near


_player = Player()


def configure(**options: Any) -> None:
    """Set the module's options. Raises TypeError for an unknown option and ValueError for an invalid value."""
    global _player
    _player = Player(**options)


def my_controller(observation: Any, action_space: Any, is_act_continuous: bool = False) -> List[List[int]]:
    """The platform's entry point."""
    seen = look(observation)
    if seen is None or seen.idle or not legal_cells(seen):
        return one_hots(centre_or_first(seen, action_space), action_space)
    rules = rules_for(seen)
    move = _player.choose(rules, rules.position(seen.stones, seen.player))
    return one_hots(rules.cell(move), action_space)
