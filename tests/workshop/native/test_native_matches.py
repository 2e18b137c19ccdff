"""Matches of two settings of the compiled engine: whole games in a tournament's file, which can be gone on with."""

from __future__ import annotations

import zlib
from pathlib import Path

import pytest

from local_runner.errors import RunnerError
from local_runner.game.faults import Reason
from local_runner.matches.statistics.sprt import Sprt
from local_runner.matches.tournament.run import run
from local_runner.matches.tournament.store import PlayedGame, read
from submission.reversi import weights
from submission.variant import REVERSI, Variant
from workshop.native.matches import NativeExecutor, engine_of, match_plan, opened

SETTINGS = {
    "gobang_1v1": ("nodes=16,root_nodes=0,hold_nodes=0", "nodes=600"),
    "reversi_8x8_1v1": ("nodes=16,solver_empties=0", "nodes=120"),
}


def played(file: Path, env: str, rounds: int, *, new: bool) -> list[PlayedGame]:
    plan = match_plan(env, SETTINGS[env], rounds, None, seed=1) if new else None
    with opened(file, plan) as kept, NativeExecutor(1) as executor:
        kept.extend(rounds)
        assert run(kept, executor).complete
    with read(file) as kept:
        return kept.games()


@pytest.mark.slow
@pytest.mark.parametrize("env", SETTINGS)
def test_a_match_is_played_and_gone_on_with(env: str, tmp_path: Path) -> None:
    file = tmp_path / "match.db"
    first = played(file, env, 1, new=True)
    games = played(file, env, 3, new=False)
    assert len(first) == 2
    assert [game.moves for game in games[:2]] == [game.moves for game in first]
    assert [(game.black, game.white) for game in games] == [(0, 1), (1, 0), (1, 0), (0, 1), (0, 1), (1, 0)]
    assert {game.result.reason for game in games} == {Reason.RULES}
    points = sum({1: game.black, 2: game.white, 3: 0.5}[game.winner] for game in games)
    assert points >= 4, "more nodes win"


@pytest.mark.slow
def test_the_same_plan_gives_the_same_games(tmp_path: Path) -> None:
    one, other = (played(tmp_path / name, "reversi_8x8_1v1", 1, new=True) for name in ("one.db", "other.db"))
    assert [game.moves for game in one] == [game.moves for game in other]


@pytest.mark.slow
def test_weights_can_be_compared(tmp_path: Path) -> None:
    def games(name: str, settings: tuple[str, str]) -> list[str]:
        with (
            opened(tmp_path / name, match_plan("reversi_8x8_1v1", settings, 1, None, seed=1)) as kept,
            NativeExecutor(1) as executor,
        ):
            assert run(kept, executor).complete
            return [game.moves for game in kept.games()]

    data = (Path(weights.__file__).parents[1] / (weights.FILE % 8)).read_bytes()
    same, other = tmp_path / "same.bin", tmp_path / "other.bin"
    same.write_bytes(data)
    raw = zlib.decompress(data)
    other.write_bytes(zlib.compress(raw[:-200_000] + bytes(200_000)))  # the last rows are 0
    plain = games("plain.db", ("nodes=50", "nodes=51"))
    assert games("same.db", (f"nodes=50,weights={same}", "nodes=51")) == plain
    settings = f"nodes=50,weights={other}", "nodes=51"
    assert games("other.db", settings) != plain
    plan = match_plan("reversi_8x8_1v1", settings, 1, None, seed=1)
    other.write_bytes(data)
    engine_of.cache_clear()
    with pytest.raises(RunnerError, match="has changed"):
        engine_of(Variant(REVERSI, 8, 8), tuple(plan.agents[0].options.items()))


def test_files_of_something_else_are_refused(tmp_path: Path) -> None:
    same, other = tmp_path / "same.bin", tmp_path / "other.bin"
    same.write_bytes((Path(weights.__file__).parents[1] / (weights.FILE % 8)).read_bytes())
    other.write_bytes(b"no weights")
    for setting, env, why in (
        (f"weights={other}", "reversi_8x8_1v1", "no file of weights"),
        (f"weights={same}", "gobang_1v1", "no file of weights"),
        (f"weights={same}", "reversi_1v1", "no weights for the lists of a 10 x 10 board"),
        (f"order={same}", "reversi_8x8_1v1", "no file of order"),
        (f"weights={tmp_path / 'missing'}", "reversi_8x8_1v1", "cannot read"),
    ):
        with pytest.raises(RunnerError, match=why):
            match_plan(env, (setting, "nodes=9"), 1, None, seed=1)


def test_wrong_settings_are_refused() -> None:
    for settings, why in (
        (("nodes=9", "nodes=9"), "the same"),
        (("nodes=9", "colour=3"), "no parameter colour"),
        (("nodes=9", "vcf_nodes=-1"), "vcf_nodes is -1"),
    ):
        with pytest.raises(RunnerError, match=why):
            match_plan("gobang_1v1", settings, 1, Sprt(0, 5), 1)
