"""Positions of both families after any moves and undos, compared with naive rules and definitions."""

from __future__ import annotations

from itertools import combinations
from math import log1p
from typing import Any

from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from submission.boards import BLACK, DIRECTIONS, cells_of
from submission.k_in_a_row.board import LOW
from submission.k_in_a_row.move_order import OrderWeights
from submission.k_in_a_row.network import MOST_POOL
from submission.k_in_a_row.parameters import KInARowParameters
from submission.k_in_a_row.patterns import Pattern
from submission.k_in_a_row.position import KInARowPosition
from submission.k_in_a_row.weights import Network, order_weights
from submission.reversi.board import PASS, legal_cells
from submission.reversi.evaluation import CellListEvaluator, square_ranks
from submission.reversi.parameters import ReversiParameters
from submission.reversi.position import ReversiPosition, final_value
from submission.reversi.weights import STAGES, cell_lists
from submission.search.clock import Deadline
from submission.search.searchable import WIN

from . import naive_reversi
from .naive_line import NaiveBoard

SHAPES = [(15, 15, 5), (11, 11, 5), (3, 3, 3), (6, 9, 4), (7, 7, 5), (15, 15, 6)]
WIDTHS = (KInARowParameters().root_candidates, *KInARowParameters().candidates)  # candidates by depth; 0: the root
NUMBERS = st.integers(0, 10**6)


def naive_score(board: NaiveBoard, weights: OrderWeights, cell: int, player: int) -> int:
    """A free cell's ordering score for a player: the sum of its surroundings' weights, else of its best windows."""
    total = 0
    for own in (1, 2):
        for down, right in DIRECTIONS:
            before, after = _arm(board, cell, (-down, -right), own)[::-1], _arm(board, cell, (down, right), own)
            run, k = before + "*" + after, board.k
            if len(run) < k:
                continue
            if weights:
                around = before[-(k - 1) :] + "*" + after[: k - 1]
                total += (weights.get(around) or weights.get(around[::-1], (0, 0)))[own != player]
            else:
                windows = [run[i : i + k] for i in range(len(run) - k + 1)]
                total += 2 * max(window.count("X") for window in windows if "*" in window)
    return total


def _arm(board: NaiveBoard, cell: int, step: tuple[int, int], own: int) -> str:
    """The cells beside a cell in one direction, up to the edge or a stone of the other colour: X for own stones."""
    row, col, cells = cell // board.cols + step[0], cell % board.cols + step[1], ""
    while 0 <= row < board.rows and 0 <= col < board.cols and board.stones[row * board.cols + col] in (0, own):
        cells += ".X"[board.stones[row * board.cols + col] > 0]
        row, col = row + step[0], col + step[1]
    return cells


def naive_value(position: KInARowPosition, board: NaiveBoard) -> int:
    """The network's or, in games without a network, the learnt value of a position, by its definition."""
    network = position.weights.network
    if network is not None:
        return network_value(position, board, network)
    lines, features, weights = position.evaluator.line_features(), position.evaluator.board_features(), position.weights
    sides = list(zip(lines, (weights.moving, weights.waiting)))
    sides += [(features[side], [weight[side] for weight in weights.board]) for side in (0, 1)]
    return sum(weight * count for counts, by in sides for weight, count in zip(by, counts))


def network_value(position: KInARowPosition, board: NaiveBoard, network: Network) -> int:
    pools = []
    for player in (1 + position.side, 2 - position.side):
        for potentials, activation in zip(network.potentials, network.activations):
            of_cells = [naive_score(board, potentials, cell, player) for cell in board.free()]
            pools.append(min(MOST_POOL, sum(map(activation.__getitem__, of_cells))))
    (_, threatened, own, _), (_, _, other, _) = position.evaluator.board_features()
    logarithms = [round(256 * log1p(pool / network.scale)) for pool in pools]
    inputs = [*logarithms, position.lines_value(), threatened, own, other]
    total = sum(max(0, bias + sum(map(int.__mul__, weights, inputs))) * out for bias, out, *weights in network.units)
    return (total >> 16) + network.constant


