"""Small tournaments of quick agents, for the tests of this folder."""

from local_runner.agents.spec import parse_agent
from local_runner.game.setup import GameSetup
from local_runner.matches.fixture import Terms
from local_runner.matches.tournament.executor import LocalExecutor
from local_runner.matches.tournament.plan import TournamentPlan
from local_runner.matches.tournament.run import Observer, run
from tests.local_runner.processes.naughty import PATIENT


def plan_of(*agents, rounds=2, schedule="round-robin", env="tictactoe_1v1", seed=5, book=((),), **settings):
    terms = Terms(GameSetup(env, seed=seed), PATIENT)
    return TournamentPlan(tuple(map(parse_agent, agents)), terms, schedule, rounds, book, **settings)


def play_all(store, slots=2, observer=None):
    store._tables.database.execute("PRAGMA synchronous = OFF")  # a test need not wait for the disk
    with LocalExecutor(slots) as executor:
        return run(store, executor, observer)


def outcomes(store):
    """What must not depend on how often a tournament was interrupted."""
    return [(game.number, game.pair, game.black, game.white, game.winner, game.moves) for game in store.games()]


class Impatient(Observer):
    """Stops a run after that many games."""

    decides = True

    def __init__(self, games):
        self.left = games

    def ended(self, game):
        self.left -= 1

    def enough(self):
        return self.left <= 0
