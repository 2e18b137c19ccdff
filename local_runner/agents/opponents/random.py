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

_rng = random.Random(random.random())  # repeatable, since the runner seeds `random` before loading an agent


def configure(seed: int) -> None:
    """Set the seed. The same seed gives the same moves if the opponent also plays the same moves."""
    _rng.seed(seed)


def my_controller(observation: Any, action_space: Any, is_act_continuous: bool = False) -> List[List[int]]:
    """The platform's entry point. The platform ignores the answer off turn and on a pass."""
    seen = look(observation)
    cells = legal_cells(seen) if seen is not None else []
    return one_hots(_rng.choice(cells) if cells else (0, 0), action_space)
