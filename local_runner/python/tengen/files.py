"""`read` and `write` files of games, in every format of `tengen replay`."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import overload

from rich.console import Console

from local_runner.errors import RunnerError
from local_runner.formats import GameFile
from local_runner.formats.reading import read_argument, read_path
from local_runner.formats.replaying import table_of
from local_runner.formats.writing import format_of, write_games
from local_runner.language.languages import _, shown
from local_runner.terminal.drawing import Printed
from tengen.game import Game, setup_of

__all__ = ["Games", "read", "write"]
MOST_ROWS = 100  # most games in the table that `print` shows


class Games(Sequence[Game], Printed):
    """The games of a file, a match or a tournament. Each game is loaded when it is used.

    Attributes:
        format: The name of the file's format, such as `"sgf"`.
        problem: What is wrong in the file as a whole; `""` if nothing is. `Game.damage` is about one game.
        note: How the file was read, for example in a guessed encoding; `""` if there is nothing to say.
    """

    def __init__(self, file: GameFile) -> None:
        self._file = file
        self.format = file.kind
        self.problem = shown(file.problem)
        self.note = shown(file.note)

    def __len__(self) -> int:
        return len(self._file)

    @overload
    def __getitem__(self, number: int) -> Game: ...
    @overload
    def __getitem__(self, number: slice) -> list[Game]: ...
    def __getitem__(self, number: int | slice) -> Game | list[Game]:
        if isinstance(number, slice):
            return [self[at] for at in range(*number.indices(len(self)))]
        return Game.of(self._file.game(range(len(self))[number]))  # the range raises IndexError

    def __repr__(self) -> str:
        return f"<Games: {len(self)} from {self.format}>"

    def print_to(self, console: Console) -> None:
        """Print a table with a row for each of the first games."""
        console.print(table_of(self._file, MOST_ROWS))
        if (left := len(self) - MOST_ROWS) > 0:
            console.print(_("and {games} more games").format(games=left))


def read(source: str | os.PathLike[str], *, game: str | None = None, board_size: int | None = None) -> Games:
    """Read a file of games: SGF, logs of the site, GGF, WTHOR, PSQ, tournaments, lists of moves and more.

    Args:
        source: The path of a file, or moves, such as `"h8i9h9"`, or the text of an SGF file.
        game: The name of the game, for files that do not name it; by default it is inferred from the moves.
        board_size: The number of cells on a side of the board. It may be given only together with `game`.

    Returns:
        The games. A damaged file gives what can be read; `Games.problem` and `Game.damage` say what is wrong.

    Raises:
        TengenError: The file cannot be opened, holds no game that can be read, or holds another game than `game`.

    Examples:
        >>> read("f5d6c3d3c4")[0]
        Game('reversi_8x8_1v1', 'f5d6c3d3c4')
    """
    if game is None and board_size is not None:
        raise RunnerError(_("board_size needs game: the name of the game"))
    setup = setup_of(game, board_size=board_size) if game is not None else None
    if isinstance(source, str):
        return Games(read_argument(source, setup))
    return Games(read_path(Path(source), setup))


def write(games: Game | Iterable[Game], path: str | os.PathLike[str]) -> None:
    """Write games into a file. The ending of its name selects the format, such as .sgf, .pgn, .wtb, .svg or .html.

    Args:
        games: A game, or several games, such as the result of `read`.
        path: The file, which is replaced if it exists. Beside a .wtb, a .jou and a .trn with the names are written.

    Raises:
        TengenError: The ending is unknown, the format cannot hold one of the games or holds only one game, there is no
            game, or the file cannot be written.

    Examples:
        >>> write(Game("gobang_1v1", "h8i9h9"), "opening.sgf")
        >>> read("opening.sgf")[0].moves
        ('h8', 'i9', 'h9')
        >>> write(read("opening.sgf"), "opening.pgn")
    """
    place = Path(path)
    kind = format_of(place.suffix[1:].lower())
    records = [game.saved for game in ([games] if isinstance(games, Game) else games)]
    if not records:
        raise RunnerError(_("there is no game to write"))
    if len(records) > 1 and kind.single:
        sentence = _("a .{ending} file holds one game, not {games}; write each game into a file of its own")
        raise RunnerError(sentence.format(ending=kind.ending, games=len(records)))
    write_games(records, place, kind, _("give another path"))
