"""Saves games of `tengen play`: in a file that the human names, or automatically when a game is left unfinished.

The ending of a file's name determines its format. `tengen play --resume FILE` reads a file that holds one game.
"""

import os
import tempfile
from pathlib import Path

from local_runner.errors import RunnerError
from local_runner.formats import SavedGame, from_session, read_path, writing
from local_runner.formats.reading import READERS
from local_runner.game.session import GameSession
from local_runner.language.languages import _
from local_runner.system.files import write_new

ENDING = "json"  # the format if the human names none; it also stores rules, seed and start board
READABLE = tuple(f".{each.ending}" for each in READERS if each.ending)  # endings of files that can be read again


def save(session: GameSession, file: str) -> Path:
    """Save the game in a new file and return its path. `file`: the file's name, "" to make one up.

    Raises RunnerError if the file exists, its format is unknown or does not fit the game, or writing fails.
    """
    if not file:
        return _made_up(session, Path())
    path = Path(file).expanduser()
    if not path.suffix:
        path = path.with_name(f"{path.name}.{ENDING}")
    writing.format_of(path.suffix[1:].lower())
    if os.path.lexists(path):
        raise RunnerError(_("{path} exists already; give another name").format(path=path))
    writing.write_path(from_session(session), path, _("save FILE with another file name"))
    return path


def keep(session: GameSession) -> Path | None:
    """Save an unfinished game in the current folder, else in the folder of temporary files. None if both fail."""
    for folder in (Path(), Path(tempfile.gettempdir())):
        try:
            return _made_up(session, folder)
        except RunnerError:
            continue
    return None


def _made_up(session: GameSession, folder: Path) -> Path:
    text = writing.write(from_session(session), ENDING).decode()
    return write_new(folder, f"tengen-{session.setup.env}", f".{ENDING}", text, _("give another name"))


def unfinished(path: Path) -> SavedGame:
    """The unfinished game in a file. Raises RunnerError if the file has not exactly one game, or the game is over."""
    file = read_path(path)
    if len(file) != 1:
        sentence = _("{path} has {games} games; write one into a file: tengen replay {path} --game N --out FILE")
        raise RunnerError(sentence.format(path=path, games=len(file)))
    game = file.game(0)
    if GameSession(game.setup, cells=game.cells).result is not None:
        raise RunnerError(_("the game in {path} is over; tengen replay {path} shows it").format(path=path))
    return game
