"""Ratings of a pool of agents from the games among them, and the table of each against each, as ratings hide cycles.

Everything takes the same `results`: {(a, b): a's games against b}, all Tally or all Pentanomial; two names may stand
in either order, or in both. The model is Bradley and Terry's ("Rank analysis of incomplete block designs", 1952) on
Elo's scale, a draw being half a win for both.

What the games do not tell, a prior does: each agent is held to have drawn `PRIOR_GAMES` with a virtual agent in the
middle of the pool. So a rating is finite though all games were won, and two groups that never met, or met with one
winner only, have a distance. Such a distance is the prior's, and its error is large; `groups` tells where.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import TypeVar

import choix
import numpy as np
from numpy.typing import NDArray

from local_runner.errors import RunnerError
from local_runner.statistics.counts import Pentanomial, Tally
from local_runner.statistics.elo import Z, decisive_games, los

G = TypeVar("G", Tally, Pentanomial)
Results = Mapping[tuple[str, str], G]

PRIOR_GAMES = 1.0
ELO_PER_NAT = 400 / math.log(10)
MOST_STEPS = 100_000  # of the fit: a few for a usual pool, hundreds where one agent won 1000 games and lost none


@dataclass(frozen=True)
class Rating:
    """An agent's rating in Elo; 95 % lie within `error` of it, which is 0 for an anchor. `score`: points in `games`."""

    name: str
    elo: float
    error: float
    games: int
    score: float


def crosstable(results: Results[G]) -> dict[str, dict[str, G]]:
    """Each agent's games against each that it met, from its own point of view; agents in order of appearance.

    Raises RunnerError for an agent that met itself.
    """
    table: dict[str, dict[str, G]] = {name: {} for names in results for name in names}
    for (a, b), games in results.items():
        if a == b:
            raise RunnerError(f"{a} played itself, which says nothing of its strength: leave those games out")
        table[a][b] = table[a][b] + games if b in table[a] else games
        table[b][a] = table[a][b].swapped
    return table


def ratings(results: Results[G], anchor: str = "") -> list[Rating]:
    """The pool, the strongest first; the mean of the ratings is 0, or the rating of `anchor` where it is named.

    Fitted by choix with I-LSR (Maystre and Grossglauser, "Fast and accurate inference of Plackett-Luce models", 2015).
    An error is that of the difference to the mean, or to the anchor; see `_covariance`.
    Raises RunnerError if no agent of the name `anchor` played, and as `crosstable` does.
    """
    table = crosstable(results)
    names = list(table)
    if anchor and anchor not in table:
        raise RunnerError(f"{anchor} cannot be the anchor, as it played no games; these did: {', '.join(names)}")
    if not names:
        return []
    points, games, decisive = _matrices(table)
    strength = choix.ilsr_pairwise_dense(points, max_iter=MOST_STEPS)
    n = len(names)
    origin = np.eye(n)[names.index(anchor)] if anchor else np.full(n, 1 / n)
    to_origin = np.eye(n) - origin  # the matrix that subtracts the anchor, or the mean, from every rating
    elo = ELO_PER_NAT * to_origin @ strength[:n]
    variance = np.diag(to_origin @ _covariance(strength, games, decisive) @ to_origin.T)
    error = ELO_PER_NAT * Z * np.sqrt(variance.clip(0))
    pool = [
        Rating(name, float(elo[i]), float(error[i]), int(games[i, :n].sum()), float(points[i, :n].sum()))
        for i, name in enumerate(names)
    ]
    return sorted(pool, key=lambda rating: (-round(rating.elo, 6), rating.name))


def groups(results: Results[G]) -> list[list[str]]:
    """The pool in groups inside which the games alone give ratings; one group if they do so for the whole pool.

    Inside, a chain of points leads from each agent to each other one (Ford, "Solution of a ranking problem from binary
    comparisons", 1957). Between two groups one side took all the points, or nobody met.
    """
    table = crosstable(results)
    names = list(table)
    reach = np.array([[a == b or (b in table[a] and table[a][b].score > 0) for b in names] for a in names])
    for middle in range(len(names)):  # Warshall
        reach |= np.outer(reach[:, middle], reach[middle])
    mutual = {name: tuple(np.flatnonzero(reach[i] & reach[:, i])) for i, name in enumerate(names)}
    return [[names[i] for i in group] for group in dict.fromkeys(mutual.values())]


def cycles(results: Results[G], certainty: float = 0.5) -> list[tuple[str, str, str]]:
    """The triples of which the first beats the second, the second the third, and the third the first.

    The first is whoever comes first in `results`. One beats another if `elo.los` is above `certainty`: 0.5 takes any
    lead for it. Where each pair of agents has a winner, every longer cycle implies such a triple.
    """
    table = crosstable(results)

    def beats(a: str, b: str) -> bool:
        return b in table[a] and los(table[a][b]) > certainty

    return [
        (a, b, c)
        for first, second, third in combinations(table, 3)
        for a, b, c in ((first, second, third), (first, third, second))
        if beats(a, b) and beats(b, c) and beats(c, a)
    ]


def _matrices(table: Mapping[str, Mapping[str, G]]) -> tuple[NDArray[np.float64], ...]:
    """Points, games and decisive games of the row's agent against the column's; the last of each is the virtual one."""
    n = len(table)
    place = {name: i for i, name in enumerate(table)}
    matrices = np.zeros((3, n + 1, n + 1))
    matrices[:, n, :n] = matrices[:, :n, n] = np.array([[PRIOR_GAMES / 2], [PRIOR_GAMES], [PRIOR_GAMES]])
    for name, row in table.items():
        for opponent, found in row.items():
            matrices[:, place[name], place[opponent]] = found.score, found.games, decisive_games(found)
    return tuple(matrices)


def _covariance(
    strength: NDArray[np.float64], games: NDArray[np.float64], decisive: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Of the fitted strengths, the virtual agent's apart, which is taken for fixed; in nats.

    The inverse of the Fisher information, corrected for what draws and pairs do to the variance of the points (White's
    "sandwich", 1982). A bootstrap over the pairs would need luck, hundreds of fits, and find no error at all for an
    agent that won every game.
    """
    expected = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
    information = games * expected * expected.T
    per_decisive = np.divide(games, decisive, out=np.ones_like(games), where=decisive > 0)
    bread, filling = (
        (np.diag(weights.sum(axis=1)) - weights)[:-1, :-1] for weights in (information, information * per_decisive)
    )
    inverse = np.linalg.inv(bread)
    covariance: NDArray[np.float64] = inverse @ filling @ inverse
    return covariance
