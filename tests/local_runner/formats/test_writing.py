"""Written games are read again as they were, SGF with its tree also by another program. Pictures show the board."""

import io
import json
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from sgfmill import sgf

from env_adapter import names
from local_runner.errors import RunnerError
from local_runner.formats import SavedGame, from_session, read, sgf_tree
from local_runner.formats.files import log as logs
from local_runner.formats.sgf_tree import TreeNode, escaped, tree, written
from local_runner.formats.writing import at_ply, write
from local_runner.game.faults import Fault, FaultKind
from local_runner.game.records import Call, Result
from local_runner.game.session import GameSession
from local_runner.game.setup import GameSetup
from tests.local_runner.formats.making import FIVE, games, played, with_a_pass
from tests.local_runner.game.test_platform_log import ReplayPage, board_of


def test_the_sites_replay_page_can_show_what_we_write():
    session = with_a_pass("reversi_1v1")
    for game in (FIVE, from_session(session)):
        env = GameSession(game.setup, cells=game.cells).env
        assert ReplayPage(json.loads(logs.write(game))).stones == board_of(env)


# ---- SGF, read by sgfmill, which numbers rows from the bottom


@settings(max_examples=15, deadline=None)
@given(games())
def test_sgf_says_the_same_to_another_reader(game):
    tree = sgf.Sgf_game.from_bytes(write(game, "sgf"))
    size = game.setup.make().board_height
    assert tree.get_size() == size
    assert (tree.get_player_name("b"), tree.get_player_name("w")) == game.names
    assert tree.get_winner() == {1: "b", 2: "w"}.get(game.winner)
    moves = [node.get_move() for node in tree.get_main_sequence()[1:]]
    assert [colour for colour, _point in moves] == ["bw"[ply % 2] for ply in range(len(game.cells))]
    assert [point for _colour, point in moves] == [cell and (size - 1 - cell[0], cell[1]) for cell in game.cells]
    black, white, _free = tree.get_root().get_setup_stones()
    has_stones = game.setup.board or game.setup.env == "gomoku_11x11_1v1"
    stones = board_of(game.setup.make()) if has_stones else {}
    assert {(size - 1 - row, col): side for side, points in ((1, black), (2, white)) for row, col in points} == stones


# ---- sessions


def test_a_session_in_mid_game_and_at_its_end():
    session = GameSession(GameSetup("tictactoe_1v1", opening=((1, 1),)), ("me", "you"))
    assert from_session(session) == SavedGame(session.setup, ((1, 1),), ("me", "you"))
    session.play((0, 0))
    session.resign(0)
    assert from_session(session) == SavedGame(session.setup, ((1, 1), (0, 0)), ("me", "you"), 2, "Black resigns")


def test_times_and_thoughts_belong_to_the_plies_that_were_called_for():
    session = GameSession(GameSetup("gobang_1v1", opening=((0, 0),)), cells=[(0, 0), (0, 1), (0, 2)])
    session.play((0, 3))
    session.calls[:] = [
        Call(4, 0, 5, 5, 0.7, 0.7, turn=False), Call(4, 1, 0, 3, 0.5, 0.5, turn=True, thought={"depth": 2}),
        Call(5, 0, 0, 0, 9.0, 9.0, turn=True),
    ]  # fmt: skip
    session.result = Result(2, fault=Fault(FaultKind.LATE, {"seconds": 9, "limit": 1, "clock": 9}))
    game = from_session(session)
    assert game.seconds == (None, None, None, 0.5)
    assert game.thoughts == (None, None, None, {"depth": 2})
    assert (game.winner, len(game.cells)) == (2, 4)
    assert game.ending == "Black took 9.000 s of 1 s (9.000 s on the runner's clock)"


def test_a_game_as_it_was_at_a_ply():
    game = at_ply(FIVE, 3)
    assert (game.cells, game.winner, game.ending) == (FIVE.cells[:3], 0, "")
    assert at_ply(FIVE, 9) is FIVE
    with pytest.raises(RunnerError, match="the game has 9 plies; give --ply a smaller number"):
        at_ply(FIVE, 10)
    opened = replace(FIVE, setup=GameSetup("gobang_1v1", opening=FIVE.cells[:4]))
    assert [at_ply(opened, ply).setup.opening for ply in (2, 4)] == [(), FIVE.cells[:4]]


# ---- pictures


def shapes(game):
    root = ElementTree.fromstring(write(game, "svg"))
    found = {}
    for element in root:
        found.setdefault(element.tag.rpartition("}")[2], []).append(element)
    return found


def test_svg_has_a_stone_for_each_move_and_a_ring_for_each_cell_of_the_five():
    found = shapes(replace(FIVE, names=("<script>&", 'a"]]>\x00')))
    fills = [circle.get("fill") for circle in found["circle"]]
    assert fills.count("#1b1d21") == 5 + 1 and fills.count("#fafafa") == 4 + 1  # + 1: beside the name
    assert fills.count("none") == 5
    texts = [text.text for text in found["text"]]
    assert texts.count("h") == texts.count("15") == 2 and {"<script>&", r'a"]]>\x00'} <= set(texts)
    assert [text for text in texts[-4:] if text in ("0", "1")] == ["1", "0"]


def test_svg_marks_the_last_move_and_counts_the_discs():
    found = shapes(at_ply(from_session(with_a_pass()), 3))
    assert [circle.get("fill") for circle in found["circle"]].count("#e5484d") == 1
    texts = [text.text for text in found["text"]]
    black, white = int(texts[-3]), int(texts[-1])
    assert black + white == 4 + 3


