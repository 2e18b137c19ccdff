"""Damaged tournament files: whatever is changed is named or harmless, and salvage saves what is whole, and only that.

test_damage_commands.py has the commands.
"""

import os
import random
import re
import sqlite3
from dataclasses import replace

import pytest

from env_adapter import Ending, EndingKind
from local_runner.errors import RunnerError
from local_runner.game.codec import as_json
from local_runner.game.records import Result
from local_runner.matches.tournament.plan import Pair
from local_runner.matches.tournament.run import run
from local_runner.matches.tournament.salvage import salvage
from local_runner.matches.tournament.schedule import Pairing
from local_runner.matches.tournament.store import PlayedGame, create, open_to_run, read
from tests.local_runner.matches.tournament.damages import block, flipped, older, swapped, truncated
from tests.local_runner.matches.tournament.small import plan_of
from tests.local_runner.matches.tournament.test_large import Instant

ROUNDS, GAMES = 20, 40
BOOK = tuple(((row, col), (2 - row, 2 - col)) for row in range(3) for col in range(2)) * 40  # longer than a page


def game_of(number):
    pair = (number + 1) // 2
    a, b = pair_of(pair).pairing
    black, white = (a, b) if number % 2 else (b, a)
    moves, cells = "1,1 0,0 2,2", [[1, 1], [0, 0], [2, 2]]
    record = {"cells": cells, "seed": 7, "noise": os.urandom(4 * number**2).hex()}
    result = Result(1 + number % 2, Ending(EndingKind.FULL_BOARD, discs=(number, 0)))
    return PlayedGame(number, pair, black, white, result, moves=moves, seed=7, machine="here",
                      started="2026-01-01T00:00:00Z", seconds=0.5,
                      record={**record, "result": as_json(result)})  # fmt: skip


def pair_of(number):
    return Pair(number, number, Pairing(0, 1) if number % 2 else Pairing(1, 0), BOOK[(number - 1) % len(BOOK)])


@pytest.fixture(scope="module")
def played():
    return {number: game_of(number) for number in range(1, GAMES + 1)}


@pytest.fixture(scope="module")
def whole(tmp_path_factory, played):
    """The bytes of a file with these games."""
    path = tmp_path_factory.mktemp("whole") / "t.db"
    with create(path, plan_of("greedy", "random", rounds=ROUNDS, book=BOOK), {"cpu": "fast"}) as store:
        store.add_pairs([pair_of(number) for number in range(1, ROUNDS + 1)])
        for number in random.Random(1).sample(sorted(played), GAMES):
            store.add_game(played[number])
    return path.read_bytes()


@pytest.fixture
def file(tmp_path, whole):
    path = tmp_path / "t.db"
    path.write_bytes(whole)
    return path


def games_of(path):
    with read(path) as store:
        return {game.number: replace(game, record=store.record(game.number)) for game in store.games()}


def undamaged(path):
    """The games that can be read, in any way that does not raise."""
    try:
        return games_of(path)
    except RunnerError as error:
        assert "\n" not in str(error) and re.search("damaged|is empty|another version", str(error))
        return None


@pytest.mark.parametrize("damage", [flipped(), flipped(0, 100), flipped(100, 8192), flipped(times=9), truncated,
                                    block(lambda: bytes(4096)), block(lambda: os.urandom(4096)), swapped])  # fmt: skip
