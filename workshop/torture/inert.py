"""Hostile text in every field of a tournament, a match and a study is inert in every medium that shows it.

A trial puts hostile text (HTML, JavaScript, quotes, newlines, right-to-left marks, terminal sequences, markup,
formulas, 10 kB) into all fields, shows everything in the terminal, and writes the page, both kinds of Markdown, JSON,
CSV, plots and a log. `media.py` says what is wrong with them.
"""
from __future__ import annotations

import functools
import json
import random
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from rich.console import Console, RenderableType
from rich.text import Text

from local_runner import display, report
from local_runner.agents import AgentSpec
from local_runner.bench import latency
from local_runner.bench import plot as bench_plot
from local_runner.bench.timed_calls import Condition, TimedCall
from local_runner.errors import RunnerError
from local_runner.human.thoughts import thought_line
from local_runner.platform_log import write_log
from local_runner.processes.load import Load
from local_runner.records import as_json
from local_runner.screens import MatchScreen, TournamentScreen
from local_runner.session import GameSession
from local_runner.statistics.counts import Pentanomial, Tally
from local_runner.statistics.sprt import Sprt
from local_runner.study import output, per_move_time
from local_runner.text import SENTENCE, in_file_name, in_json, in_line, shortened
from local_runner.tournament.run import RunEnd
from local_runner.tournament.standings import Standings
from local_runner.tournament.store import read
from workshop.torture import media
from workshop.torture.hostile_text import Supply, hostile, record_of, study, texts_in, tournament

NAME = "inert"
AMOUNT = 300
ALLOWED = "no text that acts, no broken file"


def trial(number: int, scratch: Path) -> str:
    """Everything with hostile texts, a different one in each field."""
    chance = random.Random(f"inert {number}")
    return wrong(lambda: hostile(chance), scratch, plots=number % 10 == 0)


