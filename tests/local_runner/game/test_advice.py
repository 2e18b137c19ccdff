"""The texts of faults, illegal moves and endings in both languages, and advice on faults that no beginner's file has
(upload/test_beginners.py tests those): limits, broken processes, faults in files of older versions.
"""

from pathlib import Path

import pytest

from env_adapter import Ending, EndingKind, Illegality, Payment, make
from local_runner.game.advice import BY_REASON, OWN_THERE, Hint, advice, place_of, with_hint
from local_runner.game.faults import Fault, FaultKind, Reason
from local_runner.game.wording import ending_text, fault_text, illegal_text, reason_text
from local_runner.language import languages
from local_runner.language.languages import shown
from local_runner.processes.agent_side.answers import judge
from local_runner.processes.agent_side.loading import PLATFORM_NAMES

FIELDS = {
    "row": 7, "col": 15, "why": "off the board", "cell": "p8", "cells": "a1, b1", "more": 7, "height": 15, "width": 15,
    "rule": "turns no disc over", "answer": "[1]", "n": 15, "error": "an error", "code": 3, "number": 9,
    "name": "SIGKILL", "seconds": 1.5, "limit": 1.0, "clock": 1.6, "used": 300.0, "size": 10.0, "path": "a.py",
    "line": 3, "options": "depth=x", "option": "depth",
}  # fmt: skip
LINE = ((7, 3), (7, 5))
TABLE = Path(__file__).with_name("wording.txt")  # a text in English | the same in Chinese


def texts():
    yield from (fault_text(Fault(kind, FIELDS)) for kind in FaultKind)
    yield from (illegal_text({**FIELDS, "why": why.value}) for why in Illegality)
    yield from (ending_text(Ending(kind, LINE, (9, 1))) for kind in EndingKind)
    yield from (ending_text(Ending(EndingKind.STEP_LIMIT, paid=paid)) for paid in Payment)


def test_every_text():
    english = list(map(str, texts()))
    with languages.speaking(languages.CHINESE):
        chinese = list(map(shown, texts()))
        assert reason_text(Reason.TIME) == "超时"
    found = [f"{one} | {other}" for one, other in zip(english, chinese, strict=True)]
    assert found == TABLE.read_text("utf-8").splitlines()


# ---- advice

TRACEBACK = (
    "Traceback (most recent call last):\n"
    '  File "/home/me/五子棋/my agent.py", line 12, in my_controller\n    go()\n'
    '  File "/home/me/五子棋/my agent.py/search.py", line 3, in go\n    sorted(3)\n'
    '  File "/usr/lib/python3.7/random.py", line 9, in choice\n    raise\n'
    "IndexError: Cannot choose from an empty sequence"
)


def raised(error, traceback="", **hint):
    return Fault(FaultKind.RAISED, {"error": error, **hint}, traceback)


@pytest.mark.parametrize(("fault", "sentence"), [
    (Fault(FaultKind.NO_ANSWER, {"seconds": 1.5, "limit": 1.0}), "look for a `while` whose condition stays true"),
    (Fault(FaultKind.NO_ANSWER, {"seconds": 30.5, "limit": 30.0}, loading=True), "Code outside functions runs at the"),
    (Fault(FaultKind.NO_MEMORY, {"error": "MemoryError"}), "The site allows 500 MB"),
    (Fault(FaultKind.EXITED, {"code": 0}), "take os._exit() out"),
    (Fault(FaultKind.KILLED, {"number": 11, "name": "Segmentation fault"}), "a recursion that is too deep"),
    (raised("ModuleNotFoundError: No module named 'torch'"), "The site has torch, but this Python has not"),
    (raised("ModuleNotFoundError: No module named 'torch_mine'"), "The site has no torch_mine: it has the standard"),
    (raised("ModuleNotFoundError: No module named 'zoneinfo'"), "The site's Python 3.7 has no module zoneinfo"),
    (raised("FileNotFoundError: [Errno 2] No such file"), "The current folder of the site is another"),
    (raised("OSError: [Errno 27] File too large"), "at most 64 MB of output, and as much in each file"),
    (raised("IndexError: x", TRACEBACK), "search.py, line 3: A list was empty"),
    (raised("TypeError: 'type' object is not subscriptable"), "The site runs Python 3.7, which lacks this"),
    (raised("AttributeError: 'str' object has no attribute 'removesuffix'"), "The site runs Python 3.7"),
    (raised("KeyError: 7", hint="no hint of ours"), "mend what the traceback shows"),
    (raised("x" * 500 + "EOFError"), "mend what the traceback shows"),  # patterns look at the beginning only
    (raised("KeyError: 7", hint="kept"), "mend what the traceback shows"),
    (raised("IndexError", hint="raised off turn"), "opponent's turn"),
    (raised("EOFError", hint="raised off turn"), "input()"),  # BY_CONTRACT comes before the hint
    (raised("KeyError: 'state_map'", hint="after a pass"), "remember the last board"),
])  # fmt: skip
def test_advice(fault, sentence):
    assert sentence in advice(fault)


