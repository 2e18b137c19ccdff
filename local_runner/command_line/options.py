"""The options that several commands share, each with one name and one help text (docs/en/reference/commands.md)."""

import secrets
import sys
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from local_runner.errors import RunnerError
from local_runner.language.languages import Message, _, listed, shown
from local_runner.language.suggestions import unknown
from local_runner.processes.child import AgentLimits
from local_runner.processes.sandbox import SandboxMode

if TYPE_CHECKING:
    from local_runner.game.setup import GameSetup
    from local_runner.matches.adjudication import Adjudication

THIS_PYTHON = sys.executable

# Greatest values of options. No run needs more, and greater values are mostly typing errors.
MOST_SEED = 2**31 - 1  # also the greatest seed that the games draw themselves
MOST_SIDE = 26  # cells: env_adapter.setup.LARGEST_BOARD, whose import would be slow
MOST_SECONDS = 3600  # largest time limit of a call
MOST_MB = 1_000_000
MOST_JOBS = 1000  # games at once on one machine
MOST_GAMES = 100_000  # games of a match, which keeps them in memory
MOST_ROUNDS = 10_000_000  # rounds of a tournament, which keeps its games in a file
MOST_GAMES_IN_FILE = 2**31 - 1
MOST_PLIES = 10_000  # most plies of a game

Chosen = TypeVar("Chosen", str, list[str], None)


def one_of(kind: Message, names: Callable[[], Iterable[str]]) -> dict[str, Any]:
    """Settings of an option whose value is a name or a list of names: unknown names are refused, known ones completed.

    `kind`: the kind of thing that has these names, for the message. `names`: returns all known names; called when the
    option is parsed. The parser raises RunnerError for an unknown name.
    """

    def check(context: typer.Context, value: Chosen) -> Chosen:
        if context.resilient_parsing:  # for completion
            return value
        known = list(names())
        words: list[str] = [value] if isinstance(value, str) else value or []
        for word in words:
            if word not in known:
                raise RunnerError(unknown(shown(kind), word, known))
        return value

    return {"callback": check, "autocompletion": lambda: list(names())}


def located(python: str) -> str:
    """The interpreter given by --python, see `interpreters.located`."""
    from local_runner.processes import interpreters  # here, because the import is slow

    return interpreters.located(python)


def agent_names() -> list[str]:
    """The names of the agents that come with the project, for completion."""
    from local_runner.agents.catalogue import BUILT_INS

    return list(BUILT_INS)


def games() -> list[str]:
    """The names of the games."""
    from env_adapter import names  # here, because the import is slow

    return names()


def rules() -> Iterable[str]:
    """The names of the rules: "platform" and "stated"."""
    from env_adapter import RULES

    return RULES


Env = Annotated[
    str,
    typer.Option("--env", metavar="GAME", **one_of(Message("game"), games),
                 help="The game, such as gobang_1v1; tengen games lists them."),
]  # fmt: skip
MovesEnv = Annotated[
    str | None,
    typer.Option("--env", metavar="GAME", **one_of(Message("game"), games),
                 help="The game of the moves; default: as they suggest."),
]  # fmt: skip
Rules = Annotated[
    str,
    typer.Option(metavar="RULES", **one_of(Message("rules"), rules),
                 help="platform: as the platform plays. stated: as its rules say."),
]  # fmt: skip
Seed = Annotated[
    int | None, typer.Option(metavar="N", min=0, max=MOST_SEED, help="The same seed gives the same random numbers.")
]
BoardSize = Annotated[
    int | None,
    typer.Option(metavar="N", min=1, max=MOST_SIDE, help="Cells on a side of the board; default: the game's own."),
]
Board = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Begin Reversi from this board, Black to move: rows of . X O.")
]
GameNumber = Annotated[
    int | None, typer.Option("--game", metavar="N", min=1, max=MOST_GAMES_IN_FILE, help="The game of that number.")
]
Ply = Annotated[
    int | None, typer.Option("--ply", metavar="N", min=0, max=MOST_PLIES, help="The position after N plies.")
]
Sandbox = Annotated[
    SandboxMode,
    typer.Option("--sandbox", metavar="auto|on|off",
                 help="auto: the best sandbox for agents on this machine. on: refuse to run without one. off: none."),
]  # fmt: skip
JsonTo = Annotated[
    str | None, typer.Option("--json", metavar="[FILE.json]", help="The result as JSON, on stdout or in a file.")
]
Quiet = Annotated[bool, typer.Option("--quiet", help="Only the table at the end.")]
Jobs = Annotated[
    int | None,
    typer.Option("--jobs", metavar="N", min=1, max=MOST_JOBS,
                 help="Games at once; default: the number of physical cores."),
]  # fmt: skip
OPENINGS = (  # help text of --openings; each command adds its default
    "test, tune: a book that comes with the game; random; start: the game's own start; or a file with one opening a "
    "line, as h8i9j10 (column, row from the top) or 0,0, 1,1 (x,y from the centre), with lists in JSON, or any file of "
    "games. Default: "
)


