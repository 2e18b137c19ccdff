"""The site's logs, books, and the games of matches and tournaments, from their JSON, their files and their bytes."""

import gc
import json
from contextlib import nullcontext
from dataclasses import replace

import pytest

from local_runner.formats import Heading, from_session, read, read_path
from local_runner.formats.writing import write
from local_runner.game.codec import as_json
from local_runner.game.session import GameSession
from local_runner.game.setup import GameSetup
from local_runner.matches.games import Games, resume
from local_runner.matches.openings.books import SHIPPED
from local_runner.matches.openings.books import read as read_openings
from local_runner.matches.plan import match_plan
from local_runner.matches.reports import match_report
from local_runner.matches.run import play_match
from local_runner.server.games import OpenedFiles
from tests.local_runner.formats.making import DATA, TIGER, game_of, played, site_log
from tests.local_runner.matches.small import plan_of


def test_the_sites_log_of_reversi_with_a_pass():
    found = read_path(DATA / "site_reversi.json")
    assert found.listed() == [Heading(("Black", "White"), 1, "full board, 51 to 49", 97, "reversi_1v1")]
    game = found.game(0)
    log = json.loads((DATA / "site_reversi.json").read_text())
    given = [tuple(step["info_after"]["action"]) if "info_after" in step else None for step in log["steps"]]
    assert (list(game.cells), given.index(None), game.damage) == (given, 94, "")
    assert (game.winner, game.ending) == (1, "full board, 51 to 49")
    session = GameSession(game.setup, cells=game.cells)
    assert session.env.check_win() == log["winner"]
    assert {str(key): value for key, value in session.env.won.items()} == log["winner_information"]


@pytest.mark.parametrize(("head", "between", "end"), [
    ("", "", ""), ("", "\n", ""), ("", "\n\n  ", ""), ("", ",", ""), ("[\n", ",\n ", "]"),
])  # fmt: skip
def test_several_logs_in_one_file_or_in_a_json_list(head, between, end):
    texts = [(DATA / name).read_text() for name in ("site_gobang.json", "site_reversi.json", "site_gobang.json")]
    found = read("202603011020_gobang_1v1.json", f"{head}{between.join(texts)}{end}".encode())
    assert [heading.env for heading in found] == ["gobang_1v1", "reversi_1v1", "gobang_1v1"]
    assert ([game.damage for game in found.games()], found.problem) == ([""] * 3, "")


def test_the_winner_that_the_platform_pays_for_a_full_board():
    session = next(session for seed in range(100) if (session := played(GameSetup("tictactoe_1v1"), seed)).env
                   .check_win() == 0)  # fmt: skip
    game = game_of(json.dumps(site_log(session)))
    assert (game.winner, game.damage) == (1, "")
    assert "which the platform pays to the last mover" in game.ending


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
    monkeypatch.delattr("local_runner.formats.file_format.checked")
    assert len(read("games", text * 50)) == 50


# ---- matches and tournaments


@pytest.fixture(scope="module")
def match(tmp_path_factory):
    plan = match_plan(plan_of("greedy", "random").agents, plan_of("greedy", "random", env="reversi_8x8_1v1").terms, 2)
    plan = replace(plan, book=((), tuple(TIGER)), start_first=False)
    return plan, list(play_match(Games(plan), log_dir=tmp_path_factory.mktemp("logs")))


def text_of(match):
    return json.dumps(as_json(match_report(*match, None)), indent=1).encode()


def test_the_json_of_a_match(match):
    found = read("match.json", text_of(match))
    assert [heading.names for heading in found] == [("greedy", "random"), ("random", "greedy")]
    for game, record in zip(found.games(), match[1], strict=True):
        assert game.cells == record.cells
        assert (game.winner, game.damage, game.setup.seed) == (record.winner, "", record.seed)
        assert len(game.seconds) == len(game.cells)
        assert all(seconds > 0 for seconds in game.seconds[len(game.setup.opening) :])


def test_the_page_says_that_a_file_is_cut_off_although_its_only_game_is_whole(match):
    """The page shows the only game of a file at once, without the list above which the damage stands."""
    opened = OpenedFiles({})
    found = opened.games(file := opened.add("match.json", text_of(match)[:-2000]))[1]
    assert len(found) == 1 and "breaks off" in found.problem and found.game(0).cells and not found.game(0).damage
    assert opened.game(file, 0).damage == found.problem
    guessed = opened.add("x.sgf", "(;GM[4]PB[黑方];B[hh])".encode("gbk"))
    assert "read as GB18030" in opened.game(guessed, 0).damage


@pytest.mark.parametrize("way", ["bytes", "path", "while it is written"])
def test_a_tournaments_file(tournament, way):
    path, session = tournament
    before = path.read_bytes()
    with resume(path) if way == "while it is written" else nullcontext():
        found = read("pool.jsonl", before) if way == "bytes" else read_path(path)
    assert [heading.names for heading in found] == [("greedy", "random"), ("random", "greedy")]
    for game in found.games():
        assert (list(game.cells), game.winner, game.damage) == (session.cells, session.result.winner, "")
        assert game.setup.opening == tuple(TIGER)
        assert game.seconds == (None,) * 5 + (0.25,) * (len(session.cells) - 5)
        assert game.thoughts[5] == {"depth": 3}
    assert path.read_bytes() == before
