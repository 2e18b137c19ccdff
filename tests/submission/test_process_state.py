"""Effects of the controller on the process: no garbage collection in a call, no frozen garbage, bounded memory."""

from __future__ import annotations

import gc
import multiprocessing
import random
import resource
import sys
import weakref
from typing import Any

import pytest

import submission.submission as upload
from submission import codec
from submission.player import Player
from submission.search.clock import CollectorPaused

from .boards import Space, call, k_in_a_row_observation, reversi_observation, reversi_start

pytestmark = pytest.mark.usefixtures("fresh")


@pytest.mark.parametrize("enabled", [True, False])
def test_the_garbage_collector_does_not_run_in_a_call_and_nothing_is_frozen(
    enabled: bool, collector: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside: list[bool] = []
    answer = Player.answer

    def watched(*arguments: Any) -> Any:
        inside.append(gc.isenabled())
        return answer(*arguments)

    monkeypatch.setattr(Player, "answer", watched)
    frozen = gc.get_freeze_count()
    (gc.enable if enabled else gc.disable)()
    call(k_in_a_row_observation(bytes([1, 2] * 4) + bytes(217), 15, 15, 1))
    assert (inside, gc.isenabled(), gc.get_freeze_count()) == ([False], enabled, frozen)


@pytest.mark.parametrize("counts, thresholds, enabled, collected", [
    ((600, 5, 5), (700, 10, 10), True, []), ((600, 6, 5), (700, 10, 10), True, [1]),
    ((600, 6, 6), (700, 10, 10), True, [2]), ((600, 6, 6), (700, 10, 10), False, []),
    ((600, 0, 6), (700, 10, 0), True, []),  # the last generation is never collected
])  # fmt: skip
def test_a_collection_that_may_soon_be_due_is_made_at_the_start_of_a_call(
    counts: tuple, thresholds: tuple, enabled: bool, collected: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[int] = []
    monkeypatch.setattr(gc, "isenabled", lambda: enabled)
    monkeypatch.setattr(gc, "get_count", lambda: counts)
    monkeypatch.setattr(gc, "get_threshold", lambda: thresholds)
    monkeypatch.setattr(gc, "collect", made.append)
    monkeypatch.setattr(gc, "disable", lambda: None)
    with CollectorPaused():
        assert made == collected
    assert made == collected


def _calls_of_mixed_sizes(count: int, seed: int) -> int:
    """Make the controller answer on boards of all sizes; the resident memory in MB afterwards."""
    noise = random.Random(seed)
    upload.configure(nodes=20)
    for _ in range(count):
        player = noise.choice((1, 2))
        if noise.random() < 0.5:
            rows, cols = noise.randint(1, 30), noise.randint(1, 30)
            shown = bytes(noise.choices((0, 1, 2), (8, 1, 1), k=rows * cols))
            call(k_in_a_row_observation(shown, rows, cols, player), rows, cols)
        else:
            n = 2 * noise.randint(2, 13)
            call(reversi_observation(bytes(noise.choices((0, 1, 2), k=n * n)), n, player), n, n)
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * resource.getpagesize() // 10**6


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory is read from /proc")
@pytest.mark.parametrize(
    "count", [pytest.param(300, marks=pytest.mark.slow), pytest.param(100_000, marks=pytest.mark.long)]
)
def test_memory_is_bounded_however_often_the_size_of_the_board_changes(count: int) -> None:
    """Measured in a new process, without the memory of other tests."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(_calls_of_mixed_sizes, (count, 1)) < 200
    assert upload.last_fault() is None


@pytest.mark.parametrize("size, thinks", [(26, True), (27, False), (100, False)])
def test_a_board_larger_than_any_game_gets_a_free_cell_at_once(size: int, thinks: bool) -> None:
    upload.configure(nodes=20)
    stones = bytes([1, 2, 0]) + bytes(size * size - 3)
    row, col = call(k_in_a_row_observation(stones, size, size, 1), size, size)
    assert stones[row * size + col] == 0
    assert ((row, col) != (0, 2)) is thinks


@pytest.mark.parametrize("board, other", [
    (k_in_a_row_observation(bytes([1, 2] * 6) + bytes(213), 15, 15, 1), reversi_observation(bytes(64), 8, 2)),
    (reversi_observation(reversi_start(8), 8, 1), k_in_a_row_observation(bytes(81), 9, 9, 2)),
])  # fmt: skip
def test_another_board_frees_the_players_engines_without_the_garbage_collector(
    board: Any, other: Any, no_collector: None
) -> None:
    upload.configure(nodes=300)
    call(board, 15, 15)
    player = upload.controller.players[1]
    assert player.engine is not None and player.engine.search.table.young
    parts = [weakref.ref(player.engine.position(player.snapshot.stones, 0)), weakref.ref(player.engine.search)]
    call(other, 9, 9)
    assert [part() for part in parts] == [None, None]


@pytest.mark.parametrize("enabled", [True, False])
@pytest.mark.parametrize("first_out", [0, 1])
def test_of_two_calls_at_once_the_last_enables_the_collector_again(
    enabled: bool, first_out: int, collector: None
) -> None:
    """The calls may be in two threads. Each call has its own CollectorPaused, or both share one."""
    (gc.enable if enabled else gc.disable)()
    for calls in ([CollectorPaused(), CollectorPaused()], [CollectorPaused()] * 2):
        for each in calls:
            each.__enter__()
            assert not gc.isenabled()
        calls[first_out].__exit__()
        assert not gc.isenabled()
        calls[1 - first_out].__exit__()
        assert gc.isenabled() == enabled


@pytest.mark.parametrize("where", ["answer", "decode"])
def test_without_memory_the_engines_are_given_up_and_a_legal_move_is_answered(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first attempt has no memory, not even for the traceback; the controller plays on."""
    observation, spaces = k_in_a_row_observation(bytes([1, 2] * 4) + bytes(217), 15, 15, 1), [Space(15), Space(15)]
    upload.my_controller(observation, spaces, False)
    controller, failures = upload.controller, []
    engine = controller.players[1].engine
    decode = codec.decode

    def full(*arguments: object) -> Any:
        if failures and where == "decode":
            return decode(*arguments)
        failures.append(where)
        raise MemoryError

    monkeypatch.setattr(*((codec, "decode", full) if where == "decode" else (Player, "answer", full)))
    monkeypatch.setattr("traceback.format_exc", full if where == "answer" else lambda: "said")
    row, col = upload.my_controller(observation, spaces, False)
    assert observation["state_map"][row.index(1)][col.index(1)] == [0]
    assert controller.fault is not None and controller.fault.traceback in ("MemoryError", "said")
    assert engine is not None and not vars(engine)  # closed
    monkeypatch.undo()
    monkeypatch.setattr(upload, "controller", controller)
    upload.my_controller(observation, spaces, False)
    assert controller.players[1].engine is not None and controller.fault.count == 1
