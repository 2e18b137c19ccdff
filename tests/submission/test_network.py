"""The network's value is what its definition says, computed here cell by cell from a drawn board."""

from __future__ import annotations

import random
from math import log1p

import pytest

from submission.k_in_a_row.evaluation import LinesEvaluator
from submission.k_in_a_row.network import MOST_POOL, NetworkEvaluator
from submission.k_in_a_row.parameters import KInARowParameters
from submission.k_in_a_row.position import KInARowPosition
from submission.k_in_a_row.weights import KINDS, Network, evaluation_weights, network_weights
from submission.lines import DIRECTIONS

SIZE = 15
NETWORK = network_weights().network


def _around(stones: dict[tuple[int, int], int], row: int, col: int, step: tuple[int, int], colour: int) -> str:
    """The cells from a cell on, at most four, up to the edge or a stone of the other colour."""
    seen = ""
    for i in range(1, 5):
        place = row + i * step[0], col + i * step[1]
        stone = stones.get(place)
        if not (0 <= place[0] < SIZE and 0 <= place[1] < SIZE) or stone not in (None, colour):
            break
        seen += "." if stone is None else "X"
    return seen


def _potentials(stones: dict[tuple[int, int], int], row: int, col: int, colour: int) -> list[int]:
    """Of a free cell, by kind."""
    totals = [0] * KINDS
    for down, right in DIRECTIONS:
        for owner in (colour, 1 - colour):
            before = _around(stones, row, col, (-down, -right), owner)
            after = _around(stones, row, col, (down, right), owner)
            if len(before) + len(after) >= 4:
                drawn = before[::-1] + "*" + after
                for kind, potentials in enumerate(NETWORK.potentials):
                    pair = potentials.get(drawn) or potentials.get(drawn[::-1], (0, 0))
                    totals[kind] += pair[owner != colour]
    return totals


def _value(position: KInARowPosition, network: Network) -> int:
    stones = {divmod(cell, SIZE): number % 2 for number, (cell, *_) in enumerate(position.history)}
    free = [(row, col) for row in range(SIZE) for col in range(SIZE) if (row, col) not in stones]
    pools = []
    for colour in (position.side, 1 - position.side):
        cells = [_potentials(stones, row, col, colour) for row, col in free]
        pools += [
            min(MOST_POOL, sum(activation[cell[kind]] for cell in cells))
            for kind, activation in enumerate(network.activations)
        ]
    (_, threatened, own, _), (_, _, other, _) = position.evaluator.board_features()
    inputs = [
        *(round(256 * log1p(pool / network.scale)) for pool in pools),
        position.lines_value(),
        threatened,
        own,
        other,
    ]
    total = sum(max(0, bias + sum(map(int.__mul__, weights, inputs))) * out for bias, out, *weights in network.units)
    return (total >> 16) + network.constant


def test_the_value_is_that_of_the_definition() -> None:
    noise = random.Random(1)
    values = set()
    for _ in range(15):
        position = KInARowPosition(SIZE, SIZE, 5, KInARowParameters(lazy_evaluation=False))
        for _ in range(noise.randint(0, 40)):
            if position.outcome() is None:
                position.play(noise.choice(position.moves()[: noise.choice((3, 30))]))
        assert position.evaluate() == _value(position, NETWORK)
        values.add(position.evaluate())
    assert len(values) > 10 and min(values) < -300 and max(values) > 300


def test_a_value_asked_for_again_is_the_same_and_few_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("submission.k_in_a_row.network.MOST_CACHED", 12)
    noise = random.Random(2)
    position = KInARowPosition(SIZE, SIZE, 5, KInARowParameters(lazy_evaluation=False))
    evaluator = position.evaluator
    assert isinstance(evaluator, NetworkEvaluator)
    again = 0
    for _ in range(50):
        if len(position.history) > 8 or (noise.random() < 0.5 and position.history):
            position.undo()
        else:
            position.play(noise.choice(position.moves()[:3]))
        again += position.key in evaluator.cache
        assert position.evaluate() == _value(position, NETWORK)
        assert len(evaluator.cache) <= 12
    assert 10 < again < 40


@pytest.mark.parametrize(("number", "units"), [(-7, 9), (40000, 25)])
def test_units_do_not_disturb_each_other(number: int, units: int) -> None:
    """Weights and outputs of both signs, larger than those learnt."""
    noise = random.Random(number)
    network = Network("")
    network.potentials, network.activations, network.scale = NETWORK.potentials, NETWORK.activations, 3
    network.units = [
        (
            noise.randint(-(10**6), 10**6),
            noise.choice((number, -number)),
            *(noise.randint(-3000, 3000) for _ in range(2 * KINDS + 4)),
        )
        for _ in range(units)
    ]
    network.constant = number
    weights = evaluation_weights()._replace(network=network)
    position = KInARowPosition(SIZE, SIZE, 5, KInARowParameters(lazy_evaluation=False), weights)
    for number in range(30):
        position.play(noise.choice(position.moves()))
        if number % 3 == 0:
            assert position.evaluate() == _value(position, network)


def test_a_cell_with_a_stone_adds_nothing_and_a_byte_holds_four_lines() -> None:
    assert len(NETWORK.potentials) == len(NETWORK.activations) == KINDS
    for potentials, activation in zip(NETWORK.potentials, NETWORK.activations):
        assert activation[0] == 0 and len(activation) == 256
        assert all(0 <= 4 * number <= 255 for pair in potentials.values() for number in pair)


def test_where_there_is_no_network_the_lines_are_evaluated() -> None:
    assert type(KInARowPosition(15, 15, 5).evaluator) is NetworkEvaluator
    assert type(KInARowPosition(11, 11, 5).evaluator) is NetworkEvaluator
    for position in (
        KInARowPosition(3, 3, 3),
        KInARowPosition(15, 15, 6),
        KInARowPosition(15, 15, 5, weights=evaluation_weights()),
        KInARowPosition(15, 15, 5, KInARowParameters(evaluator="lines")),
    ):
        assert type(position.evaluator) is LinesEvaluator
