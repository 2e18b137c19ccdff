"""The file to upload: the platform calls `my_controller` for both players at every step.

`my_controller` raises no Exception, prints nothing, and does not change the observation. `my_controller` always returns
two one-hot lists of plain ints.

You may edit the table below before you upload. The agent uses the first row that fits the board. A row has the engine
and the thinking time of a call in seconds. "On turn" means that this player is to move, "off turn" that the opponent
is. The platform allows 1 s per call. The engines are "search", "native" (the same, compiled, in a file that was made by
`tengen bundle --native`), and "scorer" (pattern rules without search, 1 ms a move).
"""

SETTINGS = (
    # family         rows  cols  in a row  engine    on turn  off turn
    ("k_in_a_row", 15, 15, 5, "search", 0.80, 0.80),  # gobang_1v1
    ("k_in_a_row", 11, 11, 5, "search", 0.80, 0.80),  # gomoku_11x11_1v1
    ("k_in_a_row", 3, 3, 3, "search", 0.80, 0.00),  # tictactoe_1v1
    ("k_in_a_row", None, None, 5, "search", 0.80, 0.80),  # any other board, five in a row
    ("reversi", None, None, None, "search", 0.80, 0.80),  # reversi_1v1: any even board
)

from typing import Any, Dict, List, Optional

from .controller import Controller, InnerFault

controller = Controller(SETTINGS)


def my_controller(observation: Any, action_space: Any, is_act_continuous: bool = False) -> List[List[int]]:
    """Answer one call of the platform with [one_hot_row, one_hot_col].

    `observation`: see codec.py; `action_space`: two objects, `.n` is a list's length; `is_act_continuous`: ignored.
    """
    return controller.answer(observation, action_space)


def configure(**options: Any) -> None:
    """Override the settings of every game. For experiments; the platform never calls this function.

    Options: engine, seconds, off_turn_seconds, depth, nodes, book (False: no opening book), and every parameter of the
    engines (k_in_a_row/parameters.py, reversi/parameters.py). `depth` or `nodes` removes limits in seconds and turns
    the book off, unless these options are given too. Raises ValueError for an unknown option or a value out of range.
    """
    controller.configure(**options)


def last_fault() -> Optional[InnerFault]:
    """The number of exceptions caught so far and the last traceback; None if there were none."""
    return controller.fault


def last_thought() -> Optional[Dict[str, Any]]:
    """The last call's engine, source, depth, nodes, value, pv (list of [row, col]) and seconds; None before a call.

    `not_native`: why the Python engine played, if the compiled one was asked for and does not work here.
    """
    return controller.last_thought()
