"""The commands of tournaments, with their options. Each command imports the modules that do its work."""

import shlex
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from local_runner.commands.interruption import interruptible
from local_runner.commands.options import OPENINGS, GameOptions, LimitOptions, LogFolder, ManyGames, Sandbox, one_of
from local_runner.commands.tournament_arguments import entered_as, place_for, terms_for
from local_runner.errors import RunnerError
from local_runner.language.languages import Message, _
from local_runner.language.text import printable
from local_runner.processes.sandbox import SandboxMode

if TYPE_CHECKING:
    from local_runner.agents.spec import AgentSpec
    from local_runner.commands.tournament_arguments import Place
    from local_runner.matches.fixture import Terms
    from local_runner.matches.statistics.sprt import Sprt

Out = Annotated[Path | None, typer.Option("--out", metavar="FILE", help="The new file that keeps every game.")]
Openings = Annotated[str | None, typer.Option(help=f"{OPENINGS}test if the game has such a book, else random.")]
Resume = Annotated[Path | None, typer.Option(metavar="FILE", help="Continue this file, with its own options.")]
MACHINES = {"sandbox", "ponder"}  # parameters that are a matter of the machine: --resume may change them for one run
RESUMABLE = {"resume", "rounds", "jobs", "executor", "address", "quiet", "as_json", *MACHINES}  # beside --resume
Recover = Annotated[bool, typer.Option("--recover", help="A crash loses a game, but does not end the tournament.")]


def _schedules() -> Iterable[str]:
    from local_runner.matches.tournament.schedule import OFFERED

    return OFFERED


def _models() -> Iterable[str]:
    from local_runner.matches.statistics.sprt import EloModel

    return [model.value for model in EloModel]


def tournament(
    context: typer.Context,
    game: GameOptions,
    limits: LimitOptions,
    many: ManyGames,
    agents: Annotated[list[str] | None, typer.Argument(help="Two or more agents.")] = None,
    out: Out = None,
    resume: Resume = None,
    schedule: Annotated[
        str, typer.Option(metavar="SCHEDULE", callback=one_of(Message("schedule"), _schedules),
                          help="round-robin; gauntlet: the first against the others; swiss: neighbours by points.")
    ] = "round-robin",
    rounds: Annotated[int, typer.Option(min=1, help="Repetitions; a pairing is two games, colours swapped.")] = 1,
    openings: Openings = None,
    recover: Recover = False,
) -> None:
    """Play many games between two or more agents, one on each core; a file keeps every game.

    If it is interrupted, `--resume FILE` plays the remaining games; `--rounds` may then ask for more than before.
    """
    from local_runner.agents.declared_games import seconds_for

    place = place_for(many)
    if resume is not None:
        changed = _changed(context)
        more = rounds if "rounds" in changed else None
        limits_now = {name: vars(limits)[name] for name in MACHINES & changed}
        raise typer.Exit(_resume(resume, place, more, limits_now, many))
    path = _needed(out)
    entered = entered_as(agents or [], many)
    terms = terms_for(game, limits.with_time(game.time or seconds_for(entered)))
    raise typer.Exit(
        _begin(path, entered, terms, openings, place, many, schedule=schedule, rounds=rounds, recover=recover)
    )


def _resumed_elsewhere(file: Path | None) -> None:
    if file is not None:
        path = shlex.quote(str(file))
        raise RunnerError(_("a test goes on by another command: tengen tournament --resume {path}").format(path=path))


def sprt(
    new: Annotated[str, typer.Argument(metavar="NEW", help="The agent that should be stronger.")],
    old: Annotated[str, typer.Argument(metavar="OLD", help="The agent to compare it with.")],
    game: GameOptions,
    limits: LimitOptions,
    many: ManyGames,
    elo0: Annotated[float, typer.Option(help="H0: NEW is stronger by this many Elo.")] = 0.0,
    elo1: Annotated[float, typer.Option(help="H1: NEW is stronger by this many Elo.")] = 10.0,
    alpha: Annotated[float, typer.Option(help="Probability of accepting H1 if H0 is true.")] = 0.05,
    beta: Annotated[float, typer.Option(help="Probability of accepting H0 if H1 is true.")] = 0.05,
    model: Annotated[
        str, typer.Option(metavar="MODEL", callback=one_of(Message("Elo model"), _models),
                          help="The Elo model: logistic or normalised.")
    ] = "logistic",
    rounds: Annotated[int, typer.Option(min=1, help="Maximum number of pairs of games.")] = 100_000,
    out: Out = None,
    openings: Openings = None,
    recover: Recover = False,
    resume: Annotated[Path | None, typer.Option(hidden=True, is_eager=True, callback=_resumed_elsewhere)] = None,
) -> None:
    """Play pairs of games until one of two hypotheses about NEW's strength can be accepted.

    A sequential probability ratio test (SPRT) over pairs. If interrupted, `tengen tournament --resume FILE` goes on.
    """
    from local_runner.agents.declared_games import seconds_for
    from local_runner.matches.statistics.sprt import EloModel, Sprt

    place = place_for(many)
    path = _needed(out)
    test = Sprt(elo0, elo1, alpha, beta, EloModel(model))
    entered = entered_as([new, old], many)
    terms = terms_for(game, limits.with_time(game.time or seconds_for(entered)))
    raise typer.Exit(
        _begin(path, entered, terms, openings, place, many,
               schedule="gauntlet", rounds=rounds, recover=recover, sprt=test)
    )  # fmt: skip


