"""The games of a tournament and their file: written games are read again, games of damaged lines are played again.

The lines themselves are tested in tests/local_runner/system/test_files.py.
"""

import json
import os
import random
import signal
import time
from dataclasses import replace

import pytest

from local_runner.errors import RunnerError
from local_runner.game.codec import as_json
from local_runner.game.records import Call, GameDetails
from local_runner.matches.games import Games, PlayedGame, create, read, resume
from local_runner.matches.plan import from_json
from local_runner.matches.run import open_or_create
from local_runner.matches.statistics.sprt import Sprt
from local_runner.system import json_lines
from tests.local_runner.matches.small import decoded, full_board, outcomes, plan_of, play_all

DETAILS = GameDetails((Call(1, 0, 1, 1, 0.5, 0.25, True, thought={"source": "二", "text": "\ud800"}),), (), 1)
GAME = PlayedGame(3, 0, 1, full_board(1), "1,1 -", 7, "here", "2026-01-01T00:00:00Z", 1.5, DETAILS)


@pytest.fixture
def begun(tmp_path):
    """The file of a tournament with games 1 to 4."""
    path = tmp_path / "t.jsonl"
    with create(path, plan_of("greedy", "random"), {"cpu": "fast"}) as games:
        for number in (2, 1, 3, 4):
            games.add(replace(GAME, number=number, seed=number))
    return path


def test_a_plan_comes_back_from_json():
    for plan in (
        plan_of("greedy", "random:seed=3"),
        plan_of("greedy", "seed004", rounds=9, schedule="swiss", book=((), ((1, 2), (0, 0))), sprt=Sprt(0, 10)),
        plan_of("greedy", "random", most_games=3),
    ):
        assert from_json(json.loads(json.dumps(as_json(plan)))) == plan


def test_what_is_kept_is_read_again(begun):
    for games in (read(begun), Games(plan_of("greedy", "random"))):
        if games.path is None:
            for number in (2, 1, 3, 4):
                games.add(replace(GAME, number=number, seed=number))
        assert games.plan == plan_of("greedy", "random") and len(games) == 4 and games.damage == []
        assert [game.number for game in games] == [1, 2, 3, 4] and games.get(5) is None
        assert [replace(game, details=games.details(game.number)) for game in games][2] == replace(GAME, seed=3)
    assert read(begun).header == {"cpu": "fast"}


def test_each_line_is_json_for_everybody(begun):
    first, *games = map(json.loads, begun.read_text("ascii").splitlines())
    assert first["plan"]["agents"][0]["name"] == "greedy" and "greedy.py" in first["agents"][0]["files"]
    assert [(game["number"], game["black"], game["winner"], game["moves"]) for game in games] == [
        (number, "greedy", 1, "1,1 -") for number in (2, 1, 3, 4)]  # fmt: skip


def test_a_reader_sees_the_games_that_are_added(begun):
    reader = read(begun)
    with resume(begun) as games:
        games.add(replace(GAME, number=5))
        games.extend(9, recover=True)
    assert [game.number for game in reader.refresh()] == [5] and reader.refresh() == [] and len(reader) == 5
    assert (reader.plan.rounds, reader.plan.recover) == (9, True) == (read(begun).plan.rounds, read(begun).plan.recover)
    with resume(begun) as games, pytest.raises(RunnerError, match="has 9 rounds, and --rounds 2 cannot take any away"):
        games.extend(2)


def test_a_line_that_changes_after_it_was_read_is_refused(begun):
    games = read(begun)
    lines = begun.read_bytes().splitlines(keepends=True)
    begun.write_bytes(b"".join([lines[0], lines[2], lines[1], *lines[3:]]))  # games 1 and 2 change places
    with pytest.raises(RunnerError, match="the line of game 1 has changed since it was read"):
        games.details(1)


@pytest.mark.parametrize("fields", [
    {"players": [0, 2]}, {"players": [-1, 0]}, {"winner": 4}, {"moves": 5}, {"number": "x"},
    {"rounds": "x"},
])  # fmt: skip
def test_a_strangers_line_that_cannot_be_read_is_named(fields, begun):
    lines = begun.read_bytes().splitlines(keepends=True)
    lines[2] = json_lines.encoded(decoded(lines[2]) | fields)
    begun.write_bytes(b"".join(lines))
    assert read(begun).damaged == [3]


def test_the_game_of_a_damaged_line_is_played_again(tmp_path, tengen):
    path = tmp_path / "t.jsonl"
    with create(path, plan_of("greedy", "random"), {}) as games:
        play_all(games, slots=1)
        before = outcomes(games)
    lines = path.read_bytes().splitlines(keepends=True)
    details, winner = lines[1].replace(b'"step":', b'"step":9'), b'"winner":%d' % decoded(lines[2])["winner"]
    forged = lines[2].replace(winner, b'"winner":3' if winner[-1:] != b"3" else b'"winner":1')
    path.write_bytes(b"".join([lines[0], details, forged, lines[3][:-9]]))
    damage = "t.jsonl is damaged in line 2, 3; `tengen tournament --resume` plays missing games again"
    assert damage in tengen("report", "t.jsonl")[2]
    code, _out, err = tengen("tournament", "--resume", "t.jsonl", "--quiet")
    assert code == 0 and damage in err
    assert "the last line of t.jsonl was not finished; its game is played again" in err
    assert len(before) == 4 and outcomes(read(path)) == before


