"""The command `tengen play`: a person plays against an agent at the keyboard."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from local_runner.commands.shared.options import OPENINGS, Board, GameOptions, LimitOptions, one_of
from local_runner.language.languages import Message
from local_runner.play import COLOURS

ORDER = 20  # place in the list of commands


def play(
    game: GameOptions,
    limits: LimitOptions,
    agent: Annotated[
        str | None,
        typer.Argument(help="An agent, such as seed002, tengen:seconds=0.2, ./submission.py; or level1 to level5."),
    ] = None,
    level: Annotated[
        int | None, typer.Option(metavar="N", help="Play our engine at level 1, the weakest, to 5.")
    ] = None,
    colour: Annotated[
        str | None,
        typer.Option(
            metavar="COLOUR",
            callback=one_of(Message("colour"), lambda: (*COLOURS, "ask")),
            help="Your stones: black, white or ask; Black moves first. Default: black.",
        ),
    ] = None,
    board: Board = None,
    openings: Annotated[str, typer.Option(help=f"{OPENINGS}start.", show_default=False)] = "start",
    strict: Annotated[bool, typer.Option("--strict", help="At Reversi, a wrong answer loses your turn.")] = False,
    resume: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Go on with an unfinished game; the file says which game it is.")
    ] = None,
    again: Annotated[
        bool, typer.Option("--again", help="Ask for another game at the end, as in a terminal, also in a pipe.")
    ] = False,
) -> None:
    """Play against an agent at the keyboard. Type a cell such as h8, or a row and a column; `help` lists all
    commands.
    """
    from local_runner.agents.declared_games import refuse_misfits, seconds_for
    from local_runner.agents.spec import AgentSpec
    from local_runner.matches.match import openings_for
    from local_runner.play import choosing, keeping
    from local_runner.play.playing import GameSeries, play_series

    saved = keeping.unfinished(resume) if resume else None
    if saved is not None:
        setup = saved.setup
        colour = colour or choosing.colour_in(saved)
    else:
        setup = game.setup(board)
        setup = replace(setup, opening=openings_for(setup, 1, openings)[0])
    opponent, words = choosing.opponent(agent, level, saved)
    specs = [opponent] if isinstance(opponent, AgentSpec) else []
    refuse_misfits(specs, setup)
    series = GameSeries(
        opponent, words, setup, limits.with_time(game.time or seconds_for(specs)), game.python,
        colour=colour or COLOURS[0], strict=strict, again=again, cells=saved.cells if saved else None,
    )  # fmt: skip
    raise typer.Exit(play_series(series))
