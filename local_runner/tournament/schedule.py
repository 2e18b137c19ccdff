"""Who plays whom: pairs of games, colours swapped, in rounds. Pure functions of numbers; agents are 0 to n - 1.

A schedule is asked for one round at a time and told how those before it ended, because Swiss pairings depend on it; the
same results give the same pairings, so that a broken-off tournament goes on as it would have gone.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple


class Pairing(NamedTuple):
    """Two agents, the first with Black in the first game."""

    a: int
    b: int


Points = Mapping[int, float]  # by agent
Past = Sequence[Sequence[Pairing]]  # the rounds before


def round_robin(agents: int, past: Past, points: Points) -> list[Pairing]:
    """Everybody against everybody; who begins changes from round to round."""
    pairings = [Pairing(a, b) for a, b in combinations(range(agents), 2)]
    return [Pairing(b, a) for a, b in pairings] if len(past) % 2 else pairings


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

    met = Counter(frozenset(pairing) for pairings in past for pairing in pairings)
    begun = Counter(pairing.a for pairings in past for pairing in pairings)
    played = Counter(agent for pairings in past for pairing in pairings for agent in pairing)
    standing = sorted(range(agents), key=lambda agent: (-points.get(agent, 0.0), agent))
    if agents % 2:
        standing.remove(max(reversed(standing), key=lambda agent: played[agent]))
    graph = networkx.Graph()
    for (i, first), (j, second) in combinations(enumerate(standing), 2):
        graph.add_edge(i, j, weight=-(met[frozenset((first, second))] * agents**3 + (j - i) ** 2))
    matching = sorted(sorted(pair) for pair in networkx.max_weight_matching(graph, maxcardinality=True))
    pairs = ((standing[i], standing[j]) for i, j in matching)
    return [Pairing(a, b) if begun[a] <= begun[b] else Pairing(b, a) for a, b in pairs]


SCHEDULES: Mapping[str, Callable[[int, Past, Points], list[Pairing]]] = {
    "round-robin": round_robin,
    "gauntlet": gauntlet,
    "swiss": swiss,
}