def test_an_existing_file_is_not_begun_anew(begun, tmp_path):
    (tmp_path / "notes").write_text("precious")
    with pytest.raises(RunnerError, match="exists and is not empty; give another"):
        create(tmp_path / "notes", plan_of("greedy", "random"), {}).__enter__()
    with pytest.raises(RunnerError, match=r"go on by `tengen tournament --resume .*t.jsonl`, or give --out another"):
        create(begun, plan_of("greedy", "random"), {}).__enter__()
    assert (tmp_path / "notes").read_text() == "precious" and len(read(begun)) == 4


def first_line(**fields):
    """Change the first line, with the right hash."""

    def change(path):
        first, *lines = path.read_bytes().splitlines(keepends=True)
        path.write_bytes(json_lines.encoded(decoded(first) | fields) + b"".join(lines))

    return change


@pytest.mark.parametrize(("spoil", "sentence"), [
    (lambda path: path.write_bytes(b"SQLite format 3\0" * 9), "is a database, .* play the games again with --out"),
    (lambda path: path.write_text("no games " * 100), "is no tournament's file, or its first line is damaged"),
    (lambda path: path.write_bytes(path.read_bytes()[1:]), "is no tournament's file, or its first line is damaged"),
    (lambda path: path.write_bytes(b""), "is empty: no tournament was begun in it; begin one with --out"),
    (lambda path: path.unlink(), "there is no tournament file"),
    (lambda path: path.unlink() or path.mkdir(), "is a folder"),
    (first_line(tengen="room"), "is no tournament's file"),
    (first_line(format=99), "was written by another version of tengen"),
    (first_line(plan={}), "its plan cannot be read"),
    (first_line(contents={}), "the agents' files cannot be read"),
    (first_line(agents=[{"main": "../x", "files": {}}] * 2), "the agents' files cannot be read"),
])  # fmt: skip
def test_a_file_that_cannot_be_used_is_said(spoil, sentence, begun):
    spoil(begun)
    with pytest.raises(RunnerError, match=sentence), resume(begun) as games:
        assert games.files


def test_a_changed_agent_is_named_and_the_games_go_on_with_its_copy(tmp_path, tengen):
    agent = tmp_path / "mine" / "agent.py"
    agent.parent.mkdir()
    agent.write_text("def my_controller(o, a, c=False): return [[1], [1]]\n")
    path, before = tmp_path / "t.jsonl", agent.read_bytes()
    with create(path, plan_of(str(agent), "random"), {}):
        pass
    (agent.parent / "unrelated.py").write_text("x = 1")
    assert read(path).changed_files() == []
    for change in (lambda: agent.write_text("# better\n"), agent.unlink):
        change()
        games = read(path)
        assert games.changed_files() == [agent] and games.files[0].contents == {"agent.py": before}
        with pytest.raises(RunnerError, match=rf"{agent} has changed since .*t.jsonl was begun, or is gone"):
            open_or_create(path, games.plan).__enter__()
    code, _out, err = tengen("tournament", "--resume", "t.jsonl", "--quiet")
    note = "has changed since t.jsonl was begun, or is gone; the games go on with the copy that was taken then"
    assert (code, err) == (1, f"note: {agent} {note}\n")
    assert len(read(path)) == 4


@pytest.mark.parametrize("kills", [5, pytest.param(500, marks=pytest.mark.long)])
def test_kills_at_random_moments_lose_no_whole_line(kills, begun):
    chance, told, kept = random.Random(kills), begun.with_name("told"), 4
    for _ in range(kills):
        if not (child := os.fork()):
            with resume(begun) as games, open(told, "ab", buffering=0) as file:
                for number in range(len(games) + 1, 10**9):
                    games.add(replace(GAME, number=number))
                    file.write(b"%d\n" % number)
        time.sleep(chance.uniform(0, 0.05))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        games = read(begun)
        announced = [int(line) for line in told.read_bytes().splitlines()] if told.exists() else []
        assert len(games) >= max(announced, default=4) and len(games) >= kept and games.damaged == []
        assert [game.number for game in games] == list(range(1, len(games) + 1))
        kept = len(games)
        if kept > 2000:  # begin a new file: a longer file takes longer to read
            begun.write_bytes(b"".join(begun.read_bytes().splitlines(keepends=True)[:5]))
            told.unlink()
            kept = 4
    assert len(announced) == len(set(announced))
