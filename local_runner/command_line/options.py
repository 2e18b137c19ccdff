"""The options that several commands share, each with one name and one help text (docs/en/reference/commands.md)."""

import secrets
import sys
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from local_runner.errors import RunnerError
from local_runner.language.languages import CHINESE, Message, _, listed, shown, speaking, unknown
from local_runner.processes.child import AgentLimits
from local_runner.processes.sandbox import SandboxMode

if TYPE_CHECKING:
    from local_runner.game.setup import GameSetup
    from local_runner.matches.plan import Adjudication

THIS_PYTHON = sys.executable

# Greatest values of options. No run needs more, and greater values are mostly typing errors.
MOST_SEED = 2**31 - 1  # also the greatest seed that is drawn if the user gives none
MOST_SIDE = 26  # cells: env_adapter.grid.LARGEST_BOARD, whose import would be slow
MOST_SECONDS = 3600  # largest time limit of a call
MOST_MB = 1_000_000
MOST_JOBS = 1000  # most games at once on one machine
MOST_GAMES = 100_000  # most games of a match, which keeps them in memory
MOST_ROUNDS = 10_000_000  # most rounds of a tournament, which keeps its games in a file
MOST_GAMES_IN_FILE = 2**31 - 1
MOST_PLIES = 10_000  # most plies of a game

Chosen = TypeVar("Chosen", str, list[str], None)


def one_of(kind: Message, names: Callable[[], Iterable[str]]) -> dict[str, Any]:
    """Settings of an option whose value is a name or a list of names: unknown names are refused, known ones completed.

    `kind`: the kind of thing that has these names, for the message. `names`: returns all known names; called when the
    option is parsed. The parser raises RunnerError for an unknown name.
    """

    def check(context: typer.Context, value: Chosen) -> Chosen:
        if context.resilient_parsing:  # when the shell completes a word
            return value
        known = list(names())
        words: list[str] = [value] if isinstance(value, str) else value or []
        words = [word if word in known else _in_chinese(word, known) for word in words]
        for word in words:
            if word not in known:
                raise RunnerError(unknown(shown(kind), word, known))
        chosen: Any = words if isinstance(value, list) else words[0] if words else value
        return chosen  # type: ignore[no-any-return]

    return {"callback": check, "autocompletion": lambda: list(names())}


def _in_chinese(word: str, known: Iterable[str]) -> str:
    """The first known name whose Chinese name begins with a word, such as gobang_1v1 for 五子棋; else the word."""
    with speaking(CHINESE):
        return next((name for name in known if not word.isascii() and shown(Message(name)).startswith(word)), word)


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


def option(
    text: str, value: str | None = None, name: str = "", least: float | None = None, most: float | None = None,
    **settings: Any,
) -> Any:  # fmt: skip
    """An option with a help text, the name of its value, such as FILE, and bounds.

    `value`: None for the usual name of such a value. `name`: such as "--env"; "" for that of the parameter.
    """
    return typer.Option(*name.split(), metavar=value, min=least, max=most, help=text, readable=False, **settings)


def argument(text: str, value: str | None = None, **settings: Any) -> Any:
    """An argument with a help text. `value`: the name of the argument; None for the usual name of such a value."""
    return typer.Argument(metavar=value, help=text, readable=False, **settings)


def flag(name: str, text: str) -> Any:
    """An option without a value."""
    return typer.Option(name, help=text)


