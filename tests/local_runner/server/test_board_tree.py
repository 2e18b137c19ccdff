"""The tree of an analysis board: moves, variations, set-up stones, marks, and the referee's verdict on each node."""

import copy
import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from env_adapter import kind_of, make
from local_runner.errors import RunnerError
from local_runner.formats import sgf_tree
from local_runner.server.board_tree import ROOT, BoardTree, rows_of
from local_runner.server.board_tree import tree_of as tree_from
from local_runner.server.node_views import marked, marks_of

BOARD = (15, 15)
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


class Naive:
    """A tree as number -> [parent, properties, children]; the referee plays each path from the start."""

    def __init__(self, env, size):
        self.env, self.size, self.nodes, self.past = env, size, {0: [-1, {"AP": ["tengen:1"]}, []]}, []

    def game(self, number):
        cells = []
        while number:
            number, properties, _children = self.nodes[number]
            [value] = [values[0] for name, values in properties.items() if name in "BW"]
            cells.insert(0, (ord(value[1]) - 97, ord(value[0]) - 97) if value else None)
        usual = max(kind_of(self.env).board) == self.size
        game = make(self.env, "stated", **({} if usual else {"board_size": self.size}))
        for cell in cells:
            game.play(cell)
        return game

    def edit(self, act, number, cell, text):
        """The node to show; None if the change is refused."""
        before = copy.deepcopy(self.nodes)
        shown = getattr(self, act)(number, cell, text)
        if shown is not None and act != "undo" and self.nodes != before:
            self.past = [*self.past[-49:], before]
        return shown

    def play(self, number, cell, _text):
        game, where = self.game(number), None if cell < 0 else divmod(cell, self.size)
        value = "" if where is None else chr(97 + where[1]) + chr(97 + where[0])
        move = {"BW"[game.chess_player - 1]: [value]}
        for child in self.nodes[number][2]:
            if move.items() <= self.nodes[child][1].items():
                return child
        if game.is_over() or (game.why_illegal(where) if where else not game.has_pass):
            return None
        self.nodes[new := max(self.nodes) + 1] = [number, move, []]
        self.nodes[number][2].append(new)
        return new

    def comment(self, number, _cell, text):
        self.nodes[number][1].pop("C", None)
        self.nodes[number][1].update({"C": [text]} if text else {})
        return number

    def mark(self, number, cell, _text):
        """Circles: each click puts one or takes it away."""
        if cell < 0:
            return None
        circles, point = self.nodes[number][1].pop("CR", []), chr(97 + cell % self.size) + chr(97 + cell // self.size)
        circles = [each for each in circles if each != point] + ([] if point in circles else [point])
        self.nodes[number][1].update({"CR": circles} if circles else {})
        return number

    def promote(self, number, _cell, _text):
        at = number
        while at and self.nodes[self.nodes[at][0]][2][0] == at:
            at = self.nodes[at][0]
        if at:
            self.nodes[self.nodes[at][0]][2].sort(key=lambda child: child != at)
        return number if at else None

    def delete(self, number, _cell, _text):
        if not number:
            return None
        for child in list(self.nodes[number][2]):
            self.delete(child, 0, "")
        parent = self.nodes.pop(number)[0]
        self.nodes[parent][2].remove(number)
        return parent

    def undo(self, number, _cell, _text):
        if not self.past:
            return None
        nodes, self.nodes = self.nodes, self.past.pop()
        while number not in self.nodes:
            number = nodes[number][0]
        return number


ACTS = ["play"] * 8 + ["comment", "mark", "promote", "delete", "undo"]
KINDS = [("tictactoe_1v1", 3), ("reversi_1v1", 4), ("mnk_3_4_3_1v1", 4)]
CHANGES = st.tuples(st.sampled_from(ACTS), st.integers(0, 9), st.integers(-1, 15), st.sampled_from(["", "x", "棋 y"]))


@given(st.sampled_from(KINDS), st.lists(CHANGES, max_size=40))
@settings(deadline=None, max_examples=40)
def test_a_tree_after_any_changes_is_that_of_a_naive_one_and_comes_back_from_its_file(kind, changes):
    tree, naive, last = empty(*kind), Naive(*kind), ROOT
    for act, back, cell, text in changes:
        number = last if back < 5 else list(tree.nodes)[-back % len(tree.nodes)]
        cell = min(cell, len(tree.judge.own.start) - 1)
        expected = naive.edit(act, number, cell, text)
        try:
            last = tree.edit(act, number, [cell], "CR" if act == "mark" else text)[0]
        except RunnerError:
            assert expected is None
            continue
        assert last == expected
        assert {each: [entry.parent, dict(entry.properties), list(entry.children)]
                for each, entry in tree.nodes.items()} == naive.nodes  # fmt: skip
    for number, entry in tree.nodes.items():
        game, view = naive.game(number), entry.view
        assert tree.judge.stones(view) == [stone for row in game.stones() for stone in row]
        assert (view.winner, bool(view.line)) == (game.outcome().winner, bool(game.winning_line()))
        assert game.is_over() or view.to_move == game.chess_player
    again = tree_from(iter(json.loads(json.dumps(list(tree.lines())))))
    assert list(map(again.drawn, again.below(ROOT))) == list(map(tree.drawn, tree.below(ROOT)))
    assert text_of(tree_of(sgf_tree.written(tree.game()), *kind)) == text_of(tree)


@pytest.mark.parametrize(("act", "cells", "text", "says"), [
    ("play", [112, 112], "", "h8"), ("play", [-1], "", "no pass"), ("play", [400], "", "off the board"),
    ("play", [0, 30, 1, 31, 2, 32, 3, 33, 4, 60], "", "over"),
    ("mark", [400], "TR", "off the board"), ("mark", [0, 400], "AR", "off"), ("mark", [7, 7], "AR", "unknown"),
    ("stone", [], "B", "off the board"), ("mark", [0], "XX", "unknown"),
    ("undo", [], "", "nothing to take back"), ("delete", [], "", "cannot be deleted"),
    ("promote", [], "", "main line already"),
])  # fmt: skip
def test_an_impossible_change_is_refused_and_changes_nothing(act, cells, text, says):
    tree = empty()
    with pytest.raises(RunnerError, match=says):
        do(tree, act, ROOT, *cells, text=text)
    with pytest.raises(RunnerError, match="not in the tree any more"):
        do(tree, "play", 1)
    assert text_of(tree) == "(;AP[tengen:1])"


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
    assert marks_of(tree.nodes[ROOT].properties, BOARD) == [("TR", (0,), ""), ("LB", (1,), "A]:b")]
    for mark, cell in (("SQ", 0), ("LB:A]:b", 1)):
        do(tree, "mark", ROOT, cell, text=mark)
    do(tree, "comment", text=" ")
    assert text_of(tree) == "(;AP[tengen:1]SQ[aa])"
    assert marks_of({"CR": ["aa:bb", "zz"], "MA": []}, BOARD) == [("CR", (cell,), "") for cell in (0, 1, 15, 16)]
    assert marked({"CR": ["aa:ba"]}, BOARD, ("CR", (0,), ""))["CR"] == ["ba"]


def test_arrows_and_lines():
    tree = tree_of("(;AP[tengen:1]TR[aa]LN[aa:cc]AR[hh:ii][hh:hh][hh][hh:zz])")
    marks = [("TR", (0,), ""), ("AR", (112, 128), ""), ("LN", (0, 32), "")]
    assert marks_of(tree.nodes[ROOT].properties, BOARD) == marks
    do(tree, "mark", ROOT, 112, 113, text="AR")  # another arrow from h8; unreadable arrows are removed
    do(tree, "mark", ROOT, 0, 32, text="LN")  # the same line again takes it away
    assert text_of(tree) == "(;AP[tengen:1]TR[aa]AR[hh:ii][hh:ih])"


# ---- kept, shown and shared


def enter(page, name):
    return page.ask("tree", type="enter_tree", tree=name)


def leave(page, name):
    page.say(type="leave_tree", tree=name)
    page.ask("answer", type="list_trees")  # after this answer, the server has also handled `leave_tree`


def edit(page, name, act, node=0, cells=(), text=""):
    return page.ask("tree", type="edit_tree", tree=name, node=node, act=act, cells=list(cells), text=text)


def made(page, **game):
    return page.ask("answer", type="new_tree", **game)["tree"]


def sgf(visit, name):
    return visit.request("POST", f"/export.sgf?tree={name}", '{"env": "gobang_1v1"}')[2].decode().replace("\n", "")


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
    state = enter(page, name)  # loaded from the store
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
    ({"env": "mnk_3_9_4_1v1", "stones": [1, 2] + [0] * 25, "moves": [26]}, "AB[aa]AW[ba]PL[B];B[ic])"),
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


@pytest.mark.parametrize("ending", ["sgf", "json", "pgn", "csv"])
def test_a_game_on_any_board_is_saved_and_opened(ending, visit, page):
    position = {"env": "mnk_3_9_4_1v1", "size": None, "stones": None, "first": 1, "moves": [26, 0, 14]}
    _status, _headers, content = visit.request("POST", f"/export.{ending}", json.dumps(position))
    file = visit.open(f"any.{ending}", content)["file"]
    game = page.ask("answer", type="open_game", file=file, number=0)
    assert game["position"] == position and [game["board"][name] for name in ("rows", "cols", "in_a_row")] == [3, 9, 4]
    assert [node["plies"] for node in enter(page, made(page, file=file))["nodes"]] == [[], [26], [0], [14]]
