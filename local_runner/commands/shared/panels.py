"""The groups in which `tengen -h` lists the commands. A command's module names its group as PANEL."""

from local_runner.language.languages import Message

PLAY = Message("Play and watch")
GAMES = Message("Files of games")
UPLOAD = Message("Your upload")
MANY = Message("Many games")
LISTS = Message("What there is, and this machine")
