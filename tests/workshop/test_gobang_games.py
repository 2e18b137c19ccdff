"""Games for the evaluation: made by their number alone, kept whole whatever stops the playing, and gone on with."""
from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from local_runner.errors import RunnerError
from submission.searchable import PROVED_WIN
from workshop import game_file
from workshop.gobang_games import OPENING_PLIES, SelfPlay, play, read

ROOT = Path(__file__).resolve().parents[2]
NODES = 20


def fill(path: Path, games: int, nodes: int, processes: int) -> int:
    return game_file.fill(path, SelfPlay, play, games, nodes, processes)


@pytest.fixture(scope="module")
def games() -> list[SelfPlay]:
    return [play(number, NODES) for number in range(1, 5)]


def test_a_number_is_a_game(games: list[SelfPlay]) -> None:
    assert [play(game.number, NODES) for game in games] == games
    assert len({tuple(game.moves) for game in games}) == len(games)


def test_a_game_is_what_it_says(games: list[SelfPlay]) -> None:
    for game in games:
        assert len(set(game.moves)) == len(game.moves)
        assert OPENING_PLIES[0] <= game.opening <= OPENING_PLIES[1]
        seen = bool(game.values) and abs(game.values[-1] or 0) > PROVED_WIN
        assert len(game.values) == len(game.moves) - game.opening + seen
        assert all(value is None or abs(value) <= PROVED_WIN for value in game.values[:len(game.values) - seen])
    assert any(game.values and abs(game.values[-1] or 0) > PROVED_WIN for game in games)


@pytest.mark.parametrize("processes", [1, 2])
def test_what_is_torn_or_missing_is_played_again(tmp_path: Path, games: list[SelfPlay], processes: int) -> None:
    path = tmp_path / "new" / "games.jsonl"
    assert fill(path, 4, NODES, processes) == 4
    assert read(path) == games
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[1:3]) + lines[3][:-20])
    assert len(read(path)) == 2
    assert fill(path, 4, NODES, processes) == 4
    assert read(path) == games
    assert path.read_bytes().startswith(b"".join(lines[1:3]))


def test_nothing_is_played_where_all_is_there(tmp_path: Path, games: list[SelfPlay]) -> None:
    path = tmp_path / "games.jsonl"
    fill(path, 2, NODES, 1)
    before = path.read_bytes()
    assert fill(path, 1, NODES, 1) == 2
    assert path.read_bytes() == before


def test_an_interrupt_ends_it_and_leaves_a_good_file(tmp_path: Path) -> None:
    """Ctrl-C as a terminal sends it: to all processes, while they play."""
    path = tmp_path / "games.jsonl"
    command = [sys.executable, "-m", "workshop.gobang_games", str(path), "--nodes", str(NODES), "--processes", "2"]
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True, start_new_session=True,
                          preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)) as process:
        try:
            while not path.exists() or not path.stat().st_size:
                assert process.poll() is None
                time.sleep(0.01)
            os.killpg(process.pid, signal.SIGINT)
            said = process.communicate(timeout=60)[1]
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    assert (process.returncode, said) == (1, f"stopped: {path} is good, and the same command goes on\n")
    there = read(path)
    assert 0 < len(there) < 50
    assert path.read_bytes().count(b"\n") == len(there)
    assert there[0] == play(there[0].number, NODES)


@pytest.mark.parametrize("text, why", [
    ('{"number": 1, "nodes": 7, "opening": 3, "moves": [1, 2, 3], "values": [], "strays": []}\n', "7 nodes"),
    ("a diary\nand more", "no file of games"), ("[1]\n", "no file of games"), ('{"number": 1}\n', "no file of games"),
])
def test_another_file_is_left_alone(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(text)
    with pytest.raises(RunnerError, match=why):
        fill(path, 1, NODES, 1)
    assert path.read_text() == text


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(RunnerError, match="cannot read"):
        read(tmp_path / "none.jsonl")
