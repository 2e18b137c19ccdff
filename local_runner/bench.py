"""Benchmarks of an agent's time and memory, not of its strength: `speed` in fixed positions, `latency` in whole games.

The agent runs in child processes, on this Python, and on Python 3.7 if there is one. Our agent is measured as the
bundle that is uploaded. A slow call is measured, not killed. workshop/lab/bench.py measures the parts of our engines.
"""

import math
import statistics
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from rich.console import Console

from env_adapter import Cell, make
from local_runner.agents.catalogue import SUBMISSION
from local_runner.agents.declared_games import refuse_misfits
from local_runner.agents.spec import AgentSpec, parse_agent
from local_runner.errors import RunnerError
from local_runner.game.records import AgentReport, Call, Reply
from local_runner.game.session import GameSession, fault_in
from local_runner.game.setup import GameSetup, called
from local_runner.game.wording import busy_text, fault_text
from local_runner.language.languages import COLON, COMMA, MOVES, Message, _, amount, brief, shown
from local_runner.language.text import SENTENCE, in_line, shortened
from local_runner.matches.openings.deal import book_for, dealt
from local_runner.processes.child import AgentLimits
from local_runner.processes.interpreters import Interpreter, pythons
from local_runner.processes.process import AgentProcess
from local_runner.processes.sandbox import SandboxMode
from local_runner.system.header import Header, header
from local_runner.terminal.drawing import WideTable
from local_runner.terminal.progress import Meter
from local_runner.upload import bundle

ENV = "gobang_1v1"  # the game of the fixed positions
POSITIONS = Path(__file__).parent / "matches" / "openings" / "gobang_positions.txt"
LIMIT = 1.0  # seconds; the site's time limit of a call
UNHURRIED = 60.0  # seconds; time limit of a call, high enough to measure slow calls instead of killing them
STARTS = 9  # processes in which the import and the first answer are timed; the medians are shown
SIGNATURE_DEPTH = 3  # plies
MOST_FIGURE = 10**12  # larger numbers that an agent reports in `last_thought` are read as 0
QUICK_EVERY = 20  # --quick takes every 20th position
QUICK_STARTS = 3  # STARTS with --quick
ENDLESS = 1e6  # time limit of a search in seconds that no search reaches
SECONDS = 20.0  # time of `latency` if the user gives neither a time nor a number of calls


@dataclass(frozen=True)
class CallFigures:
    """Figures of some calls.

    p50, p99, most: percentiles and maximum in ms
    nodes_per_second: speed of the search; 0 if the agent reports no nodes
    peak_mb: peak memory of the agent's process
    """

    calls: int
    p50: float
    p99: float
    most: float
    nodes_per_second: float
    peak_mb: float


@dataclass(frozen=True)
class Figures:
    """All figures under one interpreter.

    import_ms: median time of the import
    first_ms: `speed`: median time of the first answer
    parts: `speed`: engine ("" for an agent without engines) -> figures of its calls on turn. `latency`: "on turn" and
        "off turn" -> figures of these calls
    signature: `speed`, our agent: the nodes of searches to SIGNATURE_DEPTH in all positions; differs if the search does
    faults: `latency`: the faults by which the agent lost games
    core_share: `latency`: the smallest share of a core that the agent got in a game
    """

    python: str
    import_ms: float
    parts: Mapping[str, CallFigures]
    first_ms: float | None = None
    signature: int | None = None
    faults: Sequence[str] = ()
    core_share: float = 1.0


@dataclass(frozen=True)
class BenchReport:
    """The result of `tengen bench speed` or `tengen bench latency`. figures: one Figures for each interpreter."""

    agent: str
    env: str
    figures: Sequence[Figures]
    header: Header = field(default_factory=header)

    @property
    def late(self) -> bool:
        """Whether a call took longer than LIMIT, or the agent lost a game by a fault."""
        calls = [part for each in self.figures for part in each.parts.values()]
        return any(each.faults for each in self.figures) or any(part.most > 1000 * LIMIT for part in calls)


def speed(
    agent: str = "tengen", *, quick: bool = False, mode: SandboxMode = SandboxMode.AUTO, quiet: bool = False
) -> BenchReport:
    """Measure calls on turn, in the same 100 gobang positions for every agent.

    `quick`: every 20th position, and fewer starts. Raises RunnerError if the agent cannot be played or does not play
    gobang, if a call fails, or if an answer is illegal.
    """
    spec = parse_agent(agent)
    refuse_misfits([spec], GameSetup(ENV))
    chosen, starts = positions(quick), QUICK_STARTS if quick else STARTS
    both = spec.path == SUBMISSION and "engine" not in spec.options
    with _measured(spec, mode) as (uploaded, processes):
        engines = {name: _with(uploaded, engine=name) for name in ("scorer", "search")} if both else {"": uploaded}
        steps = (starts + (len(engines) + both) * len(chosen)) * len(processes)
        with Meter(spec.name, steps, quiet=quiet) as meter:
            figures = []
            for python, started in processes.items():
                meter.to(title=f"{spec.name}{shown(COMMA)}{shown(python.title)}")
                times = list[tuple[float, float]]()  # seconds of the import, and of the first answer
                for _start in range(starts):
                    [first] = _replies(process := started(uploaded), [[]], python, meter)
                    times.append((process.report().loaded.seconds, first.seconds))
                parts = dict[str, CallFigures]()
                for name, engine in engines.items():
                    replies = list(_replies(process := started(engine), chosen, python, meter))
                    parts[name] = _figures(replies, process.report().peak_mb)
                signature = None
                if both:
                    fixed = _with(engines["search"], depth=SIGNATURE_DEPTH, seconds=ENDLESS)
                    signature = sum(int(_number(reply.thought, "nodes"))
                                    for reply in _replies(started(fixed), chosen, python, meter))  # fmt: skip
                loading, answer = (1000 * statistics.median(seconds) for seconds in zip(*times, strict=True))
                figures.append(Figures(python.title, loading, parts, answer, signature))
    return BenchReport(agent, ENV, figures)


