"""`tengen check` on whole uploads: the files that it takes, the Python that it chooses, its games, and the command."""

import io
import os
import sys
import time
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

from env_adapter import make
from local_runner.command_line.commands.cli import app
from local_runner.errors import AgentError, RunnerError
from local_runner.game.codec import as_json
from local_runner.processes import sandbox
from local_runner.processes.child import AgentLimits
from local_runner.processes.interpreters import Interpreter, find_python37
from local_runner.upload import bundle
from local_runner.upload.check import ConsoleProgress, check, games, showing, trial
from local_runner.upload.check.games import to_a_pass
from local_runner.upload.check.report import Verdict, told
from tests.local_runner.upload.uploads import BODY, GAME, GOOD, both, failed_in, good_but, row_of, rows_of, upload

pytestmark = pytest.mark.usefixtures("without_vermin")


def test_a_good_agent_is_ready(tmp_path, vermin):
    """The verdict is "Ready". Progress in a pipe has a line for every game, and more lines for a long game."""
    told = io.StringIO()
    report = check(upload(tmp_path, GOOD), GAME, jobs=1, progress=ConsoleProgress(Console(file=told)))
    assert report.good and report.verdict == "Ready for tictactoe_1v1."
    assert {row.verdict for row in report.rows} <= {Verdict.PASSED, Verdict.NOTED}
    assert "7 steps, 3 in a row" in row_of(report, "tictactoe_1v1, against itself").found
    assert sorted(path.name for path in tmp_path.iterdir()) == ["submission.py"]
    assert report.python.startswith("Python 3.7") == (find_python37() is not None)
    whats = ("against random", "another game", "against itself")
    games = dict.fromkeys(line.partition(":")[0] for line in told.getvalue().splitlines())
    assert list(games) == [f"{GAME[0]}, {what}" for what in whats]


def test_a_bad_agent_is_told_all_that_is_wrong(tmp_path):
    """The agent prints, and raises as White. The report shows the message's markup and control characters escaped."""
    line = "if observation['chess_player_idx'] == 2: raise ValueError('[bold]\\x1b[2J\\r\\x07\\x9b')"
    path = upload(tmp_path, good_but(f"print('thinking')\n    {line}"))
    result = CliRunner().invoke(app, ["check", str(path), "--env", *GAME])
    assert result.exit_code == 1
    crash = r"crashes on tictactoe_1v1: ValueError: [bold]\x1b[2J\r\x07\x9b, first move."
    assert f"Do not upload: {crash}" in result.stdout
    assert not set("\x1b\r\x07\x9b") & set(result.stdout)
    for text in ("mend what the traceback shows", "print nothing", "submission.py, line 4: "):
        assert text in result.stdout
    assert result.stdout.count("Traceback (most recent call last)") == 1  # the same failure shows its traceback once
    assert "tictactoe_1v1, against itself: 0 steps\n" in result.stderr


def test_a_declared_game_is_the_one_that_is_played(tmp_path):
    report = check(both(tmp_path, "{15: 1}[n]", "GAMES: object = ['tictactoe_1v1']"))
    assert report.verdict.startswith("Do not upload: crashes on tictactoe_1v1: KeyError: 3")
    with pytest.raises(AgentError, match=r"declares the game 'chess'; GAMES may have: gobang_1v1, .*five_in_a_row"):
        check(both(tmp_path, top="GAMES = ('chess',)"))


def test_a_second_game_in_the_same_module_is_played(tmp_path):
    """The site keeps the module loaded, so an agent that takes a new game for the old game fails there."""
    once = GOOD.replace(BODY, BODY + "    CALLS.append(1)\n    assert len(CALLS) <= 9, 'a second game'\n")
    report = check(upload(tmp_path, "CALLS = []\n" + once), GAME)
    assert failed_in(report) == ["tictactoe_1v1, against itself", "tictactoe_1v1, another game"]
    assert "a second game" in row_of(report, "tictactoe_1v1, another game").found


def test_a_file_that_plays_occupied_cells_fails_also_when_quick(tmp_path):
    """An agent with random moves hits an occupied cell only if a game is long enough."""
    line = "return [[int(i == at) for i in range(n)] for at in (random.randrange(n), random.randrange(n))]"
    report = check(both(tmp_path, line), quick=True)
    assert not report.good
    assert all(f"plays illegal moves on {env}" in report.verdict for env in ("gobang_1v1", "reversi_1v1"))


