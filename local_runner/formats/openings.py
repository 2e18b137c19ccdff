"""Openings from files of games, such as collections of SGF, PGN or positions of gobang: each game is an opening."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from env_adapter import Cell, names
from local_runner.errors import RunnerError
from local_runner.formats.reading import read_path
from local_runner.game.setup import GameSetup, called
from local_runner.language.languages import _, shown

OF_BOOKS = {"moves", "offset", "json_moves"}  # formats that matches/openings/books.py reads, with its own errors

SIZELESS = {"pgn", "table"}  # formats that do not say the size of the board
NAMELESS = {*SIZELESS, "position"}  # formats that do not say which game it is


def openings_of(path: Path, setup: GameSetup) -> Sequence[tuple[str, Sequence[Cell | None]]] | None:
    """The place and the moves of each game in a file; None for a file that `books.read` reads itself.

    Raises RunnerError for a file of another game, and for a damaged game, another board or another start.
    """
    try:
        file = read_path(path)
    except RunnerError:
        return None
    if file.kind in OF_BOOKS:
        return None
    other = file[0].env if len(file) else ""
    if file.kind not in NAMELESS and other in names() and other != setup.env:
        sentence = _("{path} holds games of {other}; give --env {env}, or another book")
        raise RunnerError(sentence.format(path=path, other=shown(called(other)), env=other))
    size = setup.board_size if file.kind in SIZELESS else None
    file = read_path(path, replace(setup, board=None, board_size=size, opening=()))
    found = list[tuple[str, Sequence[Cell | None]]]()
    start = setup.make()
    for number, game in enumerate(file.games(), start=1):
        place = _("game {number}").format(number=number)
        own = game.setup.make()
        if game.damage:
            raise RunnerError(f"{path}, {place}: {shown(game.damage)}")
        if game.setup.board is not None:
            sentence = _("{place} is a position, but an opening is moves; give one position by --board")
            raise RunnerError(sentence.format(place=f"{path}, {place}"))
        if own.board_height != start.board_height:
            sentence = _("{place} is on a board of {size}x{size}; give --board-size {size}, or another book")
            raise RunnerError(sentence.format(place=f"{path}, {place}", size=own.board_height))
        found.append((place, game.cells))
    return found
