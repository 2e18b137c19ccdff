"""`workshop.lab.study cross-table`: every agent against every other in each game, with scores and Elo.

The games are round-robins; the two games of a pair start from one opening, colours swapped. `statistics/elo.py`
computes the intervals of scores, `statistics/ratings.py` ratings and errors. The first agent may play additional pairs.
The additional pairs have a file of their own and start from other openings.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from local_runner.matches.statistics.elo import elo, score
from local_runner.matches.statistics.ratings import Rating, ratings
from local_runner.matches.tournament.schedule import Schedule
from local_runner.matches.tournament.standings import Standings
from local_runner.matches.tournament.store import read
from workshop.lab.study.games import GameStudy
from workshop.lab.study.output import Row, StudyResult

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class CrossTable(GameStudy):
    """The options of the study."""

    rounds: Annotated[int, typer.Option(min=1, help="Pairs of games, colours swapped, for each pairing.")] = 10
    more: Annotated[int, typer.Option(min=0, help="Additional pairs of the first agent with each of the others.")] = 0

    def run(self, folder: Path) -> StudyResult:
        """Play the missing games. Returns one row for each pair of agents in each game, and the ratings."""
        by_game: dict[str, Standings] = {}
        for pool in self.pools():
            env, setup = pool.terms.setup.env, pool.terms.setup
            plan, files = pool.plan(Schedule.ROUND_ROBIN, self.rounds), [folder / f"{env}.db"]
            standings = by_game[env] = Standings(plan.names)
            head = self.play_all(files[0], plan)
            if self.more:
                files.append(folder / f"{env}_more.db")
                terms = replace(pool.terms, setup=replace(setup, seed=setup.seed + 1))
                self.play_all(files[1], pool._replace(terms=terms).plan(Schedule.GAUNTLET, self.more))
            for file in files:
                with read(file) as store:
                    for game in store.each_game():
                        standings.add(game)
        rated = {env: ratings(standings.games) for env, standings in by_game.items()}
        plots: dict[str, Callable[[], Figure]] = {
            f"cross_table_{env}": partial(_draw, env, standings, rated[env]) for env, standings in by_game.items()
        }
        return StudyResult(
            [_row(env, each, a, b) for env, each in by_game.items() for a, b in combinations(each.names, 2)],
            [_summary(env, standings, one) for env, standings in by_game.items() for one in rated[env]],
            plots,
            head,
            self.terms_shown(more=self.more),
        )


def _row(env: str, standings: Standings, a: str, b: str) -> Row:
    games, pairs = standings.against(a, b)
    scored, rated = score(pairs), elo(pairs)
    return {
        "game": env, "a": a, "b": b, "games": games.games, "won": games.wins, "drawn": games.draws,
        "lost": games.losses, "score": scored.value, "score low": scored.low, "score high": scored.high,
        "elo": _finite(rated.value), "elo low": _finite(rated.low), "elo high": _finite(rated.high),
    }  # fmt: skip


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _summary(env: str, standings: Standings, one: Rating) -> Row:
    games, _ = standings.against(one.name, standings.names[0])
    return {
        "game": env,
        "agent": one.name,
        "Elo": f"{round(one.elo):+d} ± {one.error:.0f}",
        "games": one.games,
        "score": f"{one.score / one.games:.1%}",
        f"against {standings.names[0]}": f"{games.score:g} of {games.games}" if games.games else "",
    }


def _draw(env: str, standings: Standings, pool: Sequence[Rating]) -> "Figure":
    from matplotlib.figure import Figure

    figure = Figure(figsize=(13, 0.6 * len(pool) + 2.5), layout="constrained")
    table, ladder = figure.subplots(1, 2, width_ratios=(2, 1))
    _draw_scores(table, standings, [one.name for one in pool])
    table.set_title(f"{env}: score of the row in %, and its 95 % interval")
    places = list(range(len(pool)))
    ladder.errorbar([one.elo for one in pool], places, xerr=[one.error for one in pool], fmt="o", capsize=3)
    ladder.set(yticks=places, yticklabels=[one.name for one in pool], xlabel="Elo, 95 %")
    ladder.invert_yaxis()
    ladder.grid(alpha=0.3)
    return figure


def _draw_scores(axes: "Axes", standings: Standings, names: list[str]) -> None:
    met = [[standings.against(a, b)[1] for b in names] for a in names]
    shares = [[score(pairs).value if pairs.games else math.nan for pairs in row] for row in met]
    axes.imshow(shares, cmap="RdYlGn", vmin=0, vmax=1, aspect="auto")
    for row, line in enumerate(met):
        for col, pairs in enumerate(line):
            if pairs.games:
                estimate = score(pairs)
                text = f"{estimate.value:.0%}\n{100 * estimate.low:.0f} to {100 * estimate.high:.0f}"
                axes.text(col, row, text, ha="center", va="center", fontsize="x-small")
    axes.set(xticks=range(len(names)), yticks=range(len(names)), yticklabels=names)
    axes.set_xticklabels(names, rotation=30, ha="right")
