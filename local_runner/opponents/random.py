"""Plays any legal move, each as likely as the others: the weakest opponent that never breaks a rule."""

import random
from typing import Any, List

from .observed import legal_cells, look, one_hots

_dice = random.Random(random.random())  # follows the runner's seed, which seeds the random module before loading


def configure(seed: int) -> None:
    """The same seed plays the same moves against the same opponent."""
    _dice.seed(seed)


def my_controller(observation: Any, action_space: Any, is_act_continuous: bool = False) -> List[List[int]]:
    """The platform's entry; off turn and on a pass it answers with whatever is at hand."""
    seen = look(observation)
    cells = legal_cells(seen) if seen is not None else []
    return one_hots(_dice.choice(cells) if cells else (0, 0), action_space)
