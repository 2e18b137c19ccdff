"""Openings: the formats and errors of books, the books of this package, random openings, and how they are dealt."""

from functools import cache
from pathlib import Path

import pytest

from env_adapter import kind_of, make, names
from local_runner.errors import RunnerError
from local_runner.formats.reading import openings_of
from local_runner.game.setup import GameSetup
from local_runner.matches.openings import deal
from local_runner.matches.openings.books import Purpose, book, canonical, position_after, read, shipped
from local_runner.matches.openings.deal import NEAR_CENTRE, NEAR_STONE, book_for, dealt, random_opening
from tests.local_runner.agents.references import solved
from workshop.lab.openings import RECIPES, SOLVED

GOBANG, SMALL, REVERSI, WIDE, THREE = (
    "gobang_1v1", "gomoku_11x11_1v1", "reversi_8x8_1v1", "reversi_1v1", "tictactoe_1v1")  # fmt: skip
COUNTS = {GOBANG: 250, SMALL: 100, REVERSI: 250, WIDE: 250, THREE: 4}
PLIES = {GOBANG: {4, 5, 6, 7, 8}, SMALL: {4}, REVERSI: {8}, WIDE: {10}, THREE: {1, 2}}


def read_text(folder, env, text, size=None):
    path = folder / "some.pos"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read(path, GameSetup(env, board_size=size))


@pytest.mark.parametrize(("env", "size", "line", "cells"), [
    # pos: the letter is the column, the number the row, 1 at the top
    (GOBANG, None, "h8", [(7, 7)]),
    (GOBANG, None, "h8i9j10", [(7, 7), (8, 8), (9, 9)]),
    (GOBANG, None, "a1a15o1o15", [(0, 0), (14, 0), (0, 14), (14, 14)]),
    (GOBANG, 26, "z26a26", [(25, 25), (25, 0)]),
    (REVERSI, None, "f5d6c3d3c4", [(4, 5), (5, 3), (2, 2), (2, 3), (3, 2)]),  # Othello's Tiger opening
    # offset: x to the right, y down, from row and column size // 2
    (GOBANG, None, "0,0", [(7, 7)]),
    (GOBANG, None, "0,0, 1,0, 0,1", [(7, 7), (7, 8), (8, 7)]),
    (GOBANG, None, "-7,7, 7,-7", [(14, 0), (0, 14)]),
    (GOBANG, None, " 3,-2,   -1,5 ", [(5, 10), (12, 6)]),
    (GOBANG, 20, "8,-3, -10,9", [(7, 18), (19, 0)]),
    (SMALL, None, "-5,-5", [(0, 0)]),
    (REVERSI, None, "1,0", [(4, 5)]),
    # JSON: rows, then columns, from 0
    (GOBANG, None, "[[[7, 7], [8, 0]]]", [(7, 7), (8, 0)]),
    (GOBANG, None, "\n [[]]", []),
    (GOBANG, None, "[[7, 7], [8, 8]]", [(7, 7), (8, 8)]),  # as the sentence about a wrong opening advises
])  # fmt: skip
def test_what_a_line_means(tmp_path, env, size, line, cells):
    assert read_text(tmp_path, env, line, size) == [tuple(cells)]


@pytest.mark.parametrize(("text", "openings"), [
    (
        b"\xef\xbb\xbf# six of the best\r\n\r\nh8i9   # a diagonal\r\n0,0, 1,0\r\n   \r\n#h8\r\nh8",
        [((7, 7), (8, 8)), ((7, 7), (7, 8)), ((7, 7),)],
    ),
    ("h8i9\ni9h8", [((7, 7), (8, 8)), ((8, 8), (7, 7))]),  # the same stones with swapped colours
    ("[\n  [[7, 7]],\n  [[7, 7], [8,\n 8]], []]", [((7, 7),), ((7, 7), (8, 8)), ()]),
])  # fmt: skip
def test_files_of_many_openings(text, openings, tmp_path):
    assert read_text(tmp_path, GOBANG, text) == openings


