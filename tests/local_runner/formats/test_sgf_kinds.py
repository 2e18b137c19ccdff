"""SGF, Piskvork and PGN as programs write them: old properties, text around games, results in words."""

from pathlib import Path

import pytest

from local_runner.formats import read, read_path
from local_runner.formats.result_words import result_of
from local_runner.game.setup import GameSetup
from tests.local_runner.formats.making import TIGER

DATA = Path(__file__).parent / "data"
GOBANG = GameSetup("gobang_1v1")
TWO = ((7, 7), (8, 8))


def game_of(text, setup=None):
    found = read("x", text if isinstance(text, bytes) else text.encode(), setup)
    assert len(found) == 1
    game = found.game(0)
    assert found.listed()[0].plies == len(game.cells)
    return game


@pytest.mark.parametrize("text", [
    "(;5A[]GM[4]PB[a];B[hh];W[ii])", "(;FF[3]GM[4]X1[abc]PB[a];B[hh];W[ii])",
    "(;FF[1]GaMe[4]PlayerBlack[a];Black[hh];White[ii])", "(;gm[4]pb[a];b[hh];w[ii])",
    "(;GM[4]SZ[15:15];B[hh]BL[3]OB[1]2X[y];W[ii])", "(;GM[4]\r\n;B\r\n[hh]\r\n;W [ii]\r\n)\r\n",
    "(;GM[4](;B[hh](;W[ii](;)(;B[aa]))(;W[jj]))(;B[aa]))", "(;GM[4]C[a \\] (;B[aa\\]) \\\n b];B[hh];W[ii])",
    "(;;GM[4];;B[hh];;W[ii];)", "Date: (CET)\nHi Bob (my friend) [sic],\n(;GM[4];B[hh];W[ii])\n-- \n(bye) [x]",
    "(; see [1]\n(;GM[4];B[hh];W[ii])", "(;GM[4]AP[x]N[a]V[1];B[hh]GB[1];W[ii]TE[1])", "(;GM[4];B[h8];W[I9])",
    "(;GM[4];B[HH];W[II])", "Bob wrote:\n> (;GM[4]PB[a]\n> ;B[hh];\n>W[ii])\n",
    "B[hh];W[ii]", ";B[hh]\n;W[ii]\n", "b[hh];w[ii]", "B[hh](;W[ii])(;W[jj])",  # nodes without their brackets
    "GM[4]PB[a]CA[GBK]AP[x/1]\n;B[h8];W[i9])", "B[hh] W[ii]", "\ufeff(\n;B[hh];W[ii])",
    "(;GM[4];B[h\u200bh]_T[1];\u200bW[ii\u200e])", "(;GM[4]GN[gomokuquest];QPR[hh,ii])", "(;GM[4];QPR[hh];QSLW[ii])",
    "(;RU[Renju];B[hh];W[ii])", "(;RU[Freestyle];B[hh];W[ii])", "(;RE[B+R];B[hh];W[ii])", "(;RU[gobang];B[hh];W[ii])",
])  # fmt: skip
def test_one_gobang_game_in_many_writings(text):
    game = game_of(text)
    assert (game.setup.env, game.cells, game.damage) == ("gobang_1v1", TWO, "")


@pytest.mark.parametrize(("text", "env", "size", "cells"), [
    ("(;FF[3]GaMe[4]SiZe[19];Black[aa];White[sb])", "gobang_1v1", 19, [(0, 0), (1, 18)]),
    ("(;GM[4]SZ[19];B[aa];W[sb])", "gobang_1v1", 19, [(0, 0), (1, 18)]),
    ("(;GM[4]SZ[11]AB[ff][gf]AW[ef][fg];B[aa])", "gomoku_11x11_1v1", 11, [(0, 0)]),
    ("(;GM[4]SZ[15]AB[aa:ba]AW[hh];W[ii])", "gobang_1v1", 15, [(0, 0), (7, 7), (0, 1), (8, 8)]),
    ("(;GM[4]SZ[3];B[bb];W[aa])", "tictactoe_1v1", 3, [(1, 1), (0, 0)]),
    ("(;GM[2];B[fe];W[df];B[cc];W[dc];B[cd])", "reversi_8x8_1v1", 8, TIGER),
    ("(;GM[2]SZ[8];B[f5];W[D6];B[c3//0.5])", "reversi_8x8_1v1", 8, TIGER[:3]),
    ("(;GM[2]SZ[10];B[gf])", "reversi_1v1", 10, [(5, 6)]),
    ("(;GM[4](;B[hh]C[a \\] ( b](;W[ii];B[aa])(;W[jj]))(;B[aa]))", "gobang_1v1", 15, [*TWO, (0, 0)]),
    ("(;GM[2]SZ[4]AB[bb]AW[cb];B[db])", "reversi_1v1", 4, [(1, 3)]),
    ("Piskvorky 11x11, 11:11, 0\r\n6,6,0\r\n5,6,0\r\n7,6,0\r\n6,7,0\r\n1,1,0\r\n", "gomoku_11x11_1v1", 11, [(0, 0)]),
])  # fmt: skip
def test_the_game_and_its_board(text, env, size, cells):
    game = read("x", text.encode()).game(0)
    board = game.setup.make()
    assert (game.setup.env, board.board_height, list(game.cells), game.damage) == (env, size, cells, "")


