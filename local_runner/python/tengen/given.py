"""Turns arguments of the public functions into the values of the runner. Every mistake is a TengenError."""

import os
import sys
from collections.abc import Iterable, Sequence
from enum import Enum
from numbers import Integral, Real
from typing import Literal, TypeVar

from env_adapter import RULES
from local_runner.agents.declared_games import seconds_for
from local_runner.agents.spec import AgentSpec
from local_runner.errors import RunnerError
from local_runner.formats.source import checked_setup
from local_runner.game.setup import GameSetup
from local_runner.language.languages import _
from local_runner.language.suggestions import unknown
from local_runner.matches.plan import Terms
from local_runner.processes.child import AgentLimits
from local_runner.processes.engine.levels import parse_player
from local_runner.processes.interpreters import located
from local_runner.processes.sandbox import SandboxMode

Named = TypeVar("Named", bound=Enum)
MOST = 2**31 - 1  # greatest count of games, rounds, nodes and so on
LEAST_SECONDS = 0.001
Path = str | os.PathLike[str]
Rules = Literal["platform", "stated"]
Sandbox = Literal["auto", "on", "off"]


def setup_of(
    game: str, rules: str = "platform", seed: int = 0, board_size: int | None = None, board: Sequence[str] | None = None
) -> GameSetup:
    """The setup of a game. `board`: rows such as `"..XO"`, for Reversi."""
    if rules not in RULES:
        raise RunnerError(unknown(_("rules"), str(rules), RULES))
    return checked_setup(GameSetup(game, rules, seed, board_size=board_size, board=tuple(board) if board else None))


def member(kind: type[Named], what: str, name: str) -> Named:
    """The member of an enum with this value. `what`: the kind of thing that has these values, translated."""
    named = {each.value: each for each in kind}
    if name not in named:
        raise RunnerError(unknown(what, str(name), named))
    return named[name]


def sandbox_of(name: str) -> SandboxMode:
    """The sandbox mode with this name."""
    return member(SandboxMode, _("sandbox mode"), name)


def check_seconds(seconds: float | None) -> None:
    """Raise RunnerError unless `seconds` is None or a number of at least `LEAST_SECONDS`."""
    check_number(LEAST_SECONDS, seconds=seconds)


def check_number(least: float, **given: object) -> None:
    """Raise RunnerError for a value that is not a number of at least `least`; None is allowed."""
    for name, value in given.items():
        if value is not None and not (isinstance(value, Real) and float(value) >= least):
            sentence = _("{option} must be a number of at least {least}, not {given}")
            raise RunnerError(sentence.format(option=name, least=least, given=repr(value)))


def check_counts(most: int = MOST, **given: object) -> None:
    """Raise RunnerError for a value that is not a whole number from 1 to `most`; None is allowed."""
    for name, value in given.items():
        if value is not None and not (isinstance(value, Integral) and 1 <= int(value) <= most):
            sentence = _("{option} must be a whole number from {least} to {most}, not {given}")
            raise RunnerError(sentence.format(option=name, least=1, most=most, given=repr(value)))


def agents_of(agents: Iterable[Path]) -> tuple[AgentSpec, ...]:
    """The agents with these names or paths; "level1" to "level5" are the levels of our engine."""
    return tuple(parse_player(os.fspath(agent)) for agent in agents)


def terms_of(
    setup: GameSetup, agents: Iterable[AgentSpec], *, seconds: float | None, memory: float, limits: bool, sandbox: str,
    ponder: bool, strict: bool, python: Path | None,
) -> Terms:  # fmt: skip
    """The terms of all games of a match or a tournament."""
    check_seconds(seconds)
    check_number(1, memory=memory)
    allowed = AgentLimits(
        seconds or seconds_for(agents), memory_mb=memory, enforced=limits, sandbox=sandbox_of(sandbox), ponder=ponder
    )
    return Terms(setup, allowed, strict=strict, python=located(os.fspath(python)) if python else sys.executable)
