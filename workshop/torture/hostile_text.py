"""Hostile text, and a tournament, a study and a match that hold it in every field that a stranger can write.

`Supply` is a function that returns the text for the next field, so one text or a different one for each can be given.
"""
from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from local_runner.agents import AgentSpec
from local_runner.fixture import Terms
from local_runner.game_setup import GameSetup
from local_runner.records import AgentReport, Call, Fault, GameRecord, Loaded, Reason, Result, as_json
from local_runner.study.output import StudyResult
from local_runner.tournament.plan import Pair, TournamentPlan
from local_runner.tournament.schedule import Pairing
from local_runner.tournament.store import PlayedGame, create

Supply = Callable[[], str]

LONG = 10_000               # characters of a long text
PIECES = (
    "</script><script>alert(1)</script>", "<img src=x onerror=alert(1)>", '" onmouseover="alert(1)', "' autofocus x='",
    "<!--", "-->", "]]>", "<svg/onload=alert(1)>", "javascript:alert(1)", "{{ 7 * 7 }}", "{% raw %}", "&lt;b&gt;",
    "\x1b[2J\x1b[31m", "\x1b]0;title\x07", "\x1b]8;;http://x.example\x1b\\", "\x9b1m", "\r", "\n", "\r\n", "\t", "\x00",
    "\x7f", "\x85", "\u2028", "\u2029", "\u202e", "\u2066", "\u200f", "\u061c", "\ufeff", "\u200b", "\ufffe",
    "[bold red]", "[/]", "[link=http://x.example]", ":smile:", "\\[", "=1+1", "+1", "-1", "@SUM(A1)", "'=1", ",", '"',
    "|", "`", "``", "```\n", "*b*", "_i_", "# head", "[a](http://x.example)", "![a](x.png)", "<http://x.example>",
    "http://x.example", "www.x.example", "a@x.example", "$x_1$", "$\\frac{", "\\input{x}", "_hidden", "(name 0)",
    ' version="', ' xmlns="', "font: 10px", "url(#x)", "#100001", "棋圣", "é", "e\u0301" * 40, "\U0001f600", "שלום",
    "\ud800", "\udcff", "%s%n", "../../x", "CON", " ", "\\", ";", "~~s~~", "&#60;", "\U000e0041",
)  # fmt: skip


def hostile(chance: random.Random) -> str:
    """A hostile text: some pieces and some random characters, now and then a long one."""
    text = "".join(_piece(chance) for _ in range(chance.randint(1, 8)))
    if chance.random() < 0.1:
        text = (text * LONG)[:LONG]
    return visible(text)


def _piece(chance: random.Random) -> str:
    if chance.random() < 0.8:
        return chance.choice(PIECES)
    return "".join(chr(chance.randrange(0x110000)) for _ in range(chance.randint(1, 5)))


def visible(text: str) -> str:
    """The text with a letter at its end: a field that is empty may be left out, which is no fault.

    Two surrogates that make a character become it, since JSON cannot tell them from it.
    """
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass") + "x"


def encodable(text: str) -> str:
    """The text without lone surrogates, which SQLite refuses to keep and the runner never passes on."""
    return text.encode("utf-8", "replace").decode()


def file_name(text: str) -> str:
    """A text as the name of a file, as long as a file system allows."""
    kept = encodable(text).replace("/", "_").replace("\0", "_").encode()[-200:].decode("utf-8", "ignore")
    return kept.strip(".") or "x"


def plan_of(supply: Supply, folder: Path) -> TournamentPlan:
    """Two agents with hostile names, paths and options; games of tic-tac-toe."""
    agents = []
    for number in range(2):
        path = folder / (file_name(supply()) + f"{number}.py")
        path.write_text("my_controller = None\n")
        agents.append(AgentSpec(f"{encodable(supply())}{number}", path, {supply(): supply(), "depth": number}))
    return TournamentPlan(tuple(agents), Terms(GameSetup("tictactoe_1v1")), "round-robin", 2, ((),), recover=True)


def record_of(supply: Supply, names: tuple[str, str]) -> GameRecord:
    """A game that Black lost by a fault, with hostile text in every field of its record."""
    thoughts: list[dict[str, Any]] = [{supply(): supply(), "depth": supply()}, {"value": [supply()], "nodes": 12}]
    calls = tuple(Call(step, step % 2, 1, step, 0.2, 0.1, turn, thought=thoughts[step % 2])
                  for step in range(3) for turn in (True, False))  # fmt: skip
    black, white = (
        AgentReport(name, Loaded(0.1, 0.1, 10.0, 5.0, supply()), 12.0, 99, 1, (supply(),), (supply(),), supply())
        for name in names
    )
    fault = Fault(Reason.CRASH, supply(), supply())
    return GameRecord("tictactoe_1v1", "platform", 1, (), ((1, 0), (1, 1), (1, 2)), calls,
                      Result(2, Reason.CRASH, supply(), fault), (black, white), {"steps": [supply()]})  # fmt: skip


def game_of(supply: Supply, plan: TournamentPlan, number: int) -> PlayedGame:
    """A played game as a row of a tournament."""
    black, white = ((number + 1) % 2, number % 2)
    record = as_json(record_of(supply, (plan.names[black], plan.names[white])))
    record["printed"] = {"Black": supply(), "White": supply()}
    return PlayedGame(number, 1, black, white, 2, Reason.CRASH.value, encodable(supply()), "1,0 1,1 1,2", 1,
                      encodable(supply()), "2026-01-02T03:04:05Z", 1.0, record)  # fmt: skip


def tournament(supply: Supply, folder: Path) -> tuple[Path, TournamentPlan, list[PlayedGame]]:
    """A file with a hostile name and a tournament in it that is not finished: two of four games are played."""
    plan = plan_of(supply, folder)
    path = folder / (file_name(supply()) + ".db")
    games = [game_of(supply, plan, number) for number in (1, 2)]
    header = {key: supply() for key in ("tengen", "commit", "python", "cpu", "system", "begun", "machine")}
    with create(path, plan, header) as store:
        store.add_pairs([Pair(1, 1, Pairing(0, 1), ())])
        store.add_games(games)
    return path, plan, games


def study(supply: Supply) -> tuple[StudyResult, dict[str, Any], str]:
    """A study with hostile names of columns and agents, its head, and the command."""
    columns = [f"{supply()}{number}" for number in range(2)]
    rows = [{**{column: supply() for column in columns}, "figure": 1.5, "none": None, "less": -1} for _ in range(2)]
    header = {key: supply() for key in ("cpu", "python", "begun", "commit")}
    return StudyResult(rows, rows, {}), {"header": header, "terms": {supply(): supply()}}, supply()


def texts_in(value: Any) -> Iterator[str]:
    """All strings in plain values."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, entry in value.items():
            yield from (str(key), *texts_in(entry))
    elif isinstance(value, (list, tuple)):
        for entry in value:
            yield from texts_in(entry)
