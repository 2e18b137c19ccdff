"""Connect Four as a new game: one file of rules, one agent and one line of registration let every command play it."""

import json
import re
import shutil
from pathlib import Path

import pytest

from env_adapter import kinds, register, registry
from local_runner.agents.declared_games import in_words
from local_runner.errors import RunnerError
from local_runner.formats import from_session, read_path, writing
from local_runner.game.board_data import board_of, moves_of
from local_runner.game.session import GameSession
from local_runner.game.setup import GameSetup, title
from local_runner.server.games import shown_position
from local_runner.server.services import game_kinds
from local_runner.server.wire import PagePosition
from tests.trial_game.connect_four import KIND

ENV = "connect_four_1v1"
AGENT = str(Path(__file__).parent / "agent" / "submission.py")
WON = ((5, 3), (5, 0), (4, 3), (5, 1), (3, 3), (5, 5), (2, 3))  # Black's column d


@pytest.fixture(autouse=True)
def registered(monkeypatch):
    monkeypatch.setattr(registry, "KINDS", {kind.name: kind for kind in kinds()})
    register(KIND)


def session():
    return GameSession(GameSetup(ENV, rules="stated"), cells=WON)


def test_a_match_with_json_and_logs(tengen, tmp_path):
    code, out, err = tengen("match", AGENT, AGENT, "--env", ENV, "--games", 2, "--json", "--out", tmp_path / "logs")
    assert code == 0, err
    assert json.loads(out) and re.search("4 in a row|full board", out)
    logs = sorted((tmp_path / "logs").glob("*.json"))
    assert len(logs) == 2
    for log in logs:
        code, out, err = tengen("replay", log)
        assert code == 0 and re.search(r"a +b +c +d +e +f +g\n", out), err


@pytest.mark.slow
def test_a_tournament_its_report_and_its_replay(tengen, tmp_path):
    file, page = tmp_path / "games.jsonl", tmp_path / "page.html"
    other = shutil.copytree(Path(AGENT).parent, tmp_path / "other") / "submission.py"
    code, _out, err = tengen("tournament", AGENT, other, "--env", ENV, "--rounds", 1, "--out", file, "--jobs", 1)
    assert code == 0, err
    assert tengen("report", file, "--html", page)[0] == 0 and ENV in page.read_text("utf-8")
    code, out, err = tengen("replay", file, "--game", 1)
    assert code == 0 and re.search(r"a +b +c +d +e +f +g\n", out), err
    assert tengen("replay", file, "--html", tmp_path / "games.html")[0] == 0


def test_a_human_plays(play):
    code, out = play(AGENT, "--env", ENV, typed=["a1", "d6", "1", "hint", "moves", "save", "q"])
    assert code == 0
    assert "a1 has no stone below it" in out
    assert "choices: 0: " in out and "our engine does not play connect_four_1v1" in out
    assert "pass; happens by itself" not in out


def test_an_illegal_move_is_explained():
    assert "has no stone below it; legal: " in GameSession(GameSetup(ENV)).why_not((0, 0))
    assert "holds a stone of Black's" in GameSession(GameSetup(ENV), cells=WON[:1]).why_not(WON[0])


def test_what_the_page_gets():
    board, moves = board_of(GameSetup(ENV)), moves_of(GameSetup(ENV), WON)
    assert (board["rows"], board["cols"], board["kind"], board["in_a_row"]) == (6, 7, "squares", 4)
    assert not board["turns_discs"] and not board["all_free_legal"]
    assert moves["winner"] == 1 and sorted(moves["line"]) == [17, 24, 31, 38] and moves["turned"] == []
    assert len(moves_of(GameSetup(ENV), ())["legal"]) == 7
    with pytest.raises(ValueError, match="cannot play"):
        moves_of(GameSetup(ENV), [(0, 0)])


def test_the_page_shows_positions_of_it():
    welcome = {kind["env"]: kind for kind in game_kinds({})}[ENV]
    assert (welcome["rows"], welcome["cols"], welcome["title"], welcome["agents"]) == (6, 7, "Connect Four", [])
    _board, moves, problem = shown_position(PagePosition(env=ENV, moves=[38, 31]))
    assert not problem and moves["to_move"] == 1 and 24 in moves["legal"]
    assert "has no stone below it" in shown_position(PagePosition(env=ENV, moves=[0]))[2]
    stones = [0] * 42
    stones[0] = 1
    assert "cannot be set up" in shown_position(PagePosition(env=ENV, stones=stones, first=2, moves=[]))[2]


@pytest.mark.parametrize("ending", ["json", "txt", "svg", "png", "html"])
def test_files(ending, tmp_path):
    path = tmp_path / f"{ENV}.{ending}"
    path.write_bytes(writing.write(from_session(session()), ending))
    if ending in ("json", "txt"):
        game = read_path(path).game(0)
        assert (game.setup.env, game.cells, game.winner, game.damage) == (ENV, WON, 1, "")


@pytest.mark.parametrize("ending", ["sgf", "psq"])
def test_files_of_other_programs_do_not_have_it(ending):
    with pytest.raises(RunnerError, match=r"give a file ending with \.json"):
        writing.write(from_session(session()), ending)


def test_its_names():
    assert title(ENV) == "Connect Four" and in_words([ENV]) == "connect_four_1v1 (6x7 only)"


def test_it_is_listed(tengen):
    assert re.search(r"connect_four_1v1 +6x7 +4 in a row", tengen("games")[1])
