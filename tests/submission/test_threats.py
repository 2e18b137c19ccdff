"""Forced wins by threats: the naive rules prove each claimed win, and no win by fours is overlooked."""

from __future__ import annotations

import random
from typing import Iterator, Optional, Tuple

import pytest

from submission.k_in_a_row.position import KInARowPosition
from submission.k_in_a_row.threat_search import ThreatSearch
from submission.lines import BLACK, WHITE

from .boards import draw, drawings, swapped
from .naive_line import NaiveBoard, Strategy, brute_vcf, holds, proves
from .tactics import FALSE, LONG_WIN, STOP, WIN

X, O = 1, 2  # noqa: E741 (as drawn)
PLENTY = 100000  # nodes: as good as no limit in these positions
VCT_NODES = 2000
DEPTH = 4  # own moves of the brute search for fours
LONGEST = 60  # plies of a win by threats
Shape = Tuple[int, int, int]
SMALL = [(7, 7, 5), (6, 6, 4), (5, 8, 4)]
LARGER = [(9, 9, 5), (15, 15, 5)]
WINS = {**WIN, **LONG_WIN}


def _threats(board: NaiveBoard, player: int) -> ThreatSearch:
    position = KInARowPosition(board.rows, board.cols, board.k)
    position.set_up(board.stones, player - 1)
    return position.threats


def _drawn(drawing: str, player: int) -> NaiveBoard:
    drawn = draw(drawing if player == X else swapped(drawing))
    return NaiveBoard(drawn.rows, drawn.cols, 5, drawn.stones)


def _vct(player: int, claim: Optional[Tuple[NaiveBoard, list[int]]] = None) -> Strategy:
    """A strategy: a new search on every move, which may use more nodes than the search of the claim."""

    def play(board: NaiveBoard) -> list[int]:
        if claim and board is claim[0]:
            return claim[1]
        return _threats(board, player).vcf(PLENTY).line or _threats(board, player).vct(PLENTY).line

    return play


