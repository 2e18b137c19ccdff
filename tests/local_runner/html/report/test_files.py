"""Files of a report: an invalid input or output is an error message, and nothing is written."""

import re
import webbrowser

import pytest

from local_runner.errors import RunnerError
from local_runner.html import report
from local_runner.system import json_lines


def _spoil(**fields):
    """Change the fields of a game, with the right hash, as a stranger's file may have them."""

    def spoil(path):
        first, *lines = path.read_bytes().splitlines(keepends=True)
        game = json_lines.decoded(lines[4]) | fields
        path.write_bytes(first + b"".join(lines[:4]) + json_lines.encoded(game) + b"".join(lines[5:]))

    return spoil


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (lambda path: path.unlink(), "there is no tournament file"),
        (lambda path: path.write_text("no database " * 100), "is no tournament's file"),
        (lambda path: path.write_bytes(path.read_bytes()[:2000]), "its first line is damaged"),
        (_spoil(calls="noise"), "the line of game"),
        (_spoil(moves="9,9"), "game"),
        (_spoil(moves="1,1 1,1"), "game"),
        (_spoil(moves="a"), "game"),
    ],
)
def test_a_damaged_file_is_said_and_nothing_written(spoil, sentence, files, tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_bytes(files["tictactoe"].read_bytes())
    spoil(path)
    with pytest.raises(RunnerError, match=sentence):
        report.write(path, tmp_path / "t.html", tmp_path / "t.md")
    assert not list(tmp_path.glob("*.html")) and not list(tmp_path.glob("*.md"))


@pytest.mark.parametrize(
    ("out", "short", "sentence"),
    [
        ("t.jsonl", None, "is the file that is read; give --out another file"),
        ("t.html", "./t.jsonl", "is the file that is read; give --markdown another file"),
        ("t.html", "t.html", "cannot both be"),
        (".", None, "it is a folder; give --out another file"),
        ("t.html", "t.jsonl/x.md", "is no folder; give --markdown another file"),
        ("nowhere/t.html", None, "there is no folder .*nowhere; give --out another file"),
        ("t.html", "nowhere/t.md", "there is no folder .*nowhere; give --markdown another file"),
    ],
)
def test_a_place_that_cannot_be_written(out, short, sentence, files, tmp_path):
    (tmp_path / "t.jsonl").write_bytes(files["tictactoe"].read_bytes())
    with pytest.raises(RunnerError, match=sentence):
        report.write(tmp_path / "t.jsonl", tmp_path / out, tmp_path / short if short else None)
    assert (tmp_path / "t.jsonl").read_bytes() == files["tictactoe"].read_bytes()
    assert [path.name for path in tmp_path.iterdir()] == ["t.jsonl"]


@pytest.mark.slow
def test_the_command(files, tmp_path, tengen):
    (tmp_path / "t.jsonl").write_bytes(files["reversi"].read_bytes())
    code, out, err = tengen("report", "t.jsonl", "--markdown", "t.md")
    assert (code, err) == (0, "")
    assert re.fullmatch(r"t\.html \(\d+ kB\), t\.md \(\d kB\); games: 6, with a replay: 6\n", out)
    assert tengen("report", "nothing.jsonl") == (2, "", "tengen: there is no tournament file nothing.jsonl\n")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["t.jsonl", "t.html", "t.md"]


@pytest.mark.slow
@pytest.mark.parametrize("found", [True, False])
def test_the_page_is_opened_in_the_browser_if_there_is_one(found, files, tmp_path, tengen, monkeypatch):
    opened = []
    monkeypatch.setattr(webbrowser, "open", lambda address: opened.append(address) or found)
    (tmp_path / "a b.jsonl").write_bytes(files["reversi"].read_bytes())
    code, out, err = tengen("report", "a b.jsonl", "--open")
    assert (code, err, opened) == (0, "", [(tmp_path / "a b.html").as_uri()])
    assert out.splitlines()[1:] == [] if found else [f"no browser was found here; the page is {tmp_path / 'a b.html'}"]
    tengen("report", "a b.jsonl")
    assert len(opened) == 1
