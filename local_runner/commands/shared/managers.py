"""Translates the command line of c-gomoku-cli into that of `tengen tournament` and `tengen sprt`.

    -each tc=0/5 -engine name=A cmd=./a -engine name=B cmd=./b -games 2 -repeat -openings file=book.txt -pgn games.pgn

The options that mean the same here are translated, with the defaults of c-gomoku-cli. All others are refused in one
sentence. Some options of fastchess have the same form. Options of ours, with two dashes, may stand among them.
"""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from local_runner.errors import RunnerError
from local_runner.language.languages import Message, _, listed, shown

COMMANDS = ("tournament", "sprt")
SIGNS = ("-engine", "-each")  # options that only a command line of c-gomoku-cli has
BYTES = 1_000_000  # in a MB
MOST_MB, OVER = 500, 1.2  # the usual --memory; the memory that an engine may use, relative to what it is told
TOLERANCE, MEMORY = 3.0, "367001600"  # defaults of c-gomoku-cli, in seconds and bytes

VALUES = {  # options with one value -> ours
    "concurrency": "--jobs", "boardsize": "--board-size", "pgn": "--pgn", "sgf": "--sgf", "srand": "--seed",
}  # fmt: skip
FLAGS: Mapping[str, Sequence[str]] = {"repeat": (), "gauntlet": ("--schedule", "gauntlet"), "recover": ("--recover",)}
KEYS = {  # options with keys: key=value -> our option
    "openings": {"file": "--openings", "srand": "--seed"},
    "sprt": {"elo0": "--elo0", "elo1": "--elo1", "alpha": "--alpha", "beta": "--beta"},
}  # fmt: skip
WORDS: Mapping[tuple[str, str], Mapping[str, Sequence[str]]] = {  # option and key -> values that mean the same here
    ("rule", ""): {"0": ()},
    ("openings", "type"): {"pos": (), "offset": ()},
    ("openings", "order"): {"random": (), "sequential": ("--in-order",)},
}  # fmt: skip
ENGINE = {"depth": "max_depth", "nodes": "max_node", "maxmemory": "max_memory", "thread": "thread_num"}  # INFO lines
TIME = re.compile(r"0(?:\.0*)?/([0-9]*\.?[0-9]+)(?:\+0(?:\.0*)?)?")
COUNTS = ("games", "rounds")
_ADJUDICATED = Message("games are played to their end")
_KEPT = Message("the tournament's file keeps every game with the engines' messages")
REFUSED = {  # options -> why they have no counterpart
    "draw": _ADJUDICATED, "resign": _ADJUDICATED, "drawafter": _ADJUDICATED, "log": _KEPT, "debug": _KEPT, "msg": _KEPT,
    "sample": _KEPT, "loseonly": _KEPT, "transform": Message("openings are played as they stand in the book"),
    "sendbyboard": Message("an engine gets TURN, and BOARD where it does not know the position"),
    "fatalerror": Message("--no-recover ends the tournament at a crash"),
}  # fmt: skip


def translated(args: Sequence[str], command: str) -> list[str]:
    """Our arguments for these; unchanged if they are ours. `command`: one of COMMANDS.

    Raises RunnerError for an option without a counterpart, and for values that mean something else here.
    """
    if command not in COMMANDS or not any(word in SIGNS for word in args):
        return list(args)
    ours, each, engines = list[str](), dict[str, str](), list[dict[str, str]]()
    counts = {"games": 1, "rounds": 1}
    seen = set[str]()
    for option, words in _options(args):
        if not option.startswith("-") or option.startswith("--"):
            ours += [option, *words] if option else words
            continue
        name = option[1:]
        seen.add(name)
        if name == "engine":
            engines.append(_keys(option, words))
        elif name == "each":
            each |= _keys(option, words)
        elif name in COUNTS:
            counts[name] = _count(option, _one(option, words))
        elif name in VALUES:
            ours += [VALUES[name], _one(option, words)]
        elif name in FLAGS:
            if words:
                raise RunnerError(_("{option} takes no value").format(option=option))
            ours += [] if command == "sprt" and name == "gauntlet" else FLAGS[name]
        elif name in KEYS or (name, "") in WORDS:
            ours += _of_keys(option, words, command)
        else:
            raise RunnerError(_no_counterpart(option))
    agents = [{**engine, **each} for engine in engines]
    return [*_agents(agents, ours), *_games(counts, "repeat" in seen), *_defaults(seen, ours), *ours]


