"""A file is written whole or not at all; files of JSON Lines lose no whole line; the header of results."""

import importlib.metadata
import json
import os
import platform
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from local_runner.errors import RunnerError
from local_runner.system import files, header, json_lines
from local_runner.system.files import check_folder, check_writable, write_new, write_whole
from local_runner.system.json_lines import Writer, writing


def full(*_):
    raise OSError(28, "No space left on device")


def test_a_file_takes_the_place_of_an_older_one_or_of_none(tmp_path):
    path = tmp_path / "file.txt"
    for text in ("one\n", "two, 及第\n"):
        write_whole(path, text, "")
        assert path.read_bytes() == text.encode("utf-8")
    assert [path] == list(path.parent.iterdir())
    check_writable(Path(os.devnull), "")
    write_whole(Path(os.devnull), "text", "")  # a device is written to and not replaced
    assert not Path(os.devnull).is_file()


def test_a_new_file_replaces_none_even_when_many_are_written_at_once(tmp_path):
    with ThreadPoolExecutor(8) as pool:
        paths = list(pool.map(lambda number: write_new(tmp_path / "a", "log", ".json", str(number), ""), range(40)))
    assert sorted(path.read_text() for path in paths) == sorted(map(str, range(40)))
    assert {path.name for path in paths} == {"log.json", *(f"log_{number}.json" for number in range(2, 41))}
    assert set(paths) == set((tmp_path / "a").iterdir())
    check_folder(tmp_path / "b" / "c", "")
    assert (tmp_path / "b" / "c").is_dir()


@pytest.mark.parametrize("function", ["replace", "chmod", "link"])
def test_a_full_disk_leaves_the_old_file_and_no_other(function, tmp_path, monkeypatch):
    path = tmp_path / "file.txt"
    write_whole(path, "old", "")
    monkeypatch.setattr(os, function, full)
    with pytest.raises(RunnerError, match=r"cannot write .*: No space left on device; try elsewhere"):
        if function == "link":
            write_new(tmp_path, "log", ".json", "text", "try elsewhere")
        else:
            write_whole(path, "new", "try elsewhere")
    assert path.read_text() == "old"
    assert [path] == list(tmp_path.iterdir())


def test_a_link_and_a_mode_stay_what_they_were(tmp_path):
    real, link = tmp_path / "real" / "file.txt", tmp_path / "link"
    real.parent.mkdir()
    write_whole(real, "old", "")
    real.chmod(0o600)
    link.symlink_to(real)
    check_writable(link, "")
    write_whole(link, "new", "")
    assert (link.is_symlink(), real.read_text(), real.stat().st_mode & 0o777) == (True, "new", 0o600)
    assert sorted(tmp_path.rglob("*")) == sorted([link, real, real.parent])


def test_what_somebody_else_may_have_removed(tmp_path):
    text, pipe = tmp_path / "text", tmp_path / "pipe"
    text.write_bytes(b"0123456789")
    os.mkfifo(pipe)
    looks = [(files.size(path), files.tail(path, 4)) for path in (text, tmp_path / "gone", tmp_path, pipe)]
    assert looks == [(10, b"6789"), (0, None), (0, None), (0, None)]


GAMES = '{"tengen":"tournament","plan":{}}\n'


@pytest.mark.parametrize(("name", "sentence"), [
    (".", "it is a folder"), ("file/inside", "file is no folder"), ("nodir/file", "there is no folder .*nodir"),
    ("t.jsonl", r"t\.jsonl holds games and is not replaced; give another"),
    ("./read", "read is the file that is read; give another"),
])  # fmt: skip
def test_a_place_that_cannot_be_written_is_told_beforehand(name, sentence, tmp_path):
    for other, text in (("file", ""), ("t.jsonl", GAMES), ("read", "")):
        (tmp_path / other).write_text(text)
    with pytest.raises(RunnerError, match=sentence):
        check_writable(tmp_path / name, "give another", tmp_path / "read")
    if name == "t.jsonl":
        with pytest.raises(RunnerError, match=sentence):
            write_whole(tmp_path / name, "page", "give another")
    check_writable(tmp_path / "new", "", tmp_path / "read")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "read", "t.jsonl"]
    assert (tmp_path / "t.jsonl").read_text() == GAMES


