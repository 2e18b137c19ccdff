"""seed000 against the moves and tables printed in its report, and against plain minimax with the same evaluation."""

import random

import pytest

from local_runner.agents.opponents import seed000
from local_runner.agents.opponents.clock import MoveClock
from local_runner.agents.opponents.rules import ReversiRules
from tests.local_runner.agents.naive_reversi import after, drawn, legal, positions, sets

WHITE = 2  # the report's player

# White's moves in the printed game: the board, the printed move, and the move of the search that the report prints.
PRINTED = [
    ("........ ...X.... .OOX.... ...XO... ...OX... ........ ........ ........", (0, 3), (0, 3)),
    ("...O.... .X.O.... .OXO.... ...XO... ...OX... ........ ........ ........", (0, 1), (3, 2)),  # gives a corner away
    (".O.O.... .O.O.... .OXXX... ...XX... ...OX... ........ ........ ........", (2, 5), (2, 5)),
    (".O.O.... .O.O.... .OOOOO.. ...XXX.. ...OX... ........ ........ ........", (4, 2), (5, 4)),
    (".O.O.... .O.O.... .OOOOO.. ...OXX.. ..OOX... ........ ........ ........", (3, 6), (4, 5)),
    (".O.O.... .O.O.... .OOOOO.. ...OOOO. ..OOX... ........ ........ ........", (4, 5), (5, 5)),
]  # fmt: skip
LAST = "XOOOOOOO XXOOOOOO XXXOOOOO OXOXXXXX OXOOXXXX OOXXOXOX OOOXXOOX OOOOOOOX"  # the end of another printed game


def test_its_own_choices_in_the_printed_game():
    """The printed moves are legal; the search that is printed plays some others."""
    player = seed000.Player(seconds=None)
    for board, printed, chosen in PRINTED:
        assert printed in legal(drawn(board), WHITE)
        assert player.choose(drawn(board), WHITE) == chosen


QUARTER = ["500 -25 10 5", "-25 -45 1 1", "10 1 3 2", "5 1 2 1"]
TABLE = [[int(QUARTER[min(r, 7 - r)].split()[min(c, 7 - c)]) for c in range(8)] for r in range(8)]
RAYS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]


def value(stones, player, stability):
    """The evaluation, cell by cell."""
    own, other = sets(stones, player)
    total = sum(TABLE[r][c] for r, c in own) - sum(TABLE[r][c] for r, c in other)
    total += 15 * (len(legal(stones, player)) - len(legal(stones, 3 - player)))
    return total + 10 * (stable(stones, own) - stable(stones, other)) * stability


def stable(stones, discs):
    """Corners; discs connected to a corner along an edge; discs with no free cell in any direction."""

    def ray(r, c, down, right):
        while 0 <= r < 8 and 0 <= c < 8:
            yield r, c
            r, c = r + down, c + right

    corners = discs & {(0, 0), (0, 7), (7, 0), (7, 7)}
    rows = set()
    for r, c in corners:
        for down, right in ((0, 1), (0, -1), (1, 0), (-1, 0)):
            for cell in ray(r, c, down, right):
                if cell not in discs:
                    break
                rows.add(cell)
    rows -= {(0, 0), (0, 7), (7, 0), (7, 7)}
    shut = [(r, c) for r, c in discs if all(stones[i][j] for step in RAYS for i, j in ray(r, c, *step))]
    return len(corners) + len(rows) + len(shut)


@pytest.mark.parametrize("stability", [False, True])
def test_evaluation(stability):
    rules = ReversiRules(8)
    search = seed000.Seed000Search(rules, 6, stability, MoveClock(None))
    boards = [*positions(8, 30), (drawn(LAST), 1), (drawn(LAST), 2)]
    for stones, player in boards:
        position = rules.position(stones, player)
        assert search.evaluate(position.own, position.other) == value(stones, player, stability)
    if stability:
        assert len({stable(stones, sets(stones, player)[0]) for stones, player in boards}) > 5


