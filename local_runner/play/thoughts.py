"""Words an agent's `last_thought()`: our agent's thought as an opinion, another agent's as one line of its entries."""

from collections.abc import Mapping
from typing import Any

from local_runner.analysis.opinion import opinion
from local_runner.game.coordinates import number
from local_runner.game.session import GameSession
from local_runner.language.text import SENTENCE, shortened
from local_runner.processes.engine.engine_info import BestLine, EngineInfo, ProvedResult
from local_runner.processes.engine.winning_chance import Chances

# Our engine's values. k in a row: a win in n plies is WON - n. Reversi: a win by d discs is FINAL + DISC * d.
WON = 1_000_000
PROVED = 999_000  # least value of a proved win in k in a row
FINAL = 100_000
DISC = 1000
DECIMALS = 3  # decimals of the numbers in a thought


def opinion_in(thought: Mapping[str, Any], session: GameSession) -> str:
    """The opinion in a thought of our agent, which is to move in the session; "" if the agent has not searched."""
    value, depth, pv = thought.get("value"), thought.get("depth"), thought.get("pv")
    if type(value) is not int or type(depth) is not int or not isinstance(pv, list):
        return ""
    if thought.get("engine") == "scorer":
        return ""
    across = session.env.board_width
    moves = tuple(number((row, col), across) for row, col in pv)
    source = thought.get("source")
    exact, plies, discs = _proved(value, source, session)
    if source == "proof" and not depth:
        plies = None  # a prepared move of the proof: its value gives no number of plies
    if not (depth or exact):
        return ""
    chances = Chances.of(session)
    chance = chances.after({"exact": exact, "value": value})
    line = BestLine(moves, chance, value, depth, exact, plies, discs)
    return opinion(EngineInfo((line,), chance, depth, 0, 0.0), session.to_move, across, at=1)


def _proved(value: int, source: object, session: GameSession) -> tuple[ProvedResult, int | None, int | None]:
    """The proved result for the side to move, the plies until the end (k in a row), and the winner's lead (Reversi)."""
    result = ProvedResult.WIN if value > 0 else ProvedResult.LOSS
    if not session.env.turns_discs:
        return (result, WON - abs(value), None) if abs(value) >= PROVED else (ProvedResult.NONE, None, None)
    if source != "solver":
        return ProvedResult.NONE, None, None
    lead = (abs(value) - FINAL) // DISC
    if not value:
        return ProvedResult.DRAW, None, None
    return result, None, lead if lead > 0 else None


def thought_line(thought: Mapping[str, Any]) -> str:
    """The entries of a thought in one line, with rounded numbers.

    >>> thought_line({"score": 500.0, "seconds": 0.0269220})
    'score 500.0, seconds 0.027'
    """
    rounded = {key: round(value, DECIMALS) if isinstance(value, float) else value for key, value in thought.items()}
    return shortened(", ".join(f"{key} {value}" for key, value in rounded.items()), SENTENCE)
