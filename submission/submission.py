"""What is uploaded: `my_controller`, called by the platform for both players at every step.

It never raises, prints or writes into the observation, and always answers two one-hot lists of plain ints.

The table below is yours to change before you upload. The first row that fits the board says which engine plays
("search", or "scorer": rules of thumb, a millisecond a move) and how many seconds a call may think, on turn and off
turn. The platform allows 1 s per call.
"""
SETTINGS = (
    # family         rows  cols  in a row  engine    on turn  off turn
    ("k_in_a_row",     15,   15,        5, "search",    0.80,     0.80),     # gobang_1v1
    ("k_in_a_row",     11,   11,        5, "search",    0.80,     0.80),     # gomoku_11x11_1v1
    ("k_in_a_row",      3,    3,        3, "search",    0.80,     0.00),     # tictactoe_1v1
    ("k_in_a_row",   None, None,        5, "search",    0.80,     0.80),     # any other board, five in a row
    ("reversi",      None, None,     None, "search",    0.80,     0.80),     # reversi_1v1: any even board
)

from typing import Any, Dict, List, Optional

from .controller import Controller, Fault

_controller = Controller(SETTINGS)


def my_controller(observation: Any, action_space: Any, is_act_continuous: bool = False) -> List[List[int]]:
    """Answer one call of the platform with [one_hot_row, one_hot_col].

    `observation`: see codec.py; `action_space`: two spaces of which only `.n` is used; `is_act_continuous` is ignored.
    """
    return _controller.answer(observation, action_space)


def configure(**options: Any) -> None:
    """Override the settings of every game. For experiments; the platform never calls it.

    Options: engine, seconds, off_turn_seconds, depth, nodes, book (False: no opening book), and every parameter of the
    engines (k_in_a_row/parameters.py, reversi/parameters.py). With `depth` or `nodes` the seconds are unlimited and the
    book is not asked, unless given as well. Raises ValueError for an unknown option or a value out of range.
    """
    _controller.configure(**options)


def last_fault() -> Optional[Fault]:
    """The exceptions caught so far; None when there were none."""
    return _controller.fault


def last_thought() -> Optional[Dict[str, Any]]:
    """What the last call thought: engine, source, depth, nodes, value, pv ([row, col] each), seconds; None before."""
    return _controller.last_thought()