UNREADABLE, OFF = "write moves like h8i9j10", "correct or remove it"
LIST, TWICE = "is no list of [row, col]; write [[7, 7], [8, 8]]", "or to a turned or mirrored one; remove one of them"
JSON, EMPTY = "begins with [ but is no JSON; write [[[row, col], ...], ...]", "write one on each line, such as b2c1"


@pytest.mark.parametrize(("env", "text", "sentence"), [
    (GOBANG, "h8\nh8 ?9", f", line 2 cannot be read from '?9' on; {UNREADABLE}"),
    (GOBANG, "?" * 99, f", line 1 cannot be read from '{'?' * 20}...' on; {UNREADABLE}"),
    (GOBANG, "# x\n\n0,0, 1", ", line 3 has 3 numbers, but every move needs x and y; complete the last move"),
    (GOBANG, "0,0,", ", line 1 cannot be read: '' is no whole number; write 0,0, 1,-2"),
    (GOBANG, "[[7, 7], 7]", f", opening 1 {LIST}"),
    (GOBANG, "h8 pass i9", ", line 1 has a pass; an opening has none"),
    (GOBANG, "[[], [[7, true]]]", f", opening 2 {LIST}"),
    (GOBANG, "[[[7, 7, 7]]]", f", opening 1 {LIST}"),
    (GOBANG, "[\n[[7, 7]\n", f", line 3, {JSON}"),
    (GOBANG, "[" * 99999, f" {JSON}"),
    (GOBANG, b"h8\xff", f", line 1 cannot be read from 'ÿ' on; {UNREADABLE}"),
    (GOBANG, b"h8\0h9", " is no text file; openings are written in the pos, offset or JSON format"),
    (GOBANG, "# nothing\n\n", f" holds no opening; {EMPTY}"),
    (GOBANG, "[]", f" holds no opening; {EMPTY}"),
    (GOBANG, "h8p8", f", line 1: move 2, p8, cannot be played: p8 is off the 15x15 board; {OFF}"),
    (GOBANG, "h0", f", line 1 cannot be read from 'h0' on; {UNREADABLE}"),
    (REVERSI, "1,0, 0,-5", f", line 1: move 2, 0,-5, cannot be played: (-1, 4) is off the 8x8 board; {OFF}"),
    (GOBANG, "[[[7, -1]]]", f", opening 1: move 1, [7, -1], cannot be played: (7, -1) is off the 15x15 board; {OFF}"),
    (GOBANG, "a1\nh8i9h8", f", line 2: move 3, h8, cannot be played: h8 holds a stone of Black's; {OFF}"),
    (REVERSI, "d6", f", line 1: move 1, d6, cannot be played: d6 turns no disc over; {OFF}"),
    (GOBANG, "h8a1h9a2h10a3h11a4h12b7", ", line 1: move 9, h12, ends the game; remove it"),
    (REVERSI, "e6f4e3f6g5d6e7f5c5", ", line 1: move 9, c5, ends the game; remove it"),  # a wipe-out
    (GOBANG, "h8i9\n#\nh8g7", f", line 3 leads to the position of line 1, {TWICE}"),
    (GOBANG, "[[[0, 1]], [[1, 0]]]", f", opening 2 leads to the position of opening 1, {TWICE}"),
    (REVERSI, "e6\nf5", f", line 2 leads to the position of line 1, {TWICE}"),
])  # fmt: skip
def test_what_is_refused_in_which_words(tmp_path, env, text, sentence):
    with pytest.raises(RunnerError) as error:
        read_text(tmp_path, env, text)
    assert str(error.value) == f"{tmp_path / 'some.pos'}{sentence}"


def test_an_opening_that_needs_a_pass_is_refused(tmp_path):
    before_a_pass = "f5f6c4g5h5h4f7h6"
    [opening] = read_text(tmp_path, REVERSI, before_a_pass)
    game = position_after(GameSetup(REVERSI), opening)
    assert not game.legal_moves() and not game.is_over()
    with pytest.raises(RunnerError, match=r"move 9, a1, cannot be played: Black has no legal move and must pass; "):
        read_text(tmp_path, REVERSI, before_a_pass + "a1")


