"""Files of each kind: old properties, text around games, results in words, passes, boards, times, names."""

from dataclasses import replace

import pytest

from local_runner.errors import RunnerError
from local_runner.formats import SavedGame, from_session, read, read_path
from local_runner.formats.files import FORMATS
from local_runner.formats.heads import result_of
from local_runner.formats.saved_game import Part
from local_runner.game.move_text import read_moves
from local_runner.game.setup import GameSetup
from tests.local_runner.formats.making import BOARD, DATA, MOVES, TIGER, facts, game_of, ggf, with_a_pass

GOBANG = GameSetup("gobang_1v1")
WTHOR = next(each for each in FORMATS if each.name == "wthor")
TWO = ((7, 7), (8, 8))
OTHER_BOARD = "8 -------- -------- ---*O--- ---O*--- ---*O--- -------- -------- -------- *"
TEN = "10 " + "-" * 44 + "O*" + "-" * 8 + "*O" + "-" * 44 + " *"


BEFORE_A_PASS = "f5f6c4g5h5h4f7h6"
PASSED = "(;GM[2]" + "".join(f";{'BW'[ply % 2]}[{BEFORE_A_PASS[2 * ply :][:2]}]" for ply in range(8)) + "{};W[c5])"


def longer(text):
    return text.replace("GM", "GaMe").replace("PB", "PlayerBlack")


FOR_GOBANG = [  # files that name no game or another game, read as gobang because the caller says so
    "(;GM[1]FF[4]SZ[15]RU[Renju];B[hh];W[ii])", "(;GM[2]SZ[15];B[hh];W[ii])", "(;SZ[19];B[hh];W[ii])",
    "(;RU[Japanese]KM[6.5]HA[2];B[hh];W[ii])",
]  # fmt: skip


