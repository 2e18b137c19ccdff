"""The file of a tournament: its contents, its lock, and the errors about files that cannot be used."""

import json
import os
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from local_runner.errors import RunnerError
from local_runner.game.codec import as_json
from local_runner.game.records import Call, GameDetails
from local_runner.matches.statistics.sprt import Sprt
from local_runner.matches.tournament.plan import from_json
from local_runner.matches.tournament.run import refuse_changed
from local_runner.matches.tournament.store import PlayedGame, create, open_to_run, read
from tests.local_runner.matches.tournament.small import full_board, plan_of

GAME = PlayedGame(
    number=3, black=0, white=1, result=full_board(1), moves="1,1 -", seed=7, machine="here",
    started="2026-01-01T00:00:00Z", seconds=1.5,
    details=GameDetails((Call(1, 0, 1, 1, 0.5, 0.25, True, thought={"source": "二"}),), ()),
)  # fmt: skip


@pytest.mark.parametrize(
    "plan",
    [
        plan_of("greedy", "random:seed=3"),
        plan_of("greedy", "seed004", rounds=9, schedule="swiss", book=((), ((1, 2), (0, 0))), sprt=Sprt(0, 10)),
        plan_of("greedy", "random", most_games=3),
    ],
)
def test_a_plan_comes_back_from_json(plan):
    assert from_json(json.loads(json.dumps(as_json(plan)))) == plan


def test_what_is_kept_is_read_again(tmp_path):
    path = tmp_path / "t.db"
    with create(path, plan_of("greedy", "random"), {"cpu": "fast"}) as store:
        store.add_games([GAME])
    with read(path) as store:
        assert (store.plan, store.header) == (plan_of("greedy", "random"), {"cpu": "fast"})
        [game] = store.games()
        assert replace(game, details=store.details(3)) == GAME
        assert store.game(3) == game and store.game(4) is None
        with pytest.raises(RunnerError, match="has no game 4"):
            store.details(4)
    with open_to_run(path) as store, pytest.raises(RunnerError, match="cannot write "):
        store.add_games([GAME])  # for the second time


def test_a_full_disk_is_said_and_loses_nothing(tmp_path):
    with create(tmp_path / "t.db", plan_of("greedy", "random"), {}) as store:
        store.add_games([GAME])
        [[pages]] = store._tables.database.execute("PRAGMA page_count")
        store._tables.database.execute(f"PRAGMA max_page_count = {pages}")
        large = replace(GAME, number=4, details=GameDetails((), (), printed={"Black": os.urandom(50_000).hex()}))
        with pytest.raises(RunnerError, match="database or disk is full; mend that, then resume"):
            store.add_games([large])
    with open_to_run(tmp_path / "t.db") as store:
        assert [game.number for game in store.games()] == [3]
        store.add_games([large])


def test_games_that_are_missing_are_noticed_when_it_is_resumed(tmp_path):
    path = tmp_path / "t.db"
    with create(path, plan_of("greedy", "random"), {}) as store:
        store.add_games([replace(GAME, number=number) for number in (1, 2, 3, 4)])
    with sqlite3.connect(path) as database:
        database.execute("DELETE FROM games WHERE number IN (1, 2)")
    database.close()
    with pytest.raises(RunnerError, match=r"2 of its 4 games are missing.*tengen salvage"), open_to_run(path) as store:
        store.check()
    with sqlite3.connect(path) as database:  # as a file of an older version
        database.execute("DELETE FROM about WHERE key = 'games'")
    database.close()
    with open_to_run(path) as store:
        store.check()
        store.add_games([replace(GAME, number=9)])
        assert len(store.games()) == 3


def test_older_content_that_is_put_back_while_it_is_played_is_noticed(tmp_path):
    path = tmp_path / "t.db"
    with create(path, plan_of("greedy", "random"), {}) as store:
        store.add_games([replace(GAME, number=1)])
        older = path.read_bytes()
        store.add_games([replace(GAME, number=2)])
        path.write_bytes(older)
        with pytest.raises(RunnerError, match=r"older content while it was played: it has 1 games of 2"):
            store.add_games([replace(GAME, number=3)])
    assert path.read_bytes() == older


