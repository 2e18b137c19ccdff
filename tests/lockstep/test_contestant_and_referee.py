"""The upload in lockstep with the referee, which shares no code with the upload."""

import random
from typing import Any

import pytest

import submission.submission as upload
from env_adapter import answer, make
from submission.controller import Controller


@pytest.mark.parametrize("name, rules, ours, options", [
    ("tictactoe_1v1", "platform", {1}, {}), ("tictactoe_1v1", "platform", {2}, {}),
    ("gomoku_11x11_1v1", "stated", {1, 2}, {}), ("gobang_1v1", "stated", {1}, {"board_height": 7, "board_width": 9}),
    ("reversi_1v1", "platform", {1}, {"board_size": 4}), ("reversi_1v1", "platform", {2}, {"board_size": 4}),
    ("reversi_1v1", "platform", {1, 2}, {"board_size": 6}),
    *(pytest.param(name, "platform", {ours}, {}, marks=pytest.mark.slow)
      for name in ("gobang_1v1", "reversi_8x8_1v1", "reversi_1v1") for ours in (1, 2)),
    *(pytest.param("gobang_1v1", "stated", {1, 2}, {"board_height": rows, "board_width": cols}, marks=pytest.mark.slow)
      for rows, cols in ((3, 17), (15, 5))),
    *(pytest.param("reversi_1v1", "platform", {1, 2}, {"board_size": size}, marks=pytest.mark.slow)
      for size in (12, 16)),
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
                player = upload.controller.players[number]
                assert player.to_move == mover
                if isinstance(shown[0], dict):
                    assert player.snapshot.stones == bytes(stone for row in env.stones() for stone in row)
                if len(ours) == 1 or noise.random() < 0.8:  # else all games between two agents of ours would be equal
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
