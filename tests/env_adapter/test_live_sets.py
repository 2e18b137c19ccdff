"""The site's behaviour after an agent has written into its observation or given an unreadable answer."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from env_adapter import answer, make
from env_adapter.reversi import DIRECTIONS, legal_flips

SIZE = 6
CELLS = st.sets(st.tuples(st.integers(-1, SIZE), st.integers(-1, SIZE)), max_size=40)
NO_CELL = [[0] * SIZE, [0] * SIZE]


def ray(cell: tuple[int, int], down: int, right: int) -> list[tuple[int, int]]:
    """The cells from `cell` on, to the first cell off the board, but at least two."""
    cells = [(cell[0] + i * down, cell[1] + i * right) for i in range(1, SIZE + 2)]
    off = (i for i, (row, col) in enumerate(cells) if i and not (0 <= row < SIZE and 0 <= col < SIZE))
    return cells[: next(off, SIZE) + 1]


@given(CELLS, CELLS)
def test_a_walk_ends_at_the_first_own_disc_even_if_the_foe_has_one_there_too(
    own: set[tuple[int, int]], foe: set[tuple[int, int]]
) -> None:
    expected = {}
    for cell in ((row, col) for row in range(SIZE) for col in range(SIZE)):
        walks = [ray(cell, *direction) for direction in DIRECTIONS]
        ends = [next((i for i, each in enumerate(walk) if i and each in own), 0) for walk in walks]
        turned = list[tuple[int, int]]()
        for walk, end in zip(walks, ends, strict=True):
            turned += walk[:end] if foe.issuperset(walk[:end]) else []
        if turned and cell not in own | foe:
            expected[cell] = turned
    assert legal_flips(own, foe, SIZE) == expected


def test_an_answer_without_a_cell_ends_the_row_of_passes() -> None:
    game = make("reversi_1v1", board_size=SIZE)
    game.last = 1  # the opponent has passed
    with pytest.raises(ValueError, match="not in list"):
        game.step([NO_CELL, NO_CELL])
    assert game.last == 0


def test_a_stone_on_a_cleared_cell_counts_as_a_step() -> None:
    game = make("gobang_1v1")
    corner = answer((0, 0), 15, 15)
    steps = []
    for _ in range(2):
        try:
            game.step([corner, corner])
        except ValueError:  # the cell is no longer in the list of free cells
            assert len(steps) == 1
        steps.append(game.step_cnt)
        game.all_observes[0]["state_map"][0][0][0] = 0
    assert [after - before for before, after in pairwise([1, *steps])] == [1, 1]


def test_a_disc_written_off_the_board_changes_the_turn_before_the_error() -> None:
    game = make("reversi_1v1", board_size=SIZE)
    game.all_observes[0][1].add((SIZE, 0))
    with pytest.raises(IndexError):
        game.step([answer((1, 2), SIZE, SIZE)] * 2)
    assert (game.chess_player, game.step_cnt, len(game.black)) == (2, 1, 5)
