"""`tengen bench latency`: the time of every call in whole games, on an idle machine and on a busy one.

The agent plays a tournament against one opponent for each combination of Python and load; each has its own tournament
file. A slow call is measured, not killed. The agent's process times each call, on turn and off turn.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from rich.console import Console
from rich.text import Text

from local_runner.agents.spec import parse_agent
from local_runner.bench.host import UNHURRIED, as_uploaded
from local_runner.bench.timed_calls import LIMIT, Condition, TimedCall
from local_runner.game.codec import as_json
from local_runner.game.records import GameDetails
from local_runner.game.setup import GameSetup, called
from local_runner.language.languages import COMMA, Message, _, shown
from local_runner.language.text import in_file_name, in_json, in_line, shortened
from local_runner.matches.display import fault_report
from local_runner.matches.fixture import Terms
from local_runner.matches.openings.deal import book_for
from local_runner.matches.statistics.counts import percentile
from local_runner.matches.tournament import store
from local_runner.matches.tournament.executor import LocalExecutor
from local_runner.matches.tournament.plan import TournamentPlan
from local_runner.matches.tournament.run import Observer, open_or_create
from local_runner.matches.tournament.run import run as play
from local_runner.matches.tournament.schedule import Schedule
from local_runner.matches.tournament.store import PlayedGame
from local_runner.processes.child import AgentLimits
from local_runner.processes.interpreters import Interpreter, pythons
from local_runner.processes.load import Load
from local_runner.processes.sandbox import SandboxMode
from local_runner.system.exit_codes import ExitCode
from local_runner.system.files import check_folder
from local_runner.system.header import Header, header
from local_runner.system.plots import check_plot
from local_runner.terminal import json_result
from local_runner.terminal.progress import Meter
from local_runner.terminal.tables import CELL, WideTable

MARKS = (0.8, 0.9, LIMIT)  # seconds; the tables show the share of calls above each mark
PERCENTILES = (50.0, 90.0, 99.0, 99.9)
PHASES = (
    (Message("first of a game"), 1, 1), (Message("2nd to 10th"), 2, 10), (Message("11th to 30th"), 11, 30),
    (Message("later"), 31, 10**6),
)  # fmt: skip
MOST_ROUNDS = 1_000_000
SECONDS = 20.0  # default of --duration without --calls
ADVICE = Message("give --out another folder")


@dataclass(frozen=True)
class LatencyPlan:
    """A measurement: an agent against an opponent in a game, for every Python and load.

    against: None: a fast agent that plays the game
    folder: where the tournament files are
    calls: least number of the agent's calls for each Python and load; None: no least number
    seconds: time for all Pythons and loads together; games that are unfinished then are resigned; None: no limit
    slots: number of games at once
    """

    agent: str
    against: str | None
    env: str
    folder: Path
    calls: int | None
    seconds: float | None
    loads: Sequence[Load]
    slots: int
    mode: SandboxMode = SandboxMode.AUTO


@dataclass(frozen=True)
class ConditionFigures:
    """The figures of one Python and load, in seconds and MB.

    loading: p50 and max of the agent's starts, {} without one
    faults: games that the agent lost by a fault
    parts: part of the game -> figures of its calls, as `summary` makes them
    """

    python: str
    load: Load
    loading: dict[str, float]
    peak_mb: float
    faults: int
    parts: dict[str, dict[str, float]]


@dataclass(frozen=True)
class LatencyReport:
    """`tengen bench latency --json`."""

    header: Header
    agent: str
    env: str
    conditions: tuple[ConditionFigures, ...]


def run(plan: LatencyPlan, *, plot: Path | None = None, quiet: bool = False, json_to: str | None = None) -> ExitCode:
    """Play until there are enough calls in every condition (Python and load) or the time is up, and show the times.

    Returns ExitCode.FAULT if a call of the agent took longer than LIMIT or it lost a game by a fault, else
    ExitCode.CLEAN. Raises RunnerError before the first game if the plot or the tournament files cannot be written.
    """
    if plot is not None:
        check_plot(plot)
    json_result.check(json_to)
    conditions = list(measure(plan, quiet))
    json_result.tell(
        json_to,
        lambda: in_json(as_json(LatencyReport(header(), plan.agent, plan.env, tuple(map(figures, conditions))))),
        lambda: show(plan.agent, plan.env, conditions, Console(highlight=False)),
    )  # fmt: skip
    if plot is not None:
        from local_runner.bench.plot import save  # here, because matplotlib is slow to import

        save(conditions, plot)
    at_fault = any(each.lost or any(call.seconds > LIMIT for call in each.calls) for each in conditions)
    return ExitCode.FAULT if at_fault else ExitCode.CLEAN


def measure(plan: LatencyPlan, quiet: bool) -> Iterator[Condition]:
    """Play until there are enough calls or the time is up: in one condition (a Python and a load), then in the next."""
    setup = GameSetup(plan.env)
    game = setup.make()  # raises an error for an unknown game
    agent, opponent = parse_agent(plan.agent), parse_agent(plan.against or ("greedy" if game.has_pass else "scorer"))
    check_folder(plan.folder, shown(ADVICE))
    specs = (as_uploaded(agent, plan.folder), opponent)
    measured = pythons()
    share = plan.seconds and plan.seconds / (len(measured) * len(plan.loads))
    for python in measured:
        terms = Terms(setup, AgentLimits(UNHURRIED, sandbox=plan.mode), python=str(python.path))
        for load in plan.loads:
            path = plan.folder / f"{in_file_name(agent.name)}_{plan.env}_{python.version}_{load.value}.db"
            title = _("{python}, {load}, calls") if plan.calls else _("{python}, {load}, seconds")
            title = title.format(python=in_line(shown(python.title)), load=shown(load.title))
            games = TournamentPlan(
                specs, terms, Schedule.GAUNTLET, MOST_ROUNDS, book_for(None, setup), recover=True, load=load
            )
            _play(path, games, plan, share, title, quiet)
            with store.read(path) as stored:
                yield condition(stored, python, load)


def _play(path: Path, games: TournamentPlan, plan: LatencyPlan, seconds: float | None, title: str, quiet: bool) -> None:
    """Play the games of one condition. `seconds`: its share of the time, None for no limit."""
    with open_or_create(path, games) as stored:
        done = sum(len(_calls(game, stored.details(game.number))) for game in stored.games())
        if plan.calls is not None and done >= plan.calls:  # otherwise the load would start although no game is played
            return
        if games.load.announcement:
            Console(stderr=True, highlight=False, soft_wrap=True).print(Text(games.load.announcement))
        began = perf_counter()
        until = math.inf if seconds is None else began + seconds
        total, done = (plan.calls, done) if plan.calls is not None else (math.ceil(seconds or 0), 0)
        with (
            LocalExecutor(plan.slots, games.load, until) as executor,
            Meter(title, total, done, quiet=quiet, executor=executor) as meter,
        ):
            play(stored, executor, _Counter(meter, until, None if plan.calls else began))


class _Counter(Observer):
    """Counts the agent's calls. Ends the tournament when there are as many as planned, or at the clock time `until`.

    began: the clock time at the start, if the meter shows seconds instead of calls
    """

    def __init__(self, meter: Meter, until: float, began: float | None) -> None:
        self.meter, self.until, self.began = meter, until, began

    def ended(self, game: PlayedGame) -> None:
        pace = self.meter.pace
        if self.began is None:
            self.meter.to(pace.done + len(_calls(game, game.details)))
        else:
            self.meter.to(min(pace.total, int(perf_counter() - self.began)))

    def enough(self) -> bool:
        pace = self.meter.pace
        return perf_counter() >= self.until or (self.began is None and pace.done >= pace.total)


def _calls(game: PlayedGame, details: GameDetails) -> list[TimedCall]:
    """The calls of the measured agent, which is the tournament's first, in a game."""
    player = 0 if game.black == 0 else 1
    own = (call for call in details.calls if call.player == player)
    return [TimedCall(number, call.turn, call.seconds, call.cpu) for number, call in enumerate(own, 1)]


