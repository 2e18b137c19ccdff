"""The weights of Reversi: features, fit and file against the engine's own evaluate()."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest

from local_runner.errors import RunnerError
from submission.boards import GeometryCache
from submission.reversi import board, weights
from submission.reversi.board import PASS
from submission.reversi.position import ReversiPosition
from submission.reversi.weights import ReversiWeights
from tests.workshop.conftest import write_results
from workshop.reversi import games as reversi_games
from workshop.reversi import weights as reversi_weights
from workshop.reversi.games import ReversiSelfPlay, play
from workshop.reversi.weights import HELD_OUT, UNIT, ListContents, ReversiSample, evaluate, fit, main, sample_positions

pytestmark = pytest.mark.slow
SIZE = 6


@pytest.fixture(scope="module")
def games() -> list[ReversiSelfPlay]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reversi_games, "EXACT", 4)  # to solve from more empty cells is slow, and not needed here
        return [play(SIZE, number, 10) for number in range(1, 61)]


@pytest.fixture(scope="module")
def sample(games: list[ReversiSelfPlay]) -> ReversiSample:
    return sample_positions(games)


@pytest.fixture(scope="module")
def fitted(sample: ReversiSample) -> bytes:
    return fit(sample, ListContents(sample))


def _positions(games: list[ReversiSelfPlay]) -> list[tuple[tuple[int, int], int, int]]:
    found = []
    for game in games:
        position = ReversiPosition.start(game.size)
        for ply, move in enumerate(game.moves):
            if ply >= game.opening and move != PASS:
                found.append((position.discs, position.side, game.difference))
            position.play(move)
    return found


def test_the_positions_are_those_of_the_games_from_the_opening_on(
    games: list[ReversiSelfPlay], sample: ReversiSample
) -> None:
    positions = _positions(games)
    assert len(positions) == len(sample.cells) > 500
    for (discs, side, difference), row in zip(positions, range(len(positions)), strict=True):
        cells = sample.cells[row]
        assert tuple(sum(1 << int(i) for i in np.flatnonzero(cells == colour)) for colour in (1, 2)) == discs
        assert (sample.sides[row], sample.differences[row]) == (1 - 2 * side, difference)
    assert 0 < sample.held_out.sum() < len(positions) / HELD_OUT * 2


def test_the_engine_evaluates_by_the_learnt_weights(
    games: list[ReversiSelfPlay], sample: ReversiSample, fitted: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    learnt = ReversiWeights(SIZE, fitted)
    monkeypatch.setattr(weights, "read", lambda n: learnt)
    monkeypatch.setattr(board, "geometries", GeometryCache())
    position = ReversiPosition(SIZE)
    for (discs, side, _), value in zip(_positions(games), evaluate(sample, learnt), strict=True):
        position.set_discs(*discs, side)
        assert position.evaluate() == round(value * UNIT) * (1 - 2 * side)


def test_results_that_are_sums_of_weights_are_found(
    sample: ReversiSample, fitted: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The results come from made-up weights. The fit predicts held-out games nearly exactly."""
    monkeypatch.setattr(reversi_weights, "PENALTY", 0.01)
    monkeypatch.setattr(reversi_weights, "BLEND", 0.0)
    monkeypatch.setattr(reversi_weights, "SEARCHED", 0.0)
    made = evaluate(sample, ReversiWeights(SIZE, fitted))
    sample = replace(sample, differences=made)
    again = evaluate(sample, ReversiWeights(SIZE, fit(sample, ListContents(sample))))
    assert np.mean(np.abs(again - made)[~sample.held_out]) < 0.1 * made.std()
    assert np.mean(np.abs(again - made)[sample.held_out]) < 0.5 * made.std()


def test_the_fit_starts_from_the_previous_weights(
    sample: ReversiSample, fitted: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The previous weights are the start values; penalty and trust are on the difference from them."""
    before = ReversiWeights(SIZE, fitted)
    contents = ListContents(sample, before)
    assert reversi_weights.pack(contents, np.rint(contents.before * UNIT).astype(np.int16)) == fitted
    assert fit(sample, contents) != fitted
    for name, much in (("TRUST", 1e9), ("PENALTY", 1e6)):
        with monkeypatch.context() as patch:
            patch.setattr(reversi_weights, name, much)
            assert fit(sample, contents) == fitted


def test_a_stage_whose_error_grows_keeps_its_weights(games: list[ReversiSelfPlay], fitted: bytes) -> None:
    few = sample_positions(games[:12] + games[40:50])  # other games are held out, and there is little to learn
    contents = ListContents(few, ReversiWeights(SIZE, fitted))
    fits = [ReversiWeights(SIZE, data) for data in (fitted, fit(few, contents))]
    before, after = (reversi_weights.rms_errors(few, evaluate(few, each)) for each in fits)
    rounding = 0.1
    assert all(new <= old + rounding for old, new in zip(before, after, strict=True) if old == old)
    assert any(new < old - rounding for old, new in zip(before, after, strict=True))


@pytest.mark.parametrize("wrong", [[], [4], [SIZE, 8]])
def test_games_that_cannot_be_learnt_from_are_refused(games: list[ReversiSelfPlay], wrong: list[int]) -> None:
    some = [ReversiSelfPlay(**{**asdict(games[0]), "size": size}) for size in wrong]
    with pytest.raises(RunnerError, match="sizes"):
        sample_positions(some * (HELD_OUT if len(wrong) > 1 else 1))


def test_the_command(
    games: list[ReversiSelfPlay], fitted: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write_results(tmp_path / "games", games)
    output, previous = tmp_path / "new.bin", tmp_path / "before.bin"
    previous.write_bytes(fitted)
    main([file], previous, output)
    report = capsys.readouterr().out
    assert "60 games" in report and "previous" in report
    main([file], None, output)
    assert output.read_bytes() == fitted
    with pytest.raises(RunnerError, match="missing"):
        main([tmp_path / "missing"], None, output)
    previous.write_bytes((reversi_weights.PACKAGE / (weights.FILE % 8)).read_bytes())
    with pytest.raises(RunnerError, match="no weights for the lists of a 6 x 6 board"):
        main([file], previous, output)
    assert output.read_bytes() == fitted
