"""Wins and losses by threats in k in a row: the naive rules prove all claims, and no win by fours is overlooked.

In drawings, X is to move. The marked cells were found by trying all moves.
"""

from __future__ import annotations

import random
from typing import Iterator, Optional, Tuple

import pytest

from submission.k_in_a_row.position import KInARowPosition
from submission.k_in_a_row.threat_search import ThreatSearch
from submission.search.clock import Deadline
from submission.search.deepening import Search
from submission.search.searchable import PROVED_WIN, WIN

from .boards import both_colours, drawings
from .naive_line import NaiveBoard, Strategy, brute_vcf, holds, proves

X, O = 1, 2  # noqa: E741 (as drawn)
PLENTY = 100000  # nodes: as good as no limit in these positions
VCT_NODES = 2000
NODES = 10000  # node limit of a search
LONGEST = 60  # most plies of a win by threats
Shape = Tuple[int, int, int]
SMALL = [(7, 7, 5), (6, 6, 4), (5, 8, 4)]


def position_of(board: NaiveBoard, player: int) -> KInARowPosition:
    position = KInARowPosition(board.rows, board.cols, board.k)
    position.set_up(board.stones, player - 1)
    return position


def threats_of(board: NaiveBoard, player: int) -> ThreatSearch:
    return position_of(board, player).threats


def vct(player: int, claim: Optional[Tuple[NaiveBoard, list[int]]] = None) -> Strategy:
    """A Strategy by VCT: a new search for every move, with more nodes than the search that claimed the win."""

    def play(board: NaiveBoard) -> list[int]:
        if claim and board is claim[0]:
            return claim[1]
        return threats_of(board, player).vcf(PLENTY).line or threats_of(board, player).vct(PLENTY).line

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


def _proved_plies(board: NaiveBoard, player: int) -> int:
    """Prove a decided outcome by the naive rules; returns its plies, negative for a loss, 0 for an open result."""
    outcome = position_of(board, player).outcome()
    if not outcome:
        return 0
    winner, plies = player if outcome > 0 else 3 - player, WIN - abs(outcome)
    boards = [board] if outcome > 0 else [board.after(player, cell) for cell in board.free()]
    for each in boards:
        first = lambda now: position_of(now, winner).moves()[:1]  # noqa: E731
        assert proves(each, winner, first, plies - (outcome < 0)), f"{plies} plies, {player}\n{board}"
    return plies if outcome > 0 else -plies


@pytest.mark.parametrize("shape, seeds, count, depth", [
    *((shape, 3, 30, 4) for shape in SMALL), ((9, 9, 5), 1, 20, 2), ((15, 15, 5), 1, 20, 2), ((3, 3, 3), 1, 20, 4),
    *(pytest.param(shape, 10, 30, 4, marks=pytest.mark.slow) for shape in SMALL),
])  # fmt: skip
def test_wins_by_fours_are_found_and_decided_outcomes_are_true(
    shape: Shape, seeds: int, count: int, depth: int
) -> None:
    """`depth`: own moves of the brute search for fours."""
    claims = set()
    for seed in range(seeds):
        for board, player in _positions(shape, seed, count):
            line = threats_of(board, player).vcf(PLENTY).line
            assert holds(board, player, line) if line else not brute_vcf(board, player, depth), f"{player}\n{board}"
            claims.add(_proved_plies(board, player))
    assert claims >= {-2, 0, 1, 3, 5} or shape not in SMALL
    assert -4 in claims or shape != (5, 8, 4)


@pytest.mark.parametrize("shape, seed, count, least", [
    ((7, 7, 5), 0, 25, 2),
    *(pytest.param((size, size, 5), 0, 50, 2, marks=pytest.mark.slow) for size in (8, 9)),
    *(pytest.param(shape, 100, 40, 0, marks=pytest.mark.slow) for shape in SMALL),
    pytest.param((15, 15, 5), 100, 8, 0, marks=pytest.mark.slow),
])  # fmt: skip
def test_claimed_wins_by_threats_hold_against_all_replies(shape: Shape, seed: int, count: int, least: int) -> None:
    wins = 0  # wins that need more than fours
    for board, player in _positions(shape, seed, count):
        search = threats_of(board, player)
        line = search.vct(VCT_NODES).line
        wins += bool(line) and not search.vcf(PLENTY).line
        if line:
            assert proves(board, player, vct(player, (board, line)), LONGEST), f"{player}\n{board}"
        else:
            assert not brute_vcf(board, player, 2), f"{player}\n{board}"
    assert wins >= least


