"""The compiled engine equals the Python one in both families: positions, and searches node for node.

Equal are rules, masks, values, scores and the order of moves; of a search, move, value, depth, nodes, principal
variation and source.
"""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest

from submission.boards import NO_MOVE
from submission.engine import NATIVE_PARAMETERS, engine_for
from submission.k_in_a_row.parameters import EVALUATORS, KInARowParameters
from submission.k_in_a_row.weights import NO_WEIGHTS, evaluation_weights
from submission.native.k_in_a_row import NativePosition
from submission.native.reversi import NativeReversiPosition, stones_of
from submission.native.search import NativeSearch
from submission.reversi.board import PASS
from submission.reversi.position import ReversiPosition
from submission.search.clock import Deadline, Limits
from submission.search.searchable import INFINITE
from tests.submission.test_evaluator import OpenThrees
from tests.workshop.native.compared import GOBANG, OTHER_SHAPES, OTHER_SIZES, REVERSI8, SITE, Compared, Placed, each_of
from workshop.gobang.positions import board_of, stones_after

DEPTHS = (0, 1, 2, 3, 5, 9, 30)
WINDOWS = ((-INFINITE, INFINITE), (-50, 50), (0, 1), (300, 301), (-900, -899))
FEW, MANY = 40, 10000  # positions
SOME, MOST = 12, 1000  # searches
SMALL_K = [Compared(4, 6, 2), Compared(5, 5, 1)]
OTHER_WEIGHTS = evaluation_weights()._replace(moving=tuple(range(-5, 6)), board=((7, 1), (-30, 5), (99, -98), (3, -2)))
Bounds = tuple[int | None, int | None]  # nodes and depth of a search
BOUNDS: list[Bounds] = [*((nodes, None) for nodes in (1, 100, 300, 777, 2000, 5000)),
                        *((None, depth) for depth in (1, 2, 3, 4, 5))]  # fmt: skip


def figures(position: Any) -> dict[str, Any]:
    """All figures of a position."""
    found = {
        "key": position.key, "side": position.side, "outcome": position.outcome(), "forced": position.forced(),
        "quiet": position.quiet(), "plies left": position.plies_left(),
        "moves": [position.moves(depth) for depth in DEPTHS],
    }  # fmt: skip
    if hasattr(position, "discs"):
        legal = [position.legal_cells(side) for side in (0, 1)]
        return {**found, "discs": position.discs, "legal": legal, "value": position.evaluate()}
    return {**found, "values": [position.evaluate(*window) for window in WINDOWS]}


def same_figures(game: Compared, count: int, seed: int, *arguments: Any) -> None:
    both = game.positions(*arguments)
    for placed in game.placed(count, seed):
        for position in both:
            position.set_up(*placed)
        assert figures(both[0]) == figures(both[1]), placed


@pytest.mark.parametrize("count", [FEW, pytest.param(MANY, marks=pytest.mark.long)])
@each_of([*SITE, *OTHER_SIZES])
def test_all_figures_are_equal(game: Compared, count: int) -> None:
    same_figures(game, count, count)


