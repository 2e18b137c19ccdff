"""Reversi from a given board, as report 001 begins a game: the file, the referee, and whole games."""

import json

import pytest

from env_adapter import OptionError, answer, make
from local_runner.errors import RunnerError
from local_runner.formats import read
from local_runner.game.board_text import is_board, read_boards
from local_runner.game.setup import GameSetup
from local_runner.matches.openings.books import read as read_openings
from local_runner.matches.openings.books import read_board
from local_runner.matches.openings.deal import book_for, dealt

START = "---------------------------OX------XO---------------------------"
ROWS = [START[at : at + 8] for at in range(0, 64, 8)]
GIVEN = "..XXXX.. ..XXXX.. XXXXXXXX XXXXXXXX XXXOXXXX XXX.XXXX ...OOO.. .....O.."  # report 001's
MOVES = [(5, 3), (7, 2), (7, 3), (7, 4), (7, 6)]
NUMBERED = (f"{number}  {' '.join(row)}\n" for number, row in enumerate(GIVEN.split(), start=1))
PRINTED = "".join(["   A B C D E F G H\n", *NUMBERED])
GAME = "match seed001:depth=1,seed=1 random:seed=2 --env reversi_8x8_1v1 --quiet --board given.txt --games 2"


def test_a_board_is_read_from_a_file(tmp_path):
    (tmp_path / "given.txt").write_text("\ufeff" + GIVEN.replace(" ", "\r\n\r\n").lower(), "utf-8", newline="")
    assert read_board(tmp_path / "given.txt") == tuple(GIVEN.split())


@pytest.mark.parametrize(("text", "sentence"), [
    (".XO.", "row 1 of the board is 4 wide, but the board is 1 high; write a square board"),
    ("", "given.txt holds no board"),
    ("....\n.OX\n.XO.\n....\n", "row 2 of the board is 3 wide, but the board is 4 high"),
    ("....\n.0X.\n.XO.\n....\n", "line 2: '.0X.' is no row"),
    ("A B C D\n. . . .\nA B C D\n", "row 1 of the board is 4 wide"), ("\xff", "is no row of a board"),
    (None, "cannot read a board from"),
    (f"{START} X\n{START} X\n", "holds 2 boards; give a file with one of them"),
    (f"{START} O\n", "White is to move, but games begin with Black; swap the colours"),
])  # fmt: skip
def test_what_is_no_board(text, sentence, tmp_path):
    if text is not None:
        (tmp_path / "given.txt").write_text(text, "latin-1")
    with pytest.raises((RunnerError, OptionError), match=sentence):
        GameSetup("reversi_8x8_1v1", board=read_board(tmp_path / "given.txt")).make()


def test_the_referee_begins_there_every_time():
    game = make("reversi_8x8_1v1", board=GIVEN.split())
    for _ in range(2):
        assert (game.text().split()[:8], game.chess_player) == (GIVEN.split(), 1)
        assert list(game.legal_positions()) == MOVES
        game.step([answer(MOVES[0], 8, 8)] * 2)
        assert game.stones()[4][3] == 1
        game.reset()


@pytest.mark.slow
def test_every_game_of_a_match_begins_there(tengen, tmp_path):
    (tmp_path / "given.txt").write_text(PRINTED)
    code, _, err = tengen(*GAME.split(), "--json", "out.json")
    assert code == 0, err
    games = json.loads((tmp_path / "out.json").read_text())["games"]
    assert [game["opening"] for game in games] == [[]] * 2
    for game in games:
        env = make("reversi_8x8_1v1", board=GIVEN.split())
        for cell in game["cells"]:
            env.step([answer(tuple(cell or (0, 0)), 8, 8)] * 2)
        assert env.is_over() and env.outcome().winner == game["result"]["winner"]


def test_openings_may_go_on_from_there():
    setup = GameSetup("reversi_8x8_1v1", board=tuple(GIVEN.split()))
    assert book_for("start", setup) == ((),)
    assert dealt(book_for("random", setup), setup, 1)[0] in MOVES
    with pytest.raises(RunnerError, match="no book of openings comes with"):
        book_for("test", setup)


@pytest.mark.parametrize(("options", "sentence"), [
    ("--board-size 3", "5 in a row do not fit on a board of 3x3; give another --board-size"),
    ("--env reversi_1v1 --board-size 9", "side from 4 to 26, not 9x9; give another --board-size"),
    ("--env reversi_1v1 --board odd.txt", "odd.txt is no board for reversi_1v1: a Reversi board is square with an "
                                          "even side from 4 to 26, not 3x3"),
    ("--env reversi_8x8_1v1 --board given.txt --out logs", "leave out --out, or --board"),
    ("--env reversi_8x8_1v1 --board on.txt", "on.txt has moves behind its board, and --board takes none; remove them"),
])  # fmt: skip
def test_what_is_wrong_is_said_of_the_option(options, sentence, tengen, tmp_path):
    for name, text in (("odd.txt", "...\n...\n...\n"), ("given.txt", PRINTED), ("on.txt", f"{START} X f5d6c3")):
        (tmp_path / name).write_text(text)
    code, out, err = tengen("match", "random", "random", *options.split())
    assert (code, out, err.rstrip("\n").endswith(sentence), (tmp_path / "logs").exists()) == (2, "", True, False)


