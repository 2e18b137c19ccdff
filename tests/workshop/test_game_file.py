"""Files of games: missing games are played, whole games stay, foreign files are not changed."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import pytest

from local_runner.errors import RunnerError
from local_runner.system.json_lines import encoded
from tests.conftest import ROOT
from tests.workshop.conftest import write_results
from workshop import game_file
from workshop.gobang.games import GobangSelfPlay, play


@dataclass(frozen=True)
class Square(game_file.NumberedResult):
    """A game whose result is easy to compute."""

    square: int


def square(number: int, nodes: int) -> Square:
    return Square(number, nodes, number * number)


def fill(path: Path, games: int, nodes: int = 20, first: int = 1) -> int:
    return len(game_file.fill(path, Square, square, games, nodes, 2, first))


def test_incomplete_and_missing_games_are_played_again(tmp_path: Path) -> None:
    path = tmp_path / "new" / "games.jsonl"
    assert fill(path, 2, first=2) == 2
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"number": 1, "nod')
    assert [game.number for game in game_file.read(path, Square)] == [2, 3]
    assert fill(path, 4) == 4
    assert game_file.read(path, Square) == [square(number, 20) for number in range(1, 5)]
    after = path.read_bytes()
    assert after.startswith(whole) and fill(path, 1) == 4 and path.read_bytes() == after


@pytest.mark.parametrize(("content", "why"), [
    (encoded(asdict(square(1, 7))), "7 nodes"),
    (b"a diary\nand more", "no file of games: line 1"),
    (encoded(asdict(square(1, 20))) + b"[1]\n", "no file of games: line 2"),
    (encoded({"number": 1}), "no file of games: line 1"),
])  # fmt: skip
def test_a_file_of_something_else_is_not_changed(tmp_path: Path, content: bytes, why: str) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(content)
    with pytest.raises(RunnerError, match=why):
        fill(path, 1)
    assert path.read_bytes() == content
    with pytest.raises(RunnerError, match="cannot read"):
        game_file.read(tmp_path / "none.jsonl", Square)


@pytest.mark.slow
def test_an_interrupt_leaves_an_intact_file(tmp_path: Path) -> None:
    """Ctrl-C goes to all processes, as a terminal sends it."""
    path = tmp_path / "games.jsonl"
    command = [sys.executable, "-m", "workshop.gobang.games", str(path), "--nodes", "20", "--jobs", "2"]
    with subprocess.Popen(
        command, cwd=ROOT, stderr=subprocess.PIPE, text=True, start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:  # fmt: skip
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
    games = game_file.read(path, GobangSelfPlay)
    assert 0 < len(games) < 50 and path.read_bytes().count(b"\n") == len(games)
    assert games[0] == play(games[0].number, 20)
    assert write_results(tmp_path / "again.jsonl", games[:1]).read_text() in path.read_text()
