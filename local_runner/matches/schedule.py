"""Schedules: the pairings of each round, as pure functions of numbers. Agents are numbered from 0 to n - 1.

A schedule returns one round at a time, because Swiss pairings depend on the points so far. The same results always give
the same pairings, so a resumed tournament plays the same games. Earlier rounds are kept only as counts.
"""

import functools
from collections import Counter
from collections.abc import Iterable, Mapping, Set
from enum import Enum
from itertools import chain, combinations
from types import MappingProxyType
from typing import NamedTuple


class Pairing(NamedTuple):
    """Two agents that play a pair of games. Agent `a` has Black in the first game, agent `b` in the second."""

    a: int
    b: int


Points = Mapping[int, float]  # number of the agent -> its points so far


class Past:
    """Counts over the earlier rounds.

    rounds: number of rounds
    met: two agents -> number of pairs between them
    black_first: agent -> number of pairs in which it had Black in the first game
    played: agent -> number of its pairs
    """

    def __init__(self, rounds: Iterable[Iterable[Pairing]] = ()) -> None:
        self.rounds = 0
        self.met: Counter[frozenset[int]] = Counter()
        self.black_first: Counter[int] = Counter()
        self.played: Counter[int] = Counter()
        for pairings in rounds:
            self.add(pairings)

    def add(self, pairings: Iterable[Pairing]) -> None:
        """Add the pairings of the next round to the counts."""
        self.rounds += 1
        for pairing in pairings:
            self.met[frozenset(pairing)] += 1
            self.black_first[pairing.a] += 1
            self.played.update(pairing)


def swiss(agents: int, past: Past, points: Points, paired: Set[int] = frozenset()) -> list[Pairing]:
    """Pairs agents that are close in the standings; two agents meet again only if that cannot be avoided.

    The pairings are a matching of least cost. A pair costs the square of the distance between its places in the
    standings, and agents**3 for each earlier meeting. In a pair, `a` is the agent that had Black first less often. With
    an odd number of agents, one agent pauses: among the agents that paused least often, the lowest in the standings. A
    pause gives no points, because ratings come from games. `paired`: agents that have an opponent already.
    """
    import networkx  # here, because the import is slow

    standing = sorted(range(agents), key=lambda agent: (-points.get(agent, 0.0), agent))
    if agents % 2:
        waiting = [agent for agent in reversed(standing) if agent not in paired]
        standing.remove(max(waiting, key=lambda agent: past.played[agent]))
    graph = networkx.Graph()
    places = [(place, agent) for place, agent in enumerate(standing) if agent not in paired]
    for (i, first), (j, second) in combinations(places, 2):
        graph.add_edge(i, j, weight=-(past.met[frozenset((first, second))] * agents**3 + (j - i) ** 2))
    matching = sorted(sorted(pair) for pair in networkx.max_weight_matching(graph, maxcardinality=True))
    pairs = ((standing[i], standing[j]) for i, j in matching)
    return [Pairing(a, b) if past.black_first[a] <= past.black_first[b] else Pairing(b, a) for a, b in pairs]


class Schedule(Enum):
    """The schedules by their names. A MATCH has two agents, and the first one always has Black in the first game.

    In the round-robin and the gauntlet (the first agent against each other agent), the agent with the lower number has
    Black first (`Pairing.a`) in odd rounds only.
    """

    ROUND_ROBIN = "round-robin"
    GAUNTLET = "gauntlet"
    SWISS = "swiss"
    MATCH = "match"

    def pairings(
        self, agents: int, past: Past, points: Points, known: Mapping[int, Pairing] = MappingProxyType({})
    ) -> list[Pairing]:
        """The pairings of the next round. `agents`: the number of agents. `points`: each agent's points so far.

        `known`: place in the round -> pairing, for the pairings of which games were already played.
        """
        if self is Schedule.SWISS:
            rest = iter(swiss(agents, past, points, set(chain(*known.values()))))
            return [known.get(place) or next(rest) for place in range(agents // 2)]
        pairs = combinations(range(agents), 2)
        pairings = [Pairing(a, b) for a, b in pairs if a == 0 or self is Schedule.ROUND_ROBIN]
        swaps = past.rounds % 2 and self is not Schedule.MATCH
        pairings = [Pairing(b, a) for a, b in pairings] if swaps else pairings
        return [known.get(place, pairing) for place, pairing in enumerate(pairings)]

    @functools.cache
    def pairs(self, agents: int) -> int:
        """The number of pairs in a round."""
        return agents // 2 if self is Schedule.SWISS else len(self.pairings(agents, Past(), {}))
