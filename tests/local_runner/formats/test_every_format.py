"""One property over all formats: a written file is read as the same games, and a cut or changed file as no other game.

The formats come from their registry, so a new format is tested without a line here. A format that tengen only reads
needs a specimen. Files of tournaments and matches are tested in test_logs.py.
"""

import json
import re
import time
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from env_adapter import kinds, names
from local_runner.errors import RunnerError
from local_runner.formats import SavedGame, read
from local_runner.formats.files import FORMATS
from local_runner.formats.saved_game import Part
from local_runner.formats.writing import convert, joined, write
from local_runner.game import coordinates
from local_runner.game.session import GameSession
from local_runner.game.setup import GameSetup
from tests.local_runner.formats.making import NAMES, TIGER, games, ggf, played, site_log, with_a_pass

READ = {each.name: each for each in FORMATS if each.read}
BOTH = {name: each for name, each in READ.items() if each.ending}
OTHELLO = [kind.name for kind in kinds() if kind.rules.turns_discs]
ENVS = {"ggf": OTHELLO, "wthor": OTHELLO, "psq": [name for name in names() if name not in OTHELLO]}
ENVS["offset"] = ENVS["psq"]
PLAIN = {"ggf", "psq", "wthor"}  # formats that cannot hold every character of a name
LETTERS = st.text("abcdefgh", min_size=1, max_size=19)
VALUES = {
    Part.GAME: lambda game: (game.setup.env, game.setup.rules, game.setup.make().board_height),
    Part.BOARD: lambda game: game.setup.board,
    Part.NAMES: lambda game: game.names,
    Part.RESULT: lambda game: game.winner,
    Part.ENDING: lambda game: game.ending,
    Part.OPENING: lambda game: game.setup.opening,
    Part.TIMES: lambda game: game.seconds,
    Part.THOUGHTS: lambda game: game.thoughts,
}
ENDED = SavedGame(GameSetup("reversi_8x8_1v1"), tuple(with_a_pass().cells))


def stones(game):
    env = GameSession(game.setup, cells=game.cells).env
    return env.stones(), env.chess_player


