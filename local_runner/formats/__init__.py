"""Reads and writes files of games.

`read` and `read_path` return the games of a file of any known format. `from_session` turns a session into a saved game.
Each format is a module of files/.
"""

from local_runner.formats.file_format import GameFile, Heading
from local_runner.formats.reading import read, read_path
from local_runner.formats.saved_game import SavedGame, from_session

__all__ = ["GameFile", "Heading", "SavedGame", "from_session", "read", "read_path"]
