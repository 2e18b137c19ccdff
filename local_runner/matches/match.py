"""A match between two agents; its games are a list. The first agent has Black in the first game of every pair.

This module plays matches and summarises them, but prints nothing. Agents are numbered 0 (A) and 1 (B), players 0
(Black) and 1 (White).
"""

import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from env_adapter import Cell, Platform
from local_runner.agents.declared_games import refuse_misfits
from local_runner.agents.source import newer_than_site
from local_runner.agents.spec import AgentSpec
from local_runner.errors import RunnerError
from local_runner.game.records import AgentReport
from local_runner.game.session import GameSession, Watcher
from local_runner.language.amounts import CALLS, amount
from local_runner.language.languages import Listing, Message, _
from local_runner.matches.copies import copies
from local_runner.matches.executor import play
from local_runner.matches.games import Ended, Games, PlayedGame
from local_runner.matches.openings.books import Others
from local_runner.matches.openings.deal import RANDOM, START, book_for
from local_runner.matches.plan import Plan, Terms
from local_runner.matches.schedule import Pairing, Schedule
from local_runner.matches.standings import Standings
from local_runner.matches.statistics.counts import Tally, percentile
from local_runner.processes import interpreters
from local_runner.processes.cores import claimed
from local_runner.system.files import check_folder, size

PAIR = 2  # games from one opening


@dataclass(frozen=True)
class Times:
    """Seconds per call: number of calls, median, 99th percentile, longest."""

    calls: int = 0
    p50: float = 0.0
    p99: float = 0.0
    longest: float = 0.0

    @classmethod
    def of(cls, seconds: Sequence[float]) -> "Times":
        """The statistics of these calls; all 0 if there are none."""
        if not seconds:
            return cls()
        return cls(len(seconds), percentile(seconds, 50), percentile(seconds, 99), max(seconds))


@dataclass(frozen=True)
class SideTotals:
    """One side at the end of a game: its number of stones, and the seconds of its last and of all its calls on turn."""

    agent: str
    pieces: int
    last_seconds: float
    total_seconds: float


@dataclass(frozen=True)
class FinalBoard:
    """The end of a game: the board as `stones[row][col]`, the last cell played, and Black's and White's totals."""

    stones: tuple[tuple[int, ...], ...]
    last: Cell | None
    sides: tuple[SideTotals, SideTotals]


@dataclass(frozen=True)
class AgentSummary:
    """One agent's figures in the games of a match; times in seconds, memory in MB."""

    name: str
    as_black: Tally
    as_white: Tally
    on_turn: Times
    off_turn: Times
    load_seconds: float  # longest load time of all games
    peak_mb: float
    faults: int  # games lost by a fault
    inner_faults: int  # faults that the agent caught itself
    replaced: int  # illegal moves that the referee replaced (lenient matches)
    warnings: tuple[str, ...]

    @property
    def total(self) -> Tally:
        """The agent's games with both colours."""
        return self.as_black + self.as_white


def match_plan(
    agents: tuple[AgentSpec, AgentSpec], terms: Terms, games: int, openings: str | None = None,
    plies: int | None = None, others: Others | None = None,
) -> Plan:  # fmt: skip
    """The plan of a match of `games` games.

    `openings`: the value of `--openings`. If `openings` is None, all pairs begin from a given board. Without a board,
    the first pair begins from the game's own start, and the others begin from random openings. `plies`: the length of
    random openings; None for the game's default. Random openings are made when their games begin. An agent that crashes
    loses the game, and the match goes on.

    Raises RunnerError for options that do not fit each other, and as `book_for` and `dealt` do. Raises AgentError for
    an agent that does not play this game.
    """
    if openings is None and terms.setup.board is not None:
        openings = START
    if not terms.strict and terms.setup.rules != "platform":
        raise RunnerError(_("--lenient replaces illegal moves as the platform does, so it needs --rules platform"))
    if openings not in (None, RANDOM) and plies is not None:
        sentence = _("--opening-plies is the length of random openings, not of {openings}; leave it out")
        raise RunnerError(sentence.format(openings=openings))
    if openings is None and plies is not None and games <= PAIR:
        raise RunnerError(_("the first two games begin from the game's own start, so --opening-plies needs "
                            "--openings random or more --games"))  # fmt: skip
    refuse_misfits(agents, terms.setup)
    plan = Plan(
        agents, terms, Schedule.MATCH, (games + 1) // 2,
        () if openings is None else book_for(openings, terms.setup, others),
        recover=None, most_games=games, opening_plies=plies, start_first=openings is None,
    )  # fmt: skip
    plan.opening(min(plan.rounds, 2))  # raises the error of a length that is too large before the first game
    return plan


