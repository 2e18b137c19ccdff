"""Files of each format are read: the specimens in data/, and texts written by hand."""

import gc
import json
from pathlib import Path

import pytest

from local_runner.formats import Heading, from_session, read, read_path
from local_runner.formats.writing import write
from local_runner.game.session import GameSession
from local_runner.game.setup import GameSetup
from local_runner.matches.openings.books import SHIPPED
from local_runner.matches.openings.books import read as read_openings
from tests.local_runner.formats.making import TIGER, game_of, played, site_log

DATA = Path(__file__).parent / "data"


# ---- logs


def test_the_sites_log_of_reversi_with_a_pass():
    found = read_path(DATA / "site_reversi.json")
    assert list(found) == [Heading(("Black", "White"), 1, "full board, 51 to 49", 97, "reversi_1v1")]
    game = found.game(0)
    log = json.loads((DATA / "site_reversi.json").read_text())
    given = [tuple(step["info_after"]["action"]) if "info_after" in step else None for step in log["steps"]]
    assert (list(game.cells), given.index(None), game.damage) == (given, 94, "")
    assert (game.winner, game.ending) == (1, "full board, 51 to 49")
    session = GameSession(game.setup, cells=game.cells)
    assert session.env.check_win() == log["winner"]
    assert {str(key): value for key, value in session.env.won.items()} == log["winner_information"]


def test_the_sites_log_of_gobang():
    game = read_path(DATA / "site_gobang.json").game(0)
    assert game.cells[::2] == ((7, 7), (7, 8), (7, 9), (7, 10), (7, 11))
    assert (game.winner, game.ending, game.damage) == (1, "5 in a row from h8 to l8", "")
    assert game.setup == GameSetup("gobang_1v1", seed=7)


@pytest.mark.parametrize(("head", "between", "end"), [
    ("", "", ""), ("", "\n", ""), ("", "\n\n  ", ""), ("", ",", ""), ("[\n", ",\n ", "]"),
])  # fmt: skip
def test_several_logs_in_one_file_or_in_a_json_list(head, between, end):
    texts = [(DATA / name).read_text() for name in ("site_gobang.json", "site_reversi.json", "site_gobang.json")]
    found = read("202603011020_gobang_1v1.json", f"{head}{between.join(texts)}{end}".encode())
    assert [heading.env for heading in found] == ["gobang_1v1", "reversi_1v1", "gobang_1v1"]
    assert ([game.damage for game in found.games()], found.problem) == ([""] * 3, "")


def test_a_log_without_its_game():
    log = json.loads((DATA / "site_reversi.json").read_text())
    game = game_of(json.dumps({"steps": log["steps"], **log})[:5000])
    assert (game.setup.env, len(game.cells) > 20) == ("reversi_1v1", True)
    assert game.damage.endswith("the log does not name its game; it was taken for reversi_1v1")


def test_the_winner_that_the_platform_pays_for_a_full_board():
    session = next(session for seed in range(100) if (session := played(GameSetup("tictactoe_1v1"), seed)).env
                   .check_win() == 0)  # fmt: skip
    game = game_of(json.dumps(site_log(session)))
    assert (game.winner, game.damage) == (1, "")
    assert "which the platform pays to the last mover" in game.ending


# ---- move strings


@pytest.mark.parametrize(("text", "env", "size", "cells"), [
    ("h8h9i9", "gobang_1v1", 15, [(7, 7), (8, 7), (8, 8)]), ("f5d6c3d3c4", "reversi_8x8_1v1", 8, TIGER),
    ("F5D6C3 d3, c4", "reversi_8x8_1v1", 8, TIGER), ("g6", "reversi_1v1", 10, [(5, 6)]),
    ("f5", "reversi_8x8_1v1", 8, [(4, 5)]), ("t20a1", "gobang_1v1", 20, [(19, 19), (0, 0)]),
    ("f5f5", "gobang_1v1", 15, [(4, 5)]),  # too short to be Reversi for sure
    ("z26", "gobang_1v1", 26, [(25, 25)]), ("b2a1c3", "tictactoe_1v1", 3, [(1, 1), (0, 0), (2, 2)]),
    ("# the Tiger\n\nf5d6c3d3c4  # and more", "reversi_8x8_1v1", 8, TIGER),
])  # fmt: skip
def test_which_game_a_move_string_is_of(text, env, size, cells):
    game = game_of(text)
    assert (game.setup.env, game.setup.make().board_height, list(game.cells)) == (env, size, cells)


def test_the_caller_or_the_files_name_says_the_game_and_every_line_of_a_book_is_a_game():
    assert game_of("f5d6c3", GameSetup("gobang_1v1")).setup.env == "gobang_1v1"
    assert game_of("f5d6c3", name="gomoku_11x11_1v1_test.pos").setup.env == "gomoku_11x11_1v1"
    assert len(read("mine.pos", b"h8\ni8\ni9\n")) == 3


@pytest.mark.parametrize("env", ["gobang_1v1", "reversi_8x8_1v1"])
def test_a_book_of_openings_is_a_file_of_games(env):
    path = SHIPPED / f"{env}_test.pos"
    found = read_path(path)
    assert len(found) == len(openings := read_openings(path, GameSetup(env)))
    assert [found.game(number).cells for number in range(0, len(found), 20)] == openings[::20]
    assert {heading.env for heading in found} == {env}


@pytest.mark.slow
def test_the_copy_of_a_tournament_goes_with_its_games(tournament):
    found = read("pool.jsonl", tournament[0].read_bytes())
    path = found.path
    assert path.is_file() and path.parent.parent != tournament[0].parent and found.game(0).cells
    del found
    gc.collect()
    assert not path.parent.exists()


@pytest.mark.parametrize("ending", ["site", "json", "sgf", "txt"])
def test_a_long_file_is_opened_without_playing_its_games(ending, monkeypatch):
    session = played(GameSetup("reversi_8x8_1v1"), 1, 30)
    text = json.dumps(site_log(session)).encode() if ending == "site" else write(from_session(session), ending)
    monkeypatch.delattr(GameSession, "__init__")
    assert len(read("games", text * 50)) == 50