@each_of([*OTHER_SHAPES, *SMALL_K])
def test_on_other_boards_and_for_other_k(game: Compared) -> None:
    same_figures(game, FEW // 2, 1)


@pytest.mark.parametrize("arguments", [
    *((KInARowParameters(**options),) for options in (
        {"learnt_order": False}, {"lazy_evaluation": False}, {"fours_in_candidates": False, "candidates": (10**9,)},
        {"candidates": (1,)}, {"effort_from_value": False}, {"vcf_depth": 0}, {"vcf_depth": 9})),
    (None, NO_WEIGHTS), (None, OTHER_WEIGHTS),
], ids=range(9))  # fmt: skip
def test_figures_with_other_parameters_and_weights(arguments: tuple[Any, ...]) -> None:
    same_figures(GOBANG, FEW // 4, 2, *arguments)


@each_of([GOBANG, REVERSI8, Compared(4, 4)])
def test_play_and_undo_in_any_order(game: Compared) -> None:
    """Masks and scores are updated from any earlier position, whether or not it was evaluated."""
    rng = random.Random(4)
    starts = game.placed(4, 5) if game.k else [Placed(stones_of(ReversiPosition.start(game.rows)), 0)] * 3
    for placed in starts:
        reference, mirror = both = game.positions()
        for position in both:
            position.set_up(*placed)
        played = passes = 0
        for _ in range(60):
            moves = reference.moves()
            if game.k:
                moves = [cell for cell in range(game.cells) if not reference.occupied >> cell & 1]
            forward = bool(moves) and (not played or rng.random() < 0.65)
            move = rng.choice(moves) if forward else None
            for position in both if forward or played else ():
                position.play(move) if forward else position.undo()
            played += 1 if forward else -1 if played else 0
            passes += move == PASS
            if not game.k or rng.random() < 0.3:
                assert figures(reference) == figures(mirror)
        assert passes or game.rows > 4


# ---- searches


@cache
def with_choice(game: Compared, count: int, seed: int, most: int = 1000) -> list[Placed]:
    """Positions with more than one move to search and at most `most` free cells."""
    position, found = game.positions()[1], []
    for placed in game.playable(100 * count, seed) if game.k else game.placed(500 * count, seed):
        if placed.stones.count(0) <= most and (game.k or set(placed.stones) >= {1, 2}):
            position.set_up(*placed)
            if position.outcome() is None and len(position.moves()) > 1:
                found.append(placed)
    assert len(found) >= count
    return found[:count]


def answer(search: Any, position: Any, placed: Placed, bounds: Bounds, many: int = 0) -> list[Any]:
    """The answer of a search without the seconds, and all nodes that it has spent; `many`: lines of an analysis."""
    position.set_up(*placed)
    deadline = Deadline(None, bounds[0])
    if many:
        found = search.analyse(position, deadline, bounds[1], many)
    else:
        found = [search.think(position, deadline, bounds[1])]
    return [*(thought._replace(seconds=0.0) for thought in found), deadline.spent]


def same_answers(game: Compared, placed: list[Placed], bounds: list[Bounds], parameters: Any = None) -> None:
    """New searches give the same answers; the bounds take turns."""
    both = game.positions(parameters)
    for number, each in enumerate(placed):
        for position in both:
            if game.k:
                position.threats.forget()
        ours, theirs = (
            answer(search, position, each, bounds[number % len(bounds)])
            for search, position in zip(game.searches(), both, strict=True)
        )
        assert ours == theirs, each


@pytest.mark.parametrize("count", [SOME, pytest.param(MOST, marks=pytest.mark.long)])
@each_of(SITE)
def test_searches_at_fixed_nodes_and_at_a_fixed_depth(game: Compared, count: int) -> None:
    same_answers(game, with_choice(game, count, count), BOUNDS)


@each_of([*OTHER_SHAPES, *OTHER_SIZES])
def test_searches_on_other_boards(game: Compared) -> None:
    same_answers(game, with_choice(game, 2 if game.k else 6, 2), [(1000, None), (None, 4)])


def test_a_search_to_the_end() -> None:
    """With few cells left nothing is pruned or reduced; tic-tac-toe is a draw."""
    game = Compared(3, 3, 3)
    same_answers(game, [Placed(bytes(9), 0)], [(None, None)])
    middle = Placed(bytes(4) + b"\1" + bytes(4), 1)
    thought, _ = answer(NativeSearch(), game.positions()[1], middle, (None, None))
    assert (thought.value, thought.depth) == (0, 8)


COMMON: list[dict[str, Any]] = [
    {"killers": False}, {"null_window": False}, {"lmr": False}, {"lmr_divisor": 0.7}, {"iir_depth": 2},
    {"improving_plies": 3, "improving_depth": 1}, {"forced_replies": 3}, {"extension_plies": 2}, {"table_entries": 50},
    {"futility": False}, {"razoring": False},
]  # fmt: skip
PARAMETERS: dict[Compared, list[dict[str, Any]]] = {
    GOBANG: [
        *COMMON, {"improving_plies": 0}, {"forced_replies": 0}, {"extension_plies": 0}, {"extension_plies": 40},
        {"lazy_evaluation": False}, {"root_candidates": 5}, {"candidates": "3/20"}, {"learnt_order": False},
        {"fours_in_candidates": False}, {"root_nodes": 0}, {"root_share": 1.0}, {"vcf_nodes": 3},
        {"vcf_depth": 0}, {"vcf_depth": 5}, {"vct_nodes": "50/400"}, {"vct_effort": 5}, {"effort_from_value": False},
        {"hold_nodes": 0}, {"evaluator": "lines"}, {"hold_share": 0.3, "hold_part": 3}, {"defence_nodes": 0},
        {"defence_nodes": 3000},
    ],
    REVERSI8: [
        *COMMON, {"probcut_depths": "0/0/0/1/2"}, {"probcut_margin": 1.3}, {"ordered_depth": 1}, {"reply_rank": 5},
        {"valued_depth": 2}, {"value_rank": 7}, {"few_discs": 20}, {"solver_empties": 10, "solver_only_empties": 6},
        {"solver_share": 0.2}, {"solver_entries": 40},
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    "game, options", [(game, options) for game, listed in PARAMETERS.items() for options in listed], ids=str
)
def test_searches_with_other_parameters(game: Compared, options: dict[str, Any]) -> None:
    placed = with_choice(game, 4, 3) + ([] if game.k else with_choice(game, 3, 4, 18))
    same_answers(game, placed, [(1200, None)], game.parameters().changed(**options))


@each_of(PARAMETERS)
def test_searches_with_the_compiled_engines_own_parameters(game: Compared) -> None:
    """In Reversi deep enough for the depths at which only these parameters have ProbCut."""
    placed, bounds = (with_choice(game, 2, 5), (3000, None)) if game.k else (with_choice(game, 3, 5, 30), (None, 14))
    same_answers(game, placed, [bounds], NATIVE_PARAMETERS[game.variant.family])


@each_of(PARAMETERS)
def test_every_parameter_is_tried(game: Compared) -> None:
    """A new parameter must be built into the C++ engine, too, and added to PARAMETERS above."""
    tried = {name for options in PARAMETERS[game] for name in options}
    assert tried | {"evaluator"} == set(game.parameters.names())


@pytest.mark.parametrize("entries", [100, 40000])
@each_of([*SITE, Compared(6, 6)])
def test_the_tables_are_kept_from_move_to_move(game: Compared, entries: int) -> None:
    """Whole games: each search finds the results of the searches before it, also in a small table."""
    rng = random.Random(8)
    both, searches = game.positions(game.parameters(table_entries=entries)), game.searches()
    guide = game.positions()[0]
    if not game.k:
        guide = ReversiPosition.start(game.rows)
    for _ in range(12 if game.k else 1000):
        if guide.outcome() is not None or not guide.moves():
            break
        stones = board_of(stones_after([cell for cell, *_ in guide.history])) if game.k else stones_of(guide)
        ours, theirs = (
            answer(search, position, Placed(stones, guide.side), (300, None))
            for search, position in zip(searches, both, strict=True)
        )
        assert ours == theirs
        guide.play(ours[0].move if rng.random() < 0.9 else rng.choice(guide.moves()[:6]))


@each_of([GOBANG, REVERSI8])
def test_several_lines(game: Compared) -> None:
    both, searches = game.positions(), game.searches()
    for placed in with_choice(game, 3, 5) + ([] if game.k else with_choice(game, 3, 7, 12)):
        for many, bounds in ((1, (700, None)), (3, (2000, None)), (3, (20, None)), (8, (None, 3)), (300, (3000, None))):
            ours, theirs = (
                answer(search, position, placed, bounds, many) for search, position in zip(searches, both, strict=True)
            )
            assert ours == theirs


@pytest.mark.parametrize("game, sources", [
    (GOBANG, {"book", "proof", "threats", "search"}), (REVERSI8, {"search", "solver"}),
])  # fmt: skip
def test_the_engine(game: Compared, sources: set[str]) -> None:
    """The engines answer alike: from the book, inside the proof, where a game is decided, and by search."""
    if game.k:
        placed = [Placed(bytes(225), 0), *(every := game.playable(150, 6))[:9], *every[1::20]]
    else:
        placed = with_choice(game, 10, 8) + with_choice(game, 5, 9, 9)
    own = NATIVE_PARAMETERS[game.variant.family]
    engines, found = [engine_for(game.variant, own, engine=engine) for engine in ("search", "native")], set()
    assert engines[1].native
    for each in placed:
        ours, theirs = (engine.think(*each, Limits(nodes=500))._replace(seconds=0.0) for engine in engines)
        assert ours == theirs
        found.add(ours.source)
    assert found == sources
    for engine in engines:
        engine.new_game()
    ours, theirs = (engine.think(*placed[0], Limits(depth=2))._replace(seconds=0.0) for engine in engines)
    assert ours == theirs
    engines[1].close()


def test_the_seconds_end_a_search() -> None:
    position = NativePosition(*GOBANG.size)
    assert NativeSearch().think(position, Deadline(0.05)).move == 112  # the only candidate of an empty board
    position.play(112)
    thought = NativeSearch().think(position, Deadline(0.05))
    assert thought.nodes > 1000 and 0.04 < thought.seconds < 1


@each_of([GOBANG, REVERSI8])
def test_wrong_use_of_a_position_is_refused(game: Compared) -> None:
    position = game.positions()[1]
    with pytest.raises(ValueError, match=str(game.cells)):
        position.set_up(bytes(9), 0)
    for stones, side in ((bytes(game.cells), 2), (bytes(game.cells), -1), (bytes([3] * game.cells), 0)):
        with pytest.raises(ValueError, match="a side is 0 or 1"):
            position.set_up(stones, side)
    with pytest.raises(ValueError, match="no move"):
        position.undo()
    if game.k:
        position.play(112)
    for move in (112, -1, game.cells) if game.k else (0, PASS, game.cells):
        with pytest.raises(ValueError, match="not free" if game.k else "not a legal move"):
            position.play(move)


def test_wrong_use_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    search, over = NativeSearch(), NativePosition(3, 3, 3)
    over.set_up(b"\1\2\1\1\2\2\2\1\1", 0)
    assert search.think(over, Deadline(None, 100)).move == NO_MOVE
    assert search.analyse(over, Deadline(None, 100)) == []
    monkeypatch.setitem(EVALUATORS, "open_threes", OpenThrees)
    for shape, parameters, why in (
        *((shape, None, "up to 16 rows") for shape in ((17, 15, 5), (15, 17, 5), (0, 3, 3))),
        (GOBANG.size, KInARowParameters(evaluator="open_threes"), "'lines' and 'network', not 'open_threes'"),
        (GOBANG.size, KInARowParameters(vct_nodes=(1,) * 64), "64 items"),
    ):
        with pytest.raises(ValueError, match=why):
            NativePosition(*shape, parameters)
    for n in (5, 12, 26):
        with pytest.raises(ValueError, match="4, 6, 8, 10"):
            NativeReversiPosition(n)
