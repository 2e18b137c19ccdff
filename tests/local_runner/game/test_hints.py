"""The hint for a fault: whether the answer's form or the agent's reading of its observation caused the fault."""

import pytest

from env_adapter import make
from local_runner.game.faults import Fault, FaultKind
from local_runner.game.hints import Hint, with_hint

ONE_ROW = [[0]] * 8  # what the site shows after a pass
FORMS = [  # kind of fault, hint of the form, hint after a pass
    (FaultKind.ROW_TYPE, Hint.ARRAY, Hint.ARRAY),
    (FaultKind.NO_PAIR, Hint.CELL, Hint.CELL),
    (FaultKind.NO_PAIR, Hint.GENERATOR, Hint.GENERATOR),
    (FaultKind.NO_PAIR, Hint.NESTED, Hint.NESTED),
    (FaultKind.ROW_VALUES, Hint.TEXTS, Hint.TEXTS),
    (FaultKind.ROW_VALUES, Hint.ZEROS, Hint.AFTER_PASS),
    (FaultKind.ROW_LENGTH, Hint.LENGTH, Hint.AFTER_PASS),
    (FaultKind.NO_PAIR, Hint.NONE, Hint.AFTER_PASS),
    (FaultKind.NO_PAIR, None, Hint.AFTER_PASS),
]


@pytest.mark.parametrize(("kind", "form", "after_pass"), FORMS)
def test_a_pass_explains_only_what_an_agent_makes_of_a_list(kind, form, after_pass):
    fields = {"answer": "this", "n": 8, **({"hint": form.value} if form else {})}
    env = make("reversi_8x8_1v1")
    assert with_hint(Fault(kind, fields), env, ONE_ROW, turn=True).fields["hint"] == after_pass.value
    shown = with_hint(Fault(kind, fields), env, env.all_observes[0], turn=True).fields
    assert shown.get("hint") == (form.value if form else None)


@pytest.mark.parametrize(("cell", "hint"), [((1, 2), Hint.SWAPPED), ((0, 1), Hint.AFTER_PASS)])
def test_after_a_pass_a_swapped_cell_is_still_told_from_a_board_that_was_not_remembered(cell, hint):
    env = make("reversi_8x8_1v1")
    for move in ((2, 3), (2, 2)):
        env.play(move)
    fault = Fault(FaultKind.ILLEGAL, {"row": cell[0], "col": cell[1]})
    assert with_hint(fault, env, ONE_ROW, turn=True).fields["hint"] == hint.value
