"""montecarlo against exact solutions of small games, in positions that one move decides, and its options."""
import time
from functools import cache

import pytest

from local_runner.opponents import montecarlo
from local_runner.opponents.rules import DRAW, KInARowRules, ReversiRules
from tests.local_runner.naive_reversi import after, drawn, exact, legal, positions


def choose(rules, board, player, **options):
    chooser = montecarlo.Player(**{"playouts": 300, "seed": 1, **options})
    return rules.cell(chooser.choose(rules, rules.position(drawn(board), player)))


@pytest.mark.parametrize(
    ("player", "board", "cell"),
    [
        (1, "XXXX.... OOOO.... ........ ........ ........ ........ ........ ........", (0, 4)),
        (1, "........ OOOO.... ........ ...X.... ........ ........ ........ ........", (1, 4)),
        (2, "OO.OO... XXXX.... ........ ........ ........ ........ ........ ........", (0, 2)),
    ],
)
def test_rows_that_one_stone_decides(player, board, cell):
    """Also with a single game at random."""
    for playouts in (1, 200):
        assert choose(KInARowRules(8, 8, 5), board, player, playouts=playouts) == cell


@cache
def outcome(cells, mover):
    """Tic-tac-toe for the mover, by trying everything: 1, 0 or -1."""
    lines = [cells[i:i + 3] for i in (0, 3, 6)] + [cells[i::3] for i in (0, 1, 2)] + [cells[::4], cells[2:7:2]]
    other = "XO"[mover == "X"]
    if other * 3 in lines:
        return -1
    return max((-outcome(put(cells, i, mover), other) for i in range(9) if cells[i] == "."), default=0)


def put(cells, at, mark):
    return cells[:at] + mark + cells[at + 1:]


def test_tic_tac_toe_is_played_without_a_mistake():
    """From every position with two or three stones, in which a mistake is possible and no move decides at once."""
    rules = KInARowRules(3, 3, 3)
    starts = {put(put(".........", i, "X"), j, "O") for i in range(9) for j in range(9) if i != j}
    starts |= {put(start, i, "X") for start in starts for i in range(9) if start[i] == "."}
    asked = 0
    for start in sorted(starts):
        mover = "XO"[start.count("X") > start.count("O")]
        values = {divmod(i, 3): -outcome(put(start, i, mover), "XO"[mover == "X"]) for i in range(9) if start[i] == "."}
        if len(set(values.values())) > 1:
            board = " ".join((start[:3], start[3:6], start[6:]))
            assert values[choose(rules, board, " XO".index(mover), playouts=600)] == max(values.values()), board
            asked += 1
    assert asked > 30


def test_small_reversi_is_won_where_it_can_be():
    """The last plies on 4x4, against all continuations; what counts is who wins, not by how much."""
    asked = 0
    for stones, player in positions(4, 120, seed=2):
        if sum(row.count(0) for row in stones) > 7:
            continue
        sign = {cell: -exact(after(stones, player, cell), 3 - player) for cell in legal(stones, player)}
        results = {cell: (value > 0) - (value < 0) for cell, value in sign.items()}
        if len(set(results.values())) > 1:
            rules = ReversiRules(4)
            chosen = montecarlo.Player(playouts=600, seed=3).choose(rules, rules.position(stones, player))
            assert results[rules.cell(chosen)] == max(results.values())
            asked += 1
    assert asked > 8


def test_the_tree_counts_what_it_plays():
    rules = ReversiRules(4)
    player = montecarlo.Player(playouts=50, seed=5)
    root = montecarlo.TreeNode(rules, rules.position(drawn(".... .OX. .XO. ...."), 1), 0, player.dice)
    for _ in range(50):
        player._playout(rules, root)
    nodes = [root]
    for node in nodes:
        nodes += node.children
        inside = sum(child.visits for child in node.children)
        assert 0 <= node.wins <= node.visits
        assert node.visits == inside if node is root else node.visits - inside == 1 or node.winner is not None
    assert len(nodes) > 40 and root.visits == 50
    ended = [node for node in nodes if node.winner is not None]
    for node in ended:
        won = {DRAW: 0.5, node.position.player: 0.0}.get(node.winner, 1.0)
        assert node.wins == won * node.visits


def test_the_same_seed_repeats_itself():
    rules, board = ReversiRules(8), "........ ........ ........ ..XOOO.. ...XX... ........ ........ ........"
    games = [[choose(rules, board, 1, playouts=20, seed=seed) for seed in range(8)] for _ in range(2)]
    assert games[0] == games[1] and len(set(games[0])) > 1


def test_time_is_kept():
    started = time.perf_counter()
    choose(KInARowRules(9, 9, 5), "......... " * 4 + "...XO.... " + "......... " * 4, 1, playouts=None, seconds=0.2)
    assert 0.2 <= time.perf_counter() - started < 2


@pytest.mark.parametrize(
    ("options", "error"),
    [({"seconds": 0}, ValueError), ({"playouts": 0}, ValueError), ({"play": 1}, TypeError)],
)
def test_what_it_does_not_take(options, error):
    with pytest.raises(error):
        montecarlo.configure(**options)
