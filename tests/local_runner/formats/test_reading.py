"""Files of each format are read: the specimens in data/, and texts written by hand."""

import gc
import json
from pathlib import Path

import pytest

from env_adapter import kind_of, names
from local_runner.errors import RunnerError
from local_runner.formats import Heading, from_session, read, read_path
from local_runner.formats.known.moves import write as move_string
from local_runner.formats.writing import write
from local_runner.game.session import GameSession
from local_runner.game.setup import GameSetup
from local_runner.matches.openings.books import SHIPPED
from local_runner.matches.openings.books import read as read_openings
from tests.local_runner.formats.making import TIGER, played, site_log, with_a_pass

DATA = Path(__file__).parent / "data"
BEFORE_A_PASS = "f5f6c4g5h5h4f7h6"  # then Black has no move on 8x8


def game_of(text, name="file", **more):
    content = text if isinstance(text, bytes) else text.encode()
    return read(name, content, **more).game(0)


# ---- logs


def test_the_sites_log_of_reversi_with_a_pass():
    found = read_path(DATA / "site_reversi.json")
    assert list(found) == [Heading(("Black", "White"), 1, "full board, 51 to 49", 97, "reversi_1v1")]
    game = found.game(0)
    log = json.loads((DATA / "site_reversi.json").read_text())
    given = [tuple(step["info_after"]["action"]) if "info_after" in step else None for step in log["steps"]]
    assert (list(game.cells), given.index(None), game.damage) == (given, 94, "")
    assert (game.winner, game.ending) == (1, "full board, 51 to 49")
    session = GameSession(game.setup, cells=game.cells)
    assert session.env.check_win() == log["winner"]
    assert {str(key): value for key, value in session.env.won.items()} == log["winner_information"]


def test_the_sites_log_of_gobang():
    game = read_path(DATA / "site_gobang.json").game(0)
    assert game.cells[::2] == ((7, 7), (7, 8), (7, 9), (7, 10), (7, 11))
    assert (game.winner, game.ending, game.damage) == (1, "5 in a row from h8 to l8", "")
    assert game.setup == GameSetup("gobang_1v1", seed=7)


def test_logs_in_a_json_list_and_a_log_without_its_game():
    logs = [json.loads((DATA / name).read_text()) for name in ("site_gobang.json", "site_reversi.json")]
    found = read("logs.json", json.dumps(logs, indent=1).encode())
    assert ([heading.env for heading in found], found.problem) == (["gobang_1v1", "reversi_1v1"], "")
    steps_first = {"steps": logs[1]["steps"], **logs[1]}
    game = game_of(json.dumps(steps_first)[:5000])
    assert (game.setup.env, len(game.cells) > 20) == ("reversi_1v1", True)
    assert game.damage.endswith("the log does not name its game; it was taken for reversi_1v1")


@pytest.mark.parametrize("between", ["", "\n", "\n\n  ", ","])
def test_several_logs_in_one_file(between):
    texts = [(DATA / name).read_text() for name in ("site_gobang.json", "site_reversi.json", "site_gobang.json")]
    found = read("202603011020_gobang_1v1.json", between.join(texts).encode())
    assert [heading.env for heading in found] == ["gobang_1v1", "reversi_1v1", "gobang_1v1"]
    assert [game.damage for game in found.games()] == [""] * 3


@pytest.mark.parametrize("env", names())
def test_our_log_of_any_game_has_the_same_moves(env):
    session = with_a_pass(env) if kind_of(env).rules.has_pass else played(GameSetup(env), 3)
    game = from_session(session)
    log = session.log.finished(session.env, result={"winner": 1, "text": "White resigns", "black": "a", "white": "b"})
    found = game_of(json.dumps(log))
    assert (found.cells, found.names, found.ending) == (game.cells, ("a", "b"), game.ending)
    assert game_of(json.dumps(site_log(session))).cells == game.cells


def test_the_winner_that_the_platform_pays_for_a_full_board():
    session = next(session for seed in range(100) if (session := played(GameSetup("tictactoe_1v1"), seed)).env
                   .check_win() == 0)  # fmt: skip
    game = game_of(json.dumps(site_log(session)))
    assert (game.winner, game.damage) == (1, "")
    assert "which the platform pays to the last mover" in game.ending


# ---- SGF


