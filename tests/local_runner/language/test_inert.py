"""Any text of strangers, in any field, is inert in every medium.

Python's HTML parser finds the same tags in a page with hostile texts as in the page with PLAIN in the same fields.
`supply` is a function that gives the text for the next field.
"""

import functools
import itertools
import json
import tempfile
import warnings
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from local_runner import bench
from local_runner.agents.spec import AgentSpec
from local_runner.errors import RunnerError
from local_runner.formats.tournament_page import tournament_page
from local_runner.game.faults import Fault, FaultKind
from local_runner.game.platform_log import write_log
from local_runner.game.records import AgentReport, Call, GameDetails, Loaded, Result
from local_runner.game.session import GameSession
from local_runner.game.setup import GameSetup
from local_runner.language.text import ending, in_file_name, in_json, in_line, printable, shortened
from local_runner.matches import display
from local_runner.matches.games import PlayedGame, create, read
from local_runner.matches.plan import Plan, Terms
from local_runner.matches.schedule import Schedule
from local_runner.matches.screens import MatchScreen, TournamentScreen
from local_runner.matches.standings import Standings
from local_runner.matches.statistics.elo import Pentanomial, Tally
from local_runner.matches.statistics.sprt import Sprt
from local_runner.play.showing import thought_line

LONG = 10_000  # characters of a long text
PIECES = (
    "</script><script>alert(1)</script>", "<img src=x onerror=alert(1)>", '" onmouseover="alert(1)', "' autofocus x='",
    "<!--", "-->", "]]>", "<svg/onload=alert(1)>", "&lt;b&gt;", "&#60;", ' xmlns="', "url(#x)", "{{ 7 * 7 }}",
    "\x1b[2J\x1b[31m", "\x1b]0;title\x07", "\x1b]8;;http://x.example\x1b\\", "\x9b1m", "\r", "\n", "\t", "\x00", "\x7f",
    "\x85", "\u2028", "\u202e", "\u2066", "\u200f", "\u061c", "\ufeff", "\u200b", "\ufffe", "\U000e0041", "\ud800",
    "[bold red]", "[/]", "[link=http://x.example]", ":smile:", "\\[", "%s%n", "../../x", "棋圣", "e\u0301" * 40,
)  # fmt: skip
PLAIN = "plain"
MOST = 12_000  # most characters of one output in the terminal: a traceback's 8,000, an error's 1,500, names
TERMINAL = 80  # columns
# Characters that a terminal obeys, hides or turns around. local_runner/language/text.py has a list of its own.
STEERING = ({*map(chr, range(0x20)), *map(chr, range(0x7F, 0xA0))} - {"\n", "\t"}) | set(
    "\u00ad\u061c\u200b\u200c\u200d\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff\ufffe"
)


def visible(text):
    """The text with a letter at its end, since an empty field may be left out, and with surrogate pairs decoded."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass") + "x"


def encodable(text):
    """The text without lone surrogates, which the runner never passes on."""
    return text.encode("utf-8", "replace").decode()


def tournament(supply, folder):
    """The file of an unfinished tournament with hostile names: two agents, two of four games played."""
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
        fault = Fault(FaultKind.RAISED, {"error": encodable(supply())}, encodable(supply()))
        games.append(PlayedGame(
            number, black, white, Result(2, fault=fault), "1,0 1,1 1,2", 1, encodable(supply()),
            "2026-01-02T03:04:05Z", 1.0, details_of(supply, (plan.names[black], plan.names[white])),
        ))  # fmt: skip
    path = agents[0].path.with_suffix(".jsonl")
    with create(path, plan, header) as kept:
        for game in games:
            kept.add(game)
    return path, plan, games


def details_of(supply, names):
    """The calls and reports of a game that Black lost by a fault."""
    thoughts = [{supply(): supply(), "depth": supply()}, {"value": [supply()], "nodes": 12}]
    calls = tuple(Call(step, step % 2, 1, step, 0.2, 0.1, turn, thought=thoughts[step % 2])
                  for step in range(3) for turn in (True, False))  # fmt: skip
    agents = tuple(AgentReport(name, Loaded(0.1, 0.1, 10.0, 5.0, supply()), 12.0, 99, 1, (supply(),), (supply(),),
                               supply()) for name in names)  # fmt: skip
    return GameDetails(calls, agents, 0, {"Black": supply(), "White": supply()})


LONG_TEXTS = [visible((piece * LONG)[:LONG]) for piece in PIECES]
TEXTS = st.one_of(
    st.text(), st.sampled_from(LONG_TEXTS),
    st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=3)), max_size=6).map("".join),
).map(visible)  # fmt: skip


class Skeleton(HTMLParser):
    """`tags` with their attributes, without titles; `scripts`."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.scripts = [], []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, [(name, name != "title" and value) for name, value in attrs]))

    def handle_endtag(self, tag):
        self.tags.append(f"/{tag}")

    def handle_data(self, data):
        if self.tags and self.tags[-1][0] == "script":
            self.scripts.append(data)

    def handle_comment(self, data):
        self.tags.append("comment")

    handle_pi = unknown_decl = handle_comment


