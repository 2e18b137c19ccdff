"""Parses agent specs: `NAME_OR_PATH[:key=value,key=value]` with a built-in name or the path of a file or folder.

An agent may also be a program of others: `PROTOCOL:COMMAND[:key=value,...]` (programs.py). Colons may separate its
options, too. This module only finds the file and reads the options. `agent_side/loading.py` loads the agent and passes
the options to the agent's `configure(**options)`.
"""

import math
import os
import re
import stat
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from local_runner.agents import programs
from local_runner.agents.catalogue import BUILT_INS, BuiltIn, OptionValue
from local_runner.agents.files import MAIN, check_readable, kind_at
from local_runner.agents.source import unusable_advice, unusable_text
from local_runner.errors import AgentError, RunnerError
from local_runner.game.faults import Fault, FaultKind
from local_runner.language.languages import STOP, Series, _, shown
from local_runner.language.suggestions import unknown
from local_runner.language.text import in_line

_OPTION = r"[A-Za-z_]\w*=[^,=]*"
_SPEC = re.compile(rf"(?P<where>.*?)(?::(?P<options>{_OPTION}(?:,{_OPTION})*))?", re.DOTALL)
_PROGRAM = re.compile(r"(?P<where>.*?)(?::(?P<options>[A-Za-z_]\w*=[^,=:]*(?:[,:][A-Za-z_]\w*=[^,=:]*)*))?", re.DOTALL)
_INTEGER, _DECIMAL = (
    re.compile(r"[+-]?[0-9]{1,18}"),
    re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"),
)
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
        return programs.is_program(self.path)


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
    if colon and protocol in programs.protocols() and not is_path:
        return _program(text, protocol, command)
    head, _colon, option = text.rpartition(":")
    if option.isidentifier() and os.path.isfile(os.path.expanduser(head)) and not is_path:
        parse_options(option)  # raises the error of an option without a value
    path = _existing_file(where, [*BUILT_INS, *others])
    short = path.parent.name if path.name == "submission.py" else path.stem
    alone = not os.path.isdir(os.path.expanduser(where))
    return AgentSpec(in_line(short + text[len(where) :]), path, options, alone)


def named(specs: Sequence[AgentSpec], names: Sequence[str]) -> tuple[AgentSpec, ...]:
    """The agents with other names; an empty name leaves an agent its own. Raises RunnerError unless there is one each.

    >>> [spec.name for spec in named([parse_agent("greedy"), parse_agent("random")], ["new", ""])]
    ['new', 'random']
    """
    if len(names) != len(specs):
        sentence = _("{names} names are given for {agents} agents; give one for each")
        raise RunnerError(sentence.format(names=len(names), agents=len(specs)))
    return tuple(
        replace(spec, name=in_line(name).strip() or spec.name) for spec, name in zip(specs, names, strict=True)
    )


def _program(text: str, protocol: str, command: str) -> AgentSpec:
    match = _PROGRAM.fullmatch(command)
    assert match is not None  # the pattern matches any text
    where, options = (command, "") if os.path.isfile(os.path.expanduser(command)) else match.group("where", "options")
    given = parse_options((options or "").replace(":", ","))
    for name in given.keys() & programs.OPTIONS:
        raise AgentError(_("the option {option} is set by the command; leave it out").format(option=name))
    if "reads" in given:
        given["reads"] = os.path.abspath(os.path.expanduser(str(given["reads"])))
    path, _said = programs.protocols()[protocol]
    return AgentSpec(in_line(text), path, {**programs.located(protocol, where), **given})


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