def wrong(supply: Supply, scratch: Path, *, plots: bool = False) -> str:
    """What is not inert if the fields hold the texts of `supply`; "" if everything is. `plots`: the slow ones too."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = [
            *_reports(supply, _new(scratch)), *_terminal(supply, _new(scratch)), *_json(supply),
            *_studies(supply, _new(scratch)), *_files(supply, _new(scratch)),
            *(_plots(supply, _new(scratch)) if plots else ()),
        ]  # fmt: skip
    return next((f"{where}: {what}" for where, what in found if what), "")


def _new(scratch: Path) -> Path:
    return Path(tempfile.mkdtemp(dir=scratch))


@functools.cache
def _plain_report() -> tuple[str, str]:
    with tempfile.TemporaryDirectory() as folder:
        path, _, _ = tournament(lambda: media.PLAIN, Path(folder))
        return _written(path)


def _written(path: Path) -> tuple[str, str]:
    """The page and the summary of a tournament."""
    out, short = path.parent / "page.html", path.parent / "short.md"
    report.write(path, out, short)
    return out.read_bytes().decode(), short.read_bytes().decode()


def _reports(supply: Supply, folder: Path) -> Iterator[tuple[str, str]]:
    path, plan, games = tournament(supply, folder)
    page, short = _written(path)
    plain_page, plain_short = _plain_report()
    name = shortened(plan.names[0])
    yield "HTML", media.in_html(page, plain_page, name)
    yield "HTML", media.in_html(page, plain_page, shortened(games[0].detail, SENTENCE))
    yield "Markdown", media.in_markdown(short, plain_short, name.strip())
    if len(page) > 2 * len(plain_page) + 100_000:
        yield "HTML", f"{len(page)} characters"


def _terminal(supply: Supply, folder: Path) -> Iterator[tuple[str, str]]:
    path, plan, games = tournament(supply, folder)
    screen = MatchScreen(plan)
    screen.board.began(GameSession(plan.terms.setup, (plan.names[0], plan.names[1])))
    standings = Standings(plan.names, games)
    test = Sprt(0, 10)
    tables: list[RenderableType] = [
        display.match_table(plan, games), display.standings_table(standings), screen,
        display.sprt_table(test, plan.names, Tally(1), Pentanomial((0, 0, 1, 0, 0))),
        output.table(supply(), study(supply)[0].summary),
    ]  # fmt: skip
    lines: list[RenderableType] = [
        *(display.game_line(plan, game) for game in games),
        *(display.fault_report(game.record, game.number) for game in games),
        *(Text(thought_line(call["thought"])) for call in games[0].record["calls"]),
        Text(shortened(str(RunnerError(supply())))),
    ]
    with read(path) as store:
        tables.append(TournamentScreen(store))
        lines += TournamentScreen(store).summary(RunEnd(complete=False, crashed=games[0]))
    for shown in tables:
        yield "terminal", media.in_terminal(shown, 20)
    for shown in lines:
        yield "terminal", media.in_terminal(shown, 10, wraps=False)
    console = Console(width=media.TERMINAL, color_system=None, highlight=False)
    with console.capture() as capture:
        latency.show(supply(), supply(), _conditions(supply), console)
    yield "terminal", media.in_terminal(Text(capture.get()), 10)
    heading = shortened(plan.names[0], display.NAME_WIDTH)
    with console.capture() as capture:
        console.print(screen)
    if heading not in capture.get():
        yield "terminal", f"{heading!r} is not shown, perhaps taken for markup"


def _conditions(supply: Supply) -> list[Condition]:
    calls = [TimedCall(number, True, 0.1, 0.1) for number in range(1, 4)]
    return [Condition(supply(), load, calls, [0.1], 10.0) for load in Load]


def _json(supply: Supply) -> Iterator[tuple[str, str]]:
    folder = Path(tempfile.gettempdir())
    record = as_json(record_of(supply, (supply(), supply())))
    agents = (AgentSpec(supply(), folder, {supply(): supply()}),) * 2
    for value in (record, as_json(agents), {"header": supply()}):
        for indent in (None, 1):
            text = in_json(value, indent)
            if json.loads(text) != value:
                yield "JSON", "it does not read back equal"
            if not text.isascii() or media.STEERING & set(text):
                yield "JSON", "it holds characters that steer a terminal"
    if not set(texts_in(record)) <= set(texts_in(json.loads(in_json(record)))):
        yield "JSON", "a text is missing"


def _studies(supply: Supply, folder: Path) -> Iterator[tuple[str, str]]:
    result, head, command = study(supply)
    with_text, plain = (_study_page(*parts, folder) for parts in ((result, head, command), study(lambda: media.PLAIN)))
    (page, table, kept), (plain_page, _, _) = with_text, plain
    first = str(next(iter(result.rows[0].values())))
    yield "Markdown of a study", media.in_markdown(page, plain_page, shortened(first).strip())
    cells = [list(result.rows[0]), *(list(row.values()) for row in result.rows)]
    lines = [[in_line(cell) if isinstance(cell, str) else cell for cell in row] for row in cells]
    yield "CSV", media.in_csv(table, lines)
    if json.loads(kept) != json.loads(json.dumps({**head, "rows": result.rows})):
        yield "JSON of a study", "it does not read back equal"


def _study_page(result: output.StudyResult, head: dict[str, Any], command: str, folder: Path) -> tuple[str, str, str]:
    place = folder / "out" / "study"
    output.claim(place, "study")
    output.write(result, place, head, command)
    page, table, kept = (path.read_bytes().decode() for path in (
        place.parent / "study.md", place / "table.csv", place / "table.json"))  # fmt: skip
    return page, table, kept


def _files(supply: Supply, folder: Path) -> Iterator[tuple[str, str]]:
    """The log of a game, whose answers may be any text, and the names of files."""
    log = {"game_name": "gobang_1v1", "steps": [{"joint_action": [supply(), [supply()]]}]}
    text = write_log(log, folder).read_bytes().decode()
    if json.loads(text) != log or not text.isascii():
        yield "log", "it does not read back equal"
    path = folder / (in_file_name(supply()) + ".db")
    path.write_text("")
    if path.parent != folder or [each for each in folder.iterdir() if each.suffix == ".db"] != [path]:
        yield "file name", f"{path} is elsewhere"


def _plots(supply: Supply, folder: Path) -> Iterator[tuple[str, str]]:
    """Plots are drawn without a warning, and as well-formed SVG without scripts and links."""
    names = [supply(), supply()]
    seconds = {("tictactoe_1v1", names[1], name): {1: [0.1, 0.2], 2: [0.3]} for name in names}
    for name, draw in per_move_time.outcome(seconds).plots.items():
        output.save(draw, folder / name)
    bench_plot.save(_conditions(supply), folder / "bench.svg")
    for path in folder.glob("*.svg"):
        kinds = {element.tag.rpartition("}")[2] for element in ElementTree.parse(path).iter()}
        if strange := kinds & {"script", "a", "image", "foreignObject"}:
            yield "plot", f"{sorted(strange)} in {path.name}"