@pytest.mark.parametrize("number", [4, pytest.param(60, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", BOTH)
def test_what_a_format_keeps_is_read_as_it_was_written(name, number):
    kind, players = BOTH[name], LETTERS if name in PLAIN else NAMES
    kept = set(VALUES) - kind.loses - ({Part.NAMES} if kind.beside else set())  # names are kept in the files beside
    one = games(envs=ENVS.get(name), players=players, boards=name != "position")

    @settings(max_examples=number, deadline=None, phases=(Phase.generate,), database=None,
              suppress_health_check=list(HealthCheck))  # fmt: skip
    @given(st.lists(one, min_size=1, max_size=1 if name == "psq" else 2))
    def hold(some):
        first = some[0].setup  # a list of moves does not say which game it is, so all are of one kind and board
        some = [game for game in some if replace(game.setup, opening=()) == replace(first, opening=())]
        try:
            content = joined(some, kind)
        except RunnerError:  # the format cannot hold one of the games
            return
        asked = GameSetup(first.env, board_size=first.board_size if name != "position" else None)
        found = read("x", content, asked if Part.GAME in kind.loses and kind.takes_setup else None, kind=kind)
        assert len(found) == len(some)
        for game, again in zip(some, found.games(), strict=True):
            is_draw = Part.GAME in kind.loses and "platform pays" in game.ending  # by the stated rules
            parts = kept - ({Part.RESULT} if is_draw else set())
            assert {part: VALUES[part](again) for part in parts} == {part: VALUES[part](game) for part in parts}
            assert again.damage == ""
            if Part.MOVES in kind.loses:
                assert stones(again) == stones(game)
            else:
                assert again.cells[: len(game.cells)] == game.cells
                assert not any(again.cells[len(game.cells) :])  # further plies are passes that end the game

    hold()


def test_passes_beside_a_lost_turn_are_written_and_forced_ones_are_not():
    """The middle one of three passes in a row is a lost turn."""
    lost = ["a2", "c1", "d3", "a4", "c4", "--", "b1", "a1", "--", "b4", "a3", "d4", "--", "--", "--", "d1", "--", "d2"]
    setup = GameSetup("reversi_1v1", board_size=4)
    cells = tuple(None if name == "--" else coordinates.cell(name) for name in lost)
    assert read("x", write(SavedGame(setup, cells), "txt"), setup).game(0).cells == cells
    assert "--" not in write(ENDED, "txt").decode()


# ---- cut and changed

SMALL = SavedGame(GameSetup("reversi_8x8_1v1"), tuple(TIGER), ("ann", "bob"), 1, "White resigns", (None, *[0.25] * 4))
IN_A_ROW = SavedGame(GameSetup("gobang_1v1"), ((7, 7), (8, 8), (7, 8)), ("ann", "bob"), 0, "")

SPECIMENS = {name: joined([next(game for game in (IN_A_ROW if name == "offset" else SMALL, IN_A_ROW)
                                if kind.takes(game.setup.kind))], kind)
             for name, kind in BOTH.items() if name != "wthor"}  # fmt: skip
SPECIMENS |= {
    "wthor": joined([ENDED], BOTH["wthor"]),
    "json_moves": b'{"moves":[{"x":5,"y":4,"player":1},{"x":3,"y":5,"player":2},{"x":2,"y":2,"player":1}]}',
}
MORE = [
    *SPECIMENS.items(),
    ("log", json.dumps(site_log(played(GameSetup("reversi_8x8_1v1"), 5, 9))).encode()),
    ("sgf", b"(;GM[4]PB[ann]PW[bob]\n;B[hh]C[a\\]b];W[ii](;B[aa])(;B[bb]))"),
    ("sgf", "(;CA[GBK]GM[4]PB[黑方];B[hh])".encode("gbk")),
    ("sgf", b"(;GM[2]C[x];B[fe];W[df](;B[cc])(;B[cd]))"),
    ("psq", b"Piskvorky 15x15, 11:11, 1\n8,8,0\n9,9,7\nann\nbob\n15\n"),
    ("moves", b"1. f5 d6\n2. c3 d3\n"),
    ("table", b"id,moves\n1,f5d6c3\n"),
    ("ggf", b"(;GM[Othello]PB[a]TY[8]RE[-2:r]B[f5//1]W[d6/2/3]B[c3];)"),
    ("pgn", b'[Black "a"]\n\n1. f5 {x} d6\n'),
    ("json_moves", b"x,y\n5,4\n3,5\n2,2\n"),
]  # fmt: skip
PLACE = re.compile(r"(line|ply|step|game) \d+|^the file says|the log does not name its game")


def kind_of(name):
    return READ[name] if READ[name].fits is None else None


def read_or_refused(name, content):
    """The games that are read from the file; [] for a refusal, which is one line. The referee can play the games."""
    try:
        found = list(read("file", content, kind=kind_of(name)).games())
    except RunnerError as error:
        assert "\n" not in str(error).strip() and str(error)
        return []
    for game in found:
        assert len(GameSession(game.setup, cells=game.cells).cells) == len(game.cells)
        assert not game.damage or (PLACE.search(game.damage) and "\n" not in game.damage)
    return found


def test_every_format_that_is_read_has_a_specimen():
    assert set(SPECIMENS) == set(READ) - {"match", "tournament"}
    for name, content in MORE:
        found = read("x", content, kind=kind_of(name))
        assert (found.kind, found.game(0).damage) == ("moves" if name == "pos" else name, "")


@pytest.mark.parametrize(("name", "content"), MORE)
def test_a_file_cut_at_any_byte_has_no_other_game(name, content):
    """All cells have one digit, so that no cell is the beginning of another."""
    whole = read("x", content, kind=kind_of(name)).game(0)
    for length in range(0, len(content), 1 + len(content) // 200):
        found = read_or_refused(name, content[:length])
        assert len(found) < 2
        for game in found if name != "position" else ():  # cut after 25 marks, a position is another board
            assert game.cells == whole.cells[: len(game.cells)] or not any(game.cells[len(whole.cells) :])


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_changed_file_is_read_or_refused_in_words(data):
    """Bytes are flipped, cut out, put in or changed."""
    name, specimen = data.draw(st.sampled_from(MORE))
    content = bytearray(specimen)
    for _change in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(content) - 1 if content else 0))
        if data.draw(st.booleans()) and content:
            content[at] ^= 1 << data.draw(st.integers(0, 7))
        else:
            content[at : at + data.draw(st.integers(0, 30))] = data.draw(st.binary(max_size=5))
    read_or_refused(name, bytes(content))


# ---- several games in a file

OBF = "---------------------------OX------XO--------------------------- X;\n"
PSQ, PGN = "Piskvorky 15x15, 11:11, 0\n8,8,5\n9,9,0\n{}a\nb\n-1\n", '[Black "a"]\n[Result "*"]\n\n1. h8 i9 {} *\n'
SEVERAL = {  # three games of 3, 2 and 4 moves, but for positions; {}: where a comment may stand
    "moves": "h8i9h9\n{}c3d4\n\n{}h8i9g9j8\n", "offset": "0,0, 1,1, 0,1\n{}-5,-5, 2,2\n{}0,0, 1,1, -1,0, 2,2\n",
    "sgf": "(;GM[4];B[hh];W[ii];B[hi])\n{}(;GM[4];B[cc];W[dd])\n(;GM[4];B[hh];W[ii];B[gg];W[jj])\n",
    "ggf": "".join(f"{ggf(moves)}\n{{}}" for moves in (["f5", "d6", "c3"], ["f5", "f6"], ["f5", "d6", "c3", "d3"])),
    "pgn": PGN.format("2. h9") + PGN.format("") + "\n1. h8 i9 2. g9 j8\n",
    "table": "id,moves\n1,h8i9h9\n\n2,c3d4\n3,h8i9g9j8\n",
    "psq": PSQ.format("9,8,0\n") + "\n" + PSQ.format("") + PSQ.format("9,7,0\n8,9,0\n"),
    "JSON Lines": '{}{"moves":["h8","i9","h9"]}\n{}{"moves":"c3d4"}\n\n{"moves":[[7,7],[8,8],[7,6],[8,9]]}\n',
    "objects": '[{"x":7,"y":7},{"x":8,"y":8},{"x":7,"y":8}]\n[{"x":1,"y":1},{"x":2,"y":2}]\n'
               '{"actions":[112,128,97,129]}',
    "one value": '{"games":[["h8","i9","h9"],\n{"moves":["c3","d4"]},\n{"a":{"history":"h8i9g9j8"}}]}',
    "openings": '[[[7,7],[8,8],[7,6]],[[2,2],[3,3]],\n[[7,7,"black"],[8,8,"white"],[7,6,"black"],[8,9,"white"]]]',
    "strings": '["h8i9h9", "c3d4",\n "h8i9g9j8"]',
    "heads": "x,y\n7,7\n8,8\n7,8\nx,y\n1,1\n2,2\nx,y\n7,7\n8,8\n6,8\n9,8\n",
    "Botzone": '{"requests":[{"x":7,"y":8}],"responses":[{"x":8,"y":8},{"x":6,"y":6}]}\n'
               '{"responses":[{"x":7,"y":8}],"requests":[{"x":-1,"y":-1},{"x":8,"y":8}]}\n[[7,7],[8,8],[7,6],[8,9]]',
}  # fmt: skip


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\u2028", "\n \n"], ids=repr)
@pytest.mark.parametrize("name", SEVERAL)
def test_no_game_of_several_is_lost_or_joined(name, end):
    text = SEVERAL[name].replace("{}", "# a remark\n").replace("\n", end)
    found = read("x", text.encode())
    assert [(len(game.cells), game.damage) for game in found.games()] == [(3, ""), (2, ""), (4, "")]
    assert found.problem == ""


@pytest.mark.parametrize(("name", "text", "env", "sizes"), [
    ("gomoku_11x11_1v1_test.pos", "f5d6c3", "gomoku_11x11_1v1", [11]), ("a.pos", "h8\ni8\ni9", "gobang_1v1", [15] * 3),
    ("a.pos", "h8i9h9\nq17h8i9\n", "gobang_1v1", [20, 20]), ("a.txt", "h8i9h9\n1. p3h8\n", "gobang_1v1", [20, 20]),
    ("a.pos", "f5d6c3\nh8i9h9\n", "gobang_1v1", [15, 15]), ("a.pos", "b2a1\nf5d6\nu21a1\n", "gobang_1v1", [21] * 3),
    ("a", "f5d6c3d3\nf5f6e6\nf5d6c3g8\n", "reversi_8x8_1v1", [8] * 3),
    ("a", "id,moves\n1,b2a1\n2,q17h8i9\n", "gobang_1v1", [20] * 2),
    ("a", '{"moves":"b2c3"}\n{"moves":"h8i9h9"}', "gobang_1v1", [15, 15]),
    ("a", "0,0, 1,1\n-12,0, 1,1\n", "gobang_1v1", [25] * 2),
    ("a", '[Black "a"]\n\n1. h8 i9 *\n\n[Black "b"]\n\n1. h8 t20 *\n', "gobang_1v1", [20, 20]),
])  # fmt: skip
def test_the_games_of_a_file_are_on_one_board(name, text, env, sizes):
    found = [game.setup for game in read(name, text.encode()).games()]
    assert [(setup.env, setup.make().board_height) for setup in found] == [(env, size) for size in sizes]


@pytest.mark.slow
def test_a_thousand_games_of_a_table_are_converted_soon(tmp_path):
    moves = coordinates.spelt(filter(None, ENDED.cells))
    (tmp_path / "a.csv").write_text("id,moves\n" + f"1,{moves}\n" * 954)
    for ending in ("sgf", "json", "txt"):
        began = time.process_time()
        assert convert(str(tmp_path / "a.csv"), str(tmp_path / f"a.{ending}"), [].append) == 0
        assert time.process_time() - began < 6  # CPU seconds: usually 1.3 to 2, on a busy machine more


OUTSIDE = "left out is text outside the games, such as: "


@pytest.mark.parametrize(("text", "lengths", "problem"), [
    ('{"moves":"h8i9"}\nhello\n{"moves":"c3d4"}', [2, 2], "line 2: this is no game"),
    ('[{"moves":["h8","i9"]},\n{"moves":[]},{"moves":["c3","d4"]}]', [2, 2], "line 1: this is no game"),
    ('{"moves":["h8","i9"]}\n{"moves":["c3","d4"', [2, 1], "line 2: the JSON breaks off or is wrong here"),
    ('{"moves":["h8","i9"]}\n]\n{"moves":["c3","d4"]}', [2], "line 2: the JSON breaks off or is wrong here"),
    ('[{"x":7,"y":8},{"x":8', [1], "line 1: the JSON breaks off or is wrong here"),
    ('a,moves\n1,"h8i9"\n2,"c3d4\n', [2, 2], "a quotation mark is not closed"),
    ("id,moves\n1,f5d6c3\n2,\n3,f5f6e6\n", [3, 3], "rows without moves: 1"),
    ("Round 1\n1. h8 i9\n1-0\nRound 2\n1. h8 h9\n", [2, 2], f"{OUTSIDE}Round 1"),
    ("(;GM[4];B[hh];W[ii])\n2 (;GM[4];B[hh];W[ii])\n-- \nAnn", [2, 2], f"{OUTSIDE}-- Ann"),
    ("1 (;GM[Othello]TY[8]B[f5];)\nbye\n", [1], f"{OUTSIDE}bye"),
    ('{"steps":[[{"status":"ACTIVE"},{}],[{"action":37,"status":"DONE"},{"status":"ACTIVE"}],[{},{"action":43}]]}', [2],
     "numbers are read as cells, row by row from 0: the first move is f5"),
])  # fmt: skip
def test_what_is_left_over_is_said(text, lengths, problem):
    found = read("x", text.encode())
    assert ([len(game.cells) for game in found.games()], found.problem or found.note) == (lengths, problem)
