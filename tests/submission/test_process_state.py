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
from submission.boards import GeometryCache
from submission.k_in_a_row import geometry
from submission.k_in_a_row.position import KInARowPosition
from submission.player import Player
from submission.reversi import board as reversi_board
from submission.reversi.position import ReversiPosition
from submission.search.clock import CollectorPaused
from submission.search.table import EXACT, Table

from .boards import Space, call, k_in_a_row_observation, reversi_observation, reversi_start

pytestmark = pytest.mark.usefixtures("fresh")


@pytest.fixture
def collector():
    """Restores the garbage collector after the test."""
    was = gc.isenabled()
    yield
    (gc.enable if was else gc.disable)()


@pytest.fixture
def no_collector(collector):
    """The test runs without the garbage collector."""
    gc.disable()


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
    ((600, 0, 6), (700, 10, 0), True, []),  # a threshold of 0: the last generation is never collected
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
    """A new process measures this, because other tests leave memory in use."""
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
    assert engine is not None and not vars(engine)  # the engine is closed
    monkeypatch.undo()
    monkeypatch.setattr(upload, "controller", controller)
    upload.my_controller(observation, spaces, False)
    assert controller.players[1].engine is not None and controller.fault.count == 1


@pytest.mark.parametrize("entries", [1, 10, 300])
def test_a_table_is_bounded_keeps_the_young_and_shrinks_when_made_smaller(entries: int) -> None:
    table = Table(entries)
    for key in range(1, 4 * entries):
        table.put(key, (key, EXACT, 0, 0))
        assert len(table.young) <= entries
        assert len(table.old) <= entries
        assert table.get(max(1, key - entries)) == (max(1, key - entries), EXACT, 0, 0)
    assert table.get(key) == (key, EXACT, 0, 0)
    assert table.get(1) is None
    table.entries = 1 + entries // 10
    for key in range(4 * entries, 4 * entries + 2 * table.entries + 1):
        table.put(key, (key, EXACT, 0, 0))
        assert table.get(key) == (key, EXACT, 0, 0)
    assert len(table.young) + len(table.old) <= 2 * table.entries


class _Shape:
    """A geometry named by a letter."""

    def __init__(self, name: str, size: int, log: list[str]) -> None:
        self.name, self.bytes, self.log = name, size, log
        log.append("+" + name)

    def size(self) -> int:
        return self.bytes

    def forget(self) -> None:
        self.log.append("-" + self.name)


# Requests, each a geometry's name and bytes; the cache has 100 bytes -> geometries made (+) and emptied (-).
@pytest.mark.parametrize("asked, log", [
    ("a40 b40 a40 b40", "+a +b"), ("a60 b40 a60", "+a +b"), ("a100 a100", "+a"), ("a101 a101", "+a -a -a"),
    ("a40 b40 c40 b40", "+a +b +c -a"), ("a40 b40 c40 a40", "+a +b +c -a +a -b"),
    ("a40 b40 a40 c40 a40", "+a +b +c -b"), ("a30 b30 c30 d90", "+a +b +c +d -c -b -a"),
    ("a40 b120 a40", "+a +b -b -a +a -b"),
])  # fmt: skip
def test_the_geometries_used_last_are_kept(asked: str, log: str) -> None:
    cache, seen = GeometryCache(100), []
    for each in asked.split():
        assert cache.get(each[0], lambda each=each: _Shape(each[0], int(each[1:]), seen)).name == each[0]
    assert " ".join(seen) == log


@pytest.mark.parametrize("module, make", [
    (geometry, lambda: KInARowPosition(7, 7, 5)), (reversi_board, lambda: ReversiPosition.start(8)),
])  # fmt: skip
def test_tables_that_have_grown_too_large_are_emptied(
    module: Any, make: Any, monkeypatch: pytest.MonkeyPatch, no_collector: None
) -> None:
    """Positions that use old nodes stay valid. The nodes are freed with the positions, without a garbage collection."""
    cache = GeometryCache()
    monkeypatch.setattr(module, "geometries", cache)
    position, values, moves = make(), [], []
    for _ in range(12):
        values.append(position.evaluate())
        for move in position.moves():  # makes nodes that are not needed after undo()
            position.play(move)
            for reply in position.moves():
                position.play(reply)
                position.undo()
            position.undo()
        moves.append(position.moves()[-1])
        position.play(moves[-1])
    cache.most_bytes = position.geometry.size() - 1
    lists, fresh = sum(isinstance(each, list) for each in gc.get_objects()), make()
    assert fresh.geometry is position.geometry and fresh.geometry.size() < cache.most_bytes
    for move in moves:
        fresh.play(move)
    assert (fresh.key, fresh.moves(), fresh.evaluate()) == (position.key, position.moves(), position.evaluate())
    while values:
        position.undo()
        assert position.evaluate() == values.pop()
    shape = fresh.geometry
    for each in (position, fresh):
        vars(each).clear()  # as Engine.close() does
    del position, fresh, each
    shape.forget()
    assert sum(isinstance(each, list) for each in gc.get_objects()) < lists - 500
