"""Converts records to JSON, and JSON to records. The JSON may be damaged or written by strangers."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from env_adapter.endings import Ending
from local_runner.game.faults import Fault, Reason
from local_runner.game.records import BLACK_WINS, DRAW, NOBODY, WHITE_WINS, Result, Verdict


@dataclass(frozen=True)
class ToldResult:
    """A result with its reason and its English text. winner: 1 Black, 2 White, 3 a draw, 0 nobody."""

    winner: int
    ending: Ending | None
    fault: Fault | None
    verdict: Verdict | None
    reason: Reason
    text: str

    @classmethod
    def of(cls, result: Result) -> "ToldResult":
        """Make it from a result."""
        text = str(result.text)
        return cls(result.winner, result.ending, result.fault, result.verdict, result.reason, text)


def result_from(value: object) -> Result:
    """The result that `as_json` has written, also of a `ToldResult`. Raises ValueError for anything else."""
    if not isinstance(value, Mapping) or "ending" not in value:
        raise ValueError("no result")
    return checked_result(msgspec.convert(value, Result))


def checked_result(result: Result) -> Result:
    """The result, from a file that strangers may have written. Raises ValueError if it is impossible."""
    winners = (NOBODY,) if result.unmeasured else (BLACK_WINS, WHITE_WINS)  # if no rule ended the game
    if result.verdict in (Verdict.DRAW_AFTER, Verdict.DRAW):
        winners = (DRAW,)
    if not 0 <= result.winner <= DRAW or (result.ending is None and result.winner not in winners):
        raise ValueError("nobody has lost")
    try:
        str(result.text)
    except (TypeError, LookupError) as error:
        raise ValueError(str(error)) from error
    return result


def as_json(value: Any) -> Any:
    """A record, which may be a struct, as plain dicts, lists, numbers and strings; infinite numbers become text."""
    text = json.dumps(msgspec.to_builtins(value, str_keys=True, enc_hook=str))
    return json.loads(text, parse_constant=lambda name: str(float(name)))
