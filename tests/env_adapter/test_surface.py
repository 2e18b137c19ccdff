"""make() with its options, and the attributes and methods that callers use: spaces, observations, error messages."""

import copy
import json

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from env_adapter import BoardStyle, Platform, SgfGame, kinds, make, names, register
from env_adapter.endings import Ending, EndingKind, Outcome
from env_adapter.errors import ActionError, EnvError, ObservationError, OpeningError, OptionError
from tests.env_adapter.games import BLACK_FIVE, PASS_6X6, play

GAMES = [
    ("gobang_1v1", "gobang", 15, 225, 225),
    ("reversi_1v1", "reversi", 10, 100, 4),
    ("reversi_8x8_1v1", "reversi", 8, 64, 4),
    ("gomoku_11x11_1v1", "gomoku", 11, 117, 117),
    ("tictactoe_1v1", "tictactoe", 3, 9, 9),
]
EVEN = tuple(range(4, 27, 2))
KINDS = [
    ("Gobang", "k_in_a_row", BoardStyle.CROSSINGS, 4, (9, 11, 13, 15, 17, 19), Platform.JIDI, SgfGame.GOMOKU),
    ("Reversi 10x10", "reversi", BoardStyle.SQUARES, 6, EVEN, Platform.JIDI, SgfGame.OTHELLO),
    ("Reversi 8x8", "reversi", BoardStyle.SQUARES, 6, EVEN, Platform.MO, SgfGame.OTHELLO),
    ("Gomoku 11x11", "k_in_a_row", BoardStyle.CROSSINGS, 2, (), None, SgfGame.GOMOKU),
    ("Tic-tac-toe", "k_in_a_row", BoardStyle.MARKS, 1, (), None, SgfGame.GOMOKU),
]


def test_kinds() -> None:
    assert names() == [row[0] for row in GAMES]
    assert [
        (kind.title, kind.family, kind.style, kind.opening_plies, kind.sizes, kind.platform, kind.sgf)
        for kind in kinds()
    ] == KINDS
    assert [kind.board for kind in kinds()] == [(row[2], row[2]) for row in GAMES]
    with pytest.raises(OptionError, match="a game is called 'gobang_1v1' already"):
        register(kinds()[0])
    for value, name in ((kinds()[0], "title"), (Ending(EndingKind.LINE), "line"), (Outcome(0), "winner")):
        with pytest.raises(AttributeError):
            setattr(value, name, "")


@pytest.mark.parametrize("rules", ["platform", "stated"])
@pytest.mark.parametrize(("name", "game_name", "size", "max_step", "n_legal"), GAMES)
def test_a_new_game(name: str, game_name: str, size: int, max_step: int, n_legal: int, rules: str) -> None:
    env = make(name, rules, seed=7)
    expected = {
        "game_name": game_name, "n_player": 2, "board_width": size, "board_height": size, "max_step": max_step,
        "step_cnt": 1, "chess_player": 1, "agent_nums": [1, 1], "obs_type": ["grid", "grid"], "cell_range": (3,),
        "is_obs_continuous": False, "is_act_continuous": False, "cell_dim": 1, "cell_size": 3, "init_info": None,
        "n_return": [0, 0], "won": {}, "seed": 7, "input_dimension": size * size, "action_dim": size * size,
    }  # fmt: skip
    assert {key: getattr(env, key) for key in expected} == expected
    assert len(env.legal_moves()) == n_legal
    assert (env.is_terminal(), env.check_win(), env.outcome()) == (False, 0, Outcome(0))
    assert [seen["chess_player_idx"] for seen in env.reset()] == [1, 2]
    assert env.reset() is env.all_observes


@pytest.mark.parametrize("name", names())
def test_what_agents_see_is_plain(name: str) -> None:
    """Observations hold plain ints, as on the platform, and a log of a step is valid JSON."""
    env = make(name)
    step = env.step(env.encode(*env.legal_moves()[0]))
    assert [env.is_not_valid_grid_observation(env.current_state, player) for player in (0, 1)] == [0, 0]
    seen = step.all_observes[0]
    cells = seen[1] | seen[2] if 1 in seen else [tuple(cell) for row in seen["state_map"] for cell in row]
    assert {type(value) for cell in cells for value in cell} == {int}
    json.dumps([step.reward, step.done, step.info_before, step.info_after, env.n_return, env.won])


def test_action_spaces() -> None:
    env, again = (make("gobang_1v1", board_height=4, board_width=6, seed=1) for _ in range(2))
    rows, cols = env.get_single_action_space(1)
    assert (rows.n, cols.n, type(rows).__name__, [0] * rows.n) == (4, 6, "Discrete", [0, 0, 0, 0])
    assert env.get_action_dim() == 24 and env.init_action_space() == [[[0] * 4, [0] * 6]] * 2
    black, white, same = (
        [space.sample() for space in game.get_single_action_space(player) for _ in range(20)]
        for game, player in ((env, 0), (env, 1), (again, 0))
    )
    assert black == same and black[:20] != white[:20] and black[20:] != white[20:]


