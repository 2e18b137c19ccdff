"""The commands of tournaments: what they take. What they do stands in modules that are imported when they run."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from local_runner.errors import RunnerError
from local_runner.options import (
    OPENINGS,
    THIS_PYTHON,
    AsJson,
    BoardSize,
    Concurrency,
    Env,
    Memory,
    Python,
    Quiet,
    Rules,
    Seed,
)

if TYPE_CHECKING:
    from local_runner.agents import AgentSpec
    from local_runner.fixture import Terms
    from local_runner.processes.load import Load
    from local_runner.statistics.sprt import Sprt
    from local_runner.tournament.executor import LocalExecutor
    from local_runner.tournament.ray_executor import RayExecutor

    Place = Callable[[Load], LocalExecutor | RayExecutor]

Out = Annotated[Path | None, typer.Option("--out", metavar="FILE", help="The new file that keeps every game.")]
Openings = Annotated[str | None, typer.Option(help=f"{OPENINGS}test where there is one, else random.")]
Resume = Annotated[Path | None, typer.Option(metavar="FILE", help="Go on with this file, as it was begun.")]
St = Annotated[float, typer.Option("--st", min=0.001, help="Seconds per call.")]
Each = Annotated[str, typer.Option(metavar="KEY=VALUE,...", help="Options for every agent, e.g. nodes=2000.")]
ExecutorName = Annotated[
    str, typer.Option("--executor", help="local: on this machine; ray: on a Ray cluster, needs tengen[cluster].")
]
Address = Annotated[
    str | None, typer.Option(metavar="HOST:PORT", help="Of the Ray cluster; that which runs here if not given.")
]
Recover = Annotated[bool, typer.Option("--recover", help="A crash is a lost game; else it ends the tournament.")]


def tournament(
    agents: Annotated[list[str] | None, typer.Argument(help="Two or more, as `tengen match` takes them.")] = None,
    out: Out = None,
    resume: Resume = None,
    env: Env = "gobang_1v1",
    schedule: Annotated[
        str, typer.Option(help="round-robin; gauntlet: the first against the others; swiss: neighbours by points.")
    ] = "round-robin",
    rounds: Annotated[int, typer.Option(min=1, help="How often; a pairing is two games, colours swapped.")] = 1,
    concurrency: Concurrency = None,
    executor: ExecutorName = "local",
    address: Address = None,
    openings: Openings = None,
    st: St = 1.0,
    each: Each = "",
    recover: Recover = False,
    rules: Rules = "platform",
    seed: Seed = 0,
    memory: Memory = 500.0,
    board_size: BoardSize = None,
    python: Python = THIS_PYTHON,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Play many games between several agents, as many at once as there are cores; every game is kept in a file.

    Whatever ends it, `--resume FILE` goes on; what was begun is played to its end under the same terms.
    Exit code 0: all is played. 1: an agent crashed. 2: something is wrong above. 130: stopped by Ctrl-C.
    """
    place = place_for(executor, address, concurrency)
    if resume is not None:
        if agents or out is not None:
            raise RunnerError("--resume goes on with what the file says; leave out agents and --out")
        raise typer.Exit(_resume(resume, place, quiet, as_json))
    if out is None:
        raise RunnerError("say where the games are kept: --out FILE, or --resume FILE to go on")
    terms = terms_for(env, rules, seed, board_size, st, memory, python)
    entered = entered_as(agents or [], each)
    raise typer.Exit(
        _begin(out, entered, terms, openings, place, quiet, as_json,
               schedule=schedule, rounds=rounds, recover=recover)
    )  # fmt: skip


