"""The command `tengen match`: plays games between two agents."""

from pathlib import Path
from typing import Annotated

import typer

from local_runner.command_line.options import (
    AGENT,
    MOST_GAMES,
    MOST_PLIES,
    OPENINGS,
    Board,
    EarlyEnds,
    GameOptions,
    JsonTo,
    LimitOptions,
    Quiet,
    argument,
    flag,
    option,
    refuse,
)
from local_runner.language.languages import _

PLACE = "play", 10  # group of commands, and the place in lists
EXAMPLES = (
    "tengen match tengen seed004 --env gobang_1v1 --games 2",
    "tengen match ./submission.py:depth=2 greedy --env reversi_8x8_1v1 --games 10 --json result.json",
)
PAIR = 2  # games from one opening


def match(
    context: typer.Context,
    a: Annotated[str, argument("An agent, such as tengen, seed004, ./submission.py:depth=4.", "A", **AGENT)],
    b: Annotated[str, argument("The other agent; the colours are swapped every game.", "B", **AGENT)],
    game: GameOptions,
    limits: LimitOptions,
    ends: EarlyEnds,
    games: Annotated[
        int, option("Number of games; the two games of a pair share an opening.", least=1, most=MOST_GAMES)
    ] = PAIR,
    opening_plies: Annotated[int | None, option("Length of random openings.", least=0, most=MOST_PLIES)] = None,
    openings: Annotated[
        str | None, option(f"{OPENINGS}the game's own start for the first pair, then random ones.")
    ] = None,
    board: Board = None,
    lenient: Annotated[
        bool, flag("--lenient", "As on the site: illegal moves are replaced, caught faults do not lose.")
    ] = False,
    no_limits: Annotated[bool, flag("--no-limits", "No time and memory limits, for debugging.")] = False,
    json_to: JsonTo = None,
    out: Annotated[Path | None, option("Folder for every game's log and the agents' output.", "FOLDER")] = None,
    details: Annotated[
        bool, flag("--details", "Show the last board of every game, with both sides' stones and times.")
    ] = False,
    quiet: Quiet = False,
) -> None:
    """Play games between two agents, each in its own process, under the platform's limits."""
    from local_runner.agents.declared_games import seconds_for
    from local_runner.formats.reading import openings_of
    from local_runner.matches.plan import Terms, match_plan
    from local_runner.matches.screens import MatchScreen
    from local_runner.processes.engine.levels import parse_player

    if no_limits:
        refuse(context, {"time", "memory"}, _("--no-limits switches the limits off: leave out {options}"))
    setup, agents = game.setup(board), (parse_player(a), parse_player(b))
    allowed = limits.with_time(game.time or seconds_for(agents), enforced=not no_limits)
    terms = Terms(setup, allowed, strict=not lenient, python=game.python, adjudication=ends.adjudication)
    plan = match_plan(agents, terms, games, openings, opening_plies, openings_of)
    raise typer.Exit(MatchScreen(plan, log_dir=out, json_to=json_to, quiet=quiet, details=details).show())
