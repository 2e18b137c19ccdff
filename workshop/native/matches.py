"""Matches between two settings of the compiled engine at fixed nodes, decided by an SPRT.

    python -m workshop.native.matches FILE "nodes=2000" "nodes=2000,vct_effort=60" [--env gobang_1v1] [--rounds 5000]
    python -m workshop.native.matches FILE                              goes on with that file

FILE is a tournament's file: `tengen report`, `tengen replay` and other commands read it. A setting is `nodes`, any
parameters of the engine, and files of learnt numbers in the formats of submission/data/: `weights`, and for k in a row
`order` and `network`. A setting keeps a checksum of each file. Each opening of the book for tuning is played twice,
colours swapped; after the last opening, the first follows. The engine's opening book is not used. After every pair the
test compares H0 (the first setting is `--elo0` stronger) with H1 (`--elo1`). There is no sandbox and no time limit. The
referee judges every move.
"""

import concurrent.futures
import platform
import time
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any

import typer

from env_adapter import Game
from local_runner.agents.catalogue import OptionValue
from local_runner.agents.spec import AgentSpec, parse_agent
from local_runner.errors import RunnerError
from local_runner.game.coordinates import numbered
from local_runner.game.records import Result
from local_runner.game.session import GameSession
from local_runner.game.setup import GameSetup
from local_runner.matches.executor import Executor
from local_runner.matches.games import Games, PlayedGame, create, moves_text, resume
from local_runner.matches.openings.books import Purpose, book
from local_runner.matches.plan import Plan, PlannedGame, Terms
from local_runner.matches.run import refuse_changed
from local_runner.matches.schedule import Schedule
from local_runner.matches.screens import TournamentScreen
from local_runner.matches.statistics.sprt import Sprt
from local_runner.system.header import header
from submission.engine import NATIVE_PARAMETERS, Engine
from submission.k_in_a_row.weights import KINDS, Network, evaluation_weights, to_rows, to_weights
from submission.native import search
from submission.native.library import libraries, processor
from submission.native.search import native_engine_for
from submission.reversi.weights import ReversiWeights
from submission.search.clock import Limits
from submission.variant import K_IN_A_ROW, REVERSI, Variant
from workshop.command import CORES, Jobs, run

NODES = 2000  # nodes per move, for a setting without `nodes`
ENGINE = Path(search.__file__)  # recorded in a file of games as its agents' code
LEARNT = ("weights", "order", "network")
CHECKSUM = "{}_sum"


@dataclass(frozen=True)
class NativeMatch:
    """The options of a match."""

    first: Annotated[str, typer.Argument(help="Setting, such as nodes=2000,lmr_divisor=1.5.")] = ""
    second: Annotated[str, typer.Argument(help="The other setting.")] = ""
    env: Annotated[str, typer.Option(help="The game.")] = "gobang_1v1"
    rounds: Annotated[int, typer.Option(min=1, help="Most pairs of games.")] = 5000
    elo0: Annotated[float, typer.Option(help="Elo difference of H0.")] = 0.0
    elo1: Annotated[float, typer.Option(help="Elo difference of H1.")] = 5.0
    seed: Annotated[int, typer.Option(help="Seed of the match.")] = 1

    def plan(self) -> Plan:
        """The plan of the match. Raises RunnerError for a setting that the engine does not take."""
        setup = GameSetup(self.env, rules="stated", seed=self.seed)
        agents = (_agent(self.first), _agent(self.second))
        if agents[0].options == agents[1].options:
            raise RunnerError("both settings are the same; give two that differ")
        for agent in agents:
            engine_of(variant_of(setup.make()), tuple(agent.options.items()))
        openings, test = tuple(book(self.env, Purpose.TUNE)), Sprt(self.elo0, self.elo1)
        return Plan(agents, Terms(setup), Schedule.GAUNTLET, self.rounds, openings, sprt=test)


def main(
    file: Annotated[Path, typer.Argument(help="File of the match; an existing match goes on.")],
    match: NativeMatch,
    jobs: Jobs = CORES,
    quiet: Annotated[bool, typer.Option("--quiet", help="Show only the result.")] = False,
) -> None:
    """Play until the test decides."""
    with opened(file, match) as kept, NativeExecutor(jobs) as executor:
        raise SystemExit(TournamentScreen(kept, quiet=quiet, executor=executor).show())


@contextmanager
def opened(file: Path, match: NativeMatch) -> Iterator[Games]:
    """A new file for the match, or the existing file if no settings are given.

    Raises RunnerError if an engine's file has changed since, because the games are not played from copies.
    """
    with create(file, match.plan(), header()) if match.first else resume(file) as kept:
        refuse_changed(kept)
        yield kept


def _agent(setting: str) -> AgentSpec:
    """A setting as an agent. Checksums of engine and weights become options, so that the file records them."""
    options = with_checksums(parse_agent(f"{ENGINE}:{setting}").options)
    return AgentSpec(setting, ENGINE, {**options, "library": libraries()[processor()]["sha256"]})


def variant_of(game: Game) -> Variant:
    """The variant of the referee's game."""
    rows, cols = game.board_height, game.board_width
    assert game.family in (REVERSI, K_IN_A_ROW)
    return Variant(game.family, rows, cols, game.setup.in_a_row or None)


