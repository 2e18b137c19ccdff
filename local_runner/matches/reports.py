"""The figures of a match's agents, and the JSON that `--json` of a match, a tournament and an SPRT writes.

docs/schemas/ has a JSON Schema of each kind. Agents are numbered as in the plan, players 0 (Black) and 1 (White). Texts
in JSON are English in every language.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from env_adapter import Cell, Platform
from local_runner.agents.source import unlike_site
from local_runner.agents.spec import AgentSpec
from local_runner.game.codec import ToldResult
from local_runner.game.records import AgentReport, Call
from local_runner.game.session import GameSession
from local_runner.language.languages import CALLS, Listing, Message, amount
from local_runner.matches.games import Games, PlayedGame
from local_runner.matches.plan import Plan, Terms, letter
from local_runner.matches.standings import Standings
from local_runner.matches.statistics.elo import Estimate, Tally, score
from local_runner.matches.statistics.ratings import Rating, ratings
from local_runner.matches.statistics.sprt import Decision
from local_runner.system.header import Header, header


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
        return cls(len(seconds), *np.percentile(seconds, (50, 99, 100), method="inverted_cdf").tolist())


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
    load_seconds: float  # the agent's longest load time in a game
    peak_mb: float
    faults: int  # games lost by a fault
    inner_faults: int  # exceptions that the agent caught itself
    replaced: int  # illegal moves that the referee replaced (lenient matches)
    warnings: tuple[str, ...]

    @property
    def total(self) -> Tally:
        """The agent's games with both colours."""
        return self.as_black + self.as_white


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
    if not spec.is_ours and plan.terms.setup.kind.platform is not Platform.MO and (unlike := unlike_site(spec.path)):
        yield unlike


@dataclass(frozen=True)
class MatchTerms:
    """The plan of a match. openings: the moves of each opening that was played. log_dir: the folder of --out."""

    agents: tuple[AgentSpec, ...]
    terms: Terms
    games: int
    openings: tuple[tuple[Cell | None, ...], ...]
    log_dir: Path | None


@dataclass(frozen=True)
class MatchGame:
    """A game of a match.

    opening, cells: moves as (row, column), null for a pass or a lost turn; the cells include the opening
    agents: Black's and White's
    log: the file of the game's log, null without --out
    black: the letter of the agent with Black, "A" or "B"
    """

    env: str
    rules: str
    seed: int
    opening: tuple[Cell | None, ...]
    cells: tuple[Cell | None, ...]
    calls: tuple[Call, ...]
    result: ToldResult
    agents: tuple[AgentReport, ...]
    log: str | None
    number: int
    black: str
    ending: FinalBoard


@dataclass(frozen=True)
class MatchReport:
    """`tengen match --json`: the plan, each agent's totals, and every game with its moves and calls."""

    header: Header
    plan: MatchTerms
    agents: tuple[AgentSummary, ...]
    games: tuple[MatchGame, ...]


@dataclass(frozen=True)
class AgentScore:
    """Numbers of an agent's games by result. faults: games lost by a fault, which the losses include."""

    wins: int
    draws: int
    losses: int
    faults: int


@dataclass(frozen=True)
class SprtState:
    """The state of an SPRT: its log-likelihood ratio, the bounds that end it, and the accepted hypothesis."""

    llr: float
    bounds: tuple[float, float]
    decision: Decision


@dataclass(frozen=True)
class TournamentReport:
    """`tengen tournament --json` and `tengen sprt --json`.

    file: the tournament's file
    header: the machine and version that began the tournament
    complete: whether all planned games are played, or the SPRT has decided
    games: number of games played
    adjudicated: number of those that the runner ended by --draw-after, --draw or --resign
    agents: name -> its games
    pairs: "A - B" -> number of pairs of games in which A scored 0, 1/2, 1, 3/2 and 2 points
    ratings: strongest first
    score: the first agent's share of the points against the second
    sprt: null without an SPRT
    """

    file: str
    header: Mapping[str, str | int]
    complete: bool
    games: int
    adjudicated: int
    agents: dict[str, AgentScore]
    pairs: dict[str, tuple[int, ...]]
    ratings: tuple[Rating, ...]
    score: Estimate
    sprt: SprtState | None


def match_report(plan: Plan, games: Sequence[PlayedGame], log_dir: Path | None) -> MatchReport:
    """The report of a match, with every game's moves and calls. `log_dir`: the folder of --out."""
    openings, setup = {game.pair: game.cells[: game.details.opening] for game in games}, plan.terms.setup
    terms = MatchTerms(plan.agents, plan.terms, plan.games, tuple(openings.values()), log_dir)
    told = tuple(MatchGame(
        setup.env, setup.rules, game.seed, openings[game.pair], game.cells, game.details.calls,
        ToldResult.of(game.result), game.details.agents, game.details.log, game.number, letter(game.black),
        final_board(plan, game),
    ) for game in games)  # fmt: skip
    return MatchReport(header(), terms, tuple(summarise(plan, games)), told)


def tournament_report(games: Games, standings: Standings, *, complete: bool) -> TournamentReport:
    """The report of the state of a tournament. `complete`: whether no game is left to play."""
    pairs, sprt, agents = standings.first_pairs, games.plan.sprt, dict[str, AgentScore]()
    for name in standings.names:
        tally = standings.tally(name)
        agents[name] = AgentScore(tally.wins, tally.draws, tally.losses, standings.faults[name])
    return TournamentReport(
        str(games.path), games.header, complete, standings.played, standings.adjudicated, agents,
        pairs={f"{a} - {b}": pair.counts for (a, b), pair in standings.pairs.items()},
        ratings=tuple(ratings(standings.games)),
        score=score(pairs),
        sprt=SprtState(sprt.llr(pairs), sprt.bounds, sprt.decision(pairs)) if sprt else None,
    )  # fmt: skip
