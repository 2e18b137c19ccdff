"""The standings of a tournament: sums over its games, and its state as plain values for the pages that show it.

Sums are updated after each game, and agents are identified by names. A pair counts in `Standings.pairs` once both of
its games are played; a game that the machine was too busy to measure counts in `played` and `unmeasured` only. The
games in progress come from FILE.live beside the tournament's FILE, which the run rewrites, and removes at its end.
"""

import contextlib
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from local_runner.errors import RunnerError
from local_runner.game.board_data import board_of, moves_of
from local_runner.game.records import BLACK_WINS
from local_runner.game.setup import title
from local_runner.language.languages import COLON, _, shown
from local_runner.language.text import SENTENCE, shortened
from local_runner.matches.games import Games, PlayedGame
from local_runner.matches.statistics.elo import Pentanomial, Tally, of_pair, tally
from local_runner.matches.statistics.sprt import Decision, Sprt
from local_runner.system.files import write_whole
from local_runner.terminal.progress import Playing, lasting

if TYPE_CHECKING:
    from local_runner.matches.statistics.ratings import Rating

MOST_AGENTS = 40  # most agents of a cross-table that is shown
MOST_POINTS = 500  # approximate number of points of an SPRT's curve
STALE_SECONDS = 10.0  # a FILE.live that was written longer ago is ignored: a killed run leaves it behind
MOST_GAMES = 64  # most games in progress that FILE.live has


class Standings:
    """Counts of games by agent, and by two agents (`pairs`, `games`: the key is both names, the view the first's)."""

    def __init__(self, names: tuple[str, ...], games: Iterable[PlayedGame] = ()) -> None:
        self.names = names
        self.played = self.unmeasured = self.adjudicated = 0
        self.as_black = dict.fromkeys(names, Tally())
        self.as_white = dict.fromkeys(names, Tally())
        self.faults: Counter[str] = Counter()
        self.pairs: defaultdict[tuple[str, str], Pentanomial] = defaultdict(Pentanomial)
        self.games: defaultdict[tuple[str, str], Tally] = defaultdict(Tally)
        self._halves: dict[int, Tally] = {}
        for game in games:
            self.add(game)

    def add(self, game: PlayedGame) -> Pentanomial | None:
        """Count a game. If both games of its pair are played, returns the pair in the lower-numbered agent's view."""
        self.played += 1
        if game.result.unmeasured:
            self.unmeasured += 1
            return None
        self.adjudicated += game.result.verdict is not None
        black, white = self.names[game.black], self.names[game.white]
        one = tally([game.winner], BLACK_WINS)
        self.as_black[black] += one
        self.as_white[white] += one.swapped
        if game.result.loser is not None:
            self.faults[(black, white)[game.result.loser]] += 1
        first, second = sorted((game.black, game.white))
        seen = one if game.black == first else one.swapped
        key = (self.names[first], self.names[second])
        self.games[key] += seen
        other = self._halves.pop(game.pair, None)
        if other is None:
            self._halves[game.pair] = seen
            return None
        pair = of_pair(seen, other)
        self.pairs[key] += pair
        return pair

    def tally(self, name: str) -> Tally:
        """All games of an agent, with both colours."""
        return self.as_black[name] + self.as_white[name]

    @property
    def points(self) -> Counter[int]:
        """The number of each agent -> twice its points: 2 for a win, 1 for a draw."""
        tallies = map(self.tally, self.names)
        return Counter({agent: 2 * tally.wins + tally.draws for agent, tally in enumerate(tallies)})

    def decided(self, sprt: Sprt | None) -> bool:
        """Whether an SPRT accepts a hypothesis."""
        return sprt is not None and sprt.decision(self.first_pairs) is not Decision.NONE

    @property
    def first_pairs(self) -> Pentanomial:
        """The pairs of the first agent against the second, to which an SPRT is applied."""
        return self.against(*self.names[:2])[1]

    def against(self, a: str, b: str) -> tuple[Tally, Pentanomial]:
        """The games and the pairs of a against b, from a's view."""
        if (b, a) in self.games:
            games, pairs = self.against(b, a)
            return games.swapped, pairs.swapped
        return self.games.get((a, b), Tally()), self.pairs.get((a, b), Pentanomial())


# ---- plain values


