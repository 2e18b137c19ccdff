"""The commands: exit codes and output; a user's mistake gets one sentence."""

import json
import os
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from local_runner import __main__ as start
from local_runner.agents.catalogue import BUILT_INS, SUBMISSION, options_text
from local_runner.agents.spec import parse_agent
from local_runner.errors import RunnerError
from local_runner.matches import run as matches
from local_runner.processes.agent_side.loading import Unusable, load_agent
from local_runner.processes.engine.levels import LEVELS
from tests.local_runner.processes.naughty import ON_LINUX, path_of, written

GAME = ("--env", "tictactoe_1v1")


def test_version_and_opponents(tengen):
    assert tengen("--version") == (0, f"tengen {version('tengen')}\n", "")
    code, out, _ = tengen("opponents")
    lines = out.splitlines()
    end = lines.index("")
    assert (code, [line.split()[0] for line in lines[:end] if line[0] != " "]) == (0, list(BUILT_INS))
    after = lines.index("", end + 1)
    assert [line.split()[0] for line in lines[end + 2 : after]] == [f"level{each.number}" for each in LEVELS]
    assert lines[after + 2].split()[0] == "gomocup"
    options = [line.split()[0] for line in lines[:end] if line[0] == " "]
    assert options == [f"{name}:{options_text(each.options)}" for name, each in BUILT_INS.items() if each.options]


@pytest.mark.usefixtures("forgotten")
@pytest.mark.parametrize("name", BUILT_INS)
def test_the_options_that_are_listed_are_those_there_are(name):
    agent, listed = parse_agent(name), BUILT_INS[name].options
    load_agent(str(agent.path), name, {**agent.options, **listed})
    if listed:
        with pytest.raises(Unusable) as refused:
            load_agent(str(agent.path), name, {"no_such_option": 1})
        assert refused.value.fields["option"] == "no_such_option"
        assert agent.path != SUBMISSION or set(listed) <= set(refused.value.fields["known"].split())


def test_a_match(tengen, tmp_path):
    (tmp_path / "mine.pos").write_text("b2a1\n", encoding="ascii")
    options = ("--games", 3, "--seed", 4, "--openings", "mine.pos", "--out", "kept", "--details", "--json", "all.json")
    code, out, err = tengen("match", "greedy", "random", *GAME, *options)
    assert (code, err) == (0, "") and "won / drawn / lost" in out
    assert re.findall(r"^game \d", out, re.MULTILINE) == ["game 1", "game 2", "game 3"]
    assert len(list((tmp_path / "kept").glob("*.json"))) == 3
    result = json.loads((tmp_path / "all.json").read_text("utf-8"))
    assert set(result) == {"header", "plan", "agents", "games"}
    assert (result["plan"]["terms"]["setup"]["seed"], result["plan"]["games"]) == (4, 3)
    assert result["agents"][0]["as_black"]["wins"] + result["agents"][0]["as_black"]["draws"] <= 2
    assert [game["black"] for game in result["games"]] == ["A", "B", "A"]
    assert [game["opening"] for game in result["games"]] == [[[1, 1], [0, 0]]] * 3
    ends = [game["ending"] for game in result["games"]]
    assert [end["sides"][0]["agent"] for end in ends] == ["greedy", "random", "greedy"]
    assert out.count("last move, s") == out.count("   a  b  c\n") / 2 == 3
    for end in ends:
        rows = [f" {row} {'  '.join('·●○'[each] for each in line)}  {row}" for row, line in enumerate(end["stones"], 1)]
        assert "\n".join(rows) in out


def test_quiet_shows_the_table_and_what_was_asked_for(tengen):
    code, out, err = tengen("match", "greedy", "random", *GAME, "--games", 1, "--quiet", "--details")
    assert (code, err) == (0, "") and out.count("last move, s") == 1
    assert "game 1" not in out and "tictactoe_1v1, platform rules, games: 1 of 1" in out


def test_a_match_lost_by_faults(tengen):
    """The agent imports modules beside it by their plain names, which fails on the platform."""
    code, out, err = tengen("match", path_of("raiser"), path_of("with_siblings"), *GAME, "--openings", "start")
    assert code == 1 and "tictactoe_1v1, platform rules, games: 2 of 2, moves: 0, seed" in out
    assert out.splitlines()[:2] == [
        "game 1  ● raiser  ○ with_siblings  White wins after 0 moves: crash: Black raised ValueError: no idea",
        "game 2  ● with_siblings  ○ raiser  Black wins after 0 moves: crash: White raised ValueError: no idea",
    ]
    rows = [re.split(r"\s{2,}", line) for line in out.splitlines()]
    assert ["won / drawn / lost", "0 / 0 / 2", "2 / 0 / 0"] in rows and ["games lost by a fault", "2", "0"] in rows
    assert not {"moves replaced", "faults inside"} & {row[0] for row in rows}  # rows without a count are left out
    assert "with_siblings imports siblings (helper, utils): would fail on the platform" in out
    assert "with_siblings has modules of its own named utils: the platform's would be imported instead" in out
    assert "raiser lost game 2 as White by crash: raised ValueError: no idea\nTraceback" in err
    assert 'raise ValueError("no idea")' in err and "agent_host.py" not in err
    assert re.search(r"bytes in .*tengen-match-.*game002_white\.txt\):\nthis was printed before the end", err)


@pytest.mark.parametrize(("options", "code"), [([], 1), (["--lenient"], 0)])
def test_leniency(options, code, tengen):
    agents = (path_of("first_free"), path_of("answering:answer=corner"))
    assert tengen("match", *agents, *GAME, "--games", 1, *options)[0] == code


