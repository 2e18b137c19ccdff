"""SGF and Piskvork as programs write them: old properties, text around games, results in words, refused files."""

import pytest

from local_runner.errors import RunnerError
from local_runner.formats import read
from local_runner.formats.result_words import result_of
from local_runner.game.setup import GameSetup

GOBANG = GameSetup("gobang_1v1")
TWO = ((7, 7), (8, 8))


def game_of(text, setup=None):
    found = read("x", text if isinstance(text, bytes) else text.encode(), setup)
    assert len(found) == 1
    game = found.game(0)
    assert found.listed()[0].plies == len(game.cells)
    return game


@pytest.mark.parametrize(
    "text",
    [
        "(;5A[]GM[4]PB[a];B[hh];W[ii])",
        "(;FF[3]GM[4]X1[abc]PB[a];B[hh];W[ii])",
        "(;FF[1]GaMe[4]PlayerBlack[a];Black[hh];White[ii])",
        "(;gm[4]pb[a];b[hh];w[ii])",
        "(;GM[4]SZ[15:15];B[hh]BL[3]OB[1]2X[y];W[ii])",
        "(;GM[4]\r\n;B\r\n[hh]\r\n;W [ii]\r\n)\r\n",
        "(;GM[4](;B[hh](;W[ii](;)(;B[aa]))(;W[jj]))(;B[aa]))",
        "(;GM[4]C[a \\] (;B[aa\\]) \\\n b];B[hh];W[ii])",
        "(;;GM[4];;B[hh];;W[ii];)",
        "Date: (CET)\nHi Bob (my friend) [sic],\n(;GM[4];B[hh];W[ii])\n-- \n(bye) [x]",
        "(; see [1]\n(;GM[4];B[hh];W[ii])",
        "(;GM[4]AP[x]N[a]V[1];B[hh]GB[1];W[ii]TE[1])",
        "(;GM[4];B[h8];W[I9])",
        "(;GM[4];B[HH];W[II])",
        "Bob wrote:\n> (;GM[4]PB[a]\n> ;B[hh];\n>W[ii])\n",
        "B[hh];W[ii]",  # nodes without their brackets
        ";B[hh]\n;W[ii]\n",
        "b[hh];w[ii]",
        "B[hh](;W[ii])(;W[jj])",
        "GM[4]PB[a]CA[GBK]AP[x/1]\n;B[h8];W[i9])",
        "B[hh] W[ii]",
        "\ufeff(\n;B[hh];W[ii])",
        "(;GM[4];B[h\u200bh]_T[1];\u200bW[ii\u200e])",
        "(;GM[4]GN[gomokuquest];QPR[hh,ii])",
        "(;GM[4];QPR[hh];QSLW[ii])",
    ],
)
def test_one_gobang_game_in_many_writings(text):
    game = game_of(text)
    assert (game.setup.env, game.cells, game.damage) == ("gobang_1v1", TWO, "")


def test_a_game_that_is_not_closed_ends_where_the_next_begins():
    found = read("x", b"(;GM[4]PB[a];B[hh];W[ii]\n(;GM[4]PB[b];B[aa])\n(;GM[2]CA[UTF-8];B[fe])")
    assert [(heading.names[0], heading.plies) for heading in found.listed()] == [("a", 2), ("b", 1), ("Black", 1)]
    assert "breaks off" in found.game(0).damage and not found.game(1).damage


@pytest.mark.parametrize(
    ("text", "setup", "env"),
    [
        ("(;GM[1]FF[4]SZ[15]RU[Renju];B[hh];W[ii])", GOBANG, "gobang_1v1"),
        ("(;GM[2]SZ[15];B[hh];W[ii])", GOBANG, "gobang_1v1"),
        ("(;5A[];B[hh];W[ii])", GOBANG, "gobang_1v1"),
        ("(;SZ[19];B[hh];W[ii])", GOBANG, "gobang_1v1"),
        ("(;GM[4]SZ[15];B[hh];W[ii])", GOBANG, "gobang_1v1"),
    ],
)
def test_the_callers_game_decides_where_the_file_names_none(text, setup, env):
    game = game_of(text, setup)
    assert (game.setup.env, game.cells, game.damage) == (env, TWO, "")