def latency(
    agent: str, env: str = ENV, against: str | None = None, *, calls: int | None = None, seconds: float | None = None,
    mode: SandboxMode = SandboxMode.AUTO, quiet: bool = False,
) -> BenchReport:  # fmt: skip
    """Measure all calls, on turn and off turn, in whole games.

    against: the opponent; None: a fast agent that plays the game
    calls: least number of the agent's calls on each Python; None: no least number
    seconds: time for all Pythons together; of the game that is then unfinished, the calls so far count; None: no limit

    Raises RunnerError if an agent cannot be played or does not play the game.
    """
    setup = GameSetup(env)
    if calls is seconds is None:
        seconds = SECONDS
    opponent = parse_agent(against or ("greedy" if setup.make().has_pass else "scorer"))
    spec = parse_agent(agent)
    refuse_misfits((spec, opponent), setup)
    with _measured(spec, mode) as (uploaded, processes):
        figures = []
        for python, started in processes.items():
            until = math.inf if seconds is None else perf_counter() + seconds / len(processes)
            title = _("{python}, calls") if calls else _("{python}, seconds")
            total = calls or math.ceil(seconds / len(processes) if seconds else 0)
            with Meter(title.format(python=in_line(shown(python.title))), total, quiet=quiet) as meter:
                seen, reports, faults, began = list[Call](), list[AgentReport](), list[str](), perf_counter()
                while perf_counter() < until and (calls is None or len(seen) < calls):
                    played, report, fault = _played(setup, (uploaded, opponent), started, len(reports), until)
                    seen += played
                    reports.append(report)
                    faults += [fault] if fault else []
                    meter.to(min(total, len(seen) if calls else int(perf_counter() - began)))
                peak_mb, loading = max(each.peak_mb for each in reports), [each.loaded.seconds for each in reports]
                parts = dict[str, CallFigures]()
                for part, on_turn in ((Message("on turn"), True), (Message("off turn"), False)):
                    parts[part] = _figures([call for call in seen if call.turn is on_turn], peak_mb)
                share, median = min(each.core_share for each in reports), statistics.median(loading)
                figures.append(Figures(python.title, 1000 * median, parts, faults=faults, core_share=share))
    return BenchReport(agent, env, figures)


Started = Callable[[AgentSpec], AgentProcess]


@contextmanager
def _measured(spec: AgentSpec, mode: SandboxMode) -> Iterator[tuple[AgentSpec, Mapping[Interpreter, Started]]]:
    """The agent (our agent as its bundle), and for each Python the function that starts an agent's process."""
    with tempfile.TemporaryDirectory(prefix="tengen-bench-") as name:
        folder, limits = Path(name).resolve(), AgentLimits(UNHURRIED, sandbox=mode)
        if spec.path == SUBMISSION:
            made = bundle.build()
            path = folder / made.package / bundle.MAINS[bundle.JIDI]
            bundle.write(made, path)
            spec = replace(spec, path=path)

        def maker(python: Interpreter) -> Started:
            return lambda each: AgentProcess(each, folder / "printed.txt", limits, python=str(python.path))

        yield spec, {python: maker(python) for python in pythons()}


# ---- fixed positions


def positions(quick: bool = False) -> list[list[Cell]]:
    """The benchmark's positions, each as the moves from the empty board. In the file, a move is two letters."""
    return [
        [(ord(row) - ord("a"), ord(col) - ord("a")) for row, col in zip(line[::2], line[1::2], strict=True)]
        for line in POSITIONS.read_text(encoding="ascii").splitlines()[:: QUICK_EVERY if quick else 1]
    ]


def _replies(process: AgentProcess, chosen: Sequence[list[Cell]], python: Interpreter, meter: Meter) -> Iterator[Reply]:
    """The agent's answers in positions, on turn, in one process. Raises RunnerError for a fault or an illegal move."""
    with process as agent:
        if fault := agent.start().fault:
            raise _unmeasurable(agent.spec, python, _("it {did}").format(did=shown(fault_text(fault))))
        for moves in chosen:
            game = make(ENV, opening=moves)
            reply = agent.act(game.all_observes[game.chess_player - 1], game.board_height, game.board_width)
            if fault := fault_in(reply, game, decoded=True, strict=True):
                number, did = shown(amount(len(moves), MOVES)), shown(fault_text(fault))
                raise _unmeasurable(agent.spec, python, _("after {moves} it {did}").format(moves=number, did=did))
            meter.step()
            yield reply