def _state(search: ThreatSearch) -> tuple:
    board = search.board
    return board.key, board.totals, board.side, board.occupied, board.value, list(board.history)


def _asked(search: ThreatSearch, board: NaiveBoard, player: int) -> None:
    """Search with several budgets: the board stays as it was, answers repeat, and wins hold by the naive rules."""
    before = _state(search)
    for nodes in (1, 5, 20, 300):
        for line in (search.vcf(nodes).line, search.vcf(nodes, in_line=True).line, search.vct(nodes).line):
            assert not line or proves(board, player, vct(player), LONGEST), f"{player}\n{board}"
        fresh = threats_of(board, player)
        assert fresh.opponent_vct(nodes).line == threats_of(board, 3 - player).vct(nodes).line
        for ask in (ThreatSearch.vct, ThreatSearch.vcf):
            fresh.forget()
            assert ask(fresh, nodes) == ask(threats_of(board, player), nodes)
    assert bool(search.vcf(PLENTY).line) == bool(threats_of(board, player).vcf(PLENTY).line)
    assert _state(search) == before


@pytest.mark.parametrize("shape", SMALL)
def test_one_search_serves_both_sides_of_a_game_with_any_budget(shape: Shape) -> None:
    """The search must not use its stored results of one position or colour for another one."""
    noise = random.Random(str(shape))
    for naive, player in _positions(shape, 7, 6):
        search = threats_of(naive, player)
        for _ in range(3):
            _asked(search, naive, player)
            line = search.vct(VCT_NODES).line
            free = sorted(set(naive.free()) - naive.fives(player))
            if not free:
                break
            cell = line[0] if line and line[0] in free else noise.choice(free)
            search.board.play(cell)
            naive, player = naive.after(player, cell), 3 - player


THREE_FOURS = "........./.......O./.......O./.......O./X..*X..../..X....../.XX....../X......../........."
# Before the name, `depth` and `threats`: the win by fours takes at most `depth` own moves, the five counted. At most
# `threats` moves that only threaten a win by fours come before it. The moves marked are all that win; in "fours first",
# where fours must be played before an open three, one of them. Wins by fours alone are compared with a brute search.
WINS = drawings("""
4 1 two open threes that stop one | 4 1 two open threes among the other side's
. . . . . . . .                    | . . . . . . . .
. . . . . . . .                    | . . O . . . . .
. . . O . . X .                    | . . . O X . . .
. . . O . X . .                    | . . X . * X . .
. . . O . . . .                    | . . . . . O . .
. X X * . . . .                    | . . . . . . . .
. . . . . . . .                    | . . . . X X . .
. . . . . . . .                    | . . . . . . . .

4 2 an open three, then two | 4 2 an open three against the edge, then two
. . . . . . . .             | . . . . . . . .
. . X . . . . .             | . . . . . . . .
. . . . . X . .             | . . * X . X X O
. . X . * X . .             | . . . * . * . .
. . . . . * . .             | . . . . X . . .
. . . . . . . .             | . . . * . * . .
. . . . . . . .             | . . . . . . . .
. . . . . . . .             | . . . . . . . .

5 1 fours first, one | 6 1 fours first, two
O . . . X . O . .    | X . O . . . . O O
O O . . . X . . .    | X . . . . . . . .
. . O . O * . . .    | . . X . * . O . .
. O . X . . . . .    | O O O . X . . . X
. . O . O X . X .    | X . . . X . X . .
. . X . . . . . .    | . . O O O . . X .
. X . . . O . . .    | . X . X . . O . X
. O X O . . . . .    | . O . X X . . O .
. X . X . X . . .    | . . . X . O . O X
""")

