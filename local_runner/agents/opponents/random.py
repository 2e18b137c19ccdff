"""An agent that plays random legal moves."""

import random
from typing import Any, List

from .observed import legal_cells, look, one_hots

AGENTS = {
    "random": {
        "rank": 6,
        "about": "random legal moves, repeatable with seed=N; every game",
        "games": ("reversi", "k_in_a_row"),
    }
}

_rng = random.Random(random.random())  # repeatable: the runner seeds `random` before it loads an agent


def configure(seed: int) -> None:
    """Set the seed. The same seed plays the same moves against the same opponent."""
    _rng.seed(seed)


def my_controller(observation: Any, action_space: Any, is_act_continuous: bool = False) -> List[List[int]]:
    """The platform's entry point. The platform ignores the answer off turn and on a pass."""
    seen = look(observation)
    cells = legal_cells(seen) if seen is not None else []
    return one_hots(_rng.choice(cells) if cells else (0, 0), action_space)
