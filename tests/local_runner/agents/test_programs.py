"""Programs of others as agents: specs, the manager's side of the Gomocup's protocol, and every fault of a program."""

import os
import re
import shutil
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies

from local_runner.agents.opponents import gomocup
from local_runner.agents.opponents.program import EngineAnswer, EngineEnded, EngineFault, Program
from local_runner.agents.own_files import changed, copied, taken, write
from local_runner.agents.spec import parse_agent
from local_runner.errors import AgentError
from local_runner.processes import interpreters
from local_runner.processes.process import program_places
from tests.local_runner.agents.scripted import Script, answers

BRAIN = Path(__file__).parents[1] / "specimens" / "brain.py"
ROOT = Path(__file__).parents[3]


def board(*cells, size=15):
    """A board with Black's and White's stones in turn, as (row, col)."""
    stones = [0] * size * size
    for number, (row, col) in enumerate(cells):
        stones[row * size + col] = 1 + number % 2
    return stones


def manager(*answers, info=()):
    """A manager of a program that has answered START and ABOUT."""
    one = gomocup.Manager(Script("OK", "name=x", *answers), list(info))
    one.start(15)
    del one.program.sent[:]
    return one


# ---- specs


@pytest.fixture
def engine(tmp_path):
    """An executable that is not run."""
    path = tmp_path / "brain" / "eng ine"
    path.parent.mkdir()
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


@pytest.mark.parametrize(("options", "given"), [
    ("", {}), (":rule=0", {"rule": 0}), (":max_node=100000:rule=0", {"max_node": 100000, "rule": 0}),
    (":max_node=100000,rule=0", {"max_node": 100000, "rule": 0}), (":pause=0.1", {"pause": 0.1}),
])  # fmt: skip
def test_a_command_and_its_options(options, given, engine):
    spec = parse_agent(f"gomocup:{engine}{options}")
    assert spec.is_program and not spec.is_ours
    assert dict(spec.options) == {"program": str(engine), "home": str(engine.parent), **given}


def test_a_program_of_a_virtual_environment_sees_the_project(engine, monkeypatch):
    """The program may also read pyproject.toml beside the packages: under Landlock, an import can list a folder only if
    a file in the folder is allowed.
    """
    monkeypatch.setattr(interpreters, "folders", lambda python: ())
    assert program_places({"program": str(engine)}, False, sys.executable) == [engine]
    (engine.parents[1] / "pyvenv.cfg").touch()
    found = program_places({"program": str(engine)}, False, sys.executable)
    assert {ROOT / "local_runner", ROOT / "submission", ROOT / "pyproject.toml", engine} <= {*found}


def test_arguments_of_a_command(engine):
    spec = parse_agent(f"gomocup:sh '{engine}' -x a:b")
    assert spec.options["program"] == shutil.which("sh")
    assert (spec.options["arguments"], spec.options["home"]) == (f"'{engine}' -x a:b", str(engine.parent))


def test_the_folder_of_a_script_comes_before_that_of_a_command_that_runs_it(engine, tmp_path, monkeypatch):
    """The command may lie anywhere, such as the Python of a conda environment."""
    command = tmp_path / "anywhere" / "run"
    command.parent.mkdir()
    command.symlink_to(shutil.which("sh"))
    monkeypatch.setenv("PATH", str(command.parent), prepend=os.pathsep)
    assert parse_agent(f"gomocup:run '{engine}'").options["home"] == str(engine.parent)
    assert parse_agent("gomocup:run").options["home"] == str(command.parent)


@pytest.mark.parametrize(("text", "said"), [
    ("gomocup:", "gomocup needs a program"),
    ("gomocup:./no/such", "there is no program ./no/such"),
    ("gomocup:no-such-command", "there is no program no-such-command"),
    ("gomocup:'", "cannot read the command"),
    ("gomocup:\0", "there is no program"),
    (f"gomocup:{BRAIN}", "chmod +x"),
    ("gomocup:sh:rule=0:rule=1", "given twice"),
    ("gomocup:sh:home=x", "is set by the command"),
])  # fmt: skip
def test_a_wrong_command_is_one_sentence(text, said):
    with pytest.raises(AgentError, match=None) as refused:
        parse_agent(text)
    assert said in str(refused.value)


