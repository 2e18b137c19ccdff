"""The content of a report as plain values, read from a tournament file one game record at a time.

Results and ratings come from `standings` and `ratings`. This module adds times, game lengths and faults from the games'
records, and selects the games with a replay. This module makes neither HTML nor Markdown.
"""

from array import array
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from local_runner.errors import RunnerError
from local_runner.game.board_data import BoardData, board_of
from local_runner.game.records import BLACK_WINS, COLOURS, GameDetails
from local_runner.html.report.replays import replay_data
from local_runner.language.languages import _
from local_runner.language.text import ending
from local_runner.matches.games import Games, PlayedGame
from local_runner.matches.match import Times
from local_runner.matches.plan import Plan
from local_runner.matches.standings import CoreShare, Standings
from local_runner.matches.statistics.counts import Pentanomial, Tally, tally
from local_runner.matches.statistics.ratings import Rating, cycles, groups, ratings
from local_runner.matches.statistics.sprt import Decision

MOST_GAMES, MOST_MOVES = 2000, 150_000  # limits of games with a replay: 0.4 kB a game and 20 bytes a move, below 5 MB
MOST_FAULTS = 100  # faults shown with traceback and output, up to 4 kB each
MOST_TEXT = 2000  # characters of a traceback, and of an agent's output


@dataclass
class AgentTimes:
    """Seconds of one agent's calls in all games. `by_move`: the calls on turn by the agent's own move number, from 1.

    `peak_mb`, `load_seconds`: the largest values of all games. `replaced`: how many of its moves were replaced.
    """

    on_turn: "array[float]" = field(default_factory=lambda: array("d"))
    off_turn: "array[float]" = field(default_factory=lambda: array("d"))
    by_move: "defaultdict[int, array[float]]" = field(default_factory=lambda: defaultdict(lambda: array("d")))
    peak_mb: float = 0.0
    load_seconds: float = 0.0
    replaced: int = 0

    @property
    def times(self) -> tuple[Times, Times]:
        """The statistics of the calls on turn, and of the calls off turn."""
        return Times.of(self.on_turn), Times.of(self.off_turn)


@dataclass(frozen=True)
class FaultyGame:
    """A game that an agent lost by a fault. `player`: 0 Black, 1 White. `printed`: the agent's output.

    `traceback` and `printed` are cut to their last `MOST_TEXT` characters.
    """

    played: PlayedGame
    player: int
    agent: str
    traceback: str
    printed: str


@dataclass(frozen=True)
class ShownGame:
    """A game with a replay. `replay`: the result of `replays.replay_data`."""

    played: PlayedGame
    replay: dict[str, Any]


@dataclass
class ReportContents:
    """The whole content of a report.

    `planned`: the games of the whole tournament; None for an SPRT, which may stop early.
    """

    path: Path
    header: Mapping[str, Any]
    plan: Plan
    fingerprints: list[str]
    planned: int | None
    standings: Standings
    ratings: list[Rating]
    clocks: dict[str, AgentTimes]
    board: BoardData  # the board before the opening, the same for all games
    lengths: list[int] = field(default_factory=list)
    colours: Tally = field(default_factory=Tally)  # results of all games, from Black's view
    faults: list[FaultyGame] = field(default_factory=list)  # newest first, at most MOST_FAULTS
    all_faults: int = 0
    games: list[ShownGame] = field(default_factory=list)
    seconds: float = 0.0  # sum over all games
    last_started: str = ""
    machines: list[str] = field(default_factory=list)
    share_of_core: CoreShare = field(default_factory=CoreShare)
    test_pairs: list[Pentanomial] = field(default_factory=list)  # the pairs of an SPRT, in the order of play

    @property
    def names(self) -> tuple[str, ...]:
        """The agents' names in the order of the plan."""
        return self.plan.names

    @property
    def ranked(self) -> list[str]:
        """The agents' names by rating, then the names of agents without games."""
        rated = [rating.name for rating in self.ratings]
        return rated + [name for name in self.names if name not in rated]

    @property
    def pairs(self) -> Pentanomial:
        """The pairs of the first agent against the second."""
        return self.standings.first_pairs

    @property
    def complete(self) -> bool:
        """Whether all games are played, or the SPRT has decided."""
        if self.plan.sprt is not None and self.plan.sprt.decision(self.pairs) is not Decision.NONE:
            return True
        return self.standings.played >= self.plan.games

    @property
    def memory(self) -> bool:
        """Whether the memory of any agent could be measured."""
        return any(clock.peak_mb for clock in self.clocks.values())

    @property
    def cycles(self) -> list[tuple[str, str, str]]:
        """Triples of agents: the first beats the second, the second the third, the third the first."""
        return cycles(self.standings.games)

    @property
    def groups(self) -> list[list[str]]:
        """The agents in groups; the games determine rating differences only within a group. Usually one group."""
        return groups(self.standings.games)


