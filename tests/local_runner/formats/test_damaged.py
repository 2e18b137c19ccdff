"""Broken and hostile files: a sentence names the fault and its place, and the readable games are shown."""

import json
import re
import time
from contextlib import suppress

import pytest

from local_runner.errors import RunnerError
from local_runner.formats import read
from local_runner.formats.source import MOST_BYTES
from local_runner.game.setup import GameSetup
from tests.local_runner.formats.making import BOARD, DATA, MOVES, ggf

GOBANG, REVERSI = ((DATA / name).read_text() for name in ("site_gobang.json", "site_reversi.json"))
STEPS = json.loads(GOBANG)["steps"]
CUT = REVERSI[: [found.start() for found in re.finditer(r'"info_before"', REVERSI)][40] + 30]


def damage_of(text, number=0):
    game = read("file", text if isinstance(text, bytes) else text.encode()).game(number)
    return len(game.cells), game.damage


def changed(log, **changes):
    return json.dumps({**json.loads(log), **changes})


def test_after_a_broken_log_the_next_one_is_read():
    half = GOBANG[: len(GOBANG) // 2]
    found = read("logs.json", f"{GOBANG}\n{half}\n{REVERSI}".encode())
    assert [heading.env for heading in found] == ["gobang_1v1", "gobang_1v1", "reversi_1v1"]
    assert damage_of(f"{GOBANG}\n{half}\n{REVERSI}", 1)[1].startswith("line 2: the JSON breaks off or is wrong here; ")
    assert damage_of(f"{GOBANG}\n{half}\n{REVERSI}", 2) == (97, "")
    assert read("log.json", CUT.encode()).problem.startswith("game 1: line 1: the JSON breaks off")


def test_names_of_players_are_one_short_line():
    log = changed(GOBANG, result={"black": "\x1b[2J" + "x" * 10**6, "white": "a\nb", "text": 7})
    heading = read("file", log.encode())[0]
    assert heading.names[0].startswith(r"\x1b[2Jxxx") and len(heading.names[0]) == 200
    assert heading.names[1] == r"a\nb"


# ---- all formats


@pytest.mark.parametrize(("text", "plies", "damage"), [
    *((changed(GOBANG, steps=[*STEPS[:4], step, *STEPS[5:]]), 4, damage) for step, damage in [
        ({"info_after": {"action": [7, 7]}}, "ply 5, h8, cannot be played: h8 holds a stone of Black's"),
        ({"info_after": {"action": [7, 15]}}, "ply 5, p8, cannot be played: p8 is off the 15x15 board"),
        ({"info_after": {"action": [-1, 9]}}, "ply 5, (-1, 9), cannot be played: (-1, 9) is off the 15x15 board"),
        ({}, "ply 5, a pass, cannot be played: there is no pass in this game"),
        ({"info_before": "当前棋手:2", "info_after": {"action": [9, 9]}},
         "ply 5, j10, cannot be played: it is Black's turn"),
        ({"info_after": {"action": [7.0, 1]}}, "step 5 cannot be read: [7.0, 1]"),
        ({"info_after": {"action": "h8"}}, "step 5 cannot be read: 'h8'"),
        ([1], "step 5 cannot be read: [1]"), ({"info_after": 7}, "step 5 cannot be read: 7"),
    ]),
    *((changed(GOBANG, steps=[{**step, "joint_action": [[[0, 1], [1, 0]], off]} for step in STEPS]), 9, "")
      for off in (None, [[False, True], [0, 1]], [[0.5, 0], [0, 1]], [[1, 0], "ab"])),  # answers off turn
    (json.dumps({"steps": json.loads(REVERSI)["steps"]})[:5000], 29, "line 1: the JSON breaks off or is wrong here; 29 "
     "steps before it can be read; the log does not name its game; it was taken for reversi_1v1"),
    (CUT, 40, "line 1: the JSON breaks off or is wrong here; 40 steps before it can be read"),
    (changed(GOBANG, steps=[*STEPS, {"info_after": {"action": [9, 9]}}]), 9,
     "ply 10, j10, cannot be played: the game is over: 5 in a row from h8 to l8"),
    (changed(GOBANG, winner=2), 9, "the file says: White wins; but by the rules: Black wins"),
    (changed(GOBANG, winner="Black", seed=1.5, n_return={}, winner_information=7, result=[1], start_time=None), 9, ""),
    ("(;GM[4]\n;B[hh];W[ii]\n;B[hh])", 2, "line 3: ply 3, h8, cannot be played: h8 holds a stone of Black's"),
    ("(;GM[4]\n;B[hh];W[ii]\n;B[h", 2, "line 3: the SGF breaks off or is wrong here"),
    ("(;GM[4]\n;B[hh];W[ii]", 2, "line 2: the SGF breaks off or is wrong here"),
    ("(;GM[4]\n;B[hh];W[ii] 7 ;B[aa])", 2, "line 2: the SGF breaks off or is wrong here"),
    ("(;GM[4]\n;B[hh];W[!])", 1, "line 2: ! is no point"),
    ("(;GM[4]SZ[15]\n;B[hh];W[zz])", 1, "line 2: zz is off the 15x15 board"),
    ("(;GM[4]\n;B[hh];B[ii])", 1, "line 2: ply 2, i9, cannot be played: it is White's turn"),
    ("(;GM[4]\n;W[hh])", 0, "line 2: ply 1, h8, cannot be played: it is Black's turn"),
    ("(;GM[4]\n;B[hh]\n;AB[aa])", 1, "line 3: stones are set up after the first move"),
    ("(;GM[2]\n;B[fe];B[])", 1, "line 2: ply 2, a pass, cannot be played: it is White's turn"),
    ("Piskvorky 15x15, 0\n8,8,0\n8,8,0\n", 1, "line 3: ply 2, h8, cannot be played: h8 holds a stone of Black's"),
    ("Piskvorky 15x15, 0\n8,8,0\n8,x,0\n", 1, "line 3: 8,x,0 is no move"),
    ("Piskvorky 15x15, 0\n0,8,0\n", 0, "line 2: ply 1, (7, -1), cannot be played: (7, -1) is off the 15x15 board"),
    ("f5d6c3d3c4f4a1", 6, "line 1: ply 7, a1, cannot be played: a1 turns no disc over"),
    ("f5f5", 1, "line 1: ply 2, f5, cannot be played: f5 holds a stone of Black's"),  # too short to be read as Reversi
    ("# x\nh8h9?i9", 2, "line 2 cannot be read from '?i9' on; write moves like h8i9j10"),
    ("h8--", 1, "line 1: ply 2, a pass, cannot be played: there is no pass in this game"),
    ("(;GM[4];B[hh]W[ii])", 0, "line 1: one node holds 2 moves"),
    ("(;GM[4]B[hh]W[ii])", 0, "line 1: one node holds 2 moves"),  # no GGF
    ("(;GM[4];B[hh][ii])", 0, "line 1: one node holds 2 moves"),
    ("(;GM[4];B[hh],W[ii])", 1, "line 1: the SGF breaks off or is wrong here"),
    ("(;GM[4];B[@@])", 0, "line 1: ply 1, a pass, cannot be played: there is no pass in this game"),
    (ggf(["f5", "z9#"]), 1, "line 1: z9# is no point"),
    (ggf(["f5", "d6"], end=""), 2, "line 1: the GGF breaks off or is wrong here"),
    (ggf(["f5", "d6"], end=" ?;)"), 2, "line 1: the GGF breaks off or is wrong here"),
    (ggf(["f5", "a1"]), 1, "line 1: ply 2, a1, cannot be played: a1 turns no disc over"),
    (ggf([*MOVES, "pa", "c1"], RE="+13"), 62, "the file says: Black wins; but by the rules: White wins"),
    ('[{"x":7,"y":8},{"x":8,"y":null},{"x":1,"y":1}]', 1,
     """line 1 cannot be read from '"x": 8, "y": null' on; write moves like h8i9j10"""),
    ('[{"x":7,"y":8,"player":"black"},{"x":8,"y":8,"player":"black"},{"x":1,"y":1,"player":"white"}]', 1,
     "line 1: ply 2, i9, cannot be played: it is White's turn"),
])  # fmt: skip
def test_what_is_wrong_and_where(text, plies, damage):
    assert damage_of(text) == (plies, damage)


GO = "a game of Go, by its {}; if it is gobang, name it by --env"
LISTED = "is no file of games that can be read: GGF of Othello, the result of"


@pytest.mark.parametrize(("text", "setup", "sentence"), [
    (changed(GOBANG, game_name="chess_1v1"), None,
     "the game 'chess_1v1' is unknown; known: gobang_1v1, reversi_1v1, "),
    (changed(GOBANG, game_name=["x"]), None, r"the game \['x'\] is unknown"),
    (changed(GOBANG, board_width=16), None, "a board of 15x16 cannot be shown, only square boards"),
    (changed(GOBANG, board_width=10**9, board_height=10**9), None,
     "a board with 1000000000 cells on a side cannot be"),
    (changed(REVERSI, board_width=9, board_height=9), None,
     "the game cannot be set up: a Reversi board is square with"),
    (changed(GOBANG, setup={"env": "gobang_1v1"}), None, "the game cannot be set up: 'opening'"),
    (changed(GOBANG, setup={"env": "gobang_1v1", "opening": [], "rules": "none"}), None,
     "no rules are called 'none'"),
    (changed(GOBANG, setup={"env": "gobang_1v1", "opening": [], "board_size": 10**9}), None, "0 cells on a side"),
    (changed(GOBANG, setup={"env": "reversi_1v1", "opening": [], "board": ["." * 99] * 99}), None,
     "99 cells on a side"),
    (changed(GOBANG, setup={"env": "gobang_1v1", "opening": [], "new": 1}), None, "the game cannot be set up: "),
    ("(;GM[4]SZ[15:16];B[aa])", None, r"a board of SZ\[15:16\] cannot be shown, only square boards from 3 to 26"),
    ("(;GM[4]SZ[99];B[aa])", None, r"a board of SZ\[99\] cannot be shown"),
    ("(;GM[4]AB[aa][bb];W[cc])", None, "2 stones of Black and 0 of White cannot have been played in turn"),
    ("Piskvorky 20x15, 0\n1,1,0", None, "a board of 15x20 cannot be shown, only square boards from 3 to 26"),
    ("Piskvorky 9999x9999, 0\n1,1,0", None, "a board of 9999x9999 cannot be shown"),
    ("(;GM[2]SZ[8];B[fe])", GameSetup("gobang_1v1"),
     "x holds a game of reversi_8x8_1v1, not of gobang_1v1; leave out --env"),
    ("(;GM[4]SZ[15];B[hh])", GameSetup("reversi_1v1"), "x holds a game of gobang_1v1, not of reversi_1v1"),
    ("(;GM[1]SZ[15];B[hh])", GameSetup("gobang_1v1", board_size=9), "x names its own board; leave out --board-size"),
    ("(;GM[2]SZ[15];B[hh])", None, r"SZ\[15\] is no board of Othello .* give --env gobang_1v1"),
    ("(;GM[1]SZ[15];B[hh])", None, r"but GM\[1\]; if it is one, name it by --env"),
    ("Piskvorky 15x15, 0:0, 0\n8,8,0\n", GameSetup("tictactoe_1v1"),
     "x holds a game of gobang_1v1, not of tictactoe_1v1"),
    ("(;GM[4]AB[hh][ii][jj]AW[aa])", None,
     "as the referee needs; remove stones until Black has as many as White, or one more"),
    ("(;GM[4]AB[hh]AW[aa]PL[W])", None, "lets the other side move; remove one stone of the side that is to move"),
    ("(;GM[4]AB[hh][ii]AW[aa]PL[B])", None, "lets the other side move"),
    (ggf(["A1-A2"], GM="Amazons"), None, "a game of Amazons in GGF cannot be read, only Othello"),
    (ggf(["f5"], TY="8a"), None, r"the variant TY\[8a\] of Othello cannot be read"),
    (ggf(["f5"], TY="88"), None, r"the variant TY\[88\] of Othello cannot be read"),
    (ggf(["f5"], BO="8 ---"), None, r"the board BO\[8 ---\] cannot be read; it needs a side from 3 to 26"),
    (ggf(["f5"], BO=BOARD.replace("-", "?")), None, "cannot be read; it needs a side"),
    ("(;KM[6.5];B[hh];W[ii])", None, GO.format("KM")),
    ("(;HA[2]AB[dd][pp];B[hh];W[ii])", None, GO.format("HA")),
    ("(;RU[Japanese];B[hh];W[ii])", None, GO.format("RU")),
    ("(;SZ[19]RU[chinese]KM[7.5];B[hh];W[ii])", None, GO.format("KM, RU")),
    ("(;RE[B+3.5];B[hh];W[ii])", None, GO.format("RE")),
    ("(;TB[aa];B[hh];W[ii])", None, GO.format("TB")),
    ("[[7,7],[15,8]]", None, r"counted from 0 or from 1\? Counted from 0, they need a board of 20x20"),
    ('[{"x":15,"y":7},{"x":8,"y":8}]', None, r"counted from 0 or from 1\? Counted from 0, they need a board of 20x20"),
    ("Piskvorky 15x\n15, 11:11, 0\n8,8,0\n", None, "is no file of games"),
    ("hello", None, LISTED), ("\0" * 99, None, LISTED), ("[1, 2]", None, LISTED), ("{}", None, LISTED),
    ("b2 or not", None, LISTED),
])  # fmt: skip
def test_a_game_that_cannot_be_read_or_set_up(text, setup, sentence):
    with pytest.raises(RunnerError, match=sentence):
        read("x", text.encode(), setup).game(0)


@pytest.mark.parametrize(("content", "kind"), [
    (b"", "an empty file"), (b" \r\n", "an empty file"), (b" \n\r\n", "an empty file"),
    (b"PK\x03\x04" + b"\0" * 26 + b"game.sgf", "a packed file; unpack it"), (b"\x1f\x8b\x08", "a packed file"),
    (b"%PDF-1.7", "a PDF"), (b"\x89PNG\r\n\x1a\n", "a picture"), (b"<svg/>", "a picture"),
    (b"<?xml version='1.0'?>\n<database version='1'>", "a database of RenjuNet"),
    (b"\xffRenLib\xff\x03\x00", "a library of RenLib"), (b"<!DOCTYPE html>\n<html>", "a web page"),
    (b'[Event "x"]\n\n1. e4 Nf6', "PGN of another game"),
    (b'[Event "x"]\n\n1. e4 e5 2. Nf3 Nc6', "PGN of another game"),
    (b"def my_controller(a, b, c=False):\n", "Python code; tengen check"),
    (b'"info_before": 1}]}', "a part of a log"),
])  # fmt: skip
def test_other_files_are_refused_by_their_kind(content, kind):
    with pytest.raises(RunnerError, match=f"^x is no file of games, but {kind}"):
        read("x", content)


def test_a_damaged_tournament(tournament):
    content = tournament[0].read_bytes()
    lines = content.splitlines(keepends=True)
    damaged = read("pool.jsonl", lines[0] + lines[1].replace(b'"seed"', b'"sead"') + lines[2])
    assert len(damaged) == 1 and "is damaged in line 2; `tengen tournament --resume` plays" in damaged.problem
    assert len(read("pool.jsonl", content[:-5])) == 1  # no error: the last line may be in the middle of being written
    with pytest.raises(RunnerError, match=r"pool.jsonl is no tournament's file, or its first line is damaged"):
        read("pool.jsonl", content[:100])


# ---- hostile files


MANY = 100_000
HOSTILE = {  # the beginning of a file, and the text that is repeated many times behind it
    "nested lists": ('{"game_name": "gobang_1v1", "steps": ', "["), "nested objects": ('{"game_name": ', '{"steps": '),
    "heads of logs": ("", '{"game_name":'), "numbers after a log": (GOBANG, " 1"), "open branches": ("", "(;"),
    "a long number": ('{"game_name": "gobang_1v1", "steps": [], "seed": ', "9"), "open values": ("(;GM[4]", "["),
    "escapes": ("(;GM[4]C[", "\\"), "empty games": ("", "(;)"), "nodes": ("(;GM[4]", ";B[hh]"),
    "lines": ("(;GM[4]", "\n;B[]"),
    "letters": ("(;GM[4]", "B"), "moves": ("", "h8"), "lines of moves": ("", "h8\n"), "spaces": ("{", " " * 10),
    "moves of Piskvork": ("Piskvorky 15x15, 0\n", "1,1,0\n"), "printed boards": ("", "a b c d\n1 - - - - 1\n"),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_file_ends_soon(what):
    began = time.process_time()
    with suppress(RunnerError):
        found = read(what, (HOSTILE[what][0] + HOSTILE[what][1] * MANY).encode())
        for number in {0, len(found) // 2, len(found) - 1}:
            with suppress(RunnerError):
                found.game(number)
    assert time.process_time() - began < 10


def test_files_that_are_too_large(monkeypatch):
    with pytest.raises(RunnerError, match="x has more than 100 MB; give a smaller file"):
        read("x", bytes(MOST_BYTES + 1))
    with pytest.raises(RunnerError, match="x holds more than 5000000 lists"):
        read("x", b'{"game_name": "gobang_1v1", "steps": [' + b"[]," * 5_000_001)