ONE_LIST = """\
BOTH = [[0] * 3, [0] * 3]
def my_controller(observation, action_space, is_act_continuous=False):
    board = [cell[0] for line in observation["state_map"] for cell in line]
    BOTH[0][:] = BOTH[1][:] = [0] * 3
    if observation["chess_player_idx"] == 2 - board.count(0) % 2:
        row, col = divmod(board.index(0), 3)
        BOTH[0][row] = BOTH[1][col] = 1
    return {}
"""


@pytest.mark.parametrize(("answer", "failed"), [
    ("BOTH", ["tictactoe_1v1, against itself"]), ("[part[:] for part in BOTH]", []),
])  # fmt: skip
def test_the_site_reads_an_answer_after_it_has_called_both_sides(answer, failed, tmp_path):
    report = check(upload(tmp_path, ONE_LIST.format(answer)), GAME, quick=True)
    assert failed_in(report) == failed
    if failed:
        assert "return new lists every time" in row_of(report, *failed).mend


@pytest.mark.parametrize("env", ["reversi_1v1", "reversi_8x8_1v1"])
def test_the_opening_ends_right_before_a_pass(env):
    game = make(env, opening=to_a_pass(env))
    assert not game.is_terminal()
    assert game.legal_moves() == []


@pytest.mark.slow
def test_too_slow_from_the_first_call_is_not_taken_for_another_game(tmp_path, monkeypatch):
    monkeypatch.setattr(games, "LIMITS", AgentLimits(seconds=0.2, margin=0.1))
    report = check(upload(tmp_path, good_but("__import__('time').sleep(600)")), quick=True)
    assert failed_in(report)[:2] == ["gobang_1v1, against random", "gobang_1v1, against itself"]
    assert "is too slow on gobang_1v1 and reversi_1v1: first move" in report.verdict


def test_games_of_a_slow_agent_are_stopped(tmp_path, monkeypatch):
    monkeypatch.setattr(games, "QUICK_SECONDS", 0.5)
    report = check(upload(tmp_path, good_but("__import__('time').sleep(0.1)")), ["gobang_1v1"], quick=True)
    for what in ("against random", "against itself"):
        assert "without a fault; stopped then, because the time" in row_of(report, f"gobang_1v1, {what}").found
    assert report.verdict == "Ready for gobang_1v1, by the first moves of each game."


@pytest.mark.slow
@pytest.mark.usefixtures("short_games")
def test_the_rows_do_not_depend_on_the_number_of_games_at_once(tmp_path):
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


@pytest.mark.parametrize(("jobs", "chains", "ends"), [
    (1, 2, [70, 140, 170, 200]), (2, 2, [70, 70, 100, 100]), (2, 3, [35, 35, 70, 85, 85, 100]),
    (8, 2, [70, 70, 100, 100]),
])  # fmt: skip
def test_when_games_are_stopped(jobs, chains, ends):
    assert list(games.ends(chains, jobs, quick=False)) == pytest.approx(ends)


def test_what_ends_one_game_ends_the_others_at_once(tmp_path):
    def interrupted(game, *_steps):
        if game.startswith("tictactoe"):
            raise KeyboardInterrupt

    slow = upload(tmp_path, good_but("__import__('time').sleep(0.2)"))
    began = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        check(slow, ["gobang_1v1", "tictactoe_1v1"], jobs=4, progress=interrupted)
    assert time.perf_counter() - began < 10.0