def play_match(games: Games, watchers: Iterable[Watcher] = (), log_dir: Path | None = None) -> Ended:
    """Play a match in this thread, keep each game, and yield it.

    `log_dir`: the folder for every game's log and the agents' output. If None, no log is written, and the output goes
    into a temporary folder. The temporary folder is kept only if an agent printed something and a game was lost by a
    fault. Raises RunnerError if `log_dir` cannot be written, the match begins from a board, or a game cannot be played.
    """
    plan = games.plan
    if log_dir is not None:
        if plan.terms.setup.board is not None:
            raise RunnerError(_("the log format cannot hold another start position: leave out --out, or --board"))
        check_folder(log_dir, _("choose another --out"))
    interpreters.check(plan.terms.python)
    folder, keep = log_dir or Path(tempfile.mkdtemp(prefix="tengen-match-")), log_dir is not None
    try:
        with copies(plan.agents, plan.terms.python) as played:
            for round_ in range(1, plan.rounds + 1):
                for game in plan.pair(round_, Pairing(0, 1), plan.opening(round_), played):
                    with claimed(2) as (black, white):  # until the first game, no process has loaded the agents
                        ended = play(game, folder, (black, white), watchers, logged=log_dir is not None,
                                     checked=game.number > 1)  # fmt: skip
                    keep = keep or (ended.result.loser is not None and any(size(path) for path in folder.iterdir()))
                    games.add(ended)
                    yield ended
    finally:
        if not keep:
            shutil.rmtree(folder, ignore_errors=True)


def final_board(plan: Plan, game: PlayedGame) -> FinalBoard:
    """The end of a game of this match, from replaying the moves of its record."""
    stones = tuple(map(tuple, GameSession(plan.terms.setup, cells=game.cells).env.stones()))
    sides = []
    for player, agent in enumerate((game.black, game.white)):
        seconds = [call.seconds for call in game.details.calls if call.player == player and call.turn]
        pieces = sum(row.count(player + 1) for row in stones)
        sides.append(SideTotals(plan.names[agent], pieces, seconds[-1] if seconds else 0.0, sum(seconds)))
    return FinalBoard(stones, next((cell for cell in reversed(game.cells) if cell), None), (sides[0], sides[1]))


def summarise(plan: Plan, games: Sequence[PlayedGame]) -> list[AgentSummary]:
    """Both agents' totals over the games so far."""
    standings, summaries = Standings(plan.names, games), []
    for agent, name in enumerate(plan.names):
        sides = [(game.details, 0 if game.black == agent else 1) for game in games]
        calls = [call for details, player in sides for call in details.calls if call.player == player]
        reports = [details.agents[player] for details, player in sides]
        summaries.append(AgentSummary(
            name=name,
            as_black=standings.as_black[name],
            as_white=standings.as_white[name],
            on_turn=Times.of([call.seconds for call in calls if call.turn]),
            off_turn=Times.of([call.seconds for call in calls if not call.turn]),
            load_seconds=max((report.loaded.seconds for report in reports), default=0.0),
            peak_mb=max((report.peak_mb for report in reports), default=0.0),
            faults=standings.faults[name],
            inner_faults=sum(report.inner_faults for report in reports),
            replaced=sum(call.replaced for call in calls),
            warnings=tuple(_warnings(plan, agent, reports)),
        ))  # fmt: skip
    return summaries


def _warnings(plan: Plan, agent: int, reports: Sequence[AgentReport]) -> Iterator[Message]:
    """Warnings about what may fail on the platform; each text is to follow the agent's name. `agent`: 0 A, 1 B."""
    siblings = Listing(sorted({name for report in reports for name in report.siblings}))
    shadowed = Listing(sorted({name for report in reports for name in report.shadowed}))
    if siblings:
        sentence = Message("imports siblings ({names}): would fail on the platform; write `from .NAME import ...`")
        yield Message(sentence, names=siblings)
    if shadowed:
        yield Message("has modules of its own named {names}: the platform's would be imported instead", names=shadowed)
    spec, limits = plan.agents[agent], plan.terms.limits
    if calls := sum(report.busy_between for report in reports):
        used = sum(report.cpu_between for report in reports)
        if limits.ponder:
            sentence = Message("went on computing after {calls} ({seconds:.2f} s of CPU time between calls)")
        else:
            sentence = Message("went on computing after {calls} and was stopped ({seconds:.2f} s of CPU time "
                               "between calls)")  # fmt: skip
        yield Message(sentence, calls=amount(calls, CALLS), seconds=used)
    if not spec.is_ours and limits.processes:
        yield Message("was allowed to start processes")
    if not spec.is_ours and plan.terms.setup.kind.platform is not Platform.MO and (new := newer_than_site(spec.path)):
        yield new
