"""Damaged tournament files: whatever is changed is named or harmless, and salvage saves what is whole, no more."""

import contextlib
import os
import random
import re
import sqlite3
import subprocess
import sys
from dataclasses import replace
from functools import partial

import pytest

from local_runner.errors import RunnerError
from local_runner.game.records import GameDetails
from local_runner.matches.tournament.run import run
from local_runner.matches.tournament.salvage import salvage
from local_runner.matches.tournament.store import PlayedGame, create, open_to_run, read
from tests.local_runner.matches.tournament.small import Instant, full_board, outcomes, plan_of

ROUNDS, GAMES, BLOCK = 20, 40, 4096


def game_of(number):
    noise = random.Random(number).randbytes(4 * number**2).hex()
    black = (number % 4) // 2  # as in round-robin
    return PlayedGame(
        number, black, 1 - black, full_board(1 + number % 2), moves="1,1 0,0 2,2", seed=7, machine="here",
        started="2026-01-01T00:00:00Z", seconds=0.5, details=GameDetails((), (), printed={"Black": noise}),
    )  # fmt: skip


PLAYED = {number: game_of(number) for number in range(1, GAMES + 1)}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The bytes of a file with these games."""
    path = tmp_path_factory.mktemp("whole") / "t.db"
    with create(path, plan_of("greedy", "random", rounds=ROUNDS), {"cpu": "fast"}) as store:
        for number in random.Random(1).sample(sorted(PLAYED), GAMES):
            store.add_games([PLAYED[number]])
    return path.read_bytes()


@pytest.fixture
def file(tmp_path, whole):
    path = tmp_path / "t.db"
    path.write_bytes(whole)
    return path


def games_of(path):
    with read(path) as store:
        return {game.number: replace(game, details=store.details(game.number)) for game in store.games()}


# ---- damages: each changes a file, with random choices from a given source


def cut(file, chance):
    os.truncate(file, chance.choice([chance.randrange(file.stat().st_size), BLOCK * chance.randrange(9)]))


def flipped(first=0, last=None):
    """One byte between two places is changed."""

    def damage(file, chance):
        data = bytearray(file.read_bytes())
        data[chance.randrange(first, last or len(data))] ^= chance.randrange(1, 256)
        file.write_bytes(data)

    return damage


def lost_block(file, chance, first=0):
    """A block is zeros or noise."""
    data = bytearray(file.read_bytes())
    start = BLOCK * chance.randrange(first, len(data) // BLOCK)
    data[start : start + BLOCK] = chance.choice([bytes(BLOCK), chance.randbytes(BLOCK)])
    file.write_bytes(data)


def swapped_blocks(file, chance):
    data = file.read_bytes()
    blocks = [data[at : at + BLOCK] for at in range(0, len(data), BLOCK)]
    i, j = chance.sample(range(len(blocks)), 2)
    blocks[i], blocks[j] = blocks[j], blocks[i]
    file.write_bytes(b"".join(blocks))


def killed(file, chance):
    """A run was killed in the middle of a write; its journal is still there."""
    script = f"""
import os, sqlite3, sys
database = sqlite3.connect(sys.argv[1])
database.execute("PRAGMA cache_size = 1")
for number in range({chance.randrange(1, 60)}):
    database.execute("UPDATE games SET moves = ? WHERE number = ?", ("x" * 5000, number % 15 + 1))
