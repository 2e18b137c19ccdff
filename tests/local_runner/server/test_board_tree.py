"""The tree of an analysis board: moves, variations, set-up stones, marks, and the referee's verdict on each node."""

import re

import pytest

from local_runner.errors import RunnerError
from local_runner.formats import sgf_tree
from local_runner.server.board_tree import ROOT, BoardTree, rows_of
from local_runner.server.node_views import marked, marks_of

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
    after = do(tree, "stone", moved, 112, text="B")  # removes the stone again
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


def enter(page, name):
    return page.ask("tree", type="enter_tree", tree=name)


def leave(page, name):
    page.say(type="leave_tree", tree=name)
    page.ask("answer", type="list_trees")  # the page has left when this is answered


def edit(page, name, act, node=0, cells=(), text=""):
    return page.ask("tree", type="edit_tree", tree=name, node=node, act=act, cells=list(cells), text=text)


def made(page, **game):
    return page.ask("answer", type="new_tree", **game)["tree"]


def sgf(visit, name):
    return visit.request("GET", f"/tree/{name}.sgf")[2].decode().replace("\n", "")


def test_a_tree_is_shared_kept_and_changes_can_be_taken_back(visit, page):
    name = made(page, position={"env": "gobang_1v1"})
    with visit.page() as other:
        enter(other, name)
        state = enter(page, name)
        assert state["whole"] and [node["id"] for node in state["nodes"]] == [0]
        answer = edit(page, name, "play", cells=[112, 113])
        assert (answer["node"], [node["id"] for node in answer["nodes"]], answer["can_undo"]) == (2, [0, 1, 2], True)
        told = other.hear("tree")
        assert (told["tag"], told["nodes"]) == (None, answer["nodes"])
        assert edit(other, name, "comment", 2, text="why?")["nodes"][0]["comment"] == "why?"
        assert edit(page, name, "undo", 2)["nodes"][0]["comment"] == ""
        assert edit(page, name, "undo", 2)["node"] == 0
        edit(page, name, "play", cells=[5])
        leave(other, name)
    page.follow(type="analyse", position={"env": "gobang_1v1", "moves": [5]}, seconds=0.02, tree=name)
    page.hear("analysed", lambda each: each["analysis"]["finished"])
    assert "another window" in page.refused(type="list_trees", forget=name)
    leave(page, name)
    state = enter(page, name)  # as the store has it
    assert [node["plies"] for node in state["nodes"]] == [[], [5]] and state["report"]["finished"]
    leave(page, name)
    for forget, left in (("", 1), (name, None)):
        trees = page.ask("answer", type="list_trees", forget=forget)["trees"]
        assert {each["tree"]: each["moves"] for each in trees}.get(name) == left
    assert "no such analysis" in page.refused(type="enter_tree", tree=name)


def test_the_tree_of_a_room_follows_its_game(visit, page):
    begun = page.begin("gobang_1v1")
    state = page.play(begun, 112)
    name = state["room"]
    nodes = [(node["plies"], node["seconds"]) for node in enter(page, name)["nodes"]]
    assert nodes == [([], None), ([112], state["seconds"][0])]
    edit(page, name, "play", 1, [5])
    leave(page, name)
    page.play(state, 113)
    enter(page, name)
    assert re.search(r";B\[hh\]C\[\d\.\d{3} s\]\(;W\[ih\]C\[\d\.\d{3} s\]\)\(;W\[fa\]\)\)$", sgf(visit, name))


@pytest.mark.parametrize(("position", "text"), [
    ({"env": "gobang_1v1", "moves": [112]}, "RU[gobang_1v1 stated];B[hh])"),
    ({"env": "gobang_1v1", "stones": [1, 2] + [0] * 223, "moves": [112]}, "AB[aa]AW[ba]PL[B];B[hh])"),
    ({"env": "reversi_8x8_1v1", "first": 2, "moves": [20]}, "PL[W];W[ec])"),
])  # fmt: skip
def test_a_position_becomes_a_tree_with_its_stones_set_up(visit, page, position, text):
    name = made(page, position=position)
    assert made(page, position=position) == name  # the same game leads to the same tree
    assert not any(node["problem"] for node in enter(page, name)["nodes"])
    assert sgf(visit, name).endswith(text)


def test_the_variations_of_a_file_come_in_and_out(visit, page):
    text = "(;FF[4]GM[4]SZ[15]CA[UTF-8]PB[a]C[x];B[hh]TR[aa](;W[ii]C[y\\]])(;W[jj]XY[z]))"
    name, other = (made(page, file=visit.open(*file)["file"]) for file in (("x.sgf", text), ("x.txt", "h8h9")))
    state = enter(page, name)
    assert (state["names"], [node["comment"] for node in state["nodes"]]) == (["a", "White"], ["x", "", "y]", ""])
    assert sgf(visit, name) == text and other != name
