"""The arguments of make(): board sizes, openings, numbers of players and moves, and the error messages."""

import numpy as np
import pytest

from env_adapter import Ending, EndingKind, OpeningError, OptionError, Outcome, make
from tests.env_adapter.games import BLACK_FIVE, PASS_6X6, play

OVERRIDES = [
    ("gobang_1v1", {"board_size": 19}, (19, 19, 361)),
    ("gobang_1v1", {"board_height": 4, "board_width": 6}, (4, 6, 24)),
    ("gobang_1v1", {"board_size": 9, "max_step": 7}, (9, 9, 7)),
    ("gobang_1v1", {"opening": [(7, 7), (6, 6)]}, (15, 15, 223)),
    ("gomoku_11x11_1v1", {"board_size": 13}, (13, 13, 165)),
    ("reversi_1v1", {"board_size": 26}, (26, 26, 676)),
    ("reversi_8x8_1v1", {"board_width": 4, "board_height": 4, "max_step": 3}, (4, 4, 3)),
    ("tictactoe_1v1", {"board_size": 4, "in_a_row": 4}, (4, 4, 16)),
    ("reversi_1v1", {"board": ["XO..", "OX..", "....", "...."]}, (4, 4, 16)),
    ("reversi_1v1", {"max_step": 7}, (10, 10, 7)),
    ("gomoku_11x11_1v1", {"board_height": 13}, (13, 11, 139)),
]


@pytest.mark.parametrize(("name", "overrides", "expected"), OVERRIDES)
def test_overrides(name: str, overrides: dict[str, object], expected: tuple[int, int, int]) -> None:
    env = make(name, **overrides)
    assert (env.board_height, env.board_width, env.max_step) == expected


def test_in_a_row_override_decides() -> None:
    env = make("gobang_1v1", in_a_row=3)
    assert [step.done for step in play(env, BLACK_FIVE[:5])] == [False] * 4 + [True]
    assert env.outcome() == Outcome(1, Ending(EndingKind.LINE, ((7, 3), (7, 4), (7, 5))))


def test_whole_numbers_of_numpy_are_taken_and_made_plain() -> None:
    three, thirteen = np.int64(3), np.uint8(13)
    env = make("gobang_1v1", seed=three, board_size=thirteen, max_step=thirteen, opening=[np.array([three, three])])
    taken = (env.seed, env.board_width, env.board_height, env.max_step, *env.setup.opening[0])
    assert taken == (3, 13, 13, 13, 3, 3)
    assert {type(number) for number in taken} == {int}


BAD_OPTIONS = [
    ("chess", {}, "'chess'.*gobang_1v1, reversi_1v1"),
    ("gobang_1v1", {"size": 9}, "'size'; accepted: board_height, board_size"),
    ("reversi_1v1", {"in_a_row": 4}, "'in_a_row'; accepted"),
    ("gobang_1v1", {"board_size": 0}, "board_size must be a whole number of at least 1, not 0"),
    ("gobang_1v1", {"board_size": 27}, "board_size must be at most 26, not 27"),
    ("gobang_1v1", {"board_width": 10**6, "board_height": 9}, "board_width must be at most 26, not 1000000"),
    ("reversi_1v1", {"board_size": 28}, "at most 26, not 28"),
    ("gobang_1v1", {"board_size": True}, "board_size .* not True"),
    ("gobang_1v1", {"board_size": 9, "board_width": 9}, "not both"),
    ("gobang_1v1", {"board_size": 4}, "5 in a row do not fit on a board of 4x4"),
    ("gobang_1v1", {"max_step": "many"}, "max_step"),
    ("gobang_1v1", {"seed": -1}, "seed must be .* not -1"),
    (["gobang_1v1"], {}, "no game is called .*; choose one of: gobang_1v1"),
    ("gobang_1v1", {"rules": None}, "no rules are called None; choose one of: platform, stated, or a set of Quirk"),
    ("gobang_1v1", {"rules": ["stated"]}, "no rules are called .*'stated'.*platform, stated, or a set of Quirk"),
    ("reversi_1v1", {"board_size": 7}, "even side from 4 to 26, not 7x7"),
    ("reversi_1v1", {"board_width": 8}, "not 10x8"),
    ("gobang_1v1", {"opening": [(7, "h")]}, "list of \\(row, col\\) moves"),
    ("gobang_1v1", {"opening": [(7, True)]}, "list of \\(row, col\\) moves"),
    ("reversi_1v1", {"board": ["....", ".OX."], "board_size": 4}, "board determines the size"),
    ("reversi_1v1", {"board": ["....", "..X"]}, "rows of equal length"),
    ("reversi_1v1", {"board": ["....", "..#."]}, "rows of equal length"),
    ("reversi_1v1", {"board": ["....", ".OX."]}, "not 2x4"),
]
BAD_OPENINGS = [
    (
        "gobang_1v1",
        {"opening": [(7, 7), (7, 7)]},
        r"move 2 of the opening, \(7, 7\), is illegal for White; accept",
    ),
    ("gobang_1v1", {"opening": [(15, 0)]}, r"move 1 .*\(15, 0\)"),
    ("gobang_1v1", {"opening": [(-1, 0)]}, r"move 1 .*\(-1, 0\)"),
    ("gobang_1v1", {"opening": BLACK_FIVE}, r"ends the game; leave out its last move, \(7, 7\)"),
    ("gobang_1v1", {"opening": [*BLACK_FIVE, (14, 14)]}, r"move 10 .*\(14, 14\).*none, the game is over"),
    ("gomoku_11x11_1v1", {"opening": [(5, 5)]}, r"move 5 .*\(5, 5\)"),  # the game's own four stones come first
    (
        "reversi_8x8_1v1",
        {"opening": [(0, 0)]},
        r"move 1 .* Black; accepted: \(2, 3\), \(3, 2\), \(4, 5\), \(5, 4\)",
    ),
]


ERRORS = [*((OptionError, *row) for row in BAD_OPTIONS), *((OpeningError, *row) for row in BAD_OPENINGS)]


@pytest.mark.parametrize(("error", "name", "overrides", "sentence"), ERRORS)
def test_bad_options(error: type, name: str, overrides: dict[str, object], sentence: str) -> None:
    with pytest.raises(OptionError, match=sentence) as wrong:
        make(name, **overrides)
    assert type(wrong.value) is error


def test_opening_is_played_at_every_reset() -> None:
    env = make("gobang_1v1", opening=((7, 7), (6, 6), (8, 8)))
    start = env.stones()
    assert (env.chess_player, env.step_cnt, start[7][7], start[6][6], start[8][8]) == (2, 1, 1, 2, 1)
    play(env, [(0, 0)])
    env.reset()
    assert (env.stones(), env.chess_player, env.step_cnt) == (start, 2, 1)


def test_opening_of_reversi_skips_a_forced_pass() -> None:
    moves = [move for move in PASS_6X6 if move]
    stuck = make("reversi_1v1", board_size=6, opening=moves)
    assert (stuck.chess_player, stuck.legal_moves(), stuck.legal_position) == (1, [], {})  # the pass is a step
    played = make("reversi_1v1", board_size=6)
    play(played, PASS_6X6)
    reply = played.legal_moves()[0]
    play(played, [reply])
    opened = make("reversi_1v1", board_size=6, opening=[*moves, reply])
    assert (opened.stones(), opened.chess_player) == (played.stones(), played.chess_player)
