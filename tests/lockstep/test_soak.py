"""Games with random settings and sizes, in one module as on the site: a few slow ones, a hundred long ones."""

import random
from typing import Any

import pytest

import submission.submission as upload
from env_adapter import answer, make
from submission.controller import Controller

SIZES: dict[str, Any] = {
    "gobang_1v1": lambda noise: {"board_height": noise.randint(3, 15), "board_width": noise.randint(5, 17)},
    "reversi_1v1": lambda noise: {"board_size": noise.choice((4, 6, 12, 16))},
}
NAMES = ["gobang_1v1", "gomoku_11x11_1v1", "tictactoe_1v1", "reversi_8x8_1v1", "reversi_1v1"]


@pytest.mark.parametrize(
    ("seed", "games"),
    [
        pytest.param(4, 4, marks=pytest.mark.slow),
        *(pytest.param(seed, 25, marks=pytest.mark.long) for seed in range(4)),
    ],
)
def test_every_answer_is_legal_and_no_fault_is_hidden(seed: int, games: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The upload plays both sides. Sometimes a random move replaces the upload's move."""
    monkeypatch.setattr(upload, "controller", Controller(upload.SETTINGS))
    noise = random.Random(seed)
    for _ in range(games):
        name, rules, chance = noise.choice(NAMES), noise.choice(("platform", "stated")), noise.choice((0, 0.1, 0.5))
        overrides = SIZES[name](noise) if name in SIZES and noise.random() < 0.5 else {}
        if overrides.get("board_height") != overrides.get("board_width"):
            rules = "stated"  # the platform confuses rows and columns on such boards, so no answer is legal
        upload.configure(nodes=noise.choice((200, 1000, 3000)))
        env = make(name, rules=rules, seed=noise.getrandbits(32), **overrides)
        shown = env.all_observes
        while not env.is_terminal():
            actions = [upload.my_controller(shown[i], env.get_single_action_space(i), False) for i in range(2)]
            assert upload.last_fault() is None
            legal = env.legal_moves()
            mover = env.chess_player - 1
            if legal:
                assert (actions[mover][0].index(1), actions[mover][1].index(1)) in legal
                if noise.random() < chance:
                    actions[mover] = answer(noise.choice(legal), env.board_height, env.board_width)
            shown, *_ = env.step(actions)