def test_sgf_says_names_result_and_times():
    game = game_of("(;GM[4]PB[An\\]n]PW[吴]RE[W+R]TM[600];B[hh]BL[590.5];W[ii]WL[580];B[aa]BL[590];W[bb])")
    assert (game.names, game.winner, game.ending) == (("An]n", "吴"), 2, "Black resigns")
    assert game.seconds == (9.5, 20.0, 0.5, None)


def test_set_up_discs_and_white_first():
    game = read("x", b"(;GM[2]SZ[4]AB[bb]AW[cb][ac]PL[W];W[ad])").game(0)
    assert game.setup == GameSetup("reversi_1v1", board=("....", ".XO.", "O...", "...."))
    assert game.cells == (None,) and "turns no disc over" in game.damage


def test_a_collection_whose_games_are_not_all_closed():
    found = read("x", b"(;GM[4]PB[a];B[hh];W[ii]\n(;GM[4]PB[b];B[aa])\n(;GM[2]CA[UTF-8];B[fe])(;GM[1]PB[c];B[dd])")
    assert [(heading.names[0], heading.plies, heading.env) for heading in found.listed()] == [
        ("a", 2, "gobang_1v1"), ("b", 1, "gobang_1v1"), ("Black", 1, "reversi_8x8_1v1"), ("c", 1, "1")
    ]  # fmt: skip
    assert "breaks off" in found.game(0).damage and not found.game(1).damage


@pytest.mark.parametrize("text", [
    "(;GM[1]FF[4]SZ[15]RU[Renju];B[hh];W[ii])", "(;GM[2]SZ[15];B[hh];W[ii])", "(;5A[];B[hh];W[ii])",
    "(;SZ[19];B[hh];W[ii])", "(;GM[4]SZ[15];B[hh];W[ii])", "(;RU[Japanese]KM[6.5]HA[2];B[hh];W[ii])",
])  # fmt: skip
def test_the_callers_game_decides_where_the_file_names_none(text):
    game = game_of(text, GOBANG)
    assert (game.setup.env, game.cells, game.damage) == ("gobang_1v1", TWO, "")


@pytest.mark.parametrize("word", ["", "tt", "@@@@", "@@", "--", "pa", "PA", "ps", "pass", "PASS", None])
def test_words_for_a_pass_which_may_be_left_out(word):
    moves = zip("BW" * 4, ["f5", "f6", "c4", "g5", "h5", "h4", "f7", "h6"], strict=True)
    start = "(;GM[2]" + "".join(f";{colour}[{move}]" for colour, move in moves)
    game = read("x", (start + ("" if word is None else f";B[{word}]") + ";W[c5])").encode()).game(0)
    assert (game.cells[8:], game.damage) == ((None, (4, 2)), "")


def test_handicap_discs_are_added_to_the_start():
    game = game_of("(;GM[2]SZ[8]HA[2]AB[aa][hh];W[df])")
    assert game.setup.board[0][0] == game.setup.board[7][7] == "X" and game.setup.board[3][3:5] == "OX"
    assert game.cells[0] is None


@pytest.mark.parametrize(("said", "winner", "how"), [
    ("B+", 1, ""), ("W+R", 2, "resigns"), ("b+resign", 1, "resigns"), ("B+T", 1, "lost on time"),
    ("W+Time", 2, "lost on time"), ("B+F", 1, "forfeits"), ("B+12.5", 1, ""), ("Black wins", 1, ""),
    ("White won.", 2, ""), ("WHITE WINS BY RESIGNATION", 2, "resigns"), ("Black resigned", 2, "resigns"),
    ("White lost on time", 1, "lost on time"), ("W wins", 2, ""), ("B", 1, ""), ("white", 2, ""), ("1-0", 1, ""),
    ("0-1", 2, ""), ("1/2-1/2", 3, ""), ("½-½", 3, ""), ("1/2", 3, ""), ("0.5-0.5", 3, ""), ("38-26", 1, ""),
    ("25:38", 2, ""), ("32 - 32", 3, ""), ("0", 3, ""), ("Draw", 3, ""), ("jigo", 3, ""), ("和棋", 3, ""),
    ("平局", 3, ""), ("黑胜", 1, ""), ("白勝", 2, ""), ("黑方胜", 1, ""), ("白中盘胜", 2, "resigns"),
    ("黑认输", 2, "resigns"), ("白超时负", 1, "lost on time"), ("黒の勝ち", 1, ""), ("Ｂ＋Ｒ", 1, "resigns"),
    ("B+Forfeit", 1, "forfeits"), ("White is the winner", 2, ""), ("黑+", 1, ""), ("Void", 0, ""), ("?", 0, ""),
    ("", 0, ""), ("black against white", 0, ""),
])  # fmt: skip
def test_results_in_words(said, winner, how):
    assert result_of(said) == (winner, how)


