"""The submission's fast boards in lockstep with the referee's naive rules, which share no code with them."""

import random

import pytest

import submission.submission as upload
from env_adapter import Game, answer, make
from submission import codec
from submission.controller import Controller
from submission.k_in_a_row.patterns import CLASSES
from submission.k_in_a_row.position import KInARowPosition
from submission.lines import BLACK, cells_of
from submission.reversi.position import ReversiPosition

K_IN_A_ROW_GAMES = {"gobang_1v1": 5, "gomoku_11x11_1v1": 5, "tictactoe_1v1": 3}
REVERSI_GAMES = {
    "reversi_1v1": {},
    "reversi_8x8_1v1": {},
    "reversi_1v1 4x4": {"board_size": 4},
    "reversi_1v1 12x12": {"board_size": 12},
}


def _stones(env: Game) -> bytes:
    return bytes(stone for row in env.stones() for stone in row)


@pytest.mark.parametrize("name", K_IN_A_ROW_GAMES)
def test_k_in_a_row(name: str) -> None:
    """The cells that complete five are exactly those after which the referee sees a winner."""
    noise = random.Random(name)
    wins = 0
    for _ in range(4):
        env = make(name, rules="stated")
        position = KInARowPosition(env.board_height, env.board_width, K_IN_A_ROW_GAMES[name])
        position.set_up(_stones(env), env.chess_player - 1)
        value_at_start = position.value
        while not env.is_terminal():
            shape = position.geometry
            mover = env.chess_player - 1
            anywhere = 0
            for total in position.totals:
                anywhere |= total
            fives = set(cells_of(anywhere >> mover * CLASSES * shape.cells & shape.all))
            near = cells_of(position.near() & ~position.occupied) or [shape.cells // 2]
            cell = noise.choice(near)
            env.step([answer(divmod(cell, shape.cols), env.board_height, env.board_width)] * 2)
            position.play(cell)
            assert (cell in fives) == (env.outcome().winner in (1, 2))
            wins += cell in fives
        for _ in range(len(position.history)):
            position.undo()
        assert position.value == value_at_start
    assert wins > 1


@pytest.mark.parametrize("name", REVERSI_GAMES)
def test_reversi(name: str) -> None:
    """Legal cells, discs, passes and the result in random games."""
    noise = random.Random(name)
    passes = 0
    for number in range(14 if "12" not in name else 1):
        if number >= 4 and passes:
            break
        env = make(name.split()[0], rules="stated", **REVERSI_GAMES[name])
        n = env.board_width
        position = ReversiPosition.from_stones(_stones(env), n, BLACK)
        while not env.is_terminal():
            assert position.outcome() is None or not env.legal_moves()
            legal = [divmod(cell, n) for cell in cells_of(position.legal_cells(position.side))]
            assert legal == env.legal_moves()
            assert position.side == env.chess_player - 1
            cell = noise.choice(legal) if legal else (0, 0)
            env.step([answer(cell, n, n)] * 2)
            position.play(cell[0] * n + cell[1] if legal else -1)
            passes += not legal
            black, _ = position.discs
            assert cells_of(black) == [cell for cell, stone in enumerate(_stones(env)) if stone == 1]
        outcome = position.outcome()
        assert outcome is not None
        mover_wins = {0: 3}.get(outcome, position.side + 1 if outcome > 0 else 2 - position.side)
        assert mover_wins == env.outcome().winner
    assert passes > 0 or "12" in name


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "rules", "ours"),
    [
        ("gobang_1v1", "platform", 1),
        ("gomoku_11x11_1v1", "stated", 2),
        ("tictactoe_1v1", "platform", 2),
        ("reversi_8x8_1v1", "platform", 2),
        ("reversi_1v1", "stated", 1),
    ],
)
def test_controller_never_errs_and_beats_random(
    name: str, rules: str, ours: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whole games against random moves: no replaced move, no fault, no loss."""
    monkeypatch.setattr(upload, "controller", Controller(upload.SETTINGS))
    upload.configure(depth=2)
    noise = random.Random(name)
    env = make(name, rules=rules, seed=0)
    shown = env.all_observes
    while not env.is_terminal():
        legal = env.legal_moves()
        wanted = upload.my_controller(shown[ours - 1], env.get_single_action_space(ours - 1), False)
        by_chance = answer(noise.choice(legal or [(0, 0)]), env.board_height, env.board_width)
        mover = env.chess_player
        shown, _, _, _, info = env.step([wanted, by_chance] if ours == 1 else [by_chance, wanted])
        if mover == ours and legal:
            assert info["action"] == (wanted[0].index(1), wanted[1].index(1))
    outcome = env.outcome()
    assert outcome.winner == ours or (name == "tictactoe_1v1" and "full board" in outcome.reason)
    assert upload.last_fault() is None


def test_codec_reads_what_the_referee_shows() -> None:
    for name in ("gobang_1v1", "gomoku_11x11_1v1", "tictactoe_1v1", "reversi_8x8_1v1", "reversi_1v1"):
        env = make(name)
        for player, shown in enumerate(env.all_observes, start=1):
            snapshot = codec.decode(shown)
            assert snapshot is not None
            assert (snapshot.player, snapshot.stones) == (player, _stones(env))