def test_shapes_of_observations() -> None:
    """Width before height, players from 0, as in the platform's GridGame."""
    env = make("gobang_1v1", board_height=4, board_width=6)
    assert (env.ob_board_height, env.ob_board_width, env.ob_cell_range) == ([4, 4], [6, 6], [(3,), (3,)])
    assert (env.ob_vector_shape, env.ob_vector_range) == ([24, 24], [(3,), (3,)])
    assert env.get_grid_obs_config(1) == (6, 4, (3,))
    assert env.get_grid_many_obs_space(range(2)) == {0: (6, 4, 1), 1: (6, 4, 1)}
    assert env.get_vector_obs_config(0) == (24, (3,))
    assert env.get_vector_many_obs_space([1]) == {1: 24}
    assert env.get_grid_many_observation(env.current_state, [0, 1]) == [env.current_state, env.current_state]


EMPTY_ROW = [[0], [0], [0]]
BAD_BOARDS = [
    ([EMPTY_ROW] * 2, "a board must be 3 rows of 3 cells, each a list of 1"),
    ([[[0, 0]] * 3] * 3, "3 rows of 3 cells"),
    ([EMPTY_ROW, EMPTY_ROW, []], "3 rows of 3 cells"),
    (None, "3 rows of 3 cells"),
    ([EMPTY_ROW] * 4, "3 rows of 3 cells"),
    ([[[0]] * 4] * 3, "3 rows of 3 cells"),
    ([EMPTY_ROW, [[0], [-1], [0]], EMPTY_ROW], r"the cell \(1, 1\) holds \[-1\]"),
    ([EMPTY_ROW, [[0], [3], [0]], EMPTY_ROW], r"the cell \(1, 1\) holds \[3\]; accepted: 0 to 2"),
    ([EMPTY_ROW, EMPTY_ROW, [["X"], [0], [0]]], r"the cell \(2, 0\) holds \['X'\]"),
]


@pytest.mark.parametrize(("board", "sentence"), BAD_BOARDS)
def test_bad_grid_observations(board: object, sentence: str) -> None:
    with pytest.raises(ObservationError, match=sentence):
        make("tictactoe_1v1").is_not_valid_grid_observation(board, 0)


@pytest.mark.parametrize("name", names())
def test_copies_play_on_alone_and_a_board_is_drawn(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    env = make(name, seed=1)
    twin = copy.deepcopy(env)
    env.step(env.encode(*env.legal_moves()[0]))
    assert twin.step_cnt == 1 and twin.stones() != env.stones()
    env.draw_board()
    assert capsys.readouterr().out == env.text() + "\n" and env.text().endswith("\nWhite (O) to move")


junk = st.recursive(
    st.none() | st.integers(-1, 2) | st.floats() | st.text(max_size=3) | st.just(np.eye(3, dtype=int)[1]),
    lambda inner: st.lists(inner, max_size=4) | st.tuples(inner, inner) | st.dictionaries(st.integers(0, 2), inner),
    max_leaves=20,
)
lists_of_three = st.lists(st.integers(-1, 2) | st.floats() | st.none(), min_size=3, max_size=3)


@settings(max_examples=50)
@example(([0, 1, np.eye(3)], [0, 1, 0]))
@given(junk | st.tuples(lists_of_three, lists_of_three))
def test_junk_is_an_error_that_changes_nothing(answered: object) -> None:
    env = make("tictactoe_1v1", "stated", opening=[(1, 1), (0, 0)])
    before = env.text()
    try:
        env.step([answered, answered])
    except EnvError as error:
        assert isinstance(error, ActionError) and len(str(error)) > 20 and env.text() == before
    else:
        assert env.step_cnt == 2 and sum(map(sum, env.stones())) == 4


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
    ("gobang_1v1", {"board": ["..", ".."]}, "no setting 'board'"),
    ("reversi_1v1", {"board": 3}, "board must be rows"),
    ("reversi_1v1", {"board": ["....", "..X"]}, "rows of equal length"),
    ("reversi_1v1", {"board": ["....", "..#."]}, "rows of equal length"),
    ("reversi_1v1", {"board": ["....", ".OX."]}, "not 2x4"),
]
BAD_OPENINGS = [
    ("gobang_1v1", {"opening": [(7, 7), (7, 7)]}, r"move 2 of the opening, \(7, 7\), is illegal for White; accept"),
    ("gobang_1v1", {"opening": [(15, 0)]}, r"move 1 .*\(15, 0\)"),
    ("gobang_1v1", {"opening": [(-1, 0)]}, r"move 1 .*\(-1, 0\)"),
    ("gobang_1v1", {"opening": BLACK_FIVE}, r"ends the game; leave out its last move, \(7, 7\)"),
    ("gobang_1v1", {"opening": [*BLACK_FIVE, (14, 14)]}, r"move 10 .*\(14, 14\).*none, the game is over"),
    ("gomoku_11x11_1v1", {"opening": [(5, 5)]}, r"move 5 .*\(5, 5\)"),  # the game's own four stones come first
    ("reversi_8x8_1v1", {"opening": [(0, 0)]}, r"move 1 .* Black; accepted: \(2, 3\), \(3, 2\), \(4, 5\), \(5, 4\)"),
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
    assert (stuck.chess_player, stuck.legal_moves(), stuck.legal_position) == (1, [], {})  # Black must pass
    played = make("reversi_1v1", board_size=6)
    play(played, PASS_6X6)
    reply = played.legal_moves()[0]
    play(played, [reply])
    opened = make("reversi_1v1", board_size=6, opening=[*moves, reply])
    assert (opened.stones(), opened.chess_player) == (played.stones(), played.chess_player)
