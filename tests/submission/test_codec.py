"""Observations in, one-hot lists out. The observation is not changed, and junk is recognised."""

from __future__ import annotations

import copy
import itertools

import numpy as np
import pytest

from submission import codec
from submission.codec import Snapshot
from submission.variant import K_IN_A_ROW, REVERSI

from .boards import Space, k_in_a_row_observation, reversi_observation, reversi_start

STONES = bytes([0, 1, 2, 0, 0, 1])
GOOD = k_in_a_row_observation(STONES, 2, 3, 1)
DISCS = reversi_observation(reversi_start(4), 4, 1)


@pytest.mark.parametrize("observation, snapshot", [
    (k_in_a_row_observation(STONES, 2, 3, 2), Snapshot(K_IN_A_ROW, 2, 3, STONES, 2)),
    *((dict(GOOD, state_map=board), Snapshot(K_IN_A_ROW, 2, 3, STONES, 1))
      for board in (np.array(GOOD["state_map"]), [[0, 1, 2], [0, 0, 1]], [[0.0, 1.0, 2.0], [0, 0, 1]])),
    *((k_in_a_row_observation(bytes(100), rows, cols, 1), Snapshot(K_IN_A_ROW, rows, cols, bytes(100), 1))
      for rows, cols in ((1, 100), (100, 1))),
    *((reversi_observation(reversi_start(n), n, 1), Snapshot(REVERSI, n, n, reversi_start(n), 1)) for n in (4, 8, 26)),
])  # fmt: skip
def test_an_observation_is_read_and_left_as_it_was(observation: dict, snapshot: Snapshot) -> None:
    before = copy.deepcopy(observation)
    assert codec.decode(observation) == snapshot
    assert str(observation) == str(before)


@pytest.mark.parametrize("junk", [
    None, [[0], [1]], {"state_map": [[]]}, dict(GOOD, chess_player_idx=3), dict(GOOD, state_map=[[[0]], [[0], [0]]]),
    dict(GOOD, state_map=[[[0]] * 3] + [[[0]] * 10**5] * 99), dict(GOOD, state_map=[[[5]]]),
    dict(GOOD, state_map=[[[-1]]]), dict(GOOD, state_map=[["x"]]), np.zeros((3, 3)),
    {k: v for k, v in GOOD.items() if k != "chess_player_idx"}, {k: v for k, v in DISCS.items() if k != 2},
    dict(DISCS, board_width=0), dict(DISCS, board_width=5), dict(DISCS, board_height="a"), {**DISCS, 1: {(9, 9)}},
    {**DISCS, 1: {(-1, 0)}}, {**DISCS, 1: {(0, 4)}}, {**DISCS, 1: {(4, 0)}}, {**DISCS, 2: [(0, 0)] * 17},
    k_in_a_row_observation(bytes(101), 101, 1, 1), k_in_a_row_observation(bytes(101), 1, 101, 1),
    {1: set(), 2: set(), "chess_player_idx": 1, "board_width": -5, "board_height": -5},
], ids=itertools.count())  # fmt: skip
def test_junk_is_no_board(junk) -> None:
    """test_hostile_calls.py has more."""
    assert codec.decode(junk) is None


@pytest.mark.parametrize("cell, answer", [
    ((1, 0), [[0, 1], [1, 0, 0]]), ((0, 2), [[1, 0], [0, 0, 1]]), ((5, -1), [[1, 0], [1, 0, 0]]),
])  # fmt: skip
def test_encode(cell, answer) -> None:
    assert codec.encode(cell, (2, 3)) == answer


@pytest.mark.parametrize("spaces, sizes", [
    ([Space(8), Space(9)], (8, 9)), ([Space(np.int64(4)), Space(4)], (4, 4)),
    (None, (2, 3)), ([], (2, 3)), ([Space(3)], (2, 3)), ([Space(0), Space(3)], (2, 3)), ([1, 2], (2, 3)),
    ([Space(float("inf")), Space(3)], (2, 3)),
    ([Space("a"), Space(1)], (2, 3)), ([Space(10**12), Space(3)], (2, 3)), ([Space(3), Space(10**12)], (2, 3)),
    ([Space(101), Space(3)], (2, 3)), ([Space(3), Space(101)], (2, 3)),
    ([[Space(8), Space(9)], [Space(8), Space(9)]], (8, 9)), ([[Space(8), Space(9)]], (8, 9)), ([[]], (2, 3)),
    ([Space(1), Space(100)], (1, 100)), ([Space(100), Space(1)], (100, 1)), ([Space("9" * 10**6), Space(3)], (2, 3)),
])  # fmt: skip
def test_action_sizes(spaces, sizes) -> None:
    assert codec.action_sizes(spaces, Snapshot(K_IN_A_ROW, 2, 3, STONES, 1)) == sizes
    assert codec.action_sizes(spaces, None) == (sizes if sizes != (2, 3) else (15, 15))
