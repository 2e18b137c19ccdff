"""Nasty sources cost the runner neither time nor memory, and every command names the fault in one sentence."""

import os
import resource

import pytest

from local_runner.agents import source
from local_runner.agents.source_reader import CPU_SECONDS
from local_runner.errors import AgentError

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