def test_a_human_may_begin_there(tengen, tmp_path, monkeypatch):
    (tmp_path / "given.txt").write_text(PRINTED)
    monkeypatch.setattr("rich.console.Console.input", lambda *_, **__: "q")
    code, out, _ = tengen("play", "greedy", "--env", "reversi_8x8_1v1", "--board", "given.txt")
    assert code == 0 and "choices: 0: d6  1: c8" in out and "discs: ● 38, ○ 5" in out


def marked(marks):
    return START.translate(str.maketrans("-XO", marks))


@pytest.mark.parametrize(("text", "first"), [
    (START, 0), (f"{START}X", 1), (f"{START} O", 2), (f"{START} X; d3:+0; c4:-2;", 1), (f"{START} white", 2),
    (f"% OBF\n{START} O;", 2), (marked(".*O") + " *", 1), (marked("_BW") + "W", 2), (marked(".01") + " 1", 2),
    (marked("012"), 0), (marked("+XO") + " 1", 1), (marked("·●○"), 0), (marked(".@o"), 0), (marked(".12"), 0),
    ("\n".join(ROWS) + "\nWhite to move", 2),
    ("+--------+\n" + "".join(f"|{row}|\n" for row in ROWS) + "+--------+", 0),
    ("  a b c d e f g h\n" + "".join(f"{n} {' '.join(row)} {n}\n" for n, row in enumerate(ROWS, 1)), 0),
    ("  A B C D E F G H\n" + "".join(f"{n} {' '.join(row)}\n" for n, row in enumerate(ROWS, 1)), 0),
    ("[8 " + " ".join(ROWS) + " X]", 1),
    (f"{START} Black to move", 1), (f"{START} O % FFO 1", 2), (f"{START} 白先", 2), (marked("🟩⚫⚪"), 0),
    (str([list(map("-XO".index, row)) for row in ROWS]), 0),
    (str({"board": [[{"-": 0, "X": 1, "O": -1}[mark] for mark in row] for row in ROWS], "turn": 1}), 0),
    (str({"state_map": [[["-XO".index(mark)] for mark in row] for row in ROWS], "chess_player_idx": 2}), 0),
    ("array([" + ",\n       ".join(str(list(map("-XO".index, row))) for row in ROWS) + "], dtype=int8)", 0),
    ("[" + "\n ".join("[" + " ".join(f"{'-XO'.index(mark)}." for mark in row) + "]" for row in ROWS) + "]", 0),
])  # fmt: skip
def test_writings_of_a_board(text, first):
    [board] = read_boards(text)
    assert (board.rows, board.first) == (tuple(row.replace("-", ".") for row in ROWS), first)
    assert read("x.txt", text.encode()).game(0).cells == ((None,) if first == 2 else ())


GGS = """/os: join .4.1 s8r18 K?
|2 move(s)
|ann      (1800.0  *) 05:00
|
{}|
|* to move
|  1: F5//2.5
|  2: D6/1.2/3
{}|
|O to move
READY
"""
LETTERS = "|   A B C D E F G H\n"


def test_boards_that_ggs_and_edax_print_among_other_lines():
    board = "".join(f"|{n:2} {' '.join(row.replace('X', '*'))} {n:<2}\n" for n, row in enumerate(ROWS, 1))
    board = LETTERS + board + LETTERS
    games = list(read("x", GGS.format(board, board).encode()).games())
    assert [game.cells for game in games] == [((4, 5), (5, 3)), (None,)]
    edax = board.replace("|", "").replace(" 2 \n", " 2 O to move\n").replace("4 \n", "4 *: discs =  2    moves = 4\n")
    assert [(found.first, found.line) for found in read_boards(edax)] == [(2, 2)]
    assert read("x", f"f5 d6 c3\n{board}".encode()).kind == "moves"


@pytest.mark.parametrize("text", ["{} X f5d6c3", "{}X f5 d6 c3", "{} * 1. f5 d6 2. c3; {{a remark}}"])
def test_moves_behind_a_position(text):
    found = read("x", f"{text}\n{text}".format(START, START).encode())
    assert [game.cells for game in found.games()] == [((4, 5), (5, 3), (2, 2))] * 2


@pytest.mark.parametrize("text", [
    "01" * 32, "-" * 64, "[[0,0],[1,1],[2,2],[0,1],[1,0],[2,1],[0,2],[1,2]]", START[:-1], START + "Z", "8/8/8",
    "h8i9", "\n".join(ROWS[:7]),
])  # fmt: skip
def test_what_is_no_position(text):
    assert not is_board(text)


def test_a_file_of_positions_and_a_position_of_gobang(tmp_path):
    found = read("a.obf", f"{START} X; d3:+0\n{START} O; c3:+0\n".encode())
    assert (found.kind, len(found), found.game(1).cells, found[1].env) == ("position", 2, (None,), "reversi_8x8_1v1")
    gobang = ["." * 15] * 7 + ["." * 7 + "XO" + "." * 6] + ["." * 15] * 7
    assert read("b.txt", "\n".join(gobang).encode()).game(0).cells == ((7, 7), (7, 8))
    (tmp_path / "two.txt").write_text(f"{START} X\n{START} X\n")
    with pytest.raises(RunnerError, match="is a position, but an opening is moves; give one position by --board"):
        read_openings(tmp_path / "two.txt", GameSetup("reversi_8x8_1v1"))