def _options(args: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Each option with the words behind it, up to the next option; "" for words before the first."""
    option, words = "", list[str]()
    for word in args:
        if re.match(r"--?[A-Za-z]", word):
            if option or words:
                yield option, words
            option, words = word, []
        else:
            words.append(word)
    yield option, words


def _one(option: str, words: Sequence[str]) -> str:
    if len(words) != 1:
        raise RunnerError(_("{option} needs one value, not {number}").format(option=option, number=len(words)))
    return words[0]


def _count(option: str, word: str) -> int:
    if not re.fullmatch("[1-9][0-9]{0,8}", word):
        raise RunnerError(_("{option} needs a number from 1 on, not {word!r}").format(option=option, word=word))
    return int(word)


def _keys(option: str, words: Sequence[str]) -> dict[str, str]:
    """The words of an option as key -> value. A key of -engine is one that this module knows, or begins with option."""
    found = dict[str, str]()
    for word in words:
        key, equals, value = word.partition("=")
        if not (equals and value):
            raise RunnerError(_("{option} takes key=value, not {word!r}").format(option=option, word=word))
        if option in SIGNS and key not in ("cmd", "name", "tc", "st", "tolerance", *ENGINE) and key[:7] != "option.":
            raise RunnerError(_no_counterpart(f"{option} {key}"))
        found[key] = value
    return found


def _of_keys(option: str, words: Sequence[str], command: str) -> list[str]:
    """Our options for one of KEYS or WORDS."""
    name = option[1:]
    if name == "sprt" and command != "sprt":
        raise RunnerError(_("-sprt is another command here: tengen sprt, with the same options"))
    ours = ["--in-order"] if name == "openings" and not any(word.startswith("order=") for word in words) else []
    for key, value in _keys(option, words).items() if name in KEYS else [("", _one(option, words))]:
        if (same := WORDS.get((name, key))) is not None:
            if value not in same:
                raise RunnerError(_no_counterpart(f"{option} {key}={value}" if key else f"{option} {value}"))
            ours += same[value]
        elif key in KEYS[name]:
            ours += [KEYS[name][key], value]
        else:
            raise RunnerError(_no_counterpart(f"{option} {key}"))
    return ours


def _no_counterpart(option: str) -> str:
    why = REFUSED.get(option.split()[0][1:])
    sentence = _("{option} has no counterpart here: {why}; leave it out") if why else _(
        "{option} has no counterpart here; leave it out, or see what is translated in how-to/engines.md")  # fmt: skip
    return sentence.format(option=option, why=shown(why or ""))


def _agents(engines: Sequence[Mapping[str, str]], ours: Sequence[str]) -> Iterator[str]:
    """The agents, their names, and the limits that they have in common."""
    for engine in engines:
        if "cmd" not in engine:
            raise RunnerError(_("-engine needs cmd=COMMAND"))
        info = {ENGINE[key]: value for key, value in engine.items() if key in ENGINE}
        info |= {key[7:]: value for key, value in engine.items() if key.startswith("option.")}
        info = {"timeout_turn": f"{1000 * _seconds(engine):.0f}", "max_memory": MEMORY, **info}
        yield f"gomocup:{engine['cmd']}:" + ",".join(f"{key}={value}" for key, value in info.items())
    names = [engine.get("name", "") for engine in engines]
    if wrong := [name for name in names if "," in name]:
        raise RunnerError(_("the name {name!r} has a comma; leave the comma out").format(name=wrong[0]))
    if any(names):
        yield from ("--names", ",".join(names))
    if "--time" not in ours:
        yield from ("--time", f"{_common(engines, _deadline, 'tc'):g}")
    told = max((float(engine["maxmemory"]) for engine in engines if _is_number(engine.get("maxmemory"))), default=0.0)
    if "--memory" not in ours and OVER * told > MOST_MB * BYTES:
        yield from ("--memory", str(math.ceil(OVER * told / BYTES)))


def _is_number(text: str | None) -> bool:
    return text is not None and re.fullmatch(r"[0-9]{1,15}(?:\.[0-9]*)?", text) is not None


def _seconds(engine: Mapping[str, str]) -> float:
    """The time for a move that an engine is told, in seconds. Raises RunnerError unless it is the only limit."""
    found = TIME.fullmatch(engine.get("tc", f"0/{engine.get('st', '')}"))
    if found is None or not float(found[1]):
        raise RunnerError(_("only a limit for each move is the same here, not one for the game: write tc=0/SECONDS"))
    return float(found[1])


def _deadline(engine: Mapping[str, str]) -> float:
    """The time after which a move is late, in seconds."""
    tolerance = engine.get("tolerance", str(TOLERANCE))
    if not _is_number(tolerance):
        raise RunnerError(_("{option} needs a number, not {word!r}").format(option="tolerance", word=tolerance))
    return _seconds(engine) + float(tolerance)


def _common(engines: Sequence[Mapping[str, str]], of: Callable[[Mapping[str, str]], float], what: str) -> float:
    """The value that all engines share. Raises RunnerError if they differ."""
    values = {of(engine) for engine in engines}
    if len(values) > 1:
        raise RunnerError(_("all engines have one {what} here, not {values}; give it by -each").format(
            what=what, values=listed(f"{value:g}" for value in sorted(values))))  # fmt: skip
    return values.pop() if values else 0.0


def _games(counts: Mapping[str, int], repeated: bool) -> list[str]:
    """The rounds of pairs of games. Raises RunnerError unless each opening is played in both colours."""
    games = counts["games"] * counts["rounds"]
    if not repeated or games % 2:
        raise RunnerError(_("each opening is played in both colours here: give -repeat and an even number of -games"))
    return ["--rounds", str(games // 2)]


def _defaults(seen: set[str], ours: Sequence[str]) -> Iterator[str]:
    """What c-gomoku-cli does without an option: freestyle with draws, one game at once, from the empty board."""
    if "--rules" not in ours:
        yield from ("--rules", "stated")
    if "concurrency" not in seen and "--jobs" not in ours:
        yield from ("--jobs", "1")
    if "--openings" not in ours:
        yield from ("--openings", "start")
    saved = next((ours[at + 1] for at, word in enumerate(ours) if word in ("--pgn", "--sgf")), None)
    if saved is not None and "--out" not in ours:
        yield from ("--out", str(Path(saved).with_suffix(".db")))