@pytest.mark.parametrize(("written", "kept"), [
    (b"abcdef", b"[the first 2 bytes of the output are left out]\ncdef"), (b"abcd", b"abcd"), (b"", b""),
])  # fmt: skip
def test_a_long_output_is_cut_to_its_end(written, kept, tmp_path):
    (tmp_path / "output").write_bytes(written)
    files.keep_tail(tmp_path / "output", 4)
    files.keep_tail(tmp_path / "none", 4)
    assert (tmp_path / "output").read_bytes() == kept


def test_what_is_said(monkeypatch, tmp_path):
    said = header.header()
    assert said["tengen"] == importlib.metadata.version("tengen")
    assert said["python"] == platform.python_version()
    assert said["cores"] >= 1 and said["machine"] and said["begun"].endswith("Z")
    monkeypatch.setattr(header, "ROOT", tmp_path)
    monkeypatch.setattr("os.sched_getaffinity", lambda pid: {5}, raising=False)
    assert (header.commit(), header.physical_cores()) == ("", 1)  # no checkout, and a process with one core


# ---- JSON Lines

OBJECTS = [{"number": number, "name": "五子棋 {}", "moves": [[7, 7], None]} for number in range(1, 4)]


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "games.jsonl"
    with writing(path, new=True) as writer:
        for game in OBJECTS:
            writer.append(game)
    return path


def _values(path):
    return [line.value for line in json_lines.read(path)]


def test_lines_are_read_again_and_are_plain_json(file):
    assert _values(file) == OBJECTS
    assert [json.loads(line)["number"] for line in file.read_text().splitlines()] == [1, 2, 3]
    lines = list(json_lines.read(file))
    assert list(json_lines.read(file, lines[1].start, 2)) == lines[1:]


def test_every_changed_byte_damages_its_line_only(file):
    whole = file.read_bytes()
    second = whole.index(b"\n") + 1
    end = whole.index(b"\n", second)
    for place in range(second, end):
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1 :])
        assert _values(file) == [OBJECTS[0], None, OBJECTS[2]], place


def test_a_file_that_ends_anywhere_keeps_its_whole_lines_and_goes_on(file):
    whole = file.read_bytes()
    for length in range(whole.index(b"\n") + 1, len(whole)):
        file.write_bytes(whole[:length])
        lines = whole[:length].count(b"\n")
        assert _values(file) == OBJECTS[:lines]
        with writing(file) as writer:
            writer.append(OBJECTS[2])
        assert _values(file) == [*OBJECTS[:lines], OBJECTS[2]]


@pytest.mark.parametrize("content", [b"SQLite format 3\0 and more", b'{"a": 1}\n', b"\n"])
def test_another_file_is_refused_and_left_as_it_is(content, tmp_path):
    path = tmp_path / "other"
    path.write_bytes(content)
    for new in (False, True):
        with pytest.raises(RunnerError), writing(path, new=new):
            pass
    assert path.read_bytes() == content


def test_a_second_writer_is_refused(file):
    with writing(file), pytest.raises(RunnerError, match="another run"), writing(file):
        pass


def test_a_new_file_without_lines_is_removed(tmp_path):
    with writing(tmp_path / "new", new=True):
        pass
    assert not list(tmp_path.iterdir())


CHANGES = [os.unlink, lambda path: path.rename(f"{path}.old"), lambda path: path.write_bytes(path.read_bytes()[:-60])]


@pytest.mark.parametrize("change", CHANGES)
def test_a_file_that_is_gone_is_named(file, change):
    with writing(file) as writer:
        change(file)
        with pytest.raises(RunnerError, match="was removed, replaced or changed"):
            writer.append(OBJECTS[0])


def test_a_full_disk_leaves_whole_lines(file):
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


def test_a_writer_says_where_its_lines_begin(file):
    with writing(file) as writer:
        assert isinstance(writer, Writer)
        start = writer.append(OBJECTS[0])
    [line] = json_lines.read(file, start, 4)
    assert (line.number, line.start, line.value) == (4, start, OBJECTS[0])