def _unmeasurable(spec: AgentSpec, python: Interpreter, reason: str) -> RunnerError:
    sentence = _("{agent} cannot be measured under {python}: {why}")
    why = shortened(reason, SENTENCE)
    return RunnerError(sentence.format(agent=shortened(spec.name), python=shown(python.title), why=why))


def _with(spec: AgentSpec, **options: str | float) -> AgentSpec:
    return replace(spec, options={**spec.options, **options})


# ---- whole games


def _played(
    setup: GameSetup, specs: Sequence[AgentSpec], started: Started, number: int, until: float
) -> tuple[list[Call], AgentReport, str]:
    """The calls and the report of the measured agent in a game, and the fault by which it lost, "" for none.

    `number`: from 0; the colours are swapped in every game. `until`: a time of the clock, at which the game ends.
    """
    player, result = number % 2, None
    setup = replace(setup, seed=number + 1, opening=dealt(book_for(None, setup), setup, 1 + number // 2))
    with started(specs[0]) as own, started(specs[1]) as other:
        session = GameSession(setup, (other, own) if player else (own, other))
        session.start()
        while (result := session.result) is None:
            session.step()
            if perf_counter() >= until:
                break
        report = own.report()
    fault = result.fault if result is not None and result.loser == player else None
    return [call for call in session.calls if call.player == player], report, fault_text(fault) if fault else ""


# ---- figures


def _figures(calls: Sequence[Call | Reply], peak_mb: float) -> CallFigures:
    seconds = [call.seconds for call in calls] or [0.0]
    p50, p99, most = (1000 * np.percentile(seconds, (50, 99, 100), method="inverted_cdf")).tolist()
    return CallFigures(len(calls), p50, p99, most, nodes_per_second([call.thought for call in calls]), peak_mb)


def nodes_per_second(thoughts: Sequence[Mapping[str, Any] | None]) -> float:
    """The speed of the searches that agents report in `last_thought`; calls without a search do not count."""
    searched = [thought for thought in thoughts if _number(thought, "nodes") > 0]
    seconds = sum(_number(thought, "seconds") for thought in searched)
    return sum(_number(thought, "nodes") for thought in searched) / seconds if seconds else 0.0


def _number(thought: Mapping[str, Any] | None, key: str) -> float:
    """A number of a thought; 0 if it is missing, negative, too large or not a number."""
    figure = (thought or {}).get(key)
    return figure if isinstance(figure, (int, float)) and 0 <= figure < MOST_FIGURE else 0


def table(report: BenchReport) -> WideTable:
    """A column for each interpreter; times of calls in ms."""
    figures = report.figures
    title = _("{agent}, {game}").format(agent=shortened(report.agent), game=shown(called(report.env)))
    shown_table = WideTable(title, ["", *(in_line(shown(each.python)).replace(", ", "\n", 1) for each in figures)])
    shown_table.add(_("import"), *(f"{each.import_ms:.0f} ms" for each in figures))
    if all(each.first_ms is not None for each in figures):
        shown_table.add(_("first answer, empty board"), *(f"{each.first_ms:.0f} ms" for each in figures))
    if all(each.signature is not None for each in figures):
        label = _("nodes at depth {depth}").format(depth=SIGNATURE_DEPTH)
        shown_table.add(label, *(f"{each.signature:,}" for each in figures))
    for part in figures[0].parts:
        shown_table.section()
        calls = [each.parts[part] for each in figures]
        for label, values in (
            (_("calls"), [f"{each.calls:,}" for each in calls]),
            ("p50", [f"{each.p50:.2f} ms" for each in calls]),
            ("p99", [f"{each.p99:.2f} ms" for each in calls]),
            (_("longest"), [f"{each.most:.2f} ms" for each in calls]),
            (_("nodes/s"), [brief(each.nodes_per_second) if each.nodes_per_second else "" for each in calls]),
            (_("peak memory"), [f"{each.peak_mb:.0f} MB" if each.peak_mb else "" for each in calls]),
        ):
            if any(values):
                shown_table.add(f"{shown(part)} {label}".strip(), *values)
    if any(each.faults for each in figures):
        shown_table.section()
        shown_table.add(_("games lost by a fault"), *(str(len(each.faults)) for each in figures))
    return shown_table


def show(report: BenchReport, console: Console) -> None:
    """Print the table, and for each interpreter the first fault by which the agent lost a game."""
    console.print(table(report))
    for each in report.figures:
        if busy := busy_text(each.core_share):
            console.print(shown(busy), style="yellow", markup=False)
        for fault in each.faults[:1]:
            console.print(f"{shortened(report.agent)}{shown(COLON)}{shortened(shown(fault), SENTENCE)}", markup=False)
