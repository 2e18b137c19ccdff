"""Who plays whom: pairs of games, colours swapped, in rounds. Pure functions of numbers; agents are 0 to n - 1.

A schedule is asked for one round at a time and told how those before it ended, because Swiss pairings depend on it; the
same results give the same pairings, so that a broken-off tournament goes on as it would have gone. What it is told are
counts: the thousandth round costs no more than the first.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from itertools import combinations
from typing import NamedTuple


class Pairing(NamedTuple):
    """Two agents, the first with Black in the first game."""

    a: int
    b: int


Points = Mapping[int, float]  # by agent


class Past:
    """What the rounds before add up to. `met`: how often, by two agents; `begun`, `played`: pairs, by agent."""

    def __init__(self, rounds: Iterable[Iterable[Pairing]] = ()) -> None:
        self.rounds = 0
        self.pairs = 0
        self.met: Counter[frozenset[int]] = Counter()
        self.begun: Counter[int] = Counter()
        self.played: Counter[int] = Counter()
        for number, pairings in enumerate(rounds, 1):
            for pairing in pairings:
                self.add(number, pairing)

    def add(self, round_: int, pairing: Pairing) -> None:
        """One more pairing, of this round or an earlier one; rounds count from 1."""
        self.rounds = max(self.rounds, round_)
        self.pairs += 1
        self.met[frozenset(pairing)] += 1
        self.begun[pairing.a] += 1
        self.played.update(pairing)


def round_robin(agents: int, past: Past, points: Points) -> list[Pairing]:
    """Everybody against everybody; who begins changes from round to round."""
    pairings = [Pairing(a, b) for a, b in combinations(range(agents), 2)]
    return [Pairing(b, a) for a, b in pairings] if past.rounds % 2 else pairings


def gauntlet(agents: int, past: Past, points: Points) -> list[Pairing]:
    """The first agent against each of the others."""
    return [pairing for pairing in round_robin(agents, past, points) if 0 in pairing]


def swiss(agents: int, past: Past, points: Points) -> list[Pairing]:
    """Neighbours in the standings, and nobody again before it has to be; of an odd number one rests.

    A matching of least cost: a pairing that was played before costs more than any distance, and distances in the
    standings count squared. Who begins is who began less often. The rest goes to the lowest of those who rested least;
    it gives no points, for ratings are made of games.
    """
    import networkx  # here, as it takes long to import

    standing = sorted(range(agents), key=lambda agent: (-points.get(agent, 0.0), agent))
    if agents % 2:
        standing.remove(max(reversed(standing), key=lambda agent: past.played[agent]))
    graph = networkx.Graph()
    for (i, first), (j, second) in combinations(enumerate(standing), 2):
        graph.add_edge(i, j, weight=-(past.met[frozenset((first, second))] * agents**3 + (j - i) ** 2))
    matching = sorted(sorted(pair) for pair in networkx.max_weight_matching(graph, maxcardinality=True))
    pairs = ((standing[i], standing[j]) for i, j in matching)
    return [Pairing(a, b) if past.begun[a] <= past.begun[b] else Pairing(b, a) for a, b in pairs]


SCHEDULES: Mapping[str, Callable[[int, Past, Points], list[Pairing]]] = {
    "round-robin": round_robin,
    "gauntlet": gauntlet,
    "swiss": swiss,
}
