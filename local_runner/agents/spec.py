"""Parses agent specs: `NAME_OR_PATH[:key=value,key=value]` with a built-in name or the path of a file or folder.

An agent may also be a program of others: `PROTOCOL:COMMAND[:key=value,...]`. Colons may separate its options, too. The
agent's file is then the module of the protocol, and the program is in the options:

    program, arguments    the program's path, and its arguments as a shell would write them
    home                  the program's own folder, of which a run plays a copy; missing if the program has none
    reads                 a further folder that the program may read
    call_seconds, memory_mb    the limits of the run, which `processes/process.py` adds
"""

import math
import os
import re
import shlex
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from local_runner.agents.catalogue import BUILT_INS, PROTOCOLS, BuiltIn, OptionValue
from local_runner.agents.source import MAIN, check_readable, check_spelling, kind_at, unusable_advice, unusable_text
from local_runner.errors import AgentError, RunnerError
from local_runner.game.faults import Fault, FaultKind
from local_runner.language.languages import STOP, Series, _, shown, unknown
from local_runner.language.text import in_line

COPY = "engine"  # beside the copy of a protocol's module: the copy of the program's folder, as in program.py
PYVENV = "pyvenv.cfg"  # a file that only virtual environments have
_OPTION = r"[A-Za-z_]\w*=[^,=]*"
_SPEC = re.compile(rf"(?P<where>.*?)(?::(?P<options>{_OPTION}(?:,{_OPTION})*))?", re.DOTALL)
_PROGRAM = re.compile(r"(?P<where>.*?)(?::(?P<options>[A-Za-z_]\w*=[^,=:]*(?:[,:][A-Za-z_]\w*=[^,=:]*)*))?", re.DOTALL)
_INTEGER = re.compile(r"[+-]?[0-9]{1,18}")
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_OF_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/opt", "/snap", "/nix", "/gnu")  # programs here are not copied
_SHARED = ("/tmp", "/var/tmp", tempfile.gettempdir())  # folders that may hold files of other programs
_SET = {"program", "arguments", "home", "call_seconds", "memory_mb"}  # options that are not for the user
_COUNTS = {"depth", "nodes", "playouts", "width", "reach", "cores", "seed"}  # options of built-in agents
_WORDS: Mapping[str, OptionValue] = {"on": True, "true": True, "off": False, "false": False, "none": None}


@dataclass(frozen=True)
class AgentSpec:
    """One agent: a short name for display, the path of its file, and its options.

    `alone`: whether the user named its file, not its folder; the folder then may hold files of others. `level`: the
    level of our engine that the agent is, 0 if it is none; the file is then our agent's.
    """

    name: str
    path: Path
    options: Mapping[str, OptionValue]
    alone: bool = False
    level: int = 0

    @property
    def is_ours(self) -> bool:
        """Whether the file is an agent that comes with this project, which needs no sandbox."""
        return any(built_in.path == self.path for built_in in BUILT_INS.values())

    @property
    def is_program(self) -> bool:
        """Whether the agent is a program of others, and the file the module of its protocol."""
        return self.path.parent.name == "opponents" and self.path.stem in PROTOCOLS


def parse_agent(text: str, others: Iterable[str] = ()) -> AgentSpec:
    """Parse an agent spec. If the whole text is an existing path, the spec has no options.

    `others`: further valid names, for spelling suggestions. Raises AgentError for an unknown name, for malformed
    options, for a file that is missing or cannot be read, and for a folder without submission.py.

    >>> parse_agent("random:seed=7").options
    {'seed': 7}
    """
    match = _SPEC.fullmatch(text)
    assert match is not None  # the pattern matches any text
    where, options = match["where"], parse_options(match["options"] or "")
    if is_path := os.path.exists(os.path.expanduser(text)):
        where, options = text, {}
    if where in BUILT_INS:
        built_in = BUILT_INS[where]
        _check_numbers(where, built_in, options)
        return AgentSpec(in_line(text), built_in.path, {**built_in.fixed, **options})
    protocol, colon, command = text.partition(":")
    if colon and protocol in PROTOCOLS and not is_path:
        return _program(text, protocol, command)
    head, _colon, option = text.rpartition(":")
    if option.isidentifier() and os.path.isfile(os.path.expanduser(head)) and not is_path:
        parse_options(option)  # raises the error of an option without a value
    path = _existing_file(where, [*BUILT_INS, *others])
    short = path.parent.name if path.name == "submission.py" else path.stem
    alone = not os.path.isdir(os.path.expanduser(where))
    return AgentSpec(in_line(short + text[len(where) :]), path, options, alone)


def named(specs: Sequence[AgentSpec], names: Sequence[str]) -> tuple[AgentSpec, ...]:
    """The agents with other names; an empty name leaves an agent its own. Raises RunnerError as `check_names` does.

    >>> [spec.name for spec in named([parse_agent("greedy"), parse_agent("random")], ["new", ""])]
    ['new', 'random']
    """
    check_names(names, len(specs))
    return tuple(
        replace(spec, name=in_line(name).strip() or spec.name) for spec, name in zip(specs, names, strict=True)
    )


def check_names(names: Sequence[str], agents: int) -> None:
    """Raise RunnerError unless there is a name for each agent. `agents`: their number."""
    if len(names) != agents:
        sentence = _("{names} names are given for {agents} agents; give one for each")
        raise RunnerError(sentence.format(names=len(names), agents=agents))


