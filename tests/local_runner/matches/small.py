"""Small tournaments of quick agents, and an executor without agents, for the tests of this folder."""

import io
import json
from contextlib import closing
from itertools import islice

from rich.console import Console

from env_adapter import Ending, EndingKind
from local_runner.agents.spec import parse_agent
from local_runner.game.records import Result
from local_runner.game.setup import GameSetup
from local_runner.matches.executor import Executor, LocalExecutor
from local_runner.matches.games import PlayedGame, moves_text
from local_runner.matches.plan import Plan, Terms
from local_runner.matches.run import run
from local_runner.matches.schedule import Schedule
from tests.local_runner.processes.naughty import PATIENT


def plan_of(*agents, rounds=2, schedule="round-robin", env="tictactoe_1v1", seed=5, book=((),), **settings):
    terms = Terms(GameSetup(env, seed=seed), PATIENT)
    return Plan(tuple(map(parse_agent, agents)), terms, Schedule(schedule), rounds, book, **settings)


def play_all(store, slots=2):
    """Play the remaining games, each in processes of its own; returns the games."""
    with LocalExecutor(slots) as executor:
        return list(run(store, executor))


def play_instantly(store, slots=1, games=None):
    """Play the remaining games, or that many, without agents (`Instant`); returns the games."""
    with closing(run(store, Instant(slots))) as playing:
        return list(islice(playing, games))


def outcomes(store):
    """The parts of games that must not depend on how often a tournament was interrupted."""
    return [(game.number, game.black, game.white, game.winner, game.moves) for game in store]


def decoded(line):
    """The object of a file's line, without the hash."""
    value = json.loads(line)
    del value["hash"]
    return value


class Instant(Executor):
    """Ends every game at once: the agent with the lower number wins, in a game of its opening only."""

    def __init__(self, slots):
        super().__init__()
        self.slots, self.most = slots, 0

    def submit(self, games):
        for game in games:
            black, white = game.players
            self.results.put(PlayedGame(
                number=game.number, black=black, white=white, result=full_board(1 if black < white else 2),
                moves=moves_text(game.setup.opening), seed=0, machine="", started="", seconds=0.0,
            ))  # fmt: skip
        self.most = max(self.most, self.results.qsize())

    def next(self, seconds):
        return super().next(0)

    def close(self):
        pass


def full_board(winner):
    return Result(winner, Ending(EndingKind.FULL_BOARD))


def text_of(renderable, width=120):
    """The text that a command prints for a renderable of rich."""
    console = Console(file=io.StringIO(), width=width, color_system=None)
    console.print(renderable)
    return console.file.getvalue()
