"""Gives the answer that its options name, on turn, off turn or both."""

from .first_free import my_controller as first_free

ANSWERS = {
    "nothing": None,
    "number": 7,
    "one_list": [[1, 0, 0]],
    "short": [[1, 0, 0], [1, 0]],
    "zeros": [[0, 0, 0], [0, 0, 0]],
    "two_ones": [[1, 1, 0], [1, 0, 0]],
    "floats": [[0.5, 0.5, 0], [1, 0, 0]],
    "text": ["100", "100"],
    "giant": [[0] * 3000000, [0] * 3],
    "function": [print, print],
    "corner": [[1, 0, 0], [1, 0, 0]],
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
