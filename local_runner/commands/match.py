"""The command `tengen match`: plays games between two agents."""

from pathlib import Path
from typing import Annotated

import typer

from local_runner.commands.shared.options import OPENINGS, Board, GameOptions, LimitOptions, Quiet
from local_runner.errors import RunnerError
from local_runner.language.languages import _

ORDER = 10  # place in the list of commands


def match(
    a: Annotated[str, typer.Argument(metavar="A", help="An agent, such as tengen, seed004, ./submission.py:depth=4.")],
    b: Annotated[str, typer.Argument(metavar="B", help="The other agent; the colours are swapped every game.")],
    game: GameOptions,
    limits: LimitOptions,
    games: Annotated[int, typer.Option(min=1, help="Number of games; the two games of a pair share an opening.")] = 2,
    opening_plies: Annotated[int | None, typer.Option(min=0, help="Length of random openings.")] = None,
    openings: Annotated[
        str | None, typer.Option(help=f"{OPENINGS}the game's own start for the first pair, then random ones.")
    ] = None,
    board: Board = None,
    lenient: Annotated[
        bool, typer.Option("--lenient", help="As on the site: illegal moves are replaced, caught faults do not lose.")
    ] = False,
    no_limits: Annotated[bool, typer.Option("--no-limits", help="No time and memory limits, for debugging.")] = False,
    json: Annotated[
        str | None, typer.Option(metavar="[FILE.json]", help="The result as JSON, on stdout or in a file.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Folder for every game's log and the agents' output.")
    ] = None,
    details: Annotated[
        bool, typer.Option("--details", help="Show the last board of every game, with both sides' stones and times.")
    ] = False,
    quiet: Quiet = False,
) -> None:
    """Play games between two agents, each in its own process, under the platform's limits."""
    from local_runner.agents.declared_games import seconds_for
    from local_runner.agents.spec import parse_agent
    from local_runner.matches.fixture import Terms
    from local_runner.matches.match import match_plan, openings_for
    from local_runner.matches.openings.deal import RANDOM, START
    from local_runner.matches.screens import show_match

    if lenient and game.rules != "platform":
        raise RunnerError(_("--lenient replaces illegal moves as the platform does, so it needs --rules platform"))
    if openings not in (None, RANDOM) and opening_plies is not None:
        sentence = _("--opening-plies is the length of random openings, not of {openings}; leave it out")
        raise RunnerError(sentence.format(openings=openings))
    if board is not None and out is not None:
        raise RunnerError(_("the log format cannot hold another start position: leave out --out, or --board"))
    setup, agents = game.setup(board), (parse_agent(a), parse_agent(b))
    allowed = limits.with_time(game.time or seconds_for(agents), enforced=not no_limits)
    terms = Terms(setup, allowed, strict=not lenient, python=game.python)
    starts = openings_for(setup, games, openings or (START if board else None), opening_plies)
    plan = match_plan(agents, terms, games, starts)
    raise typer.Exit(show_match(plan, log_dir=out, json_to=json, quiet=quiet, details=details))
