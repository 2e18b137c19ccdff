"""Checks the replies of agent_host.py, since the agent's code runs in the same process and may forge them."""

from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta, Struct

from local_runner.game.faults import FORMS, UNUSABLE, Fault, FaultKind
from local_runner.game.wording import fault_text

MOST_TEXT = 50_000  # largest text or thought in characters; an honest host sends at most 20,000
Amount = Annotated[float, Meta(ge=0, lt=1e15)]  # seconds, or KiB
Count = Annotated[int, Meta(ge=0, lt=10**15)]
Text = Annotated[str, Meta(max_length=MOST_TEXT)]
Index = Annotated[int, Meta(ge=0)]


class Said(Struct, frozen=True, forbid_unknown_fields=True):
    """A fault as the host sends it: the kind and the fields of its text."""

    kind: FaultKind
    fields: Annotated[dict[str, Text | int], Meta(min_length=1)]

    def __post_init__(self) -> None:
        try:
            fault_text(self.fault)
        except LookupError as error:
            raise ValueError("a field of the text is missing") from error

    @property
    def fault(self) -> Fault:
        """The same fault as an object of game/faults.py."""
        return Fault(self.kind, self.fields)


class Raised(Struct, frozen=True, forbid_unknown_fields=True):
    """An exception: the last line of its traceback, and the whole traceback."""

    raised: Text
    traceback: Text


class Measured(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The fields that all replies have; `siblings` and `shadowed` are explained at records.AgentReport."""

    cpu: Amount = 0.0
    rss_kb: Amount = 0.0
    peak_kb: Amount = 0.0
    siblings: tuple[Text, ...] = ()
    shadowed: tuple[Text, ...] = ()
    error: Raised | None = None


class LoadReply(Measured, frozen=True, kw_only=True):
    """The reply to the request to load the agent; `unusable`: why the agent cannot be played, if so."""

    python: Text
    rss_before_kb: Amount = 0.0
    unusable: Said | None = None

    def __post_init__(self) -> None:
        if self.unusable is not None and self.unusable.kind not in UNUSABLE:
            raise ValueError("no reason of an unusable file")


class ActReply(Measured, frozen=True, kw_only=True):
    """The reply to a call of the controller: `cell`, or else `bad_form` or `error`.

    `changed`: whether the call has changed the list that the call before returned.
    """

    cell: tuple[Index, Index] | None = None
    bad_form: Said | None = None
    wrote: bool = False
    changed: bool = False
    inner_faults: Count = 0
    inner_traceback: Text = ""
    thought: dict[str, Any] | None = None

    def __post_init__(self) -> None:
        if self.cell is None and self.bad_form is None and self.error is None:
            raise ValueError("neither a cell nor a fault")
        if self.bad_form is not None and self.bad_form.kind not in FORMS:
            raise ValueError("no fault of an answer's form")
        if len(str(self.thought)) > MOST_TEXT:
            raise ValueError("a thought that is too long")


class KeptReply(Measured, frozen=True, kw_only=True):
    """The reply to the question which of the agent's variables have changed since the import."""

    names: Annotated[tuple[Text, ...], Meta(max_length=100)] = ()


R = TypeVar("R", Measured, LoadReply, ActReply, KeptReply)


def read(body: bytes, kind: type[R], sizes: tuple[int, int] = (0, 0)) -> R | Fault:
    """Parse a reply of this kind; `sizes`: rows and columns of the board.

    Returns a fault of the agent if the body is not JSON, or not a reply that the host script could have sent.
    """
    try:
        reply = msgspec.json.decode(body, type=kind)
    except msgspec.ValidationError:
        return Fault(FaultKind.FORGED)
    except (msgspec.DecodeError, ValueError, RecursionError):
        return Fault(FaultKind.GARBAGE)
    if isinstance(reply, ActReply) and reply.cell and not all(at < n for at, n in zip(reply.cell, sizes, strict=True)):
        return Fault(FaultKind.FORGED)
    return reply
