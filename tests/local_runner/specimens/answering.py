"""Gives the answer that its options name, on turn, off turn or both."""

from .first_free import my_controller as first_free

ANSWERS = {
    "nothing": None,
    "short": [[1, 0, 0], [1, 0]],
    "zeros": [[0, 0, 0], [0, 0, 0]],
    "corner": [[1, 0, 0], [1, 0, 0]],
    "ones": [[1, 1, 0], b"\1\0\0"],
}
chosen = {}


def configure(answer, turn=None):
    chosen.update(answer=ANSWERS[answer], turn=turn)


def my_controller(observation, action_space, is_act_continuous=False):
    stones = sum(cell[0] != 0 for row in observation["state_map"] for cell in row)
    on_turn = stones % 2 == observation["chess_player_idx"] - 1
    if chosen["turn"] in (None, on_turn):
        return chosen["answer"]
    return first_free(observation, action_space)