def test_a_reader_may_look_while_it_is_written(tmp_path):
    with create(tmp_path / "t.db", plan_of("greedy", "random"), {}) as store, read(tmp_path / "t.db") as reader:
        store.add_games([GAME])
        assert [game.number for game in reader.games()] == [3]


@pytest.mark.slow
def test_two_runs_at_once_are_refused(tmp_path):
    path, plan = tmp_path / "t.db", plan_of("greedy", "random")
    script = (
        "from pathlib import Path\nfrom local_runner.matches.tournament.store import open_to_run\n"
        f"open_to_run(Path({str(path)!r})).__enter__()"
    )
    with create(path, plan, {}):
        other = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
        assert "is being played by another run" in other.stderr
    for _ in range(2):
        with open_to_run(path), pytest.raises(RunnerError, match="is being played by another run"), open_to_run(path):
            pass


def test_an_existing_file_is_not_begun_anew(tmp_path):
    (tmp_path / "t.db").write_text("precious")
    with pytest.raises(RunnerError, match="exists and is no tournament file; give --out another"):
        create(tmp_path / "t.db", plan_of("greedy", "random"), {}).__enter__()
    assert (tmp_path / "t.db").read_text() == "precious"


def sql(script):
    return lambda path: sqlite3.connect(path).executescript(script)


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (lambda path: path.write_text("no database " * 100), "is no tournament file"),
        (lambda path: path.write_bytes(b""), "is empty: no tournament was begun in it; begin one with --out"),
        (lambda path: path.unlink() or sql("CREATE TABLE songs (title TEXT)")(path), "is no tournament file"),
        (lambda path: path.unlink(), "there is no tournament file"),
        (lambda path: path.unlink() or path.mkdir(), "is a folder"),
        (sql("PRAGMA user_version = 99"), "another version of tengen: its format is 99"),
        (sql("ALTER TABLE games RENAME result TO results"), "is damaged: its tables have changed"),
        (sql("UPDATE games SET seed = 2 WHERE number = 3"), r"a row of the table games has changed \(number 3\)"),
        (sql("UPDATE games SET details = x'00' WHERE number = 3"), "the record of game 3 cannot be read"),
        (sql("UPDATE about SET value = value || ' ' WHERE key = 'plan'"), "a row of the table about has changed"),
        (sql("DELETE FROM about WHERE key = 'plan'"), "its plan cannot be read"),
    ],
)
def test_a_file_that_cannot_be_used_is_said(spoil, sentence, tmp_path):
    path = tmp_path / "t.db"
    with create(path, plan_of("greedy", "random"), {}) as store:
        store.add_games([GAME])
    spoil(path)
    with pytest.raises(RunnerError, match=sentence), open_to_run(path):
        pass


def test_what_an_agent_was_is_kept(tmp_path):
    agent = tmp_path / "mine" / "agent.py"
    agent.parent.mkdir()
    agent.write_text("def my_controller(o, a, c=False): return [[1], [1]]\n")
    path = tmp_path / "t.db"
    with create(path, plan_of(str(agent), "random"), {}):
        pass
    before = agent.read_bytes()
    (agent.parent / "unrelated.py").write_text("x = 1")
    with open_to_run(path) as store:
        assert store.changed_files() == []
    for change in (lambda: agent.write_text("# better\n"), agent.unlink):
        change()
        with open_to_run(path) as store:
            assert store.changed_files() == [agent] and store.snapshots()[0].files == {"agent.py": before}
            with pytest.raises(RunnerError, match=rf"{agent} has changed since .*t.db was begun, or is gone"):
                refuse_changed(store)


def test_the_file_can_be_read_by_anybodys_sqlite(tmp_path):
    with create(tmp_path / "t.db", plan_of("greedy", "random"), {}) as store:
        store.add_games([GAME])
    query = "SELECT json_extract(result, '$.winner'), moves FROM games"
    rows = sqlite3.connect(tmp_path / "t.db").execute(query).fetchall()
    assert rows == [(1, "1,1 -")]
    assert [path.name for path in Path(tmp_path).iterdir()] == ["t.db"]
