"""A game, or only its first steps, played for what its calls show.

Knows how to stop `play_game` early, and nothing else.
"""
from __future__ import annotations

import contextlib
from dataclasses import dataclass

from local_runner.play import GameSetup, Players, Watcher, play_game
from local_runner.records import Call, Cell, Result


@dataclass(frozen=True)
class Sample:
    """The calls of one game, its steps after the opening, and how it ended (None where it was stopped)."""

    calls: tuple[Call, ...]
    steps: int
    result: Result | None


class _Enough(Exception):
    """As many steps as were wanted; raised through `play_game` by its watcher."""


class _Counter(Watcher):
    """Keeps the calls, and stops the game after `most` steps."""

    def __init__(self, most: int | None) -> None:
        self.most = most
        self.calls: list[Call] = []
        self.steps = 0

    def answered(self, call: Call) -> None:
        self.calls.append(call)

    def moved(self, cell: Cell | None) -> None:
        if self.calls:                      # nobody was asked for the moves of an opening
            self.steps += 1
            if self.steps == self.most:
                raise _Enough


def sample_game(setup: GameSetup, players: Players, most: int | None = None) -> Sample:
    """Play a strict game, at most `most` steps of it after the opening; raises what `play_game` raises."""
    counter = _Counter(most)
    result = None
    with contextlib.suppress(_Enough):
        result = play_game(setup, players, watcher=counter).result
    return Sample(tuple(counter.calls), counter.steps, result)
