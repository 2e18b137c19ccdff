"""Files of a report: an invalid input or output is an error message, and nothing is written."""

import re
import sqlite3
import webbrowser
import zlib

import pytest

from local_runner.errors import RunnerError
from local_runner.html import report


def _spoil(statement, *values):
    def spoil(path):
        with sqlite3.connect(path) as database:
            database.execute(statement, values)

    return spoil


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (lambda path: path.unlink(), "there is no tournament file"),
        (lambda path: path.write_text("no database " * 100), "is no tournament file"),
        (lambda path: path.write_bytes(path.read_bytes()[:20000]), "damaged"),
        (_spoil("UPDATE games SET details = ? WHERE number = 5", b"noise"), "the record of game 5 cannot be read"),
        (
            _spoil("UPDATE games SET details = ? WHERE number = 5", zlib.compress(b"{}")),
            "record of game 5 cannot",
        ),
        (_spoil("UPDATE games SET moves = '9,9' WHERE number = 5"), "number 5"),
        (_spoil("UPDATE games SET moves = '1,1 1,1' WHERE number = 5"), "number 5"),
        (_spoil("UPDATE games SET moves = 'a' WHERE number = 5"), "number 5"),
    ],
)
def test_a_damaged_file_is_said_and_nothing_written(spoil, sentence, files, tmp_path):
    path = tmp_path / "t.db"
    path.write_bytes(files["tictactoe"].read_bytes())
    spoil(path)
    with pytest.raises(RunnerError, match=sentence):
        report.write(path, tmp_path / "t.html", tmp_path / "t.md")
    assert not list(tmp_path.glob("*.html")) and not list(tmp_path.glob("*.md"))


@pytest.mark.parametrize(
    ("out", "short", "sentence"),
    [
        ("t.db", None, "is the file that is read; give --out another file"),
        ("t.html", "./t.db", "is the file that is read; give --markdown another file"),
        ("t.html", "t.html", "cannot both be"),
        (".", None, "it is a folder; give --out another file"),
        ("t.html", "t.db/x.md", "is no folder; give --markdown another file"),
        ("nowhere/t.html", None, "there is no folder .*nowhere; give --out another file"),
        ("t.html", "nowhere/t.md", "there is no folder .*nowhere; give --markdown another file"),
    ],
)
def test_a_place_that_cannot_be_written(out, short, sentence, files, tmp_path):
    (tmp_path / "t.db").write_bytes(files["tictactoe"].read_bytes())
    with pytest.raises(RunnerError, match=sentence):
        report.write(tmp_path / "t.db", tmp_path / out, tmp_path / short if short else None)
    assert (tmp_path / "t.db").read_bytes() == files["tictactoe"].read_bytes()
    assert [path.name for path in tmp_path.iterdir()] == ["t.db"]


@pytest.mark.slow
def test_the_command(files, tmp_path, tengen):
    (tmp_path / "t.db").write_bytes(files["reversi"].read_bytes())
    code, out, err = tengen("report", "t.db", "--markdown", "t.md")
    assert (code, err) == (0, "")
    assert re.fullmatch(r"t\.html \(\d+ kB\), t\.md \(\d kB\); games: 6, with a replay: 6\n", out)
    assert tengen("report", "nothing.db") == (2, "", "tengen: there is no tournament file nothing.db\n")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["t.db", "t.html", "t.md"]


@pytest.mark.slow
@pytest.mark.parametrize("found", [True, False])
def test_the_page_is_opened_in_the_browser_if_there_is_one(found, files, tmp_path, tengen, monkeypatch):
    opened = []
    monkeypatch.setattr(webbrowser, "open", lambda address: opened.append(address) or found)
    (tmp_path / "a b.db").write_bytes(files["reversi"].read_bytes())
    code, out, err = tengen("report", "a b.db", "--open")
    assert (code, err, opened) == (0, "", [(tmp_path / "a b.html").as_uri()])
    assert out.splitlines()[1:] == [] if found else [f"no browser was found here; the page is {tmp_path / 'a b.html'}"]
    tengen("report", "a b.db")
    assert len(opened) == 1