def rerun(
    file: Annotated[Path, typer.Argument(help="The file of a tournament.")],
    game: Annotated[int, typer.Argument(min=1, help="The number of the game.")],
    out: LogFolder = Path("logs"),
    sandbox: Sandbox = SandboxMode.AUTO,
) -> None:
    """Play one game of a tournament again, with the same opening and seeds; keep its log and the agents' output."""
    from local_runner.commands import tournament_again as again
    from local_runner.matches.tournament import store

    with store.read(file) as kept, interruptible(_("the game was interrupted; it leaves no log")):
        kept.plan = kept.plan.limited({"sandbox": sandbox})
        raise typer.Exit(again.rerun(kept, game, out))


def report(
    file: Annotated[Path, typer.Argument(help="The file of a tournament, which may still be running.")],
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The page; default: the file's name with .html.")
    ] = None,
    markdown: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write a short summary in Markdown.")
    ] = None,
    show: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
) -> None:
    """Write a page about a tournament, one self-contained file: tables, plots, and every game to replay.

    A very large tournament's page replays only the faulty and the newest games; its figures count all games.
    """
    from local_runner.html import report

    page = out or file.with_suffix(".html")
    typer.echo(report.write(file, page, markdown))
    if show and (missing := report.open_in_browser(page)):
        typer.echo(missing)


def salvage(
    file: Annotated[Path, typer.Argument(help="The damaged file of a tournament; it is only read.")],
    out: Out = None,
) -> None:
    """Save the games of a damaged tournament file into a new file.

    Says how many games are saved and how many are lost. `tengen tournament --resume` plays the lost ones again.
    """
    from local_runner.matches.tournament.salvage import salvage as save

    if out is None:
        raise RunnerError(_("what is saved goes into a new file: give --out FILE"))
    typer.echo(printable(str(save(file, out))))


def _begin(
    path: Path, agents: "tuple[AgentSpec, ...]", terms: "Terms", openings: str | None, place: "Place", many: ManyGames,
    *, schedule: str, rounds: int, recover: bool, sprt: "Sprt | None" = None,
) -> int:  # fmt: skip
    """Make the file and play."""
    from local_runner.matches.openings.deal import book_for
    from local_runner.matches.screens import show_tournament
    from local_runner.matches.tournament.plan import TournamentPlan
    from local_runner.matches.tournament.run import begun

    plan = TournamentPlan(agents, terms, schedule, rounds, book_for(openings, terms.setup), recover=recover, sprt=sprt)
    with place(plan.load) as executor, begun(path, plan, new=True) as kept:
        return show_tournament(kept, executor, quiet=many.quiet, as_json=many.as_json)


def _resume(path: Path, place: "Place", rounds: int | None, limits: Mapping[str, Any], many: ManyGames) -> int:
    """Go on with a file. `rounds`: how many there shall be, if that is asked; `limits`: those of this run only."""
    from local_runner.matches.screens import show_tournament
    from local_runner.matches.tournament import store

    with store.open_to_run(path) as kept:
        if rounds is not None:
            kept.extend(rounds)
        kept.plan = kept.plan.limited(limits)
        with place(kept.plan.load) as executor:
            return show_tournament(kept, executor, quiet=many.quiet, as_json=many.as_json)


def _changed(context: typer.Context) -> set[str]:
    """The parameters given beside --resume. Raises RunnerError for those that the file decides."""
    given = {}
    for each in context.command.params:
        source = context.get_parameter_source(str(each.name))
        if source is not None and source.name == "COMMANDLINE":
            given[str(each.name)] = each
    fixed = [each.opts[0] if each.param_type_name == "option" else _("the agents")
             for name, each in given.items() if name not in RESUMABLE]  # fmt: skip
    if fixed:
        sentence = _("a tournament goes on as it was begun: leave out {options}, or begin a new one")
        raise RunnerError(sentence.format(options=", ".join(fixed)))
    return set(given)


def _needed(out: Path | None) -> Path:
    if out is None:
        raise RunnerError(_("the games need a file: give --out FILE, or go on with `tengen tournament --resume FILE`"))
    return out