def check_terminal(shown, *, wraps=True):
    """Rich's output, with and without colours: bounded, without steering, in the columns if it `wraps`."""
    for system in (None, "truecolor"):
        console = Console(width=TERMINAL, force_terminal=bool(system), color_system=system, soft_wrap=not wraps)
        with console.capture() as capture:
            console.print(shown, highlight=False)
        text = Text.from_ansi(capture.get()).plain if system else capture.get()
        assert not STEERING & set(text)
        assert len(text) <= MOST and text.encode()
        assert not wraps or max(map(cell_len, text.splitlines())) <= TERMINAL


@functools.cache
def plain():
    """The page of a tournament with PLAIN in every field."""
    with tempfile.TemporaryDirectory() as folder:
        return tournament_page(tournament(lambda: PLAIN, Path(folder))[0])


def check(supply, folder):
    """Check every function that shows or stores texts, with the texts of `supply`."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        path, plan, games = tournament(supply, Path(tempfile.mkdtemp(dir=folder)))
        page = tournament_page(path)
        found, model = Skeleton(page), Skeleton(plain())
        assert found.tags == model.tags and len(found.scripts) == len(model.scripts)
        assert found.scripts[1:] == model.scripts[1:]
        assert not STEERING & set(page) and len(page) <= 2 * len(plain()) + 100_000
        data = json.loads(found.scripts[0])
        [*_newer, row] = data["tournament"]["en"]["games"]
        assert row["names"][0] == shortened(plan.names[games[0].black])
        check_screens(supply, path, plan, games)
        log = {"game_name": "gobang_1v1", "steps": [{"joint_action": [supply(), [supply()]]}]}
        text = write_log(log, Path(folder)).read_bytes().decode()
        assert json.loads(text) == log and text.isascii()


def check_screens(supply, path, plan, games):
    """Check that no text from `supply` controls the terminal in what the commands for games and measurements show."""
    screen, broken_off = MatchScreen(plan), TournamentScreen(kept := read(path))
    broken_off.crash = games[0]
    screen.board.began(GameSession(plan.terms.setup, plan.names))
    figures = bench.Figures(supply(), 1.0, {"": bench.CallFigures(9, 1.0, 2.0, 3.0, 4.0, 5.0)}, faults=[supply()])
    tables = [
        display.match_table(plan, games), display.standings_table(Standings(plan.names, games)), screen,
        display.sprt_table(Sprt(0, 10), plan.names, Tally(1), Pentanomial((0, 0, 1, 0, 0))),
        TournamentScreen(kept),
    ]  # fmt: skip
    lines = [
        *(display.game_line(plan, game) for game in games),
        *(display.fault_report(game.result, game.details.agents, game.number) for game in games),
        *(Text(thought_line(call.thought)) for call in games[0].details.calls),
        Text(shortened(str(RunnerError(supply())))),
        *broken_off.summary(),
        *map(Text, broken_off.unfinished()),
    ]
    for shown in tables:
        check_terminal(shown)
    for shown in lines:
        check_terminal(shown, wraps=False)
    console = Console(width=TERMINAL, color_system=None, highlight=False)
    with console.capture() as capture:
        bench.show(bench.BenchReport(supply(), supply(), [figures]), console)
    check_terminal(Text(capture.get()))
    with console.capture() as capture:
        console.print(screen)
    assert shortened(plan.names[0], display.NAME_WIDTH) in capture.get(), "perhaps taken for markup"


@settings(deadline=None, max_examples=15)
@given(TEXTS, st.integers(7, 61))
@example(visible("\t" * LONG), 50)
@example("e" + "\u0301" * LONG, 7)
def test_any_text_in_any_medium(text, most):
    line, cut = in_line(text), shortened(text, most)
    assert json.loads(in_json(text)) == text and not STEERING & set(in_json(text)) and in_json(text).isascii()
    for shown in (printable(text), line, cut, ending(text, 500)):
        assert not STEERING & set(shown) and shown.encode()
    assert cell_len(cut) <= most and len(ending(text, most)) <= most + 1
    if cut != line:
        assert "…" in cut and cut.startswith(line[: most // 5]) and cut.endswith(line[-(most // 5) :])
    assert in_file_name(text).replace("_", "x").isalnum() and len(in_file_name(text)) <= 40


@pytest.mark.parametrize(("function", "text", "shown"), [
    (printable, "a\u200fb\u061c\ufeff\U000e0041", r"a\u200fb\u061c\ufeff\U000e0041"),
    (in_file_name, "../a b:c=1", "___a_b_c_1"), (in_file_name, "棋" * 99, "棋" * 40),
    (shortened, "棋" * 30, "棋" * 30), (shortened, "棋" * 31, f"{'棋' * 15}…{'棋' * 14}"),
    (lambda text: ending(text, 50), "\t" * 10_000 + "x", "…" + " " * 49 + "x"),
])  # fmt: skip
def test_a_medium(function, text, shown):
    assert function(text) == shown


HOSTILE = ("=`<b>'\" x=y |[a](x.png)", "[/bold]\x1b[2J\u202e\ud800\n'$\\frac{棋", "long " * LONG, "\t" * LONG)


def test_hostile_text_in_every_field(tmp_path):
    check(itertools.cycle(map(visible, HOSTILE)).__next__, tmp_path)


@pytest.mark.slow
@settings(max_examples=10, deadline=None)
@given(st.lists(TEXTS, min_size=1, max_size=12))
def test_any_text_in_any_field(texts):
    with tempfile.TemporaryDirectory() as folder:
        check(itertools.cycle(texts).__next__, folder)
