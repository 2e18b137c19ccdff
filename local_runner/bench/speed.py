"""`tengen bench speed`: import time, time per call and memory of an agent, on this Python and on Python 3.7.

All figures are measured in child processes, each import in a fresh interpreter. Calls are timed on turn, in the same
100 gobang positions for every agent. Our agent is measured as the bundle that is uploaded.
"""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rich.console import Console

from env_adapter import Game, make
from local_runner.agents.catalogue import SUBMISSION
from local_runner.agents.declared_games import refuse_misfits
from local_runner.agents.spec import AgentSpec, parse_agent
from local_runner.bench.host import UNHURRIED, as_uploaded, ask, unmeasurable
from local_runner.game import codec
from local_runner.game.coordinates import written
from local_runner.game.records import Cell, Reply
from local_runner.game.setup import GameSetup, called
from local_runner.game.wording import fault_text
from local_runner.language.amounts import MOVES, amount, brief
from local_runner.language.languages import COMMA, _, shown
from local_runner.language.text import in_json, in_line, shortened
from local_runner.matches.snapshot import copied, take
from local_runner.matches.statistics.counts import percentile
from local_runner.processes.child import AgentLimits
from local_runner.processes.interpreters import Interpreter, pythons
from local_runner.processes.process import AgentProcess
from local_runner.processes.sandbox import SandboxMode
from local_runner.system.header import Header, header
from local_runner.terminal.progress import Meter
from local_runner.terminal.tables import WideTable

ENV = "gobang_1v1"
POSITIONS = Path(__file__).parents[1] / "data" / "gobang_positions.txt"
IMPORTS = 9  # number of timed imports, each in a fresh interpreter; the median is shown
SIGNATURE_DEPTH = 3  # plies
MOST_FIGURE = 10**12  # larger numbers that an agent reports in `last_thought` are read as 0
QUICK_EVERY = 20  # --quick takes every 20th position
QUICK_IMPORTS = 3  # number of timed imports with --quick
ENDLESS = 1e6  # time limit of a search in seconds that no search reaches


@dataclass(frozen=True)
class CallFigures:
    """Figures of the calls on turn.

    p50, p99, most: percentiles and maximum in ms
    nodes_per_second: of the search; 0 if the agent reports no nodes
    peak_mb: peak memory
    """

    calls: int
    p50: float
    p99: float
    most: float
    nodes_per_second: float
    peak_mb: float


@dataclass(frozen=True)
class SpeedFigures:
    """All figures under one interpreter. `play_undo_us` and `signature` are None for agents other than ours.

    import_ms: median import time
    first_ms: median time of the first answer
    engines: engine name -> figures of its calls; the name is "" for a single engine
    play_undo_us: µs to play and undo a stone
    signature: total nodes of searches to SIGNATURE_DEPTH in all positions; a change means that the search has changed
    """

    python: str
    import_ms: float
    first_ms: float
    engines: dict[str, CallFigures]
    play_undo_us: float | None
    signature: int | None


@dataclass(frozen=True)
class SpeedReport:
    """`tengen bench speed --json`. figures: one for each interpreter."""

    header: Header
    agent: str
    env: str
    figures: tuple[SpeedFigures, ...]


def bench(
    agent: str = "tengen", *, quick: bool = False, mode: SandboxMode = SandboxMode.AUTO, quiet: bool = False
) -> list[SpeedFigures]:
    """Measure under this Python, and under Python 3.7 if there is one.

    `quick` takes every 20th position and fewer imports. Raises RunnerError if the agent cannot be played or does not
    play gobang, if a call fails, or if an answer is illegal.
    """
    spec = parse_agent(agent)
    refuse_misfits([spec], GameSetup(ENV))
    imports = QUICK_IMPORTS if quick else IMPORTS
    chosen = positions(quick)
    runs = 3 if _has_engines(spec) else 1  # runs through all positions: two engines and the signature
    interpreters = pythons()
    with (
        tempfile.TemporaryDirectory(prefix="tengen-bench-") as folder,
        Meter(spec.name, (imports + runs * len(chosen)) * len(interpreters), quiet=quiet) as meter,
    ):
        if not spec.is_ours:
            Path(folder).chmod(0o711)  # the user of a sandbox may reach the copy
            spec = replace(spec, path=copied(spec, take(spec), Path(folder) / "agent").path, alone=False)
        uploaded, limits = as_uploaded(spec, Path(folder)), AgentLimits(UNHURRIED, sandbox=mode)
        benches = (_Bench(spec, uploaded, python, Path(folder), limits, chosen, meter) for python in interpreters)
        return [each.figures(imports) for each in benches]


