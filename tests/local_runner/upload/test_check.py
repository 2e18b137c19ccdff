"""`tengen check` on a good agent, on agents with one fault each, and on files that are not agents."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

from env_adapter import make
from local_runner.commands.cli import app
from local_runner.errors import RunnerError
from local_runner.processes import sandbox
from local_runner.processes.child import AgentLimits
from local_runner.processes.interpreters import find_python37
from local_runner.upload import bundle
from local_runner.upload.check import check, games
from local_runner.upload.check.files import check_files, upload_of
from local_runner.upload.check.games import to_a_pass
from local_runner.upload.check.report import CheckReport, CheckRow, Verdict, as_json, noted, passed, show
from tests.local_runner.upload.uploads import BODY, GAME, GOOD, failed_in, good_but, row_of, upload

pytestmark = pytest.mark.usefixtures("without_vermin")

Tengen = Callable[..., tuple[int, str, str]]  # the fixture: arguments -> exit code, stdout, stderr

# fault -> the agent, the row that must fail, a word of its finding, a word of its advice
FAULTY = {
    "raises on White's turn": (
        good_but("assert observation['chess_player_idx'] == 1"),
        "tictactoe_1v1, against random",
        "AssertionError",
        "raises",
    ),
    "illegal moves": (GOOD.replace("== 0]", "!= 0]"), "tictactoe_1v1, against itself", "holds a stone", "random move"),
    "numpy answers": (
        "import numpy as np\n" + GOOD.replace("return [", "return [np.array(part) for part in [") + "]\n",
        "tictactoe_1v1, against random",
        "plain list",
        "plain lists of ints",
    ),
    "wrong length off turn": (
        good_but(
            "if sum(cell[0] != 0 for line in observation['state_map'] for cell in line) % 2 == "
            "observation['chess_player_idx'] % 2: rows = 2"
        ),
        "tictactoe_1v1, against random",
        "3 entries",
        "not your turn",
    ),
    "by keyword only": (GOOD.replace("is_act", "*, is_act"), "arguments", "takes 2 positional", "three"),
    "prints": (good_but("print('thinking')"), "printing", "thinking", "print nothing"),
    "writes": (
        good_but("observation['state_map'][0][0][0] = 2"),
        "tictactoe_1v1, against random",
        "changed the observation",
        "copy it",
    ),
    "slow": (good_but("__import__('time').sleep(1.05)"), "time", "of 1 s", "stop by the clock"),
    "greedy for memory": (
        good_but("globals().setdefault('much', bytearray(500 << 20))"),
        "memory",
        "of 500 MB",
        "500 MB",
    ),
    "faults inside": (
        GOOD + "import collections\nF = collections.namedtuple('F', 'count traceback')\n"
        "def last_fault():\n    return F(1, 'KeyError: 7')\n",
        "tictactoe_1v1, against random",
        "KeyError: 7",
        "fault of its own",
    ),
    "fails to import": ("import not_there\n" + GOOD, "import", "not_there", "uploaded, too"),
    "no controller": ("x = 1\n", "import", "my_controller", "Define my_controller"),
    "new syntax": (good_but("if (n := rows): pass"), "syntax", "line 3", "Python 3.7"),
    "new library": ("import math\n" + good_but("math.prod([1])"), "library", "math.prod", "Python 3.7"),
    "no text": ("\udcff", "syntax", "not text", "UTF-8"),
}


def test_a_good_agent_is_ready(tmp_path: Path, vermin: None) -> None:
    report = check(upload(tmp_path, GOOD), GAME)
    assert report.good
    assert {row.verdict for row in report.rows} <= {Verdict.PASSED, Verdict.NOTED}
    assert "7 steps, 3 in a row" in row_of(report, "tictactoe_1v1, against itself").found
    assert sorted(path.name for path in tmp_path.iterdir()) == ["submission.py"]


QUICK = ("raises on White's turn", "illegal moves", "prints", "writes", "slow", "no controller", "new syntax",
         "no text")  # fmt: skip


@pytest.mark.parametrize(
    "what",
    [pytest.param(what, marks=[] if what in QUICK else [pytest.mark.slow]) for what in FAULTY if what != "new library"],
)
def test_what_is_wrong_is_found_and_how_to_mend_it(tmp_path: Path, what: str) -> None:
    is_found(tmp_path, what)


def test_newer_library_is_found_and_how_to_mend_it(tmp_path: Path, vermin: None) -> None:
    is_found(tmp_path, "new library")


def is_found(tmp_path: Path, what: str) -> None:
    text, name, found, mend = FAULTY[what]
    report = check(upload(tmp_path, text), GAME)
    assert not report.good
    row = row_of(report, name)
    assert row.verdict is Verdict.FAILED
    assert found in row.found
    assert mend in row.mend


@pytest.mark.slow
def test_our_bundle_survives_a_quick_check_of_every_kind_of_game(tmp_path: Path, vermin: None) -> None:
    """With little time for a call; `.ci/run` checks it with the time that it has on the site."""
    path = upload(tmp_path, bundle.build().text + "\nconfigure(seconds=0.02, off_turn_seconds=0.02)\n")
    report = check(path, ["tictactoe_1v1", "reversi_1v1"], quick=True)
    assert [row for row in report.rows if row.verdict is not Verdict.PASSED and row.name != "python"] == []
    assert "4 steps" in row_of(report, "reversi_1v1, after a pass").found


@pytest.mark.usefixtures("without_games")
def test_it_runs_under_python37_where_there_is_one(tmp_path: Path) -> None:
    report = check(upload(tmp_path, GOOD), GAME, quick=True)
    assert report.python.startswith("Python 3.7") == (find_python37() is not None)


def test_too_slow_from_the_first_call_is_not_taken_for_another_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(games, "LIMITS", AgentLimits(seconds=0.2, margin=0.1))
    report = check(upload(tmp_path, good_but("__import__('time').sleep(600)")), quick=True)
    assert failed_in(report)[:2] == ["gobang_1v1, against random", "gobang_1v1, against itself"]
    assert "is too slow on gobang_1v1: first move; is too slow on reversi_1v1" in report.verdict


def test_a_second_game_in_the_same_module_is_played(tmp_path: Path) -> None:
    """As on the site, where an agent that takes the next game for the old one is found out."""
    once = GOOD.replace(BODY, BODY + "    CALLS.append(1)\n    assert len(CALLS) <= 9, 'a second game'\n")
    report = check(upload(tmp_path, "CALLS = []\n" + once), GAME)
    assert failed_in(report) == ["tictactoe_1v1, against itself", "tictactoe_1v1, another game"]
    assert "a second game" in row_of(report, "tictactoe_1v1, another game").found


def test_an_agent_that_plays_nothing_fails(tmp_path: Path) -> None:
    report = check(upload(tmp_path, "def my_controller(*anything):\n    return None\n"), GAME, quick=True)
    assert len(failed_in(report)) == 3
    assert "two plain lists of ints" in row_of(report, "tictactoe_1v1, against random").mend


@pytest.mark.usefixtures("without_games")
def test_junk_is_a_note(tmp_path: Path) -> None:
    report = check(upload(tmp_path, GOOD.replace("except Exception:", "except ZeroDivisionError:")), GAME, quick=True)
    assert report.good
    assert row_of(report, "junk").verdict is Verdict.NOTED


@pytest.mark.usefixtures("without_games")
@pytest.mark.parametrize(
    "answer, found",
    [("[0.5] * action_space[0].n, [0.5] * action_space[1].n", "exactly one 1"), ("[1], [1]", "15 entries")],
)
def test_an_answer_of_the_wrong_form_to_junk_is_a_note(tmp_path: Path, answer: str, found: str) -> None:
    report = check(upload(tmp_path, GOOD.replace("    pass\n", f"    return {answer}\n")), GAME, quick=True)
    assert report.good
    row = row_of(report, "junk")
    assert (row.verdict, found in row.found) == (Verdict.NOTED, True)


def test_guarded_use_of_a_newer_library_is_excused_by_a_comment(tmp_path: Path, vermin: None) -> None:
    guarded = "import sys\nimport math\nif sys.version_info >= (3, 8):\n    PROD = math.prod  # novm\n"
    assert library_of(upload(tmp_path, guarded + GOOD)).verdict is Verdict.PASSED


def test_the_modules_inside_a_bundle_are_read_too(tmp_path: Path, vermin: None) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "inner.py").write_text("import math\n\ndef late():\n    return math.prod([2])\n")
    upload(source, "from .inner import late\n" + GOOD)
    bundle.write(bundle.build(source), tmp_path / "submission.py")
    assert "submission.py/inner.py, line 4" in library_of(tmp_path / "submission.py").found


def library_of(path: Path) -> CheckRow:
    """The row about newer library calls."""
    [row] = [row for row in check_files(upload_of(path)) if row.name == "library"]
    return row


@pytest.mark.usefixtures("without_games")
def test_a_declared_encoding_is_honoured(tmp_path: Path) -> None:
    path = tmp_path / "submission.py"
    path.write_bytes(("# -*- coding: gbk -*-\n# 五子棋\n" + GOOD).encode("gbk"))
    assert check(path, GAME, quick=True).good


# ---- the command


@pytest.mark.parametrize(
    "arguments, code, said",
    [
        (["--env", "tictactoe_1v1", "--quick"], 0, "Ready for tictactoe_1v1."),
        (["--env", "chess"], None, "choose one of: gobang_1v1"),
    ],
)
def test_the_command(tmp_path: Path, arguments: list[str], code: int | None, said: str) -> None:
    result = CliRunner().invoke(app, ["check", str(upload(tmp_path, GOOD)), *arguments])
    if code is None:
        assert isinstance(result.exception, RunnerError)  # main() makes exit code 2 of it
        assert said in str(result.exception)
    else:
        assert (result.exit_code, said in result.stdout) == (code, True)


def test_the_command_fails_with_one_and_tells_what_to_mend(tmp_path: Path) -> None:
    path = upload(tmp_path, "def my_controller(*_):\n    raise ValueError('[bold]no[/bold] markup')\n")
    result = CliRunner().invoke(app, ["check", str(path), "--env", "tictactoe_1v1"])
    assert result.exit_code == 1
    verdict = "Do not upload: crashes on tictactoe_1v1: ValueError: [bold]no[/bold] markup, first move."
    for said in (verdict, "mend what the traceback shows"):
        assert said in result.stdout


@pytest.mark.usefixtures("without_games")
def test_json_is_the_whole_report(tmp_path: Path) -> None:
    path = upload(tmp_path, GOOD)
    report = json.loads(as_json(check(path, GAME, quick=True)))
    assert (report["file"], report["upload"]) == (str(path), True)
    assert {"name", "verdict", "found", "mend", "traceback"} == set(report["rows"][0])


@pytest.mark.parametrize("options", [[], pytest.param(["--json"], marks=pytest.mark.slow)])
def test_what_an_agent_says_does_not_steer_the_terminal(tmp_path: Path, options: list[str]) -> None:
    path = upload(tmp_path, good_but(r"raise ValueError('\x1b[2J\r\x07\x9b\ud800')"))
    result = CliRunner().invoke(app, ["check", str(path), "--env", *GAME, "--quick", *options])
    assert result.exit_code == 1
    found = json.loads(result.stdout)["rows"][-1]["found"] if options else result.stdout
    assert r"\x1b[2J\r\x07\x9b" in found
    assert not set("\x1b\r\x07\x9b") & set(result.stdout)


def test_lines_and_tabs_stay_and_lone_surrogates_are_spelt_out() -> None:
    report = CheckReport("\udcff.py", "Python", (passed("a\ud800", "五\n\tb\x7f"), noted("c", "", "mend\x1b[0m")))
    rows = json.loads(as_json(report))["rows"]
    assert [rows[0]["name"], rows[0]["found"], rows[1]["mend"]] == [r"a\ud800", "五\n\tb\\x7f", r"mend\x1b[0m"]
    file = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    show(report, Console(file=file, width=100))
    file.seek(0)
    text = file.read()
    assert r"\udcff.py" in text
    assert "\x1b" not in text


@pytest.mark.parametrize("options", [[], ["--sandbox", "on"], ["--json"]])
def test_without_a_sandbox_it_is_said_in_one_sentence(
    tengen: Tengen, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: list[str]
) -> None:
    monkeypatch.setattr(sandbox, "best", lambda: sandbox.Kind.NONE)
    monkeypatch.setattr(sandbox, "is_root", lambda: True)
    monkeypatch.setattr(sandbox, "lacking", lambda: "bubblewrap is not installed")
    code, out, err = tengen("check", upload(tmp_path, GOOD), "--env", *GAME, *options)
    assert (code, out) == (2, "")
    assert err.startswith("tengen: ") and err.count("\n") == 1 and "bubblewrap is not installed" in err


@pytest.mark.parametrize("path, sentence", [("nothing.py", "there is no file"), (".", "has no submission.py")])
def test_nothing_to_check(tmp_path: Path, path: str, sentence: str) -> None:
    with pytest.raises(RunnerError, match=sentence):
        check(tmp_path / path)


@pytest.mark.parametrize("env", ["reversi_1v1", "reversi_8x8_1v1"])
def test_the_opening_ends_right_before_a_pass(env: str) -> None:
    game = make(env, opening=to_a_pass(env))
    assert not game.is_terminal()
    assert game.legal_moves() == []
