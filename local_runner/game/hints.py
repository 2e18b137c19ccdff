"""Hints: the mistake behind a fault, as far as the position or the form of the answer shows it.

The session adds the hint of the position, the agent's process that of the answer's form (`answers.py`). A hint is
the field `hint` of its fault, so that files keep it. `advice.py` makes the sentence.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from enum import Enum
from typing import Any

from env_adapter import Game
from local_runner.game.faults import FORMS, Fault, FaultKind, FieldValue

# Exceptions that depend on the data of the call. For others, such as a NameError, it does not matter whose turn it was.
OF_THE_DATA = re.compile(
    r"(?:Index|Value|Assertion|Type|ZeroDivision|Key|UnboundLocal|Attribute)Error\b|StopIteration\b"
)


class Hint(Enum):
    """The mistake behind a fault; a member is written as (value, template of the advice)."""

    def __new__(cls, value: str, template: str) -> "Hint":
        member = object.__new__(cls)
        member._value_ = value
        member.template = template
        return member

    template: str

    # The position and the observation.
    AFTER_PASS = (
        "after a pass",
        "This observation was a list, although it is your turn: after a pass the site sends one row; remember the last "
        "board.",
    )
    AFTER_PASS_OFF_TURN = (
        "after a pass, off turn",
        "This observation was a list: after a pass the site sends one row of the board, also to the side that is not "
        "to move; remember the last board.",
    )
    MUST_PASS = (
        "must pass",
        "There was no legal move, but the site asks all the same: answer any cell in the usual form, such as (0, 0); "
        "it counts as the pass.",
    )
    OFF_TURN = (
        "off turn",
        "It was the opponent's turn: the site calls both players at every step. Answer two lists of the right lengths "
        "then, too.",
    )
    RAISED_OFF_TURN = (
        "raised off turn",
        "It was the opponent's turn: the site calls both players at every step, and an exception ends the whole run; "
        "mend what the traceback shows.",
    )
    SWAPPED = (
        "swapped",
        "The mirrored cell is legal: are row and column swapped? The first list is the row, the second the column.",
    )
    COLOURS = (
        "colours",
        "The move is legal for the opponent: are the colours mixed up? chess_player_idx is your own colour, 1 Black or "
        "2 White; the number of stones does not tell it.",
    )
    KEPT = (
        "kept",
        "In a new process the same calls are answered well: the fault comes from what {names} kept, from a game before "
        "or from the other colour. Keep it for each chess_player_idx, and clear it when the board has fewer stones.",
    )

    # The form of an answer.
    NONE = (
        "none",
        "None was returned: end every path of my_controller with `return`, also when it is not your turn.",
    )
    GENERATOR = "generator", "my_controller has a `yield`, which makes it a generator: write `return`."
    COROUTINE = "coroutine", "my_controller is declared by `async def`: write `def`, without `await`."
    TEXT = "text", "A text is no answer: return two lists of numbers, not their text."
    NUMBER = "number", "One number is no answer: if it counts the cells row by row, row, col = divmod(number, columns)."
    CELL = (
        "cell",
        "That is the cell itself: return [[int(i == row) for i in range(rows)], [int(i == col) for i in "
        "range(columns)]].",
    )
    FLAT = "flat", "That is one list: return the row's list and the column's list, [row_list, column_list]."
    BOARD = (
        "board",
        "That is a list over all cells: return one list for the row and one for the column; row, col = divmod(index, "
        "columns).",
    )
    NESTED = "nested", "The lists are nested once too deep: return [row_list, column_list] itself."
    ARRAY = "array", "The site reads only plain lists: return [row.tolist(), column.tolist()]."
    LENGTH = (
        "length",
        "Take the lengths from action_space[0].n (rows) and action_space[1].n (columns), not from a fixed number.",
    )
    SWAPPED_LENGTHS = "swapped lengths", "The two lists are swapped: the first is the row, the second the column."
    TEXTS = "texts", "The entries are texts: write the numbers 0 and 1 without quotation marks."
    ZEROS = "zeros", "There is no 1 in the list: put a 1 at the index of the cell."
    ONES = "ones", "There is more than one 1 in the list: begin each answer with new lists of zeros."
    OTHER_NUMBERS = (
        "other numbers",
        "Put a 1 at the index of the cell and 0 elsewhere; of probabilities, take the index of the largest.",
    )


# Forms of an answer that an agent makes of an observation that it does not understand. Other forms are mistakes anyway.
OF_THE_OBSERVATION = (None, Hint.NONE, Hint.LENGTH, Hint.ZEROS)


def hint_of(fields: Mapping[str, FieldValue]) -> Hint | None:
    """The hint in the fields of a fault, which may come from a file or an agent's process; None if there is none."""
    named = next((hint for hint in Hint if hint.value == fields.get("hint")), None)
    return None if named is Hint.KEPT and "names" not in fields else named


def with_hint(fault: Fault, env: Game, observation: Any, *, turn: bool) -> Fault:
    """The fault with the hint that the position gives, if it gives one.

    `observation`: what the agent was shown. `turn`: whether the agent was to move.
    """
    hint = _of_position(fault, env, observation, turn=turn)
    return fault if hint is None else replace(fault, fields={**fault.fields, "hint": hint.value})


def _of_position(fault: Fault, env: Game, observation: Any, *, turn: bool) -> Hint | None:
    raised = fault.kind in (FaultKind.RAISED, FaultKind.CAUGHT) and OF_THE_DATA.match(str(fault.fields["error"]))
    if not (raised or fault.kind in FORMS or fault.kind is FaultKind.ILLEGAL):
        return None
    of_form = hint_of(fault.fields)
    of_cell = None
    if fault.kind is FaultKind.ILLEGAL:
        row, col = int(fault.fields["row"]), int(fault.fields["col"])
        of_cell = Hint.COLOURS if env.is_playable_for_opponent((row, col)) else None
        if row != col and env.why_illegal((col, row)) is None:
            of_cell = Hint.SWAPPED
    if isinstance(observation, list) and of_form in OF_THE_OBSERVATION and of_cell is not Hint.SWAPPED:
        return Hint.AFTER_PASS if turn else Hint.AFTER_PASS_OFF_TURN
    if fault.kind is FaultKind.ILLEGAL:
        return of_cell
    if of_form is not None:
        return None
    if not turn:
        return Hint.RAISED_OFF_TURN if raised else Hint.OFF_TURN
    return Hint.MUST_PASS if env.has_pass and not env.can_move() else None
