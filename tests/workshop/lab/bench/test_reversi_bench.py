"""The Reversi benchmark: its positions have the stated properties, and it measures on every Python.

Whether the figures are good is not tested.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from rich.console import Console

from env_adapter.reversi import legal_flips, start_discs
from local_runner.processes.interpreters import pythons
from tests.conftest import NO_PYTHON37
from workshop.lab.bench import reversi
from workshop.lab.bench.reversi import (
    EMPTIES,
    SIZES,
    START_DISCS,
    ReversiFigures,
    endgames,
    games,
    midgames,
    show,
    summary,
)
from workshop.reversi.bench_positions import FIRST, select_games
from workshop.reversi.games import ReversiSelfPlay, play


def _choice_after(size: int, moves: list[int]) -> int:
    """The number of legal moves of the side to move, by the referee's rules."""
    own, foe = start_discs(size)
    for cell in moves:
        if not legal_flips(own, foe, size):
            own, foe = foe, own
        place = divmod(cell, size)
        turned = set(legal_flips(own, foe, size)[place])
        own, foe = foe - turned, own | turned | {place}
    return len(legal_flips(own, foe, size) or legal_flips(foe, own, size))


@pytest.mark.parametrize("size", SIZES)
def test_endgames_are_of_games_and_with_a_choice(size: int) -> None:
    assert len({tuple(moves) for moves in games(size)}) == 100
    for number, empties in enumerate(EMPTIES):
        found = endgames(size, empties)
        assert {len(moves) for moves in found} == {size * size - START_DISCS - empties}
        for moves in found[number::50]:
            assert _choice_after(size, moves) > 1


@pytest.mark.parametrize("size", SIZES)
def test_midgames_are_of_all_lengths(size: int) -> None:
    lengths = [len(moves) for moves in midgames(size)]
    assert lengths == sorted(lengths)
    assert len(set(lengths)) > 15
    assert 10 < lengths[0] < lengths[-1] < size * size - START_DISCS - max(EMPTIES)
    for moves in midgames(size)[::10]:
        assert _choice_after(size, moves)


def test_the_maker_leaves_out_games_without_a_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a 4x4 board, where most games have a forced move somewhere."""
    monkeypatch.setattr("workshop.reversi.bench_positions.EMPTIES", (4, 6))
    monkeypatch.setattr("workshop.reversi.bench_positions.NODES", 10)
    asked = []

    def counted(size: int, number: int, nodes: int) -> ReversiSelfPlay:
        asked.append(number)
        return play(size, number, nodes)

    monkeypatch.setattr("workshop.reversi.bench_positions.play", counted)
    found = select_games(4, 20)
    assert asked[0] == FIRST
    assert len(asked) > len(found) == 20
    for moves in found:
        assert len(moves) == 16 - START_DISCS - 4
        assert all(_choice_after(4, moves[:length]) > 1 for length in (6, 8))


def test_the_summary_counts_what_is_not_solved_as_the_limit() -> None:
    solutions = [
        {"decided": True, "exact": True, "seconds": 0.1},
        {"decided": True, "exact": False, "seconds": 0.75},
        {"decided": False, "exact": False, "seconds": 0.75},
    ]
    found = summary(solutions, 0.8)
    assert (found.positions, found.decided, found.exact, found.median) == (3, 2, 1, 0.8)


@pytest.fixture(scope="module")
def figures(measured: Callable[[ModuleType, int], list[Any]]) -> list[ReversiFigures]:
    return measured(reversi, 50)


def test_the_engine_is_measured_on_every_python_and_size(figures: list[ReversiFigures]) -> None:
    assert [(each.size, each.python) for each in figures] == [
        (size, python.title) for size in SIZES for python in pythons()
    ]
    for each in figures:
        assert each.nodes_per_second > 0 < each.endgame_nodes_per_second
        assert len(each.depths) == 1
        assert list(each.endgames) == list(EMPTIES)
        for found in each.endgames.values():
            assert 0 <= found.exact <= found.decided <= found.positions == 2
            assert 0 < found.median <= found.p95 <= each.seconds + 1


@pytest.mark.skipif(len(pythons()) < 2, reason=NO_PYTHON37)
def test_every_python_behaves_alike(figures: list[ReversiFigures]) -> None:
    for size in SIZES:
        assert len({(each.signature, each.nodes) for each in figures if each.size == size}) == 1
    assert len({each.signature for each in figures}) == len(SIZES)


def test_what_is_shown(figures: list[ReversiFigures]) -> None:
    console = Console(width=80, record=True, file=io.StringIO())
    show(figures, console)
    text = console.export_text()
    for said in ("8x8", "10x10", "signature", "20 free cells", figures[0].signature, *figures[0].python.split(", ")):
        assert said in text
    assert "…" not in text and max(map(len, text.splitlines())) <= 80
