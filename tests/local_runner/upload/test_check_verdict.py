"""The verdict of `tengen check`: the games that a file is ready for and those that it fails in; how long it takes."""

from __future__ import annotations

import io
import json
import time
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

from local_runner.commands.cli import app
from local_runner.errors import AgentError
from local_runner.processes.sandbox import SandboxMode
from local_runner.upload.check import check, games, progress
from local_runner.upload.check.games import GamePlayer
from local_runner.upload.check.progress import LineProgress, Progress, showing
from local_runner.upload.check.report import Verdict
from tests.local_runner.upload.uploads import GAME, GOOD, both, good_but, row_of, upload

pytestmark = pytest.mark.usefixtures("without_vermin")

# what every call does first (n: rows of the board) -> the verdict, or its beginning if it ends in "..."
VERDICTS = {
    "": "Ready for gobang_1v1 and reversi_1v1.",
    "{10: 1}[n]": "Ready for reversi_1v1; crashes on gobang_1v1: KeyError: 15, first move.",
    "if n == 10: return [[1] + [0] * 9] * 2": "Ready for gobang_1v1; plays illegal moves on reversi_1v1: step 2.",
    "if n == 15: return [1], [0]": "Ready for reversi_1v1; answers in the wrong form on gobang_1v1: first move.",
    "if isinstance(observation, list): raise KeyError(0)": (
        "Ready for gobang_1v1; crashes on reversi_1v1: KeyError: 0, step ..."
    ),
    "if len(observation) > 3 and 'state_map' not in observation and len(observation[1]) > 40: exit(3)": (
        "Ready for gobang_1v1; crashes on reversi_1v1: SystemExit: 3, ..."
    ),
    "{}[n]": "Do not upload: crashes on gobang_1v1: KeyError: 15, first move; "
    "crashes on reversi_1v1: KeyError: 10, first move.",
    "print(n); {15: 1}[n]": "Do not upload: mend printing; crashes on reversi_1v1: KeyError: 10, first move.",
}


QUICK = ("", "if isinstance(observation, list): raise KeyError(0)")


@pytest.mark.parametrize(
    "line", [pytest.param(line, marks=[] if line in QUICK else [pytest.mark.slow]) for line in VERDICTS]
)
@pytest.mark.usefixtures("short_games")
def test_the_verdict_names_the_games(tmp_path: Path, line: str) -> None:
    report, verdict = check(both(tmp_path, line), quick=True), VERDICTS[line]
    assert report.verdict == verdict or (verdict.endswith("...") and report.verdict.startswith(verdict[:-3]))
    assert report.good == (line == "")
    assert not any("support" in row.found for row in report.rows)


@pytest.mark.parametrize(
    ("top", "options", "code", "said"),
    [
        (
            "",
            (),
            1,
            "Ready for gobang_1v1; crashes on reversi_1v1: KeyError: 10, first move.\n"
            'To check it for gobang_1v1 alone: --env gobang_1v1; or write GAMES = ("gobang_1v1",) into it.\n',
        ),
        ("GAMES: object = ['tictactoe_1v1']", (), 1, "Do not upload: crashes on tictactoe_1v1: KeyError: 3"),
        *(
            pytest.param(*case, marks=pytest.mark.slow)
            for case in [
                ("", ("--env", "gobang_1v1"), 0, "Ready for gobang_1v1.\n"),
                ("GAMES = ('five_in_a_row',)", (), 0, "Ready for gobang_1v1.\n"),
                (
                    "GAMES = ('gobang_1v1',)",
                    ("--env", "reversi_1v1"),
                    1,
                    "Do not upload: crashes on reversi_1v1: KeyError: 10, first move.\n",
                ),
            ]
        ),
    ],
)
@pytest.mark.usefixtures("short_games")
def test_the_exit_code_is_that_of_all_games_that_were_asked_for(
    tmp_path: Path, top: str, options: tuple[str, ...], code: int, said: str
) -> None:
    folder = both(tmp_path, "{15: 1}[n]", top)
    result = CliRunner().invoke(app, ["check", str(folder), "--quick", *options])
    assert (result.exit_code, said in result.stdout) == (code, True), result.stdout


def test_a_declared_game_that_there_is_not(tmp_path: Path) -> None:
    with pytest.raises(AgentError, match=r"declares the game 'chess'; GAMES may have: gobang_1v1, .*five_in_a_row"):
        check(both(tmp_path, top="GAMES = ('chess',)"))


@pytest.mark.parametrize(
    "cell", ["random.Random(1).randrange", pytest.param("random.randrange", marks=pytest.mark.slow)]
)
def test_a_file_that_plays_occupied_cells_fails_also_when_quick(tmp_path: Path, cell: str) -> None:
    """One that always plays the same cell is found early; one that plays anywhere, only in a game of some length."""
    line = f"return [[int(i == at) for i in range(n)] for at in ({cell}(n), {cell}(n))]"
    report = check(both(tmp_path, line), quick=True)
    assert not report.good
    assert all(f"plays illegal moves on {env}" in report.verdict for env in ("gobang_1v1", "reversi_1v1"))


