"""The reported features of positions: threats, mobility, stable discs and heat."""

import pytest

from env_adapter.k_in_a_row import find_line
from env_adapter.reversi import legal_flips
from local_runner.analysis.opinion import move_name
from local_runner.game.session import GameSession
from local_runner.game.setup import GameSetup
from local_runner.processes.agent_side.engine_worker import stable
from local_runner.processes.engine.engine_process import Question
from tests.local_runner.agents.naive_reversi import legal, positions, sets

# ---- k in a row


@pytest.mark.parametrize(("moves", "side", "expected"), [
    ("h8a1h9a15h10", 0, ("", "h11 h7", "h12 h6", "")),
    ("h8a1h9a15h10o1h11", 0, ("h12 h7", "", "", "")),
    ("h8g7i9f6o1e5", 1, ("", "", "c3 d4", "")),
    ("h8a1i9a15", 0, ("", "", "", "f6 g7 j10 k11")),
])  # fmt: skip
def test_the_strongest_threat_of_each_cell(engine, game, moves, side, expected):
    """The patterns themselves are compared with their definitions in tests/submission/test_position.py."""
    setup, cells = game("gobang_1v1", moves)
    threats = engine.ask(Question(setup, cells, nodes=20)).features.threats[side]
    found = (threats.fives, threats.open_fours, threats.fours, threats.open_threes)
    assert tuple(" ".join(sorted(move_name(cell, 15) for cell in kind)) for kind in found) == expected


def test_the_forced_win_of_the_other_side_is_shown(engine, game):
    """White, to move, has nothing; Black would win by an open four."""
    setup, cells = game("gobang_1v1", "h8a1h9a15h10")
    black, white = engine.ask(Question(setup, cells, seconds=1.0)).features.threats
    assert black.win and not white.win
    board = [[[stone] for stone in row] for row in GameSession(setup, cells=cells).env.stones()]
    for number, cell in enumerate(black.win):
        board[cell // 15][cell % 15] = [1 + number % 2]
    assert find_line(board, 5)


def test_a_proved_win_is_counted_down(engine, game):
    setup, cells = game("gobang_1v1", "h8a1h9a15h10o1")
    left = []
    for _ in range(3):
        look = engine.ask(Question(setup, cells, nodes=2000))
        left.append(look.lines[0].plies)
        assert look.features.threats[0].win == look.lines[0].moves and len(look.lines[0].moves) == left[-1]
        if left[-1] == 1:
            break
        cells += tuple(divmod(cell, 15) for cell in look.lines[0].moves[:2])
    assert left == [3, 1]


def test_heat_is_of_free_cells_and_the_best_has_1(engine, game):
    setup, cells = game("gobang_1v1", "h8i9h9i8")
    heat = engine.ask(Question(setup, cells, nodes=20)).features.heat
    assert heat[0][1] == 1.0 and all(0 < share <= 1 for _, share in heat)
    assert not {cell for cell, _ in heat} & {row * 15 + col for row, col in cells}


# ---- Reversi


def masks(own_and_foe, size):
    return [sum(1 << row * size + col for row, col in cells) for cells in own_and_foe]


@pytest.mark.parametrize("seed", (2, 6))
def test_mobility_is_that_of_the_referee(engine, seed):
    stones = positions(8, 20, seed)[-1][0]
    rows = tuple("".join(".XO"[stone] for stone in row) for row in stones)
    look = engine.ask(Question(GameSetup("reversi_8x8_1v1", board=rows), (), nodes=50))
    assert look.features.mobility == (len(legal(stones, 1)), len(legal(stones, 2)))
    assert [list(cells) for cells in look.features.stable] == stable(*masks(sets(stones, 1), 8), 8)


def test_no_line_of_play_on_4x4_turns_a_stable_disc_over():
    """The lines are all continuations of late random positions. A side may also lose its turn."""
    checked = 0
    for stones, _player in [each for each in positions(4, 60) if sum(row.count(0) for row in each[0]) <= 6]:
        black, white = sets(stones, 1)
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