@cache
def played(env, purpose):
    """The openings of a book with the referee's games after them."""
    return {opening: make(env, opening=opening) for opening in read(shipped(env, purpose), GameSetup(env))}


BOOKS = [pytest.param(env, marks=[] if COUNTS[env] < 200 else [pytest.mark.slow]) for env in names()]


def test_every_game_has_two_books():
    paths = {shipped(env, purpose) for env in names() for purpose in Purpose}
    assert set(shipped(GOBANG, Purpose.TEST).parent.glob("*_*_t*.pos")) == paths
    assert sum(path.stat().st_size for path in paths) < 50_000
    assert {*RECIPES, SOLVED} == set(names())


@pytest.mark.parametrize("env", BOOKS)
@pytest.mark.parametrize("purpose", Purpose)
def test_shipped_openings_leave_a_game_to_play(env, purpose):
    assert len(played(env, purpose)) == COUNTS[env]
    assert set(map(len, played(env, purpose))) == PLIES[env]
    assert all(game.legal_moves() and not game.is_over() for game in played(env, purpose).values())


@pytest.mark.parametrize("env", BOOKS)
def test_no_position_is_twice_in_the_books_of_a_game(env):
    found = {canonical(game) for purpose in Purpose for game in played(env, purpose).values()}
    assert len(found) == 2 * COUNTS[env]


@pytest.mark.slow
def test_the_fair_openings_differ_and_none_is_for_tuning():
    file = shipped(GOBANG, Purpose.TEST).with_name("gobang_fair.pos")
    fair = {canonical(position_after(GameSetup(GOBANG), each)) for each in read(file, GameSetup(GOBANG))}
    assert len(fair) == 50
    assert fair.isdisjoint(canonical(game) for game in played(GOBANG, Purpose.TUNE).values())


def test_the_books_of_tictactoe_are_all_drawn_positions_of_one_and_two_plies():
    def best(game):
        cells = "".join(".XO"[stone] for row in game.stones() for stone in row)
        return solved(cells, ".XO"[game.chess_player])

    cells = make(THREE).legal_moves()
    openings = [(a,) for a in cells] + [(a, b) for a in cells for b in cells if a != b]
    classes = {canonical(game): game for game in (make(THREE, opening=opening) for opening in openings)}
    assert len(classes) == 3 + 12
    drawn = {position for position, game in classes.items() if best(game) == 0}
    assert drawn == {canonical(game) for purpose in Purpose for game in played(THREE, purpose).values()}


GAMES = {
    "a.sgf": "(;GM[4]SZ[15];B[hh];W[ii])(;GM[4]SZ[15];B[hh];W[hi];B[ij])",
    "a.pgn": '[White "a"]\n[Black "b"]\n[Result "*"]\n\n1. h8 i9 *\n\n[White "a"]\n[Black "b"]\n\n1. h8 h9 2. i10 *\n',
    "a.csv": "black,white,moves\na,b,h8i9\na,b,h8h9i10\n",
    "a.offset": "0,0, 1,1\n0,0, 0,1, 1,2\n",
    "a.psq": "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,0\n-1\n",
}


@pytest.mark.parametrize("name", GAMES)
def test_a_file_of_games_is_a_book(name, tmp_path):
    (tmp_path / name).write_text(GAMES[name])
    found = read(tmp_path / name, GameSetup(GOBANG), openings_of)
    assert found == [((7, 7), (8, 8)), ((7, 7), (8, 7), (9, 8))][: len(found)] and found


