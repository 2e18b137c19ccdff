"""Sums over the games of a tournament, updated after each game. Agents are identified by names here, not numbers.

A pair enters `Standings.pairs` once both of its games are played. All other sums include each game at once. A game that
the machine was too busy to measure enters `played` and `unmeasured` only. `adjudicated` games count like others.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable

from local_runner.game.records import BLACK_WINS
from local_runner.matches.games import PlayedGame
from local_runner.matches.statistics.elo import Pentanomial, Tally, of_pair, tally
from local_runner.matches.statistics.sprt import Decision, Sprt


class Standings:
    """Counts of games by agent, and by two agents (`pairs`, `games`), from the view of the key's first name."""

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
        """Count a game. If its pair is now complete, returns the pair from the view of the lower-numbered agent."""
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
