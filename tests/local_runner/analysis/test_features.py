"""Threats, mobility, stable discs and heat, against naive code on random boards."""

import random
from dataclasses import replace
from functools import cache

import pytest

from env_adapter.reversi import legal_flips
from local_runner.game.session import GameSession
from local_runner.game.setup import GameSetup
from local_runner.processes.agent_side.features import stable
from local_runner.processes.engine.engine_process import Question

WAYS = ((0, 1), (1, 0), (1, 1), (1, -1))


# ---- k in a row


@cache
def played(env, plies, seed):
    """A game of random moves near each other that goes on after `plies`."""
    dice = random.Random(seed)
    while True:
        session = GameSession(GameSetup(env))
        size = session.env.board_width
        while session.result is None and len(session.cells) < plies:
            legal = session.env.legal_moves()
            near = [cell for cell in legal if all(size // 4 <= at < size - size // 4 for at in cell)]
            session.play(dice.choice(near or legal))
        if session.result is None:
            return session


def line_of(stones, cell, way):
    """The stones of the line through a cell, and the place of the cell in it."""
    row, col = cell
    while 0 <= row - way[0] < len(stones) and 0 <= col - way[1] < len(stones[0]):
        row, col = row - way[0], col - way[1]
    found, at = [], 0
    while 0 <= row < len(stones) and 0 <= col < len(stones[0]):
        if (row, col) == cell:
            at = len(found)
        found.append(stones[row][col])
        row, col = row + way[0], col + way[1]
    return tuple(found), at


def with_stone(line, at, player):
    return (*line[:at], player, *line[at + 1 :])


def has_row(line, player, k):
    return any(line[i : i + k] == (player,) * k for i in range(len(line) - k + 1))


def fives(line, player, k):
    """The places where one stone completes a row of k."""
    return {at for at, stone in enumerate(line) if not stone and has_row(with_stone(line, at, player), player, k)}


def open_fours(line, player, k):
    """The places where one stone makes a line with two or more places that complete a row."""
    free = [at for at, stone in enumerate(line) if not stone]
    return {at for at in free if len(fives(with_stone(line, at, player), player, k)) > 1}


@cache
def kind(line, at, player, k):
    """The strongest that a stone makes in a line: 4 five, 3 open four, 2 four, 1 open three, 0 none of these."""
    if line.count(player) < 2:  # the stones of an open three but one
        return 0
    after = with_stone(line, at, player)
    if has_row(after, player, k):
        return 4
    completing = len(fives(after, player, k))
    if completing:
        return 3 if completing > 1 else 2
    return int(bool(open_fours(after, player, k) - open_fours(line, player, k)))


def naive_threats(stones, player, k=5):
    """The cells of each kind, by the strongest of the four directions; after a five nothing else is asked."""
    found = {number: [] for number in range(5)}
    for row in range(len(stones)):
        for col in range(len(stones[0])):
            if not stones[row][col]:
                kinds = [kind(*line_of(stones, (row, col), way), player, k) for way in WAYS]
                found[max(kinds)].append(row * len(stones[0]) + col)
    if found[4]:
        return found[4], [], [], []
    return found[4], found[3], found[2], found[1]


@pytest.mark.slow
def test_threats_are_those_of_the_rules(engine):
    count = [0, 0, 0, 0]
    for env, seed in (("gobang_1v1", 8), ("gobang_1v1", 10), ("gomoku_11x11_1v1", 9)):
        session = played(env, 10 + 3 * seed, seed)
        look = engine.think(Question(session.setup, tuple(session.cells), nodes=20))
        for player, threats in enumerate(look.features.threats):
            expected = naive_threats(session.env.stones(), player + 1)
            found = (threats.fives, threats.open_fours, threats.fours, threats.open_threes)
            assert list(map(sorted, found)) == list(expected)
            count = [before + len(cells) for before, cells in zip(count, expected, strict=True)]
    assert min(count) > 0, f"a kind of threat is on none of these boards: {count}"


def test_the_forced_win_of_the_other_side_is_shown(engine, game):
    """White, to move, has nothing; Black would win by an open four."""
    setup, cells = game("gobang_1v1", "h8a1h9a15h10")
    black, white = engine.think(Question(setup, cells, seconds=1.0)).features.threats
    assert black.win and not white.win
    session = GameSession(replace(setup), cells=cells)
    stones = [list(row) for row in session.env.stones()]
    for number, cell in enumerate(black.win):
        stones[cell // 15][cell % 15] = 1 + number % 2
    last = divmod(black.win[-1], 15)
    assert any(has_row(line_of(stones, last, way)[0], 1, 5) for way in WAYS)


def test_a_proved_win_is_counted_down(engine, game):
    setup, cells = game("gobang_1v1", "h8a1h9a15h10o1")
    left = []
    for _ in range(3):
        look = engine.think(Question(setup, cells, nodes=2000))
        left.append(look.lines[0].plies)
        assert look.features.threats[0].win == look.lines[0].moves and len(look.lines[0].moves) == left[-1]
        if left[-1] == 1:
            break
        cells += tuple(divmod(cell, 15) for cell in look.lines[0].moves[:2])
    assert left == [3, 1]


def test_heat_is_of_free_cells_and_the_best_has_1(engine, game):
    setup, cells = game("gobang_1v1", "h8i9h9i8")
    heat = engine.think(Question(setup, cells, nodes=20)).features.heat
    assert heat[0][1] == 1.0 and all(0 < share <= 1 for _, share in heat)
    assert not {cell for cell, _ in heat} & {row * 15 + col for row, col in cells}


# ---- Reversi


def reversi(size, plies, seed):
    """A game of random moves, as a session; it may be over."""
    dice = random.Random(seed)
    session = GameSession(GameSetup("reversi_8x8_1v1", rules="stated", board_size=size))
    while session.result is None and len(session.cells) < plies:
        session.play(dice.choice(session.env.legal_moves()) if session.env.legal_moves() else None)
    return session


def discs(session):
    stones = session.env.stones()
    return [{(row, col) for row, line in enumerate(stones) for col, stone in enumerate(line) if stone == colour}
            for colour in (1, 2)]  # fmt: skip


def masks(own_and_foe, size):
    return [sum(1 << row * size + col for row, col in cells) for cells in own_and_foe]


@pytest.mark.parametrize("seed", (2, 6))
def test_mobility_is_that_of_the_referee(engine, seed):
    session = reversi(8, 6 + 6 * seed, seed)
    if session.result is not None:
        pytest.skip("the random game was short")
    black, white = discs(session)
    look = engine.think(Question(session.setup, tuple(session.cells), nodes=50))
    assert look.features.mobility == (len(legal_flips(black, white, 8)), len(legal_flips(white, black, 8)))
    assert [list(cells) for cells in look.features.stable] == stable(*masks((black, white), 8), 8)


def test_no_line_of_play_on_4x4_turns_a_stable_disc_over():
    """All continuations of late random positions; a side may also lose its turn."""
    checked = 0
    for seed in range(12):
        session = reversi(4, 7, seed)
        black, white = discs(session)
        safe = [{divmod(cell, 4) for cell in cells} for cells in stable(*masks((black, white), 4), 4)]
        checked += sum(map(len, safe))
        states, seen = [(frozenset(black), frozenset(white))], set()
        while states:
            state = states.pop()
            if state in seen:
                continue
            seen.add(state)
            assert safe[0] <= state[0] and safe[1] <= state[1]
            for mover in (0, 1):
                own, foe = state[mover], state[1 - mover]
                for cell, turned in legal_flips(own, foe, 4).items():
                    after = (own | {cell} | set(turned), foe - set(turned))
                    states.append(after if mover == 0 else after[::-1])
    assert checked > 5


def test_a_corner_is_stable_and_a_full_board_too():
    assert stable(1, 0, 8) == [[0], []]
    assert stable(1 << 9, 0, 8) == [[], []]
    assert stable((1 << 64) - 1 - 2, 2, 8) == [[0, *range(2, 64)], [1]]
