"""The network's value is that of its definition, computed here cell by cell."""

from __future__ import annotations

import random
from math import log1p

import pytest

from submission.k_in_a_row.evaluation import LinesEvaluator
from submission.k_in_a_row.network import MOST_POOL, NetworkEvaluator
from submission.k_in_a_row.parameters import KInARowParameters
from submission.k_in_a_row.position import KInARowPosition
from submission.k_in_a_row.weights import KINDS, Network, Weights, evaluation_weights, network_weights

from .test_move_order import naive_score

SHAPE = (15, 15, 5)
NETWORK = network_weights().network


def _position(weights: Weights | None = None) -> KInARowPosition:
    return KInARowPosition(*SHAPE, KInARowParameters(lazy_evaluation=False), weights)


def _value(position: KInARowPosition, network: Network) -> int:
    stones = bytearray(225)
    for number, (cell, *_) in enumerate(position.history):
        stones[cell] = 1 + number % 2
    free = [cell for cell in range(225) if not stones[cell]]
    pools = []
    for player in (1 + position.side, 2 - position.side):
        for potentials, activation in zip(network.potentials, network.activations):
            of_cells = [naive_score(bytes(stones), SHAPE, potentials, cell, player) for cell in free]
            pools.append(min(MOST_POOL, sum(map(activation.__getitem__, of_cells))))
    (_, threatened, own, _), (_, _, other, _) = position.evaluator.board_features()
    logarithms = [round(256 * log1p(pool / network.scale)) for pool in pools]
    inputs = [*logarithms, position.lines_value(), threatened, own, other]
    total = sum(max(0, bias + sum(map(int.__mul__, weights, inputs))) * out for bias, out, *weights in network.units)
    return (total >> 16) + network.constant


def test_the_value_is_that_of_the_definition() -> None:
    noise = random.Random(1)
    values = set()
    for _ in range(15):
        position = _position()
        for _ in range(noise.randint(0, 40)):
            if position.outcome() is None:
                position.play(noise.choice(position.moves()[: noise.choice((3, 30))]))
        assert position.evaluate() == _value(position, NETWORK)
        values.add(position.evaluate())
    assert len(values) > 10 and min(values) < -300 and max(values) > 300


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
    """Weights and outputs of both signs, larger than the learnt ones."""
    noise = random.Random(number)
    network = Network("")
    network.potentials, network.activations, network.scale = NETWORK.potentials, NETWORK.activations, 3
    for _ in range(units):
        bias, out = noise.randint(-(10**6), 10**6), noise.choice((number, -number))
        network.units.append((bias, out, *(noise.randint(-3000, 3000) for _ in range(2 * KINDS + 4))))
    network.constant = number
    position = _position(evaluation_weights()._replace(network=network))
    for number in range(30):
        position.play(noise.choice(position.moves()))
        if number % 10 == 0:
            assert position.evaluate() == _value(position, network)


def test_a_cell_with_a_stone_adds_nothing_and_a_byte_holds_four_lines() -> None:
    assert len(NETWORK.potentials) == len(NETWORK.activations) == KINDS
    for potentials, activation in zip(NETWORK.potentials, NETWORK.activations):
        assert activation[0] == 0 and len(activation) == 256
        assert all(0 <= 4 * number <= 255 for pair in potentials.values() for number in pair)


def test_games_without_a_network_are_evaluated_by_lines() -> None:
    assert type(KInARowPosition(15, 15, 5).evaluator) is NetworkEvaluator
    assert type(KInARowPosition(11, 11, 5).evaluator) is NetworkEvaluator
    for position in (
        KInARowPosition(3, 3, 3),
        KInARowPosition(15, 15, 6),
        KInARowPosition(15, 15, 5, weights=evaluation_weights()),
        KInARowPosition(15, 15, 5, KInARowParameters(evaluator="lines")),
    ):
        assert type(position.evaluator) is LinesEvaluator
