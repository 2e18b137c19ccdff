"""GGF and WTHOR: archives of Othello games. The files of WTHOR are built byte by byte."""

import struct
import time

import pytest

from local_runner.errors import RunnerError
from local_runner.formats import read, read_path
from local_runner.game import coordinates
from tests.local_runner.formats.making import WITH_PASS, with_a_pass

BOARD = "8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *"
MOVES = ["".join(found) for found in coordinates.NAME.findall(WITH_PASS)][:-1]


def ggf(moves, end=";)", **properties):
    given = {"GM": "Othello", "PC": "GGS/os", "PB": "ann", "PW": "bob", "RE": "?", "TY": "8", "BO": BOARD, **properties}
    head = "".join(f"{key}[{value}]" for key, value in given.items() if value)
    body = "".join(f"{'BW'[ply % 2]}[{move}]" for ply, move in enumerate(moves))
    return f"(;{head}{body}{end}"


def listed(found):
    return [(heading.names, heading.winner, heading.plies, heading.env) for heading in found.listed()]


@pytest.mark.parametrize("word", ["pa", "PA", "pass", "PASS//1.5", "--", "@@"])
def test_a_whole_game_of_ggf_with_passes(word):
    moves = [f"{move.upper()}//{ply}.5" for ply, move in enumerate(MOVES)]
    found = read("x.ggf", ggf([*moves, word, "C1"], RE="-13.000").encode())
    game = found.game(0)
    assert (found.kind, len(game.cells), game.cells.index(None), game.damage) == ("ggf", 62, 58, "")
    assert (game.winner, game.ending, game.names) == (2, "double pass, 25 to 38", ("ann", "bob"))
    assert game.seconds[:2] == (0.5, 1.5)
    assert listed(found) == [(("ann", "bob"), 2, 62, "reversi_8x8_1v1")]


@pytest.mark.parametrize("case", [str.lower, lambda text: text.replace("GM", "GaMe").replace("PB", "PlayerBlack")])
def test_names_of_properties_in_any_case(case):
    game = read("x", case(ggf(["F5", "D6"])).encode()).game(0)
    assert (game.cells, game.names, game.damage) == (((4, 5), (5, 3)), ("ann", "bob"), "")


def test_points_of_sgf_are_read_too():
    assert read("x", b"(;GM[Othello]PB[a]TY[8]B[fe];W[df];)").game(0).cells == ((4, 5), (5, 3))


def test_values_and_times_of_moves():
    game = read("x", ggf(["F5/1.25/2", "D6/-0.5", "C3//1:02.5"]).encode()).game(0)
    assert game.seconds == (2.0, None, 62.5)
    assert [thought and thought["value"] for thought in game.thoughts] == [1.25, -0.5, None]


@pytest.mark.parametrize(("result", "winner", "ending"), [
    ("-13", 2, ""), ("+2.000", 1, ""), ("0", 3, ""), ("?", 0, ""), ("-40.00:r", 2, "Black resigns"),
    ("+64.00:t", 1, "White lost on time"), ("+12:s", 1, ""), ("", 0, ""), ("Black wins", 1, ""),
])  # fmt: skip
def test_results(result, winner, ending):
    game = read("x", ggf(["F5", "D6"], RE=result).encode()).game(0)
    assert (game.winner, game.ending) == (winner, ending)


def test_the_board_and_the_side_to_move():
    board = "8 -------- -------- ---*O--- ---O*--- ---*O--- -------- -------- --------"
    game = read("x", ggf(["f3", "f4"], TY="s8r18", BO=f"{board} *").encode()).game(0)
    assert (game.cells, game.damage, game.setup.board[2]) == (((2, 5), (3, 5)), "", "...XO...")
    white = read("x", f"(;GM[Othello]TY[8]BO[{board} O]W[c3])".encode())
    assert white.game(0).cells[0] is None and white[0].plies == 2
    ten = "10 " + "-" * 44 + "O*" + "-" * 8 + "*O" + "-" * 44 + " *"
    assert read("x", ggf(["g6"], TY="10", BO=ten).encode()).game(0).setup.env == "reversi_1v1"
    assert read("x", b"(;GM[Othello]TY[10]PB[a]B[g6]W[g5])").game(0).setup.env == "reversi_1v1"
    joined = BOARD.replace(" ", "").replace("8", "8 ", 1)
    assert read("x", ggf(["f5"], BO=joined).encode()).game(0).setup.board is None


def test_several_games_with_text_between_them():
    one, two = ggf(["f5", "d6"], RE="+2", end=")"), ggf(["f5", "f6", "e6"], PB="eve")
    found = read("x", f"2 {one}\n\n2 {two}\nend (of file)".encode())
    assert [(heading.names[0], heading.winner, heading.plies) for heading in found.listed()] == [
        ("ann", 1, 2), ("eve", 0, 3)
    ]  # fmt: skip


@pytest.mark.parametrize(("text", "sentence"), [
    (ggf(["A1-A2"], GM="Amazons"), "a game of Amazons in GGF cannot be read, only Othello"),
    (ggf(["f5"], TY="8a"), r"the variant TY\[8a\] of Othello cannot be read"),
    (ggf(["f5"], TY="88"), r"the variant TY\[88\] of Othello cannot be read"),
    (ggf(["f5"], BO="8 ---"), r"the board BO\[8 ---\] cannot be read; it needs a side from 3 to 26"),
    (ggf(["f5"], BO=BOARD.replace("-", "?")), "cannot be read; it needs a side"),
])  # fmt: skip
def test_games_of_ggf_that_are_refused(text, sentence):
    found = read("x", text.encode())
    assert len(found) == 1
    with pytest.raises(RunnerError, match=sentence):
        found.game(0)


@pytest.mark.parametrize(("text", "plies", "damage"), [
    (ggf(["f5", "z9#"]), 1, "line 1: z9# is no point"),
    (ggf(["f5", "d6"], end=""), 2, "line 1: the GGF breaks off or is wrong here"),
    (ggf(["f5", "d6"], end=" ?;)"), 2, "line 1: the GGF breaks off or is wrong here"),
    (ggf(["f5", "a1"]), 1, "line 1: ply 2, a1, cannot be played: a1 turns no disc over"),
    (ggf([*MOVES, "pa", "c1"], RE="+13"), 62, "the file says: Black wins; but by the rules: White wins"),
])  # fmt: skip
def test_damaged_games_of_ggf(text, plies, damage):
    game = read("x", text.encode()).game(0)
    assert (len(game.cells), game.damage) == (plies, damage)


# ---- WTHOR


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
    assert len(found) == 20_000 and len(found.game(19_999).cells) == 3
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
