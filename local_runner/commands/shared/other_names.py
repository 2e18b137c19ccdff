"""The names that other programs give to what `tengen` has: options of match runners, and habits of other commands.

The message about an unknown option or command then suggests ours. Names that are similar to ours need no row, because
`language.suggestions` finds them.
"""

from collections.abc import Collection

AGENTS = ""  # stands for the arguments, for an option that names an agent

# Another program's option, without dashes -> ours; the first one that the command has is suggested.
OPTIONS = {
    "?": ["--help"], "agent": [AGENTS], "agents": [AGENTS], "c": ["--jobs"], "cmd": [AGENTS], "concurrency": ["--jobs"],
    "config": ["--each"], "cpus": ["--jobs"], "debug": ["--details"], "engine": [AGENTS], "engines": [AGENTS],
    "event": ["--out"], "file": ["--out"], "format": ["--out"], "game": ["--env"], "games": ["--rounds"],
    "hash": ["--memory"], "input": ["--resume"], "j": ["--jobs"], "jobs": ["--jobs"], "l": ["--lang"],
    "lang": ["--lang"], "language": ["--lang"], "locale": ["--lang"], "log": ["--out"], "logs": ["--out"],
    "mem": ["--memory"], "movetime": ["--time", "--seconds"], "multipv": ["--lines"], "n": ["--games", "--rounds"],
    "num-games": ["--games", "--rounds"], "o": ["--out"], "option": ["--each"], "output": ["--out"],
    "outcome": ["--json"], "p": ["--port"], "parallel": ["--jobs"], "pgnout": ["--out"], "player": [AGENTS],
    "players": [AGENTS], "processes": ["--jobs"], "q": ["--quiet"], "restart": ["--resume"], "rounds": ["--games"],
    "s": ["--seed"], "save": ["--out"], "sgfout": ["--out"], "silent": ["--quiet"], "size": ["--board-size"],
    "srand": ["--seed"], "st": ["--time", "--seconds"], "tc": ["--time"], "threads": ["--jobs"],
    "timeout": ["--time"], "timemargin": ["--time"], "tournament": ["--schedule"], "type": ["--schedule"],
    "v": ["--version"], "variant": ["--env"], "version": ["--version"], "workers": ["--jobs"],
}  # fmt: skip

# A word in the place of a command -> ours.
COMMANDS = {
    "?": "-h", "/?": "-h", "/h": "-h", "help": "-h", "man": "-h", "usage": "-h", "version": "tengen --version",
    "agents": "opponents", "build": "bundle", "export": "convert", "create": "init", "elo": "report",
    "engines": "opponents", "gauntlet": "tournament", "gui": "serve", "list": "opponents", "new": "init",
    "pack": "bundle", "resume": "tournament", "round-robin": "tournament", "show": "replay", "test": "check",
    "ui": "serve", "validate": "check", "view": "replay", "web": "serve",
}  # fmt: skip

# Our option -> how to write it, for commands that do not list it.
ELSEWHERE = {"--help": "-h", "--jobs": "tengen tournament --jobs", "--lang": "--lang", "--version": "tengen --version"}


def option(word: str, known: Collection[str], usage: str) -> str:
    """Our option for another program's option, such as --jobs for `-concurrency`; "" if there is none.

    `known`: the options of the command. `usage`: the command with its arguments.
    """
    for ours in OPTIONS.get(word.lstrip("-").lower(), []):
        if ours == AGENTS:
            return usage
        if ours in known:
            return ours
        if ours in ELSEWHERE:
            return ELSEWHERE[ours]
    return ""


def command(word: str, known: Collection[str]) -> str:
    """Our command for another program's, such as -h for `help`; "" if there is none. `known`: the group's commands."""
    ours = COMMANDS.get(word.lower(), "")
    return ours if ours in known or "-" in ours else ""
