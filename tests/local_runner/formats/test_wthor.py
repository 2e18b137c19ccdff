"""WTHOR, databases of Othello games, built byte by byte."""

import struct
import time

import pytest

from local_runner.errors import RunnerError
from local_runner.formats import read, read_path
from tests.local_runner.formats.making import with_a_pass


def header(games, names=0, board=8, kind=0, year=2001):
    return struct.pack("<4BiHHBBBx", 20, 1, 12, 31, games, names, year, board, kind, 22)


def record(moves, side=8, black=0, white=1, score=40, tournament=0):
    cells = bytes(10 * (row + 1) + col + 1 for row, col in moves)
    return struct.pack("<HHHBB", tournament, black, white, score, score) + cells.ljust(side * side - 4, b"\0")


def wtb(*records, board=8, **more):
    return header(len(records), board=board, **more) + b"".join(records)


def list_of(names, length):
    return header(0, len(names)) + b"".join(each.encode("latin-1").ljust(length, b"\0") for each in names)


def moves_of(session):
    return [cell for cell in session.cells if cell]


@pytest.mark.parametrize(("env", "side"), [("reversi_8x8_1v1", 8), ("reversi_1v1", 10)])
def test_a_database_of_wthor_with_its_names(env, side, tmp_path):
    session = with_a_pass(env)
    discs = sum(row.count(1) for row in session.env.stones())
    games = wtb(record(moves_of(session), side, score=discs), record([], side), board=side)
    (tmp_path / "WTH_2001.wtb").write_bytes(games)
    bare = read_path(tmp_path / "WTH_2001.wtb")
    assert bare[0].names == ("Black #0", "White #1")
    (tmp_path / "WTHOR.JOU").write_bytes(list_of(["Côté Loïc", "bob"], 20))
    (tmp_path / "WTHOR.TRN").write_bytes(list_of(["Open de Paris"], 26))
    (tmp_path / "other.jou").write_bytes(list_of(["x", "y"], 20))  # of another database
    found = read_path(tmp_path / "WTH_2001.wtb")
    game = found.game(0)
    assert (found.kind, len(found), found.problem) == ("wthor", 2, "")
    assert (game.setup.env, game.cells, game.damage) == (env, tuple(session.cells), "")
    assert game.names == ("Côté Loïc", "bob")
    assert found[0].ending == f"Open de Paris, {discs} to {side * side - discs}"
    assert found.listed()[0].plies == len(session.cells) and found[1].winner == 0


def test_board_0_is_8x8_and_a_draw_is_half_of_the_discs():
    found = read("x.wtb", wtb(record([(4, 5)], score=32), record([(4, 5)], score=20), board=0))
    assert [heading.winner for heading in found] == [3, 2]


def test_a_large_database_is_listed_soon():
    content = wtb(*[record([(4, 5), (5, 3), (2, 2)])] * 20_000)
    began = time.process_time()
    found = read("x.wtb", content)
    assert len(list(found)) == 20_000 and len(found.game(19_999).cells) == 3
    assert time.process_time() - began < 3


def test_what_is_wrong_with_a_database():
    whole = wtb(record([(4, 5), (0, 0)]), record([(4, 5)]))
    assert read("x", whole).game(0).damage == "game 1: ply 2, a1, cannot be played: a1 turns no disc over"
    assert read("x", whole[:-30]).problem == "the file breaks off: it says that it has 2 games, but holds 1"
    with pytest.raises(RunnerError, match="x breaks off before its first game"):
        read("x", whole[:40])
    with pytest.raises(RunnerError, match="holds solitaires of WTHOR"):
        read("x", wtb(record([(4, 5)]), kind=1))
    with pytest.raises(RunnerError, match="a list of players or tournaments of WTHOR"):
        read("x.jou", list_of(["ann", "bob"], 20))
