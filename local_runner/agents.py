"""Which agent is meant: `NAME_OR_PATH[:key=value,key=value]`, a built-in name or anybody's file or folder.

Knows where files are and what was asked of them; loads nothing. The options go to the agent's own
`configure(**options)` when it is loaded.
"""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from local_runner.errors import AgentError
from local_runner.text import in_line

OptionValue = int | float | bool | str | None

OPPONENTS = Path(__file__).parent / "opponents"
SUBMISSION = Path(__file__).parent.parent / "submission" / "submission.py"


class BuiltIn(NamedTuple):
    """An agent that comes with the project."""

    path: Path
    options: str
    about: str


BUILT_INS = {
    "tengen": BuiltIn(SUBMISSION, "", "ours, the one that is uploaded; every game"),
    "scorer": BuiltIn(SUBMISSION, "engine=scorer", "ours without the search: the pattern scorer; k-in-a-row games"),
    "seed004": BuiltIn(OPPONENTS / "seed004.py", "", "the rule-based student agent that once led the site's gobang"),
    "greedy": BuiltIn(OPPONENTS / "greedy.py", "", "one move ahead: five, block, longest row, most discs; every game"),
    "random": BuiltIn(OPPONENTS / "random.py", "", "any legal move, all alike; seed=N makes it repeat; every game"),
}

_OPTION = r"[A-Za-z_]\w*=[^,=]*"
_SPEC = re.compile(rf"(?P<where>.*?)(?::(?P<options>{_OPTION}(?:,{_OPTION})*))?", re.DOTALL)
_WORDS: Mapping[str, OptionValue] = {"on": True, "true": True, "off": False, "false": False, "none": None}


@dataclass(frozen=True)
class AgentSpec:
    """One agent as it was asked for: its file, its options, and a short name to show."""

    name: str
    path: Path
    options: Mapping[str, OptionValue]


def parse_agent(text: str) -> AgentSpec:
    """Read an agent spec; a path that exists is one as a whole, whatever in it looks like options.

    Raises AgentError for an unknown name, a missing file, or a folder without submission.py.

    >>> parse_agent("random:seed=7").options
    {'seed': 7}
    """
    match = _SPEC.fullmatch(text)
    assert match is not None  # the pattern takes any text
    where, options = match["where"], parse_options(match["options"] or "")
    if os.path.exists(os.path.expanduser(text)):
        where, options = text, {}
    if where in BUILT_INS:
        built_in = BUILT_INS[where]
        return AgentSpec(in_line(text), built_in.path, {**parse_options(built_in.options), **options})
    path = _existing_file(where)
    short = path.parent.name if path.name == "submission.py" else path.stem
    return AgentSpec(in_line(short + text[len(where) :]), path, options)


def parse_options(text: str) -> dict[str, OptionValue]:
    """`key=value,key=value` as a dict; values are int, float, on/off/true/false, none, else text."""
    pairs = (pair.split("=", 1) for pair in text.split(",") if pair)
    return {key: parse_value(value) for key, value in pairs}


def parse_value(text: str) -> OptionValue:
    """The plainest reading of an option's value."""
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            continue
    return text


def _existing_file(where: str) -> Path:
    path = Path(os.path.expanduser(where))
    if where and path.is_dir():  # Path("") is the current folder
        if (path / "submission.py").is_file():
            return (path / "submission.py").resolve()
        raise AgentError(f"the folder {where} has no submission.py; name the agent's file itself")
    if path.is_file():
        return path.resolve()
    if path.suffix == ".py" or "/" in where or "\\" in where:
        raise AgentError(f"there is no agent at {where}; give the path of a submission.py, or of its folder")
    raise AgentError(
        f"unknown agent {where!r}; there are {', '.join(BUILT_INS)}, or the path of any submission.py; "
        "options follow as NAME:key=value,key=value"
    )