@pytest.mark.parametrize(
    ("text", "env", "size", "cells"),
    [
        ("(;GM[4]SZ[15];B[hh];W[ii])", "gobang_1v1", 15, [(7, 7), (8, 8)]),
        ("(;GM[4];B[h8];W[i9])", "gobang_1v1", 15, [(7, 7), (8, 8)]),
        ("(;FF[3]GaMe[4]SiZe[19];Black[aa];White[sb])", "gobang_1v1", 19, [(0, 0), (1, 18)]),  # long names of FF[3]
        ("(;GM[4]SZ[19];B[aa];W[sb])", "gobang_1v1", 19, [(0, 0), (1, 18)]),
        ("(;GM[4]SZ[11]AB[ff][gf]AW[ef][fg];B[aa])", "gomoku_11x11_1v1", 11, [(0, 0)]),
        ("(;GM[4]SZ[15]AB[aa:ba]AW[hh];W[ii])", "gobang_1v1", 15, [(0, 0), (7, 7), (0, 1), (8, 8)]),
        ("(;GM[4]SZ[3];B[bb];W[aa])", "tictactoe_1v1", 3, [(1, 1), (0, 0)]),
        ("(;GM[2];B[fe];W[df];B[cc];W[dc];B[cd])", "reversi_8x8_1v1", 8, TIGER),
        ("(;GM[2]SZ[8];B[f5];W[D6];B[c3//0.5])", "reversi_8x8_1v1", 8, TIGER[:3]),
        ("(;GM[2]SZ[10];B[gf])", "reversi_1v1", 10, [(5, 6)]),
        # the main line of variations, nested and with comments that hold brackets
        ("(;GM[4](;B[hh]C[a \\] ( b](;W[ii];B[aa])(;W[jj]))(;B[aa]))", "gobang_1v1", 15, [(7, 7), (8, 8), (0, 0)]),
        ("From: me\n\n(;GM[4]\n;B[hh]\n\n;W[\nii])  ", "gobang_1v1", 15, [(7, 7), (8, 8)]),
    ],
)  # fmt: skip
def test_sgf(text, env, size, cells):
    game = game_of(text)
    board = game.setup.make()
    assert (game.setup.env, board.board_height, list(game.cells), game.damage) == (env, size, cells, "")


def test_sgf_says_names_result_and_times():
    text = "(;GM[4]PB[An\\]n]PW[吴]RE[W+R]TM[600];B[hh]BL[590.5];W[ii]WL[580];B[aa]BL[590];W[bb])"
    game = game_of(text)
    assert (game.names, game.winner, game.ending) == (("An]n", "吴"), 2, "Black resigns")
    assert game.seconds == (9.5, 20.0, 0.5, None)


def test_sgf_in_the_encoding_of_chinese_windows():
    assert game_of("(;GM[4]PB[黑方]PW[白方];B[hh])".encode("gbk")).names == ("黑方", "白方")


def test_sgf_of_othello_with_passes_written_or_not():
    start = "".join(f";{'BW'[ply % 2]}[{move}]" for ply, move in enumerate(move_pairs(BEFORE_A_PASS)))
    session = GameSession(GameSetup("reversi_8x8_1v1"), cells=[*game_of(BEFORE_A_PASS).cells, None])
    reply = session.env.legal_moves()[0]
    point = "abcdefgh"[reply[1]] + "abcdefgh"[reply[0]]
    for middle in (";B[]", ";B[tt]", ";B[pass]", ""):
        game = game_of(f"(;GM[2]{start}{middle};W[{point}])")
        assert (game.cells[-2:], game.damage) == ((None, reply), "")


def move_pairs(text):
    return [text[at : at + 2] for at in range(0, len(text), 2)]


def test_set_up_discs_and_white_first():
    game = game_of("(;GM[2]SZ[4]AB[bb]AW[cb][ac]PL[W];W[ad])")
    assert game.setup == GameSetup("reversi_1v1", board=("....", ".XO.", "O...", "...."))
    assert game.cells == (None,) and "turns no disc over" in game.damage
    assert game_of("(;GM[2]SZ[4]AB[bb]AW[cb];B[db])").cells == ((1, 3),)


def test_a_collection_of_both_games():
    found = read("games.sgf", b"(;GM[4]PB[a];B[hh])\n(;GM[2]PB[b];B[fe])(;GM[1]PB[c];B[dd])")
    assert [(heading.names[0], heading.env, heading.plies) for heading in found] == [
        ("a", "gobang_1v1", 1), ("b", "reversi_8x8_1v1", 1), ("c", "1", 1)
    ]  # fmt: skip
    with pytest.raises(RunnerError, match=r"no game of gobang \(GM\[4\]\) or Othello \(GM\[2\]\), but GM\[1\]"):
        found.game(2)


# ---- Piskvork


