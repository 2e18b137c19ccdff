"""The submission's fast boards in lockstep with the referee's naive rules, which share no code with them."""

import random
from typing import Any

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


@pytest.mark.parametrize("name, rules, ours, options", [
    ("tictactoe_1v1", "platform", {1}, {}), ("tictactoe_1v1", "platform", {2}, {}),
    ("gomoku_11x11_1v1", "stated", {1, 2}, {}), ("gobang_1v1", "stated", {1}, {"board_height": 7, "board_width": 9}),
    ("reversi_1v1", "platform", {1}, {"board_size": 4}), ("reversi_1v1", "platform", {2}, {"board_size": 4}),
    ("reversi_1v1", "platform", {1, 2}, {"board_size": 6}),
    *(pytest.param(name, "platform", {ours}, {}, marks=pytest.mark.slow)
      for name in ("gobang_1v1", "reversi_8x8_1v1", "reversi_1v1") for ours in (1, 2)),
])  # fmt: skip
def test_the_controller_knows_whose_turn_it_is_and_beats_random(
    name: str, rules: Any, ours: set[int], options: Any, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture
) -> None:
    """Whole games: no replaced move, no fault, nothing printed, nothing written, no loss.

    Games of Reversi go on until the platform has shown a row instead of a board, after a pass.
    """
    monkeypatch.setattr(upload, "controller", Controller(upload.SETTINGS))
    upload.configure(depth=2)
    noise, rows, small = random.Random(name), 0, options.get("board_size", 8) < 8
    for game in range(20 if small else 1):
        if rows and game > 3:
            break
        env = make(name, rules=rules, seed=game, **options)
        shown = env.all_observes
        while not env.is_terminal():
            before, mover, legal = repr(shown), env.chess_player, env.legal_moves()
            spaces = [env.get_single_action_space(number) for number in (0, 1)]
            actions = [answer(noise.choice(legal or [(0, 0)]), env.board_height, env.board_width)] * 2
            for number in ours:
                wanted = upload.my_controller(shown[number - 1], spaces[number - 1], False)
                assert upload.controller.players[number].to_move == mover
                if len(ours) == 1 or noise.random() < 0.8:  # else all games of two of ours would be the same
                    actions[number - 1] = wanted
            rows += isinstance(shown[0], list)
            assert repr(shown) == before
            shown, _, _, _, info = env.step(actions)
            if mover in ours and legal:
                assert info["action"] == tuple(part.index(1) for part in actions[mover - 1])
        outcome = env.outcome()
        assert len(ours) == 2 or small or outcome.winner in ours or "full board" in outcome.reason
    assert rows or not small
    assert upload.last_fault() is None
    assert capfd.readouterr() == ("", "")


def test_codec_reads_what_the_referee_shows() -> None:
    for name in ("gobang_1v1", "gomoku_11x11_1v1", "tictactoe_1v1", "reversi_8x8_1v1", "reversi_1v1"):
        env = make(name)
        for player, shown in enumerate(env.all_observes, start=1):
            snapshot = codec.decode(shown)
            assert snapshot is not None
            assert (snapshot.player, snapshot.stones) == (player, _stones(env))
