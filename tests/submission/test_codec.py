"""Observations in, one-hot lists out: good ones, junk, and hostile calls.

In hostile calls, a part of a good call is replaced by an object that is wrong, endless or huge, or whose methods lie.
The answer still has the form of the action space. A call is quick and writes nothing. The only exceptions that get out
are BaseExceptions that an object of the caller raised.
"""

from __future__ import annotations

import copy
import itertools
import time
from decimal import Decimal
from typing import Any, Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import submission.submission as upload
from submission import codec
from submission.boards import K_IN_A_ROW, REVERSI
from submission.codec import Snapshot
from submission.controller import Controller

from .boards import Space, call, checked, k_in_a_row_observation, reversi_observation, reversi_start

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


GOBANG = k_in_a_row_observation(bytes([1, 2] * 4) + bytes(217), 15, 15, 1)
OTHELLO = reversi_observation(reversi_start(8), 8, 1)
SPACES = [Space(15), Space(15)]
UNTOUCHED = repr((GOBANG, OTHELLO))
CPU_LIMIT = 1.0  # seconds of a call, as on the site

# Part of a call -> the observation and the action space in which an object stands for this part.
PLACES: dict[str, Callable[[Any], tuple[Any, Any]]] = {
    "observation": lambda it: (it, SPACES),
    "row after a pass": lambda it: ([[0], it], SPACES),
    "board": lambda it: (dict(GOBANG, state_map=it), SPACES),
    "row": lambda it: (dict(GOBANG, state_map=[*GOBANG["state_map"][:14], it]), SPACES),
    "first row": lambda it: (dict(GOBANG, state_map=[it, *GOBANG["state_map"][1:]]), SPACES),
    "cell": lambda it: (dict(GOBANG, state_map=[[it] * 15] * 15), SPACES),
    "stone": lambda it: (dict(GOBANG, state_map=[[[it]] * 15] * 15), SPACES),
    "player": lambda it: (dict(GOBANG, chess_player_idx=it), SPACES),
    "width": lambda it: (dict(OTHELLO, board_width=it), SPACES),
    "height": lambda it: (dict(OTHELLO, board_height=it), SPACES),
    "discs": lambda it: ({**OTHELLO, 1: it}, SPACES),
    "disc": lambda it: ({**OTHELLO, 2: [(3, 3), it]}, SPACES),
    "spaces": lambda it: (GOBANG, it),
    "space": lambda it: (GOBANG, [it, Space(15)]),
    "n": lambda it: (GOBANG, [Space(it), Space(15)]),
}
ITSELF: list[Any] = []
ITSELF.append(ITSELF)


def _deep() -> Any:
    made: Any = []
    for _ in range(3000):
        made = [made]
    return made


class Endless:
    """A board, a row, or a set of cells without an end. `len` of it is 3."""

    def __init__(self, item: Any) -> None:
        self.item = item

    def __len__(self) -> int:
        return 3

    def __getitem__(self, index: Any) -> Any:
        return self.item


class FalseDict(Endless):
    """An object that claims to be a dict; the search for a key in it has no end."""

    __class__ = dict


WRONG = [
    None, True, 7, -1, 0.5, float("nan"), float("inf"), 10**400, 1j, "", "1", "ab", "\ud800", "9" * 10**6, b"\1", int,
    Decimal("1e99999999"), range(10**18), [], {}, set(), (0,), (1, "1"), (-1, 0), (0, 10**9), [[3]], [[0]] * 10**5,
    [[[0]]] * 10**6, [(0, 0)] * 10**5, {"state_map": []}, ITSELF, _deep(), itertools.repeat(0), iter([1]),
    np.zeros((3, 3)), np.full((15, 15, 1), 5), np.array("x"), bytearray(2), Space(None),
    FalseDict(0), Endless(0), Endless([0]), Endless((0, 0)), Endless([[0], [1], [2]]), Endless([]),
]  # fmt: skip


