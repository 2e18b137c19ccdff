"""The learnt move order, weights and network are those that the engine uses: features, gradient, fit, and the files."""

from __future__ import annotations

import pkgutil
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from local_runner.errors import RunnerError
from submission.k_in_a_row.book import SIZE
from submission.k_in_a_row.parameters import KInARowParameters
from submission.k_in_a_row.position import KInARowPosition
from submission.k_in_a_row.weights import Network, evaluation_weights, order_weights
from tests.workshop.conftest import write_results
from workshop.gobang import move_order, network
from workshop.gobang import weights as gobang_weights
from workshop.gobang.games import GobangSelfPlay, play, position_after
from workshop.gobang.learning import HELD_OUT
from workshop.gobang.leaves import GameLeaves
from workshop.gobang.move_order import EVERY_CELL, ChoiceSample, SurroundingsTable, order_quality, sample_choices
from workshop.gobang.weights import NAMES, LeafSample, current_weights, features, fit_quality, scale_for_search

TABLE = SurroundingsTable()


def test_the_engine_sorts_by_the_sums_of_the_columns() -> None:
    rng, values = random.Random(5), TABLE.to_columns(order_weights(5))
    seen = 0
    for _ in range(3):
        position = KInARowPosition(15, 15, 5, EVERY_CELL)
        while position.outcome() is None and position.plies_left():
            position.play(rng.choice(position.moves()[:12]))
            columns = TABLE.columns_after([cell for cell, *_ in position.history])
            sums = [sum(values[columns[cell]]) for cell in position.moves()]
            if position.quiet():
                assert sums == sorted(sums, reverse=True)
                seen += len(set(sums)) > 5
    assert seen > 10