def positions(quick: bool = False) -> list[list[Cell]]:
    """The benchmark's positions, each as the moves from the empty board. In the file, a move is two letters."""
    return [
        [(ord(row) - ord("a"), ord(col) - ord("a")) for row, col in zip(line[::2], line[1::2], strict=True)]
        for line in POSITIONS.read_text(encoding="ascii").splitlines()[:: QUICK_EVERY if quick else 1]
    ]


def _has_engines(spec: AgentSpec) -> bool:
    """Whether to measure both engines: the agent is ours and the user has not chosen an engine."""
    return spec.path == SUBMISSION and "engine" not in spec.options


@dataclass(frozen=True)
class _Bench:
    """Measures one agent under one interpreter; `meter` shows how many imports and answers are done."""

    source: AgentSpec
    uploaded: AgentSpec  # our agent as its bundle, any other as it is
    python: Interpreter
    folder: Path
    limits: AgentLimits
    positions: list[list[Cell]]
    meter: Meter

    def figures(self, imports: int) -> SpeedFigures:
        """Measure all figures; `imports`: number of timed imports."""
        spec, mode = self.uploaded, self.limits.sandbox
        self.meter.title = f"{spec.name}{shown(COMMA)}{shown(self.python.title)}"
        starts = []
        for _number in range(imports):
            starts.append(ask("import", spec, self.python, mode))
            self.meter.step()
        engines, play_undo, signature = {"": spec}, None, None
        if self.source.path == SUBMISSION:
            play_undo = 1e6 * ask("board", self.source, self.python, mode)["play_undo"]
        if _has_engines(self.source):
            engines = {name: _with(spec, engine=name) for name in ("scorer", "search")}
        calls = {name: self.calls(engine) for name, engine in engines.items()}
        if "search" in engines:
            signature = self.signature(engines["search"])
        return SpeedFigures(
            python=self.python.title,
            import_ms=1000 * statistics.median(start["import"] for start in starts),
            first_ms=1000 * statistics.median(start["first"] for start in starts),
            engines=calls,
            play_undo_us=play_undo,
            signature=signature,
        )

    def calls(self, spec: AgentSpec) -> CallFigures:
        """The figures of the agent's calls in all positions."""
        with self._process(spec) as agent:
            replies = list(self._replies(agent))
            peak = agent.report().peak_mb
        seconds = [reply.seconds for reply in replies]
        return CallFigures(
            calls=len(replies),
            p50=1000 * percentile(seconds, 50),
            p99=1000 * percentile(seconds, 99),
            most=1000 * max(seconds),
            nodes_per_second=_nodes_per_second(replies),
            peak_mb=peak,
        )

    def signature(self, spec: AgentSpec) -> int:
        """The total nodes of searches to SIGNATURE_DEPTH in all positions, without a time limit."""
        with self._process(_with(spec, depth=SIGNATURE_DEPTH, seconds=ENDLESS)) as agent:
            return sum(int(_number(reply, "nodes")) for reply in self._replies(agent))

    def _process(self, spec: AgentSpec) -> AgentProcess:
        return AgentProcess(spec, self.folder / "printed.txt", self.limits, python=str(self.python.path))

    def _replies(self, agent: AgentProcess) -> Iterator[Reply]:
        """The agent's answers in all positions, on turn, in one process.

        Raises RunnerError for a fault or an illegal move.
        """
        if fault := agent.start().fault:
            raise unmeasurable(agent.spec, self.python, _("it {did}").format(did=shown(fault_text(fault))))
        for moves in self.positions:
            game = make(ENV, opening=moves)
            reply = agent.act(game.all_observes[game.chess_player - 1], game.board_height, game.board_width)
            if wrong := _what_is_wrong(reply, game):
                number = shown(amount(len(moves), MOVES))
                sentence = _("after {moves} it {did}").format(moves=number, did=wrong)
                raise unmeasurable(agent.spec, self.python, sentence)
            self.meter.step()
            yield reply