def _harmless(place: str, thing: Any, raised: Any = ()) -> None:
    """Make one call with `thing` in the place `place`. `raised`: the BaseExceptions that the thing has raised."""
    observation, spaces = PLACES[place](thing)
    started = time.thread_time()
    try:
        checked(upload.my_controller(observation, spaces, False), [15, 15] if spaces is SPACES else None)
    except BaseException as error:
        assert not isinstance(error, Exception) and error in raised, (place, repr(error))
    assert time.thread_time() - started < CPU_LIMIT
    assert repr((GOBANG, OTHELLO)) == UNTOUCHED


@pytest.mark.usefixtures("fresh")
@pytest.mark.parametrize("place", PLACES)
def test_wrong_endless_and_huge_objects_do_no_harm(place: str) -> None:
    for thing in WRONG:
        _harmless(place, thing)
    row, col = call(GOBANG)
    assert GOBANG["state_map"][row][col] == [0]


READING = ("__len__", "__iter__", "__getitem__", "__eq__", "__hash__", "__contains__", "__bool__", "__int__",
           "__index__", "__float__", "__lt__", "__gt__", "__le__", "__next__", "__getattribute__", "__class__", "get",
           "keys", "items", "index", "count", "n")  # fmt: skip
WRITING = ("__setitem__", "__delitem__", "__setattr__", "__iadd__", "append", "insert", "sort", "clear", "pop",
           "update", "setdefault", "add", "discard")  # fmt: skip


class UnknownExit(BaseException):
    """A test's own BaseException, which the upload must let through to the caller."""


ERRORS = [ValueError, TypeError, KeyError, AttributeError, MemoryError, StopIteration, RecursionError]
GRAVE = [KeyboardInterrupt, SystemExit, GeneratorExit, UnknownExit]
HONEST = {object: (), dict: (GOBANG,), list: (GOBANG["state_map"],), tuple: ((3, 4),), set: ({(3, 3)},), int: (15,),
          str: ("15",)}  # fmt: skip
LIES = [0, 1, 15, -1, 10**30, None, "", [], dict, itertools.repeat(1), *ERRORS, *GRAVE]


@pytest.mark.parametrize("examples", [100, pytest.param(5000, marks=pytest.mark.slow)])
def test_lying_objects_do_no_harm(examples: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upload, "controller", Controller(upload.SETTINGS))
    upload.configure(seconds=0.002, off_turn_seconds=0.002)

    @settings(max_examples=examples, deadline=None)
    @given(
        st.sampled_from(sorted(PLACES)),
        st.sampled_from(sorted(HONEST, key=str)),
        st.dictionaries(st.sampled_from(READING), st.sampled_from(LIES), min_size=1, max_size=6),
    )
    def check(place: str, base: type, lies: dict[str, Any]) -> None:
        wrote: list[str] = []
        raised: list[BaseException] = []

        def method(lie: Any) -> Any:
            def answer(*_: Any) -> Any:
                if lie in GRAVE:
                    raised.append(lie("lie"))
                    raise raised[-1]
                if lie in ERRORS:
                    raise lie("lie")
                return lie

            return answer

        names = {
            name: property(method(lie)) if name in ("__class__", "n") else method(lie) for name, lie in lies.items()
        }
        names.update((name, lambda *_, name=name: wrote.append(name)) for name in WRITING)
        names.setdefault("__hash__", lambda _: 1)
        _harmless(place, type("Liar", (base,), names)(*HONEST[base]), raised)
        assert not wrote

    check()


@pytest.mark.usefixtures("fresh")
@pytest.mark.parametrize("observation, row", [
    ([[0], [1]], True), (([0],), True), ([], False), ("row", False), ({1: 2}, False), (None, False),
])  # fmt: skip
def test_a_row_after_a_pass_is_recognised_and_before_any_board_its_answer_is_the_first_cell(
    observation: Any, row: bool
) -> None:
    assert codec.is_row(observation) == row
    assert call(observation) == [0, 0]
    assert upload.last_fault() is None
