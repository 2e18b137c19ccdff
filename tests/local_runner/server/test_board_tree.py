"""The tree of an analysis board: moves, variations, set-up stones, marks; what the referee says of each node."""

import pytest

from local_runner.errors import RunnerError
from local_runner.formats import sgf_tree
from local_runner.server.board_tree import ROOT, BoardTree, rows_of
from local_runner.server.node_views import marked, marks_of
from local_runner.server.opened_files import OpenedFiles
from local_runner.server.store import open_store
from local_runner.server.stored_room import StoredRoom
from local_runner.server.trees import BoardTrees
from local_runner.server.wire import PagePosition

OTHELLO = ("reversi_8x8_1v1", 8)


def tree_of(text, env="gobang_1v1", size=15):
    root, broken = sgf_tree.tree(text, next(sgf_tree.games(text)))
    assert broken is None
    tree = BoardTree(env, size, rows_of(root, {}))
    tree.look()
    return tree


def empty(env="gobang_1v1", size=15):
    return tree_of("(;AP[tengen:1])", env, size)


def text_of(tree):
    return sgf_tree.written(tree.game()).replace("\n", "")


def do(tree, act, node=ROOT, *cells, text=""):
    return tree.edit(act, node, list(cells), text)[0]


def test_moves_make_variations_that_can_be_promoted_and_deleted():
    tree = empty()
    first = do(tree, "play", ROOT, 112, 113)
    above = tree.nodes[first].parent
    second = do(tree, "play", above, 97)
    assert tree.edit("play", ROOT, [112]) == (above, [])  # a move that is there already is only followed
    assert text_of(tree) == "(;AP[tengen:1];B[hh](;W[ih])(;W[hg]))"
    assert do(tree, "promote", second) == second
    assert text_of(tree) == "(;AP[tengen:1];B[hh](;W[hg])(;W[ih]))"
    with pytest.raises(RunnerError, match="main line already"):
        do(tree, "promote", second)
    assert do(tree, "delete", second) == above
    with pytest.raises(RunnerError, match="not in the tree any more"):
        do(tree, "play", second, 0)
    assert text_of(tree) == "(;AP[tengen:1];B[hh];W[ih])"


@pytest.mark.parametrize(("act", "cells", "text", "says"), [
    ("play", [112, 112], "", "h8"), ("play", [-1], "", "no pass"), ("play", [400], "", "off the board"),
    ("play", [0, 30, 1, 31, 2, 32, 3, 33, 4, 60], "", "over"),
    ("mark", [400], "TR", "off the board"), ("stone", [], "B", "off the board"), ("mark", [0], "XX", "unknown"),
    ("undo", [], "", "nothing to take back"), ("delete", [], "", "cannot be deleted"),
])  # fmt: skip
def test_an_impossible_change_is_refused_and_changes_nothing(act, cells, text, says):
    tree = empty()
    with pytest.raises(RunnerError, match=says):
        do(tree, act, ROOT, *cells, text=text)
    assert text_of(tree) == "(;AP[tengen:1])"


def test_the_last_node_has_the_winning_line():
    tree = empty()
    end = do(tree, "play", ROOT, 0, 30, 1, 31, 2, 32, 3, 33, 4)
    assert (tree.nodes[end].view.winner, tree.nodes[end].view.line) == (1, (0, 1, 2, 3, 4))


def test_discs_are_turned_and_a_forced_pass_is_filled_in():
    tree = empty(*OTHELLO)
    do(tree, "play", ROOT, 19)
    assert tree.nodes[1].view.turned == ((27,),)
    text = "(;SZ[8]AP[tengen:1]PL[B]AB[ab][hh]AW[bb][gh];B[cb];B[fh])"  # White cannot move after c2
    tree = tree_of(text, *OTHELLO)
    assert tree.nodes[1].view.must_pass and tree.nodes[2].view.plies == (-1, 61)
    assert text_of(tree) == text


