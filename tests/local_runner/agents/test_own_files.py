"""The files of an agent and their copies; hostile sources cost little time and memory, and commands name the fault."""

import os
import resource
from pathlib import Path

import pytest

from local_runner.agents import own_files, source
from local_runner.agents.own_files import changed, copied, files_of, places, taken, write
from local_runner.agents.source_reader import CPU_SECONDS
from local_runner.agents.spec import parse_agent
from local_runner.errors import AgentError, RunnerError
from local_runner.matches.copies import copies

MAIN = "def my_controller(observation, space, continuous=False): return [[1], [1]]\n"


def folder_of(tmp_path, files):
    """A folder "mine" with these files: path -> text."""
    for name, text in {"submission.py": MAIN, **files}.items():
        path = tmp_path / "mine" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "mine"


FILES = {
    "weights.bin": "1", "data/net.npz": "2", "notes.md": "", ".git/config": "", ".secret": "", "__pycache__/x.pyc": "",
    "venv/pyvenv.cfg": "", "venv/lib/big.py": "", "pool.jsonl": '{"tengen":"tournament","plan":{}}\n',
}  # fmt: skip


def test_a_folder_is_copied_whole(tmp_path):
    agent = parse_agent(str(folder_of(tmp_path, FILES)))
    assert [*files_of(agent)] == ["notes.md", "submission.py", "weights.bin", "data/net.npz"]
    main = copied(agent, tmp_path / "copy")
    assert main.read_text() == MAIN and (main.parent / "data" / "net.npz").read_text() == "2"
    assert places(agent) == (agent.path.parent,) and main.parent.name == "mine"


@pytest.mark.parametrize(("text", "files"), [
    ("import numpy, helper", ["helper.py"]),
    ("from .helper import f\nfrom . import second", ["helper.py", "second.py", "first.py"]),
    ("def f():\n    import first", ["first.py", "helper.py", "second.py"]),  # helper.py is imported by first.py
    ("from package.inner import x", ["package/__init__.py", "package/data.bin", "package/inner.py", "helper.py"]),
    ("import fast", ["fast.cpython-311-x86_64-linux-gnu.so"]),
    ("open('weights.bin')", []),
    ("import helper as (", []),  # no Python
    ("from os import *", []),
])  # fmt: skip
def test_a_lone_file_has_the_modules_that_it_imports(text, files, tmp_path):
    folder = folder_of(tmp_path, {
        "helper.py": "", "first.py": "import helper, second", "second.py": "import first", "weights.bin": "",
        "package/__init__.py": "", "package/inner.py": "import helper", "package/data.bin": "",
        "fast.cpython-311-x86_64-linux-gnu.so": "", "unrelated.py": "", "agent.py": text,
    })  # fmt: skip
    agent = parse_agent(str(folder / "agent.py"))
    assert {*files_of(agent)} == {"agent.py", *files}
    assert {*places(agent)} == {folder / name for name in ["agent.py", *files]}


def test_links_that_lead_out_are_left_out(tmp_path):
    (tmp_path / "key").write_text("secret")
    folder = folder_of(tmp_path, {".hidden/key": "", "real.txt": "", "other.txt": "", "agent.py": "import a, b, c"})
    links = {"out.txt": "../key", "hidden.txt": ".hidden/key", "fine.txt": "real.txt", "up": "..", "gone.txt": "no"}
    for name, target in {**links, "a.py": "../key", "b.py": "real.txt", "c.py": "submission.py"}.items():
        os.symlink(target, folder / name)
    os.mkfifo(folder / "pipe")
    named = {"submission.py", "agent.py", "real.txt", "other.txt", "fine.txt", "hidden.txt", "b.py", "c.py"}
    assert {*files_of(parse_agent(str(folder)))} == named
    assert {*files_of(parse_agent(str(folder / "agent.py")))} == {"agent.py", "c.py"}


def test_a_home_is_no_agents_folder(tmp_path, monkeypatch):
    folder = folder_of(tmp_path, {"letters.txt": "", "user/x": ""})
    monkeypatch.setenv("HOME", str(folder / "user"))
    assert [*files_of(parse_agent(str(folder)))] == ["submission.py"]


@pytest.mark.parametrize(("limit", "most"), [("MOST_MB", 1e-4), ("MOST_FILES", 1)])
def test_a_folder_that_is_too_large_is_refused(limit, most, tmp_path, monkeypatch):
    folder = folder_of(tmp_path, {"weights.bin": "1" * 99})
    monkeypatch.setattr(own_files, limit, most)
    with pytest.raises(RunnerError, match=r"mine has more than .* files, too much to copy for an agent; leave out"):
        files_of(parse_agent(str(folder)))
    lone = parse_agent(str(folder / "submission.py"))
    assert [*files_of(lone)] == ["submission.py"]
    (folder / "weights.py").write_text(f"'{'1' * 99}'")
    lone.path.write_text(f"import weights\n{MAIN}")
    with pytest.raises(RunnerError, match="too much to copy"):
        files_of(lone)


def test_a_file_that_cannot_be_read_is_said(tmp_path):
    agent = parse_agent(str(folder_of(tmp_path, {})))
    agent.path.unlink()
    for function in (files_of, taken, lambda agent: copied(agent, tmp_path / "copy")):
        with pytest.raises(AgentError, match="cannot be read"):
            function(agent)


def test_changed_and_missing_files_are_named(tmp_path):
    agent = parse_agent(str(folder_of(tmp_path, {"weights.bin": "1"})))
    files, weights = taken(agent), agent.path.parent / "weights.bin"
    assert changed(agent, files) == []
    for change in (lambda: weights.write_text("2"), weights.unlink):
        change()
        assert changed(agent, files) == [weights]
    main = write(files, tmp_path / "stored")
    stored = {path.name: path.read_text() for path in main.parent.iterdir()}
    assert stored == {"submission.py": MAIN, "weights.bin": "1"}


