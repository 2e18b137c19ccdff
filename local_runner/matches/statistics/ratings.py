"""Bradley-Terry ratings of a pool of agents, the cross-table, and cycles, which ratings cannot show.

All functions take the same `results`: {(a, b): a's games against b}, each two agents once. The model is Bradley and
Terry's ("Rank analysis of incomplete block designs", 1952) on the Elo scale; a draw counts as half a win for both. A
prior makes all ratings finite: each agent is given `PRIOR_GAMES` drawn games against a virtual agent. Between agents
that no chain of games connects, a rating difference comes only from the prior and has a large error.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from local_runner.matches.statistics.elo import Tally, Z, decisive_games

Results = Mapping[tuple[str, str], Tally]  # two agents -> their games, from the first one's view

PRIOR_GAMES = 1.0  # drawn games of each agent against a virtual agent, which add the prior
ELO_PER_NAT = 400 / math.log(10)  # a nat is a factor of e between the strengths
SMALLEST_STEP = 1e-9  # nats; a smaller step ends the fit


@dataclass(frozen=True)
class Rating:
    """An agent's rating: the 95 % interval is `elo` ± `error`, in Elo. `score`: the agent's points in `games` games."""

    name: str
    elo: float
    error: float
    games: int
    score: float


def crosstable(results: Results) -> dict[str, dict[str, Tally]]:
    """Each agent's games against each opponent, from the agent's view; agents in order of appearance in `results`."""
    table: dict[str, dict[str, Tally]] = {name: {} for names in results for name in names}
    for (a, b), games in results.items():
        table[a][b], table[b][a] = games, games.swapped
    return table


def ratings(results: Results) -> list[Rating]:
    """The ratings, strongest first; their mean is 0.

    Each `error` belongs to the difference between the agent's rating and the mean; see `_covariance`.
    """
    table = crosstable(results)
    names = list(table)
    if not names:
        return []
    points, games, decisive = _matrices(table)
    strength = _fit(points, games)
    n = len(names)
    to_mean = np.eye(n) - np.full(n, 1 / n)  # subtracts the mean from every rating
    elo = ELO_PER_NAT * to_mean @ strength[:n]
    variance = np.diag(to_mean @ _covariance(strength, games, decisive) @ to_mean.T)
    error = ELO_PER_NAT * Z * np.sqrt(variance.clip(0))
    pool = [Rating(name, float(elo[i]), float(error[i]), int(games[i, :n].sum()), float(points[i, :n].sum()))
            for i, name in enumerate(names)]  # fmt: skip
    return sorted(pool, key=lambda rating: (-round(rating.elo, 6), rating.name))


def cycles(results: Results) -> list[tuple[str, str, str]]:
    """All triples in which the first agent beats the second, the second the third, and the third the first.

    To beat an agent is to score more than half of the points against it. Each triple begins with the agent that comes
    first in `results`. Longer cycles are not searched. If every two agents have a winner, a longer cycle implies a
    cycle of three.
    """
    table = crosstable(results)

    def beats(a: str, b: str) -> bool:
        return b in table[a] and 2 * table[a][b].score > table[a][b].games

    triples = ((a, *others) for a, b, c in combinations(table, 3) for others in ((b, c), (c, b)))
    return [(a, b, c) for a, b, c in triples if beats(a, b) and beats(b, c) and beats(c, a)]


def _matrices(table: Mapping[str, Mapping[str, Tally]]) -> tuple[NDArray[np.float64], ...]:
    """Points, games, decisive games of each row's agent against each column's; the virtual agent is the last."""
    n = len(table)
    place = {name: i for i, name in enumerate(table)}
    matrices = np.zeros((3, n + 1, n + 1))
    matrices[:, n, :n] = matrices[:, :n, n] = np.array([[PRIOR_GAMES / 2], [PRIOR_GAMES], [PRIOR_GAMES]])
    for name, row in table.items():
        for opponent, games in row.items():
            matrices[:, place[name], place[opponent]] = games.score, games.games, decisive_games(games)
    return tuple(matrices)


def _fit(points: NDArray[np.float64], games: NDArray[np.float64]) -> NDArray[np.float64]:
    """The maximum-likelihood strengths in nats; the virtual agent's is 0.

    Newton's method, damped: a step is multiplied by ln(1 + d) / d, where d is the difference between the step's largest
    and smallest component. The damped method converges from any start (Sun and Tran-Dinh, "Generalized self-concordant
    functions", 2019).
    """
    strength, largest = np.zeros(len(points)), math.inf
    while largest > SMALLEST_STEP:
        expected = _expected(strength)
        slope = (points - games * expected).sum(axis=1)
        step = np.append(np.linalg.solve(_laplacian(games * expected * expected.T), slope[:-1]), 0.0)
        largest = float(np.ptp(step))
        if largest > 0:
            strength += step * (math.log1p(largest) / largest)
    return strength


def _expected(strength: NDArray[np.float64]) -> NDArray[np.float64]:
    """The expected score of the row's agent against the column's."""
    probability: NDArray[np.float64] = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
    return probability


def _laplacian(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The Laplacian of `weights`, without the virtual agent; of games * p * (1 - p), it is the Fisher information."""
    return (np.diag(weights.sum(axis=1)) - weights)[:-1, :-1]


def _covariance(
    strength: NDArray[np.float64], games: NDArray[np.float64], decisive: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The covariance of the fitted strengths, without the virtual agent, whose strength is fixed.

    White's sandwich estimator (1982): I^-1 J I^-1, where I is the Fisher information, and J corrects I for the smaller
    variance of draws and pairs. A bootstrap over the pairs would be random and slow, and would give an error of 0 to an
    agent that won every game.
    """
    expected = _expected(strength)
    information = games * expected * expected.T
    per_decisive = np.divide(games, decisive, out=np.ones_like(games), where=decisive > 0)
    inverse = np.linalg.inv(_laplacian(information))
    covariance: NDArray[np.float64] = inverse @ _laplacian(information * per_decisive) @ inverse
    return covariance