def test_a_result_that_is_not_known_is_shown_as_it_stands():
    assert game_of("(;GM[4]RE[Void];B[hh];W[ii])").ending == "Void"
    assert game_of("(;GM[4]RE[?];B[hh];W[ii])").ending == ""
    assert game_of("(;GM[4]PB[two\nlines]RE[黑胜];B[hh];W[ii])").names[0] == "two lines"


# ---- Piskvork


@pytest.mark.parametrize(("head", "end", "names", "winner", "ending"), [
    ("0", "a.zip\nb.zip\n-1\n", ("a.zip", "b.zip"), 0, ""), ("1", "a.zip\nb.zip\n-1\n", ("b.zip", "a.zip"), 0, ""),
    ("0", "a\nb\n15\n", ("a", "b"), 2, "Black lost on time"),
    ("1", "a\nb\n9\n", ("b", "a"), 2, "Black lost on time"), ("0", "a\nb\n7\n", ("a", "b"), 2, "Black forfeits"),
    ("0", "a\nb\n16\n", ("a", "b"), 2, "Black forfeits"), ("0", "2024\n7\n0\n", ("2024", "7"), 0, ""),
    ("0", "1\n2\n3\n", ("1", "2"), 2, "Black forfeits"), ("0", "a\nb\n-1\n1,Freestyle\n", ("a", "b"), 1, ""),
    ("0", "a\nb\n-1\n2,Renju\n", ("a", "b"), 2, ""), ("0", "0\n", ("Black", "White"), 0, ""),
    ("0", "", ("Black", "White"), 0, ""), ("0", "a\nb\n", ("a", "b"), 0, ""),
    ("0", "a\nb\n99\n", ("a", "b"), 0, ""), ("0\r", "a\r\nb\r\n15\r\n", ("a", "b"), 2, "Black lost on time"),
])  # fmt: skip
def test_the_last_lines_of_piskvork(head, end, names, winner, ending):
    game = game_of(f"Piskvorky 15x15, 11:11, {head}\n8,8,0\n9,9,120\n{end}")
    assert (game.cells, game.names, game.winner, game.ending, game.damage) == (TWO, names, winner, ending, "")


def test_a_whole_game_of_piskvork_and_an_error_of_the_second_player():
    game = read_path(DATA / "small.psq").game(0)
    assert (game.setup, game.cells) == (
        GameSetup("gobang_1v1", "stated", board_size=20), ((9, 10), (11, 9), (9, 11), (0, 19))
    )  # fmt: skip
    assert (game.seconds, game.winner, game.damage) == ((None, 1.5, 0.024, 2.0), 2, "")
    assert game_of("Piskvorky 15x15, 11:11, 0\n8,8,0\na\nb\n15\n").winner == 1


# ---- PGN

PGN = """[Event "Cup {x}"]
[White "ann \\"the\\" cat"]
[Black "bob"]
[Result "0-1"]

1. f5 {a comment (with 1. e4)} d6 2. c3!? (2. c4 (2. e3) d3) d3 $1
3. c4 ; the Tiger
0-1

[Event "x"]
[Black "eve"]
[Result "*"]

1. h8 h9
2. i9 *
"""


def test_discs_behind_the_moves_of_pgn_name_no_winner():
    game = game_of('[Event "x"]\n[Result "40-24"]\n\n1. f5 d6 2. c3 d3 40-24\n')
    assert (len(game.cells), game.damage, game.winner) == (4, "", 0)


@pytest.mark.parametrize(
    "tags", ['[White "b"] [Black "a"][Result "0-1"]\n', "[White “b”]\n[Black “a”]\n[Result “0-1”]\n"]
)
def test_tags_of_pgn_in_one_line_or_in_curly_quotes(tags):
    game = game_of(tags + "1. f5 d6 2. c3 d3 0-1\n")
    assert (len(game.cells), game.names, game.winner, game.damage) == (4, ("a", "b"), 1, "")


def test_games_of_pgn():
    found = read("x.pgn", PGN.encode())
    assert [(each.names, each.winner, each.plies, each.env) for each in found.listed()] == [
        (("bob", 'ann "the" cat'), 1, 5, "reversi_8x8_1v1"), (("eve", "White"), 0, 3, "gobang_1v1")
    ]  # fmt: skip
    assert (found.kind, [game.damage for game in found.games()]) == ("pgn", ["", ""])
    wrong = read("x", PGN.replace("3. c4", "3. Nf6").encode()).game(0)
    assert wrong.damage.startswith("line 1 cannot be read from '3. nf6")