@pytest.mark.parametrize(("traceback", "place"), [
    ("", ""), (TRACEBACK, "search.py, line 3"), ('  File "C:\\a\\b.py", line 4, in f\n', "b.py, line 4"),
    ('  File "<frozen os>", line 4, in f\n', ""),
])  # fmt: skip
def test_the_place_is_the_last_one_in_the_agents_own_code(traceback, place):
    assert place_of(traceback) == place


def test_every_reason_of_a_fault_has_advice():
    assert OWN_THERE == PLATFORM_NAMES
    assert set(BY_REASON) == set(Reason) - {Reason.RULES, Reason.RESIGNATION, Reason.ADJUDICATION, Reason.UNKNOWN}


# ---- hints: whether the answer's form or the agent's reading of its observation caused the fault

ONE_ROW = [[0]] * 8  # the site's observation after a pass


@pytest.mark.parametrize(("kind", "form", "after_pass"), [
    *((FaultKind.NO_PAIR, form, form) for form in (Hint.CELL, Hint.GENERATOR, Hint.NESTED)),
    (FaultKind.ROW_TYPE, Hint.ARRAY, Hint.ARRAY), (FaultKind.ROW_VALUES, Hint.TEXTS, Hint.TEXTS),
    (FaultKind.ROW_VALUES, Hint.ZEROS, Hint.AFTER_PASS), (FaultKind.ROW_LENGTH, Hint.LENGTH, Hint.AFTER_PASS),
    (FaultKind.NO_PAIR, Hint.NONE, Hint.AFTER_PASS), (FaultKind.NO_PAIR, None, Hint.AFTER_PASS),
])  # fmt: skip
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


ONE = [0, 1, 0]


@pytest.mark.parametrize(("answer", "hint"), [
    (None, "none"), ("[1]", "text"), (4, "number"), (4.0, "number"), (b"1", "text"), ([1, 2], "cell"),
    ([[1], [2]], "cell"), ([1, 0, 0, 0, 1], "flat"),
    ([0] * 6, "board"), ([[0] * 3] * 2 * 2, ""), ([[0] * 3] * 3, ""), ([[[1, 0], ONE]], "nested"),
    ([[[1, 0]], [ONE]], "nested"), ([ONE, [1, 0]], "swapped lengths"), ([[1, 0, 0], ONE], "length"),
    (["10", "0"], "text"), ([[0, 0], ONE], "zeros"), ([[1, 1], ONE], "ones"), ([["1", 0], ONE], "texts"),
    ([[0.5, 0.5], ONE], "other numbers"), ([[1, None], ONE], ""), ([[0, 1], None], "none"),
])  # fmt: skip
def test_the_hint_of_an_answers_form_on_a_board_of_two_rows_and_three_columns(answer, hint):
    assert judge(answer, 2, 3)["bad_form"]["fields"].get("hint", "") == hint
    assert judge([[0, 1], [1, 0, 0]], 2, 3) == {"cell": [1, 0]}
