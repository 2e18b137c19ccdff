"""Many boards at once play as the referee does."""

import numpy as np
import pytest
from tengen.rl.boards import Boards

from env_adapter import STATED, OptionError, make

GAMES = [
    ("tictactoe_1v1", {}),
    ("gomoku_11x11_1v1", {}),
    ("gobang_1v1", {"board_width": 4, "board_height": 7, "in_a_row": 3}),
    ("gobang_1v1", {"board_width": 1, "board_height": 7, "in_a_row": 3}),
    ("gobang_1v1", {"board_size": 5, "in_a_row": 5, "max_step": 11}),
    ("reversi_8x8_1v1", {}),
    ("reversi_8x8_1v1", {"board_size": 4}),
    ("reversi_8x8_1v1", {"board_size": 6, "max_step": 9}),
    ("reversi_1v1", {"board": ["XXXO", "XOX.", "XXX.", "O..."]}),
]


MANY = [(*each, 20) for each in (*GAMES, ("gobang_1v1", {}), ("reversi_1v1", {}))]


@pytest.mark.parametrize(
    ("game", "overrides", "number"),
    [*((*each, 4) for each in GAMES), *(pytest.param(*each, marks=pytest.mark.slow) for each in MANY)],
)
def test_random_games_are_the_referees(game: str, overrides: dict, number: int) -> None:
    random = np.random.default_rng(number)
    boards = Boards(game, number, **overrides)
    referees = [make(game, STATED, **overrides) for _ in range(number)]
    for _round in range(2):  # the second time after a reset in the middle of the games of others
        while not boards.over.all():
            actions = np.full(number, boards.actions - 1)
            for at, referee in enumerate(referees):
                legal = [row * boards.cols + col for row, col in referee.legal_moves()]
                if not legal and not referee.is_over():
                    legal = [boards.rows * boards.cols]
                assert np.flatnonzero(boards.legal()[at]).tolist() == legal
                assert boards.mover[at] == referee.chess_player or referee.is_over()
                if legal:
                    actions[at] = random.choice(legal)
                    passes = actions[at] == boards.rows * boards.cols
                    referee.play(None if passes else divmod(int(actions[at]), boards.cols))
            boards.play(actions)
            for at, referee in enumerate(referees):
                assert boards.stones()[at].tolist() == referee.stones()
                assert (boards.over[at], boards.winner[at]) == (referee.is_over(), referee.outcome().winner)
        again = np.arange(number) % 2 == 0
        boards.reset(again)
        for at in np.flatnonzero(again):
            referees[at] = make(game, STATED, **overrides)


def test_planes_are_of_the_side_to_move() -> None:
    boards = Boards("tictactoe_1v1", 2)
    boards.play([0, 4])
    assert boards.planes()[:, :, 0, 0].tolist() == [[0, 1], [0, 0]]
    assert boards.planes()[:, :, 1, 1].tolist() == [[0, 0], [0, 1]]
    assert boards.planes().shape == (2, 2, 3, 3)


@pytest.mark.parametrize(("actions", "sentence"), [
    ([0, 9], "action 9 is illegal in game 1"), ([-1, 0], "action -1 is illegal in game 0"),
    ([0.0, 1.0], "must be 2 whole numbers"), ([0], "must be 2 whole numbers"),
])  # fmt: skip
def test_illegal_actions_play_nothing(actions: list, sentence: str) -> None:
    boards = Boards("tictactoe_1v1", 2)
    with pytest.raises(ValueError, match=sentence):
        boards.play(actions)
    assert not boards.stones().any()


def test_no_boards_are_refused() -> None:
    with pytest.raises(OptionError, match="at least 1"):
        Boards("gobang_1v1", 0)


def test_copies_play_every_move_of_every_game() -> None:
    boards = Boards("reversi_8x8_1v1", 3)
    boards.play([19, 19, 26])
    games, actions = np.nonzero(boards.legal())
    after = boards.copies(games)
    after.play(actions)
    for game, action, stones in zip(games, actions, after.stones(), strict=True):
        referee = make("reversi_8x8_1v1", STATED)
        for each in (26 if game == 2 else 19, int(action)):
            referee.play(divmod(each, 8))
        assert stones.tolist() == referee.stones()
    assert boards.plies.tolist() == [1, 1, 1] and set(after.plies) == {2}
