"""Files of JSON Lines: every damage is found, a torn line is cut off, one process writes at a time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from local_runner.errors import RunnerError
from local_runner.system import json_lines
from local_runner.system.json_lines import Writer, writing

GAMES = [{"number": number, "name": "五子棋 {}", "moves": [[7, 7], None]} for number in range(1, 4)]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "games.jsonl"
    with writing(path, new=True) as writer:
        for game in GAMES:
            writer.append(game)
    return path


def _values(path: Path) -> list[object]:
    return [line.value for line in json_lines.read(path)]


def test_lines_are_read_again_and_are_plain_json(file: Path) -> None:
    assert _values(file) == GAMES
    assert [json.loads(line)["number"] for line in file.read_text().splitlines()] == [1, 2, 3]
    lines = list(json_lines.read(file))
    assert list(json_lines.read(file, lines[1].start, 2)) == lines[1:]


def test_every_changed_byte_damages_its_line_only(file: Path) -> None:
    whole = file.read_bytes()
    second = whole.index(b"\n") + 1
    end = whole.index(b"\n", second)
    for place in range(second, end):
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1 :])
        assert _values(file) == [GAMES[0], None, GAMES[2]], place


def test_a_file_that_ends_anywhere_keeps_its_whole_lines_and_goes_on(file: Path) -> None:
    whole = file.read_bytes()
    for length in range(whole.index(b"\n") + 1, len(whole)):
        file.write_bytes(whole[:length])
        lines = whole[:length].count(b"\n")
        assert _values(file) == GAMES[:lines]
        with writing(file) as writer:
            writer.append(GAMES[2])
        assert _values(file) == [*GAMES[:lines], GAMES[2]]


@pytest.mark.parametrize("content", [b"SQLite format 3\0 and more", b'{"a": 1}\n', b"\n"])
def test_another_file_is_refused_and_left_as_it_is(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "other"
    path.write_bytes(content)
    for new in (False, True):
        with pytest.raises(RunnerError), writing(path, new=new):
            pass
    assert path.read_bytes() == content


def test_a_second_writer_is_refused(file: Path) -> None:
    with writing(file), pytest.raises(RunnerError, match="another run"), writing(file):
        pass


def test_a_new_file_without_lines_is_removed(tmp_path: Path) -> None:
    with writing(tmp_path / "new", new=True):
        pass
    assert not list(tmp_path.iterdir())


CHANGES = [os.unlink, lambda path: path.rename(f"{path}.old"), lambda path: path.write_bytes(path.read_bytes()[:-60])]


@pytest.mark.parametrize("change", CHANGES)
def test_a_file_that_is_gone_is_named(file: Path, change) -> None:
    with writing(file) as writer:
        change(file)
        with pytest.raises(RunnerError, match="was removed, replaced or changed"):
            writer.append(GAMES[0])


def test_a_full_disk_leaves_whole_lines(file: Path) -> None:
    """RLIMIT_FSIZE stands for the full disk: the kernel writes a part of the line, then refuses."""
    before = file.read_bytes()
    program = (
        "import resource, signal, sys; from pathlib import Path\n"
        "from local_runner.system.json_lines import writing\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({len(before) + 10},) * 2)\n"
        "with writing(Path(sys.argv[1])) as writer:\n    writer.append({'number': 4})\n"
    )
    done = subprocess.run([sys.executable, "-c", program, str(file)], capture_output=True, text=True, check=False)
    assert "RunnerError: cannot write" in done.stderr
    assert file.read_bytes() == before


def test_a_writer_says_where_its_lines_begin(file: Path) -> None:
    with writing(file) as writer:
        assert isinstance(writer, Writer)
        start = writer.append(GAMES[0])
    [line] = json_lines.read(file, start, 4)
    assert (line.number, line.start, line.value) == (4, start, GAMES[0])
