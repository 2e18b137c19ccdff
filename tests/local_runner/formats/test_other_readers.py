"""Other programs read the files that we write, and we read theirs: GGF, OBF, pos and SGF.

The packages are creversi-python and renju from PyPI; `make` does not install them. sgfmill and python-chess stand in
test_convert.py. No package reads WTHOR, .psq or offset. They were compared once, 200 games each, without a difference:
with wtb_to_csv.py of E-Kohei/Othello, with a script for files of the Gomocup, and with the reader of c-gomoku-cli.
"""

import re

import pytest

from local_runner.formats import SavedGame, read
from local_runner.formats.known import FORMATS
from local_runner.formats.writing import joined
from local_runner.game.setup import GameSetup
from tests.local_runner.formats.making import played, with_a_pass

pytestmark = pytest.mark.slow
BOTH = {each.name: each for each in FORMATS if each.read and each.write}
PASS = 64  # creversi's number of a pass


def other(module, package):
    return pytest.importorskip(module, reason=f"the package {package} is not installed")


def saved(session, names=("ann", "bob")):
    return SavedGame(session.setup, tuple(session.cells), names, session.result.winner if session.result else 0, "")


def othello(count, plies=None):
    sessions = [played(GameSetup("reversi_8x8_1v1"), seed, plies and seed % plies) for seed in range(count)]
    return [each for each in sessions if not plies or each.result is None]


def gobang(count):
    return [played(GameSetup("gobang_1v1"), seed, None if seed % 2 else 1 + seed) for seed in range(count)]


def test_ggf_both_ways(tmp_path):
    ggf = other("creversi.GGF", "creversi-python")
    sessions, parser, exporter = [*othello(30), with_a_pass()], ggf.Parser(), ggf.Exporter(tmp_path / "theirs.ggf")
    parser.parse_str(joined([saved(each) for each in sessions], BOTH["ggf"]).decode())
    assert parser.game_num() == len(sessions)
    for number, session in enumerate(sessions):
        moves = [PASS if cell is None else 8 * cell[0] + cell[1] for cell in session.cells]
        stones = [stone for row in session.env.stones() for stone in row]
        margin = stones.count(1) - stones.count(2)
        assert (list(parser.moves[number]), parser.results[number]) == (moves, margin)
        assert list(parser.names[number]) == ["ann", "bob"]
        exporter.newgame(["ann", "bob"])
        for move in moves:
            exporter.move(move, 0.5)
        exporter.endgame(margin)
    exporter.close()
    found = list(read("x", (tmp_path / "theirs.ggf").read_bytes()).games())
    assert [(game.cells, game.names, game.winner, game.damage) for game in found] == [
        (tuple(each.cells), ("ann", "bob"), each.result.winner, "") for each in sessions
    ]


def test_obf_both_ways():
    creversi = other("creversi", "creversi-python")
    sessions = othello(100, plies=58)
    lines = joined([saved(each) for each in sessions], BOTH["position"]).decode().splitlines()
    for session, line in zip(sessions, lines, strict=True):
        board = creversi.Board(line[:64], line[65] == "X")
        assert bool(board.turn) == (session.env.chess_player == 1)
        cells = [8 * row + col for row, col in session.env.legal_moves()]
        assert sorted(board.legal_moves) == (cells or [PASS])
        theirs = f"{board.to_line()} {'X' if board.turn else 'O'}".encode()
        assert read("x", theirs).game(0).setup.make().stones() == session.env.stones()


def test_pos_both_ways():
    renju = other("renju", "renju")
    sessions = gobang(20)
    lines = joined([saved(each) for each in sessions], BOTH["pos"]).decode().splitlines()
    boards = [renju.RenjuBoard(pos=line, rule=renju.Rule.FREESTYLE) for line in lines]
    assert [[(y, x) for x, y in board.moves] for board in boards] == [each.cells for each in sessions]
    again = read("x", "\n".join(board.get_pos() for board in boards).encode(), kind=BOTH["pos"])
    assert [list(game.cells) for game in again.games()] == [each.cells for each in sessions]


def test_sgf_of_gobang_both_ways():
    """The package renju refuses rules that are not among its own three, so they are replaced."""
    renju = other("renju", "renju")
    for session in gobang(10):
        ours = joined([saved(session)], BOTH["sgf"]).decode()
        board = renju.RenjuBoard.from_sgf(re.sub(r"RU\[[^]]*\]", "RU[Freestyle]", ours))
        assert [(y, x) for x, y in board.moves] == session.cells
        game = read("x", board.to_sgf("ann", "bob").encode()).game(0)
        assert (list(game.cells), game.names, game.damage) == (session.cells, ("ann", "bob"), "")
