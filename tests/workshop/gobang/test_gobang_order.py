"""The learnt move order is the one that the engine uses: surroundings, fit and file against its positions."""

from __future__ import annotations

import pkgutil
import random
from dataclasses import asdict, replace
from json import dumps
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from local_runner.errors import RunnerError
from submission.k_in_a_row import weights
from submission.k_in_a_row.position import KInARowPosition
from workshop.gobang import move_order as gobang_order
from workshop.gobang.games import GobangSelfPlay, play
from workshop.gobang.learning import HELD_OUT
from workshop.gobang.move_order import EVERY_CELL, ChoiceSample, SurroundingsTable, fit, order_quality, sample_choices

TABLE = SurroundingsTable()


def test_the_engine_sorts_by_the_sums_of_the_columns() -> None:
    dice, values = random.Random(5), TABLE.to_columns(weights.order_weights(5))
    seen = 0
    for _ in range(6):
        position = KInARowPosition(15, 15, 5, EVERY_CELL)
        while position.outcome() is None and position.plies_left():
            position.play(dice.choice(position.moves()[:12]))
            stones = {cell: ply % 2 for ply, (cell, *_) in enumerate(position.history)}
            sums = [
                sum(values[column] for column in TABLE.columns_of(stones, cell, position.side))
                for cell in position.moves()
            ]
            if position.quiet():
                assert sums == sorted(sums, reverse=True)
                seen += len(set(sums)) > 5
    assert seen > 20


def test_five_fit_into_all_surroundings() -> None:
    assert "*...." in TABLE.drawings
    assert "X.*.X" in TABLE.drawings
    assert "X*.." not in TABLE.column
    assert TABLE.column["..X*.X"] == TABLE.column["X.*X.."]
    assert all(len(each) >= 5 and each <= each[::-1] for each in TABLE.drawings)


def test_columns_end_at_the_edge_and_at_the_other_sides_stones() -> None:
    stones = {1: 0, 3: 1}  # .B.W... on the upper edge; the cell between them
    drawn = [(TABLE.drawings[column // 2], column % 2) for column in TABLE.columns_of(stones, 2, 0)]
    assert sorted(drawn) == [("*....", 0), ("*....", 0), ("*....", 1), ("*....", 1), ("*X...", 1)]


def test_fit_finds_the_order_that_made_the_choices() -> None:
    """Moves are chosen with the probabilities of made-up values. The fit finds nearly these values."""
    dice = np.random.default_rng(3)
    columns, positions, cells = 2 * len(TABLE.drawings), 3000, 12
    used = dice.choice(columns, 20, replace=False)
    values = np.zeros(columns)
    values[used] = dice.normal(0, 2, 20)
    counts = dice.poisson(0.5, (positions * cells, 20))
    there = csr_matrix(
        (counts.ravel(), (np.repeat(np.arange(len(counts)), 20), np.tile(used, len(counts)))),
        shape=(len(counts), columns),
        dtype=float,
    )
    sums = (there @ values).reshape(positions, cells)
    chosen = (sums + dice.gumbel(size=sums.shape)).argmax(axis=1)
    first = np.arange(positions) * cells
    sample = ChoiceSample(there, first, first + chosen, np.arange(positions))
    found = fit(sample)
    assert np.abs(found - values).max() < 0.4
    assert order_quality(values, sample).startswith("place 1.")
    assert float(order_quality(-values, sample).split()[1].rstrip(";")) > 8
    part = sample.part(sample.games % HELD_OUT == 0)
    kept = np.arange(positions * cells).reshape(positions, cells)[::HELD_OUT].ravel()
    assert (part.counts != there[kept]).nnz == 0
    assert (part.chosen - part.first == chosen[::HELD_OUT]).all()


def test_rounded_values_are_whole_and_clipped() -> None:
    values = np.random.default_rng(1).permutation(np.linspace(-3, 18, 2 * len(TABLE.drawings)))
    order = TABLE.to_order(values)
    numbers = [number for each in order.values() for number in each]
    assert max(numbers) == 31
    assert min(numbers) == 0
    assert (TABLE.to_columns(order) == np.clip(np.rint(values / gobang_order.UNIT), 0, 31)).all()


@pytest.fixture(scope="module")
def games() -> list[GobangSelfPlay]:
    return [play(number, 100, 40) for number in range(3, 6)]


def test_only_moves_that_a_search_chose_are_taken(games: list[GobangSelfPlay]) -> None:
    sample = sample_choices(games, TABLE)
    assert set(sample.games) <= {game.number for game in games}
    strays = [replace(game, strays=list(range(len(game.moves)))) for game in games]
    unsearched = [replace(game, values=[None] * len(game.values)) for game in games]
    for none in (strays, unsearched):
        with pytest.raises(Exception, match="no search chose among several cells"):
            sample_choices(none, TABLE)


@pytest.mark.slow
def test_what_is_written_is_what_the_engine_reads(
    games: list[GobangSelfPlay], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file, output = tmp_path / "games.jsonl", tmp_path / "order.txt"
    file.write_text("".join(dumps(asdict(game)) + "\n" for game in games))
    gobang_order.main([file], output)
    report = capsys.readouterr().out
    remarks = [line for line in output.read_text("ascii").splitlines() if line.startswith("#")]
    assert [f"# {line}" for line in report.splitlines()] == remarks[1:]
    sample = sample_choices(games, TABLE)
    expected = TABLE.to_order(fit(sample.part(sample.games % HELD_OUT != 0)))
    with monkeypatch.context() as patch:
        patch.setattr(pkgutil, "get_data", lambda package, name: output.read_bytes())
        assert weights.order_weights(5) == expected
    assert weights.order_weights(4) == {}
    output.unlink()
    gobang_order.main([file], output, dry_run=True)
    assert not output.exists()


def test_too_few_games_are_an_error(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text(dumps(asdict(play(1, 300))) + "\n")
    with pytest.raises(RunnerError, match="too few"):
        gobang_order.main([file], tmp_path / "order.txt")
