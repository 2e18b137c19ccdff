"""Hostile texts, and a tournament that holds them in every field that a stranger can write.

`Supply` is a function that gives the text for the next field.
"""

from local_runner.agents.spec import AgentSpec
from local_runner.game.faults import Fault, FaultKind
from local_runner.game.records import AgentReport, Call, GameRecord, Loaded, Result
from local_runner.game.setup import GameSetup
from local_runner.matches.games import PlayedGame, create
from local_runner.matches.plan import Plan, Terms
from local_runner.matches.schedule import Schedule

LONG = 10_000  # characters of a long text
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


def visible(text):
    """With a letter at its end, since an empty field may be left out, and with pairs of surrogates as characters."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass") + "x"


def encodable(text):
    """Without lone surrogates, which SQLite refuses to keep and the runner never passes on."""
    return text.encode("utf-8", "replace").decode()


def tournament(supply, folder):
    """A file with a hostile name: a tournament of two agents that is not finished, with two of four games."""
    agents = []
    for number in range(2):
        name = encodable(supply()).replace("/", "_").replace("\0", "_").encode()[-200:].decode("utf-8", "ignore")
        path = folder / f"{name.strip('.')}{number}.py"
        path.write_text("")
        agents.append(AgentSpec(f"{encodable(supply())}{number}", path, {supply(): supply(), "depth": number}))
    terms = Terms(GameSetup("tictactoe_1v1"))
    plan = Plan(tuple(agents), terms, Schedule.ROUND_ROBIN, 2, ((),), recover=True)
    header = {key: supply() for key in ("tengen", "commit", "python", "cpu", "system", "begun", "machine")}
    games = []
    for number, (black, white) in ((1, (0, 1)), (2, (1, 0))):
        printed = {"Black": supply(), "White": supply()}
        details = record_of(supply, (plan.names[black], plan.names[white])).details(printed)
        fault = Fault(FaultKind.RAISED, {"error": encodable(supply())}, encodable(supply()))
        result = Result(2, fault=fault)
        games.append(PlayedGame(number, black, white, result, "1,0 1,1 1,2", 1,
                                encodable(supply()), "2026-01-02T03:04:05Z", 1.0, details))  # fmt: skip
    path = agents[0].path.with_suffix(".jsonl")
    with create(path, plan, header) as kept:
        for game in games:
            kept.add(game)
    return path, plan, games


def record_of(supply, names):
    """A game that Black lost by a fault."""
    thoughts = [{supply(): supply(), "depth": supply()}, {"value": [supply()], "nodes": 12}]
    calls = tuple(Call(step, step % 2, 1, step, 0.2, 0.1, turn, thought=thoughts[step % 2])
                  for step in range(3) for turn in (True, False))  # fmt: skip
    agents = tuple(AgentReport(name, Loaded(0.1, 0.1, 10.0, 5.0, supply()), 12.0, 99, 1, (supply(),), (supply(),),
                               supply()) for name in names)  # fmt: skip
    result = Result(2, fault=Fault(FaultKind.RAISED, {"error": supply()}, supply()))
    return GameRecord("tictactoe_1v1", "platform", 1, (), ((1, 0), (1, 1), (1, 2)), calls, result, agents,
                      {"steps": [supply()]})  # fmt: skip
