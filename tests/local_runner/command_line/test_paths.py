"""Paths that cannot be read or written: one sentence, before a game is played."""

import io
import os
import sys

import pytest
from rich.console import Console

from local_runner.matches import screens
from local_runner.play import prompt

pytestmark = pytest.mark.skipif(os.name != "posix", reason="named pipes and symbolic links")

LONG = "x" * 300
MATCH = "match greedy random --env tictactoe_1v1 --games 1"
TOURNAMENT = "tournament greedy random --env tictactoe_1v1"
UNREADABLE = {  # a command up to its path -> what the sentence says of a link to nowhere, a pipe, a folder, a long name
    "replay": ("is no file", "it is a pipe", "Is a directory", "is no file"),
    "analyse": ("is no file", "it is a pipe", "Is a directory", "is no file"),
    "play greedy --resume": ("No such file", "it is a pipe", "Is a directory", "File name too long"),
    "match greedy random --env reversi_1v1 --board": ("No such", "it is a pipe", "Is a directory", "name too long"),
    f"{MATCH} --openings": ("unknown book", "it is a pipe", "Is a directory", "unknown book"),
    "report": ("there is no tournament", "there is no tournament", "is a folder", "File name too long"),
    "tournament --resume": ("there is no tournament", "there is no", "is a folder", "File name too long"),
    "check": ("is a link to nowhere", "is no file that can be read", "has no submission.py", "there is no file"),
    "match greedy": ("is a link to nowhere", "is no file that", "has no submission.py", "unknown agent"),
    "bundle --source": (*["holds no submission.py"] * 3, "File name too long"),
}
UNWRITABLE = {  # a command up to its path -> what the sentence says of a folder, a missing folder, a pipe, a long name
    f"{MATCH} --json": ("it is a folder", "there is no folder nodir", "it is a pipe", "File name too long"),
    "analyse h8 --json": ("it is a folder", "there is no folder nodir", "it is a pipe", "File name too long"),
    "games --json": ("it is a folder", "there is no folder nodir", "it is a pipe", "File name too long"),
    f"{TOURNAMENT} --out pool --json": ("it is a folder", "there is no folder", "it is a pipe", "name too long"),
    "replay f5d6c3 --html": ("it is a folder", "there is no folder nodir", "it is a pipe", "File name too long"),
    "proof --html": ("it is a folder", "there is no folder nodir", "it is a pipe", "File name too long"),
    "bundle --out": ("Is a directory", None, "it is a pipe", "File name too long"),
    f"{TOURNAMENT} --out": ("Is a directory", "No such file", "exists and is not empty", "File name too long"),
}


@pytest.fixture
def places(tmp_path):
    (tmp_path / "broken").symlink_to("nowhere")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    return tmp_path


@pytest.mark.parametrize("command", UNREADABLE)
def test_what_cannot_be_read(command, tengen, places):
    after = {"match greedy": ["--env", "tictactoe_1v1"]}.get(command, [])
    for name, said in zip(("broken", "pipe", "folder", LONG), UNREADABLE[command], strict=True):
        code, _, err = tengen(*command.split(), name, *after)
        assert (code, err.count("\n")) == (2, 1) and err.startswith("tengen: ") and said in err, (name, err)


@pytest.mark.parametrize("command", UNWRITABLE)
def test_what_cannot_be_written(command, tengen, places):
    words = command.split()
    for name, said in zip(("folder", "nodir/x.json", "pipe", f"{LONG}.json"), UNWRITABLE[command], strict=True):
        if said is None:
            continue
        given = [f"{words[-1]}={name}"] if words[-1] == "--json" else [words[-1], name]
        code, _, err = tengen(*words[:-1], *given)
        assert (code, err.count("\n")) == (2, 1) and err.startswith("tengen: ") and said in err, (name, err)
        assert not (places / "nodir").exists()


@pytest.mark.parametrize("command", [f"{MATCH} --out", "run-log --black greedy --white random --out"])
@pytest.mark.parametrize("name", ["broken", "broken/deeper", "round"])
def test_a_folder_behind_a_link_to_nowhere(command, name, tengen, places):
    (places / "round").symlink_to("round")
    code, _, err = tengen(*command.split(), name)
    link = name.partition("/")[0]
    assert (code, err) == (2, f"tengen: cannot write {name}: {link} is a link to nowhere; choose another --out\n")


@pytest.mark.slow
@pytest.mark.parametrize("ended", [None, KeyboardInterrupt])
def test_a_tournament_whose_file_goes_is_not_to_be_resumed(ended, tengen, tmp_path, monkeypatch):
    def observed(screen, game):
        ending(screen, game)
        if game.number == 2:
            (tmp_path / "a.jsonl").unlink()
            if ended:
                raise ended

    ending = screens.TournamentScreen.ended
    monkeypatch.setattr(screens.TournamentScreen, "ended", observed)
    code, _, err = tengen(*TOURNAMENT.split(), "--rounds", 5, "--jobs", 1, "--quiet", "--out", "a.jsonl")
    assert code == 2 and "--resume" not in err
    assert err.splitlines()[0] == "tengen: the tournament was interrupted after 2 of at most 10 games"
    assert err.splitlines()[1].startswith("tengen: a.jsonl was removed")


def test_serve_says_which_file_cannot_be_watched(tengen, tmp_path, monkeypatch):
    (tmp_path / "results.txt").write_text("1-0\n" * 99)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    code, _, err = tengen("serve", "results.txt", "no.jsonl", "--no-open")
    assert (code, err.count("\n")) == (2, 1)
    assert "results.txt is no tournament's file" in err and "there is no tournament file no.jsonl" in err


def test_a_long_game_may_be_an_argument(tengen):
    """The text of the moves is longer than a file's name may be."""
    cells = [f"{column}{row}" for row in (1, 3, 2, 4, 6, 5, 7, 9) for column in "acegikmobdfhjln"]
    code, out, _ = tengen("replay", "".join(cells[:110]), "--out", "game.txt")
    assert "File name too long" not in out and "written: game.txt" in out and code in (0, 2)


def test_a_closed_input_is_the_end_of_the_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(prompt.Left):
        prompt.ask(Console(file=io.StringIO()), "move? ")
