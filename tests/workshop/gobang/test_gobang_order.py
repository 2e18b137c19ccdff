"""The learnt move order is the one that the engine uses: surroundings, fit and file against its positions."""

from __future__ import annotations

import pkgutil
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from local_runner.errors import RunnerError
from submission.k_in_a_row import weights
from submission.k_in_a_row.position import KInARowPosition
from tests.workshop.conftest import write_results
from workshop.gobang.games import GobangSelfPlay, play
from workshop.gobang.learning import HELD_OUT
from workshop.gobang.move_order import (
    EVERY_CELL,
    ChoiceSample,
    SurroundingsTable,
    fit,
    main,
    order_quality,
    sample_choices,
)

TABLE = SurroundingsTable()


def test_the_engine_sorts_by_the_sums_of_the_columns() -> None:
    rng, values = random.Random(5), TABLE.to_columns(weights.order_weights(5))
    seen = 0
    for _ in range(3):
        position = KInARowPosition(15, 15, 5, EVERY_CELL)
        while position.outcome() is None and position.plies_left():
            position.play(rng.choice(position.moves()[:12]))
            stones = {cell: ply % 2 for ply, (cell, *_) in enumerate(position.history)}
            sums = [
                sum(values[column] for column in TABLE.columns_of(stones, cell, position.side))
                for cell in position.moves()
            ]
            if position.quiet():
                assert sums == sorted(sums, reverse=True)
                seen += len(set(sums)) > 5
    assert seen > 10


def test_columns_end_at_the_edge_and_at_the_other_sides_stones() -> None:
    stones = {1: 0, 3: 1}  # .B.W... on the upper edge; the cell between them
    drawn = [(TABLE.drawings[column // 2], column % 2) for column in TABLE.columns_of(stones, 2, 0)]
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
    assert np.abs(fit(sample) - values).max() < 0.4
    assert order_quality(values, sample).startswith("place 1.")
    assert float(order_quality(-values, sample).split()[1].rstrip(";")) > 8
    part = sample.part(sample.games % HELD_OUT == 0)
    kept = np.arange(positions * cells).reshape(positions, cells)[::HELD_OUT].ravel()
    assert (part.counts != there[kept]).nnz == 0
    assert (part.chosen - part.first == chosen[::HELD_OUT]).all()


@pytest.fixture(scope="module")
def games() -> list[GobangSelfPlay]:
    return [play(number, 30, 40) for number in (8, 6, 10)]


@pytest.mark.slow
def test_only_moves_that_a_search_chose_are_taken(games: list[GobangSelfPlay], tmp_path: Path) -> None:
    assert set(sample_choices(games, TABLE).games) <= {game.number for game in games}
    random_moves = [replace(game, random_plies=list(range(len(game.moves)))) for game in games]
    unsearched = [replace(game, values=[None] * len(game.values)) for game in games]
    for none in (random_moves, unsearched):
        with pytest.raises(RunnerError, match="no search chose among several cells"):
            sample_choices(none, TABLE)
    with pytest.raises(RunnerError, match="1 games are too few"):
        main([write_results(tmp_path / "games.jsonl", games[:1])], tmp_path / "order.txt")


@pytest.mark.slow
def test_the_engine_reads_the_order_that_was_written(
    games: list[GobangSelfPlay], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file, output = write_results(tmp_path / "games.jsonl", games), tmp_path / "order.txt"
    main([file], output)
    remarks = [line for line in output.read_text("ascii").splitlines() if line.startswith("#")]
    assert [f"# {line}" for line in capsys.readouterr().out.splitlines()] == remarks[1:]
    sample = sample_choices(games, TABLE)
    expected = TABLE.to_order(fit(sample.part(sample.games % HELD_OUT != 0)))
    with monkeypatch.context() as patch:
        patch.setattr(pkgutil, "get_data", lambda package, name: output.read_bytes())
        assert weights.order_weights(5) == expected
