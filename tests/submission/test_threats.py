"""Forced wins by threats: each one claimed is proved by the naive rules, and of wins by fours none is overlooked."""

from __future__ import annotations

import random
from typing import Iterator, Optional, Tuple

import pytest

from submission.k_in_a_row.position import KInARowPosition
from submission.k_in_a_row.threat_search import ThreatSearch
from submission.lines import BLACK, WHITE

from .boards import draw
from .naive_line import NaiveBoard, Strategy, brute_vcf, holds, proves
from .tactics import FALSE, LONG_WIN, STOP, WIN

X, O = 1, 2  # noqa: E741 (as drawn)
SWAP = str.maketrans("XO", "OX")
PLENTY = 100000  # nodes: as good as no limit in these positions
VCT_NODES = 2000
DEPTH = 4  # own moves of the brute search for fours
LONGEST = 60  # plies of a win by threats
Shape = Tuple[int, int, int]
SMALL = [(7, 7, 5), (6, 6, 4), (5, 8, 4)]
LARGER = [(9, 9, 5), (15, 15, 5)]


def _threats(board: NaiveBoard, player: int) -> ThreatSearch:
    position = KInARowPosition(board.rows, board.cols, board.k)
    position.set_up(board.stones, player - 1)
    return position.threats


def _drawn(drawing: str, player: int) -> NaiveBoard:
    drawn = draw(drawing if player == X else drawing.translate(SWAP))
    return NaiveBoard(drawn.rows, drawn.cols, 5, drawn.stones)


def _vct(player: int, claim: Optional[Tuple[NaiveBoard, list[int]]] = None) -> Strategy:
    """The strategy that thinks anew on every move, for which it may need more nodes than for the one of the claim."""

    def play(board: NaiveBoard) -> list[int]:
        if claim and board is claim[0]:
            return claim[1]
        return _threats(board, player).vcf(PLENTY).line or _threats(board, player).vct(PLENTY).line

    return play


def _scattered(shape: Shape, noise: random.Random, surplus: int = 0) -> NaiveBoard:
    """Random stones near each other without five in a row, black having a `surplus`; few stones where it has one."""
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
        near |= {
            r * cols + c
            for r in range(max(row - 2, 0), min(row + 3, rows))
            for c in range(max(col - 2, 0), min(col + 3, cols))
        }
        near = {cell for cell in near if not board.stones[cell]}
    return board


