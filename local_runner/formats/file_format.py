"""The description of a file format (`FileFormat`), and the games of a file that was read (`GameFile`).

Each module of files/ defines a `FileFormat` called `FORMAT`. The format gets its name and its functions from the
module (files/__init__.py). A `GameFile` is a list of headings; it loads a game only when the game is needed.
"""

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from env_adapter import GameKind, SgfGame
from local_runner.errors import RunnerError
from local_runner.formats.saved_game import GameTree, Part, SavedGame, UncheckedGame, checked
from local_runner.formats.source import MOST_GAMES, Entry, Source
from local_runner.game.setup import is_mnk
from local_runner.language.languages import Message, _

MOST_LOADED = 30  # a file with more games is listed without loading them; to load a game takes up to 0.03 s


@dataclass(frozen=True)
class Heading:
    """What a list of games shows of one game: players, result, number of plies and so on."""

    names: tuple[str, str]
    winner: int
    ending: str
    plies: int  # the opening included
    env: str  # the name of the game


class GameFile(Sequence[Heading]):
    """The headings of the games in a file, in the file's order; `game` loads one of the games.

    A heading is made when it is first read. `lines`: the number of lines that are not blank; 0 for a binary file.
    """

    def __init__(
        self,
        kind: str,  # the name of the format
        entries: Sequence[Entry],  # for each game its text in the file; those after `MOST_GAMES` are ignored
        unchecked: Callable[[Entry], UncheckedGame],
        heading: Callable[[Entry], Heading] | None = None,  # makes a game's heading; None: from the unchecked game
        *,
        problem: str = "",  # a sentence (Message) about an error in the file as a whole; games have `damage`
        note: str = "",  # a sentence (Message) about how the file was read, as in a guessed encoding
        path: Path | None = None,  # a tournament's file, which exists as long as this object; None for other files
        tree: Callable[[Entry], GameTree] | None = None,  # None: the format has no variations
    ) -> None:
        too_many = Message("only the first {most:,} games are read", most=MOST_GAMES)
        self.kind, self.path, self.note, self.lines = kind, path, note, 0
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

        Up to `MOST_LOADED` games are loaded for their headings. If there are more, a game may have more plies than its
        heading says, because files leave out passes, or fewer, because it is damaged.
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
        return self._heading(self._numbers[number])


def _heading(game: UncheckedGame) -> Heading:
    return Heading(game.names, game.winner, game.ending, len(game.turns), game.setup.env)


@dataclass(frozen=True)
class FileFormat:
    """A format of files with games, which tengen reads, writes or both."""

    about: Message  # the format in a few words for the user
    holds: Message  # the parts of a game that a file keeps, for the table of formats in commands.md
    ending: str = ""  # the ending of written files, without the dot; "" if tengen does not write the format
    media: str = "text/plain; charset=utf-8"  # media type (MIME) of written files
    fits: Callable[[bytes], bool] | None = None  # whether the first bytes of a file look like this format
    read: Callable[[Source], GameFile] | None = None
    read_path: Callable[[Path], GameFile] | None = None  # in place of `read`, without loading the whole file
    write: Callable[[SavedGame], str | bytes] | None = None  # a game as text; several texts make one file
    join: Callable[[Sequence[SavedGame]], str | bytes] | None = None  # several games as one file, in place of `write`
    single: bool = False  # whether a file can hold only one game
    # The further files that belong beside the one that `join` makes: ending of the name -> content.
    beside: Callable[[Sequence[SavedGame]], Mapping[str, bytes]] | None = None
    cuts: Callable[[SavedGame], set[Part]] | None = None  # the parts of which less is kept, such as a long name
    games: frozenset[SgfGame] | None = None  # the families of games that a written file can hold; None for all
    loses: frozenset[Part] = frozenset()  # the parts of a game that a written file does not keep
    heads: Mapping[Part, str] = field(default_factory=dict)  # parts such as event and date -> their names in a file
    ways: frozenset[str] = frozenset()  # the ways of losing that a file keeps although it loses `Part.ENDING`
    names_game: bool = False  # whether a file that we write has the game's name, with m, n and k of an m,n,k-game
    order: int = 2  # formats are tried in increasing order, because a file may fit several
    takes_setup: bool = False  # `read` obeys `Source.setup`; for others, the caller may not name another game
    name: str = ""  # the module's name, also the `kind` of a `GameFile` of this format

    def takes(self, kind: GameKind) -> bool:
        """Whether a written file can hold a game of this kind."""
        return self.games is None or (kind.sgf in self.games and (self.names_game or not is_mnk(kind.name)))
