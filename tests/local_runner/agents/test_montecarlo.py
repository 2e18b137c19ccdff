"""montecarlo against exact solutions of small games and in positions that one move decides; its options."""

import itertools

import pytest

from local_runner.agents.opponents import clock, montecarlo
from local_runner.agents.opponents.rules import KInARowRules, ReversiRules
from tests.local_runner.agents.naive_reversi import after, drawn, exact, legal, positions
from tests.local_runner.agents.naive_tictactoe import put, solved


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
    """Also with a single playout."""
    for playouts in (1, 200):
        assert choose(KInARowRules(8, 8, 5), board, player, playouts=playouts) == cell


def test_tic_tac_toe_is_played_without_a_mistake():
    """From positions with two or three stones in which a mistake is possible."""
    rules = KInARowRules(3, 3, 3)
    starts = {put(put(".........", i, "X"), j, "O") for i in range(9) for j in range(9) if i != j}
    starts |= {put(start, i, "X") for start in starts for i in range(9) if start[i] == "."}
    asked = 0
    for start in sorted(starts)[::12]:
        mover = "XO"[start.count("X") > start.count("O")]
        values = {divmod(i, 3): -solved(put(start, i, mover), "XO"[mover == "X"]) for i in range(9) if start[i] == "."}
        if len(set(values.values())) > 1:
            board = " ".join((start[:3], start[3:6], start[6:]))
            assert values[choose(rules, board, " XO".index(mover), playouts=600)] == max(values.values()), board
            asked += 1
    assert asked > 5


def test_small_reversi_is_won_where_it_can_be():
    """The last plies on 4x4 against an exhaustive search. Only the winner counts, not the disc difference."""
    asked = 0
    for stones, player in positions(4, 60, seed=2):
        if sum(row.count(0) for row in stones) > 7:
            continue
        sign = {cell: -exact(after(stones, player, cell), 3 - player) for cell in legal(stones, player)}
        results = {cell: (value > 0) - (value < 0) for cell, value in sign.items()}
        if len(set(results.values())) > 1:
            rules = ReversiRules(4)
            chosen = montecarlo.Player(playouts=600, seed=3).choose(rules, rules.position(stones, player))
            assert results[rules.cell(chosen)] == max(results.values())
            asked += 1
    assert asked > 3


def test_time_is_kept(monkeypatch):
    looks = itertools.count()
    monkeypatch.setattr(clock, "perf_counter", lambda: next(looks) * 0.01)
    choose(KInARowRules(9, 9, 5), "......... " * 4 + "...XO.... " + "......... " * 4, 1, playouts=None, seconds=0.2)
    assert 20 <= next(looks) <= 22