def game_setup(
    env: str, rules: str = "platform", seed: int = 0, *, board_size: int | None = None, board: Path | None = None
) -> "GameSetup":
    """The game that the options describe. `board`: a file with a start position.

    Raises RunnerError if the game cannot have the board or the board size; the message names the option.
    """
    from env_adapter import OptionError, kind_of, kinds
    from local_runner.game.setup import GameSetup, called
    from local_runner.game.wording import error_text
    from local_runner.matches.openings.books import read_board

    if board and not kind_of(env).rules.takes_board:
        games = listed(kind.name for kind in kinds() if kind.rules.takes_board)
        raise RunnerError(_("--board is for {games} only, not for {game}").format(games=games, game=env))
    if board and board_size:
        raise RunnerError(_("give --board or --board-size, not both"))
    start = read_board(board) if board else None
    setup = GameSetup(env, rules, seed, board_size=board_size, board=start)
    try:
        setup.make()
    except OptionError as error:
        why = error_text(error)
        sentence = _("{path} is no board for {game}: {why}") if board else _("{why}; give another --board-size")
        raise RunnerError(sentence.format(path=board, game=shown(called(env)), why=why)) from error
    return setup


def moves_setup(env: str | None, board_size: int | None, board: Path | None = None) -> "GameSetup | None":
    """The game of the moves on a command line; None if --env is not given.

    Raises RunnerError for --board-size or --board without --env.
    """
    if env is not None:
        return game_setup(env, board_size=board_size, board=board)
    if board_size is not None or board is not None:
        raise RunnerError(_("--board-size and --board need --env: the game of the moves"))
    return None


# ---- groups of options: a command takes each group as one parameter (see `parser.CommandLine`)


@dataclass(frozen=True)
class GameOptions:
    """The options for the game, the seconds per call, and the agents' Python."""

    env: Env = "gobang_1v1"
    board_size: BoardSize = None
    time: Annotated[
        float | None,
        typer.Option("--time", metavar="SECONDS", min=0.001, max=MOST_SECONDS,
                     help="Seconds per call; default: 1, in games of the Mo platform 3."),
    ] = None  # fmt: skip
    rules: Rules = "platform"
    seed: Seed = None
    python: Annotated[
        str,
        typer.Option(metavar="PYTHON", callback=located,
                     help="The agents' interpreter: a path, a command or a version, such as 3.7."),
    ] = THIS_PYTHON  # fmt: skip

    def setup(self, board: Path | None = None) -> "GameSetup":
        """The setup of the game. `board`: a file with a start position, None for the game's own start."""
        seed = secrets.randbits(31) if self.seed is None else self.seed
        return game_setup(self.env, self.rules, seed, board_size=self.board_size, board=board)


@dataclass(frozen=True)
class LimitOptions:
    """The options for the agents' limits, except for their time."""

    memory: Annotated[float, typer.Option(metavar="MB", min=1, max=MOST_MB, help="MB of resident memory.")] = 500.0
    sandbox: Sandbox = SandboxMode.AUTO
    ponder: Annotated[bool, typer.Option("--ponder", help="Let agents compute while they are not asked.")] = False
    processes: Annotated[bool, typer.Option("--processes", help="Let agents that you trust start processes.")] = False

    def with_time(self, seconds: float, *, enforced: bool = True) -> AgentLimits:
        """The limits of agents. `seconds`: for each call. `enforced`: False for no limits of time and memory."""
        return AgentLimits(
            seconds, memory_mb=self.memory, enforced=enforced, sandbox=self.sandbox, ponder=self.ponder,
            processes=self.processes,
        )  # fmt: skip


