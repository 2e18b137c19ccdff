"""The command `tengen play`: a person plays against an agent at the keyboard."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from local_runner.command_line.options import (
    AGENT,
    OPENINGS,
    Board,
    GameOptions,
    LimitOptions,
    argument,
    flag,
    one_of,
    option,
    refuse,
)
from local_runner.language.languages import Message, _
from local_runner.play import COLOURS

PLACE = "play", 20  # group of commands, and the place in lists
EXAMPLES = ("tengen play level3", "tengen play ./submission.py --env reversi_1v1 --colour ask")
OF_THE_FILE = {"env", "board_size", "rules", "seed", "board", "openings"}  # --resume takes them from the file
OF_AGENTS = {"time", "memory", "python", "ponder"}  # parameters without effect on a level of our engine


def play(
    context: typer.Context,
    game: GameOptions,
    limits: LimitOptions,
    agent: Annotated[str | None, argument(
        "An agent, such as seed002, tengen:seconds=0.2, ./submission.py; or level1 to level5.", **AGENT
    )] = None,
    level: Annotated[int | None, option("Play our engine at level 1, the weakest, to 5.", "N", least=1, most=5)] = None,
    colour: Annotated[str | None, option(
        "Your stones: black, white or ask; Black moves first. Default: black.", "COLOUR",
        **one_of(Message("colour"), lambda: (*COLOURS, "ask")),
    )] = None,
    board: Board = None,
    openings: Annotated[str, option(f"{OPENINGS}start.", show_default=False)] = "start",
    strict: Annotated[bool, flag("--strict", "At Reversi, a wrong answer loses your turn.")] = False,
    resume: Annotated[
        Path | None, option("Go on with an unfinished game; the file says which game it is.", "FILE")
    ] = None,
    again: Annotated[
        bool, flag("--again", "Ask for another game at the end, as in a terminal, also in a pipe.")
    ] = False,
) -> None:  # fmt: skip
    """Play against an agent at the keyboard. Type h8, or a row and a column; `help` lists all commands."""
    from local_runner.agents.declared_games import refuse_misfits, seconds_for
    from local_runner.agents.spec import AgentSpec
    from local_runner.formats.reading import openings_of
    from local_runner.matches.openings.deal import book_for, dealt
    from local_runner.play import playing
    from local_runner.play.table import GameSeries

    if resume is not None:
        refuse(context, OF_THE_FILE, _("the file says which game it is and how it began: leave out {options}"))
    saved = playing.unfinished(resume) if resume else None
    if saved is not None:
        setup = saved.setup
        colour = colour or playing.colour_in(saved)
    else:
        setup = game.setup(board)
        setup = replace(setup, opening=dealt(book_for(openings, setup, openings_of), setup, 1))
    opponent, words = playing.opponent(agent, level, saved)
    specs = [opponent] if isinstance(opponent, AgentSpec) else []
    if not specs:
        refuse(context, OF_AGENTS, _("a level of our engine has its own limits: leave out {options}"))
    refuse_misfits(specs, setup)
    series = GameSeries(
        opponent, words, setup, limits.with_time(game.time or seconds_for(specs)), game.python,
        colour=colour or COLOURS[0], strict=strict, again=again, cells=saved.cells if saved else None,
    )  # fmt: skip
    raise typer.Exit(playing.play_series(series))
