"""Checks the replies of agent_host.py, since the agent's code runs in the same process and may forge them."""

from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from local_runner.game.faults import FORMS, UNUSABLE, Fault, FaultKind
from local_runner.game.wording import fault_text

MOST_TEXT = 50_000  # largest text or thought in characters; an honest host sends at most 20,000
Amount = Annotated[float, Meta(ge=0, lt=1e15)]  # seconds, or KiB
Count = Annotated[int, Meta(ge=0, lt=10**15)]
Text = Annotated[str, Meta(max_length=MOST_TEXT)]
Index = Annotated[int, Meta(ge=0)]


class AgentReply(Struct, frozen=True, forbid_unknown_fields=True):
    """A reply of the host script; the answer to a request has those fields that the request needs.

    `error`: the exception that the agent raised. `unusable`: why the agent cannot be played, if so. `siblings` and
    `shadowed` are explained at records.AgentReport. A call of the controller has `cell`, or else `bad_form` or `error`.
    `changed`: whether the call has changed the list that the call before returned. `names`: of variables or files.
    """

    cpu: Amount = 0.0
    peak_kb: Amount = 0.0
    rss_kb: Amount = 0.0
    rss_before_kb: Amount = 0.0
    python: Text = ""
    siblings: tuple[Text, ...] = ()
    shadowed: tuple[Text, ...] = ()
    names: Annotated[tuple[Text, ...], Meta(max_length=100)] = ()
    error: Fault | None = None
    unusable: Fault | None = None
    bad_form: Fault | None = None
    cell: tuple[Index, Index] | None = None
    wrote: bool = False
    changed: bool = False
    inner_faults: Count = 0
    inner_traceback: Text = ""
    thought: dict[str, Any] | None = None

    def __post_init__(self) -> None:
        for fault, kinds in ((self.error, {FaultKind.RAISED}), (self.unusable, UNUSABLE), (self.bad_form, FORMS)):
            if fault and not (fault.kind in kinds and fault.fields and fault_text(fault) and not fault.loading):
                raise ValueError("no fault that the host finds")
        if any(len(str(each)) > MOST_TEXT for each in (self.error, self.unusable, self.bad_form, self.thought)):
            raise ValueError("a text or a thought that is too long")


def read(body: bytes, sizes: tuple[int, int] | None = None) -> AgentReply | Fault:
    """Parse a reply; `sizes`: rows and columns of the board if it answers a call of the controller.

    Returns a fault of the agent if the body is no JSON, or no reply that the host script can have sent.
    """
    try:
        reply = msgspec.json.decode(body, type=AgentReply)
    except (msgspec.ValidationError, LookupError):  # LookupError: a fault lacks a field of its text
        return Fault(FaultKind.FORGED)
    except (msgspec.DecodeError, ValueError, RecursionError):
        return Fault(FaultKind.GARBAGE)
    if sizes and reply.cell is None and reply.bad_form is None and reply.error is None:
        return Fault(FaultKind.FORGED)
    outside = reply.cell and not all(at < n for at, n in zip(reply.cell, sizes or (0, 0), strict=True))
    return Fault(FaultKind.FORGED) if outside else reply