@pytest.mark.parametrize(("env", "text", "sentence"), [
    (REVERSI, GAMES["a.sgf"], "x holds games of gobang_1v1; give --env gobang_1v1, or another book"),
    (GOBANG, "(;GM[4]SZ[19];B[hh])", "x, game 1 is on a board of 19x19; give --board-size 19, or another book"),
    (GOBANG, "(;GM[4]SZ[15];B[hh];W[hh])", "x, game 1: line 1: ply 2, h8, cannot be played"),
    (GOBANG, "(;GM[4]SZ[15];B[aa];W[ba];B[ac];W[bc];B[ae];W[be];B[ab];W[bb];B[ad])", "move 9, a4, ends the game"),
    (REVERSI, "-" * 27 + "XOX--XOX" + "-" * 29 + " X;\n", "x, game 1 is a position, but an opening is moves"),
    (REVERSI, "(;GM[2]SZ[8];B[];W[])", "x, game 1 has a pass; an opening has none"),
])  # fmt: skip
def test_games_that_are_no_openings_are_refused(env, text, sentence, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x").write_text(text)
    with pytest.raises(RunnerError) as error:
        read(Path("x"), GameSetup(env), openings_of)
    assert sentence in str(error.value)


def test_the_books_of_this_package_stay_their_own(tmp_path):
    assert openings_of(shipped(GOBANG, Purpose.TEST), GameSetup(GOBANG)) is None
    (tmp_path / "b.json").write_text("[[[7, 7], [8, 8]]]")
    assert read(tmp_path / "b.json", GameSetup(GOBANG), openings_of) == [((7, 7), (8, 8))]


@pytest.mark.parametrize("env", names())
@pytest.mark.parametrize("plies", [None, 0, 1, 3])
def test_openings_can_be_played(env, plies):
    for seed in range(3):
        opening = random_opening(GameSetup(env), plies, seed)
        game = make(env, rules="stated", opening=opening)  # raises for an illegal move
        assert len(opening) == (kind_of(env).opening_plies if plies is None else plies)
        assert game.legal_moves() and not game.is_over()


@pytest.mark.parametrize(("env", "middle"), [(GOBANG, 7), (SMALL, 5)])
def test_k_in_a_row_opens_near_the_centre_and_near_other_stones(env, middle):
    openings = [random_opening(GameSetup(env), 3, seed) for seed in range(8)]
    assert max(abs(at - middle) for opening in openings for cell in opening for at in cell) == NEAR_CENTRE
    if env == GOBANG:  # gomoku 11x11 begins with four stones
        for opening in openings:
            for number, (row, col) in enumerate(opening[1:], start=1):
                assert min(max(abs(row - r), abs(col - c)) for r, c in opening[:number]) <= NEAR_STONE


def test_the_side_to_move_cannot_win_at_once():
    """After four random plies of tic-tac-toe, Black often has two stones in an open row; such openings are skipped."""
    for seed in range(20):
        opening = random_opening(GameSetup(THREE), 4, seed)
        for cell in make(THREE, opening=opening).legal_moves():
            make(THREE, opening=(*opening, cell))  # raises OpeningError if this move wins


@pytest.fixture
def five(tmp_path):
    path = tmp_path / "five.pos"
    path.write_text("h8\nh8i9\nh8i8\nh8j8\nh8j9\n")
    return str(path)


def test_a_book_is_dealt_whole_before_it_is_dealt_again_in_the_same_order(five):
    setup = GameSetup(GOBANG)
    openings = book_for(five, setup)
    found = [dealt(openings, setup, number) for number in range(1, 13)]
    assert len(set(found[:5])) == 5
    assert found == (found[:5] * 3)[:12]


@pytest.mark.slow
def test_another_seed_deals_in_another_order(five):
    orders = {book_for(five, GameSetup(GOBANG, seed=seed)) for seed in range(20)}
    assert len(orders) > 10
    assert len(set(map(frozenset, orders))) == 1


@pytest.mark.parametrize("purpose", Purpose)
def test_a_shipped_book_is_dealt_by_its_purpose(purpose):
    assert sorted(book_for(purpose.value, GameSetup(THREE))) == sorted(book(THREE, purpose))


@pytest.mark.parametrize(("env", "size", "there"), [
    (GOBANG, None, True),
    (GOBANG, 15, True),
    (GOBANG, 13, False),  # a book is for the usual board of the game
    (WIDE, 8, False),
])  # fmt: skip
def test_the_default_is_the_test_book_or_random_openings(env, size, there, monkeypatch):
    monkeypatch.setattr(deal, "book", lambda env, purpose: [purpose])  # reading a whole book takes long
    setup = GameSetup(env, board_size=size)
    assert book_for(None, setup) == ((Purpose.TEST,) if there else ())