def test_a_game_of_piskvork():
    game = read_path(DATA / "small.psq").game(0)
    assert game.setup == GameSetup("gobang_1v1", "stated", board_size=20)
    assert game.cells == ((9, 10), (11, 9), (9, 11), (0, 19))
    assert game.seconds == (None, 1.5, 0.024, 2.0)
    assert (game.names, game.winner, game.damage) == (("first.zip", "second.zip"), 2, "")


def test_piskvork_with_the_start_of_gomoku():
    session = GameSession(GameSetup("gomoku_11x11_1v1", "stated"), cells=[(0, 0)])
    text = "Piskvorky 11x11, 11:11, 0\r\n6,6,0\r\n5,6,0\r\n7,6,0\r\n6,7,0\r\n1,1,0\r\n"
    assert game_of(text).cells == tuple(session.cells)
    assert game_of(text).setup.env == "gomoku_11x11_1v1"


# ---- move strings


@pytest.mark.parametrize(
    ("text", "env", "size", "cells"),
    [
        ("h8h9i9", "gobang_1v1", 15, [(7, 7), (8, 7), (8, 8)]),
        ("f5d6c3d3c4", "reversi_8x8_1v1", 8, TIGER),
        ("F5D6C3 d3, c4", "reversi_8x8_1v1", 8, TIGER),
        ("g6", "reversi_1v1", 10, [(5, 6)]),
        ("f5", "reversi_8x8_1v1", 8, [(4, 5)]),
        ("f5f5", "gobang_1v1", 15, [(4, 5)]),  # too short to be Reversi for sure
        ("t20a1", "gobang_1v1", 20, [(19, 19), (0, 0)]),
        ("z26", "gobang_1v1", 26, [(25, 25)]),
        ("b2a1c3", "tictactoe_1v1", 3, [(1, 1), (0, 0), (2, 2)]),
        ("# the Tiger\n\nf5d6c3d3c4  # and more", "reversi_8x8_1v1", 8, TIGER),
    ],
)
def test_which_game_a_move_string_is_of(text, env, size, cells):
    game = game_of(text)
    assert (game.setup.env, game.setup.make().board_height, list(game.cells)) == (env, size, cells)


def test_the_caller_or_the_files_name_says_the_game():
    assert game_of("f5d6c3", setup=GameSetup("gobang_1v1")).setup.env == "gobang_1v1"
    assert game_of("f5d6c3", name="gomoku_11x11_1v1_test.pos").setup.env == "gomoku_11x11_1v1"


def test_passes_of_a_move_string_are_filled_in():
    session = with_a_pass()
    text = "".join(part for part in move_string(from_session(session)).split("--"))
    game = game_of(text)
    assert (game.cells, game.damage) == (tuple(session.cells), "")


@pytest.mark.parametrize("env", ["gobang_1v1", "reversi_8x8_1v1"])
def test_a_book_of_openings_is_a_file_of_games(env):
    path = SHIPPED / f"{env}_test.pos"
    found = read_path(path)
    assert len(found) == len(openings := read_openings(path, GameSetup(env)))
    assert [found.game(number).cells for number in range(0, len(found), 20)] == openings[::20]
    assert {heading.env for heading in found} == {env}


# ---- what cannot be read


OTHERS = (b"hello", b"\x00" * 99, b"[1, 2]", b"{}", b"b2 or not")


@pytest.mark.parametrize("content", OTHERS)
def test_other_files_are_refused_with_a_list_of_those_that_are_read(content):
    with pytest.raises(RunnerError, match="is no file of games that can be read: GGF of Othello, the result of"):
        read("some.bin", content)


def test_a_game_is_asked_for_that_is_not_there():
    with pytest.raises(RunnerError, match="there is no game 2; the file has 1"):
        read("x", b"h8").game(1)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(RunnerError, match=r"cannot read .*: No such file"):
        read_path(tmp_path / "none.sgf")
    with pytest.raises(RunnerError, match=r"cannot read .*: Is a directory"):
        read_path(tmp_path)


@pytest.mark.slow
def test_the_copy_of_a_tournament_goes_with_its_games(tournament):
    found = read("pool.db", tournament[0].read_bytes())
    path = found.path
    assert path.is_file() and path.parent.parent != tournament[0].parent and found.game(0).cells
    del found
    gc.collect()
    assert not path.parent.exists()


@pytest.mark.parametrize("ending", ["site", "json", "sgf", "txt"])
def test_a_long_file_is_opened_without_playing_its_games(ending, monkeypatch):
    session = played(GameSetup("reversi_8x8_1v1"), 1, 30)
    text = json.dumps(site_log(session)).encode() if ending == "site" else write(from_session(session), ending)
    monkeypatch.delattr(GameSession, "__init__")
    assert len(read("games", text * 50)) == 50
