"""Adjudication: ends a game that is too long, or whose result is clear from the scores that both agents tell.

A score is the entry `value` of an agent's last_thought() for its move, from the agent's own view. An answer without a
score, or with one that comes from no search (`depth` 0), ends a row of scores. Forced passes do not count.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from local_runner.errors import RunnerError
from local_runner.game.records import DRAW, Call, Cell, Verdict
from local_runner.game.session import GameSession, Watcher
from local_runner.language.languages import _


@dataclass(frozen=True)
class Adjudication:
    """When games are ended. None: not for this reason. As in cutechess, fastchess and c-gomoku-cli.

    draw_after: plies, the opening included, after which a game is a draw
    draw: (moves, score): a draw after that many moves of each side in a row with scores from -score to score
    resign: (moves, score): a player has lost after that many of its moves in a row with scores of at most -score

    Raises RunnerError for less than one move, and for a score that is negative or infinite.
    """

    draw_after: int | None = None
    draw: tuple[int, float] | None = None
    resign: tuple[int, float] | None = None

    def __post_init__(self) -> None:
        for option, given in (("--draw", self.draw), ("--resign", self.resign)):
            if given is not None and not (given[0] >= 1 and 0 <= given[1] < math.inf):
                sentence = _("{option} needs a number of moves, at least 1, and a score, at least 0; not {given}")
                raise RunnerError(sentence.format(option=option, given=f"{given[0]} {given[1]:g}"))


class Adjudicator(Watcher):
    """Ends a game. The adjudicator has to be the last watcher: the others see a move before the game ends."""

    _session: GameSession

    def __init__(self, rules: Adjudication) -> None:
        self._rules = rules
        self._near = 0  # moves in a row, of both sides, with a score near 0
        self._low = [0, 0]  # moves of Black's and of White's in a row with a low score

    def began(self, session: GameSession) -> None:
        self._session = session

    def answered(self, call: Call) -> None:
        if call.turn and not self._session.must_pass:
            score, draw, resign = score_in(call.thought), self._rules.draw, self._rules.resign
            near = score is not None and draw is not None and abs(score) <= draw[1]
            low = score is not None and resign is not None and score <= -resign[1]
            self._near = self._near + 1 if near else 0
            self._low[call.player] = self._low[call.player] + 1 if low else 0

    def moved(self, cell: Cell | None) -> None:
        session, rules = self._session, self._rules
        if session.result is not None:
            return
        if rules.resign is not None and (most := max(self._low)) >= rules.resign[0]:
            session.adjudicate(2 - self._low.index(most), Verdict.RESIGN)
        elif rules.draw is not None and self._near >= 2 * rules.draw[0]:
            session.adjudicate(DRAW, Verdict.DRAW)
        elif rules.draw_after is not None and len(session.cells) >= rules.draw_after:
            session.adjudicate(DRAW, Verdict.DRAW_AFTER)


def score_in(thought: Mapping[str, Any] | None) -> float | None:
    """The score that a thought tells; None if it tells none.

    >>> score_in({"value": -35, "depth": 4}), score_in({"value": 0, "depth": 0}), score_in({"value": "good"})
    (-35, None, None)
    """
    value = (thought or {}).get("value")
    if isinstance(value, bool) or not isinstance(value, (int, float)) or (thought or {}).get("depth") == 0:
        return None
    return value