def _with(spec: AgentSpec, **options: str | float) -> AgentSpec:
    return replace(spec, options={**spec.options, **options})


def _what_is_wrong(reply: Reply, game: Game) -> str:
    if reply.fault:
        return shown(fault_text(reply.fault))
    if reply.inner_faults:
        return _("caught a fault of its own: {error}").format(error=reply.inner_traceback.strip().rpartition("\n")[2])
    if reply.cell in game.legal_moves():
        return ""
    if reply.bad_form:
        return shown(fault_text(reply.bad_form))
    return _("played {cell}, which holds a stone").format(cell=written(reply.cell))


def _nodes_per_second(replies: Sequence[Reply]) -> float:
    searched = [reply for reply in replies if _number(reply, "nodes") > 0]
    seconds = sum(_number(reply, "seconds") for reply in searched)
    return sum(_number(reply, "nodes") for reply in searched) / seconds if seconds else 0.0


def _number(reply: Reply, key: str) -> float:
    """A number from the agent's `last_thought`; 0 if it is missing, negative, too large or not a number."""
    figure = (reply.thought or {}).get(key)
    return figure if isinstance(figure, (int, float)) and 0 <= figure < MOST_FIGURE else 0


def as_json(agent: str, figures: Sequence[SpeedFigures]) -> str:
    """The figures as JSON text."""
    return in_json(codec.as_json(SpeedReport(header(), agent, ENV, tuple(figures))), indent=1)


def by_python(title: str, pythons: Sequence[str]) -> WideTable:
    """A table without rows: a column for labels, then a column for each interpreter."""
    return WideTable(title, ["", *(in_line(shown(python)).replace(", ", "\n", 1) for python in pythons)])


def show(agent: str, figures: Sequence[SpeedFigures], console: Console) -> None:
    """Print the figures as a table with one column for each interpreter."""
    some = figures[0]
    calls = next(iter(some.engines.values())).calls
    title = _("{agent}, on turn in {number} positions of {game}")
    title = title.format(agent=shortened(agent), number=calls, game=shown(called(ENV)))
    table = by_python(title, [each.python for each in figures])
    table.add(_("import, cold"), *(f"{each.import_ms:.0f} ms" for each in figures))
    table.add(_("first answer, empty board"), *(f"{each.first_ms:.0f} ms" for each in figures))
    if some.play_undo_us is not None:
        table.add(_("a stone played and undone"), *(f"{each.play_undo_us:.2f} µs" for each in figures))
    if some.signature is not None:
        label = _("nodes at depth {depth}").format(depth=SIGNATURE_DEPTH)
        table.add(label, *(f"{each.signature:,}" for each in figures))
    for engine in some.engines:
        games = [each.engines[engine] for each in figures]
        table.section()
        for label, values in (
            (_("{engine} per call, p50"), [game.p50 for game in games]),
            (_("{engine} per call, p99"), [game.p99 for game in games]),
            (_("{engine} per call, slowest"), [game.most for game in games]),
        ):
            table.add(label.format(engine=engine).strip(), *(f"{value:.2f} ms" for value in values))
        if any(game.nodes_per_second for game in games):
            label = _("{engine} nodes/s").format(engine=engine).strip()
            table.add(label, *(brief(game.nodes_per_second) for game in games))
        if any(game.peak_mb for game in games):
            label = _("{engine} peak memory").format(engine=engine).strip()
            table.add(label, *(f"{game.peak_mb:.0f} MB" for game in games))
    console.print(table)
