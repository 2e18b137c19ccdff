"""The compiled engine as a choice: its answers are those of the Python engine, which plays where it fails."""

from __future__ import annotations

import threading
from typing import Any, List

import pytest

from submission.controller import Controller
from submission.engine import Engine, engine_for
from submission.native import library, search
from submission.search.clock import Limits
from submission.variant import K_IN_A_ROW, REVERSI, Variant

from .boards import draw, padded, reversi_start

pytestmark = pytest.mark.skipif(not library.available(), reason="no compiled library")
MIDGAME = padded(draw("X . O . . / . X O . . / . O X . X / . . . O .")).stones
GAMES = [(Variant(K_IN_A_ROW, 15, 15, 5), MIDGAME), (Variant(REVERSI, 8, 8), reversi_start(8))]
SETTINGS = [("k_in_a_row", None, None, 5, "native", 0.8, 0.8), ("reversi", None, None, None, "native", 0.8, 0.8)]


def _pair(variant: Variant) -> List[Engine]:
    engines = [engine_for(variant, engine=name, use_book=False) for name in ("search", "native")]
    assert [engine.native for engine in engines] == [False, True] and not engines[1].not_native
    return engines


@pytest.mark.parametrize("variant, stones", GAMES)
def test_both_engines_give_the_same_iterations_and_lines(variant: Variant, stones: bytes) -> None:
    reports: List[List[Any]] = []
    for engine in _pair(variant):
        reports.append([])
        lines = engine.analyse(stones, 0, Limits(nodes=600), 2, reports[-1].append)
        reports[-1].append(lines)
    python, native = ([[line._replace(seconds=0.0) for line in each] for each in told] for told in reports)
    assert native == python and len(native) > 2


@pytest.mark.parametrize("variant, stones", GAMES)
def test_progress_ends_a_search_and_its_exception_reaches_the_caller(variant: Variant, stones: bytes) -> None:
    engine = _pair(variant)[1]
    assert engine.analyse(stones, 0, Limits(), 1, lambda lines: lines[0].depth == 3)[0].depth == 3
    with pytest.raises(ZeroDivisionError):
        engine.analyse(stones, 0, Limits(), 1, lambda lines: 1 // 0)
    assert engine.think(stones, 0, Limits(depth=2)).depth == 2


@pytest.mark.parametrize("variant, stones", GAMES)
def test_stop_from_another_thread_ends_a_search_without_limits(variant: Variant, stones: bytes) -> None:
    engine = _pair(variant)[1]
    timer = threading.Timer(0.05, engine.stop)
    timer.start()
    assert engine.think(stones, 0, Limits()).nodes > 0
    timer.join()


@pytest.mark.parametrize("size, fault, why", [
    (17, None, "up to 16 rows"),
    (15, ("KNOWN", (0, 0, 0, 0)), "for a search whose result is"),
    (15, ("NativeSearch", None), "TypeError"),
])  # fmt: skip
def test_python_plays_where_the_compiled_engine_does_not_work(
    size: int, fault: Any, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if fault:
        monkeypatch.setattr(search, *fault)
    search.check.cache_clear()
    controller, board = Controller(SETTINGS), [[[0] * 1] * size] * size
    controller.configure(nodes=20)
    answer = controller.answer({"state_map": board, "chess_player_idx": 1}, None)
    thought = controller.last_thought()
    assert [sum(one_hot) for one_hot in answer] == [1, 1] and controller.fault is None
    assert thought is not None and thought["engine"] == "search" and why in thought["not_native"]
    search.check.cache_clear()


@pytest.mark.parametrize("machine", ["sparc64", ""])
def test_a_machine_without_a_library(machine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "processor", lambda: machine)
    with pytest.raises(library.Unavailable):
        library.library.__wrapped__()


def test_the_compiled_engine_plays_the_proved_win() -> None:
    """Prepared moves, then those of the threat search, which tell the plies to the win."""
    python, native = (engine_for(GAMES[0][0], engine=name) for name in ("search", "native"))
    board, plies = bytearray(225), []
    for reply in (97, 82, 67, 52, 126):
        thoughts = [engine.think(bytes(board), 0, Limits(nodes=25_000)) for engine in (python, native)]
        assert thoughts[0][:5] == thoughts[1][:5]
        plies += [thought.depth for thought in thoughts[1:] if thought.source == "proof"]
        board[thoughts[0].move] = 1
        board[next(cell for cell in (reply, *range(225)) if not board[cell])] = 2
    assert plies[0] == 0 and max(plies) > 2
