"""Monte Carlo tree search (UCT) for every game: games at random from the position, more of them where they are won.

Of a row game it tries the cells near the stones; where a stone wins at once, or stops the other's that would, nothing
else. A full board without a row counts as a draw, whatever the platform pays. It has no memory between two moves.
Options: seconds=0.8 of a move to think, or playouts=N games at random instead, with which and seed=N it repeats itself;
exploration=1.4.
"""

import math
import random
from typing import Any, Iterator, List, Optional, Union

from .clock import Clock, TimeUp
from .observed import centre_or_first, legal_cells, look, one_hots
from .rules import DRAW, Position, Reversi, Rows, rules_for

Rules = Union[Reversi, Rows]


class Node:
    """A position in the tree; `wins` are those of who moved there, draws half, in `visits` games."""

    def __init__(self, rules: Rules, position: Position, move: int, dice: random.Random) -> None:
        self.position = position
        self.move = move
        self.winner = rules.winner(position)
        self.children: List[Node] = []
        self.untried = candidates(rules, position) if self.winner is None else []
        dice.shuffle(self.untried)
        self.visits = 0
        self.wins = 0.0

    def favourite(self, exploration: float) -> "Node":
        """The child to go on with, by the upper confidence bound (UCB1)."""
        scale = exploration * math.sqrt(math.log(self.visits))
        return max(self.children, key=lambda child: child.wins / child.visits + scale / math.sqrt(child.visits))


class Player:
    """Chooses moves under the options of the module; raises ValueError for values that make no sense."""

    def __init__(
        self,
        seconds: float = 0.8,
        playouts: Optional[int] = None,
        exploration: float = 1.4,
        seed: Optional[int] = None,
    ) -> None:
        if seconds <= 0 or (playouts is not None and playouts < 1):
            raise ValueError("seconds must be above 0, playouts at least 1")
        self.seconds = seconds
        self.playouts = playouts
        self.exploration = exploration
        self.dice = random.Random(random.random() if seed is None else seed)

    def choose(self, rules: Rules, position: Position) -> int:
        """The move most often tried in a game that is not over, of equals the one with more wins."""
        root = Node(rules, position, 0, self.dice)
        if len(root.untried) == 1:
            return root.untried[0]
        for _ in self._turns():
            self._try(rules, root)
        return max(root.children, key=lambda child: (child.visits, child.wins)).move

    def _turns(self) -> Iterator[int]:
        """Once for every game that is to be played; at least once."""
        if self.playouts is not None:
            yield from range(self.playouts)
            return
        clock, played = Clock(self.seconds), 0
        while True:
            yield played
            played += 1
            try:
                clock.check()
            except TimeUp:
                return

    def _try(self, rules: Rules, root: Node) -> None:
        """Down to a new position, from there to the end of a game, and back up with its result."""
        node, path = root, [root]
        while not node.untried and node.children:
            node = node.favourite(self.exploration)
            path.append(node)
        if node.untried:
            move = node.untried.pop()
            node.children.append(Node(rules, rules.play(node.position, move), move, self.dice))
            node = node.children[-1]
            path.append(node)
        winner = rules.finish(node.position, self.dice) if node.winner is None else node.winner
        for node in path:
            node.visits += 1
            node.wins += 0.5 if winner == DRAW else float(winner != node.position.player)


def candidates(rules: Rules, position: Position) -> List[int]:
    """The moves worth a try: all at Reversi, in rows those near the stones, or only those that decide the game."""
    if isinstance(rules, Reversi):
        return rules.moves(position)
    near = rules.near(position)
    for stones in (position.own, position.other):
        completing = [move for move in near if rules.has_row(stones | move)]
        if completing:
            return completing
    return near


_player = Player()


def configure(**options: Any) -> None:
    """Set the options in the module's head; TypeError or ValueError for what is none."""
    global _player
    _player = Player(**options)


def my_controller(observation: Any, action_space: Any, is_act_continuous: bool = False) -> List[List[int]]:
    """The platform's entry."""
    seen = look(observation)
    if seen is None or seen.idle or not legal_cells(seen):
        return one_hots(centre_or_first(seen, action_space), action_space)
    rules = rules_for(seen)
    move = _player.choose(rules, rules.position(seen.stones, seen.player))
    return one_hots(rules.cell(move), action_space)
