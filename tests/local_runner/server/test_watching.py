"""Tournaments as the page watches them: while they are played, after their end, and with faults."""

import json
import time

import pytest

from local_runner.agents.spec import parse_agent
from local_runner.game.setup import GameSetup
from local_runner.language.languages import speaking
from local_runner.matches import live
from local_runner.matches.executor import LocalExecutor
from local_runner.matches.live import STALE_SECONDS, games_now, live_path
from local_runner.matches.plan import Plan, Terms
from local_runner.matches.run import open_or_create, run
from local_runner.matches.schedule import Schedule
from local_runner.matches.statistics.sprt import Sprt
from local_runner.server.jobs import WatchedFile
from local_runner.terminal.progress import Playing


def test_the_standings_are_those_of_the_games(played):
    watched = WatchedFile(played, played.name)
    assert watched.changed() and not watched.changed()
    with speaking("en"):
        seen = watched.look()
    assert (seen["played"], seen["planned"], seen["running"], seen["faults"]) == (6, 6, False, 0)
    assert [row["rank"] for row in seen["standings"]] == [1, 2, 3] and seen["standings"][0]["name"] == "greedy"
    assert all(row["games"] == row["won"] + row["drawn"] + row["lost"] == 4 for row in seen["standings"])
    assert all(row["error"] > 0 for row in seen["standings"]) and seen["test"] is None
    assert [game["number"] for game in seen["games"]] == list(reversed(range(6)))
    assert watched.look()["played"] == 6  # nothing is counted twice
    tallies = {row["name"]: (row["won"], row["drawn"], row["lost"]) for row in seen["standings"]}
    assert [tuple(map(sum, zip(*row, strict=True))) for row in seen["against"]] == list(tallies.values())
    assert [[sum(tally) for tally in row] for row in seen["against"]] == [[0, 2, 2], [2, 0, 2], [2, 2, 0]]
    assert len(WatchedFile(played, played.name, most=2).look()["games"]) == 2 and seen["left"] == ""


@pytest.mark.parametrize(("language", "title"), [
    ("en", "pool.jsonl: Tic-tac-toe, stated rules"), ("zh", "pool.jsonl：井字棋，书面规则"),
])  # fmt: skip
def test_the_title_names_game_and_rules(language, title, played):
    with speaking(language):
        assert WatchedFile(played, played.name).look()["title"] == title


@pytest.mark.slow
def test_a_test_has_a_curve(tmp_path):
    agents = (parse_agent("greedy"), parse_agent("random"))
    plan = Plan(agents, Terms(GameSetup("tictactoe_1v1", "stated")), Schedule.GAUNTLET, 2, sprt=Sprt(0, 10))
    with LocalExecutor(1) as executor, open_or_create(tmp_path / "test.jsonl", plan, new=True) as store:
        run(store, executor)
    seen = WatchedFile(tmp_path / "test.jsonl", "test.jsonl").look()
    assert (seen["test"]["elo0"], seen["test"]["elo1"]) == (plan.sprt.elo0, plan.sprt.elo1)
    assert (
        seen["planned"] is None and seen["test"]["lower"] < 0 < seen["test"]["upper"] and seen["test"]["decision"] == ""
    )
    assert [games for games, _llr in seen["test"]["curve"]] == [2, 4] and seen["test"]["curve"][-1][1] == seen["test"][
        "llr"
    ]


def test_a_tournament_that_was_stopped_is_not_finished(tmp_path, played, monkeypatch):
    agents = (parse_agent("greedy"), parse_agent("random"))
    plan = Plan(agents, Terms(GameSetup("tictactoe_1v1", "stated")), Schedule.ROUND_ROBIN, 2)
    path = tmp_path / "stopped.jsonl"
    with open_or_create(path, plan, new=True):
        pass
    live.write(path, {1: Playing("a", "b", 0.0, [])})  # as a run leaves it that was killed
    watched = WatchedFile(path, path.name)
    assert watched.changed() and not watched.changed()
    assert (watched.look()["running"], watched.look()["finished"]) == (True, False)
    late = time.time() + STALE_SECONDS + 1
    monkeypatch.setattr(time, "time", lambda: late)
    assert watched.changed() and not watched.look()["running"]
    assert WatchedFile(played, played.name).look()["finished"]


def test_running_games_are_published_and_stale_ones_ignored(tmp_path):
    path = tmp_path / "pool.jsonl"
    path.touch()
    live.write(path, {3: Playing("a", "b", 0.0, [(0, 1), None])})
    [game] = games_now(path)
    assert (game.number, game.names, game.moves) == (3, ("a", "b"), ((0, 1), None))
    text = live_path(path).read_text()
    live_path(path).write_text(text.replace("[", "[-", 1))
    assert games_now(path) == [] and STALE_SECONDS < 60
    for broken in ("", "{", "[]", '{"at": 1e20, "games": [{}]}'):
        live_path(path).write_text(broken)
        assert games_now(path) == []
    live.remove(path)
    assert not live_path(path).exists()
    live.remove(path)


def test_a_folder_that_cannot_be_written_stops_nothing(tmp_path):
    path = tmp_path / "pool.jsonl"
    path.touch()
    path.with_name("pool.jsonl.live.part").mkdir()
    live.write(path, {1: Playing("a", "b", 0.0, [])})
    live.remove(path)
    assert games_now(path) == []


def test_the_standings_of_a_tournament_that_a_page_opens(page, visit, played):
    _status, _headers, body = visit.request("POST", "/open?name=mine.jsonl", played.read_bytes())
    opened = json.loads(body)
    assert opened["kind"] == "tournament"
    page.say(type="watch", tag=3, file=opened["file"])
    seen = page.hear("watched")
    assert seen["title"].startswith("mine.jsonl: ") and len(seen["standings"]) == 3 and seen["played"] == 6
    page.say(type="stop", what="watch")
    _status, _headers, body = visit.request("POST", "/open?name=moves.txt", b"h8h9i9")
    assert "no open tournament" in page.refused(type="watch", file=json.loads(body)["file"])


def test_a_page_watches_games_that_are_published(page, played, monkeypatch):
    late = time.time() + 3600
    monkeypatch.setattr(time, "time", lambda: late)  # the file is never stale, however slow the server is
    path = played.with_name("running.jsonl")
    assert page.welcome["files"] == ["running.jsonl", "pool.jsonl"]
    live.write(path, {13: Playing("a", "b", 0.0, [(0, 1)])})
    page.say(type="watch", tag=1, file="running.jsonl")
    seen = page.hear("watched", lambda each: each["live"])
    assert seen["running"] and seen["finished"] and seen["live"][0]["names"] == ["a", "b"]
    live.write(path, {13: Playing("a", "b", 0.0, [(0, 1), (1, 1)])})
    page.hear("watched", lambda each: each["live"] and each["live"][0]["moves"]["moves"] == [1, 4])
    live.remove(path)
    page.hear("watched", lambda each: not each["running"])
    game = page.ask("answer", type="open_game", file="running.jsonl", number=seen["games"][0]["number"])
    assert len(game["moves"]["moves"]) >= 5 and len(game["seconds"]) == len(game["moves"]["moves"])
    page.say(type="stop", what="watch")
    assert "no open tournament" in page.refused(type="watch", file="../../etc/passwd")
