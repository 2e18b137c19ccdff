"""Evaluations of k in a row: their symmetry, and bounds that hold; the network; the pattern scorer."""

from __future__ import annotations

import json
import os
import random
from typing import Iterator

import pytest

from submission.boards import K_IN_A_ROW, REVERSI, Variant
from submission.engine import Limits, engine_for
from submission.k_in_a_row import parameters, scorer
from submission.k_in_a_row.evaluation import KInARowEvaluator, LinesEvaluator
from submission.k_in_a_row.network import NetworkEvaluator
from submission.k_in_a_row.parameters import KInARowParameters
from submission.k_in_a_row.patterns import Pattern
from submission.k_in_a_row.position import KInARowPosition
from submission.k_in_a_row.weights import KINDS, Network, Weights, evaluation_weights, network_weights, order_weights
from submission.reversi import parameters as reversi_parameters
from submission.reversi.evaluation import ReversiEvaluator
from submission.reversi.parameters import ReversiParameters
from submission.search.searchable import INFINITE, Margins

from .boards import both_colours, draw, drawings, reversi_start
from .naive_line import NaiveBoard
from .test_play_and_undo import network_value


def _game_positions(noise: random.Random, plies: int, *options: KInARowParameters) -> Iterator[KInARowPosition]:
    """The open positions of a random game of good moves."""
    position = KInARowPosition(15, 15, 5, *options)
    position.play(112)
    while position.outcome() is None and len(position.history) < plies:
        yield position
        position.play(noise.choice(position.moves()[:6]))


@pytest.mark.parametrize("lazy", [True, False])
def test_a_lazy_bound_is_nearly_always_on_the_side_of_the_value(lazy: bool) -> None:
    noise = random.Random(5)
    asked = bounds = wrong = 0
    for _ in range(20):
        for position in _game_positions(noise, 60, KInARowParameters(lazy_evaluation=lazy)):
            if position.quiet():
                value, low = position.evaluate(), noise.randint(-1500, 1500)
                for high in (low + 1, low + 400):
                    bound = position.evaluate(low, high)
                    asked += 1
                    bounds += bound != value
                    assert low < bound < high or bound == value or (bound <= low or bound >= high)
                    wrong += bound != value and not (value <= low if bound <= low else value >= high)
    assert asked > 500
    assert (bounds > asked / 3 and wrong < asked / 100) if lazy else bounds == 0


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


@pytest.mark.parametrize("estimated, efforts", [(True, {*range(1, 21)}), (False, {1})])
def test_the_proof_number_of_a_new_leaf_of_df_pn_is_from_1_to_20(estimated: bool, efforts: set[int]) -> None:
    seen = {
        position.evaluator.effort(attacks)
        for seed in range(6)
        for position in _game_positions(random.Random(seed), 30, KInARowParameters(effort_from_value=estimated))
        for attacks in (True, False)
    }
    assert seen == efforts


class OpenThrees(KInARowEvaluator):
    """A trial evaluator: 100 for each cell where a side makes an open three.

    `stones` counts the calls of play() and undo(), for a test.
    """

    unit = 100
    margins = Margins(futility=(200, 300), razoring=(200,))
    incremental = True

    def __init__(self, position) -> None:
        super().__init__(position)
        self.stones = 0

    def reset(self) -> None:
        self.stones = bin(self.position.occupied).count("1")

    def play(self, move: int) -> None:
        self.stones += 1

    def undo(self) -> None:
        self.stones -= 1

    def value(self, alpha: int = -INFINITE, beta: int = INFINITE) -> int:
        shape = self.position.geometry
        own, other = (
            bin(mask >> shape.shifts[Pattern.OPEN_THREE] & shape.all).count("1") for mask in self.position.masks()
        )
        return self.unit * (own - other)


class _Mobility(ReversiEvaluator):
    """A trial evaluator: the mover's legal moves minus the opponent's."""

    def value(self, alpha: int = 0, beta: int = 0) -> int:
        position = self.position
        own, other = (bin(position.legal_cells(side)).count("1") for side in (position.side, 1 - position.side))
        return own - other


def test_new_and_old_evaluators_can_be_used_in_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """A new evaluator is told of every move of search and threat search, and the search returns its values."""
    monkeypatch.setitem(parameters.EVALUATORS, "open_threes", OpenThrees)
    monkeypatch.setitem(reversi_parameters.EVALUATORS, "mobility", _Mobility)
    stones = bytearray(225)
    for number, cell in enumerate((112, 97, 98, 113, 127)):
        stones[cell] = 1 + number % 2
    found = []
    for variant, board, use in (
        (Variant(REVERSI, 8, 8), reversi_start(8), ReversiParameters(evaluator="mobility")),
        (Variant(K_IN_A_ROW, 15, 15, 5), bytes(stones), KInARowParameters(evaluator="open_threes")),
    ):
        engines = [engine_for(variant, each, use_book=False) for each in (None, use, None)]
        position = engines[1].position(board, 1)
        thoughts = [engine.think(board, 1, Limits(depth=4)) for engine in engines]
        assert thoughts[0][:5] == thoughts[2][:5] != thoughts[1][:5]
        found.append(thoughts[1])
    assert abs(found[0].value) < 30 and found[0].nodes > 20
    assert found[1].value % OpenThrees.unit == 0 and found[1].nodes > 100
    assert position.evaluator.stones == bin(position.occupied).count("1") == 5
    assert position.lines_value() == 0  # LinesEvaluator's weights are not in the line tables


