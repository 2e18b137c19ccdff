"""The weights of Reversi: features, fit and file against the engine's own evaluate()."""
from __future__ import annotations

from dataclasses import asdict
from json import dumps
from pathlib import Path

import numpy as np
import pytest

from local_runner.errors import RunnerError
from submission.cache import GeometryCache
from submission.reversi import board, weights
from submission.reversi.board import PASS
from submission.reversi.position import ReversiPosition
from submission.reversi.weights import STAGES, ReversiWeights
from workshop import reversi_weights
from workshop.reversi_games import SelfPlay, play
from workshop.reversi_sample import HELD_OUT, sampled
from workshop.reversi_weights import UNIT, ListContents, error, fit, judged, main, packed

SIZE = 6


@pytest.fixture(scope="module")
def games() -> list[SelfPlay]:
    return [play(SIZE, number, 10) for number in range(1, 61)]


@pytest.fixture(scope="module")
def fitted(games: list[SelfPlay]) -> bytes:
    sample = sampled(games)
    return fit(sample, ListContents(sample))


def _positions(games: list[SelfPlay]) -> list[tuple[tuple[int, int], int, int]]:
    found = []
    for game in games:
        position = ReversiPosition.start(game.size)
        for ply, move in enumerate(game.moves):
            if ply >= game.opening and move != PASS:
                found.append((position.discs, position.side, game.difference))
            position.play(move)
    return found


def test_the_positions_are_those_of_the_games_from_the_opening_on(games: list[SelfPlay]) -> None:
    sample, positions = sampled(games), _positions(games)
    assert len(positions) == len(sample.cells) > 500
    for (discs, side, difference), row in zip(positions, range(len(positions)), strict=True):
        cells = sample.cells[row]
        assert tuple(sum(1 << int(i) for i in np.flatnonzero(cells == colour)) for colour in (1, 2)) == discs
        assert (sample.sides[row], sample.differences[row]) == (1 - 2 * side, difference)
    assert 0 < sample.held_out.sum() < len(positions) / HELD_OUT * 2


def test_the_engine_says_what_was_learnt(
    games: list[SelfPlay], fitted: bytes, monkeypatch: pytest.MonkeyPatch,
) -> None:
    learnt = ReversiWeights(SIZE, fitted)
    monkeypatch.setattr(weights, "read", lambda n: learnt)
    monkeypatch.setattr(board, "geometries", GeometryCache())
    sample = sampled(games)
    position = ReversiPosition(SIZE)
    for (discs, side, _), worth in zip(_positions(games), judged(sample, learnt), strict=True):
        position.set_discs(*discs, side)
        assert position.evaluate() == round(worth * UNIT) * (1 - 2 * side)


def test_the_fit_is_nearer_to_the_results_it_has_seen(games: list[SelfPlay], fitted: bytes) -> None:
    sample = sampled(games)
    seen = ~sample.held_out
    missed = np.abs(judged(sample, ReversiWeights(SIZE, fitted)) - sample.differences)[seen].mean()
    assert missed < 0.7 * np.abs(sample.differences)[seen].mean()


def test_results_that_are_a_sum_of_weights_are_found_again(
    games: list[SelfPlay], fitted: bytes, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Games whose results are what made-up weights say: the fit says nearly the same where it was not told."""
    monkeypatch.setattr(reversi_weights, "PENALTY", 0.01)
    monkeypatch.setattr(reversi_weights, "BLEND", 0.0)
    sample = sampled(games)
    told = judged(sample, ReversiWeights(SIZE, fitted))
    object.__setattr__(sample, "differences", told)
    again = judged(sample, ReversiWeights(SIZE, fit(sample, ListContents(sample))))
    assert np.mean(np.abs(again - told)[~sample.held_out]) < 0.1 * told.std()
    assert np.mean(np.abs(again - told)[sample.held_out]) < 0.5 * told.std()


def test_weights_of_a_round_before_are_begun_with(
    games: list[SelfPlay], fitted: bytes, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """They are taken over as they are, and the penalty is on what is learnt besides."""
    before = ReversiWeights(SIZE, fitted)
    sample = sampled(games)
    contents = ListContents(sample, before)
    assert packed(contents, np.rint(contents.before * UNIT).astype(np.int16)) == fitted
    assert fit(sample, contents) != fitted
    monkeypatch.setattr(reversi_weights, "PENALTY", 1e6)
    assert fit(sample, contents) == fitted


def test_a_stage_that_would_foretell_worse_stays_as_it_was(games: list[SelfPlay], fitted: bytes) -> None:
    few = sampled(games[:12] + games[40:50])                # other games are held out, and little is there to learn
    contents = ListContents(few, ReversiWeights(SIZE, fitted))
    before, after = (error(few, judged(few, ReversiWeights(SIZE, data))) for data in (fitted, fit(few, contents)))
    rounding = 0.1
    assert all(new <= old + rounding for old, new in zip(before, after, strict=True) if old == old)
    assert any(new < old - rounding for old, new in zip(before, after, strict=True))


def test_error_is_of_the_held_out_positions_alone(games: list[SelfPlay]) -> None:
    sample = sampled(games)
    worth = sample.differences + np.where(sample.held_out, 3.0, 100.0)
    there = {stage for stage, held_out in zip(sample.stages, sample.held_out, strict=True) if held_out}
    assert len(there) > STAGES // 2
    expected = [3.0 if stage in there else np.nan for stage in range(STAGES)]
    assert error(sample, worth) == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize("wrong", [[], [4], [SIZE, 8]])
def test_games_that_cannot_be_learnt_from_are_refused(games: list[SelfPlay], wrong: list[int]) -> None:
    some = [SelfPlay(**{**asdict(games[0]), "size": size}) for size in wrong]
    with pytest.raises(RunnerError, match="sizes"):
        sampled(some * (HELD_OUT if len(wrong) > 1 else 1))


def test_the_command(
    games: list[SelfPlay], fitted: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str],
) -> None:
    file, output, plot, other = (tmp_path / name for name in ("games", "new.bin", "errors.svg", "before.bin"))
    file.write_text("".join(dumps(asdict(game)) + "\n" for game in games))
    other.write_bytes(fitted)
    main([file], None, output, True, plot, [other])
    assert not output.exists()
    assert "<svg" in plot.read_text()
    main([file], None, output, False, None, None)
    assert output.read_bytes() == fitted
    said = capsys.readouterr().out
    assert "60 games" in said and "before" in said
    with pytest.raises(SystemExit, match="missing"):
        main([tmp_path / "missing"], None, output, False, None, None)