def test_tictactoe_has_crosses_and_noughts():
    game = SavedGame(GameSetup("tictactoe_1v1"), ((1, 1), (0, 0), (0, 1)))
    found = shapes(game)
    assert [line.get("stroke") for line in found["line"]].count("#2a5d9f") == 2 * (2 + 1)  # a cross has two lines
    assert len(found["circle"]) == 1 + 1 + 1  # a nought, the mark of the last move, the nought beside the name


@pytest.mark.parametrize("env", names())
def test_png_shows_the_stones_where_they_are(env):
    game = from_session(played(GameSetup(env), 2, 12))
    image = Image.open(io.BytesIO(write(game, "png"))).convert("RGB")
    stones = board_of(GameSession(game.setup, cells=game.cells).env)
    if env == "tictactoe_1v1":
        return
    size = game.setup.make().board_height
    cell = image.width / (size + 2)
    last = next(cell for cell in reversed(game.cells) if cell)
    for row in range(size):
        for col in range(size):
            red, green, blue = image.getpixel((round((col + 1.5) * cell) + 4, round((row + 1.75) * cell)))
            seen = 1 if max(red, green, blue) < 60 else 2 if min(red, green, blue) > 220 else 0
            assert seen == stones.get((row, col), 0) or (row, col) == last


POINTS = st.text("abcdefghijklmno", min_size=2, max_size=2)
TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc"], include_characters="\n]\\:;()["), max_size=20)
PROPERTIES = st.one_of(
    st.tuples(st.sampled_from(["B", "W"]), st.lists(POINTS, min_size=1, max_size=1)),
    st.tuples(st.sampled_from(["AB", "AW", "AE", "TR", "SQ", "CR", "MA"]), st.lists(POINTS, min_size=1, max_size=4)),
    st.tuples(st.just("LB"), st.lists(st.builds("{}:{}".format, POINTS, TEXTS.map(escaped)), min_size=1, max_size=3)),
    st.tuples(st.sampled_from(["C", "N", "XYZ"]), st.lists(TEXTS.map(escaped), min_size=1, max_size=1)),
)
NODES = st.lists(PROPERTIES, max_size=4).map(dict)
TREES = st.recursive(st.builds(TreeNode, NODES), lambda below: st.builds(TreeNode, NODES, st.lists(below, max_size=3)))


def root_of(text):
    root, broken = tree(text, next(sgf_tree.games(text)))
    assert broken is None
    return root


@settings(max_examples=30, deadline=None)
@given(TREES)
def test_a_written_tree_is_read_again_and_another_reader_sees_the_same(below):
    root = TreeNode({"FF": ["4"], "GM": ["4"], "CA": ["UTF-8"], "SZ": ["15"]}, [below])
    assert root_of(written(root)) == root
    assert root_of(sgf.Sgf_game.from_bytes(written(root).encode()).serialise(wrap=None).decode()) == root


@pytest.mark.parametrize(("text", "again", "at"), [
    ("(;GM[4];B[hh](;W[ii];B[jj])(;W[gg]C[a\\]b]))", "(;GM[4]\n;B[hh]\n(;W[ii]\n;B[jj])\n(;W[gg]C[a\\]b]))\n", None),
    ("(;gm[4];Black[hh]TR[aa] [bb]\n)", "(;GM[4]\n;B[hh]TR[aa][bb])\n", None),
    ("(;GM[4](;B[hh](;W[ii](;)(;B[aa]))))", "(;GM[4]\n;B[hh];W[ii]\n(;)\n(;B[aa]))\n", None),
    ("(;;GM[4])", "(;\n;GM[4])\n", None), ("(;GM[4](;B[hh])(;B[ii]))", "(;GM[4]\n(;B[hh])\n(;B[ii]))\n", None),
    ("(;GM[4];B[hh](;W[ii];B", "(;GM[4]\n;B[hh];W[ii];)\n", 21),  # broken at the offset
    ("(;GM[4];B[hh](;W[ii]C[open", "(;GM[4]\n;B[hh];W[ii])\n", 21),
    ("(;GM[4];B[hh](;W[ii])(;W[jj])", "(;GM[4]\n;B[hh]\n(;W[ii])\n(;W[jj]))\n", 29),
])  # fmt: skip
def test_how_a_tree_is_written(text, again, at):
    root, broken = tree(text, next(sgf_tree.games(text)))
    assert (written(root), broken) == (again, at)
    assert written(root_of(again)) == again


def test_a_large_and_a_deep_tree_are_read_up_to_the_limit():
    text = "(;GM[4]" + ";B[aa]" * 30 + ")"
    root, broken = tree(text, next(sgf_tree.games(text)), most=20)
    assert (len(list(root.nodes())), text[broken:][:6]) == (20, ";B[aa]")
    deep = "(;GM[4]" + "(;B[aa]" * 1000 + ")" * 1001
    assert len(list(root_of(deep).nodes())) == 1001
    assert len(list(root_of(written(root_of(deep))).nodes())) == 1001


@pytest.mark.parametrize(("text", "env", "size", "says"), [
    ("(;GM[4]SZ[15];B[hh](;W[ii])(;W[jj]))", "gobang_1v1", 15, ""),
    ("(;GM[4]SZ[15]AB[aa][bb][cc];W[ii])", "gobang_1v1", 15, ""),  # the referee cannot begin here
    ("(;GM[2]SZ[8];B[fe]", "reversi_8x8_1v1", 8, "breaks off"),
])  # fmt: skip
def test_the_tree_of_a_file(text, env, size, says):
    found = read("x.sgf", text.encode()).tree(0)
    assert found is not None
    assert (found.env, found.size, says in found.damage, bool(says)) == (env, size, True, bool(found.damage))
    assert found.root.properties["SZ"] == [str(size)]
    assert (len(list(found.root.nodes())) > 2) is (text.count("(") > 1)
    assert read("x.txt", b"h8h9").tree(0) is None
