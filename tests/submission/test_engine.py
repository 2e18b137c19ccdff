"""The engine without a platform: it takes boards and limits and gives thoughts; the choice of the compiled engine."""

from __future__ import annotations

import re
import threading
from typing import Any

import pytest

from submission.boards import K_IN_A_ROW, NO_MOVE, REVERSI, Variant
from submission.controller import Controller
from submission.engine import PARAMETERS, engine_for
from submission.native import library, search
from submission.search import clock
from submission.search.clock import Limits
from submission.search.searchable import PROVED_WIN
from tests.conftest import NO_LIBRARY

from .boards import draw, reversi_start
from .naive_reversi import played
from .search_games import Clock

GOBANG, OTHELLO = Variant(K_IN_A_ROW, 15, 15, 5), Variant(REVERSI, 8, 8)


def stones_after(moves: str) -> bytes:
    """The gobang board after moves such as "h8h7", row-major."""
    stones = bytearray(225)
    for number, (col, row) in enumerate(re.findall(r"([a-o])(\d+)", moves)):
        stones[(int(row) - 1) * 15 + ord(col) - ord("a")] = 1 + number % 2
    return bytes(stones)


MIDDLE = stones_after("h8h7i7i8h9g9g8j8")


BOARDS = pytest.mark.parametrize(
    "variant, stones", [(GOBANG, MIDDLE), (OTHELLO, reversi_start(8))], ids=["gobang", "reversi"]
)
NATIVE = pytest.mark.skipif(not library.available(), reason=NO_LIBRARY)