@pytest.mark.parametrize(
    ("text", "setup", "sentence"),
    [
        ("(;GM[2]SZ[8];B[fe])", GOBANG, "x holds a game of reversi_8x8_1v1, not of gobang_1v1; leave out --env"),
        ("(;GM[4]SZ[15];B[hh])", GameSetup("reversi_1v1"), "x holds a game of gobang_1v1, not of reversi_1v1"),
        (
            "(;GM[1]SZ[15];B[hh])",
            GameSetup("gobang_1v1", board_size=9),
            "x names its own board; leave out --board-size",
        ),
        ("(;GM[2]SZ[15];B[hh])", None, r"SZ\[15\] is no board of Othello .* give --env gobang_1v1"),
        ("(;GM[1]SZ[15];B[hh])", None, r"but GM\[1\]; if it is one, name it by --env"),
        (
            "Piskvorky 15x15, 0:0, 0\n8,8,0\n",
            GameSetup("tictactoe_1v1"),
            "x holds a game of gobang_1v1, not of tictactoe_1v1",
        ),
    ],
)
def test_the_callers_game_is_refused_where_it_does_not_fit(text, setup, sentence):
    with pytest.raises(RunnerError, match=sentence):
        read("x", text.encode(), setup).game(0)


@pytest.mark.parametrize(
    ("node", "damage"),
    [
        (";B[hh]W[ii]", "line 1: one node holds 2 moves"),
        (";B[hh][ii]", "line 1: one node holds 2 moves"),
        (";B[hh],W[ii]", "line 1: the SGF breaks off or is wrong here"),
        (";B[@@]", "line 1: ply 1, a pass, cannot be played"),
    ],
)
def test_several_moves_in_a_node_are_damage(node, damage):
    assert read("x", f"(;GM[4]{node})".encode()).game(0).damage.startswith(damage)


@pytest.mark.parametrize("word", ["", "tt", "@@@@", "@@", "--", "pa", "PA", "ps", "pass", "PASS"])
def test_words_for_a_pass(word):
    start = "".join(
        f";{'BW'[ply % 2]}[{move}]" for ply, move in enumerate(["f5", "f6", "c4", "g5", "h5", "h4", "f7", "h6"])
    )
    game = game_of(f"(;GM[2]{start};B[{word}])")
    assert (game.cells[8:], game.damage) == ((None,), "")


def test_handicap_discs_are_added_to_the_start():
    game = game_of("(;GM[2]SZ[8]HA[2]AB[aa][hh];W[df])")
    assert game.setup.board[0][0] == game.setup.board[7][7] == "X" and game.setup.board[3][3:5] == "OX"
    assert game.cells[0] is None


@pytest.mark.parametrize(
    ("said", "winner", "how"),
    [
        ("B+", 1, ""),
        ("W+R", 2, "resigns"),
        ("b+resign", 1, "resigns"),
        ("B+T", 1, "lost on time"),
        ("W+Time", 2, "lost on time"),
        ("B+F", 1, "forfeits"),
        ("B+12.5", 1, ""),
        ("Black wins", 1, ""),
        ("White won.", 2, ""),
        ("WHITE WINS BY RESIGNATION", 2, "resigns"),
        ("Black resigned", 2, "resigns"),
        ("White lost on time", 1, "lost on time"),
        ("W wins", 2, ""),
        ("B", 1, ""),
        ("white", 2, ""),
        ("1-0", 1, ""),
        ("0-1", 2, ""),
        ("1/2-1/2", 3, ""),
        ("½-½", 3, ""),
        ("1/2", 3, ""),
        ("0.5-0.5", 3, ""),
        ("38-26", 1, ""),
        ("25:38", 2, ""),
        ("32 - 32", 3, ""),
        ("0", 3, ""),
        ("Draw", 3, ""),
        ("jigo", 3, ""),
        ("和棋", 3, ""),
        ("平局", 3, ""),
        ("黑胜", 1, ""),
        ("白勝", 2, ""),
        ("黑方胜", 1, ""),
        ("白中盘胜", 2, "resigns"),
        ("黑认输", 2, "resigns"),
        ("白超时负", 1, "lost on time"),
        ("黒の勝ち", 1, ""),
        ("Ｂ＋Ｒ", 1, "resigns"),
        ("B+Forfeit", 1, "forfeits"),
        ("White is the winner", 2, ""),
        ("黑+", 1, ""),
        ("Void", 0, ""),
        ("?", 0, ""),
        ("", 0, ""),
        ("black against white", 0, ""),
    ],
)
def test_results_in_words(said, winner, how):
    assert result_of(said) == (winner, how)