def minimax(stones, player, depth, width):
    """The report's search without pruning: value and first best move; only the best moves with four plies to go."""
    moves = legal(stones, player)
    if not moves or not depth:
        return value(stones, player, False), None
    children = [(after(stones, player, cell), cell) for cell in moves]
    if depth >= 4:
        children = sorted(children, key=lambda child: minimax(child[0], 3 - player, 1, width)[0])[:width]
    return max(
        ((-minimax(child, 3 - player, depth - 1, width)[0], cell) for child, cell in children), key=lambda pair: pair[0]
    )


@pytest.mark.parametrize(
    ("depth", "width", "number"),
    [(1, 6, 12), (2, 6, 4), *(pytest.param(*case, marks=pytest.mark.slow) for case in ((3, 6, 2), (4, 2, 1)))],
)
def test_the_pruned_search_finds_what_minimax_finds(depth, width, number):
    rules = ReversiRules(8)
    search = seed000.Seed000Search(rules, width, False, MoveClock(None))
    for stones, player in positions(8, number, seed=depth):
        found, move = search.negamax(rules.position(stones, player), depth, -seed000.INFINITE, seed000.INFINITE)
        assert (found, rules.cell(move)) == minimax(stones, player, depth, width)


@pytest.mark.parametrize(
    ("size", "discs", "depth"), [(8, 9, 5), (8, 10, 4), (8, 48, 4), (8, 49, 6), (10, 9, 5), (10, 84, 4), (10, 85, 6)]
)
def test_how_deep(size, discs, depth):
    rules = ReversiRules(size)
    stones = [[int(r * size + c < discs) for c in range(size)] for r in range(size)]
    assert seed000.depth_for(rules, rules.position(stones, 1)) == depth


@pytest.mark.parametrize("options", [{}, {"depth": 2}, {"variant": "annealing", "seed": 1}, {"stability": True}])
def test_it_passes_only_where_it_must(options):
    player = seed000.Player(seconds=0.05, **options)
    assert player.choose(drawn("XXO. X... X... X..."), 2) is None
    assert player.choose(drawn("XXO. X... X... X..."), 1) == (0, 3)


def test_a_corner_is_taken_at_once():
    board = drawn(".XOO.... ........ ........ ...OX... ...XO... ........ ........ .XXO....")
    assert seed000.Player().choose(board, 2) == (0, 0)
    assert seed000.Player(depth=1).choose(after(drawn(PRINTED[1][0]), WHITE, (0, 1)), 1) == (0, 0)


def test_annealing_repeats_itself_and_climbs():
    """It starts at the first legal cell. A corner is kept there; from another cell it is sometimes found."""
    board = drawn(".OX..... ........ ........ ...OX... ...XO... ........ ........ ........")
    turned = [list(reversed(row)) for row in reversed(board)]

    def chosen(board):
        return [seed000.Player("annealing", seed=seed).choose(board, 1) for seed in range(40)]

    assert set(chosen(board)) == {(0, 0)}
    assert chosen(turned) == chosen(turned)
    assert {(2, 3), (7, 7)} <= set(chosen(turned)) <= set(legal(turned, 1))


@pytest.mark.parametrize(
    ("gain", "temperature", "share"), [(900, 0.1, 1), (0, 1, 1), (-1, 1, 0.37), (-2, 1, 0.14), (-1, 0.1, 0)]
)
def test_annealing_takes_worse_moves_the_rarer_the_worse_and_the_colder(gain, temperature, share):
    rng = random.Random(1)
    accepted = sum(seed000.accepts(gain, temperature, rng) for _ in range(4000)) / 4000
    assert accepted == pytest.approx(share, abs=0.03)


def test_without_time_any_legal_move_is_played():
    board = drawn(PRINTED[0][0])
    assert seed000.Player(seconds=0).choose(board, WHITE) in legal(board, WHITE)