def gather(games: Games, most_games: int = MOST_GAMES, most_moves: int = MOST_MOVES) -> ReportContents:
    """Read a whole tournament. Raises RunnerError if the record of a game is damaged."""
    plan, played = games.plan, list(games)
    standings = Standings(plan.names)
    pairs = [pair for pair in map(standings.add, played) if pair]
    contents = ReportContents(
        path=games.path or Path(),
        header=games.header,
        plan=plan,
        fingerprints=games.fingerprints,
        planned=None if plan.sprt else plan.games,
        standings=standings,
        ratings=ratings(standings.games),
        clocks={name: AgentTimes() for name in plan.names},
        board=board_of(plan.terms.setup),
    )
    shown = {game.number for game in chosen(played, most_games, most_moves)}
    detailed = {game.number for game in sorted(filter(_is_fault, played), key=_number)[-MOST_FAULTS:]}
    for game in played:
        details = games.details(game.number)
        try:
            _count(contents, game, details)
            if game.number in detailed:
                contents.faults.insert(0, _faulty(plan, game, details))
            if game.number in shown:
                contents.games.append(ShownGame(game, replay_data(plan.terms.setup, game, details)))
        except (IndexError, ValueError) as error:
            sentence = _("{path} is damaged: game {number} is invalid ({error!r})")
            raise RunnerError(sentence.format(path=games.path, number=game.number, error=error)) from error
    contents.all_faults = sum(map(_is_fault, played))
    contents.machines = sorted({game.machine for game in played})
    contents.test_pairs = pairs if plan.sprt else []
    return contents


def chosen(games: Sequence[PlayedGame], most_games: int, most_moves: int) -> list[PlayedGame]:
    """The games that get a replay, by number. Games lost by a fault are chosen first, then the newest.

    `most_games`, `most_moves`: limits of all chosen games together.
    """
    selected = []
    for game in sorted(games, key=lambda game: (not _is_fault(game), -game.number))[:most_games]:
        most_moves -= game.plies
        if most_moves < 0:
            break
        selected.append(game)
    return sorted(selected, key=_number)


def _count(contents: ReportContents, game: PlayedGame, details: GameDetails) -> None:
    names = (contents.names[game.black], contents.names[game.white])
    steps = details.opening
    for call in details.calls:
        clock = contents.clocks[names[call.player]]
        if call.turn:
            clock.on_turn.append(call.seconds)
            clock.by_move[steps // 2 + 1].append(call.seconds)
            clock.replaced += call.replaced
            steps += 1
        else:
            clock.off_turn.append(call.seconds)
    for name, agent in zip(names, details.agents, strict=True):
        clock = contents.clocks[name]
        clock.peak_mb = max(clock.peak_mb, agent.peak_mb)
        clock.load_seconds = max(clock.load_seconds, agent.loaded.seconds)
    contents.share_of_core.add(details.calls)
    contents.lengths.append(game.plies)
    if not game.result.unmeasured:
        contents.colours += tally([game.winner], BLACK_WINS)
    contents.seconds += game.seconds
    contents.last_started = max(contents.last_started, game.started)


def _faulty(plan: Plan, game: PlayedGame, details: GameDetails) -> FaultyGame:
    loser, fault = game.result.loser, game.result.fault
    assert loser is not None and fault is not None
    return FaultyGame(
        game, loser, plan.names[(game.black, game.white)[loser]], ending(fault.traceback, MOST_TEXT),
        ending(details.printed.get(COLOURS[loser], ""), MOST_TEXT),
    )  # fmt: skip


def _is_fault(game: PlayedGame) -> bool:
    return game.result.loser is not None


def _number(game: PlayedGame) -> int:
    return game.number