def condition(stored: store.Store, python: Interpreter, load: Load) -> Condition:
    """The calls in a tournament file."""
    games = [(game, stored.details(game.number)) for game in stored.games()]
    reports = [details.agents[0 if game.black == 0 else 1] for game, details in games]
    return Condition(
        python.title,
        load,
        [call for game, details in games for call in _calls(game, details)],
        [report.loaded.seconds for report in reports],
        max((report.peak_mb for report in reports), default=0.0),
        [(game.number, details.agents, game.result) for game, details in games
         if game.result.loser == (0 if game.black == 0 else 1)],
    )  # fmt: skip


def parts(calls: Sequence[TimedCall]) -> Iterator[tuple[str, list[TimedCall]]]:
    """(name, calls): all calls, the calls on turn, the calls off turn, and the calls in each phase of the game."""
    yield Message("all"), list(calls)
    yield Message("on turn"), [call for call in calls if call.turn]
    yield Message("off turn"), [call for call in calls if not call.turn]
    for name, first, last in PHASES:
        yield name, [call for call in calls if first <= call.number <= last]


def summary(calls: Sequence[TimedCall]) -> dict[str, float]:
    """Percentiles and maximum in seconds, the share above each of MARKS, and CPU time / wall time; {} without calls."""
    if not calls:
        return {}
    seconds = [call.seconds for call in calls]
    return {
        "calls": len(calls),
        **{f"p{percent:g}": percentile(seconds, percent) for percent in PERCENTILES},
        "max": max(seconds),
        **{f"over_{mark:g}": sum(second > mark for second in seconds) / len(seconds) for mark in MARKS},
        "cpu_share": sum(call.cpu for call in calls) / sum(seconds),
    }


