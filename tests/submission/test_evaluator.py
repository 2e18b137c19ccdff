"""The evaluator is a part that can be swapped: a new one is one file and one line, and no unit leaks out of it."""

from __future__ import annotations

import random

import pytest

from submission.engine import Limits, engine_for
from submission.k_in_a_row import parameters
from submission.k_in_a_row.parameters import KInARowParameters
from submission.k_in_a_row.position import KInARowPosition
from submission.k_in_a_row.weights import BOARD, evaluation_weights
from submission.reversi import parameters as reversi_parameters
from submission.reversi.evaluation import ReversiEvaluator
from submission.reversi.parameters import ReversiParameters
from submission.search.clock import Deadline
from submission.search.deepening import Search
from submission.search.searchable import PROVED_WIN
from submission.variant import K_IN_A_ROW, REVERSI, Variant

from .boards import draw, reversi_start
from .open_threes import OpenThrees
from .tactics import WIN


@pytest.fixture
def trial(monkeypatch: pytest.MonkeyPatch) -> KInARowParameters:
    """The one line of configuration."""
    monkeypatch.setitem(parameters.EVALUATORS, "open_threes", OpenThrees)
    return KInARowParameters(evaluator="open_threes")


def _random_game(position: KInARowPosition, noise: random.Random, plies: int) -> None:
    while len(position.history) < plies and position.outcome() is None:
        position.play(noise.choice(position.moves()[:6]))


def test_a_new_evaluator_plays(trial: KInARowParameters) -> None:
    """It is told of every move, in the search and in the search for threats, and its values are those of the search."""
    position = KInARowPosition(15, 15, 5, trial)
    for cell in (112, 97, 98, 113, 127, 126):
        position.play(cell)
    told = position.evaluator.stones
    thought = Search().think(position, Deadline(None), 4)
    assert thought.nodes > 100
    assert position.evaluator.stones == told == bin(position.occupied).count("1")
    assert thought.value % OpenThrees.unit == 0
    assert position.lines_value() == 0  # the line tables carry no value of another evaluator


def test_a_new_evaluator_sees_forced_wins_as_before(trial: KInARowParameters) -> None:
    for tactic in WIN.values():
        drawn = draw(tactic.drawing)
        position = KInARowPosition(drawn.rows, drawn.cols, 5, trial)
        position.set_up(drawn.stones, 0)
        assert Search().think(position, Deadline(None, 3000)).value > PROVED_WIN


def test_two_evaluators_live_side_by_side(trial: KInARowParameters) -> None:
    engines = [
        engine_for(Variant(K_IN_A_ROW, 15, 15, 5), parameters, use_book=False) for parameters in (None, trial, None)
    ]
    stones = bytearray(225)
    for number, cell in enumerate((112, 97, 98, 113, 127)):
        stones[cell] = 1 + number % 2
    thoughts = []
    for engine in engines:
        engine.set_up(bytes(stones), 1)
        thoughts.append(engine.think(Limits(depth=4)))
    assert thoughts[0][:5] == thoughts[2][:5] != thoughts[1][:5]


class _Mobility(ReversiEvaluator):
    """Legal moves alone."""

    def value(self, alpha: int = 0, beta: int = 0) -> int:
        own, other = (
            bin(self.position.legal_cells(side)).count("1") for side in (self.position.side, 1 - self.position.side)
        )
        return own - other


def test_reversi_takes_another_evaluator_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(reversi_parameters.EVALUATORS, "mobility", _Mobility)
    engine = engine_for(Variant(REVERSI, 8, 8), ReversiParameters(evaluator="mobility"))
    engine.set_up(reversi_start(8), 0)
    thought = engine.think(Limits(depth=4))
    assert abs(thought.value) < 30 and thought.nodes > 20


@pytest.mark.parametrize("seed", range(5))
def test_the_value_is_the_features_times_the_weights(seed: int) -> None:
    """What learning reads is what plays."""
    noise = random.Random(seed)
    weights = evaluation_weights()
    checked = 0
    while checked < 10:
        position = KInARowPosition(15, 15, 5, KInARowParameters(evaluator="lines", lazy_evaluation=False))
        _random_game(position, noise, noise.randint(4, 40))
        if position.outcome() is not None:
            continue
        lines, board = position.evaluator.line_features(), position.evaluator.board_features()
        assert len(board[0]) == len(board[1]) == len(BOARD)
        value = sum(
            weight * count
            for feature, by in zip(lines, (weights.moving, weights.waiting))
            for weight, count in zip(by, feature)
        )
        value += sum(weight[side] * count for side in (0, 1) for weight, count in zip(weights.board, board[side]))
        assert position.evaluate() == value
        checked += 1
