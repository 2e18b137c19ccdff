"""Who plays whom, round by round. Pure functions of numbers; agents are numbered from 0 to n - 1.

A schedule gives one round at a time, because Swiss pairings depend on the points so far. The same results give the same
pairings, so a resumed tournament plays the same games. The past is kept as counts: the thousandth round costs no more
than the first.
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
    """Counts over the earlier rounds.

    `met`: pairs between two agents. `begun`: pairs in which an agent had Black first. `played`: pairs of an agent.
    """

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
        """Count a pairing of this round, counted from 1."""
        self.rounds = max(self.rounds, round_)
        self.pairs += 1
        self.met[frozenset(pairing)] += 1
        self.begun[pairing.a] += 1
        self.played.update(pairing)


def round_robin(agents: int, past: Past, points: Points) -> list[Pairing]:
    """Each agent against each other; in every second round the other one has Black first."""
    pairings = [Pairing(a, b) for a, b in combinations(range(agents), 2)]
    return [Pairing(b, a) for a, b in pairings] if past.rounds % 2 else pairings


def gauntlet(agents: int, past: Past, points: Points) -> list[Pairing]:
    """The first agent against each of the others."""
    return [pairing for pairing in round_robin(agents, past, points) if 0 in pairing]


def swiss(agents: int, past: Past, points: Points) -> list[Pairing]:
    """Neighbours in the standings; two agents meet again only when it cannot be avoided.

    A matching of least cost: a repeated pairing costs more than any distance, and the distance between two places in
    the standings counts squared. The agent that had Black first less often has it first. With an odd number of agents,
    one pauses: the lowest of those that missed the fewest rounds. It gets no points, because ratings come from games.
    """
    import networkx  # here, because the import is slow

    standing = sorted(range(agents), key=lambda agent: (-points.get(agent, 0.0), agent))
    if agents % 2:
        standing.remove(max(reversed(standing), key=lambda agent: past.played[agent]))
    graph = networkx.Graph()
    for (i, first), (j, second) in combinations(enumerate(standing), 2):
        graph.add_edge(i, j, weight=-(past.met[frozenset((first, second))] * agents**3 + (j - i) ** 2))
    matching = sorted(sorted(pair) for pair in networkx.max_weight_matching(graph, maxcardinality=True))
    pairs = ((standing[i], standing[j]) for i, j in matching)
    return [Pairing(a, b) if past.begun[a] <= past.begun[b] else Pairing(b, a) for a, b in pairs]


def match(agents: int, past: Past, points: Points) -> list[Pairing]:
    """The first agent against the second, the first always with Black first."""
    return [Pairing(0, 1)]


MATCH = "match"
SCHEDULES: Mapping[str, Callable[[int, Past, Points], list[Pairing]]] = {
    "round-robin": round_robin,
    "gauntlet": gauntlet,
    "swiss": swiss,
    MATCH: match,
}
OFFERED = tuple(name for name in SCHEDULES if name != MATCH)  # for tournaments
PAIRS_PER_ROUND: Mapping[str, Callable[[int], int]] = {  # by the number of agents
    "round-robin": lambda n: n * (n - 1) // 2,
    "gauntlet": lambda n: n - 1,
    "swiss": lambda n: n // 2,
    MATCH: lambda n: 1,
}