def test_progress_is_shown(monkeypatch):
    """A terminal shows the running games in one line; a pipe gets a line now and then."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("local_runner.upload.check.LINE_SECONDS", 0.0)
    told, piped = io.StringIO(), io.StringIO()
    with showing(Console(file=told, force_terminal=True, width=100)) as status:
        for each in (status, ConsoleProgress(Console(file=piped))):
            each("gobang_1v1, against random", 40, False, 2)
            each("reversi_1v1, against itself", 7, False, 2)
        time.sleep(0.3)
        status("gobang_1v1, against random", 41, True, 2)
    both = "gobang_1v1, against random: step 40; reversi_1v1, against itself: step 7"
    assert both in told.getvalue() and piped.getvalue() == f"gobang_1v1, against random: step 40\n{both}\n"


def test_a_comment_excuses_a_newer_library(tmp_path, vermin):
    text = "import sys, math\nif sys.version_info >= (3, 8):\n    PROD = math.prod  # novm\n"
    text += "WHOLE = sys.stdin.long\n"  # a tensor has such an attribute; vermin takes it for the type of Python 2
    assert "nothing newer" in library_of(upload(tmp_path, text)).found


def test_the_modules_inside_a_bundle_are_read_too(tmp_path, vermin):
    source = tmp_path / "source"
    source.mkdir()
    (source / "inner.py").write_text("import math\n\ndef late():\n    return math.prod([2])\n")
    upload(source, "from .inner import late\n" + GOOD)
    bundle.write(bundle.build(source), tmp_path / "submission.py")
    assert "submission.py/inner.py, line 4" in library_of(tmp_path / "submission.py").found


def library_of(path):
    [row] = [row for row in rows_of(path) if row.name == "library"]
    return row


def test_the_command(tengen, tmp_path):
    path = upload(tmp_path, GOOD)
    code, out, _ = tengen("check", path, "--env", *GAME, "--quick")
    assert code == 0 and "Ready for tictactoe_1v1.\nNext: before you upload, check it once without --quick: `" in out
    code, _, err = tengen("check", path, "--env", "chess")
    assert code == 2 and "choose one of: gobang_1v1" in err


@pytest.mark.parametrize("options", [[], ["--sandbox", "on"], ["--json"]])
def test_without_a_sandbox_it_is_said_in_one_sentence(tengen, tmp_path, monkeypatch, options):
    monkeypatch.setattr(sandbox, "best", lambda: sandbox.NONE)
    monkeypatch.setattr(sandbox, "is_root", lambda: True)
    monkeypatch.setattr(sandbox.Bubblewrap, "why_not", lambda self: "bubblewrap is not installed")
    code, out, err = tengen("check", upload(tmp_path, GOOD), "--env", *GAME, *options)
    assert (code, out) == (2, "")
    assert err.startswith("tengen: ") and err.count("\n") == 1 and "bubblewrap is not installed" in err


@pytest.fixture
def bare(tmp_path):
    path = tmp_path / "bare" / "python3.7"
    path.parent.mkdir()
    path.write_text(f'#!/bin/sh\nexec "{Path(sys.executable).resolve()}" -S "$@"\n')
    path.chmod(0o755)
    return Interpreter(path, "3.7.5", "")


SITES = Interpreter(Path(sys.executable), "3.7.5", "1.19.5")  # as if this Python were the site's
BARE, LACKS = "bare", (Verdict.OPEN, "without the site's")
PLAYS = [f"{GAME[0]}, {what}" for what in (games.RANDOM, games.ITSELF, games.AGAIN)]
# The Python 3.7 and the Python that runs the check, the agent, whether it is good, its failed rows, the row "python".
MACHINES = [
    (BARE, None, good_but("import numpy"), True, [], (Verdict.NOTED, "3.7 here lacks numpy")),
    (BARE, None, GOOD, True, [], None),  # needs no package
    (BARE, BARE, "import numpy\n" + GOOD, None, [], LACKS),
    (BARE, BARE, good_but("__import__('numpy')"), None, [], LACKS),  # found only when the file runs
    (BARE, BARE, good_but("raise AttributeError(\"module 'PIL' has no attribute 'OLD'\")"), None, [], LACKS),
    (None, BARE, "import math, numpy\n" + good_but("math.prod([1])"), False, ["library"], LACKS),
    (None, None, good_but("__import__('time').clock()"), None, [], LACKS),  # only a newer Python refuses this
    (None, None, good_but("__import__('time').clokc()"), False, PLAYS, (Verdict.NOTED, "no Python 3.7")),
    (SITES, None, good_but("import numpy; numpy.arrray"), False, PLAYS, None),
]


@pytest.mark.parametrize(("python37", "current", "text", "good", "failed", "row"), MACHINES)
def test_a_machine_without_the_sites_python_or_packages(
    python37, current, text, good, failed, row, tmp_path, monkeypatch, bare, vermin
):
    pythons = {BARE: bare, None: None, SITES: SITES}
    monkeypatch.setattr(trial, "find_python37", lambda: pythons[python37])
    if current:
        monkeypatch.setattr(trial, "current", lambda: bare)
    report = check(upload(tmp_path, text), GAME, quick=True)
    assert (report.good, failed_in(report), as_json(told(report))["upload"]) == (good, failed, good)
    found = {row.verdict: row.found for row in report.rows if row.name == "python"}
    assert row[1] in found[row[0]] if row else not found
    assert (report.python == bare.title) is (BARE in (python37, current) and row in (None, LACKS))


MODULES = {"used.py": "X = 1\n", "before.py": GOOD, "profile_me.py": "import theirs\n",
           "submission.py": "from .used import X\n" + GOOD}  # fmt: skip
SEES = {"submission.py": "import helper\nopen('w.json')\n", "helper.py": "", "w.json": "", "notes.txt": "", ".env": ""}
MANY = {"submission.py": GOOD, "lib.so": "", "a/b": "", "weights.pth": "", **{f"{n}.json": "" for n in range(4)}}
# The files of a folder, the path to check, a row, its verdict, its finding, and words of its advice.
FOLDERS = [
    (MODULES, "", "packages", "NOTED", "profile_me.py imports theirs", "The site may lack these"),
    (MANY, "", "files", "FAILED", "folders: a; not taken: lib.so; 8 files; {} bytes", "The site takes .py"),
    (SEES, "", "sees", "PASSED", "in a match it sees: helper.py, notes.txt, submission.py, w.json", ""),
]


@pytest.mark.parametrize(("files", "named", "name", "verdict", "found", "mend"), FOLDERS)
def test_a_row_about_the_files_of_a_folder(files, named, name, verdict, found, mend, tmp_path):
    for file, text in files.items():
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text(text)
    if "weights.pth" in files:
        os.truncate(tmp_path / "weights.pth", 100_000_001)  # a sparse file, which takes no room on the disk
    [row] = [row for row in rows_of(tmp_path / named) if row.name == name]
    assert (row.verdict.name, row.found) == (verdict, found.format(f"{100_000_001 + len(GOOD):,}"))
    assert mend in row.mend and bool(mend) == bool(row.mend)


LOADS = """
import importlib.util, os
HERE = os.path.dirname(os.path.abspath(__file__))
NAMES = [name[:-3] for name in sorted(os.listdir(HERE)) if name.startswith("part")]
PARTS = [importlib.import_module("." + name, __package__) for name in NAMES]


