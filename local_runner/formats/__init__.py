"""Files of games: those that are read, and those that are written.

`read` and `read_path` give the games of any file, `from_session` keeps a session. A module of known/
for each format.
"""

from local_runner.formats.reading import read, read_path
from local_runner.formats.saved_game import GameFile, Heading, SavedGame
from local_runner.formats.sessions import from_session

__all__ = ["GameFile", "Heading", "SavedGame", "from_session", "read", "read_path"]
