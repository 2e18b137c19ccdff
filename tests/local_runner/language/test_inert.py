"""Text of strangers is inert in every medium, whatever it is and in whatever field it stands.

A page with hostile texts has the same tags, blocks and links as the page with PLAIN in the same fields; other parsers
than the project's say so.
"""

import functools
import itertools
import json
import random
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
from local_runner.errors import RunnerError
from local_runner.formats.tournament_page import tournament_page
from local_runner.game.codec import as_json
from local_runner.game.platform_log import write_log
from local_runner.game.session import GameSession
from local_runner.language import text as media
from local_runner.language.text import ending, in_json, in_line, in_plot, printable, shortened
from local_runner.matches import display
from local_runner.matches.games import read
from local_runner.matches.run import RunEnd
from local_runner.matches.screens import MatchScreen, TournamentScreen
from local_runner.matches.standings import Standings
from local_runner.matches.statistics.counts import Pentanomial, Tally
from local_runner.matches.statistics.sprt import Sprt
from local_runner.play.showing import thought_line
from tests.local_runner.language.hostile_text import LONG, PIECES, record_of, tournament, visible

PLAIN = "plain"
MOST = 12_000  # characters that anything in the terminal takes: a traceback's 8,000, an error's 1,500, names
TERMINAL = 80  # columns
# Characters that a terminal obeys, hides or turns around. local_runner/language/text.py has a list of its own.
STEERING = ({*map(chr, range(0x20)), *map(chr, range(0x7F, 0xA0))} - {"\n", "\t"}) | set(
    "\u00ad\u061c\u200b\u200c\u200d\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff\ufffe"
)
LONG_TEXTS = [visible((piece * LONG)[:LONG]) for piece in PIECES]
TEXTS = st.one_of(
    st.text(), st.sampled_from(LONG_TEXTS),
    st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=3)), max_size=6).map("".join),
).map(visible)  # fmt: skip


class Skeleton(HTMLParser):
    """`tags` with their attributes, without titles; `scripts`; `texts` of everything else."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.scripts, self.texts, self.tag = [], [], [], ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, [(name, name != "title" and value) for name, value in attrs]))
        self.tag = tag

    def handle_endtag(self, tag):
        self.tags.append(f"/{tag}")
        self.tag = ""

    def handle_data(self, data):
        (self.scripts if self.tag == "script" else self.texts).append(data)

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


def written(supply, folder):
    """A tournament with these texts, and its page."""
    path, plan, games = tournament(supply, Path(tempfile.mkdtemp(dir=folder)))
    return path, plan, games, tournament_page(path)


@functools.cache
def plain():
    """The page of a tournament with PLAIN in every field."""
    with tempfile.TemporaryDirectory() as folder:
        return written(lambda: PLAIN, folder)[3]


def check(supply, folder):
    """Everything that shows or keeps texts, with the texts of `supply`."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        path, plan, games, page = written(supply, folder)
        found, model = Skeleton(page), Skeleton(plain())
        assert found.tags == model.tags and len(found.scripts) == len(model.scripts)
        assert found.scripts[1:] == model.scripts[1:]
        assert not STEERING & set(page) and len(page) <= 2 * len(plain()) + 100_000
        data = json.loads(found.scripts[0])
        [*_newer, row] = data["tournament"]["en"]["games"]
        assert row["names"][0] == shortened(plan.names[games[0].black])
        check_screens(supply, path, plan, games)
        record = as_json(record_of(supply, (supply(), supply())))
        for indent in (None, 1):
            text = in_json(record, indent)
            assert json.loads(text) == record and text.isascii() and not STEERING & set(text)
        log = {"game_name": "gobang_1v1", "steps": [{"joint_action": [supply(), [supply()]]}]}
        text = write_log(log, Path(folder)).read_bytes().decode()
        assert json.loads(text) == log and text.isascii()


def check_screens(supply, path, plan, games):
    """Everything that a command shows of a match, a tournament, a test and a benchmark."""
    screen = MatchScreen(plan)
    screen.board.began(GameSession(plan.terms.setup, plan.names))
    figures = bench.Figures(supply(), 1.0, {"": bench.CallFigures(9, 1.0, 2.0, 3.0, 4.0, 5.0)}, faults=[supply()])
    kept = read(path)
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
        *TournamentScreen(kept).summary(RunEnd(complete=False, crashed=games[0])),
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


@pytest.mark.slow
@settings(deadline=None, max_examples=15)
@given(TEXTS)
@example(visible("\t" * LONG))
def test_any_text_in_any_medium(text):
    line = in_line(text)
    assert json.loads(in_json(text)) == text and not STEERING & set(in_json(text)) and in_json(text).isascii()
    for shown in (printable(text), line, shortened(text), ending(text, 500), in_plot(text)):
        assert not STEERING & set(shown) and shown.encode()
    assert max(cell_len(shortened(text)), cell_len(in_plot(text)) - 1) <= 60 and len(ending(text, 500)) <= 501
    assert not in_plot(text).startswith("_") and media.in_file_name(text).replace("_", "x").isalnum()


HOSTILE = ("=`<b>'\" x=y |[a](x.png)", "[/bold]\x1b[2J\u202e\ud800\n'$\\frac{棋", "long " * LONG, "\t" * LONG)


def test_hostile_text_in_every_field(tmp_path):
    check(itertools.cycle(map(visible, HOSTILE)).__next__, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("texts", [[visible(piece) for piece in PIECES], LONG_TEXTS[::2]], ids=["short", "long"])
def test_another_hostile_text_in_each_field(texts, tmp_path):
    supply = itertools.cycle(texts).__next__
    for _ in range(2):
        check(supply, tmp_path)


@pytest.mark.slow
@settings(max_examples=10, deadline=None)
@given(st.lists(TEXTS, min_size=1, max_size=12))
def test_any_text_in_any_field(texts):
    with tempfile.TemporaryDirectory() as folder:
        check(itertools.cycle(texts).__next__, folder)


@pytest.mark.slow
@pytest.mark.seeds(1)
def test_random_texts_in_every_field(number, tmp_path):
    chance = random.Random(number)

    def supply():
        pieces = [chance.choice((*PIECES, chr(chance.randrange(0x110000)))) for _ in range(chance.randint(1, 8))]
        return visible(("".join(pieces) * chance.choice((*[1] * 9, LONG)))[:LONG])

    check(supply, tmp_path)