@BOARDS
def test_every_limit_ends_a_thought(variant: Variant, stones: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    assert engine_for(variant).think(stones, 0, Limits(depth=3)).depth == 3
    lines = engine_for(variant).analyse(stones, 0, Limits(depth=2), lines=3)
    assert [thought.depth for thought in lines] == [2, 2, 2]
    assert engine_for(variant).think(stones, 0, Limits(nodes=500)).nodes <= 516
    counting = Clock(0.001)
    monkeypatch.setattr(clock, "time", counting)
    engine_for(variant).think(stones, 0, Limits(seconds=0.05))
    assert 0.04 < counting.now - 100 < 0.07
    at_once = engine_for(variant).think(stones, 0, Limits(seconds=0))
    assert (at_once[1:5], at_once.source) == ((0, 0, 0, [at_once.move]), "scorer")


@BOARDS
@pytest.mark.parametrize("name", ["search", pytest.param("native", marks=NATIVE)])
def test_another_thread_can_stop_it(variant: Variant, stones: bytes, name: str) -> None:
    engine = engine_for(variant, engine=name, use_book=False)
    begun = threading.Event()
    stopper = threading.Thread(target=lambda: (begun.wait(), engine.stop()))
    stopper.start()
    thought = engine.think(stones, 0, Limits(seconds=60), progress=lambda thoughts: begun.set())
    stopper.join()
    assert thought.seconds < 30 and thought.depth >= 1 and engine.native == (name == "native")


@pytest.mark.parametrize("rows, cols, k, source", [
    (15, 15, 5, "book"), (15, 15, 4, "search"), (15, 15, 6, "search"), (13, 13, 5, "search"), (19, 19, 5, "search"),
    (15, 16, 5, "search")])  # fmt: skip
def test_the_book_is_for_one_game(rows: int, cols: int, k: int, source: str) -> None:
    engine, middle = engine_for(Variant(K_IN_A_ROW, rows, cols, k)), rows // 2 * cols + cols // 2
    board = bytearray(rows * cols)
    assert engine.think(bytes(board), 0, Limits(depth=1)).move == middle
    board[middle] = 1
    thought = engine.think(bytes(board), 1, Limits(depth=1))
    assert thought.source == source
    assert 0 <= thought.seconds < 10


@pytest.mark.parametrize("variant, drawing, side", [
    (Variant(K_IN_A_ROW, 3, 3, 3), "XOX/XOO/OXX", 0), (Variant(REVERSI, 4, 4), "XXXX/XXXX/OOOO/OOOO", 0),
    (Variant(K_IN_A_ROW, 3, 3, 3), "XOX/XOO/OXX", 1), (Variant(K_IN_A_ROW, 3, 1, 1), "X/O/X", 1),
])  # fmt: skip
def test_a_game_that_is_over_has_no_move(variant: Variant, drawing: str, side: int) -> None:
    engine, stones = engine_for(variant), draw(drawing).stones
    assert engine.think(stones, side, Limits(depth=3))[:5] == (NO_MOVE, 0, 0, 0, [])
    assert engine.analyse(stones, side, Limits(depth=3)) == []
    assert engine.think_ahead(stones, side, Limits(depth=3)) is None
    assert engine.quick_move(stones, side) is None


def test_thinking_ahead_leaves_the_position_as_it_was() -> None:
    """White must stop a five; the search off turn begins after this move."""
    engine = engine_for(Variant(K_IN_A_ROW, 7, 7, 5))
    board = draw("......./OXXXX../......./..OO.../......./......./.......").stones
    position = engine.position(board, 1)
    key = position.key
    thought = engine.think_ahead(board, 1, Limits(depth=3))
    assert position.key == key
    assert thought.nodes > 0
    assert engine.think(board, 1, Limits(depth=1)).move == 12


FIVES = draw("XXXX./OOOO./...../...../.....").stones
PASS = draw("OXX./..../..../....").stones


@pytest.mark.parametrize("family, n, k, stones, side, moves", [
    (K_IN_A_ROW, 15, 5, bytes(225), 0, {112}), (K_IN_A_ROW, 15, 5, MIDDLE, 0, range(225)),
    (K_IN_A_ROW, 5, 5, FIVES, 0, {4}), (K_IN_A_ROW, 5, 5, FIVES, 1, {9}),
    (REVERSI, 8, None, reversi_start(8), 0, {19, 26, 37, 44}),
    (REVERSI, 4, None, PASS, 0, {None}), (REVERSI, 4, None, PASS, 1, {3}),
])  # fmt: skip
def test_the_moves_of_the_search_and_of_the_scorer(
    family: str, n: int, k: int | None, stones: bytes, side: int, moves: Any
) -> None:
    variant = Variant(family, n, n, k)
    assert engine_for(variant).quick_move(stones, side) in moves
    quick = engine_for(variant, engine="scorer").think(stones, side, Limits(seconds=1))
    assert ((quick.move if quick.move != NO_MOVE else None) in moves, quick.source) == (True, "scorer")
    thought = engine_for(variant, use_book=False).think(stones, side, Limits(depth=1))
    assert ((thought.move if thought.move != NO_MOVE else None) in moves, thought.source) == (True, "search")


@pytest.mark.parametrize("variant, engine, stones, side, limits, complaint", [
    (GOBANG, "search", bytes([7]) + bytes(224), 0, (), "a stone is 0"),
    (GOBANG, "search", bytes(225), 5, (), "a stone is 0"),
    (GOBANG, "search", bytes(9), 0, (), "the board has 225 cells; give 225 bytes, not 9"),
    (Variant("chess", 8, 8), "search", b"", 0, (), "there are the families k_in_a_row, reversi"),
    (GOBANG, "fast", b"", 0, (), "engines search"), (Variant(REVERSI, 7, 7), "search", b"", 0, (), "its size even"),
    (Variant(REVERSI, 2, 2), "search", b"", 0, (), "4 or more"),
    (Variant(REVERSI, 8, 10), "search", b"", 0, (), "is square"),
    (Variant(K_IN_A_ROW, 0, 5, 5), "search", b"", 0, (), "at least one row"),
    (Variant(K_IN_A_ROW, 5, 5, -1), "search", b"", 0, (), "at least one row"),
    *((GOBANG, "search", MIDDLE, 0, limits, "at least 1 node")
      for limits in ((None, -1), (None, 0), (None, None, 0), (None, None, -3))),
])  # fmt: skip
def test_a_wrong_variant_engine_board_or_limit_is_refused(
    variant: Variant, engine: str, stones: bytes, side: int, limits: tuple, complaint: str
) -> None:
    with pytest.raises(ValueError, match=complaint):
        engine_for(variant, engine=engine).think(stones, side, Limits(*limits))


@pytest.mark.parametrize("family", PARAMETERS)
def test_every_parameter_says_what_it_is_for(family: str) -> None:
    for name, each in PARAMETERS[family].names().items():
        assert set(each.metadata) == {"unit", "least", "most", "why", "names"}
        assert len(each.metadata["why"]) > 10, name
        assert (each.metadata["least"] is None) == (type(each.default) in (bool, str)), name


# Move, value, depth and nodes of a search of 2,000 nodes, and nodes of its threat searches or of its solver. A change
# of speed alone leaves them as they are. Gobang: k and the moves; Reversi: size, free cells and seed of a random game.
@pytest.mark.parametrize("text, signature", [
    ("5 h8h7i7i8h9g9g8j8", (95, 455, 6, 1760, 241)), ("5 h8g7g9i7f8h7f7i9g10", (113, 346, 4, 752, 1248)),
    ("5 h8i9g7j10h10h9f8e7i8g8h6", (124, 200, 3, 1472, 535)), ("5 d4l12h8c3m13h9k11", (113, 148, 6, 1920, 94)),
    ("6 h8h7i7i8h9g9g8j8", (129, 102, 5, 2000, 2)), ("8 44 1", (44, -399, 7, 2000, 0)),
    ("8 25 2", (40, -148, 7, 2000, 0)), ("8 16 3", (55, 984, 5, 512, 1502)), ("8 12 4", (5, 136000, 12, 2036, 2036)),
    ("10 70 1", (65, 1019, 6, 2000, 0)), ("10 30 5", (5, 1124, 5, 2000, 0)), ("6 20 7", (35, 680, 7, 2000, 0)),
])  # fmt: skip
def test_the_signature_of_a_search(text: str, signature: tuple[int, ...]) -> None:
    number, *rest = text.split()
    if len(rest) == 1:
        variant, stones = Variant(K_IN_A_ROW, 15, 15, int(number)), stones_after(rest[0])
        player = 1 + (225 - stones.count(0)) % 2
    else:
        variant = Variant(REVERSI, int(number), int(number))
        stones, player = played(int(number), *map(int, rest))
    engine = engine_for(variant, use_book=False)
    thought = engine.think(stones, player - 1, Limits(nodes=2000))
    assert (*thought[:4], engine.deadline.spent) == signature


def test_several_lines_leave_no_false_result_in_the_table() -> None:
    """After Black stops a four by k8, White wins by j7; White's second-best line loses. Before k8, Black is lost."""
    moves, k8, engine = "f6h6g7h8e5h7h5h9h10g8i6i8f8j8", 7 * 15 + 10, engine_for(GOBANG)
    thoughts = engine.analyse(stones_after(moves + "k8"), 1, Limits(nodes=3000), lines=2)
    assert [thought.value > 0 for thought in thoughts] == [True, False]
    thoughts = engine.analyse(stones_after(moves), 0, Limits(nodes=3000), lines=2)
    assert all(thought.value <= -PROVED_WIN for thought in thoughts) and k8 in [thought.move for thought in thoughts]


# ---- the compiled engine


@NATIVE
@BOARDS
def test_progress_ends_a_search_and_its_exception_reaches_the_caller(variant: Variant, stones: bytes) -> None:
    engine = engine_for(variant, engine="native", use_book=False)
    assert engine.analyse(stones, 0, Limits(), 1, lambda lines: lines[0].depth == 3)[0].depth == 3
    with pytest.raises(ZeroDivisionError):
        engine.analyse(stones, 0, Limits(), 1, lambda lines: 1 // 0)
    assert engine.think(stones, 0, Limits(depth=2)).depth == 2


@NATIVE
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
    controller, board = Controller([("k_in_a_row", None, None, 5, "native", 0.8, 0.8)]), [[[0]] * size] * size
    controller.configure(nodes=20)
    answer = controller.answer({"state_map": board, "chess_player_idx": 1}, None)
    thought = controller.last_thought()
    assert [sum(one_hot) for one_hot in answer] == [1, 1] and controller.fault is None
    assert thought is not None and thought["engine"] == "search" and why in thought["not_native"]
    search.check.cache_clear()


@NATIVE
@pytest.mark.parametrize("machine", ["sparc64", ""])
def test_a_machine_without_a_library(machine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "processor", lambda: machine)
    with pytest.raises(library.Unavailable):
        library.library.__wrapped__()


@NATIVE
def test_the_compiled_engine_plays_the_proved_win() -> None:
    """First moves of the proof's book, then those of the threat search, whose depth is the plies to the win."""
    python, native = (engine_for(GOBANG, engine=name) for name in ("search", "native"))
    board, plies = bytearray(225), []
    for reply in (97, 82, 67, 52, 126):
        thoughts = [engine.think(bytes(board), 0, Limits(nodes=25_000)) for engine in (python, native)]
        assert thoughts[0][:5] == thoughts[1][:5]
        plies += [thought.depth for thought in thoughts[1:] if thought.source == "proof"]
        board[thoughts[0].move] = 1
        board[next(cell for cell in (reply, *range(225)) if not board[cell])] = 2
    assert plies[0] == 0 and max(plies) > 2
