"""The JSON that `--json` of a match, a tournament and an SPRT writes. docs/schemas/ has a JSON Schema of each.

Agents are numbered as in the plan, players 0 (Black) and 1 (White). Texts are English in every language.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from local_runner.agents.spec import AgentSpec
from local_runner.game.codec import ToldResult, as_json
from local_runner.game.records import AgentReport, Call, Cell
from local_runner.matches.games import Games, PlayedGame
from local_runner.matches.match import AgentSummary, FinalBoard, final_board, summarise
from local_runner.matches.plan import Plan, Terms, letter
from local_runner.matches.standings import Standings
from local_runner.matches.statistics.elo import Estimate, score
from local_runner.matches.statistics.ratings import Rating, ratings
from local_runner.matches.statistics.sprt import Decision
from local_runner.system.header import Header, header


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
    """Numbers of an agent's games. faults: games lost by a fault, which are losses, too."""

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


def match_json(plan: Plan, games: Sequence[PlayedGame], log_dir: Path | None) -> dict[str, Any]:
    """The match as JSON values in English, with every game's moves and calls. "log" only names a game's log file."""
    openings = {game.pair: game.cells[: game.details.opening] for game in games}
    terms = MatchTerms(plan.agents, plan.terms, plan.games, tuple(openings.values()), log_dir)
    report: dict[str, Any] = as_json(
        MatchReport(header(), terms, tuple(summarise(plan, games)), tuple(_game(plan, game) for game in games))
    )
    return report


def _game(plan: Plan, game: PlayedGame) -> MatchGame:
    setup, details = plan.terms.setup, game.details
    return MatchGame(
        setup.env, setup.rules, game.seed, game.cells[: details.opening], game.cells, details.calls,
        ToldResult.of(game.result), details.agents, details.log, game.number, letter(game.black),
        final_board(plan, game),
    )  # fmt: skip


def tournament_json(games: Games, standings: Standings, *, complete: bool) -> dict[str, Any]:
    """The state of a tournament as JSON values in English. `complete`: whether no game is left to play."""
    pairs, sprt, agents = standings.first_pairs, games.plan.sprt, dict[str, AgentScore]()
    for name in standings.names:
        tally = standings.tally(name)
        agents[name] = AgentScore(tally.wins, tally.draws, tally.losses, standings.faults[name])
    report: dict[str, Any] = as_json(
        TournamentReport(
            file=str(games.path),
            header=games.header,
            complete=complete,
            games=standings.played,
            adjudicated=standings.adjudicated,
            agents=agents,
            pairs={f"{a} - {b}": pair.counts for (a, b), pair in standings.pairs.items()},
            ratings=tuple(ratings(standings.games)),
            score=score(pairs),
            sprt=SprtState(sprt.llr(pairs), sprt.bounds, sprt.decision(pairs)) if sprt else None,
        )
    )
    return report
