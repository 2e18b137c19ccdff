"""The command `tengen analyse`: analyses a whole game move by move, or one position with its best lines."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from local_runner.command_line.options import (
    MOST_SECONDS,
    Board,
    BoardSize,
    GameNumber,
    JsonTo,
    MovesEnv,
    Ply,
    Sandbox,
    argument,
    flag,
    moves_setup,
    option,
)
from local_runner.errors import RunnerError
from local_runner.language.languages import _
from local_runner.processes.sandbox import SandboxMode
from local_runner.terminal.output import interruptible

if TYPE_CHECKING:
    from local_runner.formats import GameFile, SavedGame

PLACE = "games", 50  # group of commands, and the place in lists
EXAMPLES = ("tengen analyse h8i9h9i8h10 --lines 3 --seconds 1", "tengen analyse game.sgf --game 2 --json analysis.json")
POSITION_SECONDS, MOVE_SECONDS = 3.0, 0.2  # default of --seconds for one position, and for each move of a game
POSITION_LINES = 3  # default of --lines for one position


def analyse(
    file: Annotated[str | None, argument("Any file of games, or a position as moves: h8h9i9.", "FILE|MOVES")] = None,
    game: GameNumber = None,
    ply: Ply = None,
    whole: Annotated[bool, flag("--whole", "The moves are a game: analyse each of them.")] = False,
    seconds: Annotated[
        float | None, option("Per position; default: 0.2 in a game, else 3.", "SECONDS", least=0.02, most=MOST_SECONDS)
    ] = None,
    lines: Annotated[int | None, option("Best lines; default: 2 in a game, else 3.", "N", least=1, most=9)] = None,
    env: MovesEnv = None,
    board_size: BoardSize = None,
    board: Board = None,
    sandbox: Sandbox = SandboxMode.AUTO,
    json_to: JsonTo = None,
) -> None:
    """Let our engine analyse a position, or a game with the better moves for its mistakes."""
    from rich.console import Console

    from local_runner.analysis import shown
    from local_runner.analysis.game import analyse as analyse_game
    from local_runner.formats.replaying import tell_damage
    from local_runner.formats.writing import at_ply
    from local_runner.game.session import GameSession
    from local_runner.processes.engine.engine_process import EngineProcess, Question
    from local_runner.terminal import output
    from local_runner.terminal.progress import Meter

    output.check(json_to, Path(file) if file else None)
    if whole and (ply is not None or file is None):
        raise RunnerError(_("--whole analyses each move of a game: give its moves, and leave out --ply"))
    if game is not None and file is None:
        raise RunnerError(_("--game chooses a game of a file: give a file"))
    saved, is_position, source = _game(file, game or 1, env, board_size, board)
    if ply is not None:
        saved = at_ply(saved, ply)
    alone = ply is not None or (is_position and not whole)
    console = Console()
    stopped = _("the analysis was interrupted; it keeps nothing, so the same command begins again")
    with interruptible(stopped), EngineProcess(sandbox) as engine, Meter(_("positions"), len(saved.cells) + 1) as meter:
        if alone:
            question = Question(saved.setup, saved.cells, lines=lines or POSITION_LINES,
                                seconds=seconds or POSITION_SECONDS)  # fmt: skip
            analysis: Any = engine.ask(question)
        else:
            analysis = analyse_game(engine, saved, seconds=seconds or MOVE_SECONDS, lines=lines or 2,
                                    progress=lambda _found, done, _all: meter.to(done))  # fmt: skip

    def show() -> None:
        if alone:
            shown.show_position(GameSession(saved.setup, cells=saved.cells), analysis, console)
        else:
            shown.show_game(analysis, console)

    output.tell(json_to, lambda: analysis, show)
    raise typer.Exit(tell_damage(saved, source, Console(stderr=json_to == output.STDOUT)))


def _game(
    file: str | None, number: int, env: str | None, board_size: int | None, board: Path | None
) -> tuple["SavedGame", bool, "GameFile | None"]:
    """The game to analyse, whether `file` gives only a position as moves, and the file (None for a board alone)."""
    from local_runner.formats import SavedGame
    from local_runner.formats.reading import is_moves, read_argument

    setup = moves_setup(env, board_size, board)
    if file is None:
        if setup is None:
            raise RunnerError(_("give a file of games, or moves such as h8h9i9, or --env and --board"))
        return SavedGame(setup, ()), True, None
    games = read_argument(file, setup)
    return games.game(number - 1), is_moves(file) or games.kind == "position", games