def _scattered(shape: Shape, noise: random.Random, surplus: int = 0) -> NaiveBoard:
    """Random stones near each other without five in a row. `surplus`: number of further black stones; if not 0, the
    board has few stones.
    """
    rows, cols, k = shape
    board = NaiveBoard(rows, cols, k, bytes(rows * cols))
    most = 3 * k if surplus else min(rows * cols * 2 // 3, 45)
    near = {rows // 2 * cols + cols // 2}
    for number in range(-surplus, noise.randint(2 * k - 2, most)):
        player = X if number < 0 else 1 + number % 2
        cells = sorted(near - board.fives(player))
        if not cells:
            break
        cell = noise.choice(cells)
        board = board.after(player, cell)
        row, col = divmod(cell, cols)
        beside = range(max(row - 2, 0), min(row + 3, rows)), range(max(col - 2, 0), min(col + 3, cols))
        near |= {r * cols + c for r in beside[0] for c in beside[1]}
        near = {cell for cell in near if not board.stones[cell]}
    return board


def _positions(shape: Shape, seed: int, count: int) -> Iterator[Tuple[NaiveBoard, int]]:
    """Boards and the player to move. In half of them, this player has one or two stones more."""
    noise = random.Random(f"{shape} {seed}")
    for number in range(count):
        board = _scattered(shape, noise, number % 4 // 2 * noise.randint(1, 2))
        player = X if number % 4 // 2 else noise.choice((X, O))
        if noise.random() < 0.5:
            board = NaiveBoard(*shape, bytes((0, O, X)[stone] for stone in board.stones))
            player = 3 - player
        yield board, player


def _named(board: NaiveBoard, player: int) -> str:
    return f"{'.XO'[player]} to move\n{board}"


@pytest.mark.parametrize("player", [X, O])
@pytest.mark.parametrize("name", [*WIN, *(pytest.param(name, marks=pytest.mark.slow) for name in LONG_WIN)])
def test_wins_of_the_drawings(name: str, player: int) -> None:
    depth, threats, drawing = WINS[name]
    board, marked = _drawn(drawing, player), draw(drawing).marked
    fours, line = _threats(board, player).vcf(PLENTY).line, _threats(board, player).vct(PLENTY).line
    if threats:
        assert fours == []
        assert line[0] in marked or len(line) >= 2 * depth  # it may take longer
        assert proves(board, player, _vct(player), LONGEST)
    else:
        assert fours[0] in marked and line[0] in marked
        assert holds(board, player, fours)


# Wins by open threes that are found only if fours are played before them.
FOURS_FIRST = drawings("""
one               | two
O . . . X . O . . | X . O . . . . O O
O O . . . X . . . | X . . . . . . . .
. . O . O . . . . | . . X . . . O . .
. O . X . . . . . | O O O . X . . . X
. . O . O X . X . | X . . . X . X . .
. . X . . . . . . | . . O O O . . X .
. X . . . O . . . | . X . X . . O . X
. O X O . . . . . | . O . X X . . O .
. X . X . X . . . | . . . X . O . O X
""")


@pytest.mark.parametrize("player", [X, O])
@pytest.mark.parametrize("name", FOURS_FIRST)
def test_fours_may_come_before_an_open_three(name: str, player: int) -> None:
    board = _drawn(FOURS_FIRST[name], player)
    assert _threats(board, player).vcf(PLENTY).line == []
    assert _threats(board, player).vct(VCT_NODES).line
    assert proves(board, player, _vct(player), LONGEST)


@pytest.mark.parametrize("player", [X, O])
@pytest.mark.parametrize("name", FALSE)
def test_false_wins_are_not_claimed(name: str, player: int) -> None:
    board = _drawn(FALSE[name].drawing.upper(), player)
    assert _threats(board, player).vct(PLENTY).line == []


@pytest.mark.parametrize("name", STOP)
def test_a_move_that_does_not_stop_fours_loses_by_them(name: str) -> None:
    drawn = draw(STOP[name].drawing)
    board = _drawn(STOP[name].drawing, X)
    for cell in board.free():
        after = board.after(X, cell)
        line = _threats(after, O).vcf(PLENTY).line
        assert bool(line) == (cell not in drawn.marked)
        assert not line or holds(after, O, line)


def _check_fours(shape: Shape, seed: int, count: int, depth: int) -> None:
    for board, player in _positions(shape, seed, count):
        line = _threats(board, player).vcf(PLENTY).line
        assert holds(board, player, line) if line else not brute_vcf(board, player, depth), _named(board, player)


def _check_threes(shape: Shape, seed: int, count: int) -> int:
    """Prove all claimed wins; returns how many of them need more than fours."""
    wins = 0
    for board, player in _positions(shape, seed, count):
        search = _threats(board, player)
        line = search.vct(VCT_NODES).line
        wins += bool(line) and not search.vcf(PLENTY).line
        if line:
            assert proves(board, player, _vct(player, (board, line)), LONGEST), _named(board, player)
        else:
            assert not brute_vcf(board, player, 2), _named(board, player)
    return wins


@pytest.mark.parametrize("shape, seeds, count, depth", [
    *((shape, 3, 30, DEPTH) for shape in SMALL), *((shape, 1, 20, 2) for shape in LARGER),
    *(pytest.param(shape, 10, 30, DEPTH, marks=pytest.mark.slow) for shape in SMALL),
])  # fmt: skip
def test_all_wins_by_fours_are_found(shape: Shape, seeds: int, count: int, depth: int) -> None:
    for seed in range(seeds):
        _check_fours(shape, seed, count, depth)


@pytest.mark.parametrize("shape, seed, count, least", [
    ((7, 7, 5), 0, 25, 2),
    *(pytest.param((size, size, 5), 0, 50, 2, marks=pytest.mark.slow) for size in (8, 9)),
    *(pytest.param(shape, 100, 40, 0, marks=pytest.mark.slow) for shape in SMALL),
    pytest.param((15, 15, 5), 100, 8, 0, marks=pytest.mark.slow),
])  # fmt: skip
def test_claimed_wins_by_threats_hold_against_all_replies(shape: Shape, seed: int, count: int, least: int) -> None:
    assert _check_threes(shape, seed, count) >= least


def _state(search: ThreatSearch) -> tuple:
    board = search.board
    return board.key, board.totals, board.side, board.occupied, board.value, list(board.history)


@pytest.mark.parametrize("shape", SMALL)
def test_any_budget_leaves_the_board_as_it_was_and_gives_a_repeatable_answer(shape: Shape) -> None:
    for board, player in _positions(shape, 7, 10):
        search, opponent = _threats(board, player), _threats(board, 3 - player)
        before = _state(search)
        for nodes in (1, 5, 20, 300):
            for line in (search.vcf(nodes).line, search.vcf(nodes, in_line=True).line, search.vct(nodes).line):
                assert _state(search) == before
                assert not line or proves(board, player, _vct(player), LONGEST), _named(board, player)
            assert search.opponent_vct(nodes).line == opponent.vct(nodes).line
            assert _state(search) == before
            used = _threats(board, player)
            for ask in (ThreatSearch.vct, ThreatSearch.vcf):
                first = ask(used, nodes)
                used.forget()
                assert ask(used, nodes) == first == ask(_threats(board, player), nodes)
                used.forget()


@pytest.mark.parametrize("side", [BLACK, WHITE])
def test_one_search_serves_both_sides_of_a_game(side: int) -> None:
    """Stored results of one position or colour must not be used for another."""
    noise = random.Random(side)
    for _ in range(8):
        naive = _scattered((7, 7, 5), noise, 1)
        search = _threats(naive, side + 1)
        for _ in range(6):
            player = search.board.side + 1
            line = search.vct(VCT_NODES).line
            assert not line or proves(naive, player, _vct(player), LONGEST), _named(naive, player)
            assert bool(search.vcf(PLENTY).line) == bool(_threats(naive, player).vcf(PLENTY).line)
            free = sorted(set(naive.free()) - naive.fives(player))
            if not free:
                break
            cell = line[0] if line and line[0] in free else noise.choice(free)
            search.board.play(cell)
            naive = naive.after(player, cell)


def test_a_result_has_its_nodes_and_whether_it_is_complete() -> None:
    board = _drawn(WIN["four fours against an open three"].drawing, X)
    won = _threats(board, X).vcf(PLENTY)
    assert won.line and won.complete and 0 < won.nodes <= PLENTY
    assert _threats(board, X).vcf(0)[::2] == ([], False)
    given_up = _threats(_drawn(WIN["two open threes that stop one"].drawing, X), X).vct(PLENTY, most_effort=1)
    assert given_up[::2] == ([], False)
    nothing = _threats(NaiveBoard(7, 7, 5, bytes(49)), X)
    assert nothing.vct(PLENTY)[::2] == ([], True)
    assert nothing.vcf(PLENTY) == ([], 0, True)  # the result is stored
