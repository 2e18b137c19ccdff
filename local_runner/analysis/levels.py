"""The levels of our engine that a human can choose as an opponent, made of real limits: nodes, seconds, and slips.

A weak level asks the engine for several lines after a short search. It takes one of those that are nearly as good as
the best, and now and then (a slip) any of them. The rng depend on a seed and the ply, so a game can be repeated.
docs/levels.md has the measured strength of each; workshop/lab/levels.py measures it.
"""

import random
from dataclasses import dataclass

from local_runner.analysis.engine import Question
from local_runner.analysis.engine_info import EngineInfo, ProvedResult
from local_runner.game.records import Cell
from local_runner.game.setup import GameSetup
from local_runner.language.languages import Message


@dataclass(frozen=True)
class EngineLevel:
    """One level, the same in all games.

    `number`: from 1, the weakest. `lines`: moves among which it chooses; `nodes`, `seconds`: limits of a thought, None
    for none; `slips`: share of moves that are any of the lines; `margin`: chance to win that it gives away otherwise,
    at most; `use_book`: whether it plays from the opening book. `name`, `about`: messages.
    """

    number: int
    name: Message
    about: Message
    lines: int = 1
    nodes: int | None = None
    seconds: float | None = None
    slips: float = 0.0
    margin: float = 0.0
    use_book: bool = False


LEVELS = (
    EngineLevel(1, Message("Beginner"), Message("looks at 20 positions, and mostly plays a random one of 16 moves"),
                lines=16, nodes=20, slips=0.7, margin=0.1),
    EngineLevel(2, Message("Learner"), Message("looks at 60 positions, and sometimes overlooks something"),
                lines=8, nodes=60, slips=0.2, margin=0.05),
    EngineLevel(3, Message("Club player"), Message("looks at 300 positions, and seldom overlooks something"),
                lines=4, nodes=300, slips=0.03, margin=0.02),
    EngineLevel(4, Message("Expert"), Message("looks at 800 positions"), nodes=800),
    EngineLevel(5, Message("Full strength"), Message("thinks for 0.8 seconds, with the opening book"),
                seconds=0.8, use_book=True),
)  # fmt: skip


def level(number: int) -> EngineLevel:
    """The level of a number from 1 to 5. Raises ValueError for any other."""
    if not 1 <= number <= len(LEVELS):
        raise ValueError(f"there are the levels 1 to {len(LEVELS)}, not {number}")
    return LEVELS[number - 1]


def level_question(of: EngineLevel, setup: GameSetup, cells: tuple[Cell | None, ...]) -> Question:
    """The question whose final look `chosen` needs, for the side to move after these cells."""
    return Question(
        setup, cells, lines=of.lines, nodes=of.nodes, seconds=of.seconds, use_book=of.use_book
    )  # fmt: skip


def chosen(of: EngineLevel, look: EngineInfo, seed: int, ply: int) -> int:
    """The move of a level, as a cell's number or -1 to pass; the game is not over.

    `seed`: of the game; `ply`: number of plies so far.
    """
    best, rng = look.lines[0], random.Random(f"{seed} {ply}")
    if rng.random() < of.slips:
        return rng.choice(look.lines).moves[0]
    if best.exact == ProvedResult.WIN:
        return best.moves[0]
    alike = (ProvedResult.NONE, best.exact)
    near = [line for line in look.lines if abs(line.chance - best.chance) <= of.margin and line.exact in alike]
    return rng.choice(near).moves[0]