os.kill(os.getpid(), 9)
"""
    subprocess.run([sys.executable, "-c", script, str(file)], check=False)


@pytest.mark.parametrize(
    "damage", [cut, flipped(), flipped(0, 100), flipped(100, 2 * BLOCK), lost_block, swapped_blocks, killed]
)
@pytest.mark.parametrize("chance", [*range(3), *(pytest.param(n, marks=pytest.mark.slow) for n in range(3, 20))])
def test_damage_is_named_or_harmless_and_what_is_salvaged_is_true(damage, chance, file, tmp_path):
    damage(file, random.Random(chance))
    damaged, new = file.read_bytes(), tmp_path / "new.db"
    try:
        found = salvage(file, new)
    except RunnerError as error:
        assert re.search("nothing can be saved", str(error)) and not new.exists()
    else:
        saved = games_of(new)
        assert saved.items() <= PLAYED.items() and found.saved == len(saved) <= GAMES - min(found.lost, 1)
        with open_to_run(new):
            pass
    assert file.read_bytes() == damaged
    try:
        assert games_of(file) == PLAYED
    except RunnerError as error:
        assert "\n" not in str(error) and re.search("damaged|is empty|another version", str(error))


def test_a_flipped_byte_costs_one_game_a_lost_block_a_few_and_a_cut_what_was_behind_it(file, tmp_path, whole):
    def lost(damage, chance):
        file.write_bytes(whole)
        damage(file, random.Random(chance))
        saved = salvage(file, tmp_path / "new.db").saved
        (tmp_path / "new.db").unlink()
        return GAMES - saved

    behind = len(whole) // 2
    assert max(lost(flipped(behind), chance) for chance in range(6)) == 1
    assert 0 < max(lost(partial(lost_block, first=behind // BLOCK), chance) for chance in range(4)) <= 4
    assert 0 < lost(lambda file, chance: os.truncate(file, behind), 0) < GAMES


def test_a_whole_file_is_salvaged_whole(file, tmp_path):
    found = salvage(file, tmp_path / "new.db")
    assert str(found) == f"{tmp_path / 'new.db'}: {GAMES} games are saved, 0 cannot be read"
    with read(file) as old, read(tmp_path / "new.db") as new:
        assert (new.plan, new.header, new.fingerprints()) == (old.plan, old.header, old.fingerprints())
    assert games_of(tmp_path / "new.db") == PLAYED


def lose(path, condition, table="games"):
    with contextlib.closing(sqlite3.connect(path)) as database, database:
        database.execute(f"UPDATE {table} SET checksum = 0 WHERE {condition}")


def test_the_fingerprints_are_made_again(file, tmp_path):
    lose(file, "key != 'plan'", "about")
    assert "the hashes of the agents' code are lost" in str(salvage(file, tmp_path / "new.db"))
    with open_to_run(tmp_path / "new.db"):
        assert games_of(tmp_path / "new.db") == PLAYED


@pytest.mark.parametrize(
    ("schedule", "lost", "saved"),
    [
        ("round-robin", [60], 59),
        pytest.param("swiss", [60], 119, marks=pytest.mark.slow),
        ("swiss", [7, 9, 10], 7),  # of pair 5, the first of the third round, nothing is left
        pytest.param(
            "swiss", [1, 119, 120], 115, marks=pytest.mark.slow
        ),  # of the last pair nothing is left, and an earlier game may go otherwise
    ],
)
def test_a_salvaged_tournament_is_played_to_its_end(schedule, lost, saved, tmp_path):
    path, new = tmp_path / "t.db", tmp_path / "new.db"
    agents = [f"random:seed={seed}" for seed in range(2 if schedule == "round-robin" else 4)]
    with create(path, plan_of(*agents, schedule=schedule, rounds=30), {}) as store:
        run(store, Instant(4))
        whole = outcomes(store)
    lose(path, f"number IN ({', '.join(map(str, lost))})")
    assert salvage(path, new).saved == saved
    with open_to_run(new) as store:
        assert run(store, Instant(4)).complete
        assert outcomes(store) == whole


def test_salvage_overwrites_nothing(file, tmp_path):
    (tmp_path / "new.db").write_text("precious")
    for out in (tmp_path / "new.db", file):
        before = out.read_bytes()
        with pytest.raises(RunnerError, match="exists"):
            salvage(file, out)
        assert out.read_bytes() == before
    with open_to_run(file), pytest.raises(RunnerError, match="is being played by another run"):
        salvage(file, tmp_path / "other.db")


@pytest.mark.parametrize("command", [
    ("report", "t.db", "--out", "page.html"), ("rerun", "t.db", "3", "--out", "logs"), ("replay", "t.db"),
    ("tournament", "--resume", "t.db", "--quiet"),
])  # fmt: skip
def test_every_command_names_a_damaged_file_and_leaves_it_as_it_is(command, file, tengen):
    data = bytearray(file.read_bytes())
    data[BLOCK : BLOCK + 9] = bytes(9)  # the head of the first page of a table
    file.write_bytes(data)
    code, out, err = tengen(*command)
    assert (code, out) == (2, "") and re.fullmatch(r"tengen: [^\n]* is damaged: [^\n]+\n", err)
    assert file.read_bytes() == data