def test_a_result_that_is_not_known_is_shown_as_it_stands():
    assert game_of("(;GM[4]RE[Void];B[hh];W[ii])").ending == "Void"
    assert game_of("(;GM[4]RE[?];B[hh];W[ii])").ending == ""
    assert game_of("(;GM[4]PB[two\nlines]RE[黑胜];B[hh];W[ii])").names[0] == "two lines"


def test_an_older_ending_names_its_cells_as_on_the_board():
    text = "(;GM[4]AP[tengen:1]RU[gobang_1v1 stated]RE[B+]GC[5 in a row from (4, 1) to (4, 5)];B[hh];W[ii])"
    assert game_of(text).ending == "5 in a row from b5 to f5"


# ---- Piskvork


@pytest.mark.parametrize(
    ("head", "end", "names", "winner", "ending"),
    [
        ("0", "a.zip\nb.zip\n-1\n", ("a.zip", "b.zip"), 0, ""),
        ("1", "a.zip\nb.zip\n-1\n", ("b.zip", "a.zip"), 0, ""),
        ("0", "a\nb\n15\n", ("a", "b"), 2, "Black lost on time"),
        ("1", "a\nb\n9\n", ("b", "a"), 2, "Black lost on time"),
        ("0", "a\nb\n7\n", ("a", "b"), 2, "Black forfeits"),
        ("0", "a\nb\n16\n", ("a", "b"), 2, "Black forfeits"),
        ("0", "2024\n7\n0\n", ("2024", "7"), 0, ""),
        ("0", "1\n2\n3\n", ("1", "2"), 2, "Black forfeits"),
        ("0", "a\nb\n-1\n1,Freestyle\n", ("a", "b"), 1, ""),
        ("0", "a\nb\n-1\n2,Renju\n", ("a", "b"), 2, ""),
        ("0", "0\n", ("Black", "White"), 0, ""),
        ("0", "", ("Black", "White"), 0, ""),
        ("0", "a\nb\n", ("a", "b"), 0, ""),
        ("0", "a\nb\n99\n", ("a", "b"), 0, ""),
        ("0\r", "a\r\nb\r\n15\r\n", ("a", "b"), 2, "Black lost on time"),
    ],
)
def test_the_last_lines_of_piskvork(head, end, names, winner, ending):
    game = game_of(f"Piskvorky 15x15, 11:11, {head}\n8,8,0\n9,9,120\n{end}")
    assert (game.cells, game.names, game.winner, game.ending, game.damage) == (TWO, names, winner, ending, "")


def test_a_head_of_piskvork_is_one_line():
    with pytest.raises(RunnerError, match="is no file of games"):
        read("x", b"Piskvorky 15x\n15, 11:11, 0\n8,8,0\n")


def test_an_error_of_the_second_player():
    assert game_of("Piskvorky 15x15, 11:11, 0\n8,8,0\na\nb\n15\n").winner == 1


