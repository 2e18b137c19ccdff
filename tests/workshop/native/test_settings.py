"""Many settings at once: a number determines a pair, and the score is the first player's."""

from __future__ import annotations

import pytest

from submission.engine import PARAMETERS
from workshop.lab import settings
from workshop.lab.settings import play

NODES = 20
GAMES = ("gobang_1v1", "reversi_8x8_1v1")


@pytest.mark.parametrize("env", GAMES)
def test_a_number_is_a_pair(env: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = [play(env, number, NODES) for number in (1, 2)]
    assert play(env, 1, NODES) == pairs[0]
    assert len({(*pair.first, *pair.second) for pair in pairs}) == len(pairs)
    assert {pair.score for pair in pairs} <= {0, 0.25, 0.5, 0.75, 1}
    monkeypatch.setattr(settings, "changed", lambda family, choices: PARAMETERS[family])
    assert [play(env, number, NODES).score for number in (1, 2)] == [0.5] * 2, "equal players share the points"


def test_a_player_who_does_not_look_ahead_loses(monkeypatch: pytest.MonkeyPatch) -> None:
    """The score is the first player's, whichever colour the first player has."""

    def strong_first(family: str, choices: list[int]) -> object:
        use = PARAMETERS[family]
        return use.changed(candidates="1", root_candidates=1, root_nodes=0, vct_nodes=0) if choices == second else use

    points = 0.0
    for number in range(1, 13):
        second = play(GAMES[0], number, 1).second
        monkeypatch.setattr(settings, "changed", strong_first)
        points += play(GAMES[0], number, 1500).score
        monkeypatch.undo()
    assert points > 7.5