# O threatens to win; the moves marked are all that stop it.
STOP = drawings("""
a four at the edge     | a four with a gap, where six would do as well     | an open three with a gap
. . . . . . . .        | . . . . . . .                                     | . . . . . . . .
O O O O * . . .        | O O O * O O .                                     | . . . . . . . .
. . X . . X . .        | . . X . . X .                                     | . . . . X . . .
. . X X . . . .        | . . X X . . .                                     | . * O * O O * .
. . . . X . . .        | . . . . . . .                                     | . . . . . . . .
. . . . . . . .        |                                                   | . . . . . . X .
                       |                                                   | . X . . . . . .
                       |                                                   | . . . . . . . .

two fours crossing     | two fours in a row
. . . X . . . .        | . . . . . . . . .
. . . O . . . .        | . O . . . . . . .
. . . O . . . .        | . . O . O . . . .
. . . O . . . .        | . . . * O . . . .
X O O * O * . .        | . . O . * . . . .
. . . * . . X .        | . . . . . O . . .
. . X . X . . .        | . . . . . . . . .
. . . . . . . .        | . . . . . . . . .
                       | . . . . . . . . .
""")

# Two open threes (the move marked) would win without the stones o: their four stops one of the threes.
FALSE = drawings("""
a four beside the crossing     | a four beside a split three
. . . . . . . .                | . . . . . . . .
. . . . . . . .                | . . . O X . . .
. . . . X O . .                | . . . . X . . .
. O . O X . . .                | . O . . . . . .
. . X X * . . .                | . . X X * . . .
. . . . . o . .                | . . . . . o . .
. . . . . o . .                | . . . O . o . .
. . . . . o . .                | . . . . . o . .
""")


@pytest.mark.parametrize("name", WINS)
def test_a_win_is_found_and_holds(name: str) -> None:
    depth, threats = map(int, name.split()[:2])
    for player, (drawn, position) in enumerate(both_colours(WINS[name]), 1):
        board = NaiveBoard(drawn.rows, drawn.cols, 5, drawn.stones)
        line = position.threats.vct(PLENTY).line
        assert position.threats.vcf(PLENTY).line == []
        assert line[0] in drawn.marked or len(line) >= 2 * depth  # a longer win may begin elsewhere
        if player == 1 and threats == 1:  # with two such threats, the proof by naive rules takes too long
            assert proves(board, player, vct(player), LONGEST)
        thought = Search().think(position, Deadline(None, NODES))
        assert (thought.source, thought.value) == ("threats", WIN - len(thought.pv))
        assert thought.move in drawn.marked or thought.value <= WIN - 2 * depth


@pytest.mark.parametrize("name", STOP)
def test_only_moves_that_stop_a_win_do_not_lose_by_fours_and_the_search_plays_one(name: str) -> None:
    for player, (drawn, position) in enumerate(both_colours(STOP[name]), 1):
        board = NaiveBoard(drawn.rows, drawn.cols, 5, drawn.stones)
        for cell in board.free():
            after = board.after(player, cell)
            line = threats_of(after, 3 - player).vcf(PLENTY).line
            assert bool(line) == (cell not in drawn.marked)
            assert not line or holds(after, 3 - player, line)
        assert Search().think(position, Deadline(None, NODES)).move in drawn.marked


@pytest.mark.parametrize("nodes", [4000, pytest.param(NODES, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", FALSE)
def test_a_false_win_is_not_claimed(name: str, nodes: int) -> None:
    for _, position in both_colours(FALSE[name].upper()):
        assert position.outcome() is None and position.threats.vct(PLENTY).line == []
        assert Search().think(position, Deadline(None, nodes)).value < PROVED_WIN


def test_a_result_has_its_nodes_and_whether_it_is_complete() -> None:
    fours, threes = (both_colours(drawing)[0][1].threats for drawing in (THREE_FOURS, next(iter(WINS.values()))))
    assert fours.vcf(0)[::2] == ([], False)
    won = fours.vcf(PLENTY)
    assert won.line and won.complete and 0 < won.nodes <= PLENTY
    assert threes.vct(PLENTY, most_effort=1)[::2] == ([], False)
    nothing = threats_of(NaiveBoard(7, 7, 5, bytes(49)), X)
    assert nothing.vct(PLENTY)[::2] == ([], True)
    assert nothing.vcf(PLENTY) == ([], 0, True)  # the result is stored
