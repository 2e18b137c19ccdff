"""The advice on faults that a table of beginners' files cannot show: limits, broken processes, and old files."""

import pytest

from local_runner.game.advice import BY_REASON, advice, place_of
from local_runner.game.faults import Fault, FaultKind, Reason
from local_runner.game.hints import Hint

TRACEBACK = (
    "Traceback (most recent call last):\n"
    '  File "/home/me/五子棋/my agent.py", line 12, in my_controller\n    go()\n'
    '  File "/home/me/五子棋/my agent.py/search.py", line 3, in go\n    sorted(3)\n'
    '  File "/usr/lib/python3.7/random.py", line 9, in choice\n    raise\n'
    "IndexError: Cannot choose from an empty sequence"
)


def raised(error, traceback=""):
    return Fault(FaultKind.RAISED, {"error": error}, traceback)


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        (Fault(FaultKind.NO_ANSWER, {"seconds": 1.5, "limit": 1.0}), "think less, or stop by the clock"),
        (Fault(FaultKind.NO_MEMORY, {"error": "MemoryError"}), "The site allows 500 MB"),
        (Fault(FaultKind.EXITED, {"code": 0}), "take os._exit() out"),
        (Fault(FaultKind.KILLED, {"number": 11, "name": "Segmentation fault"}), "a recursion that is too deep"),
        (raised("ModuleNotFoundError: No module named 'torch'"), "The site has torch, but this Python has not"),
        (raised("ModuleNotFoundError: No module named 'torchvision'"), "There is no module torchvision"),
        (raised("FileNotFoundError: [Errno 2] No such file"), "The current folder of the site is another"),
        (raised("OSError: [Errno 27] File too large"), "at most 64 MB of output, and as much in each file"),
        (raised("IndexError: x", TRACEBACK), "search.py, line 3: A list was empty"),
        (raised("TypeError: 'type' object is not subscriptable"), "The site runs Python 3.7, which lacks this"),
        (raised("AttributeError: 'str' object has no attribute 'removesuffix'"), "The site runs Python 3.7"),
        (Fault(FaultKind.RAISED, {"error": "KeyError: 7", "hint": "no hint of ours"}), "mend what the traceback shows"),
        (Fault(FaultKind.RAISED, {"error": "KeyError: 7", "hint": "kept"}), "mend what the traceback shows"),
    ],
)
def test_advice(fault, sentence):
    assert sentence in advice(fault)


def test_the_advice_goes_before_the_hint_only_about_what_the_site_gives():
    hint = {"hint": Hint.RAISED_OFF_TURN.value}
    assert "input()" in advice(Fault(FaultKind.RAISED, {"error": "EOFError", **hint}))
    assert "opponent's turn" in advice(Fault(FaultKind.RAISED, {"error": "IndexError", **hint}))
    hint = {"hint": Hint.AFTER_PASS.value}
    assert "remember the last board" in advice(Fault(FaultKind.RAISED, {"error": "KeyError: 'state_map'", **hint}))


@pytest.mark.parametrize(
    ("traceback", "place"),
    [("", ""), (TRACEBACK, "search.py, line 3"), ('  File "C:\\a\\b.py", line 4, in f\n', "b.py, line 4"),
     ('  File "<frozen os>", line 4, in f\n', "")],
)  # fmt: skip
def test_the_place_is_the_last_one_in_the_agents_own_code(traceback, place):
    assert place_of(traceback) == place


def test_every_reason_of_a_fault_has_advice():
    assert set(BY_REASON) == set(Reason) - {Reason.RULES, Reason.RESIGNATION}