@pytest.mark.parametrize("text", [
    *FOR_GOBANG, "(;5A[]GM[4]PB[a];B[hh];W[ii])", "(;FF[3]GM[4]X1[abc]PB[a];B[hh];W[ii])",
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
    game = game_of(text, GOBANG if text in FOR_GOBANG else None)
    assert (game.setup.env, game.cells, game.damage) == ("gobang_1v1", TWO, "")


@pytest.mark.parametrize(("text", "said"), [
    *((text, {"env": env, "size": size, "cells": tuple(cells)}) for text, env, size, cells in [
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
        ("h8h9i9", "gobang_1v1", 15, [(7, 7), (8, 7), (8, 8)]), ("f5d6c3d3c4", "reversi_8x8_1v1", 8, TIGER),
        ("F5D6C3 d3, c4", "reversi_8x8_1v1", 8, TIGER), ("g6", "reversi_1v1", 10, [(5, 6)]),
        ("f5", "reversi_8x8_1v1", 8, [(4, 5)]), ("t20a1", "gobang_1v1", 20, [(19, 19), (0, 0)]),
        ("z26", "gobang_1v1", 26, [(25, 25)]), ("b2a1c3", "tictactoe_1v1", 3, [(1, 1), (0, 0), (2, 2)]),
        ("# the Tiger\n\nf5d6c3d3c4  # and more", "reversi_8x8_1v1", 8, TIGER),
        ("Piskvorky 11x11, 11:11, 0\r\n6,6,0\r\n5,6,0\r\n7,6,0\r\n6,7,0\r\n1,1,0\r", "gomoku_11x11_1v1", 11, [(0, 0)]),
    ]),
    ("(;GM[4]PB[An\\]n]PW[吴]RE[W+R]TM[600];B[hh]BL[590.5];W[ii]WL[580];B[aa]BL[590];W[bb])",
     {"names": ("An]n", "吴"), "winner": 2, "ending": "Black resigns", "seconds": (9.5, 20.0, 0.5, None)}),
    ("(;GM[4]TM[600];B[hh]BL[600];W[ii]WL[605];B[aa]BL[600])", {"seconds": (0.0, None, 0.0)}),  # WL has a bonus
    ((DATA / "site_gobang.json").read_text(), {"winner": 1, "ending": "5 in a row from h8 to l8", "plies": 9,
                                               "setup": GameSetup("gobang_1v1", seed=7)}),
    ("7,-7, -7,7", {"cells": ((0, 14), (14, 0))}), ("0,0, 1,0", {"cells": ((7, 7), (7, 8))}),  # offsets from the centre
    ("0,0 1,0", {"cells": ((0, 0), (1, 0))}),  # rows and columns
    ('{"Black":"ann","player2":"bob","winner":"bob","date":"2001.02.03","moves":["h8","i9"]}',
     {"names": ("ann", "bob"), "winner": 2, "heads": {Part.DATE: "2001-02-03"}}),
    ('[{"moves":"f5d6","result":"W+R"}]', {"winner": 2, "ending": "Black resigns"}),
    ("f5 d6 pass g5", {"env": "reversi_8x8_1v1"}), ("h8h9i9j10", {"names": ("Black", "White")}),
    ("(;GM[4]RE[Void];B[hh];W[ii])", {"ending": "Void"}), ("(;GM[4]RE[?];B[hh];W[ii])", {"ending": ""}),
    ("(;GM[4]PB[two\nlines]RE[黑胜];B[hh];W[ii])", {"names": ("two lines", "White"), "winner": 1}),
    ("(;GM[2]SZ[8]HA[2]AB[aa][hh];W[df])",
     {"board": ("X.......", *["........"] * 2, "...OX...", "...XO...", *["........"] * 2, ".......X"), "lost": 0}),
    ("Piskvorky 15x15, 11:11, 0\n8,8,0\na\nb\n15\n", {"winner": 1, "ending": "White lost on time"}),
    ('[Event "x"]\n[Result "40-24"]\n\n1. f5 d6 2. c3 d3 40-24\n', {"plies": 4, "winner": 0}),
    ('[White "b"] [Black "a"][Result "0-1"]\n1. f5 d6 2. c3 d3 0-1\n', {"plies": 4, "names": ("a", "b"), "winner": 1}),
    ("[White “b”]\n[Black “a”]\n[Result “0-1”]\n1. f5 d6 2. c3 d3 0-1\n",
     {"plies": 4, "names": ("a", "b"), "winner": 1}),
    (ggf(["F5", "D6"]).lower(), {"cells": ((4, 5), (5, 3)), "names": ("ann", "bob")}),
    ("(;GM[2]SZ[4]AB[bb]AW[cb][ac]PL[W];W[ab])",
     {"board": ("....", ".XO.", "O...", "...."), "cells": (None, (1, 0))}),
    (longer(ggf(["F5", "D6"])), {"cells": ((4, 5), (5, 3)), "names": ("ann", "bob")}),
    ("(;GM[Othello]PB[a]TY[8]B[fe];W[df];)", {"cells": ((4, 5), (5, 3))}),  # points of SGF
    (ggf(["F5/1.25/2", "D6/-0.5", "C3//1:02.5"]),
     {"seconds": (2.0, None, 62.5), "thoughts": ({"value": 1.25}, {"value": -0.5}, None)}),
    (ggf(["f3", "f4"], TY="s8r18", BO=OTHER_BOARD), {"cells": ((2, 5), (3, 5)), "size": 8}),
    (f"(;GM[Othello]TY[8]BO[{OTHER_BOARD[:-1]}O]W[c3])", {"lost": 0, "plies": 2}),
    (ggf(["g6"], TY="10", BO=TEN), {"env": "reversi_1v1"}),
    ("(;GM[Othello]TY[10]PB[a]B[g6]W[g5])", {"env": "reversi_1v1"}),
    (ggf(["f5"], BO=BOARD.replace(" ", "").replace("8", "8 ", 1)), {"board": None}),
    *((ggf([*(f"{move.upper()}//{ply}.5" for ply, move in enumerate(MOVES)), word, "C1"], RE="-13.000"),
       {"plies": 62, "lost": 58, "winner": 2, "ending": "double pass, 25 to 38", "env": "reversi_8x8_1v1"})
      for word in ("pa", "PA", "pass", "PASS//1.5", "--", "@@")),
    *((ggf(["F5", "D6"], RE=result), {"winner": winner, "ending": ending}) for result, winner, ending in [
        ("-13", 2, ""), ("+2.000", 1, ""), ("0", 3, ""), ("?", 0, ""), ("-40.00:r", 2, "Black resigns"),
        ("+64.00:t", 1, "White lost on time"), ("+12:s", 1, ""), ("", 0, ""), ("Black wins", 1, ""),
    ]),
    *((PASSED.format(word), {"cells": (*read_moves(BEFORE_A_PASS).cells, None, (4, 2))})
      for word in ("", *(f";B[{word}]" for word in ("", "tt", "@@@@", "@@", "--", "pa", "PA", "ps", "pass", "PASS")))),
    *((f"f5 d6 c3 d3 c4 {result}\n", {"cells": tuple(TIGER), "winner": winner}) for result, winner in [
        ("1-0", 1), ("0-1", 2), ("38-26", 1), ("(26 : 38)", 2), ("1/2-1/2", 3), ("B+R", 1), ("*", 0), ("32-32", 3),
        ("+12", 1), ("(+12)", 1), ("-8", 2), ("+0", 3), ("resign", 1), ("\n黑胜", 1), ("白方认输。", 1),
        ("White wins", 2), ("Black wins by resignation", 1), ("和棋", 3),
    ]),
    *((text, {"cells": tuple(TIGER), "winner": winner, "names": names, "env": "reversi_8x8_1v1"})
      for text, winner, names in [  # tables with a column of moves
        ("eOthello_game_id,winner,game_moves\n660460945,1,f5d6c3d3c4\n", 1, ("Black", "White")),
        ("id;black;white;result;moves\n7;ann;bob;White wins;f5 d6 c3 d3 c4\n", 2, ("ann", "bob")),
        ('moves\twinner\n"F5,D6,C3,D3,C4"\t0\n', 3, ("Black", "White")), ("1,f5d6c3d3c4\n", 0, ("Black", "White")),
        ("sep=;\r\nBlack;White;Moves\r\nann;bob;f5d6c3d3c4\r\n", 0, ("ann", "bob")),
        ("黑方,白方,棋谱\n甲,乙,f5-d6-c3-d3-c4\n", 0, ("甲", "乙")),
    ]),
    ((DATA / "small.psq").read_text(), {
        "setup": GameSetup("gobang_1v1", "stated", board_size=20), "cells": ((9, 10), (11, 9), (9, 11), (0, 19)),
        "seconds": (None, 1.5, 0.024, 2.0), "winner": 2,
    }),
    *((f"Piskvorky 15x15, 11:11, {head}\n8,8,0\n9,9,120\n{end}",
       {"cells": TWO, "names": names, "winner": winner, "ending": ending}) for head, end, names, winner, ending in [
        ("0", "a.zip\nb.zip\n-1\n", ("a.zip", "b.zip"), 0, ""), ("1", "a.zip\nb.zip\n-1\n", ("b.zip", "a.zip"), 0, ""),
        ("0", "a\nb\n15\n", ("a", "b"), 2, "Black lost on time"),
        ("1", "a\nb\n9\n", ("b", "a"), 2, "Black lost on time"), ("0", "a\nb\n7\n", ("a", "b"), 2, "Black forfeits"),
        ("0", "a\nb\n16\n", ("a", "b"), 2, "Black forfeits"), ("0", "2024\n7\n0\n", ("2024", "7"), 0, ""),
        ("0", "1\n2\n3\n", ("1", "2"), 2, "Black forfeits"), ("0", "a\nb\n-1\n1,Freestyle\n", ("a", "b"), 1, ""),
        ("0", "a\nb\n-1\n2,Renju\n", ("a", "b"), 2, ""), ("0", "0\n", ("Black", "White"), 0, ""),
        ("0", "", ("Black", "White"), 0, ""), ("0", "a\nb\n", ("a", "b"), 0, ""),
        ("0", "a\nb\n99\n", ("a", "b"), 0, ""), ("0\r", "a\r\nb\r\n15\r\n", ("a", "b"), 2, "Black lost on time"),
    ]),
])  # fmt: skip
def test_what_a_game_says(text, said):
    game = game_of(text)
    assert (facts(game, said), game.damage) == (said, "")


def test_a_collection_whose_games_are_not_all_closed():
    found = read("x", b"(;GM[4]PB[a];B[hh];W[ii]\n(;GM[4]PB[b];B[aa])\n(;GM[2]CA[UTF-8];B[fe])(;GM[1]PB[c];B[dd])")
    assert [(heading.names[0], heading.plies, heading.env) for heading in found.listed()] == [
        ("a", 2, "gobang_1v1"), ("b", 1, "gobang_1v1"), ("Black", 1, "reversi_8x8_1v1"), ("c", 1, "1")
    ]  # fmt: skip
    assert "breaks off" in found.game(0).damage and not found.game(1).damage


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


PGN = (DATA / "cup.pgn").read_text()


def test_games_of_pgn():
    found = read("x.pgn", PGN.encode())
    assert [(each.names, each.winner, each.plies, each.env) for each in found.listed()] == [
        (("bob", 'ann "the" cat'), 1, 5, "reversi_8x8_1v1"), (("eve", "White"), 0, 3, "gobang_1v1")
    ]  # fmt: skip
    assert (found.kind, [game.damage for game in found.games()]) == ("pgn", ["", ""])
    wrong = read("x", PGN.replace("3. c4", "3. c0").encode()).game(0)
    assert wrong.damage.startswith("line 1 cannot be read from '3. c0")


BEHIND = '[Black "a"]\n[White "b"]\n\n1. f5 d6 *\n'


@pytest.mark.parametrize(("text", "plies"), [  # from the reports of other programs; python-chess: 904, 900, 1087, 1077
    ('[Event "x"]\n[Site "y]\n' + BEHIND, [2]), ('[Event "x"]\n[WhiteType: "human"]\n' + BEHIND, [2]),
    ('[Black "a"]\n[White "b"]\n\n{ Both\nlate }\n\n0-1\n\n' + BEHIND, [0, 2]),
    (f";; <Ann // Bob (R3.1)>\n\n% x\n{BEHIND}", [2]),  # pgn-parser 4
    ('[Black "a"]\n[White "b"]\n1. f5 {x} 1... d6 *\n' + BEHIND, [2, 2]),  # python-chess 773
    ('[Black "a"]\n[White "b"]\n\n1. f5 {as in\n1-0 last year} d6 2. c3 *', [3]),  # chesslib 120
    ("(;GM[4]SZ[15]PB[a]PW[b];B[hh];W[ii]\n; TW[aa]\nTB[bb]\n\nOS[x])", [2]),  # minigo 587
    ("(;GM[4]SZ[15]PB[a]PW[b]US[a[3k]]EV[x] ];B[hh];W[ii])", [2]),  # GoProject 23
    ("(\nTE[x]\nPB[a]PW[b]\nGM[4]SZ[15]\n;B[hh];W[ii])", [2]),  # goreviewpartner 64
    ("(;GaMe[4]SiZe[15]PlayerBlack[a]PlayerWhite[b]CoPyright[\n c]\n;Black\n[hh];White[ii])", [2]),  # Sabaki 68
])  # fmt: skip
def test_files_that_other_programs_could_not_read(text, plies):
    found = [(len(game.cells), game.names, game.damage) for game in read("x", text.encode()).games()]
    assert found == [(number, ("a", "b"), "") for number in plies]


def patched(content, at, value):
    return content[:at] + bytes([value]) + content[at + 1 :]


@pytest.mark.parametrize(("env", "side"), [("reversi_8x8_1v1", 8), ("reversi_1v1", 10)])
def test_a_database_of_wthor_with_its_names(env, side, tmp_path):
    session = with_a_pass(env)
    discs = sum(row.count(1) for row in session.env.stones())
    written = replace(from_session(session), names=("Côté Loïc", "bob"), heads={Part.EVENT: "Open de Paris"})
    content, beside = WTHOR.join([written] * 2), WTHOR.beside([written])
    length = 8 + side * side - 4
    (tmp_path / "WTH_2001.wtb").write_bytes(content[: 16 + length + 8] + bytes(length - 8))  # the second has no moves
    assert read_path(tmp_path / "WTH_2001.wtb")[0].names == ("Black #0", "White #1")
    (tmp_path / "WTHOR.JOU").write_bytes(beside[".jou"])
    (tmp_path / "WTHOR.TRN").write_bytes(beside[".trn"])
    (tmp_path / "other.jou").write_bytes(beside[".jou"].replace(b"bob", b"eve"))  # of another database
    found = read_path(tmp_path / "WTH_2001.wtb")
    game = found.game(0)
    assert (found.kind, len(found), found.problem) == ("wthor", 2, "")
    assert (game.setup.env, game.cells, game.damage) == (env, tuple(session.cells), "")
    assert (game.names, b"C\xf4t\xe9 Lo\xefc\0" in beside[".jou"]) == (("Côté Loïc", "bob"), True)
    assert found[0].ending == f"Open de Paris, {discs} to {side * side - discs}"
    assert found.listed()[0].plies == len(session.cells) and found[1].winner == 0


def test_what_is_wrong_with_a_database():
    whole = WTHOR.join([from_session(with_a_pass())] * 2)
    draw = patched(patched(whole, 16 + 6, 32), 12, 0)  # Black's discs; the board's side is also called 0
    assert [heading.winner for heading in read("x.wtb", draw)] == [3, 2]  # a draw is half of the discs
    illegal = read("x", patched(whole, 25, 11)).game(0)
    assert illegal.damage == "game 1: ply 2, a1, cannot be played: a1 turns no disc over"
    assert read("x", whole[:-30]).problem == "the file breaks off: it says that it has 2 games, but holds 1"
    for content, sentence in [
        (whole[:40], "x breaks off before its first game"), (patched(whole, 13, 1), "holds solitaires of WTHOR"),
        (WTHOR.beside([SavedGame(GOBANG, (), ("ann", "bob"))])[".jou"], "a list of players or tournaments of WTHOR"),
    ]:  # fmt: skip
        with pytest.raises(RunnerError, match=sentence):
            read("x", content)