@pytest.mark.parametrize(("text", "says"), [
    ("(;GM[4];B[hh];W[hh];B[ii])", ["", "", "h8", "h8"]),
    ("(;GM[4];B[hh];B[ii])", ["", "", "White's turn"]),
    ("(;GM[4];B[hh]W[ii])", ["", "2 moves"]),
    ("(;GM[4];B[zz])", ["", "off the"]),
    ("(;GM[4];B[])", ["", "no pass"]),
    ("(;GM[4]AB[aa][bb][cc];W[ii])", ["do not fit", "do not fit"]),
    ("(;GM[4]C[a];;B[hh];C[b])", ["", "", "", ""]),
    ("(;GM[4];B[hh];AW[aa];B[bb])", ["", "", "", ""]),
    ("(;GM[4];B[hh];AB[aa][bb])", ["", "", "do not fit"]),
])  # fmt: skip
def test_a_file_is_kept_as_it_is_and_says_what_cannot_be_played(text, says):
    tree = tree_of(text)
    found = [str(entry.view.problem) for entry in tree.nodes.values()]
    assert all(part in problem and bool(part) is bool(problem) for part, problem in zip(says, found, strict=True))
    assert text_of(tree) == text


def test_stones_are_set_up_at_the_start_and_after_a_move():
    tree = empty()
    assert do(tree, "stone", ROOT, 0, text="B") == ROOT
    do(tree, "stone", ROOT, 1, text="W")
    assert tree.nodes[ROOT].properties["AB"] == ["aa"] and tree.nodes[ROOT].view.to_move == 1
    moved = do(tree, "play", ROOT, 112)
    after = do(tree, "stone", moved, 112, text="B")  # taken away again
    assert tree.nodes[after].properties == {"AE": ["hh"]}
    assert do(tree, "stone", after, 5, text="B") == after
    assert tree.judge.stones(tree.nodes[after].view)[:6] == [1, 2, 0, 0, 0, 1]
    assert text_of(tree) == "(;AP[tengen:1]AB[aa]AW[ba];B[hh];AE[hh]AB[fa])"


def test_white_may_begin_in_othello():
    tree = empty(*OTHELLO)
    do(tree, "turn", text="W")
    assert (tree.nodes[ROOT].view.to_move, tree.nodes[ROOT].view.first) == (2, 2)
    assert tree_of("(;GM[2]SZ[8];W[ee])", *OTHELLO).nodes[ROOT].view.to_move == 2
    assert text_of(tree) == "(;AP[tengen:1]PL[W])"


def test_marks_and_comments():
    tree = empty()
    do(tree, "comment", text="a [good]\\ move: yes")
    do(tree, "mark", ROOT, 0, text="TR")
    do(tree, "mark", ROOT, 1, text="LB:A]:b")
    assert text_of(tree) == "(;AP[tengen:1]C[a [good\\]\\\\ move\\: yes]TR[aa]LB[ba:A\\]\\:b])"
    assert marks_of(tree.nodes[ROOT].properties, 15) == [("TR", 0, ""), ("LB", 1, "A]:b")]
    for mark, cell in (("SQ", 0), ("LB:A]:b", 1)):
        do(tree, "mark", ROOT, cell, text=mark)
    do(tree, "comment", text=" ")
    assert text_of(tree) == "(;AP[tengen:1]SQ[aa])"
    assert marks_of({"CR": ["aa:bb", "zz"], "MA": []}, 15) == [("CR", cell, "") for cell in (0, 1, 15, 16)]
    assert marked({"CR": ["aa:ba"]}, 15, ("CR", 0, ""))["CR"] == ["ba"]


# ---- kept, shown and shared


class Listener:
    language = "en"

    def __init__(self):
        self.heard = []

    def send(self, message, key=None):
        self.heard.append(message)


@pytest.fixture
def store(tmp_path):
    with open_store(tmp_path) as store:
        yield store


def edit(trees, page, name, act, node=0, cells=(), text=""):
    trees.edit(page, 1, name, node, act, list(cells), text)
    return page.heard[-1]


