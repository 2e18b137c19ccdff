"""The games of a file: a list of headings, and each game when it is asked for."""

import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from local_runner.errors import RunnerError
from local_runner.formats.saved_game import GameTree, SavedGame
from local_runner.formats.source import MOST_GAMES
from local_runner.formats.unchecked import UncheckedGame, checked
from local_runner.language.languages import Message, _

MOST_LOADED = 30  # games of a file that are loaded for a list; each takes up to 0.03 s
Entry = TypeVar("Entry")


@dataclass(frozen=True)
class Heading:
    """The entry of one game in a list of games. `plies` includes the opening; `env` is the name of the game."""

    names: tuple[str, str]
    winner: int
    ending: str
    plies: int
    env: str


class GameFile(Sequence[Heading]):
    """The headings of the games in a file, in the file's order; `game` loads one of the games.

    A heading is made when it is first asked for.

    kind: the name of the format
    entries: the part of the file for each game, such as its lines; those after the first `MOST_GAMES` are ignored
    unchecked, heading, tree: make the game, its heading and its tree from an entry. Without `heading`, the heading is
        that of the unchecked game; without `tree`, the format has no variations
    problem: a sentence (Message) about an error in the file as a whole, "" if there is none; the `damage` of a single
        game is known only once the game is loaded
    path: the file of a tournament, which exists at least as long as this object; None for other formats
    note: a sentence (Message) about how the file was read, for example in a guessed encoding; "" if there is none
    """

    def __init__(
        self, kind: str, entries: Sequence[Entry], unchecked: Callable[[Entry], UncheckedGame],
        heading: Callable[[Entry], Heading] | None = None, *, problem: str = "", path: Path | None = None,
        tree: Callable[[Entry], GameTree] | None = None,
    ) -> None:  # fmt: skip
        too_many = Message("only the first {most:,} games are read", most=MOST_GAMES)
        self.kind, self.path, self.note = kind, path, ""
        self.problem = problem or (too_many if len(entries) > MOST_GAMES else "")
        self._numbers = range(min(len(entries), MOST_GAMES))
        make = heading or (lambda entry: _heading(unchecked(entry)))
        self._heading: Callable[[int], Heading] = functools.cache(lambda number: make(entries[number]))
        self._load = functools.lru_cache(maxsize=8)(lambda number: checked(unchecked(entries[number])))
        self._tree = None if tree is None else lambda number: tree(entries[number])

    def game(self, number: int) -> SavedGame:
        """The game with this number, counted from 0. Raises RunnerError if it does not exist or cannot be read."""
        if number not in self._numbers:
            sentence = _("there is no game {number}; the file has {games}")
            raise RunnerError(sentence.format(number=number + 1, games=len(self)))
        return self._load(number)

    def tree(self, number: int) -> GameTree | None:
        """The game with this number and its variations; None for a format without variations.

        Raises RunnerError as `game` does.
        """
        if self._tree is None or number not in self._numbers:
            self.game(number)
            return None
        return self._tree(number)

    def listed(self, most: int | None = None) -> list[Heading]:
        """The first `most` headings for a list; None: all.

        Of up to `MOST_LOADED` games, the headings are those of the games themselves. A game may have more plies than
        its heading, because files leave out passes, or less, because it is damaged.
        """
        make = self._of_game if len(self) <= MOST_LOADED else self._heading
        return list(map(make, self._numbers[:most]))

    def _of_game(self, number: int) -> Heading:
        try:
            game = self._load(number)
        except RunnerError:
            return self._heading(number)
        return replace(self._heading(number), winner=game.winner, ending=game.ending, plies=len(game.cells))

    def games(self) -> Iterator[SavedGame]:
        """Load all games, one after another."""
        return map(self.game, self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)

    def __getitem__(self, number: Any) -> Any:
        if isinstance(number, slice):
            return [self[each] for each in self._numbers[number]]
        return self._heading(self._numbers[number])


def _heading(game: UncheckedGame) -> Heading:
    return Heading(game.names, game.winner, game.ending, len(game.turns), game.setup.env)