def _positions(shape: Shape, seed: int, count: int) -> Iterator[Tuple[NaiveBoard, int]]:
    """Boards with the player to move, who has one or two stones more in half of them."""
    noise = random.Random(f"{shape} {seed}")
    for number in range(count):
        board = _scattered(shape, noise, number % 4 // 2 * noise.randint(1, 2))
        player = X if number % 4 // 2 else noise.choice((X, O))
        if noise.random() < 0.5:
            board = NaiveBoard(*shape, bytes((0, O, X)[stone] for stone in board.stones))
            player = 3 - player
        yield board, player


def _said(board: NaiveBoard, player: int) -> str:
    return f"{'.XO'[player]} to move\n{board}"


@pytest.mark.parametrize("player", [X, O])
@pytest.mark.parametrize("name", [name for name in WIN if not WIN[name].threats])
def test_wins_by_fours(name: str, player: int) -> None:
    board = _drawn(WIN[name].drawing, player)
    line = _threats(board, player).vcf(PLENTY).line
    assert line[0] in draw(WIN[name].drawing).marked
    assert holds(board, player, line)
    assert _threats(board, player).vct(PLENTY).line[0] in draw(WIN[name].drawing).marked


@pytest.mark.parametrize("player", [X, O])
@pytest.mark.parametrize("name", [*[name for name in WIN if WIN[name].threats], *LONG_WIN])
def test_wins_by_threes(name: str, player: int) -> None:
    tactic = {**WIN, **LONG_WIN}[name]
    board = _drawn(tactic.drawing, player)
    assert _threats(board, player).vcf(PLENTY).line == []
    line = _threats(board, player).vct(PLENTY).line
    assert line[0] in draw(tactic.drawing).marked or len(line) >= 2 * tactic.depth  # it may take longer
    assert proves(board, player, _vct(player), LONGEST)


# Wins by open threes that are found only if fours are played before them.
FOURS_FIRST = (
    """
        O . . . X . O . .
        O O . . . X . . .
        . . O . O . . . .
        . O . X . . . . .
        . . O . O X . X .
        . . X . . . . . .
        . X . . . O . . .
        . O X O . . . . .
        . X . X . X . . .""",
    """
        X . O . . . . O O
        X . . . . . . . .
        . . X . . . O . .
        O O O . X . . . X
        X . . . X . X . .
        . . O O O . . X .
        . X . X . . O . X
        . O . X X . . O .
        . . . X . O . O X""",
)


@pytest.mark.parametrize("player", [X, O])
@pytest.mark.parametrize("drawing", FOURS_FIRST)
def test_fours_may_come_before_an_open_three(drawing: str, player: int) -> None:
    board = _drawn(drawing, player)
    assert _threats(board, player).vcf(PLENTY).line == []
    assert _threats(board, player).vct(VCT_NODES).line
    assert proves(board, player, _vct(player), LONGEST)


@pytest.mark.parametrize("player", [X, O])
@pytest.mark.parametrize("name", FALSE)
def test_false_wins_are_not_claimed(name: str, player: int) -> None:
    board = _drawn(FALSE[name].drawing.upper(), player)
    assert _threats(board, player).vct(PLENTY).line == []


def test_what_is_known_is_answered_at_once() -> None:
    threats = _threats(_drawn(". . . . ./. X . . ./. . O . ./. . . . ./. . . . .", X), X)
    first, again = threats.vcf(PLENTY), threats.vcf(PLENTY)
    assert first.line == again.line == []
    assert first.complete and again == ([], 0, True)
    assert not _threats(_drawn(FOURS_FIRST[0], X), X).vct(5).complete


@pytest.mark.parametrize("name", STOP)
def test_what_does_not_stop_fours_is_punished(name: str) -> None:
    drawn = draw(STOP[name].drawing)
    board = _drawn(STOP[name].drawing, X)
    for cell in board.free():
        after = board.after(X, cell)
        line = _threats(after, O).vcf(PLENTY).line
        assert bool(line) == (cell not in drawn.marked)
        assert not line or holds(after, O, line)


def _check_fours(shape: Shape, seed: int, count: int) -> None:
    for board, player in _positions(shape, seed, count):
        line = _threats(board, player).vcf(PLENTY).line
        assert not line or holds(board, player, line), _said(board, player)
        assert line or not brute_vcf(board, player, DEPTH), _said(board, player)


def _check_threes(shape: Shape, seed: int, count: int) -> int:
    """Play all claimed wins out; how many there were that need more than fours."""
    wins = 0
    for board, player in _positions(shape, seed, count):
        finder = _threats(board, player)
        line = finder.vct(VCT_NODES).line
        wins += bool(line) and not finder.vcf(PLENTY).line
        if line:
            assert proves(board, player, _vct(player, (board, line)), LONGEST), _said(board, player)
        else:
            assert not brute_vcf(board, player, 2), _said(board, player)
    return wins


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("shape", SMALL)
def test_all_wins_by_fours_are_found(shape: Shape, seed: int) -> None:
    _check_fours(shape, seed, 30)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("shape", LARGER)
def test_wins_by_fours_on_larger_boards(shape: Shape, seed: int) -> None:
    for board, player in _positions(shape, seed, 20):
        line = _threats(board, player).vcf(PLENTY).line
        assert not line or holds(board, player, line), _said(board, player)
        assert line or not brute_vcf(board, player, 2), _said(board, player)


@pytest.mark.parametrize(
    "shape, seeds, least",
    [((7, 7, 5), 1, 2), *(pytest.param((size, size, 5), 2, 2, marks=pytest.mark.slow) for size in (8, 9))],
)
def test_claimed_wins_by_threats_stand_against_all_replies(shape: Shape, seeds: int, least: int) -> None:
    assert sum(_check_threes(shape, seed, 25) for seed in range(seeds)) >= least


@pytest.mark.parametrize(
    "seed",
    [
        pytest.param(100, marks=pytest.mark.slow),
        *(pytest.param(seed, marks=pytest.mark.long) for seed in range(101, 110)),
    ],
)
@pytest.mark.parametrize("shape", SMALL + LARGER)
def test_many_positions(shape: Shape, seed: int) -> None:
    if shape in SMALL:
        _check_fours(shape, seed, 300)
    _check_threes(shape, seed, 40 if shape[0] < 15 else 8)


def _state(finder: ThreatSearch) -> tuple:
    board = finder.board
    return board.key, board.totals, board.side, board.occupied, board.value, list(board.history)


@pytest.mark.parametrize("shape", SMALL)
def test_the_board_is_left_as_it_was_wherever_the_nodes_end(shape: Shape) -> None:
    for board, player in _positions(shape, 7, 12):
        finder, other = _threats(board, player), _threats(board, 3 - player)
        before = _state(finder)
        for nodes in (1, 2, 5, 20, 300):
            for line in (finder.vcf(nodes).line, finder.vcf(nodes, in_line=True).line, finder.vct(nodes).line):
                assert _state(finder) == before
                assert not line or proves(board, player, _vct(player), LONGEST), _said(board, player)
            assert finder.opponent_vct(nodes).line == other.vct(nodes).line
            assert _state(finder) == before


@pytest.mark.parametrize("side", [BLACK, WHITE])
def test_one_finder_serves_both_sides_of_a_game(side: int) -> None:
    """What it remembers of one position must not mislead it in the next, nor of one colour in the other."""
    noise = random.Random(side)
    for _ in range(8):
        naive = _scattered((7, 7, 5), noise, 1)
        finder = _threats(naive, side + 1)
        for _ in range(6):
            player = finder.board.side + 1
            line = finder.vct(VCT_NODES).line
            assert not line or proves(naive, player, _vct(player), LONGEST), _said(naive, player)
            assert bool(finder.vcf(PLENTY).line) == bool(_threats(naive, player).vcf(PLENTY).line)
            free = sorted(set(naive.free()) - naive.fives(player))
            if not free:
                break
            cell = line[0] if line and line[0] in free else noise.choice(free)
            finder.board.play(cell)
            naive = naive.after(player, cell)


@pytest.mark.parametrize("shape", SMALL)
def test_a_budget_gives_the_same_answer_always(shape: Shape) -> None:
    """From a new search, or one that has forgotten; without a deadline nothing else counts."""
    for board, player in _positions(shape, 11, 15):
        used = _threats(board, player)
        for budget in (3, 40, 500):
            used.forget()
            assert used.vct(budget) == _threats(board, player).vct(budget)
            used.forget()
            assert used.vcf(budget) == _threats(board, player).vcf(budget)


def test_a_result_says_what_it_cost_and_whether_it_is_complete() -> None:
    board = _drawn(max((win for win in WIN.values() if not win.threats), key=lambda win: win.depth).drawing, X)
    found = _threats(board, X).vcf(PLENTY)
    assert found.line and found.complete and 0 < found.nodes <= PLENTY
    cut = _threats(board, X).vcf(0)
    assert (cut.line, cut.complete) == ([], False)
    given_up = _threats(
        _drawn(max((win for win in WIN.values() if win.threats), key=lambda win: win.depth).drawing, X), X
    ).vct(PLENTY, most_effort=1)
    assert (given_up.line, given_up.complete) == ([], False)
    nothing = _threats(NaiveBoard(7, 7, 5, bytes(49)), X).vct(PLENTY)
    assert (nothing.line, nothing.complete) == ([], True)