def test_a_run_plays_a_copy_of_the_engines_folder(engine, tmp_path):
    (engine.parent / "weights.bin").write_bytes(b"\0\1")
    spec, other = parse_agent(f"gomocup:{engine}"), parse_agent("gomocup:sh")
    files = taken(spec)
    assert {"engine/eng ine", "engine/weights.bin", "gomocup.py", "program.py"} <= {*files.contents}
    assert not any(name.startswith("engine/") for name in taken(other).contents)
    for main in (copied(spec, tmp_path / "copy"), write(files, tmp_path / "stored")):
        assert (main.parent / "engine" / "eng ine").stat().st_mode & 0o111
    (engine.parent / "weights.bin").write_bytes(b"\0\2")
    assert changed(spec, files) == [engine.parent / "weights.bin"]


# ---- the manager


def test_a_game_is_begin_then_turns():
    one = manager("7,7", "MESSAGE depth 3", "8,8", info=["rule 0"])
    assert one.move(board(), 15, 1) == (7, 7)
    assert one.move(board((7, 7), (6, 5)), 15, 1) == (8, 8)
    assert one.program.sent == ["BEGIN", "TURN 5,6"]
    assert one.thought == {"source": "depth 3", "messages": ["depth 3"], "depth": 3}


@pytest.mark.parametrize(("stones", "colour", "size", "sent"), [
    ([(7, 7)], 2, 15, ["TURN 7,7"]),
    ([(7, 7), (7, 8), (6, 6)], 2, 15, ["BOARD", "6,6,2", "8,7,1", "7,7,2", "DONE"]),
    ([(7, 7), (7, 8)], 1, 15, ["BOARD", "7,7,1", "8,7,2", "DONE"]),
    ([(7, 7)], 2, 20, ["START 20", "TURN 7,7"]),
    ([], 1, 15, ["BEGIN"]),
])  # fmt: skip
def test_what_a_position_is_asked_by(stones, colour, size, sent):
    one = manager(*(["OK"] if size != 15 else []), "0,0")
    assert one.move(board(*stones, size=size), size, colour) == (0, 0)
    assert one.program.sent == sent


def test_another_game_or_the_other_colour_starts_again():
    one = manager("7,7", "OK", "0,0", "OK", "3,3")
    one.move(board(), 15, 1)
    one.move(board((7, 7)), 15, 2)
    one.move(board(), 15, 1)
    assert one.program.sent == ["BEGIN", "START 15", "BOARD", "7,7,2", "DONE", "START 15", "BEGIN"]


@pytest.mark.parametrize(("start", "moves"), [
    (["OK", "UNKNOWN", "name=x"], ["OK", "UNKNOWN", "3,3"]),  # to INFO and ABOUT
    (["x 1.0", "name=x", "OK", "MESSAGE a name=x", "name = x"], ["UNKNOWN", "OK", "ERROR", "1,2,3", "3,3"]),
    (["OK", None, "UNKNOWN", "OK"], ["name=x", "OK", "x y", "OK", "3,3"]),  # to ABOUT, late or never
])  # fmt: skip
def test_lines_that_are_no_move_are_skipped(start, moves):
    one = gomocup.Manager(Script(*start, *moves), ["rule 0"])
    one.start(15)
    again = ["START 15"] if None in start else []
    assert one.move(board(size=20), 20, 1) == (3, 3)
    assert one.program.sent == ["START 15", "INFO rule 0", "ABOUT", *again, "START 20", "INFO rule 0", "BEGIN"]


@pytest.mark.parametrize("answer", ["UNKNOWN", "ERROR no", "OK", "h8", "15,0", "0,99", "1,2,3", "-1,0", "7.5,3", "²,1"])
def test_a_wrong_answer_is_a_fault(answer):
    """If no move follows in time, the fault names the last line that is no move."""
    one = manager(answer, None)
    with pytest.raises(EngineAnswer, match=re.escape(f"BEGIN | {answer}")):
        one.move(board(), 15, 1)
    with pytest.raises(EngineAnswer, match="ERROR size"):
        gomocup.Manager(Script("ERROR size"), []).start(15)