@dataclass(frozen=True)
class EarlyEnds:
    """The options that end games before their end by the rules."""

    draw_after: Annotated[
        int | None, typer.Option("--draw-after", metavar="PLIES", min=1, max=MOST_PLIES, help="Longer games are draws.")
    ] = None
    draw: Annotated[
        tuple[int, float] | None,
        typer.Option("--draw", metavar="MOVES SCORE",
                     help="A draw if both told scores from -SCORE to SCORE for MOVES moves in a row."),
    ] = None  # fmt: skip
    resign: Annotated[
        tuple[int, float] | None,
        typer.Option("--resign", metavar="MOVES SCORE",
                     help="An agent that told -SCORE or less for MOVES moves in a row has lost."),
    ] = None  # fmt: skip

    @property
    def adjudication(self) -> "Adjudication":
        """The options as a value of the plan. Raises RunnerError for numbers that make no sense."""
        from local_runner.matches.adjudication import Adjudication

        return Adjudication(self.draw_after, self.draw, self.resign)


@dataclass(frozen=True)
class ManyGames:
    """The options of a tournament or an SPRT: its files, openings, names, executor and output."""

    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="The new file that keeps every game.")] = (
        None
    )
    openings: Annotated[str | None, typer.Option(help=f"{OPENINGS}test if the game has such a book, else random.")] = (
        None
    )
    in_order: Annotated[
        bool, typer.Option("--in-order", help="Take the openings in the book's order, not shuffled.")
    ] = False
    names: Annotated[
        str | None, typer.Option(metavar="NAME,...", help="Names of the agents in tables and files, in their order.")
    ] = None
    pgn: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write all games as PGN at the end, for Ordo or BayesElo.")
    ] = None
    sgf: Annotated[Path | None, typer.Option(metavar="FILE", help="Write all games as SGF at the end.")] = None
    recover: Annotated[
        bool | None,
        typer.Option("--recover/--no-recover", show_default=False,
                     help="A game lost by a fault leaves the exit code 0. --no-recover: a crash ends the tournament."),
    ] = None  # fmt: skip
    jobs: Jobs = None
    executor: Annotated[
        str,
        typer.Option(metavar="EXECUTOR", **one_of(Message("executor"), lambda: ("local", "ray")),
                     help="local: this machine; ray: a Ray cluster, which needs tengen[cluster]."),
    ] = "local"  # fmt: skip
    address: Annotated[
        str | None,
        typer.Option(metavar="HOST:PORT", help="Address of the Ray cluster; default: the one on this machine."),
    ] = None
    each: Annotated[str, typer.Option(metavar="KEY=VALUE,...", help="Options for every agent, such as nodes=2000.")] = (
        ""
    )
    quiet: Quiet = False
    json_to: JsonTo = None

    @property
    def outputs(self) -> list[tuple[Path, str, str]]:
        """Each file for the games at the end, its ending, and the advice if the file cannot be written."""
        advice, files = _("give --{option} another file"), ((self.pgn, "pgn"), (self.sgf, "sgf"))
        return [(path, ending, advice.format(option=ending)) for path, ending in files if path is not None]


# ---- which options are given


def given(context: typer.Context) -> dict[str, str]:
    """The parameters on the command line: the parameter's name -> its name for the user, such as "--env"."""
    options = {}
    for each in context.command.params:
        source = context.get_parameter_source(str(each.name))
        if source is not None and source.name == "COMMANDLINE":
            options[str(each.name)] = each.opts[0] if each.param_type_name == "option" else _("the agents")
    return options


def refuse(context: typer.Context, names: Collection[str], sentence: str) -> None:
    """Raise RunnerError if one of these parameters is given. `sentence`: the message, with a field {options}."""
    if useless := [option for name, option in given(context).items() if name in names]:
        raise RunnerError(sentence.format(options=listed(useless)))