class KInARow(RuleBasedStateMachine):
    """Random moves without five in a row. Scores are asked for now and then: they are updated from the last asked."""

    @initialize(shape=st.sampled_from(SHAPES), evaluator=st.sampled_from(["network", "lines"]), first=NUMBERS)
    def begin(self, shape: tuple[int, int, int], evaluator: str, first: int) -> None:
        self.shape, self.use = shape, KInARowParameters(lazy_evaluation=False, evaluator=evaluator)
        self.board = NaiveBoard(*shape, bytes(shape[0] * shape[1]))
        self.position = KInARowPosition(*shape, self.use)
        self.cells = [first % len(self.board.stones)]
        self.before: list[tuple[NaiveBoard, Any]] = []

    @rule(number=NUMBERS, near=st.integers(0, 3))
    def play(self, number: int, near: int) -> None:
        player = 1 + self.position.side
        cells = [cell for cell in self.position.moves() if near] or self.board.free()
        cells = sorted(set(cells) - self.board.fives(player)) or sorted(
            set(self.board.free()) - self.board.fives(player)
        )
        if cells:
            self.before.append((self.board, _shown(self.position)))
            self.position.play(cells[number % len(cells)])
            self.board = self.board.after(player, cells[number % len(cells)])

    @precondition(lambda self: self.before)
    @rule()
    def undo(self) -> None:
        self.position.undo()
        self.board, shown = self.before.pop()
        assert _shown(self.position) == shown

    @rule()
    def switch_side_and_back(self) -> None:
        key = self.position.key
        masks, crossings, scores = self.position.masks(), self.position.crossings(), self.position.best_scores()
        self.position.switch_side()
        assert self.position.key != key and self.position.masks()[0] == masks[1]
        assert self.position.crossings()[0] == crossings[1]
        assert self.position.best_scores() == scores[::-1]
        self.position.switch_side()
        assert self.position.key == key

    @rule()
    def ask(self) -> None:
        position, board = self.position, self.board
        fresh = KInARowPosition(*self.shape, self.use)
        fresh.set_up(board.stones, position.side)
        for question in QUESTIONS:
            assert question(position) == question(fresh)
        shape, (own, other) = position.geometry, position.masks()
        free, fives = set(board.free()), [board.fives(player) for player in (1 + position.side, 2 - position.side)]
        assert [set(cells_of(mask & shape.all)) for mask in (own, other)] == fives
        if not any(fives):
            fours = [board.fours(player) for player in (1 + position.side, 2 - position.side)]
            assert [set(cells_of(mask >> shape.shifts[Pattern.FOUR] & shape.all)) for mask in (own, other)] == fours
        if fives[0]:
            assert position.outcome() == WIN - 1 and set(position.moves()) == fives[0]
        elif fives[1]:
            assert position.outcome() == (2 - WIN if len(fives[1]) > 1 else None)
            assert set(position.moves()) == fives[1] and position.forced() == (len(fives[1]) == 1)
        elif not free:
            assert (position.outcome(), position.moves()) == (0, [])
        for depth in range(len(WIDTHS) + 2):
            moves = position.moves(depth)
            assert set(moves) <= free and len(set(moves)) == len(moves) and (bool(moves) or not free)
            assert not position.quiet() or len(moves) == 1 or len(moves) >= min(WIDTHS[min(depth, 9)], len(free), 6)
        scores = order_weights(board.k)
        expected = [[naive_score(board, scores, cell, player) for cell in sorted(free)] for player in (1, 2)]
        both = expected[::-1] if position.side else expected
        assert [position.scores()[cell] for cell in sorted(free)] == both[0]
        assert sum(position.scores()) == sum(both[0])
        assert position.best_scores() == tuple(max([LOW, *of_side]) for of_side in both)
        near = {
            row * shape.cols + col for cell in cells_of(position.occupied) for row, col in _beside(cell, *self.shape)
        }
        assert set(cells_of(position.near())) == near
        assert position.plies_left() == len(free)
        assert position.evaluate() == naive_value(position, board)


def _beside(cell: int, rows: int, cols: int, k: int) -> list[tuple[int, int]]:
    """The places up to two cells away in eight directions, and the cell itself."""
    row, col = divmod(cell, cols)
    places = [(row + far * down, col + far * right) for down, right in DIRECTIONS for far in (-2, -1, 0, 1, 2)]
    return [(r, c) for r, c in places if 0 <= r < rows and 0 <= c < cols]


def _crossings_hold(position: KInARowPosition) -> bool:
    """Whether `crossings` are the cells that have the same pattern in two directions."""
    half, crossing = position.geometry.half, 0
    for one, two in combinations(position.totals, 2):
        crossing |= one & two
    sides = crossing & (1 << half) - 1, crossing >> half
    own, other = position.crossings()
    return (own & (1 << half) - 1, other & (1 << half) - 1) == (sides if position.side == BLACK else sides[::-1])


def _shown(position: KInARowPosition) -> tuple[Any, ...]:
    contents = [node[-1] for node in position.nodes]  # not the nodes: a new node may have replaced an equal one
    return position.side, position.value, position.totals, position.occupied, position.key, contents


QUESTIONS = [
    KInARowPosition.forced, KInARowPosition.quiet, KInARowPosition.moves, KInARowPosition.outcome, _shown,
    KInARowPosition.scanned_masks, KInARowPosition.scores, KInARowPosition.potentials, _crossings_hold,
    lambda position: position.forced_win(0, Deadline(None)), lambda position: position.forced_win(5, Deadline(None)),
    *(lambda position, depth=depth: position.moves(depth) for depth in range(12)), KInARowPosition.quick_value,
]  # fmt: skip


