"""Files are there whole or not at all, and nothing is left beside them. The header of results names the machine."""

import importlib.metadata
import os
import platform
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from local_runner.errors import RunnerError
from local_runner.system import files, header
from local_runner.system.files import check_folder, check_writable, write_new, write_whole


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


# ---- the header of results


def test_what_is_said(monkeypatch, tmp_path):
    said = header.header()
    assert said["tengen"] == importlib.metadata.version("tengen")
    assert said["python"] == platform.python_version()
    assert said["cores"] >= 1 and said["machine"] and said["begun"].endswith("Z")
    monkeypatch.setattr(header, "ROOT", tmp_path)
    monkeypatch.setattr("os.sched_getaffinity", lambda pid: {5}, raising=False)
    assert (header.commit(), header.physical_cores()) == ("", 1)  # no checkout, and a process with one core