def _program(text: str, protocol: str, command: str) -> AgentSpec:
    match = _PROGRAM.fullmatch(command)
    assert match is not None  # the pattern matches any text
    where, options = (command, "") if os.path.isfile(os.path.expanduser(command)) else match.group("where", "options")
    given = parse_options((options or "").replace(":", ","))
    for name in given.keys() & _SET:
        raise AgentError(_("the option {option} is set by the command; leave it out").format(option=name))
    if "reads" in given:
        given["reads"] = os.path.abspath(os.path.expanduser(str(given["reads"])))
    return AgentSpec(in_line(text), PROTOCOLS[protocol].path, {**_located(protocol, where), **given})


def _located(protocol: str, command: str) -> dict[str, OptionValue]:
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
    arguments = [os.path.abspath(word) if before != "-m" and os.path.exists(word) and not word.startswith("-") else word
                 for before, word in pairwise(words)]  # -m: a module  # fmt: skip
    # A command without a folder, such as python3, runs the file that follows it.
    files = (program, *arguments) if os.sep in words[0] else (*arguments, program)
    if program.lower().endswith(".exe"):
        if (wine := shutil.which("wine")) is None:
            sentence = _("{program} is a program for Windows; install wine, which runs it")
            raise AgentError(sentence.format(program=words[0]))
        program, arguments = wine, [program, *arguments]
    options: dict[str, OptionValue] = {"program": program}
    if arguments:
        options["arguments"] = shlex.join(arguments)
    own = next((word for word in files if os.path.isfile(word) and not _of_system(Path(word))), None)
    if own is not None and not (os.path.dirname(own) in _SHARED or Path.home().is_relative_to(Path(own).parent)):
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


def _of_system(path: Path) -> bool:
    """Whether a program is installed, in the system or in a virtual environment, so that its folder is not its own."""
    places = (*_OF_SYSTEM, sys.prefix, sys.base_prefix)
    return any(path.is_relative_to(place) for place in places) or (path.parents[1] / PYVENV).is_file()


def parse_options(text: str) -> dict[str, OptionValue]:
    """Parse `key=value,key=value`. Raises AgentError for a part without key or "=", or a key given twice."""
    options = {}
    for part in filter(None, text.split(",")):
        key, equals, value = part.partition("=")
        if not (key and equals):
            raise AgentError(_("cannot read the option {option!r}; write key=value,key=value").format(option=part))
        if key in options:
            raise AgentError(_("the option {option} is given twice; give it once").format(option=key))
        options[key] = parse_value(value)
    return options


def why_unusable(spec: AgentSpec, fault: Fault) -> str:
    """Why an agent cannot be played, and what to do, in the user's language."""
    if fault.kind is not FaultKind.UNKNOWN_OPTION or not spec.is_ours:
        mend = unusable_advice(fault, spec.path)
        text = unusable_text(fault)
        return shown(text if mend is None else Series((text, mend), STOP))
    name = spec.name.partition(":")[0]
    takes = BUILT_INS[name].options if name in BUILT_INS else {}
    known = str(fault.fields.get("known", "")).split()
    return unknown(_("option"), str(fault.fields["option"]), dict.fromkeys([*takes, *known]))


def parse_value(text: str) -> OptionValue:
    """Parse an option's value: on/off/true/false, none, an int, a finite float, else text.

    >>> [parse_value(text) for text in ("on", "2", "1e3", "inf", "1_000")]
    [True, 2, 1000.0, 'inf', '1_000']
    """
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    if _INTEGER.fullmatch(text):
        return int(text)
    number = float(text) if _DECIMAL.fullmatch(text) else math.inf
    return number if math.isfinite(number) else text


def _check_numbers(name: str, built_in: BuiltIn, options: Mapping[str, OptionValue]) -> None:
    """Raise AgentError if a numeric option of a built-in agent has a text, on/off, or a fraction where it counts.

    `configure` checks the rest.
    """
    for key, default in built_in.options.items():
        number = default is None or (isinstance(default, (int, float)) and not isinstance(default, bool))
        if number and isinstance(value := options.get(key), (str, bool)):
            given = value if isinstance(value, str) else "on" if value else "off"
            sentence = _("{agent} takes a number for {key}, not {value!r}; such as {agent}:{key}={example}")
            raise AgentError(sentence.format(agent=name, key=key, value=given, example=default or 1))
        if number and key in _COUNTS and isinstance(value, float):
            sentence = _("{agent} takes a whole number for {key}, not {value}; such as {agent}:{key}={example}")
            raise AgentError(sentence.format(agent=name, key=key, value=value, example=default or 1))


def _existing_file(where: str, known: Sequence[str]) -> Path:
    path = Path(os.path.expanduser(where))
    kind = kind_at(path) if where else None  # Path("") is the current folder
    if kind == stat.S_IFDIR:
        path /= MAIN
        if kind_at(path) is None:
            sentence = _("the folder {folder} has no submission.py; name the agent's file itself")
            raise AgentError(sentence.format(folder=where))
    if kind is not None:
        check_readable(path)
        return path.resolve()
    check_spelling(path)
    name, colon, options = where.partition(":")
    if path.suffix == ".py" or "/" in where or "\\" in where:
        sentence = _("there is no agent at {where}; give the path of a submission.py, or of its folder")
    elif colon and name in BUILT_INS and re.fullmatch(r"\w+", options):
        sentence = _("the option {option!r} of {agent} has no value; write {agent}:{option}=VALUE")
    elif colon and name in BUILT_INS:
        name = where
        sentence = _(
            "cannot read the options of {agent!r}; write NAME:key=value,key=value, and several numbers as 6/8/11"
        )
    elif re.fullmatch(r"level\d", where):
        sentence = _("{level}, a level of our engine, plays only in match, tournament, sprt and play, without options")
    else:
        sentence = _("{sentence} (or give the path of a submission.py)")
    said = {"where": where, "agent": name, "option": options, "level": where}
    raise AgentError(sentence.format(**said, sentence=unknown(_("agent"), where, known)))
