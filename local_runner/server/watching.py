"""Watches a tournament for a page: reads it again when its file or the file of its running games has changed.

The files are never written. Each game is read and counted once, so a look costs no more after many games. Only the
ratings are computed from all games again. A page gets as many of the newest games as it asks for.
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from local_runner.game.board_data import board_of, moves_of
from local_runner.game.setup import title
from local_runner.game.wording import result_text
from local_runner.language.languages import COLON, _, shown
from local_runner.language.text import SENTENCE, shortened
from local_runner.matches.games import PlayedGame, read
from local_runner.matches.live import games_now, live_path
from local_runner.matches.plan import Plan
from local_runner.matches.standings import Standings
from local_runner.matches.statistics.sprt import Decision
from local_runner.server.answers import LiveGame, SprtState, StandingsRow, Watched, WatchedGame
from local_runner.server.jobs import BackgroundJob
from local_runner.server.pages import Page
from local_runner.terminal.progress import Pace, lasting

if TYPE_CHECKING:
    from local_runner.matches.statistics.ratings import Rating

EVERY_SECONDS = 0.5  # time between two checks whether the files have changed
MOST_AGENTS = 40  # agents of a cross-table; one of more agents is not shown
MOST_POINTS = 500  # points of an SPRT's curve, about


class WatchedFile:
    """A tournament's file and the figures of its games so far.

    `name`: the tournament's name on the page. `most`: number of games in the list of a look, the newest.
    """

    def __init__(self, path: Path, name: str, most: int = 500) -> None:
        self._path, self._name, self._most = path, name, most
        self._games = read(path)
        self._standings = Standings(self._games.plan.names)
        self._pace: Pace | None = None  # since the first look
        self._states: list[object] = []
        self._curve: list[tuple[int, float]] = []
        self._faults = 0
        self._ratings: dict[str, Rating] = {}  # the strongest first
        self._rated = -1  # number of games in `_ratings`
        self._count(self._games)

    def changed(self) -> bool:
        """Whether the file or the file of its running games has changed since the last call, or the latter is stale."""
        before = self._states
        self._states = [*map(_state, (self._path, live_path(self._path))), bool(games_now(self._path))]
        return self._states != before

    def look(self, tag: int) -> Watched:
        """The tournament's present state, in the current language. Raises RunnerError if the file cannot be read."""
        self._count(self._games.refresh())
        plan, standings = self._games.plan, self._standings
        setup, live, test = plan.terms.setup, games_now(self._path), self._test(plan, standings)
        rows = self._rows(standings)
        if self._pace is None:
            self._pace = Pace(plan.games, standings.played)
        self._pace.to(standings.played)
        left = self._pace.left if live and not plan.sprt else None
        what = _("{game}, {rules}").format(game=title(setup.env), rules=setup.rules_in_words)
        return Watched(
            tag=tag, env=setup.env, title=f"{shortened(self._name)}{shown(COLON)}{what}", running=bool(live),
            played=standings.played, finished=standings.played >= plan.games or bool(test and test.decision),
            planned=None if plan.sprt else plan.games, left="" if left is None else lasting(left), standings=rows,
            against=self._against(standings),
            test=test, games=self._newest(plan), faults=self._faults,
            live=[LiveGame(number=game.number, names=(shortened(game.names[0]), shortened(game.names[1])),
                           board=dict(board_of(setup)), moves=dict(moves_of(setup, game.moves))) for game in live],
        )  # fmt: skip

    def _count(self, games: Iterable[PlayedGame]) -> None:
        standings, sprt = self._standings, self._games.plan.sprt
        for game in games:
            self._faults += game.result.loser is not None
            if standings.add(game) is not None and sprt is not None:
                self._curve.append((standings.played, round(sprt.llr(standings.first_pairs), 3)))

    def _rows(self, standings: Standings) -> list[StandingsRow]:
        if self._rated != standings.played:
            from local_runner.matches.statistics.ratings import ratings  # here, because the import is slow

            self._ratings = {rating.name: rating for rating in ratings(standings.games)}
            self._rated = standings.played
        rows = []
        for rank, name in enumerate(self._ranked(standings), 1):
            tally, rating = standings.tally(name), self._ratings.get(name)
            rows.append(StandingsRow(
                rank=rank, name=shortened(name), elo=round(rating.elo, 1) if rating else None,
                error=round(rating.error, 1) if rating else None, games=tally.games, won=tally.wins, drawn=tally.draws,
                lost=tally.losses, score=round(tally.score / tally.games, 4) if tally.games else None,
                faults=standings.faults[name],
            ))  # fmt: skip
        return rows

    def _against(self, standings: Standings) -> list[list[tuple[int, int, int]]]:
        """The cross-table, in the order of `_rows`; [] of too many agents."""
        names = self._ranked(standings)
        if len(names) > MOST_AGENTS:
            return []
        tallies = [[standings.against(name, other)[0] for other in names] for name in names]
        return [[(tally.wins, tally.draws, tally.losses) for tally in row] for row in tallies]

    def _ranked(self, standings: Standings) -> list[str]:
        """All agents: the rated ones, the strongest first, and then the others."""
        return list(dict.fromkeys([*self._ratings, *standings.names]))

    def _test(self, plan: Plan, standings: Standings) -> SprtState | None:
        if plan.sprt is None:
            return None
        sprt, pairs = plan.sprt, standings.first_pairs
        lower, upper = sprt.bounds
        step = -(-len(self._curve) // MOST_POINTS) or 1
        decision = sprt.decision(pairs)
        return SprtState(
            elo0=sprt.elo0, elo1=sprt.elo1, llr=round(sprt.llr(pairs), 3), lower=round(lower, 3), upper=round(upper, 3),
            curve=[*self._curve[:-1:step], *self._curve[-1:]],
            decision="" if decision is Decision.NONE else decision.value,
        )  # fmt: skip

    def _newest(self, plan: Plan) -> list[WatchedGame]:
        """The newest games. `number`, for OpenGame, is a game's place in the file, from 0."""

        def row(place: int, game: PlayedGame) -> WatchedGame:
            return WatchedGame(
                number=place, names=(shortened(plan.names[game.black]), shortened(plan.names[game.white])),
                winner=game.winner, plies=game.plies, fault=game.result.loser is not None,
                ending=shortened(shown(result_text(game.result)), SENTENCE),
            )  # fmt: skip

        return [row(place, game) for place, game in reversed(list(enumerate(self._games))[-self._most :])]


def watching(page: Page, tag: int, path: Path, name: str, most: int) -> Callable[[BackgroundJob], None]:
    """The job for the request Watch."""

    def work(job: BackgroundJob) -> None:
        watched = WatchedFile(path, name, most)
        while not job.stopped:
            if watched.changed():
                page.send(watched.look(tag), key="watched")
            job.wait(EVERY_SECONDS)

    return work


def _state(path: Path) -> tuple[int, int]:
    """Time of change (ns) and size of a file; (0, 0) if there is none."""
    try:
        state = path.stat()
    except OSError:
        return 0, 0
    return state.st_mtime_ns, state.st_size