@pytest.mark.parametrize("chance", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_damage_is_named_or_harmless_and_what_is_salvaged_is_true(damage, chance, file, tmp_path, played):
    damage(file, random.Random(chance))
    bytes_then = file.read_bytes()
    assert undamaged(file) in (None, played)
    try:
        found = salvage(file, tmp_path / "new.db")
    except RunnerError as error:
        assert re.search("nothing can be saved|is empty", str(error)) and not (tmp_path / "new.db").exists()
    else:
        saved = games_of(tmp_path / "new.db")
        assert saved.items() <= played.items()
        assert found.saved == len(saved) and found.stored in (None, GAMES)
        with open_to_run(tmp_path / "new.db") as store:
            assert [pair.number for pair in store.pairs()] == list(range(1, len(list(store.pairs())) + 1))
    assert file.read_bytes() == bytes_then


def test_a_run_does_not_go_on_with_a_damaged_record(file):
    with sqlite3.connect(file) as database:
        [[record]] = database.execute("SELECT record FROM games WHERE number = 7")
        database.execute("UPDATE games SET record = ? WHERE number = 7", (record[:-1] + bytes([record[-1] ^ 1]),))
    then = file.read_bytes()
    sentence = "the record of game 7 cannot be read; it is left as it is"
    with pytest.raises(RunnerError, match=sentence), open_to_run(file):
        pass
    assert file.read_bytes() == then


def test_a_damaged_plan_is_told_in_one_sentence(file):
    with sqlite3.connect(file) as database:
        database.execute("UPDATE about SET value = value || ' ' WHERE key = 'plan'")
    with pytest.raises(RunnerError) as error, read(file):
        pass
    assert str(error.value).count("is damaged") == 1


def test_a_flipped_byte_costs_one_game_at_most_and_a_lost_page_a_few(file, tmp_path, whole):
    lost = {}
    for what, damage in (("byte", flipped(8 * 4096)), ("page", block(lambda: bytes(4096)))):
        for chance in range(6):
            file.write_bytes(whole)
            damage(file, random.Random(chance))
            lost.setdefault(what, []).append(GAMES - salvage(file, tmp_path / "new.db").saved)
            (tmp_path / "new.db").unlink()
    assert max(lost["byte"]) <= 1 and sum(lost["byte"]) > 0
    assert sorted(lost["page"])[-2] <= 4


def test_a_whole_file_is_salvaged_whole(file, tmp_path, played):
    found = salvage(file, tmp_path / "new.db")
    assert str(found) == f"{tmp_path / 'new.db'}: {GAMES} of {GAMES} games are saved"
    with read(file) as old, read(tmp_path / "new.db") as new:
        assert (new.plan, new.header, list(new.pairs()), new.fingerprints()) == (
            old.plan, old.header, list(old.pairs()), old.fingerprints(),
        )  # fmt: skip
    assert games_of(tmp_path / "new.db") == played


def test_a_salvaged_tournament_is_played_to_its_end(tmp_path):
    path, new = tmp_path / "t.db", tmp_path / "new.db"
    plan = plan_of("greedy", "random", rounds=30)
    with create(path, plan, {}) as store:
        run(store, Instant(4))
    whole = games_of(path)
    data = bytearray(path.read_bytes())
    at = data.index(b"full board", len(data) // 2)
    data[at] ^= 1
    path.write_bytes(data)
    assert salvage(path, new).saved == 59
    with open_to_run(new) as store:
        assert run(store, Instant(4)).complete
    assert games_of(new) == whole


@pytest.mark.parametrize("chance", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_the_older_format_is_read_played_on_and_salvaged(chance, file, tmp_path, played):
    older(file, random.Random(0))
    assert games_of(file) == played
    with open_to_run(file) as store:
        store.extend(ROUNDS + 1)
        store.add_pairs([pair_of(ROUNDS + 1)])
        store.add_game(game_of(GAMES + 1))
    assert len(games_of(file)) == GAMES + 1
    data = bytearray(file.read_bytes())
    places = [match.start() for word in (b"full board", b"1,1 0,0", b"by rule") for match in re.finditer(word, data)]
    at = random.Random(chance).choice(places)
    data[at + 1] ^= 1 << random.Random(chance).randrange(8)
    file.write_bytes(data)
    undamaged(file)                                     # a sentence or nothing; never a traceback
    found = salvage(file, tmp_path / "new.db")
    saved = games_of(tmp_path / "new.db")
    assert found.saved == len(saved) == GAMES and all(saved[n] == played[n] for n in saved if n <= GAMES)
    assert found.stored is None and "how many are lost cannot be read" in str(found)


def test_a_file_without_a_plan_is_not_salvaged(file, tmp_path):
    data = file.read_bytes()
    file.write_bytes(re.sub(rb"round-robin", b"round-rubin", data))
    with pytest.raises(RunnerError, match="no plan of a tournament can be read"):
        salvage(file, tmp_path / "new.db")
    assert not (tmp_path / "new.db").exists()


def test_salvage_overwrites_nothing(file, tmp_path):
    (tmp_path / "new.db").write_text("precious")
    for out in (tmp_path / "new.db", file):
        before = out.read_bytes()
        with pytest.raises(RunnerError, match="exists"):
            salvage(file, out)
        assert out.read_bytes() == before
    with open_to_run(file), pytest.raises(RunnerError, match="is being played by another run"):
        salvage(file, tmp_path / "other.db")


def test_games_that_vanish_are_noticed(file):
    with sqlite3.connect(file) as database:
        database.execute("DELETE FROM games WHERE number = 3")
    with pytest.raises(RunnerError, match="has 39 games, but 40 were stored"), open_to_run(file):
        pass
