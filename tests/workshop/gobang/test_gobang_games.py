"""Self-play games of gobang: determined by their number; the file stays intact when the command is stopped."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from dataclasses import asdict
from json import dumps
from pathlib import Path

import pytest

from local_runner.errors import RunnerError
from submission.search.searchable import PROVED_WIN
from workshop import game_file
from workshop.gobang.games import OPENING_PLIES, GobangSelfPlay, play

ROOT = Path(__file__).resolve().parents[3]
NODES = 20


def fill(path: Path, games: int, nodes: int, processes: int) -> int:
    return game_file.fill(path, GobangSelfPlay, play, games, nodes, processes)


def read(path: Path) -> list[GobangSelfPlay]:
    return game_file.read(path, GobangSelfPlay)


@pytest.fixture(scope="module")
def games() -> list[GobangSelfPlay]:
    return [play(number, NODES) for number in range(1, 5)]


def test_a_number_is_a_game(games: list[GobangSelfPlay]) -> None:
    assert [play(game.number, NODES) for game in games[:1]] == games[:1]
    assert len({tuple(game.moves) for game in games}) == len(games)


def test_the_fields_of_a_game_fit_together(games: list[GobangSelfPlay]) -> None:
    for game in games:
        assert len(set(game.moves)) == len(game.moves)
        assert OPENING_PLIES[0] <= game.opening <= OPENING_PLIES[1]
        seen = bool(game.values) and abs(game.values[-1] or 0) > PROVED_WIN
        assert len(game.values) == len(game.moves) - game.opening + seen
        assert all(value is None or abs(value) <= PROVED_WIN for value in game.values[: len(game.values) - seen])
    assert any(game.values and abs(game.values[-1] or 0) > PROVED_WIN for game in games)


@pytest.mark.parametrize("processes", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_incomplete_and_missing_games_are_played_again(
    tmp_path: Path, games: list[GobangSelfPlay], processes: int
) -> None:
    path = tmp_path / "games.jsonl"
    lines = [dumps(asdict(game)).encode() + b"\n" for game in games]
    path.write_bytes(b"".join(lines[1:3]) + lines[3][:-20])
    assert len(read(path)) == 2
    assert fill(path, 4, NODES, processes) == 4
    assert read(path) == games
    assert path.read_bytes().startswith(b"".join(lines[1:3]))


def test_a_complete_file_is_not_changed(tmp_path: Path, games: list[GobangSelfPlay]) -> None:
    path = tmp_path / "new" / "games.jsonl"
    assert fill(path, 2, NODES, 1) == 2
    assert read(path) == games[:2]
    before = path.read_bytes()
    assert fill(path, 1, NODES, 1) == 2
    assert path.read_bytes() == before


@pytest.mark.slow
def test_an_interrupt_leaves_an_intact_file(tmp_path: Path) -> None:
    """Ctrl-C goes to all processes, as a terminal sends it."""
    path = tmp_path / "games.jsonl"
    command = [sys.executable, "-m", "workshop.gobang.games", str(path), "--nodes", str(NODES), "--jobs", "2"]
    with subprocess.Popen(
        command,
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:
        try:
            while not path.exists() or not path.stat().st_size:
                assert process.poll() is None
                time.sleep(0.01)
            os.killpg(process.pid, signal.SIGINT)
            shown = process.communicate(timeout=60)[1]
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    assert (process.returncode, shown) == (1, f"stopped; {path} is intact, and the same command goes on from there\n")
    games = read(path)
    assert 0 < len(games) < 50
    assert path.read_bytes().count(b"\n") == len(games)
    assert games[0] == play(games[0].number, NODES)


@pytest.mark.parametrize(
    "text, why",
    [
        ('{"number": 1, "nodes": 7, "opening": 3, "moves": [1, 2, 3], "values": [], "strays": []}\n', "7 nodes"),
        ("a diary\nand more", "no file of games"),
        ("[1]\n", "no file of games"),
        ('{"number": 1}\n', "no file of games"),
    ],
)
def test_a_file_of_something_else_is_not_changed(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(text)
    with pytest.raises(RunnerError, match=why):
        fill(path, 1, NODES, 1)
    assert path.read_text() == text


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RunnerError, match="cannot read"):
        read(tmp_path / "none.jsonl")
