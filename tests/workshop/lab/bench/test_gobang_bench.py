"""The gobang benchmark: its positions have the stated properties, and it measures on every Python.

Whether the figures are good is not tested.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from rich.console import Console

from env_adapter import make
from local_runner.bench.positions import ENV, BenchPosition, read
from local_runner.matches.openings.symmetry import BoardRows, images
from local_runner.processes.interpreters import pythons
from tests.conftest import NO_PYTHON37
from tests.submission.naive_line import NaiveBoard, brute_vcf, holds
from workshop.gobang.bench_positions import SETS
from workshop.gobang.vcf_positions import FEWEST, MOST, first_wins, masks, shortest_vcf
from workshop.lab.bench import gobang
from workshop.lab.bench.engine import signature
from workshop.lab.bench.gobang import MIDGAME, VCF, GobangFigures, is_won, show

SIZE = 15


def _cells(position: BenchPosition) -> list[int]:
    return [row * SIZE + col for row, col in position.moves]


def _form(position: BenchPosition) -> BoardRows:
    """The same board for all symmetric positions."""
    rows = [[0] * SIZE for _ in range(SIZE)]
    for number, (row, col) in enumerate(position.moves):
        assert not rows[row][col]
        rows[row][col] = 1 + number % 2
    return min(images(rows))


def test_midgame_positions_are_to_be_played_on() -> None:
    found = read(MIDGAME)
    assert [len(position.moves) for position in found] == SETS[MIDGAME].stone_counts()
    assert len(set(map(_form, found))) == len(found) == 50
    assert not any(make(ENV, opening=position.moves).is_terminal() for position in found[::10])


def test_vcf_positions_differ_and_are_won_with_the_fours_they_say() -> None:
    found = read(VCF)
    assert len(found) == 200
    assert len(set(map(_form, found))) == 200
    numbers = [position.number for position in found]
    assert numbers == sorted(numbers)
    assert (numbers[0], numbers[-1] <= MOST) == (FEWEST, True)
    for position in found[::40]:
        line = shortest_vcf(*masks(_cells(position)))
        assert len(line) // 2 == position.number
        assert is_won(position, line)
        player = 1 + len(position.moves) % 2
        rows = make(ENV, opening=position.moves).stones()
        board = NaiveBoard(SIZE, SIZE, 5, [stone for row in rows for stone in row])
        assert holds(board, player, line)
        if position is found[0]:  # for more positions it would take long
            assert not brute_vcf(board, player, FEWEST), "it takes fewer fours"


@pytest.mark.parametrize(
    "row, moves",
    [
        ("..XXXX.........", 1),  # a five
        ("..XXX..........", 3),  # an open four
        ("X.X.X..........", 0),
        (".OXXX..........", 0),
        ("X.X.X.X........", 3),  # two fives in one line
        ("..XXX.....OOOO.", 0),  # the other side has two fives,
        ("..XXX.....OOOOX", 0),  # or one five, and no four of ours stops it
        ("XOOOO.XXX......", 0),  # the four that stops it is stopped
        ("XOOOO.XXXX.....", 1),
    ],
)
def test_the_least_fours(row: str, moves: int) -> None:
    own, other = (sum(1 << 7 * SIZE + col for col, symbol in enumerate(row) if symbol == stone) for stone in "XO")
    assert len(shortest_vcf(own, other)) == moves


def test_where_a_side_begins_to_win() -> None:
    """Black makes a three in row 7 unanswered, White stones lie apart: the win begins with three stones there."""
    moves = [108, 0, 110, 4, 109, 8, 111, 12, 112]
    assert list(first_wins(moves)) == [(moves[:6], 1)]


WON = BenchPosition([(7, 3), (0, 0), (7, 4), (0, 2), (7, 5), (0, 4), (7, 6), (0, 6)])


@pytest.mark.parametrize(
    "line, won",
    [([7 * SIZE + 7], True), ([7 * SIZE + 8], False), ([7 * SIZE + 3], False), ([7 * SIZE + 7, 99, 98], False)],
)
def test_the_referee_says_what_is_won(line: list[int], won: bool) -> None:
    assert is_won(WON, line) == won


def test_the_signature_is_of_nodes_and_values() -> None:
    thoughts = [{"nodes": 5, "value": -3, "seconds": 0.5}, {"nodes": 7, "value": 0, "seconds": 0.5}]
    assert signature(thoughts) == signature([{**each, "seconds": 1.0} for each in thoughts])
    assert len({signature(thoughts), signature(thoughts[::-1]), signature([thoughts[0]])}) == 3


@pytest.fixture(scope="module")
def figures(measured: Callable[[ModuleType, int], list[Any]]) -> list[GobangFigures]:
    return measured(gobang, 25)


def test_the_engine_is_measured_on_every_python(figures: list[GobangFigures]) -> None:
    assert [each.python for each in figures] == [python.title for python in pythons()]
    for each in figures:
        assert 0 < each.nodes_per_second < each.stones_per_second
        assert len(each.depths) + each.proved == 2
        assert sum(asked for asked, _ in each.wins.values()) == 8
        assert all(0 <= found <= asked for asked, found in each.wins.values())
        assert 0.1 < each.play_undo_us < 1000


@pytest.mark.skipif(len(pythons()) < 2, reason=NO_PYTHON37)
def test_every_python_behaves_alike(figures: list[GobangFigures]) -> None:
    assert len({(each.signature, each.nodes) for each in figures}) == 1


def test_what_is_shown(figures: list[GobangFigures]) -> None:
    console = Console(width=80, record=True, file=io.StringIO())
    show(figures, console)
    text = console.export_text()
    for said in ("stones/s", "signature", "wins by fours", figures[0].signature, *figures[0].python.split(", ")):
        assert said in text
    assert "…" not in text and max(map(len, text.splitlines())) <= 80
