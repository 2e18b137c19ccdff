"""Finds the program of an agent spec `PROTOCOL:COMMAND[:key=value,...]`.

A protocol is a module of opponents/ with a literal PROTOCOL. The agent's file is that module, and the program is in
the options:

    program, arguments    the program's path, and its arguments as a shell would write them
    home                  the program's own folder, of which a run plays a copy; missing for a program of the system
    reads                 a further folder that the program may read
    call_seconds, memory_mb    the limits of the run, which `processes/process.py` adds
"""

import functools
import os
import shlex
import shutil
import sys
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

from local_runner.agents.catalogue import OPPONENTS, OptionValue, tables
from local_runner.errors import AgentError
from local_runner.language.languages import Message, _

COPY = "engine"  # beside the copy of the module: the copy of the program's folder; also in opponents/program.py
OF_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/opt", "/snap", "/nix", "/gnu")  # programs here are played in place
PYVENV = "pyvenv.cfg"  # a file that only virtual environments have
OPTIONS = {"program", "arguments", "home", "call_seconds", "memory_mb"}  # not for the user


@functools.cache
def protocols() -> Mapping[str, tuple[Path, Mapping[str, Any]]]:
    """The protocols by name: the module's path, and its literal PROTOCOL."""
    return {path.stem: (path, {**said, "about": Message(said["about"])}) for path, said in tables("PROTOCOL")}


def is_program(path: Path) -> bool:
    """Whether an agent's file is the module of a protocol, so that the agent is a program."""
    return path.parent.name == OPPONENTS.name and path.stem in protocols()


def located(protocol: str, command: str) -> dict[str, OptionValue]:
    """The options `program`, `arguments` and `home` of a command. Raises AgentError if there is no such program."""
    try:
        words = [command] if os.path.isfile(os.path.expanduser(command)) else shlex.split(command)
    except ValueError as error:
        sentence = _("cannot read the command {command!r} ({error}); write it as in a shell")
        raise AgentError(sentence.format(command=command, error=error)) from error
    if not words:
        sentence = _("{protocol} needs a program; name it: {protocol}:./engine, or {protocol}:'./engine ARGUMENTS'")
        raise AgentError(sentence.format(protocol=protocol))
    if "\0" in command or (path := shutil.which(os.path.expanduser(words[0]))) is None:
        path = _not_executable(words[0])
    program = os.path.abspath(path)
    arguments = [word if before == "-m" else _absolute(word) for before, word in pairwise(words)]  # -m: a module
    if program.lower().endswith(".exe"):
        if (wine := shutil.which("wine")) is None:
            sentence = _("{program} is a program for Windows; install wine, which runs it")
            raise AgentError(sentence.format(program=words[0]))
        program, arguments = wine, [program, *arguments]
    options: dict[str, OptionValue] = {"program": program}
    if arguments:
        options["arguments"] = shlex.join(arguments)
    # A command without a folder, such as python3, runs the file that follows it.
    files = (program, *arguments) if os.sep in words[0] else (*arguments, program)
    own = next((word for word in files if os.path.isfile(word) and not _of_system(Path(word))), None)
    if own is not None:
        options["home"] = os.path.dirname(own)
    return options


def _not_executable(word: str) -> str:
    """The path of a Windows program, which needs no executable bit. Raises AgentError for any other word."""
    path = os.path.expanduser(word)
    if "\0" not in word and os.path.isfile(path):
        if path.lower().endswith(".exe"):
            return path
        raise AgentError(_("{program} is not executable; make it so (chmod +x)").format(program=word))
    raise AgentError(_("there is no program {program}; give its path, or a command of the system").format(program=word))


def _absolute(word: str) -> str:
    return os.path.abspath(word) if os.path.exists(word) and not word.startswith("-") else word


def _of_system(path: Path) -> bool:
    """Whether a program is installed, in the system or in a virtual environment, so that its folder is not its own."""
    places = (*OF_SYSTEM, sys.prefix, sys.base_prefix)
    return any(path.is_relative_to(place) for place in places) or (path.parents[1] / PYVENV).is_file()
