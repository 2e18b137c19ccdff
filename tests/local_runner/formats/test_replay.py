"""`tengen replay`: the list of a file's games, a game in the terminal, and the files that it writes."""

import pytest

from local_runner.formats import GameFile, read_path
from local_runner.formats.replaying import table_of
from local_runner.formats.saved_game import Turn, UncheckedGame
from local_runner.game.setup import GameSetup
from tests.local_runner.formats.making import DATA
from tests.local_runner.matches.small import text_of
from tests.local_runner.server.page.games import data_of

BOARD = (DATA / "replayed.txt").read_text("utf-8")
DAMAGED = "damaged: line 1: ply 3, b2, cannot be played: b2 holds a stone of Black's\n"


@pytest.mark.parametrize(("moves", "code", "more"), [(("b2a1",), 0, ""), (("b2a1c3", "--ply", 2), 0, ""),
                                                     (("b2a1b2",), 2, DAMAGED)])  # fmt: skip
def test_moves_are_shown_as_a_board(moves, code, more, tengen):
    assert tengen("replay", *moves) == (code, BOARD + more, "")


def test_a_game_of_the_site_is_shown(tengen):
    code, out, _err = tengen("replay", DATA / "site_reversi.json")
    assert (code, "Black wins: full board, 51 to 49" in out, "● Black  51" in out) == (0, True, True)
    assert " pass " in out and "91" in out


def test_the_games_of_a_file_are_listed_and_one_is_shown(tengen, tmp_path):
    both = tmp_path / "both.json"
    both.write_text((DATA / "site_gobang.json").read_text() + (DATA / "site_reversi.json").read_text())
    code, out, _err = tengen("replay", both)
    lines = [line.split() for line in out.splitlines()]
    assert code == 0 and lines[0] == ["number", "Black", "White", "result", "plies", "game"]
    assert [(line[0], line[-1]) for line in lines if line and line[0].isdigit()] == [
        ("1", "gobang_1v1"), ("2", "reversi_1v1")
    ]  # fmt: skip
    assert "5 in a row" in tengen("replay", both, "--game", 1)[1]
    assert tengen("replay", both, "--game", 3) == (2, "", "tengen: there is no game 3; the file has 2\n")


def test_one_game_is_written_in_every_format(tengen, tmp_path):
    endings = ("sgf", "json", "psq", "txt", "svg", "png", "html")
    wanted = [word for ending in endings for word in ("--out", f"new.{ending}")]
    code, out, err = tengen("replay", DATA / "site_gobang.json", *wanted)
    assert (code, err) == (0, "")
    assert out.splitlines() == [f"written: new.{ending}" for ending in endings]
    cells = read_path(DATA / "site_gobang.json").game(0).cells
    assert all(read_path(tmp_path / f"new.{ending}").game(0).cells == cells for ending in endings[:4])
    assert all((tmp_path / f"new.{ending}").stat().st_size > 1000 for ending in endings[4:])


def test_a_list_keeps_the_whole_result_and_names_the_colours_in_chinese(tengen, tmp_path):
    ending = "Black gave no answer within 0.25 s of 0.2 s; killed"
    game = UncheckedGame(GameSetup("gobang_1v1"), [Turn((7, 7))], ("a", "b"), 2, ending)
    lost = GameFile("moves", [game, game], lambda game: game)
    assert f"White wins: {ending}" in text_of(table_of(lost, 2))
    (tmp_path / "two.txt").write_text("h8\nh8i9\n")
    assert "1   黑方  白方  未结束     1  五子棋" in tengen("--lang", "zh", "replay", "two.txt")[1]


def test_a_long_list_shows_its_first_games(tengen, tmp_path, monkeypatch):
    monkeypatch.setattr("local_runner.formats.replaying.MOST_LISTED", 2)
    (tmp_path / "five.txt").write_text("h8\nh8i9\n" * 2 + "h8\n")
    lines = tengen("replay", "five.txt")[1].splitlines()
    assert [line.split()[0] for line in lines[-4:]] == ["1", "2", "and", "read:"]
    assert lines[-2:] == ["and 3 more games", "read: 5 games from 5 lines of text"]


def test_a_page_of_all_games_of_a_file_names_those_that_it_leaves_out(tengen, tmp_path):
    games = ("(;GM[4]PB[first];B[hh])", "(;GM[1];B[aa])", "(;GM[2]PB[third];B[fe];W[aa])")
    (tmp_path / "games.sgf").write_text("\n".join(games))
    code, out, _err = tengen("replay", "games.sgf", "--html", "page.html")
    assert code == 2
    assert out.splitlines() == [
        "game 2: this is no game of gobang (GM[4]) or Othello (GM[2]), but GM[1]; if it is one, name it by --env",
        "game 3: line 3: ply 2, a1, cannot be played: a1 turns no disc over",
        "written: page.html",
    ]
    page = (tmp_path / "page.html").read_text()
    assert "<title>games.sgf</title>" in page and '"first"' in page and '"third"' in page
    assert tengen("replay", "games.sgf", "--game", 1, "--html", "one.html") == (0, "written: one.html\n", "")
    assert '"third"' not in (tmp_path / "one.html").read_text()


@pytest.mark.parametrize("option", ["--out", "--html"])
def test_the_file_of_games_is_not_replaced(option, tengen, tmp_path):
    (tmp_path / "games.html").write_text("b2a1")
    sentence = f"games.html is the file that is read; give {option} another file"
    assert tengen("replay", "games.html", option, "games.html") == (2, "", f"tengen: {sentence}\n")
    assert (tmp_path / "games.html").read_text() == "b2a1"


def test_the_game_of_the_moves_may_be_given(tengen):
    out = tengen("replay", "f5d6", "--env", "gobang_1v1", "--board-size", 9)[1]
    assert "● Black  1\n○ White  1\n" in out and " i" in out.splitlines()[0]


@pytest.mark.parametrize(("option", "language", "out", "locale"), [
    ((), "", "--html", "C"), ((), "", "--out", "zh_CN.UTF-8"), (("--lang", "en"), "en", "--html", "zh_CN.UTF-8"),
    (("--lang=zh",), "zh", "--out", "C"),
])  # fmt: skip
def test_a_page_is_in_the_language_that_is_asked_for(option, language, out, locale, tengen, tmp_path, monkeypatch):
    """Without --lang, the browser's language counts, not the locale of the machine that writes the page."""
    monkeypatch.setenv("LC_ALL", locale)
    assert tengen(*option, "replay", "b2a1c3", out, "page.html")[0] == 0
    assert data_of((tmp_path / "page.html").read_text("utf-8"))["language"] == language


def test_stones_from_which_the_referee_cannot_begin_are_shown(tengen):
    code, out, err = tengen("replay", "(;GM[4]SZ[3]AB[bb][aa][ca];W[cc])")
    assert (code, out.splitlines()[1:4]) == (2, [" 1 ● · ● 1", " 2 · ● · 2", " 3 · · · 3"])
    assert "remove stones until Black has as many as White" in err