@pytest.mark.usefixtures("short_games")
def test_json_has_the_verdict_the_games_and_the_rows_of_the_failing_one(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["check", str(both(tmp_path, "{15: 1}[n]")), "--quick", "--json"])
    found = json.loads(result.stdout)
    assert (found["upload"], found["verdict"][:20]) == (False, "Ready for gobang_1v1")
    assert found["games"] == {"gobang_1v1": "ok", "reversi_1v1": "crashes on reversi_1v1: KeyError: 10, first move"}
    assert [row["name"] for row in found["rows"] if row["verdict"] == Verdict.FAILED.value] == [
        "reversi_1v1, against random",
        "reversi_1v1, against itself",
        "reversi_1v1, after a pass",
    ]


def test_the_same_failure_shows_its_traceback_once(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["check", str(both(tmp_path, "{}[n]")), "--quick", "--env", *GAME])
    assert result.stdout.count("Traceback (most recent call last)") == 1
    assert result.stdout.count("mend what the traceback shows") == 1
    rows = [f"tictactoe_1v1, {what}" for what in ("against random", "against itself", "another game")]
    assert "; ".join(rows) in result.stdout


@pytest.mark.slow
@pytest.mark.usefixtures("short_games")
def test_two_failures_show_two_tracebacks(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["check", str(both(tmp_path, "n == 15 and {}[0]; n == 10 and [][0]")), "--quick"])
    assert result.stdout.count("Traceback (most recent call last)") == 2


# ---- how long it takes


@pytest.mark.slow
@pytest.mark.usefixtures("short_games")
def test_the_rows_do_not_depend_on_the_number_of_games_at_once(tmp_path: Path) -> None:
    envs = ["tictactoe_1v1", "reversi_8x8_1v1"]
    one, three = (
        [(row.name, row.found) for row in check(both(tmp_path), envs, jobs=jobs).rows if "_1v1" in row.name]
        for jobs in (1, 3)
    )
    assert one == three
    assert [name.partition(", ")[::2] for name, _ in one] == [
        (env, what)
        for env in envs
        for what in ("against random", "against itself", "after a pass" if env[0] == "r" else "another game")
    ]


def test_games_of_a_slow_agent_are_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "QUICK_SECONDS", 1.0)
    slow = upload(tmp_path, good_but("__import__('time').sleep(0.1)"))
    began = time.perf_counter()
    report = check(slow, ["gobang_1v1"], quick=True)
    assert time.perf_counter() - began < 8.0
    for what in ("against random", "against itself"):
        assert "no faults so far; stopped, because the time" in row_of(report, f"gobang_1v1, {what}").found
    assert report.verdict == "Ready for gobang_1v1, by the first moves of each game."


@pytest.mark.slow
def test_every_game_is_played_a_little_when_the_time_is_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "QUICK_SECONDS", 0.0)
    report = check(both(tmp_path), quick=True)
    found = [row.found for row in report.rows if row.name.startswith(("gobang", "reversi"))]
    assert len(found) == 6 and all(text.startswith("2 steps") for text in found)


@pytest.mark.parametrize(
    ("jobs", "chains", "ends"),
    [
        (1, 2, [70, 140, 170, 200]),
        (2, 2, [70, 70, 100, 100]),
        (2, 3, [35, 35, 70, 85, 85, 100]),
        (8, 2, [70, 70, 100, 100]),
    ],
)
def test_when_games_are_stopped(tmp_path: Path, jobs: int, chains: int, ends: list[float]) -> None:
    player = GamePlayer(
        None,
        tmp_path,
        tmp_path,
        jobs=jobs,
        quick=False,
        progress=Progress(),  # type: ignore[arg-type]
        mode=SandboxMode.AUTO,
    )
    assert list(player._ends(chains)) == pytest.approx(ends)


def test_what_ends_one_game_ends_the_others_at_once(tmp_path: Path) -> None:
    class Interrupted(Progress):
        def reached(self, game: str, steps: int) -> None:
            if game.startswith("tictactoe"):
                raise KeyboardInterrupt

    slow = upload(tmp_path, good_but("__import__('time').sleep(0.2)"))
    began = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        check(slow, ["gobang_1v1", "tictactoe_1v1"], jobs=4, progress=Interrupted())
    assert time.perf_counter() - began < 10.0


# ---- progress


def test_a_pipe_gets_a_line_for_every_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "LINE_SECONDS", 0.0)
    told = io.StringIO()
    check(upload(tmp_path, GOOD), GAME, jobs=1, progress=LineProgress(Console(file=told)))
    lines = told.getvalue().splitlines()
    assert lines[:3] == [f"tictactoe_1v1, against random: step {step}" for step in (1, 2, 3)]
    assert lines[7] == "tictactoe_1v1, against random: 7 steps"
    result = CliRunner().invoke(app, ["check", str(tmp_path / "submission.py"), "--env", "tictactoe_1v1"])
    assert "tictactoe_1v1, against itself: 7 steps\n" in result.stderr


def test_a_terminal_shows_the_running_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    told = io.StringIO()
    with showing(Console(file=told, force_terminal=True, width=100)) as status:
        status.reached("gobang_1v1, against random", 40)
        status.reached("reversi_1v1, against itself", 7)
        time.sleep(0.3)
        status.ended("gobang_1v1, against random", 41)
    assert "gobang_1v1, against random: step 40; reversi_1v1, against itself: step 7" in told.getvalue()
