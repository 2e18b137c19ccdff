"""Tournaments as the page watches them: while they are played, after their end, and with faults."""

import time
from dataclasses import replace

import pytest

from local_runner.language.languages import speaking
from local_runner.matches.games import read
from local_runner.matches.standings import STALE_SECONDS, Overview, games_now, live_path, remove_live, write_live
from local_runner.matches.statistics.sprt import Sprt
from local_runner.terminal.progress import Playing, lasting
from tests.local_runner.server.conftest import play


def test_the_standings_are_those_of_the_games(played):
    overview = Overview(read(played), played.name)
    for _time in range(2):  # reading again must not count a game twice
        seen = overview.state(500)
        overview.refresh()
    assert (seen["played"], seen["planned"], seen["running"], seen["faults"]) == (6, 6, False, 0)
    rows = seen["standings"]
    assert [row["rank"] for row in rows] == [1, 2, 3] and rows[0]["name"] == "greedy" and seen["test"] is None
    tallies = [(row["won"], row["drawn"], row["lost"]) for row in rows]
    assert all(row["error"] > 0 and row["games"] == sum(tally) == 4 for row, tally in zip(rows, tallies, strict=True))
    assert [tuple(map(sum, zip(*row, strict=True))) for row in seen["against"]] == tallies
    assert [[sum(tally) for tally in row] for row in seen["against"]] == [[0, 2, 2], [2, 0, 2], [2, 2, 0]]
    assert [game["number"] for game in seen["games"]] == list(reversed(range(6)))
    assert len(overview.state(2)["games"]) == 2 and seen["finished"] and seen["left"] == ""
    assert seen["title"] == "pool.jsonl: Tic-tac-toe, stated rules"
    with speaking("zh"):
        assert overview.state(1)["title"] == "pool.jsonl：井字棋，书面规则"


def test_a_test_has_a_curve(tmp_path):
    sprt = Sprt(0, 10)
    path = play(tmp_path / "test.jsonl", "greedy", "random", schedule="gauntlet", rounds=2, sprt=sprt)
    seen = Overview(read(path), path.name).state(1)
    test = seen["test"]
    assert (test["elo0"], test["elo1"], test["decision"]) == (sprt.elo0, sprt.elo1, "")
    assert seen["planned"] is None and test["lower"] < 0 < test["upper"]
    assert [games for games, _llr in test["curve"]] == [2, 4] and test["curve"][-1][1] == test["llr"]
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))
    assert seen["finished"] and not Overview(read(path), path.name).state(1)["finished"]


def test_the_time_left_is_told_by_the_games_that_were_played(tmp_path, played):
    path = tmp_path / "pool.jsonl"
    path.write_bytes(b"".join(played.read_bytes().splitlines(keepends=True)[:-4]))
    games = read(path)
    for game in list(games):
        games.add(replace(game, seconds=150.0))
    overview = Overview(games, path.name)
    assert len(games) == 2 and overview.state(1, 2)["left"] == lasting(4 * 150 / 2) == "5 min"
    assert overview.state(1)["left"] == ""


def test_running_games_are_published_and_stale_ones_ignored(tmp_path):
    path = tmp_path / "pool.jsonl"
    path.touch()
    write_live(path, {3: Playing("a", "b", 0.0, [(0, 1), None])})
    assert games_now(path) == {3: Playing("a", "b", 0.0, [(0, 1), None])}
    text = live_path(path).read_text()
    live_path(path).write_text(text.replace("[", "[-", 1))
    assert games_now(path) == {} and STALE_SECONDS < 60
    for broken in ("", "{", "[]", '{"at": 1e20, "games": [{}]}'):
        live_path(path).write_text(broken)
        assert games_now(path) == {}
    for _time in range(2):
        remove_live(path)
        assert not live_path(path).exists()
    live_path(path).mkdir()  # FILE.live cannot be written; the tournament must go on
    write_live(path, {1: Playing("a", "b", 0.0, [])})
    assert games_now(path) == {}


def test_the_standings_of_a_tournament_that_a_page_opens(page, visit, played):
    opened = visit.open("mine.jsonl", played.read_bytes())
    assert opened["kind"] == "tournament"
    page.say(type="watch", tag=3, file=opened["file"])
    seen = page.hear("watched")
    assert seen["title"].startswith("mine.jsonl: ") and len(seen["standings"]) == 3 and seen["played"] == 6
    with pytest.raises(TimeoutError):  # nothing has changed
        page.next(0.7)
    page.say(type="stop", what="watch")
    other = visit.open("moves.txt", b"h8h9i9")["file"]
    assert "no open tournament" in page.refused(type="watch", file=other)


def test_a_page_watches_games_that_are_published(page, played, monkeypatch):
    late = time.time() + 3600
    monkeypatch.setattr(time, "time", lambda: late)  # the file is never stale, however slow the server is
    path = played.with_name("running.jsonl")
    assert page.welcome["files"] == ["running.jsonl", "pool.jsonl"]
    write_live(path, {13: Playing("a", "b", 0.0, [(0, 1)])})
    page.say(type="watch", tag=1, file="running.jsonl")
    seen = page.hear("watched", lambda each: each["live"])
    assert seen["running"] and seen["finished"] and seen["live"][0]["names"] == ["a", "b"]
    assert seen["played"] == seen["planned"] and not seen["left"]
    write_live(path, {13: Playing("a", "b", 0.0, [(0, 1), (1, 1)])})
    assert page.hear("watched")["live"][0]["moves"]["moves"] == [1, 4]
    assert page.changes.keys() == {"type", "tag", "live"}
    remove_live(path)
    assert not page.hear("watched")["running"] and page.changes.keys() == {"type", "tag", "live", "running"}
    game = page.ask("answer", type="open_game", file="running.jsonl", number=seen["games"][0]["number"])
    assert len(game["moves"]["moves"]) == 5
    page.say(type="stop", what="watch")
    assert "no open tournament" in page.refused(type="watch", file="../../etc/passwd")