# ---- the network

SHAPE = (15, 15, 5)
NETWORK = network_weights().network


def _position(weights: Weights | None = None) -> KInARowPosition:
    return KInARowPosition(*SHAPE, KInARowParameters(lazy_evaluation=False), weights)


def test_the_cache_is_bounded_and_gives_the_same_value_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("submission.k_in_a_row.network.MOST_CACHED", 12)
    noise = random.Random(2)
    position, values, cached = _position(), {}, 0
    for _ in range(50):
        if len(position.history) > 8 or (noise.random() < 0.5 and position.history):
            position.undo()
        else:
            position.play(noise.choice(position.moves()[:3]))
        cached += position.key in position.evaluator.cache
        value = position.evaluate()
        assert value == values.setdefault(position.key, value)
        assert len(position.evaluator.cache) <= 12
    assert 10 < cached < 40


@pytest.mark.parametrize(("number", "units"), [(-7, 9), (40000, 25)])
def test_units_do_not_disturb_each_other(number: int, units: int) -> None:
    """The weights and outputs in this test have both signs, and are larger than the learnt ones."""
    noise = random.Random(number)
    network = Network("")
    network.potentials, network.activations, network.scale = NETWORK.potentials, NETWORK.activations, 3
    for _ in range(units):
        bias, out = noise.randint(-(10**6), 10**6), noise.choice((number, -number))
        network.units.append((bias, out, *(noise.randint(-3000, 3000) for _ in range(2 * KINDS + 4))))
    network.constant = number
    position, board = _position(evaluation_weights()._replace(network=network)), NaiveBoard(*SHAPE, bytes(225))
    for number in range(30):
        cell = noise.choice(position.moves())
        board = board.after(1 + position.side, cell)
        position.play(cell)
        if number % 10 == 0:
            assert position.evaluate() == network_value(position, board, network)


def test_a_cell_with_a_stone_adds_nothing_and_a_byte_holds_four_lines() -> None:
    assert len(NETWORK.potentials) == len(NETWORK.activations) == KINDS
    for potentials, activation in zip(NETWORK.potentials, NETWORK.activations):
        assert activation[0] == 0 and len(activation) == 256
        assert all(0 <= 4 * number <= 255 for pair in potentials.values() for number in pair)


@pytest.mark.parametrize("arguments, evaluator", [
    ((15, 15, 5), NetworkEvaluator), ((11, 11, 5), NetworkEvaluator), ((3, 3, 3), LinesEvaluator),
    ((15, 15, 6), LinesEvaluator), ((15, 15, 5, None, evaluation_weights()), LinesEvaluator),
    ((15, 15, 5, KInARowParameters(evaluator="lines")), LinesEvaluator),
])  # fmt: skip
def test_games_without_a_network_are_evaluated_by_lines(arguments: tuple, evaluator: type) -> None:
    assert type(KInARowPosition(*arguments).evaluator) is evaluator
    assert bool(order_weights(arguments[2])) == (arguments[2] == 5)  # only five in a row has a learnt order


GOLDEN = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "data", "rule_golden.json")
with open(GOLDEN, encoding="utf-8") as file:
    CASES = json.load(file)["cases"]


@pytest.mark.parametrize("number", range(len(CASES)))
def test_golden_values(number: int) -> None:
    case = CASES[number]
    drawn = draw("\n".join(case["board"]))
    values = scorer.cell_values(drawn.stones, 15, 15, case["player"])
    positive = [[cell // 15, cell % 15, value] for cell, value in enumerate(values) if value > 0]
    assert positive == case["values"]
    assert list(divmod(scorer.best_cell(drawn.stones, 15, 15, case["player"]), 15)) == case["move"]


@pytest.mark.parametrize("rows, cols, middle", [(15, 15, 112), (11, 11, 60), (3, 3, 4), (6, 8, 28)])
def test_middle_when_nothing_has_value(rows: int, cols: int, middle: int) -> None:
    empty = bytes(rows * cols)
    assert scorer.best_cell(empty, rows, cols, 1) == middle
    taken = bytearray(empty)
    taken[middle] = 1
    answer = scorer.best_cell(bytes(taken), rows, cols, 2)
    assert answer != middle
    assert not taken[answer]