def _side_by_side(title: str, conditions: Sequence[Condition]) -> WideTable:
    """A table with a column for each condition."""
    heads = (f"{in_line(each.python.split(',')[0])}\n{shown(each.load.title)}" for each in conditions)
    table = WideTable(title, ["", *heads])
    _add(table, [summary(each.calls) for each in conditions])
    for name, percent in ((_("loading, median"), 50), (_("loading, longest"), 100)):
        table.add(
            name, *(f"{1000 * percentile(each.loading, percent):.1f}" if each.loading else "" for each in conditions)
        )
    if any(each.peak_mb for each in conditions):
        table.add(_("peak MB"), *(f"{each.peak_mb:.0f}" if each.peak_mb else "-" for each in conditions))
    if any(each.lost for each in conditions):
        table.add(_("games lost by a fault"), *(str(len(each.lost)) for each in conditions))
    return table


def _by_part(each: Condition) -> WideTable:
    """A table of one condition with a column for each of `parts`."""
    summaries = {name: some for name, calls in parts(each.calls) if (some := summary(calls))}
    heads = [shown(name).replace(" ", "\n", 1) for name in summaries]
    table = WideTable(f"{shown(each.python)}{shown(COMMA)}{shown(each.load.title)}", ["ms", *heads])
    _add(table, list(summaries.values()))
    return table


def _add(table: WideTable, summaries: Sequence[Mapping[str, float]]) -> None:
    """Add the rows of the summaries, one column for each summary; times in ms."""
    for key in (*(f"p{percent:g}" for percent in PERCENTILES), "max"):
        table.add(_("max") if key == "max" else key, *(f"{1000 * each[key]:.1f}" if each else "" for each in summaries))
    for mark in MARKS:
        label = _("over {ms:g}").format(ms=1000 * mark)
        table.add(label, *(f"{each[f'over_{mark:g}']:.2%}" if each else "" for each in summaries))
    table.add(_("calls"), *(f"{each['calls']:.0f}" if each else "" for each in summaries))
    table.add("CPU", *(f"{each['cpu_share']:.0%}" if each else "" for each in summaries))


def figures(each: Condition) -> ConditionFigures:
    """The figures of one condition."""
    loading = {"p50": percentile(each.loading, 50), "max": max(each.loading)} if each.loading else {}
    return ConditionFigures(
        each.python,
        each.load,
        loading,
        each.peak_mb,
        len(each.lost),
        {name: summary(calls) for name, calls in parts(each.calls)},
    )


def show(agent: str, env: str, conditions: Sequence[Condition], console: Console) -> None:
    """Print a table of all conditions, then the times in ms of each by turn and phase, and its first fault."""
    title = _("{agent}, {game}, times in ms").format(agent=shortened(agent, CELL), game=shown(called(env)))
    console.print(_side_by_side(title, conditions))
    for each in conditions:
        console.print()
        console.print(_by_part(each))
        for number, agents, result in each.lost[:1]:
            console.print(fault_report(result, agents, number))
