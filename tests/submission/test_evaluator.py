"""Evaluations of k in a row: symmetric, with bounds on the right side. A new evaluator is one file and one line."""

from __future__ import annotations

import random
from typing import Iterator

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
from submission.variant import K_IN_A_ROW, REVERSI, Variant

from .boards import both_colours, drawings, reversi_start
from .open_threes import OpenThrees


def _game_positions(noise: random.Random, plies: int, *options: KInARowParameters) -> Iterator[KInARowPosition]:
    """The open positions of a random game of good moves."""
    position = KInARowPosition(15, 15, 5, *options)
    position.play(112)
    while position.outcome() is None and len(position.history) < plies:
        yield position
        position.play(noise.choice(position.moves()[:6]))


@pytest.mark.parametrize("turns", range(4))
@pytest.mark.parametrize("mirrored", [False, True])
def test_symmetric_positions_have_symmetric_values(turns: int, mirrored: bool) -> None:
    noise = random.Random(5)
    for _ in range(10):
        plain, turned = KInARowPosition(15, 15, 5), KInARowPosition(15, 15, 5)
        for cell in noise.sample(range(225), 24):
            plain.play(cell)
            row, col = divmod(cell, 15)
            col = 14 - col if mirrored else col
            for _ in range(turns):
                row, col = col, 14 - row
            turned.play(row * 15 + col)
        assert (turned.value, turned.outcome(), turned.evaluate()) == (plain.value, plain.outcome(), plain.evaluate())


def test_a_lazy_bound_is_nearly_always_on_the_side_of_the_value() -> None:
    noise = random.Random(5)
    asked = bounds = wrong = 0
    for _ in range(20):
        for position in _game_positions(noise, 60):
            if not position.quiet():
                continue
            value, low = position.evaluate(), noise.randint(-1500, 1500)
            for high in (low + 1, low + 400):
                bound = position.evaluate(low, high)
                asked += 1
                if bound != value:
                    bounds += 1
                    assert bound <= low or bound >= high
                    wrong += not (value <= low if bound <= low else value >= high)
    assert asked > 500
    assert bounds > asked / 3
    assert wrong < asked / 100


def test_without_lazy_evaluation_the_value_is_the_same_in_all_windows() -> None:
    position = KInARowPosition(15, 15, 5, KInARowParameters(lazy_evaluation=False))
    for cell in (112, 97, 98):
        position.play(cell)
    value = position.evaluate()
    assert [position.evaluate(alpha, alpha + 1) for alpha in range(value - 2000, value + 2000, 50)] == [value] * 80


# Before the name: 1 if O threatens an open four; the cells where X, and where O, makes a four and an open three.
FEATURES = drawings("""
0 0 0 nothing | 1 0 0 an open three | 0 1 0 X's cell | 0 1 1 a cell of each
. . . . .     | . . . . . . .       | . . . . . . . . | . . . . . . . . . . . .
. X O . .     | . . O O O . .       | . . . X . . . . | . . . X . . . . . O . .
. . . . .     | . . . . . . .       | . . . X . . . . | . . . X . . . . . O . .
              | . . X . X . .       | O X X . X . . . | O X X . X . X O O . O .
              |                     | . . . . . . . . | . . . . . . . . . . . .
              |                     | . O . . . O O . | . . . . . . . . . . . .
""")


@pytest.mark.parametrize("name", FEATURES)
def test_features_of_the_board(name: str) -> None:
    threatened, own, other = map(int, name.split()[:3])
    for _, position in both_colours(FEATURES[name], 15):
        mine, theirs = position.evaluator.board_features()
        assert (mine[:3], theirs[:3]) == ((1, threatened, own), (0, 0, other))


def test_the_value_is_the_features_times_the_weights() -> None:
    """Learning reads the features, and playing the value."""
    noise, weights = random.Random(1), evaluation_weights()
    use = KInARowParameters(evaluator="lines", lazy_evaluation=False)
    for _ in range(5):
        for position in _game_positions(noise, noise.randint(4, 40), use):
            lines, board = position.evaluator.line_features(), position.evaluator.board_features()
            assert len(board[0]) == len(board[1]) == len(BOARD)
            by_line = zip(lines, (weights.moving, weights.waiting))
            value = sum(weight * count for feature, by in by_line for weight, count in zip(by, feature))
            value += sum(weight[side] * count for side in (0, 1) for weight, count in zip(weights.board, board[side]))
            assert position.evaluate() == value


@pytest.mark.parametrize("estimated", [True, False])
def test_a_new_leaf_of_df_pn_has_a_proof_number_of_at_least_1(estimated: bool) -> None:
    for position in _game_positions(random.Random(1), 30, KInARowParameters(effort_from_value=estimated)):
        assert min(position.evaluator.effort(True), position.evaluator.effort(False)) >= 1


@pytest.fixture
def trial(monkeypatch: pytest.MonkeyPatch) -> KInARowParameters:
    """Parameters with a new evaluator, after the one line that enters it."""
    monkeypatch.setitem(parameters.EVALUATORS, "open_threes", OpenThrees)
    return KInARowParameters(evaluator="open_threes")


def test_a_new_evaluator_plays(trial: KInARowParameters) -> None:
    """It sees every move of the search and of the threat search, and its values are those of the search."""
    position = KInARowPosition(15, 15, 5, trial)
    for cell in (112, 97, 98, 113, 127, 126):
        position.play(cell)
    stones = position.evaluator.stones
    thought = Search().think(position, Deadline(None), 4)
    assert thought.nodes > 100
    assert position.evaluator.stones == stones == bin(position.occupied).count("1")
    assert thought.value % OpenThrees.unit == 0
    assert position.lines_value() == 0  # the line tables have no weights of another evaluator


def test_two_evaluators_can_be_used_in_turns(trial: KInARowParameters) -> None:
    stones = bytearray(225)
    for number, cell in enumerate((112, 97, 98, 113, 127)):
        stones[cell] = 1 + number % 2
    thoughts = []
    for each in (None, trial, None):
        engine = engine_for(Variant(K_IN_A_ROW, 15, 15, 5), each, use_book=False)
        thoughts.append(engine.think(bytes(stones), 1, Limits(depth=4)))
    assert thoughts[0][:5] == thoughts[2][:5] != thoughts[1][:5]


class _Mobility(ReversiEvaluator):
    """The difference of legal moves."""

    def value(self, alpha: int = 0, beta: int = 0) -> int:
        position = self.position
        own, other = (bin(position.legal_cells(side)).count("1") for side in (position.side, 1 - position.side))
        return own - other


def test_reversi_takes_a_new_evaluator(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(reversi_parameters.EVALUATORS, "mobility", _Mobility)
    engine = engine_for(Variant(REVERSI, 8, 8), ReversiParameters(evaluator="mobility"))
    thought = engine.think(reversi_start(8), 0, Limits(depth=4))
    assert abs(thought.value) < 30 and thought.nodes > 20
