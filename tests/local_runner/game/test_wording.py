"""Every fault, illegal move and ending in both languages."""

from pathlib import Path

from env_adapter import Ending, EndingKind, Illegality, Payment
from local_runner.game.faults import Fault, FaultKind
from local_runner.game.wording import ending_text, fault_text, illegal_text
from local_runner.language import languages
from local_runner.language.languages import shown

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
    found = [f"{one} | {other}" for one, other in zip(english, chinese, strict=True)]
    assert found == TABLE.read_text("utf-8").splitlines()
