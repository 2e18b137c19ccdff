"""The commands that play one game or a few, with their options. Each imports the modules that do its work."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from local_runner.commands.interruption import interruptible
from local_runner.commands.options import (
    COLOURS,
    OPENINGS,
    Board,
    BoardSize,
    Env,
    GameOptions,
    LimitOptions,
    LogFolder,
    Quiet,
    Rules,
    Sandbox,
    Seed,
    game_setup,
    games,
    one_of,
)
from local_runner.errors import RunnerError
from local_runner.language.languages import Message, _
from local_runner.language.text import ERROR, printable, shortened
from local_runner.processes.sandbox import SandboxMode
from local_runner.system.exit_codes import ExitCode


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
        typer.Option(metavar="COLOUR", callback=one_of(Message("colour"), lambda: (*COLOURS, "ask")),
                     help="Your stones: black, white or ask; Black moves first. Default: black."),
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
    """Play against an agent at the keyboard. Type h8, or a row and a column; help lists what else."""
    from local_runner.agents.declared_games import refuse_misfits, seconds_for
    from local_runner.agents.spec import AgentSpec
    from local_runner.matches.match import openings_for
    from local_runner.play import choosing, keeping
    from local_runner.play.playing import Evening, play_evening

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
    evening = Evening(
        opponent, words, setup, limits.with_time(game.time or seconds_for(specs)), game.python,
        colour=colour or COLOURS[0], strict=strict, again=again, cells=saved.cells if saved else None,
    )  # fmt: skip
    raise typer.Exit(play_evening(evening))


def run_log(
    black: Annotated[str, typer.Option(help="Black's agent, who moves first.")],
    white: Annotated[str, typer.Option(help="White's agent.")],
    env: Env = "gobang_1v1",
    rules: Rules = "platform",
    seed: Seed = 0,
    sandbox: Sandbox = SandboxMode.AUTO,
    out: LogFolder = Path("logs"),
) -> None:
    """Play one game as the platform's run_log.py does, and write the log that the platform's replay page shows."""
    from local_runner.agents.spec import parse_agent
    from local_runner.commands.replay import result_words
    from local_runner.formats import read_path
    from local_runner.matches import run_log as twin
    from local_runner.system.files import check_folder

    agents = (parse_agent(black), parse_agent(white))
    check_folder(out, _("choose another --out"))
    try:
        with interruptible(_("the game was interrupted; it leaves no log")):
            played = twin.run_log(env, agents, rules=rules, seed=seed, folder=out, mode=sandbox)
    except twin.RunAborted as error:
        sys.stderr.write(printable(error.traceback))
        typer.echo(f"tengen: {shortened(str(error), ERROR)}", err=True)
        raise typer.Exit(ExitCode.FAULT) from error
    words = result_words(read_path(played.path, None).game(0))
    typer.echo(_("{winner}; log: {path}").format(winner=words, path=played.path))


def replay(
    file: Annotated[str, typer.Argument(metavar="FILE", help="Any file of games, or moves such as h8h9i9.")],
    game: Annotated[int | None, typer.Option("--game", metavar="N", min=1, help="The game of that number.")] = None,
    ply: Annotated[int | None, typer.Option(metavar="N", min=0, help="The board after N plies.")] = None,
    env: Annotated[
        str | None,
        typer.Option("--env", metavar="GAME", callback=one_of(Message("game"), games),
                     help="The game of a file of moves; default: as the moves suggest."),
    ] = None,
    board_size: BoardSize = None,
    out: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE",
                     help="Write the game; the ending says how, such as .sgf, .png or .html; repeatable."),
    ] = None,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="One page that replays the game, or all games of the file.")
    ] = None,
) -> None:
    """Show the games of a file, or write one of them in another format.

    Reads logs of the site and ours, match --json, a tournament's file, SGF, Piskvork's .psq, and moves.
    """
    from rich.console import Console

    from local_runner.commands.replay import replay

    if board_size is not None and env is None:
        raise RunnerError(_("--board-size needs --env: the game of the moves"))
    setup = game_setup(env, board_size=board_size) if env else None
    raise typer.Exit(replay(file, Console(), setup=setup, number=game, ply=ply, out=out or [], html=html))