GAME, RULES = one_of(Message("game"), games), one_of(Message("rules"), rules)
AGENT = {"autocompletion": agent_names}
Env = Annotated[str, option("The game, such as gobang_1v1; tengen games lists them.", name="--env", **GAME)]
MovesEnv = Annotated[str | None, option("The game of the moves; default: as they suggest.", name="--env", **GAME)]
Rules = Annotated[str, option("platform: as the platform plays. stated: as its rules say.", "RULES", **RULES)]
Seed = Annotated[int | None, option("The same seed gives the same random numbers.", least=0, most=MOST_SEED)]
BoardSize = Annotated[
    int | None, option("Cells on a side of the board; default: the game's own.", least=1, most=MOST_SIDE)
]
Board = Annotated[Path | None, option("Begin Reversi from this board, Black to move: rows of . X O.", "FILE")]
GameNumber = Annotated[int | None, option("The game of that number.", "N", "--game", least=1, most=MOST_GAMES_IN_FILE)]
Ply = Annotated[int | None, option("The position after N plies.", least=0, most=MOST_PLIES)]
Sandbox = Annotated[SandboxMode, option(
    "auto: the best sandbox for agents on this machine. on: refuse to run without one. off: none.", "auto|on|off"
)]  # fmt: skip
JsonTo = Annotated[str | None, option("The result as JSON, on stdout or in a file.", "[FILE.json]", "--json")]
Quiet = Annotated[bool, flag("--quiet", "Only the table at the end.")]
TurnSeconds = Annotated[float, option("Time for a move, if the manager gives none.", least=0, most=10**6)]
Jobs = Annotated[int | None, option("Games at once; default: the number of physical cores.", least=1, most=MOST_JOBS)]
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
    time: Annotated[float | None, option(
        "Seconds per call; default: 1, in games of the Mo platform 3.", "SECONDS", least=0.001, most=MOST_SECONDS
    )] = None  # fmt: skip
    rules: Rules = "platform"
    seed: Seed = None
    python: Annotated[str, option(
        "The agents' interpreter: a path, a command or a version, such as 3.7.", "PYTHON", callback=located
    )] = THIS_PYTHON  # fmt: skip

    def setup(self, board: Path | None = None) -> "GameSetup":
        """The setup of the game. `board`: a file with a start position, None for the game's own start."""
        seed = secrets.randbits(31) if self.seed is None else self.seed
        return game_setup(self.env, self.rules, seed, board_size=self.board_size, board=board)


@dataclass(frozen=True)
class LimitOptions:
    """The options for the agents' limits, except for their time."""

    memory: Annotated[float, option("MB of resident memory.", "MB", least=1, most=MOST_MB)] = 500.0
    sandbox: Sandbox = SandboxMode.AUTO
    ponder: Annotated[bool, flag("--ponder", "Let agents compute while they are not asked.")] = False
    processes: Annotated[bool, flag("--processes", "Let agents that you trust start processes.")] = False

    def with_time(self, seconds: float, *, enforced: bool = True) -> AgentLimits:
        """The limits of agents. `seconds`: for each call. `enforced`: False for no limits of time and memory."""
        return AgentLimits(
            seconds, memory_mb=self.memory, enforced=enforced, sandbox=self.sandbox, ponder=self.ponder,
            processes=self.processes,
        )  # fmt: skip


@dataclass(frozen=True)
class EarlyEnds:
    """The options that end games before their end by the rules."""

    draw_after: Annotated[int | None, option("Longer games are draws.", "PLIES", least=1, most=MOST_PLIES)] = None
    draw: Annotated[tuple[int, float] | None, option(
        "A draw if both told scores from -SCORE to SCORE for MOVES moves in a row.", "MOVES SCORE"
    )] = None  # fmt: skip
    resign: Annotated[tuple[int, float] | None, option(
        "An agent that told -SCORE or less for MOVES moves in a row has lost.", "MOVES SCORE"
    )] = None  # fmt: skip

    @property
    def adjudication(self) -> "Adjudication":
        """The options as a value of the plan. Raises RunnerError for numbers that make no sense."""
        from local_runner.matches.plan import Adjudication

        return Adjudication(self.draw_after, self.draw, self.resign)


@dataclass(frozen=True)
class ManyGames:
    """The options of a tournament or an SPRT: its files, openings, names, executor and output."""

    out: Annotated[Path | None, option("The new file that keeps every game.", "FILE")] = None
    openings: Annotated[str | None, option(f"{OPENINGS}test if the game has such a book, else random.")] = None
    in_order: Annotated[bool, flag("--in-order", "Take the openings in the book's order, not shuffled.")] = False
    names: Annotated[
        str | None, option("Names of the agents in tables and files, in their order.", "NAME,...")
    ] = None  # fmt: skip
    pgn: Annotated[Path | None, option("Write all games as PGN at the end, for Ordo or BayesElo.", "FILE")] = None
    sgf: Annotated[Path | None, option("Write all games as SGF at the end.", "FILE")] = None
    recover: Annotated[bool | None, option(
        "A game lost by a fault leaves the exit code 0. --no-recover: a crash ends the tournament.",
        name="--recover/--no-recover", show_default=False,
    )] = None  # fmt: skip
    jobs: Jobs = None
    executor: Annotated[str, option(
        "local: this machine; ray: a Ray cluster, which needs tengen[cluster].", "EXECUTOR",
        **one_of(Message("executor"), lambda: ("local", "ray")),
    )] = "local"  # fmt: skip
    address: Annotated[
        str | None, option("Address of the Ray cluster; default: the one on this machine.", "HOST:PORT")
    ] = None  # fmt: skip
    each: Annotated[str, option("Options for every agent, such as nodes=2000.", "KEY=VALUE,...")] = ""
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