def by_path(name):
    spec = importlib.util.spec_from_file_location("a_name", os.path.join(HERE, name + ".py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.deep


deep = by_path("de" + "ep")
DATA = {}
exec(open(os.path.join(HERE, "data.py")).read(), DATA)


def late():
    return importlib.import_module(".final", __package__)
"""


def test_modules_that_no_import_names_are_told_as_the_games_have_loaded_them(tmp_path):
    for name in ("part1", "part2", "final", "before", "profile_me"):
        (tmp_path / f"{name}.py").write_text("from .inner import X\n" if name == "part2" else "X = 1\n")
    for name in ("inner", "data", "deep"):
        (tmp_path / f"{name}.py").write_text("def deep():\n    return 1\n\n\nX = 1\n")
    upload(tmp_path, LOADS + GOOD)
    report = check(tmp_path, GAME, quick=True)
    row = row_of(report, "unused")
    assert report.good is False and failed_in(report) == ["files"]  # more than six
    assert (row.verdict, row.found) == (Verdict.NOTED, "submission.py does not import before.py, profile_me.py")
    for name in ("before", "profile_me"):
        (tmp_path / f"{name}.py").unlink()
    assert not [row for row in check(tmp_path, GAME, quick=True).rows if row.name == "unused"]


LOOKS = "import os\nHERE = os.path.dirname(os.path.abspath(__file__))\nassert sorted(os.listdir(HERE)) == {}\n"


def test_links_that_lead_out_of_the_folder_are_not_uploaded(tmp_path):
    folder, secret = tmp_path / "mine", tmp_path / "secret.json"
    folder.mkdir()
    secret.write_text("[1]")
    (folder / "inside.json").write_text("[2]")
    (folder / "link.json").symlink_to("inside.json")
    (folder / "weights.json").symlink_to(secret)
    (folder / "up").symlink_to(tmp_path)
    os.mkfifo(folder / "pipe.json")
    upload(folder, LOOKS.format(["inside.json", "link.json", "submission.py"]) + GOOD)
    (tmp_path / "given").symlink_to(folder)
    for path in (folder, tmp_path / "given"):
        report = check(path, GAME, quick=True)
        row = row_of(report, "links")
        assert (report.good, row.verdict) == (True, Verdict.NOTED)
        assert row.found == "not uploaded: pipe.json, up, weights.json"
        assert "3 of at most 6" in row_of(report, "files").found


def test_the_given_file_may_be_a_link(tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "given.py").symlink_to(upload(tmp_path / "mine", GOOD))
    assert check(tmp_path / "given.py", GAME, quick=True).good
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "submission.py").symlink_to(tmp_path / "given.py")
    with pytest.raises(RunnerError, match=r"submission\.py is a link that leads out of its folder"):
        check(tmp_path / "folder", GAME)


def test_another_kind_of_file_is_not_run(tmp_path):
    path = tmp_path / "weights.pth"
    path.write_text("raise SystemExit")
    assert failed_in(check(path, GAME)) == ["files"]