@lru_cache(maxsize=4)
def engine_of(variant: Variant, options: tuple[tuple[str, OptionValue], ...]) -> tuple[Engine, int]:
    """The engine of a setting, and its nodes per move. Raises RunnerError if an option is unknown or misfits."""
    given: dict[str, Any] = dict(options)
    nodes = given.pop("nodes", NODES)
    if given.pop("library") != libraries()[processor()]["sha256"]:
        raise RunnerError("the compiled engine has changed since the match began; begin a new one")
    use = NATIVE_PARAMETERS[variant.family]
    learnt = take_learnt(variant, given)
    if strangers := given.keys() - use.names().keys():
        raise RunnerError(
            "the engine has no parameter {}; give nodes or any of {}".format(
                ", ".join(sorted(strangers)), ", ".join(use.names())
            )
        )
    try:
        engine = native_engine_for(variant, use.changed(**given), use_book=False)
        for name, read in learnt.items():
            setattr(engine, name, read)
        return engine, int(nodes)
    except (TypeError, ValueError) as error:
        raise RunnerError(f"the engine does not take this setting: {error}") from error


def play_game(game: PlannedGame) -> PlayedGame:
    """Play one game of a pair."""
    started, clock = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), time.perf_counter()
    black, white = agents = [seat.agent for seat in game.seats]
    session = GameSession(game.setup, (black.name, white.name))
    variant = variant_of(session.env)
    result = play_out(session, [engine_of(variant, tuple(agent.options.items())) for agent in agents])
    record = session.record()
    return PlayedGame(
        game.number, *game.players, result, moves_text(record.cells), game.setup.seed, platform.node(), started,
        time.perf_counter() - clock, replace(record.details(), calls=()),
    )  # fmt: skip


def play_out(session: GameSession, engines: Sequence[tuple[Engine, int]]) -> Result:
    """Play a game to its end by Black's and White's engine, each with its nodes per move."""
    for engine, _ in engines:
        engine.new_game()
    while session.result is None:
        engine, nodes = engines[session.to_move]
        stones = bytes(stone for row in session.env.stones() for stone in row)
        move = engine.think(stones, session.to_move, Limits(nodes=nodes)).move
        session.play(numbered(move, session.env.board_width))
    return session.result


def play_pair(games: Sequence[PlannedGame]) -> list[PlayedGame]:
    """Play the missing games of a pair."""
    return list(map(play_game, games))


class NativeExecutor(Executor):
    """Plays pairs in `slots` processes of its own."""

    def __init__(self, slots: int) -> None:
        super().__init__()
        self.slots = slots
        self._pool = concurrent.futures.ProcessPoolExecutor(slots)

    def submit(self, games: Sequence[PlannedGame]) -> None:
        """Add the games of a pair."""
        self._pool.submit(play_pair, games).add_done_callback(self._take)

    def close(self) -> None:
        """Wait for the pairs that are being played, and cancel the pairs that have not begun."""
        self._pool.shutdown(cancel_futures=True)

    def _take(self, future: concurrent.futures.Future[list[PlayedGame]]) -> None:
        if not future.cancelled():
            error = future.exception()
            for game in [error] if error else future.result():
                self.results.put(game)


# ---- files of learnt numbers


def with_checksums(options: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
    """The options of a setting, with a checksum for each file. Raises RunnerError if a file is not readable."""
    return {
        **options,
        **{CHECKSUM.format(name): zlib.crc32(_content(options[name])) for name in LEARNT if name in options},
    }


def take_learnt(variant: Variant, options: dict[str, Any]) -> dict[str, Any]:
    """Remove the files from the options, and return their contents by name.

    Raises RunnerError if a file cannot be read, differs from its checksum, or has another format.
    """
    learnt: dict[str, Any] = {}
    for name in LEARNT:
        if name in options:
            path, checksum = options.pop(name), options.pop(CHECKSUM.format(name))
            data = _content(path)
            if zlib.crc32(data) != checksum:
                raise RunnerError(f"{path} has changed since the match began; begin a new one")
            try:
                learnt[name] = _read(variant, name, data)
            except (zlib.error, ValueError, KeyError, IndexError) as error:
                raise RunnerError(
                    f"{path} is no file of {name} for this game: {error}; give one as in submission/data/"
                ) from error
    if network := learnt.pop("network", None):
        learnt["weights"] = learnt.get("weights", evaluation_weights())._replace(network=network)
    return learnt


def _read(variant: Variant, name: str, data: bytes) -> Any:
    if variant.family == REVERSI:
        if name != "weights":
            raise ValueError("Reversi has no such file")
        return ReversiWeights(variant.rows, data)
    if name == "network":
        network = Network(data.decode("ascii"))
        if not network.units or len(network.activations) != KINDS:
            raise ValueError("it has no units or no activations")
        return network
    rows = to_rows(data.decode("ascii"))
    return to_weights(rows) if name == "weights" else rows


def _content(path: OptionValue) -> bytes:
    try:
        return Path(str(path)).read_bytes()
    except OSError as error:
        raise RunnerError(f"cannot read {path}: {error.strerror}; give another file") from error


if __name__ == "__main__":
    run(main)
