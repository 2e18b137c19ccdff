"""A match: games between two agents in pairs, each pair from one opening with the colours swapped.

Every game has fresh processes, so a cold start is part of it. Plays and sums up; shows nothing.
"""

import shutil
import tempfile
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from pathlib import Path

from env_adapter import Cell, answer
from local_runner.agents import AgentSpec
from local_runner.fixture import Terms, fixture, play_fixture
from local_runner.openings.books import Opening
from local_runner.openings.deal import book_for, dealt
from local_runner.platform_log import write_log
from local_runner.play import GameSetup, Watcher
from local_runner.processes import interpreters
from local_runner.processes.cores import claimed
from local_runner.records import BLACK_WINS, WHITE_WINS, GameRecord
from local_runner.statistics.counts import Tally, percentile, tally


@dataclass(frozen=True)
class MatchPlan:
    """Everything that determines a match.

    `openings`: of the pairs, each for both its games.
    `log_dir`: where a log of every game and the agents' output go. Without one the output lies in a temporary folder,
    which is kept if any game was lost by a fault.
    """

    agents: tuple[AgentSpec, AgentSpec]
    terms: Terms
    games: int
    openings: tuple[Opening, ...]
    log_dir: Path | None = None

    @property
    def names(self) -> tuple[str, str]:
        """What the two agents are called, told apart where one plays itself."""
        a, b = (agent.name for agent in self.agents)
        return (a, b) if a != b else (f"{a} (A)", f"{b} (B)")


@dataclass(frozen=True)
class MatchGame:
    """One game of a match; `black` is 0 where agent A had the black stones, else 1."""

    number: int
    black: int
    record: GameRecord
    log: Path | None

    @property
    def loser(self) -> int | None:
        """The agent (0 A, 1 B) who lost by a fault; None where the rules decided."""
        return None if self.record.loser is None else self.record.loser ^ self.black


@dataclass(frozen=True)
class Times:
    """Seconds per call: how many, median, 99th percentile, longest."""

    calls: int = 0
    p50: float = 0.0
    p99: float = 0.0
    longest: float = 0.0

    @classmethod
    def of(cls, seconds: Sequence[float]) -> "Times":
        """Of the seconds of some calls."""
        if not seconds:
            return cls()
        return cls(len(seconds), percentile(seconds, 50), percentile(seconds, 99), max(seconds))


@dataclass(frozen=True)
class Side:
    """One side at the end of a game: its pieces, and the seconds of its last call on turn and of all of these."""

    agent: str
    pieces: int
    last_seconds: float
    total_seconds: float


@dataclass(frozen=True)
class Ending:
    """How a game ended: the board as `stones[row][col]`, the last cell played, and Black's and White's sides."""

    stones: tuple[tuple[int, ...], ...]
    last: Cell | None
    sides: tuple[Side, Side]


@dataclass(frozen=True)
class AgentSummary:
    """One agent over the games of a match; times in seconds, memory in MB."""

    name: str
    as_black: Tally
    as_white: Tally
    on_turn: Times
    off_turn: Times
    load_seconds: float  # the longest
    peak_mb: float
    faults: int  # games lost by one
    inner_faults: int  # counted by the agent itself
    replaced: int  # illegal moves replaced by the referee (lenient matches)
    warnings: tuple[str, ...]

    @property
    def total(self) -> Tally:
        """Both colours."""
        return self.as_black + self.as_white


def openings_for(setup: GameSetup, games: int, text: str | None, plies: int | None = None) -> tuple[Opening, ...]:
    """The openings of the pairs of a match.

    `text`: as `--openings` has it; None is the game's own start for the first pair and random ones for the others.
    `plies`: of random openings, None the game's usual number. Raises RunnerError for openings that there are not.
    """
    pairs = (games + 1) // 2
    if text is None:
        return ((), *(dealt((), setup, number, plies) for number in range(1, pairs)))
    book = book_for(text, setup)
    return tuple(dealt(book, setup, number, plies) for number in range(1, pairs + 1))