def test_columns_end_at_the_edge_and_at_the_other_sides_stones() -> None:
    # .B.W... on the upper edge; the cell between them
    drawn = [(TABLE.drawings[column // 2], column % 2) for column in TABLE.columns_after([1, 3])[2]]
    assert sorted(drawn) == [("*....", 0), ("*....", 0), ("*....", 1), ("*....", 1), ("*X...", 1)]


def test_fit_finds_the_order_that_made_the_choices() -> None:
    """Moves are chosen with the probabilities of made-up values. The fit finds nearly these values."""
    rng = np.random.default_rng(3)
    columns, positions, cells = 2 * len(TABLE.drawings), 3000, 12
    used = rng.choice(columns, 20, replace=False)
    values = np.zeros(columns)
    values[used] = rng.normal(0, 2, 20)
    counts = rng.poisson(0.5, (positions * cells, 20))
    there = csr_matrix(
        (counts.ravel(), (np.repeat(np.arange(len(counts)), 20), np.tile(used, len(counts)))),
        shape=(len(counts), columns),
        dtype=float,
    )
    sums = (there @ values).reshape(positions, cells)
    chosen = (sums + rng.gumbel(size=sums.shape)).argmax(axis=1)
    first = np.arange(positions) * cells
    sample = ChoiceSample(there, first, first + chosen, np.arange(positions))
    assert np.abs(move_order.fit(sample) - values).max() < 0.4
    assert order_quality(values, sample).startswith("place 1.")
    assert float(order_quality(-values, sample).split()[1].rstrip(";")) > 8
    part = sample.part(sample.games % HELD_OUT == 0)
    kept = np.arange(positions * cells).reshape(positions, cells)[::HELD_OUT].ravel()
    assert (part.counts != there[kept]).nnz == 0
    assert (part.chosen - part.first == chosen[::HELD_OUT]).all()


SHAPE = 2, len(NAMES)
DECIDED = {("4 in a window", 0)}  # the mover completes five: the game is decided
UNUSED = {("turn", 1), ("threatened", 1)}  # features of the mover alone


def _open_positions(games: int) -> Iterator[KInARowPosition]:
    """The open positions of random games, quiet or not, either side to move."""
    rng = random.Random(3)
    for _ in range(games):
        position = KInARowPosition(15, 15, 5, KInARowParameters(evaluator="lines", lazy_evaluation=False))
        while position.outcome() is None:
            yield position
            position.play(rng.choice(position.moves()[:8]))


@pytest.mark.slow
def test_evaluate_is_the_sum_of_features_times_weights() -> None:
    seen = np.zeros(SHAPE)
    for position in _open_positions(15):
        assert position.evaluate() == np.sum(features(position) * current_weights())
        seen += features(position)
    never = {(NAMES[column], row) for row, column in zip(*np.nonzero(seen == 0), strict=True)}
    assert never == DECIDED | UNUSED


def _made_up(of: np.ndarray, positions: int = 4000) -> LeafSample:
    """Leaves whose values are exactly those of these weights; the features of DECIDED and UNUSED do not occur."""
    rng = np.random.default_rng(7)
    there = rng.poisson(1.5, (positions, *SHAPE)).astype(float)
    for name, row in DECIDED | UNUSED:
        there[:, row, NAMES.index(name)] = 0
    there[:, 0, NAMES.index("turn")] = 1
    return LeafSample(there, (there * of).sum(axis=(1, 2)), np.arange(positions))


def test_fit_finds_the_weights_that_made_the_values() -> None:
    of = np.random.default_rng(5).integers(-150, 150, SHAPE).astype(float)
    sample = _made_up(of)
    held_out = sample.part(sample.games % HELD_OUT == 0)
    fitted = gobang_weights.fit(sample.part(sample.games % HELD_OUT != 0))
    for row, column in np.ndindex(SHAPE):
        unknown = (NAMES[column], row) in DECIDED | UNUSED
        assert fitted[row, column] == pytest.approx(0 if unknown else of[row, column], abs=0 if unknown else 7)
    assert fit_quality(of, held_out).r2 == 1
    assert fit_quality(fitted, held_out).r2 > 0.999
    otherwise = of * 1.4
    otherwise[0, NAMES.index("turn")] += 300  # the R² of a fit ignores a common factor and the weight of the turn
    assert fit_quality(otherwise, held_out).r2 == pytest.approx(1, abs=1e-4)
    assert fit_quality(np.zeros(SHAPE), held_out).r2 == pytest.approx(0, abs=1e-4)


def test_weights_for_the_search_have_a_fixed_spread_and_less_for_the_turn() -> None:
    of = np.random.default_rng(8).integers(-50, 50, SHAPE).astype(float)
    sample = _made_up(of)
    scaled = scale_for_search(of, sample)
    assert (scaled == np.rint(scaled)).all()
    scaled[0, NAMES.index("turn")] += gobang_weights.TURN_LESS
    values = (sample.features * scaled).sum(axis=(1, 2))
    assert values.std() == pytest.approx(gobang_weights.SPREAD, rel=0.01)
    assert np.corrcoef(values, sample.values)[0, 1] > 0.999


@pytest.fixture(scope="module")
def games() -> list[GobangSelfPlay]:
    return [play(number, 30, 40) for number in (8, 6, 15)]


@pytest.mark.slow
def test_only_moves_that_a_search_chose_are_taken(games: list[GobangSelfPlay], tmp_path: Path) -> None:
    assert set(sample_choices(games, TABLE).games) <= {game.number for game in games}
    random_moves = [replace(game, random_plies=list(range(len(game.moves)))) for game in games]
    unsearched = [replace(game, values=[None] * len(game.values)) for game in games]
    for none in (random_moves, unsearched):
        with pytest.raises(RunnerError, match="no search chose among several cells"):
            sample_choices(none, TABLE)
    with pytest.raises(RunnerError, match="1 games are too few"):
        move_order.main([write_results(tmp_path / "games.jsonl", games[:1])], tmp_path / "order.txt")


@pytest.mark.slow
@pytest.mark.parametrize("learnt", [move_order, gobang_weights])
def test_the_engine_reads_the_file_that_was_written(
    learnt: ModuleType, games: list[GobangSelfPlay], all_leaves: list[GameLeaves], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    output = tmp_path / "learnt.txt"
    learnt.main([write_results(tmp_path / "from.jsonl", games if learnt is move_order else all_leaves)], output)
    remarks = [line for line in output.read_text("ascii").splitlines() if line.startswith("#")]
    assert [f"# {line}" for line in capsys.readouterr().out.splitlines()] == remarks[1:]
    monkeypatch.setattr(pkgutil, "get_data", lambda package, name: output.read_bytes())
    if learnt is move_order:
        sample = sample_choices(games, TABLE)
        expected = TABLE.to_order(move_order.fit(sample.part(sample.games % HELD_OUT != 0)))
        assert order_weights(5) == expected
    else:
        leaves = gobang_weights.sample_leaves(all_leaves)
        assert len(leaves.values) == sum(len(game.values) for game in all_leaves)
        evaluation_weights.cache_clear()
        read_back = current_weights()
        evaluation_weights.cache_clear()
        fitted = gobang_weights.fit(leaves.part(leaves.games % HELD_OUT != 0))
        assert (read_back == scale_for_search(fitted, leaves)).all()


@pytest.mark.parametrize("learnt, results", [
    (gobang_weights, []), (network, [GameLeaves(1, 1, [], [])]), (network, [GameLeaves(1, 1, [[112, 97]], [3])]),
])  # fmt: skip
def test_too_few_games_are_an_error(learnt: ModuleType, results: list[GameLeaves], tmp_path: Path) -> None:
    with pytest.raises(RunnerError, match="collect those of more games"):
        learnt.main([write_results(tmp_path / "games.jsonl", results)], tmp_path / "learnt.txt")
    assert not (tmp_path / "learnt.txt").exists()


@pytest.fixture(scope="module")
def leaves() -> list[GameLeaves]:
    """Random positions; the value of each is that of the line evaluation (LinesEvaluator)."""
    rng = random.Random(4)
    games = []
    for number in range(1, 21):
        moves = [rng.sample(range(SIZE * SIZE), rng.randint(4, 40)) for _ in range(8)]
        games.append(GameLeaves(number, 1, moves, [position_after(each).lines_value() for each in moves]))
    return games


def test_the_gradient_is_that_of_the_loss(leaves: list[GameLeaves]) -> None:
    sample = network.sample_leaves(leaves[:4], TABLE)
    numbers = {name: array.astype(np.float64) for name, array in network.fit(sample, TABLE, 3).items()}
    numbers["linear"] += 0.3
    numbers["out"] += 0.2
    targets = 1 / (1 + np.exp(-sample.values / network.LOGIT))

    def loss() -> float:
        logits = network.forward(numbers, sample).logits
        penalty = network.L2 * float((numbers["potentials"] ** 2).sum())
        return float(np.mean(np.logaddexp(0, logits) - targets * logits)) + penalty

    slopes, rng = network.gradient(numbers, sample), np.random.default_rng(3)
    for name, slope in slopes.items():
        for _ in range(6):
            place = tuple(rng.integers(size) for size in slope.shape)
            if name == "potentials":
                place = int(sample.own[rng.integers(len(sample.own)), 112, 0]), place[1]
            kept, step = numbers[name][place], 1e-4
            numbers[name][place] = kept + step
            above = loss()
            numbers[name][place] = kept - step
            below = loss()
            numbers[name][place] = kept
            assert slope[place] == pytest.approx((above - below) / (2 * step), abs=2e-5, rel=2e-2), (name, place)


@pytest.mark.slow
@pytest.mark.parametrize("games, batches, least", [(5, 3, -100.0), pytest.param(20, 60, 0.75, marks=pytest.mark.slow)])
def test_the_file_holds_the_fitted_network(
    games: int, batches: int, least: float, leaves: list[GameLeaves], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The file has whole numbers. The network's values fit those of the held-out leaves with R² above `least`."""
    leaves, output = leaves[:games], tmp_path / "network.txt"
    network.main([write_results(tmp_path / "leaves.jsonl", leaves)], output, batches=batches)
    learnt = evaluation_weights()._replace(network=Network(output.read_text()))
    assert f"network: {network.quality(learnt, leaves)}" in capsys.readouterr().out
    assert network.quality(learnt, leaves).r2 > least

    sample = network.sample_leaves(leaves, TABLE)
    numbers = network.fit(sample.part(sample.games % 5 != 0), TABLE, batches)
    rows = [line for line in output.read_text().splitlines() if not line.startswith("#")]
    assert list(network.to_rows(numbers, sample, TABLE)) == rows
    found = [position_after(moves, weights=learnt).evaluate() for game in leaves for moves in game.leaves]
    assert np.corrcoef(found, network.forward(numbers, sample).logits)[0, 1] > 0.99