# ---- files that are refused by their name


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"", "an empty file"),
        (b" \r\n", "an empty file"),
        (b"PK\x03\x04" + b"\0" * 26 + b"game.sgf", "a packed file; unpack it"),
        (b"\x1f\x8b\x08", "a packed file"),
        (b"%PDF-1.7", "a PDF"),
        (b"\x89PNG\r\n\x1a\n", "a picture"),
        (b"<svg/>", "a picture"),
        (b"<?xml version='1.0'?>\n<database version='1'>", "a database of RenjuNet"),
        (b"\xffRenLib\xff\x03\x00", "a library of RenLib"),
        (b"<!DOCTYPE html>\n<html>", "a web page"),
        (b'[Event "x"]\n\n1. e4 Nf6', "PGN of another game"),
        (b" \n\r\n", "an empty file"),
        (b"def my_controller(a, b, c=False):\n", "Python code; tengen check"),
        (b'"info_before": 1}]}', "a part of a log"),
    ],
)
def test_other_files_are_refused_by_their_kind(content, kind):
    with pytest.raises(RunnerError, match=f"^x is no file of games, but {kind}"):
        read("x", content)


CUT = [
    "(;GM[4]PB[ann]PW[bob]\n;B[hh]C[a\\]b];W[ii](;B[aa])(;B[bb]))",
    "Piskvorky 15x15, 11:11, 1\n8,8,0\n9,9,7\nann\nbob\n15\n",
    "1. f5 d6\n2. c3 d3\n",
    "id,moves\n1,f5d6c3\n",
]


@pytest.mark.parametrize("text", CUT)
def test_a_file_cut_at_any_byte_has_no_other_game(text):
    whole = read("x", text.encode()).game(0).cells
    for length in range(len(text)):
        try:
            found = read("x", text[:length].encode())
            game = found.game(0)
        except RunnerError:
            continue
        assert len(found) == 1 and game.cells == whole[: len(game.cells)]


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
        (("bob", 'ann "the" cat'), 1, 5, "reversi_8x8_1v1"),
        (("eve", "White"), 0, 3, "gobang_1v1"),
    ]
    assert (found.kind, [game.damage for game in found.games()]) == ("pgn", ["", ""])
    assert (
        read("x", PGN.replace("3. c4", "3. Nf6").encode())
        .game(0)
        .damage.startswith("line 1 cannot be read from '3. nf6")
    )


@pytest.mark.parametrize(("properties", "named"), [
    ("KM[6.5]", "KM"), ("HA[2]AB[dd][pp]", "HA"), ("RU[Japanese]", "RU"), ("SZ[19]RU[chinese]KM[7.5]", "KM, RU"),
    ("RE[B+3.5]", "RE"), ("TB[aa]", "TB"),
])  # fmt: skip
def test_a_game_of_go_that_does_not_name_itself_is_refused(properties, named):
    text = f"(;{properties};B[hh];W[ii])"
    with pytest.raises(RunnerError, match=f"a game of Go, by its {named}; if it is gobang, name it by --env"):
        game_of(text)
    assert game_of(text.replace("AB[dd][pp]", "").replace("19", "15"), GOBANG).cells == TWO


@pytest.mark.parametrize("properties", ["RU[Renju]", "RU[Freestyle]", "RE[B+R]", "RU[gobang]"])
def test_a_game_of_gobang_without_gm(properties):
    assert game_of(f"(;{properties};B[hh];W[ii])").cells == TWO


@pytest.mark.parametrize(("properties", "sentence"), [
    ("AB[hh][ii][jj]AW[aa]", "as the referee needs; remove stones until Black has as many as White, or one more"),
    ("AB[hh]AW[aa]PL[W]", "lets the other side move; remove one stone of the side that is to move"),
    ("AB[hh][ii]AW[aa]PL[B]", "lets the other side move"),
])  # fmt: skip
def test_stones_from_which_the_referee_cannot_begin(properties, sentence):
    with pytest.raises(RunnerError, match=sentence):
        game_of(f"(;GM[4]{properties})")
