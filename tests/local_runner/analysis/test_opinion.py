"""The sentence about a position, in both languages."""

import pytest

from local_runner.analysis.opinion import opinion
from local_runner.language import languages
from local_runner.processes.engine.engine_info import BestLine, EngineInfo


def look(chance, *moves, **line):
    return EngineInfo((BestLine(moves or (112,), chance, 0, 4, **line),), chance, 4, 100, 0.1)


@pytest.mark.parametrize(("seen", "to_move", "expected"), [
    (look(0.5), 0, "the game is even, expects h8"), (look(0.54), 0, "the game is even, expects h8"),
    (look(0.60), 0, "Black is slightly better, expects h8"),
    (look(0.40), 1, "White is slightly better, expects h8"), (look(0.70), 0, "Black is better, expects h8"),
    (look(0.15), 0, "White is much better, expects h8"), (look(0.95), 0, "Black is winning, expects h8"),
    (look(0.5, -1), 0, "the game is even, expects a pass"),
    (look(1.0, exact="win", plies=1), 0, "Black wins with the next move"),
    (look(1.0, exact="win", plies=9), 0, "Black wins in 5 moves, expects h8"),
    (look(0.0, exact="win", plies=9), 1, "White wins in 5 moves, expects h8"),
    (look(1.0, exact="loss", plies=2), 1, "Black wins with the next move, expects h8"),
    (look(0.0, exact="loss", plies=10), 0, "White wins in 5 moves, expects h8"),
    (look(0.5, exact="draw"), 0, "it will be a draw, expects h8"),
    (look(1.0, exact="win", discs=6), 0, "Black wins by 6 discs, expects h8"),
    (look(0.0, exact="loss", discs=-6), 0, "White wins by 6 discs, expects h8"),
    (look(1.0, exact="win"), 0, "a forced win for Black, expects h8"),
    (EngineInfo((), 1.0, 0, 0, 0.0), 0, "the game is over: Black has won"),
    (EngineInfo((), 0.5, 0, 0, 0.0), 0, "the game is over: a draw"),
])  # fmt: skip
def test_the_sentence(seen, to_move, expected):
    assert opinion(seen, to_move, 15) == expected


def test_the_reply_is_expected_after_the_engines_own_move():
    assert opinion(look(0.4, 112, 97), 1, 15, at=1) == "White is slightly better, expects h7 in reply"
    assert opinion(look(0.4, 112), 1, 15, at=1) == "White is slightly better"


def test_chinese(forgotten):
    languages.use("zh")
    try:
        assert opinion(look(0.4), 1, 15) != "White is slightly better, expects h8"
        assert "h8" in opinion(look(0.4), 1, 15)
    finally:
        languages.use("en")