class Overview:
    """The figures of a tournament's games so far. `name`: the tournament's name on the page."""

    def __init__(self, games: Games, name: str) -> None:
        self.games, self.standings, self._name = games, Standings(games.plan.names), name
        self._curve: list[tuple[int, float]] = []
        self._ratings: dict[str, Rating] = {}  # the strongest first
        self._rated = -1  # number of games in `_ratings`
        self._count(games)

    def refresh(self) -> None:
        """Count the games that were added to the file."""
        self._count(self.games.refresh())

    def _count(self, games: Iterable[PlayedGame]) -> None:
        sprt = self.games.plan.sprt
        for game in games:
            if self.standings.add(game) is not None and sprt is not None:
                self._curve.append((self.standings.played, round(sprt.llr(self.standings.first_pairs), 3)))

    def state(self, most: int, at_once: int = 0) -> dict[str, Any]:
        """The state as JSON, with texts in the current language. `most`: number of games in the list, the newest.
        `at_once`: number of games that are being played.

        `planned`: number of games, null for an SPRT. `standings`: by rank; a rating's 95 % interval is `elo` ± `error`;
        `score` is points per game, 0 to 1; all three are null before the agent's first game; `faults` are games that
        the agent lost by a fault. `against`: the cross-table: for each pair of agents in `standings` the first agent's
        games won, drawn and lost. `test`: the SPRT, null for other tournaments; `llr` is its log-likelihood ratio (LLR)
        now, `decision` "H0" or "H1", "" while undecided, `curve` pairs of a number of games and the LLR after them.
        `games`: the newest first. `faults`: number of games that ended by a fault. `finished`: whether all games are
        played, or the SPRT is decided. `left`: the time until all games are played, in words; "" without an estimate.
        """
        plan, standings, test = self.games.plan, self.standings, self._test()
        setup = plan.terms.setup
        what = _("{game}, {rules}").format(game=title(setup.env), rules=setup.rules_in_words)
        return {
            "env": setup.env, "title": f"{shortened(self._name)}{shown(COLON)}{what}", "running": at_once > 0,
            "played": standings.played, "finished": standings.played >= plan.games or bool(test and test["decision"]),
            "planned": None if plan.sprt else plan.games, "left": self._left(at_once),
            "standings": self._rows(), "against": self._against(), "test": test,
            "games": self._newest(most), "faults": standings.faults.total(),
        }  # fmt: skip

    def _left(self, at_once: int) -> str:
        """The time left in words, if games take as long as those so far, and `at_once` are played at a time."""
        seconds, rest = [game.seconds for game in self.games], self.games.plan.games - len(self.games)
        if not seconds or not at_once or rest <= 0 or self.games.plan.sprt:
            return ""
        return lasting(sum(seconds) / len(seconds) * rest / at_once)

    def board(self, number: int, game: Playing) -> dict[str, Any]:
        """A game that is being played, as the page draws it."""
        setup = self.games.plan.terms.setup
        return {"number": number, "names": (shortened(game.black), shortened(game.white)), "board": board_of(setup),
                "moves": moves_of(setup, game.moves)}  # fmt: skip

    def _rows(self) -> list[dict[str, Any]]:
        standings = self.standings
        if self._rated != standings.played:
            from local_runner.matches.statistics.ratings import ratings  # here, because the import is slow

            self._ratings = {rating.name: rating for rating in ratings(standings.games)}
            self._rated = standings.played
        rows = []
        for rank, name in enumerate(self._ranked(), 1):
            tally, rating = standings.tally(name), self._ratings.get(name)
            rows.append({
                "rank": rank, "name": shortened(name), "elo": round(rating.elo, 1) if rating else None,
                "error": round(rating.error, 1) if rating else None, "games": tally.games, "won": tally.wins,
                "drawn": tally.draws, "lost": tally.losses,
                "score": round(tally.score / tally.games, 4) if tally.games else None, "faults": standings.faults[name],
            })  # fmt: skip
        return rows

    def _against(self) -> list[list[tuple[int, int, int]]]:
        """The cross-table, in the order of `_rows`; [] for more than MOST_AGENTS agents."""
        names = self._ranked()
        if len(names) > MOST_AGENTS:
            return []
        tallies = [[self.standings.against(name, other)[0] for other in names] for name in names]
        return [[(tally.wins, tally.draws, tally.losses) for tally in row] for row in tallies]

    def _ranked(self) -> list[str]:
        """All agents: the rated ones, the strongest first, and then the others."""
        return list(dict.fromkeys([*self._ratings, *self.standings.names]))

    def _test(self) -> dict[str, Any] | None:
        sprt, pairs = self.games.plan.sprt, self.standings.first_pairs
        if sprt is None:
            return None
        lower, upper = sprt.bounds
        step = -(-len(self._curve) // MOST_POINTS) or 1
        decision = sprt.decision(pairs)
        return {
            "elo0": sprt.elo0, "elo1": sprt.elo1, "llr": round(sprt.llr(pairs), 3), "lower": round(lower, 3),
            "upper": round(upper, 3), "curve": [*self._curve[:-1:step], *self._curve[-1:]],
            "decision": "" if decision is Decision.NONE else decision.value,
        }  # fmt: skip

    def _newest(self, most: int) -> list[dict[str, Any]]:
        """The newest games. `number`, for the request `open_game`, is a game's place in the file, from 0."""
        places, names = list(enumerate(self.games))[::-1][:most], self.games.plan.names
        return [
            {"number": place, "names": (shortened(names[game.black]), shortened(names[game.white])),
             "winner": game.winner, "plies": game.plies, "fault": game.result.loser is not None,
             "ending": shortened(shown(game.result.text), SENTENCE)}
            for place, game in places
        ]  # fmt: skip


# ---- games in progress


def live_path(path: Path) -> Path:
    """The path of the file with the games in progress of a tournament's file."""
    return path.with_name(path.name + ".live")


def write_live(path: Path, playing: Mapping[int, Playing]) -> None:
    """Write the games in progress of a tournament's file, if that is possible."""
    games = dict(sorted(list(playing.items())[:MOST_GAMES]))
    with contextlib.suppress(RunnerError):
        write_whole(live_path(path), msgspec.json.encode((time.time(), games)))


def remove_live(path: Path) -> None:
    """Remove the file with the games in progress."""
    with contextlib.suppress(OSError):
        live_path(path).unlink()


def games_now(path: Path) -> dict[int, Playing]:
    """The games in progress of a tournament's file; {} if there is no live file, or it is unreadable or stale."""
    try:
        written, games = msgspec.json.decode(live_path(path).read_bytes(), type=tuple[float, dict[int, Playing]])
    except (OSError, ValueError):
        return {}
    return games if time.time() - written <= STALE_SECONDS else {}
