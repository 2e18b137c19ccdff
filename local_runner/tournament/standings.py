"""What the games of a tournament add up to, kept up to date game by game. Names, not numbers, from here on.

A pair counts for the pairs' statistics once both its games are played; everything else counts game by game.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any

from local_runner.records import BLACK_WINS, Reason
from local_runner.statistics.counts import Pentanomial, Tally, of_pair, tally
from local_runner.tournament.store import PlayedGame


class Standings:
    """Counts of games by agent and by pairing; `pairs` and `games` are from the view of the first name of each key."""

    def __init__(self, names: tuple[str, ...], games: Iterable[PlayedGame] = ()) -> None:
        self.names = names
        self.played = 0
        self.as_black = dict.fromkeys(names, Tally())
        self.as_white = dict.fromkeys(names, Tally())
        self.faults: Counter[str] = Counter()
        self.pairs: defaultdict[tuple[str, str], Pentanomial] = defaultdict(Pentanomial)
        self.games: defaultdict[tuple[str, str], Tally] = defaultdict(Tally)
        self._halves: dict[int, Tally] = {}
        for game in games:
            self.add(game)

    def add(self, game: PlayedGame) -> None:
        """Count one more game."""
        self.played += 1
        black, white = self.names[game.black], self.names[game.white]
        one = tally([game.winner], BLACK_WINS)
        self.as_black[black] += one
        self.as_white[white] += one.swapped
        if game.reason != Reason.RULES.value:
            self.faults[white if game.winner == BLACK_WINS else black] += 1
        first, second = sorted((game.black, game.white))
        seen = one if game.black == first else one.swapped
        key = (self.names[first], self.names[second])
        self.games[key] += seen
        other = self._halves.pop(game.pair, None)
        if other is None:
            self._halves[game.pair] = seen
        else:
            self.pairs[key] += of_pair(seen, other)

    def tally(self, name: str) -> Tally:
        """All games of an agent."""
        return self.as_black[name] + self.as_white[name]

    def against(self, a: str, b: str) -> Pentanomial:
        """The pairs of a against b, from a's view."""
        if (a, b) in self.pairs:
            return self.pairs[a, b]
        return self.pairs[b, a].swapped if (b, a) in self.pairs else Pentanomial()


def counts(standings: Standings) -> dict[str, Any]:
    """Counts only; what they say about strength is for who reads them."""
    return {
        "games": standings.played,
        "agents": {
            name: {"wins": t.wins, "draws": t.draws, "losses": t.losses, "faults": standings.faults[name]}
            for name in standings.names
            for t in [standings.tally(name)]
        },
        "pairs": {f"{a} - {b}": list(pairs.counts) for (a, b), pairs in standings.pairs.items()},
    }