def sprt(
    new: Annotated[str, typer.Argument(metavar="NEW", help="The agent that is hoped to be stronger.")],
    old: Annotated[str, typer.Argument(metavar="OLD", help="The agent that it is tested against.")],
    elo0: Annotated[float, typer.Option(help="H0: NEW is stronger by this many Elo.")] = 0.0,
    elo1: Annotated[float, typer.Option(help="H1: NEW is stronger by this many Elo.")] = 10.0,
    alpha: Annotated[float, typer.Option(help="The chance of accepting H1 though H0 is true.")] = 0.05,
    beta: Annotated[float, typer.Option(help="The chance of accepting H0 though H1 is true.")] = 0.05,
    model: Annotated[str, typer.Option(help="What Elo means: logistic or normalised.")] = "logistic",
    rounds: Annotated[int, typer.Option(min=1, help="Pairs of games at most.")] = 100_000,
    out: Out = None,
    env: Env = "gobang_1v1",
    concurrency: Concurrency = None,
    executor: ExecutorName = "local",
    address: Address = None,
    openings: Openings = None,
    st: St = 1.0,
    each: Each = "",
    recover: Recover = False,
    rules: Rules = "platform",
    seed: Seed = 0,
    memory: Memory = 500.0,
    board_size: BoardSize = None,
    python: Python = THIS_PYTHON,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Play pairs of games until it is clear which of two hypotheses about NEW's strength to accept.

    A sequential probability ratio test (SPRT) over pairs. Stopped, it goes on by `tengen tournament --resume FILE`.
    """
    from local_runner.statistics.sprt import EloModel, Sprt

    place = place_for(executor, address, concurrency)
    models = [known.value for known in EloModel]
    if model not in models:
        raise RunnerError(f"--model is {model!r}; there are: {', '.join(models)}")
    test = Sprt(elo0, elo1, alpha, beta, EloModel(model))
    terms = terms_for(env, rules, seed, board_size, st, memory, python)
    path = out or _new_name("sprt")
    raise typer.Exit(
        _begin(path, entered_as([new, old], each), terms, openings, place, quiet, as_json,
               schedule="gauntlet", rounds=rounds, recover=recover, sprt=test)
    )  # fmt: skip


def rerun(
    file: Annotated[Path, typer.Argument(help="A tournament's file.")],
    game: Annotated[int, typer.Argument(min=1, help="The game's number in it.")],
    log_dir: Annotated[Path, typer.Option(help="Where its log and what the agents print go.")] = Path("logs"),
) -> None:
    """Play one game of a tournament again, with the same opening and dice, and keep all it leaves behind."""
    from local_runner.tournament import screen, store

    with store.read(file) as kept:
        raise typer.Exit(screen.rerun(kept, game, log_dir))


def report(
    file: Annotated[Path, typer.Argument(help="A tournament's file; it may be played meanwhile.")],
    out: Annotated[
        Path | None, typer.Option(metavar="PAGE", help="The page; if not given, the file's name with .html.")
    ] = None,
    markdown: Annotated[
        Path | None, typer.Option(metavar="SUMMARY", help="Write a short summary in Markdown too.")
    ] = None,
) -> None:
    """Make a page of a tournament: tables, plots, and every game to replay, in one file that needs nothing else.

    Of very many games the page has the faulty and the newest ones to replay; its figures are of all.
    """
    from local_runner import report

    typer.echo(report.write(file, out or file.with_suffix(".html"), markdown))


def _begin(
    path: Path, agents: "tuple[AgentSpec, ...]", terms: "Terms", openings: str | None, place: "Place", quiet: bool,
    as_json: bool, *, schedule: str, rounds: int, recover: bool, sprt: "Sprt | None" = None,
) -> int:  # fmt: skip
    """Make the file and play; the exit code."""
    from local_runner.header import header
    from local_runner.openings.deal import book_for
    from local_runner.tournament import screen, store
    from local_runner.tournament.plan import TournamentPlan
    from local_runner.tournament.run import check_agents
    from local_runner.tournament.schedule import SCHEDULES

    if schedule not in SCHEDULES:
        raise RunnerError(f"--schedule is {schedule!r}; there are: {', '.join(SCHEDULES)}")
    plan = TournamentPlan(agents, terms, schedule, rounds, book_for(openings, terms.setup), recover=recover, sprt=sprt)
    check_agents(plan)  # before there is a file
    with place(plan.load) as executor, store.create(path, plan, header()) as kept:
        return screen.play(kept, executor, quiet=quiet, as_json_text=as_json)


def _resume(path: Path, place: "Place", quiet: bool, as_json: bool) -> int:
    from local_runner.tournament import screen, store

    with store.open_to_run(path) as kept, place(kept.plan.load) as executor:
        return screen.play(kept, executor, quiet=quiet, as_json_text=as_json)


def place_for(executor: str, address: str | None, concurrency: int | None) -> "Place":
    """Where games are played: what makes an executor, given what is to keep the machine busy besides."""
    if executor == "ray":
        from local_runner.tournament.ray_executor import connect

        if concurrency is not None:
            raise RunnerError("--concurrency is for one machine; a cluster plays as many games as it has CPUs")
        return lambda load: connect(address, load)
    if executor != "local":
        raise RunnerError(f"--executor is {executor!r}; there are: local, ray")
    if address is not None:
        raise RunnerError("--address is that of a Ray cluster; it needs --executor ray")
    from local_runner.header import physical_cores
    from local_runner.tournament.executor import LocalExecutor

    return lambda load: LocalExecutor(concurrency or physical_cores(), load)


def entered_as(texts: list[str], each: str) -> "tuple[AgentSpec, ...]":
    """The agents, with the options that all of them get; their own options win."""
    from dataclasses import replace

    from local_runner.agents import parse_agent, parse_options

    if len(texts) < 2:
        raise RunnerError(f"a tournament needs two agents or more, not {len(texts)}")
    options = parse_options(each)
    specs = map(parse_agent, texts)
    return tuple(replace(spec, options={**options, **spec.options}) for spec in specs)


def terms_for(
    env: str, rules: str, seed: int, board_size: int | None, seconds: float, memory: float, python: str
) -> "Terms":
    """The terms, tried out on the referee. Raises RunnerError for limits without end, which a file cannot keep."""
    from local_runner.fixture import Terms
    from local_runner.play import GameSetup
    from local_runner.processes.child import AgentLimits

    if not math.isfinite(seconds + memory):
        raise RunnerError("--st and --memory are limits; give numbers")
    setup = GameSetup(env, rules, seed, board_size=board_size)
    setup.make()
    return Terms(setup, AgentLimits(seconds=seconds, memory_mb=memory), python=python)


def _new_name(stem: str) -> Path:
    import time

    return Path(f"{stem}_{time.strftime('%Y%m%d_%H%M%S')}.db")