def test_a_tree_is_shared_kept_and_changes_can_be_taken_back(store):
    trees, one, two = BoardTrees(store, OpenedFiles({})), Listener(), Listener()
    name = trees.of_position(PagePosition(env="gobang_1v1"))
    trees.enter(one, 5, name)
    trees.enter(two, 6, name)
    assert one.heard[0]["whole"]
    assert [node["id"] for node in one.heard[0]["nodes"]] == [0]
    answer = edit(trees, one, name, "play", cells=[112, 113])
    assert (answer["node"], [node["id"] for node in answer["nodes"]], answer["can_undo"]) == (2, [0, 1, 2], True)
    assert (two.heard[1]["tag"], two.heard[1]["nodes"]) == (None, answer["nodes"])
    assert edit(trees, two, name, "comment", 2, text="why?")["nodes"][0]["comment"] == "why?"
    assert edit(trees, one, name, "undo", 2)["nodes"][0]["comment"] == ""
    assert edit(trees, one, name, "undo", 2)["node"] == 0
    with pytest.raises(RunnerError, match="nothing to take back"):
        edit(trees, one, name, "undo")
    edit(trees, one, name, "play", cells=[5])
    trees.keep_report(name, {"finished": True})
    for page in (one, two):
        trees.leave(page)
    trees = BoardTrees(store, OpenedFiles({}))
    trees.enter(one, 7, name)
    assert [node["plies"] for node in one.heard[-1]["nodes"]] == [(), (5,)]
    assert one.heard[-1]["report"] == {"finished": True}
    assert [(each["tree"], each["moves"]) for each in trees.listed()["trees"]] == [(name, 1)]
    with pytest.raises(RunnerError, match="another window"):
        trees.listed(name)
    trees.leave(one, name)
    assert trees.listed(name)["trees"] == []
    with pytest.raises(RunnerError, match="no such analysis"):
        trees.enter(one, 8, name)


def test_the_tree_of_a_room_follows_its_game(store):
    room = StoredRoom(
        room="a" * 12, position={"env": "gobang_1v1", "moves": [112, 113]}, start=0, names=("me", "you"),
        seats=({"kind": "human"}, {"kind": "human"}), seconds=(0.5, None),
    )  # fmt: skip
    store.rooms.write(room.room, [room.model_dump(mode="json")])
    trees, page = BoardTrees(store, OpenedFiles({})), Listener()
    trees.enter(page, 1, room.room)
    assert [(node["plies"], node["seconds"]) for node in page.heard[-1]["nodes"]] == [
        ((), None),
        ((112,), 0.5),
        ((113,), None),
    ]
    edit(trees, page, room.room, "play", 1, [5])
    trees.leave(page)
    position = room.position.model_copy(update={"moves": [112, 113, 114]})
    grown = room.model_copy(update={"position": position, "seconds": (0.5, None, None)})
    store.rooms.write(room.room, [grown.model_dump(mode="json")])
    trees.enter(page, 2, room.room)
    assert trees.sgf(room.room).endswith(";B[hh]C[0.500 s]\n(;W[ih]\n;B[jh])\n(;W[fa]))\n")


@pytest.mark.parametrize(
    ("position", "text"),
    [
        ({"env": "gobang_1v1", "moves": [112]}, "RU[gobang_1v1 stated];B[hh])"),
        ({"env": "gobang_1v1", "stones": [1, 2] + [0] * 223, "moves": [112]}, "AB[aa]AW[ba]PL[B];B[hh])"),
        ({"env": "reversi_8x8_1v1", "first": 2, "moves": [20]}, "PL[W];W[ec])"),
    ],
)
def test_a_position_becomes_a_tree_with_its_stones_set_up(store, position, text):
    trees, page = BoardTrees(store, OpenedFiles({})), Listener()
    name = trees.of_position(PagePosition(**position))
    assert trees.of_position(PagePosition(**position)) == name  # the same game leads to the same tree
    trees.enter(page, 1, name)
    assert not any(node["problem"] for node in page.heard[-1]["nodes"])
    assert trees.sgf(name).replace("\n", "").endswith(text)


def test_the_variations_of_a_file_come_in_and_out(store):
    opened = OpenedFiles({})
    trees, page = BoardTrees(store, opened), Listener()
    text = "(;FF[4]GM[4]SZ[15]CA[UTF-8]PB[a]C[x];B[hh]TR[aa](;W[ii]C[y\\]])(;W[jj]XY[z]))"
    file, _games = opened.add("x.sgf", text.encode())
    name = trees.of_file(file, 0)
    trees.enter(page, 1, name)
    state = page.heard[-1]
    assert (state["names"], [node["comment"] for node in state["nodes"]]) == (("a", "White"), ["x", "", "y]", ""])
    assert trees.sgf(name).replace("\n", "") == text
    other, _games = opened.add("x.txt", b"h8h9")
    assert trees.of_file(other, 0) != name
