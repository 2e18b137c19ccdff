"""Matches of two settings of the compiled engine: whole games in a tournament's file, which can be gone on with."""

from __future__ import annotations

import zlib
from pathlib import Path

import pytest

from local_runner.errors import RunnerError
from local_runner.game.faults import Reason
from local_runner.matches.games import PlayedGame
from local_runner.matches.run import run
from submission.reversi import weights
from submission.variant import REVERSI, Variant
from workshop.native.matches import NativeExecutor, NativeMatch, engine_of, opened

EIGHT = Path(weights.__file__).parents[1] / (weights.FILE % 8)
SETTINGS = {
    "gobang_1v1": ("nodes=16,root_nodes=0,hold_nodes=0", "nodes=600"),
    "reversi_8x8_1v1": ("nodes=16,solver_empties=0", "nodes=120"),
}


def played(file: Path, match: NativeMatch, rounds: int = 1) -> list[PlayedGame]:
    with opened(file, match) as kept, NativeExecutor(1) as executor:
        kept.extend(rounds)
        list(run(kept, executor))
        return list(kept)


@pytest.mark.parametrize("env", SETTINGS)
def test_a_match_is_played_and_gone_on_with(env: str, tmp_path: Path) -> None:
    file = tmp_path / "match.jsonl"
    first = played(file, NativeMatch(*SETTINGS[env], env, 1))
    games = played(file, NativeMatch(), 3)
    assert len(first) == 2
    assert [game.moves for game in games[:2]] == [game.moves for game in first]
    assert [(game.black, game.white) for game in games] == [(0, 1), (1, 0), (1, 0), (0, 1), (0, 1), (1, 0)]
    assert {game.result.reason for game in games} == {Reason.RULES}
    points = sum({1: game.black, 2: game.white, 3: 0.5}[game.winner] for game in games)
    assert points >= 4, "more nodes win"


def test_weights_can_be_compared(tmp_path: Path) -> None:
    def moves(name: str, first: str) -> list[str]:
        return [game.moves for game in played(tmp_path / name, NativeMatch(first, "nodes=51", "reversi_8x8_1v1", 1))]

    data = EIGHT.read_bytes()
    same, other = tmp_path / "same.bin", tmp_path / "other.bin"
    same.write_bytes(data)
    other.write_bytes(zlib.compress(zlib.decompress(data)[:-200_000] + bytes(200_000)))  # the last rows are 0
    plain = moves("plain.jsonl", "nodes=50")
    assert moves("same.jsonl", f"nodes=50,weights={same}") == plain
    assert moves("other.jsonl", f"nodes=50,weights={other}") != plain
    plan = NativeMatch(f"nodes=50,weights={other}", "nodes=51", "reversi_8x8_1v1").plan()
    other.write_bytes(data)
    engine_of.cache_clear()
    with pytest.raises(RunnerError, match="has changed"):
        engine_of(Variant(REVERSI, 8, 8), tuple(plan.agents[0].options.items()))


def test_wrong_settings_are_refused(tmp_path: Path) -> None:
    other = tmp_path / "other.bin"
    other.write_bytes(b"no weights")
    for setting, env, why in (
        ("nodes=9", "gobang_1v1", "the same"),
        ("colour=3", "gobang_1v1", "no parameter colour"),
        ("vcf_nodes=-1", "gobang_1v1", "vcf_nodes is -1"),
        (f"weights={other}", "reversi_8x8_1v1", "no file of weights"),
        (f"weights={EIGHT}", "gobang_1v1", "no file of weights"),
        (f"weights={EIGHT}", "reversi_1v1", "no weights for the lists of a 10 x 10 board"),
        (f"order={EIGHT}", "reversi_8x8_1v1", "no file of order"),
        (f"weights={tmp_path / 'missing'}", "reversi_8x8_1v1", "cannot read"),
    ):
        with pytest.raises(RunnerError, match=why):
            NativeMatch(setting, "nodes=9", env).plan()
