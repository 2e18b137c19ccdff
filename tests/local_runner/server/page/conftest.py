"""Small tournaments, as files, and a window that is as high as a whole board."""

import pytest

from local_runner.game.faults import Fault, FaultKind
from local_runner.game.records import AgentReport, Call, GameDetails, Result
from local_runner.game.session import GameSession
from local_runner.matches.games import PlayedGame, create, moves_text
from local_runner.matches.run import run
from local_runner.matches.statistics.sprt import Sprt
from tests.browser.fixtures import browser, open_page, tab, window  # noqa: F401
from tests.local_runner.matches.small import Instant, plan_of
from tests.local_runner.processes.naughty import path_of
from tests.local_runner.server.page.games import played


@pytest.fixture(scope="module")
def window_size():
    return 700, 850


RAISER = path_of("raiser")
PLANS = {
    "tictactoe": plan_of("greedy", "random", RAISER, rounds=2, recover=True),
    "gobang": plan_of("greedy", "tengen:depth=1", env="gobang_1v1", rounds=1, book=(((7, 7), (6, 6)),)),
    "reversi": plan_of("random", "greedy", env="reversi_8x8_1v1", rounds=3),
    "sprt": plan_of("greedy", RAISER, rounds=6, schedule="gauntlet", recover=True, sprt=Sprt(0, 100, 0.2, 0.2)),
}


class AtRandom(Instant):
    """Plays random moves in this process, to the end; the raiser fails at once."""

    def submit(self, games):
        for game in games:
            names, calls = [seat.agent.name for seat in game.seats], []
            *_, (env, cells) = played(game.setup, game.number, 0 if "raiser" in names else 1000)
            result = GameSession(game.setup, cells=cells).result
            if result is None:
                error = "ValueError: no idea, this was printed before the end"
                result = Result(2 - names.index("raiser"), fault=Fault(FaultKind.RAISED, {"error": error}, error))
            for cell in cells[len(game.setup.opening) :]:
                thought = {"depth": 1, "value": 0} if env.board_width == 15 else None
                calls.append(Call(len(calls), 0, *(cell or (None, None)), 0.002, 0.001, True, thought=thought))
            reports = tuple(AgentReport(name) for name in names)
            details = GameDetails(tuple(calls), reports, len(game.setup.opening))
            self.results.put(PlayedGame(game.number, *game.players, result, moves_text(cells), 1, "", "", 0.1, details))


def write_tournament(path, plan):
    with create(path, plan, {}) as store:
        list(run(store, AtRandom(1)))


@pytest.fixture(scope="session")
def files(tmp_path_factory):
    """The tournament files by name."""
    folder = tmp_path_factory.mktemp("tournaments")
    for name, plan in PLANS.items():
        write_tournament(folder / f"{name}.jsonl", plan)
    return {name: folder / f"{name}.jsonl" for name in PLANS}