def test_what_ends_a_match_does_not_lose_its_finished_games(tengen, tmp_path, monkeypatch):
    def breaks_off(game, *arguments, **options):
        if game.number == 2:
            raise RunnerError("the disk is full; make room")
        return play(game, *arguments, **options)

    play = matches.play
    monkeypatch.setattr(matches, "play", breaks_off)
    code, out, err = tengen("match", "greedy", "random", *GAME, "--json", "result.json")
    assert code == 2
    assert err == "tengen: the match was interrupted after 1 of 2 games\ntengen: the disk is full; make room\n"
    assert "games: 1 of 2" in out
    assert len(json.loads((tmp_path / "result.json").read_text(encoding="utf-8"))["games"]) == 1


def test_run_log(tengen, tmp_path):
    code, out, _ = tengen("run-log", "--black", "seed004", "--white", "greedy", "--out", "logs")
    assert code == 0
    path = re.fullmatch(r"Black wins: 5 in a row from .*; log: (logs/\d{12}_gobang_1v1\.json)\n", out)[1]
    assert json.loads((tmp_path / path).read_text(encoding="utf-8"))["winner"] == 1
    code, out, _ = tengen("run-log", "--black", "seed003", "--white", "seed003", "--env", "tictactoe_1v1")
    assert out.startswith("Black wins: full board without a line, which the platform pays to the last mover; log: ")


def test_run_log_of_an_agent_that_raises(tengen, tmp_path):
    path = written(tmp_path, r'raise ValueError("\x1b[2J")')
    code, _, err = tengen("run-log", "--black", path, "--white", "random", *GAME)
    assert code == 1 and "\x1b" not in err and r'raise ValueError("\x1b[2J")' in err
    last = err.splitlines()[-1]
    assert last.startswith(r"tengen: Black (written) raised at step 1: ValueError: \x1b[2J; the platform")
    assert list((tmp_path / "logs").iterdir()) == []


@pytest.mark.skipif(not ON_LINUX, reason="file names must be valid text elsewhere")
def test_json_alone_is_stdout_and_holds_what_nothing_else_can_encode(tengen, tmp_path):
    path = os.fsdecode(os.fsencode(tmp_path) + b"/caf\xc3\xa9\xff.py")
    with open(path, "wb") as file:
        file.write(Path(path_of("first_free")).read_bytes())
    code, out, err = tengen("match", "--json", path, "random", *GAME, "--games", 1, "--out", "kept")
    assert code == 0 and out.isascii() and "won / drawn / lost" in err
    agent = {"name": "café" + r"\udcff", "path": path, "options": {}, "alone": True, "level": 0}
    assert json.loads(out)["plan"]["agents"][0] == agent


@pytest.mark.slow
def test_a_terminal_that_knows_only_ascii():
    command = [sys.executable, "-m", "local_runner", "match", "greedy", "random", *GAME, "--games", "1"]
    done = subprocess.run(command, capture_output=True, env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"game 1  X greedy  O random  ") and b"won / drawn / lost" in done.stdout


def test_help_starts_at_once():
    """Help does not import numpy, scipy, gymnasium or the referee, which are slow."""
    heavy = "{'numpy', 'scipy', 'gymnasium', 'env_adapter'}"
    program = f"""
import sys
from local_runner.command_line.commands import cli
sys.argv[1:] = ["-h"]
try:
    cli.main()
finally:
    print(*{heavy} & set(sys.modules), file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "Usage: tengen" in done.stdout and done.stderr == "\n"


@pytest.mark.parametrize("module", ["typer", "local_runner.command_line.parser", "local_runner.language.languages"])
def test_ctrl_c_during_the_imports_is_silent(module):
    program = f"""
import runpy, signal, sys
class Interrupting:
    def find_spec(name, path=None, target=None):
        if name == {module!r}:
            signal.raise_signal(signal.SIGINT)
sys.meta_path.insert(0, Interrupting)
runpy.run_module("local_runner", run_name="__main__")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_ctrl_c_while_a_dataclass_is_made_has_the_exit_code_of_others(tmp_path):
    """`dataclass` calls exec. After a KeyboardInterrupt inside exec, Python would end by SIGINT although the program
    has handled the interrupt.
    """
    (tmp_path / "program.py").write_text("""
from local_runner import __main__ as start
from local_runner.command_line.commands import cli
cli.main = lambda: exec("raise KeyboardInterrupt")
start.main()
""")
    found = os.pathsep.join([str(tmp_path), str(Path(start.__file__).parents[1])])
    command, environment = [sys.executable, "-m", "program"], {**os.environ, "PYTHONPATH": found}
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_windows_is_told_of_wsl(monkeypatch):
    with monkeypatch.context() as windows, pytest.raises(SystemExit) as end:
        windows.setattr(start.os, "name", "nt")
        start.main()
    pages = re.findall(r"docs\S+", str(end.value.code))
    assert len(pages) == 2 and all((Path(start.__file__).parents[1] / page).is_file() for page in pages)


@pytest.mark.parametrize(("arguments", "place", "what"), [
    ("check submission.py", "local_runner.upload.check.check", "check"),
    ("bench speed", "local_runner.bench.speed", "benchmark"),
    ("bench latency", "local_runner.bench.latency", "benchmark"),
])  # fmt: skip
def test_an_interruption_is_one_sentence(arguments, place, what, tengen, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(place, interrupted)
    code, out, err = tengen(*arguments.split())
    assert (code, out) == (130, "")
    assert err.endswith(f"tengen: the {what} was interrupted; it keeps nothing, so the same command begins again\n")
