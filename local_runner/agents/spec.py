"""Agent specs: `NAME_OR_PATH[:key=value,key=value]` with a built-in name or the path of a file or folder.

Finds the file and reads the options; loads nothing. `portable/loading.py` loads the agent and passes the options to its
`configure(**options)`.
"""

import os
import re
import stat
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from local_runner.agents.files import MAIN, check_readable, kind_at
from local_runner.errors import AgentError
from local_runner.game.faults import Fault, FaultKind
from local_runner.game.wording import deed
from local_runner.language.languages import Message, _, shown
from local_runner.language.suggestions import unknown
from local_runner.language.text import in_line

OptionValue = int | float | bool | str | None

OPPONENTS = Path(__file__).parent / "opponents"
SUBMISSION = Path(__file__).parents[2] / "submission" / "submission.py"


class BuiltIn(NamedTuple):
    """An agent that comes with the project.

    options: its fixed options
    about: a description in one line, with the games that it plays; a message
    games: the same as names of games and families, as in games.py
    takes: the options that a user may give, with their defaults, the most used first
    """

    path: Path
    options: str
    about: str
    games: tuple[str, ...]
    takes: str = ""


EVERY_GAME = ("reversi", "k_in_a_row")
SIMPLE = "corners=off,history=off,stability=off,vanishing=off,factor=0"  # leaves only the weight map
SEED001 = (
    "depth=6,seconds=0.8,game_seconds=60,cores=1,width=none,factor=50,pruning=on,history=on,corners=on,stability=on,"
    "vanishing=on,bad_moves=off,bad_leaves=off,seed=none"
)

BUILT_INS = {
    "tengen": BuiltIn(
        SUBMISSION,
        "",
        Message("our agent, which is uploaded; every game"),
        EVERY_GAME,
        "seconds=0.8,off_turn_seconds=0.8,depth=none,nodes=none,engine=search",
    ),
    "scorer": BuiltIn(
        SUBMISSION,
        "engine=scorer",
        Message("our pattern scorer, without search; k-in-a-row games"),
        ("k_in_a_row",),
    ),
    "seed000": BuiltIn(
        OPPONENTS / "seed000.py",
        "",
        Message("student agent, weight map and mobility, or variant=annealing; Reversi"),
        ("reversi",),
        "variant=search,depth=none,width=6,stability=off,seconds=0.8,seed=none",
    ),
    "seed001": BuiltIn(
        OPPONENTS / "seed001.py",
        "",
        Message("student agent, miniAlphaGo, each part has a switch; Reversi"),
        ("reversi",),
        SEED001,
    ),
    "seed002": BuiltIn(
        OPPONENTS / "seed002.py",
        "",
        Message("student agent, table of shapes; gomoku 11x11"),
        ("five_in_a_row",),
        "depth=3,ratio=0.3,reach=2,bonus=on,seconds=0.8",
    ),
    "seed003": BuiltIn(
        OPPONENTS / "seed003.py",
        "",
        Message("student agent, open lines, search=minimax, negamax, alphabeta, deepening or quiescence; tic-tac-toe"),
        ("tictactoe_1v1",),
        "depth=3,search=alphabeta",
    ),
    "seed004": BuiltIn(
        OPPONENTS / "seed004.py",
        "",
        Message("the rule-based student agent that once led the site's gobang"),
        ("five_in_a_row",),
    ),
    "alphabeta": BuiltIn(
        OPPONENTS / "seed001.py",
        SIMPLE,
        Message("the simple opponent of seed001: its weight map only; Reversi"),
        ("reversi",),
        "depth=6,seconds=0.8",
    ),
    "minimax": BuiltIn(
        OPPONENTS / "seed001.py",
        f"{SIMPLE},pruning=off",
        Message("alphabeta without pruning; Reversi"),
        ("reversi",),
        "depth=6,seconds=0.8",
    ),
    "montecarlo": BuiltIn(
        OPPONENTS / "montecarlo.py",
        "",
        Message("Monte Carlo tree search (UCT) with random playouts; every game"),
        EVERY_GAME,
        "seconds=0.8,playouts=none,exploration=1.4,seed=none",
    ),
    "greedy": BuiltIn(
        OPPONENTS / "greedy.py",
        "",
        Message("one move ahead: five, block, longest row, most discs; every game"),
        EVERY_GAME,
    ),
    "random": BuiltIn(
        OPPONENTS / "random.py", "", Message("random legal moves, repeatable with seed=N; every game"), EVERY_GAME
    ),
}

