"""A game as it was read from any file: its setup, its moves, and what the file says of players, result and time.

A `GameFile` knows the headings of all its games at once, and makes a game only when it is asked for.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from local_runner.errors import RunnerError
from local_runner.game.records import COLOURS, Cell, Result
from local_runner.game.setup import GameSetup
from local_runner.game.wording import result_text
from local_runner.language.languages import _


@dataclass(frozen=True)
class SavedGame:
    """One game, which `GameSession(game.setup, cells=game.cells)` can replay.

    `cells`: one for each ply, the opening of `setup` included; None for a pass or a lost turn. `winner`: 1 Black,
    2 White, 3 a draw, 0 unknown or unfinished. `ending`: how it ended, in words (a Message, or those of a
    file), "" if unknown. `result`: what a session or a file of ours says of it, None if unknown.
    `seconds`, `thoughts`: by ply, None where unknown; empty if the file has none. `damage`: a sentence (a
    Message) that says what is wrong in the file after the last of `cells`, "" if nothing is.
    """

    setup: GameSetup
    cells: tuple[Cell | None, ...]
    names: tuple[str, str] = COLOURS
    winner: int = 0
    ending: str = ""
    seconds: tuple[float | None, ...] = ()
    thoughts: tuple[Mapping[str, Any] | None, ...] = ()
    damage: str = ""
    result: Result | None = field(default=None, compare=False)


def with_result(game: SavedGame, result: Result | None) -> SavedGame:
    """The game with its result, which also gives its winner and the words of its ending."""
    if result is None:
        return game
    return replace(game, result=result, winner=result.winner, ending=result_text(result))


@dataclass(frozen=True)
class Heading:
    """The entry of one game in a list of games; `plies` includes the opening."""

    names: tuple[str, str]
    winner: int
    ending: str
    plies: int
    env: str


class GameFile(Sequence[Heading]):
    """The headings of the games in a file, in its order; `game` makes one of the games.

    `kind`: the name of the format. `problem`: what is wrong with the file as a whole, a Message, "" if nothing is. The
    `damage` of one game is known only when the game is made. `path`: where a tournament is kept, at
    least as long as this object.
    """

    def __init__(
        self, kind: str, headings: Sequence[Heading], load: Callable[[int], SavedGame], problem: str = "",
        path: Path | None = None,
    ) -> None:  # fmt: skip
        self.kind = kind
        self.path = path
        self.problem = problem
        self._headings = tuple(headings)
        self._load = load

    def game(self, number: int) -> SavedGame:
        """One game, counted from 0. Raises RunnerError if there is none, or if nothing of it can be shown."""
        if not 0 <= number < len(self):
            sentence = _("there is no game {number}; the file has {games}")
            raise RunnerError(sentence.format(number=number + 1, games=len(self)))
        return self._load(number)

    def games(self) -> Iterator[SavedGame]:
        """All games, one after another."""
        return map(self.game, range(len(self)))

    def __len__(self) -> int:
        return len(self._headings)

    def __getitem__(self, number: Any) -> Any:
        return self._headings[number]