def test_agents_of_the_same_files_share_a_copy(tmp_path):
    folder = folder_of(tmp_path, {"weights.bin": ""})
    one, other = parse_agent(f"{folder}:depth=1"), parse_agent(f"{folder}:depth=2")
    with copies([one, other, parse_agent("greedy")], "python3") as [first, second, ours]:
        assert first.path == second.path != ours.path and (first.agent, second.agent) == (one, other)
        assert Path(first.path).read_text() == MAIN and ours.agent.is_ours
        one.path.unlink()
        assert Path(first.path).read_text() == MAIN
    assert not Path(first.path).exists()


def test_a_stored_agent_is_played_from_what_was_stored(tmp_path):
    agent, ours = parse_agent(str(folder_of(tmp_path, {}))), parse_agent("greedy")
    stored = [taken(agent), taken(ours)]
    agent.path.write_text("raise ValueError")
    (agent.path.parent / "new.txt").write_text("")
    with copies([agent, ours], "python3", stored) as [copy, our_copy]:
        assert [path.name for path in copy.path.parent.iterdir()] == ["submission.py"]
        assert copy.path.read_text() == MAIN and copy.agent == agent and our_copy.agent == ours
    old = stored[1]._replace(contents={**stored[1].contents, "greedy.py": b"# an older version\n"})
    with copies([agent, ours], "python3", [stored[0], old]) as [_copy, our_copy]:
        assert not our_copy.agent.is_ours and our_copy.path.read_bytes() == b"# an older version\n"


# ---- sources

GOOD = b"\ndef my_controller(o, s, c=False): return [[1, 0, 0], [1, 0, 0]]\n"
SOURCES = {
    b"# -*- coding: rot13 -*-": "'rot13' is not a text encoding",
    b"# -*- coding: zlib_codec -*-": "'zlib_codec' is not a text encoding",
    b"# -*- coding: nothing -*-": "unknown encoding: nothing",
    b"x = '\xff'": "byte 0xff in line 1 is not UTF-8",
    b"x = " + b"-" * 200_000 + b"1": "nested too deep for Python",
    b"def f(): return x" + b".a" * 100_000: "nested too deep for Python",
    b"x = " + b"(" * 100_000 + b")" * 100_000: "too many nested parentheses",
    b"x = '\x1b[2J": "unterminated string literal",
}
COMMANDS = (
    "match {} greedy --games 1", "check {} --quick", "tournament {} greedy --rounds 1 --recover --out t.jsonl",
    "run-log --black {} --white greedy", "sprt {} greedy --rounds 1 --out t.jsonl", "play {}",
    "bench latency {} --calls 5",
)  # fmt: skip


@pytest.mark.parametrize(
    ("command", "text"),
    [*((command, next(iter(SOURCES))) for command in COMMANDS), *((COMMANDS[0], text) for text in SOURCES)],
    ids=lambda part: str(part[:30]),
)
def test_every_command_says_what_is_wrong_with_a_source(command, text, tengen, tmp_path):
    (tmp_path / "mine.py").write_bytes(text + GOOD)
    code, out, err = tengen(*command.format("mine.py").split(), "--env", "tictactoe_1v1")
    said = " ".join((out + err).split())
    assert code in (1, 2) and SOURCES[text] in said and "Traceback" not in said and "\x1b" not in said


@pytest.mark.parametrize("text", [
    pytest.param(b"x = f'" + b"{1!r:{2}}" * 60_000 + b"'", id="time", marks=pytest.mark.slow),
    pytest.param(b"x = [" + b"'a'," * 1_000_000 + b"]", id="memory"),
])  # fmt: skip
def test_a_source_that_takes_too_much_is_given_up_by_a_child(text, tmp_path):
    path = tmp_path / "mine.py"
    path.write_bytes(text + GOOD)
    before = resource.getrusage(resource.RUSAGE_SELF)
    found = source.source(path)
    used = resource.getrusage(resource.RUSAGE_SELF)
    assert found.unread.startswith("reading it takes more than") and found.games is None
    assert used.ru_utime - before.ru_utime < CPU_SECONDS / 10 and used.ru_maxrss - before.ru_maxrss < 100_000


def test_constants_that_json_does_not_have_are_read(tmp_path):
    path = tmp_path / "mine.py"
    constants = "(b'',1,1,1,1,1,1)", "(1j,1,1,1,1,1,1)", "(1,1,1,1,...,1,1)", f"(1,1,1,1,0x{'f' * 9000},1,1)"
    path.write_text(f"SETTINGS = ({','.join(constants)})\nGAMES = '\\ud800'\n")
    read = source.facts({"mine.py": path}, deep=True)["mine.py"]
    assert (read.unread, read.games) == ("", ("\ud800",))


def test_a_source_of_too_many_bytes_is_not_opened(tmp_path, monkeypatch):
    path = tmp_path / "mine.py"
    path.touch()
    os.truncate(path, source.MOST_SOURCE + 1)
    monkeypatch.setattr("builtins.open", None)
    with pytest.raises(AgentError, match=r"mine\.py has 64,000,001 bytes; a source may have at most 64,000,000"):
        source.source_of(path)
    assert "a source may have at most" in source.source(path).unread


def test_sources_that_are_too_large_together_are_not_held_in_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(source, "MOST_SOURCE", 20)
    for name in "cd":
        (tmp_path / f"{name}.py").write_text(f"GAMES = '{name}'\n")
    read = source.facts({name: tmp_path / f"{name}.py" for name in "cd"})
    assert read["c"].games == ("c",) and read["d"].unread.startswith("reading it takes more than")
