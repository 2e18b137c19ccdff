"""An agent that plays random legal moves."""

import random
from typing import Optional

from .observed import Cell, Seen, controller, legal_cells

AGENTS = {
    "random": {
        "rank": 6,
        "about": "random legal moves, repeatable with seed=N; every game",
        "games": ("reversi", "k_in_a_row"),
    }
}

_rng = random.Random(random.random())  # repeatable, since the runner seeds `random` before loading an agent


def configure(seed: int) -> None:
    """Set the seed. The same seed gives the same moves if the opponent also plays the same moves."""
    _rng.seed(seed)


def choose(seen: Seen) -> Optional[Cell]:
    """A random legal cell; None if there is none."""
    cells = legal_cells(seen)
    return _rng.choice(cells) if cells else None


my_controller = controller(choose)
