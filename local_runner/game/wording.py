"""The texts of faults, endings and illegal moves. Texts name cells by coordinates such as d8.

`error_text` and `reason_text` translate their texts. The other texts are Messages, which stay English until `shown`
translates them. The enums' members hold the templates; `workshop.page.messages` adds the templates to the catalogue.
"""

import re
from collections.abc import Iterable, Mapping

from env_adapter import Game, OptionError
from env_adapter.endings import WITH_DISCS, Ending, EndingKind, Illegality, Payment
from local_runner.game import coordinates
from local_runner.game.advice import Hint
from local_runner.game.faults import UNUSABLE, Fault, FaultKind, FieldValue, Reason
from local_runner.language.languages import Listing, Message, _, shown

COLOURS = ("Black", "White")  # the names of the players 0 and 1 in games without other names
LEAST_SHARE = 0.5  # if an agent got a smaller share of a core, its times are not reliable
NAMED_CELLS = 5  # most legal cells that the text about an illegal move names


def templates() -> Iterable[str]:
    """All templates of the enums, for the catalogue of translations."""
    for kinds in (EndingKind, Illegality, FaultKind, Hint):
        yield from (kind.template for kind in kinds)
    yield from (reason.value for reason in Reason)
    yield from (WITH_DISCS, Payment.LAST_MOVER.template, Payment.NOBODY.template)


def ending_text(ending: Ending) -> str:
    """The text of an ending by the rules."""
    return ending.text(Message, coordinates.name)


def fault_text(fault: Fault) -> Message:
    """The text of a fault, which continues a sentence that begins with "Black" or "it".

    For a file that cannot be played (UNUSABLE), the text is a whole sentence unless `fault.loading` is set. Raises
    ValueError, TypeError or LookupError if the fault lacks a field of its text or a field has a wrong type.
    """
    fields = dict(fault.fields)
    if fault.kind is FaultKind.ILLEGAL:
        fields["why"] = illegal_text(fields)
    if long := re.fullmatch(r"a (\w+) of (\d+)", str(fields.get("answer", ""))):  # from answers.py
        fields["answer"] = Message("a {type} of {number}", type=long[1], number=long[2])
    text = Message(fault.kind.template, **fields)
    if not fault.loading or fault.reason is Reason.MACHINE:  # a whole sentence about the machine
        return text
    if fault.kind in UNUSABLE:
        return Message("could not be loaded: {sentence}", sentence=text)
    return Message("could not be loaded: it {sentence}", sentence=text)


def busy_text(share: float) -> Message | None:
    """A warning about a busy machine; None for a share of at least LEAST_SHARE. `share`: AgentReport.core_share."""
    sentence = Message("warning: agents got {share:.0%} of a core: the machine was too busy to measure times")
    return Message(sentence, share=share) if share < LEAST_SHARE else None


def player_text(player: int, sentence: str) -> Message:
    """A sentence about a player. `player`: 0 Black, 1 White; `sentence`: the words after the player's colour."""
    template = Message("White {sentence}") if player else Message("Black {sentence}")
    return Message(template, sentence=sentence)


def colour(player: int) -> str:
    """The name of a colour, 0 Black or 1 White, in the current language."""
    return (_("Black"), _("White"))[player]


def named(player: int, name: str) -> str:
    """A player's name. A name that is only the colour, as in files of moves, is translated."""
    return colour(player) if name == COLOURS[player] else name


def why_not(env: Game, cell: object, *, legal: bool = True) -> Message | None:
    """The reason why the player to move may not play a cell; None if the move is legal.

    `legal`: whether the text names legal cells.
    """
    why = env.why_illegal(cell)
    if why is None:
        return None
    if why is Illegality.MUST_PASS:
        mover = (Message("Black"), Message("White"))[env.chess_player - 1]
        return Message("{colour} has no legal move and must pass", colour=mover)
    return illegal_text(illegal_move(env, cell, why), legal=legal)


def illegal_move(env: Game, cell: object, why: Illegality) -> Mapping[str, FieldValue]:
    """The fields of the text about an illegal move of the player to move."""
    legal = [coordinates.name(each) for each in env.legal_moves()]
    return {
        "cell": coordinates.written(cell),
        "why": why.value,
        "cells": ", ".join(legal[:NAMED_CELLS]),
        "more": max(0, len(legal) - NAMED_CELLS),
        "height": env.board_height,
        "width": env.board_width,
        "rule": env.illegal_free,
    }


def illegal_text(fields: Mapping[str, FieldValue], *, legal: bool = True) -> Message:
    """The text about an illegal move with these fields. `legal`: whether the text names legal cells."""
    why, cells, more = Illegality(str(fields["why"])), fields["cells"], fields["more"]
    text = Message(why.template, **{**fields, "rule": Message(str(fields["rule"]))})
    if why in (Illegality.NO_CELL, Illegality.OFF_BOARD) or not (cells and legal):
        return text
    some: Message = Listing(str(cells).split(", "))
    if more:
        some = Message("{cells} and {more} more", cells=some, more=more)
    return Message("{why}; legal: {cells}", why=text, cells=some)


def error_text(error: Exception) -> str:
    """The text of an error. An OptionError, which is about a setting, is translated into the current language."""
    if isinstance(error, OptionError):
        return shown(Message(error.template, **error.fields))
    return str(error)


def reason_text(reason: Reason) -> str:
    """The text of a reason in the current language."""
    return shown(Message("timeout") if reason is Reason.TIME else Message(reason.value))