_OPTION = r"[A-Za-z_]\w*=[^,=]*"
_SPEC = re.compile(rf"(?P<where>.*?)(?::(?P<options>{_OPTION}(?:,{_OPTION})*))?", re.DOTALL)
_WORDS: Mapping[str, OptionValue] = {"on": True, "true": True, "off": False, "false": False, "none": None}


@dataclass(frozen=True)
class AgentSpec:
    """One agent: a short name to show, its file, and its options."""

    name: str
    path: Path
    options: Mapping[str, OptionValue]

    @property
    def is_ours(self) -> bool:
        """Whether it is an agent of this project, which needs no sandbox."""
        return any(built_in.path == self.path for built_in in BUILT_INS.values())


def parse_agent(text: str, others: Iterable[str] = ()) -> AgentSpec:
    """Read an agent spec; if the whole text is an existing path, it has no options.

    `others`: names that are known too where the text stands. Raises AgentError for an unknown name, a missing file, one
    that cannot be read, or a folder without submission.py.

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
        _check_numbers(where, built_in, options)
        return AgentSpec(in_line(text), built_in.path, {**parse_options(built_in.options), **options})
    path = _existing_file(where, [*BUILT_INS, *others])
    short = path.parent.name if path.name == "submission.py" else path.stem
    return AgentSpec(in_line(short + text[len(where) :]), path, options)


def parse_options(text: str) -> dict[str, OptionValue]:
    """Read `key=value,key=value` into a dict. Raises AgentError for a part without a value, or a key given twice."""
    found = {}
    for part in filter(None, text.split(",")):
        key, equals, value = part.partition("=")
        if not (key and equals):
            raise AgentError(_("cannot read the option {option!r}; write key=value,key=value").format(option=part))
        if key in found:
            raise AgentError(_("the option {option} is given twice; give it once").format(option=key))
        found[key] = parse_value(value)
    return found


def why_unusable(spec: AgentSpec, fault: Fault) -> str:
    """Why an agent cannot be played, in the language that is used; for our agents, which option may have been meant."""
    if fault.kind is not FaultKind.UNKNOWN_OPTION or not spec.is_ours:
        return shown(deed(fault))
    name = spec.name.partition(":")[0]
    takes = parse_options(BUILT_INS[name].takes) if name in BUILT_INS else {}
    known = str(fault.fields.get("known", "")).split()
    return unknown(_("option"), str(fault.fields["option"]), dict.fromkeys([*takes, *known]))


def parse_value(text: str) -> OptionValue:
    """Read an option's value: on/off/true/false, none, an int, a float, else text."""
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            continue
    return text


def _check_numbers(name: str, built_in: BuiltIn, options: Mapping[str, OptionValue]) -> None:
    """Raise AgentError for a text where a built-in agent takes a number; its `configure` checks the rest."""
    for key, default in parse_options(built_in.takes).items():
        number = default is None or (isinstance(default, (int, float)) and not isinstance(default, bool))
        if number and isinstance(value := options.get(key), (str, bool)):
            given = value if isinstance(value, str) else "on" if value else "off"
            sentence = _("{agent} takes a number for {key}, not {value!r}; such as {agent}:{key}={example}")
            raise AgentError(sentence.format(agent=name, key=key, value=given, example=default or 1))


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
    if path.suffix == ".py" or "/" in where or "\\" in where:
        sentence = _("there is no agent at {where}; give the path of a submission.py, or of its folder")
        raise AgentError(sentence.format(where=where))
    name, colon, options = where.partition(":")
    if colon and name in BUILT_INS:
        if re.fullmatch(r"\w+", options):
            sentence = _("the option {option!r} of {agent} has no value; write {agent}:{option}=VALUE")
            raise AgentError(sentence.format(option=options, agent=name))
        sentence = _(
            "cannot read the options of {agent!r}; write NAME:key=value,key=value, and several numbers as 6/8/11"
        )
        raise AgentError(sentence.format(agent=where))
    if re.fullmatch(r"level\d", where):
        raise AgentError(_("a level of our engine plays only against people: tengen play {level}").format(level=where))
    sentence = _("{sentence} (or give the path of a submission.py)")
    raise AgentError(sentence.format(sentence=unknown(_("agent"), where, known)))