class Reversi(RuleBasedStateMachine):
    """Random games on random sizes, from the start or from scattered discs."""

    @initialize(n=st.sampled_from([4, 6, 8, 10, 14]), seed=NUMBERS, start=st.booleans())
    def begin(self, n: int, seed: int, start: bool) -> None:
        self.n, self.player = n, 1
        self.stones = naive_reversi.reversi_start(n)
        if not start:
            self.stones, self.player = naive_reversi.scattered(n, seed % (n * n), (1 + seed % 9) / 10, seed)
        self.position = ReversiPosition.start(n)
        if not start:
            self.position.set_up(self.stones, self.player - 1)
        self.before: list[Any] = []

    @rule(number=NUMBERS)
    def play(self, number: int) -> None:
        legal = naive_reversi.moves(self.stones, self.player)
        if legal or naive_reversi.moves(self.stones, 3 - self.player):
            self.before.append((self.stones, self.player, self._shown()))
            move = legal[number % len(legal)] if legal else PASS
            self.position.play(move)
            self.stones = naive_reversi.after(self.stones, move, self.player) if legal else self.stones
            self.player = 3 - self.player

    @precondition(lambda self: self.before)
    @rule()
    def undo(self) -> None:
        self.position.undo()
        self.stones, self.player, shown = self.before.pop()
        assert self._shown() == shown

    @rule()
    def ask(self) -> None:
        n, position, stones = self.n, self.position, self.stones
        legal, theirs = (naive_reversi.moves(stones, player) for player in (self.player, 3 - self.player))
        assert [cells_of(mask) for mask in position.discs] == [
            [cell for cell, stone in enumerate(stones) if stone == player] for player in (1, 2)
        ]
        sides = (position.side, 1 - position.side)
        assert [cells_of(position.legal_cells(side)) for side in sides] == [legal, theirs]
        assert [legal_cells(stones, n, side) for side in sides] == [legal, theirs]
        over = not legal and not theirs
        assert position.outcome() == (final_value(naive_reversi.difference(stones, self.player)) if over else None)
        assert position.forced() == (not legal) and position.plies_left() == stones.count(0)
        few = ReversiParameters().few_discs
        assert position.quiet() == (bool(legal) and min(stones.count(1), stones.count(2)) > few)
        for depth, rank in ((0, self._rank), (3, self._rank_by_replies), (4, self._rank_by_value)):
            moves = position.moves(depth)
            assert sorted(moves) == (legal or ([] if over else [PASS]))
            if legal:
                ranks = list(map(rank, moves))
                assert ranks == sorted(ranks, reverse=True)
        fresh = ReversiPosition.from_stones(stones, n, position.side)
        shown, self.position = self._shown(), fresh
        assert self._shown() == shown
        self.position = position
        assert position.evaluate() == self._value()

    @rule()
    def images(self) -> None:
        """A mirrored board, a turned one, and one with the colours exchanged have the same value."""
        n, stones = self.n, self.stones
        boards = [bytes(stones[row * n + n - 1 - col] for row in range(n) for col in range(n))]
        boards.append(bytes(stones[col * n + n - 1 - row] for row in range(n) for col in range(n)))
        values = {ReversiPosition.from_stones(board, n, self.position.side).evaluate() for board in boards}
        swapped = bytes((0, 2, 1)[stone] for stone in stones)
        values.add(ReversiPosition.from_stones(swapped, n, 1 - self.position.side).evaluate())
        assert values == {self.position.evaluate()}

    def _shown(self) -> tuple[Any, ...]:
        position = self.position
        contents = [(node[:STAGES], node[-1]) for node in position.nodes]
        return position.side, position.discs, contents, position.along, position.legal, position.key

    def _rank(self, cell: int) -> int:
        return square_ranks(self.n)[cell]

    def _rank_by_replies(self, cell: int) -> int:
        after = naive_reversi.after(self.stones, cell, self.player)
        return self._rank(cell) - ReversiParameters().reply_rank * len(naive_reversi.moves(after, 3 - self.player))

    def _rank_by_value(self, cell: int) -> int:
        after = naive_reversi.after(self.stones, cell, self.player)
        value = ReversiPosition.from_stones(after, self.n, 2 - self.player).evaluate()
        return self._rank_by_replies(cell) * CellListEvaluator.unit - value * ReversiParameters().value_rank

    def _value(self) -> int:
        """The value by its definition: the sum over all lists, of having the move, and of mobility."""
        model, discs, value = CellListEvaluator.model(self.n), self.n * self.n - self.stones.count(0), 0
        for each in cell_lists(self.n):
            content = [sum(1 << i for i, cell in enumerate(each.cells) if self.stones[cell] == p) for p in (1, 2)]
            value += model.values(each)(*content)[model.stages[discs]]
        more = len(naive_reversi.moves(self.stones, self.player)) - len(
            naive_reversi.moves(self.stones, 3 - self.player)
        )
        return (value if self.position.side == BLACK else -value) + model.turn[discs] + model.mobility[discs] * more


BRIEF = settings(
    max_examples=12, stateful_step_count=24, deadline=None, phases=[Phase.generate]
)  # without shrinking of failures, which takes minutes
TestKInARow, TestReversi = KInARow.TestCase, Reversi.TestCase
TestKInARow.settings = TestReversi.settings = BRIEF
