"""A tournament as the page watches it: read again when its file or the file of its running games has changed.

The file is only read. Games that were counted are not read again: what a look costs does not grow with the number of
games, except for the ratings. The list of games that a page gets has the newest ones only.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from local_runner.game.board_data import board_of, moves_of
from local_runner.game.setup import title
from local_runner.game.wording import result_text
from local_runner.language.languages import _, shown
from local_runner.language.text import SENTENCE, shortened
from local_runner.matches.statistics.sprt import Decision
from local_runner.matches.tournament.live import games_now, live_path
from local_runner.matches.tournament.locking import check_there
from local_runner.matches.tournament.plan import TournamentPlan
from local_runner.matches.tournament.standings import Standings
from local_runner.matches.tournament.store import PlayedGame, Store, read
from local_runner.server.jobs import BackgroundJob
from local_runner.server.messages import Watched
from local_runner.server.visitors import Visitor

EVERY_SECONDS = 0.5  # between two looks at the file
MOST_GAMES = 500  # that a page gets, the newest
MOST_POINTS = 500  # of an SPRT's curve
PLACES = 1  # decimals of Elo

Mark = tuple[int, int]


class WatchedFile:
    """A tournament's file and what was counted of it so far. `name`: as pages show it."""

    def __init__(self, path: Path, name: str) -> None:
        check_there(path)
        self._path, self._name = path, name
        self._mark: list[Mark] = []
        self._plan: TournamentPlan | None = None
        self._standings: Standings | None = None
        self._games: dict[int, PlayedGame] = {}
        self._curve: list[tuple[int, float]] = []
        self._faults = 0
        self._rated: tuple[int, list[dict[str, Any]]] = (-1, [])

    def changed(self) -> bool:
        """Whether the file or its running games have changed since this was asked last."""
        marks = [_mark(place) for place in (self._path, _beside(self._path, "-wal"), live_path(self._path))]
        before, self._mark = self._mark, marks
        return marks != before

    def look(self, tag: int) -> Watched:
        """The tournament as it is now, in the language that is used. Raises RunnerError if it cannot be read."""
        with read(self._path) as store:
            self._count(store)
        plan, standings = self._plan, self._standings
        assert plan is not None and standings is not None
        setup, live = plan.terms.setup, games_now(self._path)
        decision = self._decision(plan, standings)
        what = _("{game}, {rules}").format(game=title(setup.env), rules=setup.rules_in_words)
        return Watched(
            tag=tag, title=f"{shortened(self._name)}: {what}", running=bool(live), played=standings.played,
            planned=None if plan.sprt else plan.games, standings=self._rows(plan, standings), test=decision,
            live=[{"number": game.number, "names": list(map(shortened, game.names)), "board": dict(board_of(setup)),
                   "moves": dict(moves_of(setup, game.moves))} for game in live],
            games=self._headings(plan), faults=self._faults,
        )  # fmt: skip

    def _count(self, store: Store) -> None:
        if self._standings is None:
            self._plan, self._standings = store.plan, Standings(store.plan.names)
        for game in store.games_without(self._games):
            self._games[game.number] = game
            self._faults += game.result.loser is not None
            pair = self._standings.add(game)
            if pair is not None and store.plan.sprt is not None:
                pairs = self._standings.against(*store.plan.names[:2])[1]
                self._curve.append((self._standings.played, round(store.plan.sprt.llr(pairs), 3)))

    def _rows(self, plan: TournamentPlan, standings: Standings) -> list[dict[str, Any]]:
        if self._rated[0] != standings.played:
            from local_runner.matches.statistics.ratings import ratings  # here, because the import is slow

            found = ratings(standings.games)
            rows = [{"name": each.name, "elo": round(each.elo, PLACES), "error": round(each.error, PLACES)}
                    for each in found]  # fmt: skip
            names = {row["name"] for row in rows}
            self._rated = (standings.played, [*rows, *({"name": name} for name in plan.names if name not in names)])
        return [self._row(rank, row, standings) for rank, row in enumerate(self._rated[1], start=1)]

    def _row(self, rank: int, row: dict[str, Any], standings: Standings) -> dict[str, Any]:
        tally, name = standings.tally(row["name"]), row["name"]
        games = tally.wins + tally.draws + tally.losses
        return {
            **row, "name": shortened(name), "rank": rank, "games": games, "won": tally.wins, "drawn": tally.draws,
            "lost": tally.losses, "score": round(tally.score / games, 4) if games else None,
            "faults": standings.faults[name],
        }  # fmt: skip

    def _decision(self, plan: TournamentPlan, standings: Standings) -> dict[str, Any] | None:
        if plan.sprt is None:
            return None
        pairs = standings.against(*plan.names[:2])[1]
        lower, upper = plan.sprt.bounds
        step = -(-len(self._curve) // MOST_POINTS) or 1
        found = plan.sprt.decision(pairs)
        return {
            "elo0": plan.sprt.elo0, "elo1": plan.sprt.elo1,
            "llr": round(plan.sprt.llr(pairs), 3), "lower": round(lower, 3), "upper": round(upper, 3),
            "curve": [*self._curve[:-1:step], *self._curve[-1:]],
            "decision": "" if found is Decision.NONE else found.value,
        }  # fmt: skip

    def _headings(self, plan: TournamentPlan) -> list[dict[str, Any]]:
        """The newest games; a game's number is its place in the file, from 0, as OpenGame counts."""
        ordered = sorted(self._games)
        found = []
        for place in reversed(range(max(0, len(ordered) - MOST_GAMES), len(ordered))):
            game = self._games[ordered[place]]
            names = [shortened(plan.names[agent]) for agent in (game.black, game.white)]
            found.append({
                "number": place, "names": names, "winner": game.winner, "plies": game.plies,
                "ending": shortened(shown(result_text(game.result)), SENTENCE), "fault": game.result.loser is not None,
            })  # fmt: skip
        return found


def watching(page: Visitor, tag: int, path: Path, name: str) -> Callable[[BackgroundJob], None]:
    """The work of Watch."""

    def work(job: BackgroundJob) -> None:
        watched = WatchedFile(path, name)
        while not job.stopped:
            if watched.changed():
                page.send(watched.look(tag), key="watched")
            job.wait(EVERY_SECONDS)

    return work


def _beside(path: Path, ending: str) -> Path:
    return path.with_name(path.name + ending)


def _mark(path: Path) -> Mark:
    try:
        state = os.stat(path)
    except OSError:
        return 0, 0
    return state.st_mtime_ns, state.st_size
