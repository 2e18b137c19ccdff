"""SGF as a tree: variations, comments, marks and set-up stones come back unchanged, also through sgfmill."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sgfmill import sgf

from local_runner.formats import read, sgf_tree
from local_runner.formats.sgf_tree import TreeNode, escaped, tree, written

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
    def same(ours, theirs):
        values = {name: [raw.decode() for raw in theirs.get_raw_list(name)] for name in theirs.properties()}
        assert values == ours.properties
        assert len(theirs) == len(ours.children)
        for one, other in zip(ours.children, theirs, strict=True):
            same(one, other)

    root = TreeNode({"FF": ["4"], "GM": ["4"], "CA": ["UTF-8"], "SZ": ["15"]}, [below])
    assert root_of(written(root)) == root
    found = sgf.Sgf_game.from_bytes(written(root).encode())
    same(root, found.get_root())
    assert root_of(found.serialise(wrap=None).decode()) == root


@pytest.mark.parametrize(("text", "again"), [
    ("(;GM[4];B[hh](;W[ii];B[jj])(;W[gg]C[a\\]b]))", "(;GM[4]\n;B[hh]\n(;W[ii]\n;B[jj])\n(;W[gg]C[a\\]b]))\n"),
    ("(;gm[4];Black[hh]TR[aa] [bb]\n)", "(;GM[4]\n;B[hh]TR[aa][bb])\n"),
    ("(;GM[4](;B[hh](;W[ii](;)(;B[aa]))))", "(;GM[4]\n;B[hh];W[ii]\n(;)\n(;B[aa]))\n"),
    ("(;;GM[4])", "(;\n;GM[4])\n"), ("(;GM[4](;B[hh])(;B[ii]))", "(;GM[4]\n(;B[hh])\n(;B[ii]))\n"),
])  # fmt: skip
def test_how_a_tree_is_written(text, again):
    assert written(root_of(text)) == again
    assert written(root_of(again)) == again


@pytest.mark.parametrize(("text", "nodes", "at"), [
    ("(;GM[4];B[hh](;W[ii];B", 4, 21), ("(;GM[4];B[hh](;W[ii]C[open", 3, 21),
    ("(;GM[4];B[hh](;W[ii])(;W[jj])", 4, 29),
])  # fmt: skip
def test_a_broken_tree_is_read_up_to_the_break(text, nodes, at):
    root, broken = tree(text, next(sgf_tree.games(text)))
    assert (len(list(root.nodes())), broken) == (nodes, at)


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
    assert found.root.has_variations() is (text.count("(") > 1)
    assert read("x.txt", b"h8h9").tree(0) is None
