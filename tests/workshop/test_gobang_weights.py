"""The weights that are learnt are those that the engine multiplies: features, fit and file against evaluate()."""
from __future__ import annotations

import pkgutil
import random
from collections.abc import Iterator
from dataclasses import asdict
from json import dumps
from pathlib import Path

import numpy as np
import pytest

from submission.alphabeta import WIN
from submission.gomoku import board, weights
from submission.gomoku.patterns import COUNTS
from submission.gomoku.position import Position
from workshop import gobang_weights
from workshop.gobang_games import BLACK_WON, DRAW, WHITE_WON, SelfPlay, play
from workshop.gobang_weights import HELD_OUT, NAMES, TURN_LESS, Sample, features, fit, in_use, is_quiet, judge, sampled

SHAPE = 2, len(NAMES)
DECIDED = {("4 in a window", 0)}                                                # in no open position
UNUSED = {("turn", 1), ("threatened", 1)}


def _open_positions(games: int) -> Iterator[Position]:
    """The open positions of random games, quiet or not, either side to move."""
    dice = random.Random(3)
    for _ in range(games):
        position = Position(15, 15, 5)
        while position.outcome() is None:
            yield position
            position.play(dice.choice(position.moves()[:8]))


@pytest.mark.parametrize("seed", [None, 1, 2])
def test_evaluate_is_features_times_weights(monkeypatch: pytest.MonkeyPatch, seed: int | None) -> None:
    """With the weights of the file, and with others, none of which is 0."""
    if seed is not None:
        of = np.random.default_rng(seed).integers(1, 1000, SHAPE)
        in_lines = of[:, :len(COUNTS)].tolist()
        monkeypatch.setattr(weights, "read", lambda: (in_lines, of[:, len(COUNTS):].T.tolist()))
        monkeypatch.setattr(board, "_GEOMETRIES", {})
    seen, quiet = np.zeros(SHAPE), [0, 0]
    for position in _open_positions(60):
        assert position.evaluate() == np.sum(features(position) * in_use())
        seen += features(position)
        quiet[position.side] += is_quiet(position)
    assert min(quiet) > 100
    never = {(NAMES[column], row) for row, column in zip(*np.nonzero(seen == 0), strict=True)}
    assert never == DECIDED | UNUSED


def _made_up(of: np.ndarray, positions: int = 4000) -> Sample:
    """Positions in which the search says exactly what these weights say; those of DECIDED and UNUSED do not occur."""
    dice = np.random.default_rng(7)
    found = dice.poisson(1.5, (positions, *SHAPE)).astype(float)
    for name, row in DECIDED | UNUSED:
        found[:, row, NAMES.index(name)] = 0
    found[:, 0, NAMES.index("turn")] = 1
    values = (found * of).sum(axis=(1, 2))
    return Sample(found, values, np.full(positions, 0.5), np.arange(positions))


def test_fit_finds_the_weights_that_the_values_are_made_of() -> None:
    of = np.random.default_rng(5).integers(-150, 150, SHAPE).astype(float)
    learn_from, held_out = _made_up(of).split()
    fitted = fit(learn_from)
    for row, column in np.ndindex(SHAPE):
        unknown = (NAMES[column], row) in DECIDED | UNUSED
        assert fitted[row, column] == pytest.approx(0 if unknown else of[row, column], abs=0 if unknown else 6)
    assert judge(of, held_out).r2 == 1
    assert judge(fitted, held_out).r2 > 0.999
    assert judge(fitted, held_out).loss < judge(np.zeros(SHAPE), held_out).loss
    assert judge(np.zeros(SHAPE), held_out).results_loss == pytest.approx(np.log(2))


def test_held_out_are_whole_games() -> None:
    learn_from, held_out = _made_up(np.ones(SHAPE), 50).split()
    assert set(held_out.games) == set(range(0, 50, HELD_OUT))
    assert set(learn_from.games) == set(range(50)) - set(held_out.games)


# values from the opening on, winner -> values taken, the mover's results; after three plies White is to move
TAKEN = {
    "all":              ([10, -20], WHITE_WON, [10, -20], [1, 0]),
    "drawn":            ([10, -20], DRAW, [10, -20], [0.5, 0.5]),
    "never searched":   ([None, 7], BLACK_WON, [7], [1]),
    "seen to be won":   ([10, 20, WIN - 9], WHITE_WON, [10, 20, WIN - 9], [1, 0, 1]),
    "seen to be lost":  ([10, 20, 8 - WIN], BLACK_WON, [10, 20, 8 - WIN], [0, 1, 0]),
}


@pytest.mark.parametrize("name", TAKEN)
def test_positions_from_the_opening_on_are_taken(name: str) -> None:
    values, winner, taken, results = TAKEN[name]
    sample = sampled([SelfPlay(11, 20, 3, [112, 97, 98, 113, 80], list(values), winner, [])])
    assert sample.values.tolist() == taken
    assert sample.results.tolist() == results
    assert set(sample.games) == {11}
    position = Position(15, 15, 5)
    for cell in [112, 97, 98, 113, 80][:len(values) + 2]:
        position.play(cell)
    assert (sample.features[-1] == features(position)).all()


def test_positions_that_are_not_quiet_are_left_out() -> None:
    four = [112, 0, 113, 2, 114, 4, 115]                    # White must stop a five
    assert sampled([SelfPlay(1, 20, 5, four, [None, -5, 9], BLACK_WON, [])] * 2 + [
        SelfPlay(2, 20, 3, [112, 97, 98], [3], DRAW, [])]).values.tolist() == [3]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("games") / "games.jsonl"
    path.write_text("".join(dumps(asdict(play(number, 20))) + "\n" for number in range(1, 7)))
    return path


def test_what_is_written_is_what_the_engine_reads(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                                  capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "weights.txt"
    gobang_weights.main([file], output)
    said = capsys.readouterr().out
    monkeypatch.setattr(pkgutil, "get_data", lambda package, name: output.read_bytes())
    learnt = fit(sampled(gobang_weights.read(file)).split()[0])
    learnt[0, NAMES.index("turn")] -= TURN_LESS
    assert (in_use() == learnt).all()
    remarks = [line for line in output.read_text("ascii").splitlines() if line.startswith("#")]
    assert "6 games" in remarks[1]
    assert "R2" in remarks[2]
    assert [f"# {line}" for line in said.splitlines()] == remarks[1:]


def test_a_dry_run_only_prints(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gobang_weights.main([file], tmp_path / "weights.txt", dry_run=True)
    assert not (tmp_path / "weights.txt").exists()
    assert "\nfour and open three " in capsys.readouterr().out


def test_too_few_games_are_said(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text("")
    with pytest.raises(SystemExit, match="play more"):
        gobang_weights.main([path], tmp_path / "weights.txt")