def test_a_suggestion_is_accepted():
    one = manager("SUGGEST 3,4", "3,4")
    assert one.move(board(), 15, 1) == (4, 3) and one.program.sent[-1] == "PLAY 3,4"


@pytest.mark.parametrize(("said", "thought"), [
    ("depth 5 value -12 nodes 900 time 3 line 7,7 8,7", (5, -12, 900, [[7, 7], [7, 8]])),
    ("Depth 6-14 | Eval 31 | Node 12K | Bestline [7,7] [8,7]", (6, 31, 12000, [[7, 7], [7, 8]])),
    ("d=4 ev: +0.5 n 1.5m pv H8 I8", (4, 0.5, 1500000, [[7, 7], [7, 8]])),
    ("hello", (None, None, None, None)), ("pv 7,7 99,1", (None, None, None, None)),
])  # fmt: skip
def test_figures_of_a_message(said, thought):
    found = gomocup.thought_of([said], 15)
    assert tuple(found.get(key) for key in ("depth", "value", "nodes", "pv")) == thought


def test_info_lines():
    lines = gomocup.info_lines({"Rule": 4, "max_node": 9, "fast": True}, 1.0, 500.0)
    assert {"timeout_turn 800", "max_memory 450000000", "rule 4", "max_node 9", "fast 1"} < set(lines)


WORDS = ["OK", "7,7", "0,0", "14,14", "MESSAGE", "DEBUG", "depth", "9" * 400, "ERROR", "UNKNOWN", "SUGGEST", "pv",
         "1e9", "[3,3]", "a1", "\u0663,\u0663", "²,1", "\x1b[2J", "x" * 5000, "15,15", "line", "nodes"]  # fmt: skip


@settings(max_examples=200)
@given(lines=answers(WORDS), infos=strategies.integers(0, 3))
def test_random_answers_are_a_move_or_a_fault(lines, infos):
    one = gomocup.Manager(Script(*lines), ["rule 0"] * infos)
    with suppress(EngineFault):
        one.start(15)
    for number in range(3):
        with suppress(EngineFault):
            row, col = one.move(board(*[(0, col) for col in range(2 * number)]), 15, 1)
            assert 0 <= row < 15 and 0 <= col < 15


@pytest.mark.slow
def test_a_program_that_does_not_start():
    with pytest.raises(EngineEnded, match="does not start"):
        Program(["/no/such/program"], "")


@pytest.mark.slow
def test_programs_play_every_kind_of_contest(tengen, tmp_path):
    from tengen import play, tournament

    shutil.copy(BRAIN, tmp_path)
    good, bad = (f"gomocup:{sys.executable} {tmp_path / 'brain.py'} {mode}" for mode in ("plain", "dies"))
    match = play(good, bad, game="gobang_1v1", games=2)
    assert (match.total.wins, match.faults) == (2, (0, 2))
    assert [each.score for each in tournament([good, bad], game="gobang_1v1", rounds=1).standings] == [2, 0]
    code, out, err = tengen(
        "sprt", good, bad, "--env", "gobang_1v1", "--rounds", "1", "--out", str(tmp_path / "s.jsonl")
    )
    assert code == 1 and "2 / 0 / 0" in out and "Traceback" not in err  # 1: an agent has failed


@pytest.mark.parametrize("wine", [True, False])
def test_a_program_for_windows_needs_wine(wine, engine, monkeypatch):
    """A program for Windows need not have this system's permission to execute."""
    path, bin_folder = engine.with_name("p brain.exe"), engine.parent / "bin"
    path.write_bytes(b"MZ")
    bin_folder.mkdir()
    monkeypatch.setenv("PATH", str(bin_folder))
    if wine:
        shutil.copy(engine, bin_folder / "wine")
        spec = parse_agent(f"gomocup:'{path}' -x:rule=0")
        assert spec.options["program"] == str(bin_folder / "wine")
        assert spec.options["arguments"] == f"'{path}' -x"
    else:
        with pytest.raises(AgentError, match="is a program for Windows; install wine, which runs it"):
            parse_agent(f"gomocup:{path}")
