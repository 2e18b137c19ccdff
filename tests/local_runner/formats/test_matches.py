"""The games of matches and tournaments, from their JSON, their files and their bytes."""

import json
from dataclasses import replace

import pytest

from local_runner.formats import read, read_path
from local_runner.matches.games import resume
from local_runner.matches.match import match_plan, play_match
from local_runner.matches.reports import match_json
from local_runner.matches.run import Observer
from local_runner.server.opened_files import OpenedFiles
from tests.local_runner.formats.making import TIGER
from tests.local_runner.matches.small import plan_of


@pytest.fixture(scope="module")
def match(tmp_path_factory):
    plan = match_plan(plan_of("greedy", "random").agents, plan_of("greedy", "random", env="reversi_8x8_1v1").terms, 2)
    plan = replace(plan, book=((), tuple(TIGER)), start_first=False)
    played = []

    class Watching(Observer):
        def ended(self, game):
            played.append(game)

    play_match(plan, Watching(), log_dir=tmp_path_factory.mktemp("logs"))
    return plan, played


def test_the_json_of_a_match(match):
    plan, games = match
    found = read("match.json", json.dumps(match_json(plan, games, None), indent=1).encode())
    assert [heading.names for heading in found] == [("greedy", "random"), ("random", "greedy")]
    for game, record in zip(found.games(), games, strict=True):
        assert game.cells == record.cells
        assert (game.winner, game.damage, game.setup.seed) == (record.winner, "", record.seed)
        assert len(game.seconds) == len(game.cells)
        assert all(seconds > 0 for seconds in game.seconds[len(game.setup.opening) :])


def test_the_page_says_that_a_file_is_cut_off_although_its_only_game_is_whole(match):
    """The page shows the only game of a file at once, without the list above which the damage stands."""
    plan, games = match
    opened = OpenedFiles({})
    file, found = opened.add("match.json", json.dumps(match_json(plan, games, None), indent=1)[:-2000].encode())
    assert len(found) == 1 and "breaks off" in found.problem and found.game(0).cells and not found.game(0).damage
    assert opened.game(file, 0).damage == found.problem
    guessed, _found = opened.add("x.sgf", "(;GM[4]PB[黑方];B[hh])".encode("gbk"))
    assert "read as GB18030" in opened.game(guessed, 0).damage


@pytest.mark.parametrize("as_bytes", [True, False])
def test_a_tournaments_file(tournament, as_bytes):
    path, session = tournament
    before = path.read_bytes()
    found = read("pool.jsonl", before) if as_bytes else read_path(path)
    assert [heading.names for heading in found] == [("greedy", "random"), ("random", "greedy")]
    for game in found.games():
        assert (list(game.cells), game.winner, game.damage) == (session.cells, session.result.winner, "")
        assert game.setup.opening == tuple(TIGER)
        assert game.seconds == (None,) * 5 + (0.25,) * (len(session.cells) - 5)
        assert game.thoughts[5] == {"depth": 3}
    assert path.read_bytes() == before


def test_a_tournaments_file_while_it_is_written(tournament):
    path, _session = tournament
    with resume(path):
        assert len(read_path(path)) == 2
