"""Plays a game, or only its first steps, and keeps the calls of the agents."""
from __future__ import annotations

import contextlib
from dataclasses import dataclass

from local_runner.play import GameSetup, Players, Watcher, play_game
from local_runner.records import Call, Cell, Result


@dataclass(frozen=True)
class SampledGame:
    """The calls of one game, its steps after the opening, and its result (None if it was stopped early)."""

    calls: tuple[Call, ...]
    steps: int
    result: Result | None


class _EnoughSteps(Exception):
    """The game has had enough steps; the watcher raises it to stop `play_game`."""


class _StepCounter(Watcher):
    """Keeps the calls, and stops the game after `most` steps."""

    def __init__(self, most: int | None) -> None:
        self.most = most
        self.calls: list[Call] = []
        self.steps = 0

    def answered(self, call: Call) -> None:
        self.calls.append(call)

    def moved(self, cell: Cell | None) -> None:
        if self.calls:                      # moves of an opening come before the first call
            self.steps += 1
            if self.steps == self.most:
                raise _EnoughSteps


def sample_game(setup: GameSetup, players: Players, most: int | None = None) -> SampledGame:
    """Play a strict game, at most `most` steps after the opening; raises what `play_game` raises."""
    counter = _StepCounter(most)
    result = None
    with contextlib.suppress(_EnoughSteps):
        result = play_game(setup, players, watcher=counter).result
    return SampledGame(tuple(counter.calls), counter.steps, result)
