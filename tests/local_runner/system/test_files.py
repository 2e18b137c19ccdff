"""Files are there whole or not at all, and nothing is left beside them."""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from local_runner.errors import RunnerError
from local_runner.system import files
from local_runner.system.files import check_folder, check_writable, write_new, write_whole


def full(*_):
    raise OSError(28, "No space left on device")


def test_a_file_takes_the_place_of_an_older_one(tmp_path):
    path = tmp_path / "file.txt"
    for text in ("one\n", "two, 及第\n"):
        write_whole(path, text, "")
        assert path.read_bytes() == text.encode("utf-8")
    assert [path] == list(path.parent.iterdir())


def test_a_new_file_replaces_none_even_when_many_are_written_at_once(tmp_path):
    with ThreadPoolExecutor(8) as pool:
        paths = list(pool.map(lambda number: write_new(tmp_path, "log", ".json", str(number), ""), range(40)))
    assert sorted(path.read_text() for path in paths) == sorted(map(str, range(40)))
    assert {path.name for path in paths} == {"log.json", *(f"log_{number}.json" for number in range(2, 41))}
    assert set(paths) == set(tmp_path.iterdir())


@pytest.mark.parametrize("function", ["replace", "chmod"])
def test_a_full_disk_leaves_the_old_file(function, tmp_path, monkeypatch):
    path = tmp_path / "file.txt"
    write_whole(path, "old", "")
    monkeypatch.setattr(os, function, full)
    with pytest.raises(RunnerError, match=r"cannot write .*file.txt: No space left on device; try elsewhere"):
        write_whole(path, "new", "try elsewhere")
    assert path.read_text() == "old"
    assert [path] == list(tmp_path.iterdir())


def test_a_new_file_that_cannot_be_written_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "link", full)
    with pytest.raises(RunnerError, match="No space left"):
        write_new(tmp_path, "log", ".json", "text", "")
    assert not list(tmp_path.iterdir())


def test_a_device_is_written_to_and_not_replaced():
    check_writable(Path(os.devnull), "")
    write_whole(Path(os.devnull), "text", "")
    assert not Path(os.devnull).is_file()


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


@pytest.mark.parametrize(
    ("name", "sentence"),
    [(".", "it is a folder"), ("file/inside", "file is no folder"), ("nodir/file", "there is no folder .*nodir")],
)
def test_a_place_that_cannot_be_written_is_told_beforehand(name, sentence, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(RunnerError, match=sentence):
        check_writable(tmp_path / name, "")
    check_writable(tmp_path / "new", "")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_tournament_is_not_replaced(tmp_path):
    games = tmp_path / "t.jsonl"
    games.write_bytes(b'{"tengen":"tournament","plan":{}}\n')
    then = games.read_bytes()
    for refused in (check_writable, lambda path, advice: write_whole(path, "page", advice)):
        with pytest.raises(RunnerError, match=r"t\.jsonl holds games and is not replaced; give another"):
            refused(games, "give another")
    assert games.read_bytes() == then


def test_the_file_that_is_read_is_not_replaced(tmp_path):
    read, other = tmp_path / "read", tmp_path / "other"
    read.touch()
    other.touch()
    check_writable(other, "", read)
    check_writable(tmp_path / "new", "", read)
    with pytest.raises(RunnerError, match="is the file that is read; give another"):
        check_writable(tmp_path / "." / "read", "give another", read)


def test_a_folder_of_many_files_is_made(tmp_path):
    check_folder(tmp_path / "a" / "b", "")
    write_new(tmp_path / "c" / "d", "log", ".json", "text", "")
    assert (tmp_path / "a" / "b").is_dir() and (tmp_path / "c" / "d" / "log.json").read_text() == "text"


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        (b"abcdef", b"[the first 2 bytes of the output are left out]\ncdef"),
        (b"abcd", b"abcd"),
        (b"", b""),
    ],
)
def test_a_long_output_is_cut_to_its_end(written, kept, tmp_path):
    (tmp_path / "output").write_bytes(written)
    files.keep_tail(tmp_path / "output", 4)
    files.keep_tail(tmp_path / "none", 4)
    assert (tmp_path / "output").read_bytes() == kept