def play_match(plan: MatchPlan, watcher: Watcher | None = None) -> Generator[MatchGame, None, None]:
    """Play the games one by one, yielding each as it ends.

    Closing the iterator, or an exception in it, ends the agents' processes. Raises RunnerError before the first game
    for an interpreter that is none, and as `play_game` and `write_log` do.
    """
    interpreters.check(plan.terms.python)
    kept = plan.log_dir or Path(tempfile.mkdtemp(prefix="tengen-match-"))
    any_fault = False
    try:
        for number in range(plan.games):
            game = _play_one(plan, number, kept, watcher)
            any_fault |= game.loser is not None
            yield game
    finally:
        if plan.log_dir is None and not any_fault:
            shutil.rmtree(kept, ignore_errors=True)


def _play_one(plan: MatchPlan, number: int, folder: Path, watcher: Watcher | None) -> MatchGame:
    black = number % 2
    order = (plan.agents[black], plan.agents[1 - black])
    game = fixture(plan.terms, number + 1, order, plan.openings[number // 2])
    with claimed(2) as (first, second):
        record = play_fixture(game, folder, (first, second), watcher)
    log = write_log(dict(record.log), folder, f"game{number + 1:03}") if plan.log_dir else None
    return MatchGame(number + 1, black, record, log)


def ending(plan: MatchPlan, game: MatchGame) -> Ending:
    """The end of a game of this match, which is played over from its record."""
    env = plan.terms.setup.make()
    for cell in game.record.cells:
        env.step([answer(cell or (0, 0), env.board_height, env.board_width)] * env.n_player)
    stones = tuple(map(tuple, env.stones()))
    black, white = (_side(plan, game, player, stones) for player in range(2))
    return Ending(stones, next((cell for cell in reversed(game.record.cells) if cell), None), (black, white))


def _side(plan: MatchPlan, game: MatchGame, player: int, stones: Sequence[Sequence[int]]) -> Side:
    seconds = [call.seconds for call in game.record.moves if call.player == player]
    pieces = sum(row.count(player + 1) for row in stones)
    return Side(plan.names[player ^ game.black], pieces, seconds[-1] if seconds else 0.0, sum(seconds))


def summarise(plan: MatchPlan, games: Sequence[MatchGame]) -> tuple[AgentSummary, AgentSummary]:
    """Both agents over the games played so far."""
    return _summarise(plan, games, 0), _summarise(plan, games, 1)


def tallies(games: Sequence[MatchGame], agent: int) -> tuple[Tally, Tally]:
    """The games of agent 0 (A) or 1 (B) as Black and as White."""
    as_black = [game.record.result.winner for game in games if game.black == agent]
    as_white = [game.record.result.winner for game in games if game.black != agent]
    return tally(as_black, BLACK_WINS), tally(as_white, WHITE_WINS)


def _summarise(plan: MatchPlan, games: Sequence[MatchGame], agent: int) -> AgentSummary:
    as_black, as_white = tallies(games, agent)
    calls = [call for game in games for call in game.record.calls if call.player ^ game.black == agent]
    reports = [game.record.agents[agent ^ game.black] for game in games]
    siblings = sorted({name for report in reports for name in report.siblings})
    shadowed = sorted({name for report in reports for name in report.shadowed})
    warnings = []
    if siblings:
        warnings.append(f"imports siblings ({', '.join(siblings)}): would fail on the platform")
    if shadowed:
        warnings.append(f"has modules of its own named {', '.join(shadowed)}: the platform's would be imported instead")
    return AgentSummary(
        name=plan.names[agent],
        as_black=as_black,
        as_white=as_white,
        on_turn=Times.of([call.seconds for call in calls if call.turn]),
        off_turn=Times.of([call.seconds for call in calls if not call.turn]),
        load_seconds=max((report.loaded.seconds for report in reports), default=0.0),
        peak_mb=max((report.peak_mb for report in reports), default=0.0),
        faults=sum(game.loser == agent for game in games),
        inner_faults=sum(report.inner_faults for report in reports),
        replaced=sum(call.replaced for call in calls),
        warnings=tuple(warnings),
    )
