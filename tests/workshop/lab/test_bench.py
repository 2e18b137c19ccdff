"""The benchmarks: their positions have the stated properties, and every Python searches the same nodes.

Whether the figures are good is not tested.
"""

from __future__ import annotations

import io
from types import ModuleType

import pytest
from rich.console import Console

from env_adapter import make
from env_adapter.reversi import legal_flips, start_discs
from local_runner.bench.positions import ENV, BenchPosition, read
from local_runner.matches.openings.symmetry import BoardRows, images
from local_runner.processes.interpreters import pythons
from submission.k_in_a_row.position import KInARowPosition
from tests.submission.naive_line import NaiveBoard, brute_vcf, holds
from workshop.lab.bench import gobang, reversi
from workshop.lab.bench.engine import Effort, show, signature
from workshop.lab.bench.gobang import MIDGAME, SIZE, VCF, is_won
from workshop.lab.bench.reversi import EMPTIES, SIZES, START_DISCS, endgame_rows, endgames, games, midgames

FEWEST_FOURS = 3
WON = BenchPosition([(7, 3), (0, 0), (7, 4), (0, 2), (7, 5), (0, 4), (7, 6), (0, 6)])


def _form(position: BenchPosition) -> BoardRows:
    """The same board for all symmetric positions."""
    return min(images(make(ENV, opening=position.moves).stones()))


def test_midgame_positions_differ_and_are_undecided() -> None:
    found = read(MIDGAME)
    assert sorted({len(position.moves) for position in found}) == list(range(8, 21))
    assert len(set(map(_form, found))) == len(found) == 50
    assert not any(make(ENV, opening=position.moves).is_terminal() for position in found[::10])


@pytest.mark.slow
def test_vcf_positions_differ_and_are_won_by_fours() -> None:
    found = read(VCF)
    assert len(set(map(_form, found))) == len(found) == 200
    assert [position.number for position in found] == sorted(position.number for position in found)
    for position in found[::40]:
        player, rows = 1 + len(position.moves) % 2, make(ENV, opening=position.moves).stones()
        stones = bytes(stone for row in rows for stone in row)
        searched = KInARowPosition(SIZE, SIZE, 5)
        searched.set_up(stones, player - 1)
        line = searched.threats.vcf(100_000).line
        board = NaiveBoard(SIZE, SIZE, 5, stones)
        assert len(line) // 2 >= position.number
        assert is_won(position, line) and holds(board, player, line)
        if position is found[0]:  # for more positions it would take long
            assert position.number == FEWEST_FOURS and not brute_vcf(board, player, FEWEST_FOURS)


@pytest.mark.parametrize(
    "line, won",
    [([7 * SIZE + 7], True), ([7 * SIZE + 8], False), ([7 * SIZE + 3], False), ([7 * SIZE + 7, 99, 98], False)],
)
def test_the_referee_says_what_is_won(line: list[int], won: bool) -> None:
    assert is_won(WON, line) == won


def _choices_after(size: int, moves: list[int]) -> int:
    """The number of legal moves of the side to move, by the referee's rules."""
    own, foe = start_discs(size)
    for cell in moves:
        if not legal_flips(own, foe, size):
            own, foe = foe, own
        place = divmod(cell, size)
        turned = set(legal_flips(own, foe, size)[place])
        own, foe = foe - turned, own | turned | {place}
    return len(legal_flips(own, foe, size) or legal_flips(foe, own, size))


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
def test_reversi_positions_have_a_choice(size: int) -> None:
    assert len({tuple(moves) for moves in games(size)}) == 100
    for number, empties in enumerate(EMPTIES):
        assert {len(moves) for moves in endgames(size, empties)} == {size * size - START_DISCS - empties}
        assert _choices_after(size, endgames(size, empties)[number * 7]) > 1
    lengths = [len(moves) for moves in midgames(size)]
    assert lengths == sorted(lengths) and len(set(lengths)) > 15
    assert 10 < lengths[0] < lengths[-1] < size * size - START_DISCS - max(EMPTIES)
    assert all(_choices_after(size, moves) for moves in midgames(size)[::10])


def test_an_unsolved_endgame_counts_with_its_limit() -> None:
    found = [
        {"decided": True, "exact": True, "seconds": 0.1},
        {"decided": True, "exact": False, "seconds": 0.75},
        {"decided": False, "exact": False, "seconds": 0.75},
    ]
    solved, times = endgame_rows([found] * len(EMPTIES), 0.8)
    assert (solved["  10 free cells"], times["  10 free cells"]) == ("67%, 33%", "0.800 s, 0.800 s")


def test_the_signature_is_of_nodes_and_values() -> None:
    thoughts = [{"nodes": 5, "value": -3, "seconds": 0.5}, {"nodes": 7, "value": 0, "seconds": 0.5}]
    assert signature(thoughts) == signature([{**each, "seconds": 1.0} for each in thoughts])
    assert len({signature(thoughts), signature(thoughts[::-1]), signature([thoughts[0]])}) == 3


@pytest.mark.slow
@pytest.mark.parametrize("module, titles, labels", [
    (gobang, 1, ("stones/s", "wins by fours", "  3 fours")),
    (reversi, 2, ("endgame nodes/s", "  20 free cells")),
], ids=["gobang", "reversi"])  # fmt: skip
def test_every_python_is_measured_and_searches_the_same_nodes(
    module: ModuleType, titles: int, labels: tuple[str, ...]
) -> None:
    figures = module.bench(Effort(50, 2, 0.02))
    assert len({each.title for each in figures}) == len({each.signature for each in figures}) == titles
    assert [each.python for each in figures] == titles * [python.title for python in pythons()]
    shown = [each for each in figures if each.title == figures[0].title]
    console = Console(width=80, record=True, file=io.StringIO())
    show(shown, console)
    text = console.export_text()
    for said in (*labels, shown[0].signature, *shown[0].python.split(", ")):
        assert said in text
    assert "…" not in text and max(map(len, text.splitlines())) <= 80
