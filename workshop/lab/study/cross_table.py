"""`workshop.lab.study cross-table`: every agent against every other in each game, with scores and Elo.

The games are round-robins of pairs from one opening with colours swapped. Scores are those of pairs; see
`statistics/elo.py` for their intervals and `statistics/ratings.py` for ratings and errors. The first agent may play
additional pairs. They are kept in a file of their own and start from other openings.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

from local_runner.matches.statistics.elo import elo, score
from local_runner.matches.statistics.ratings import Rating, ratings
from local_runner.matches.tournament import store
from local_runner.matches.tournament.schedule import Schedule
from local_runner.matches.tournament.standings import Standings
from workshop.lab.study.games import Pool, plan_of, play_all, terms_shown
from workshop.lab.study.output import Row, StudyResult

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def study(
    folder: Path, pools: Sequence[Pool], rounds: int, more: int, jobs: int | None, think: float | None
) -> tuple[StudyResult, Row]:
    """Play the missing games and count all."""
    found: dict[str, Standings] = {}
    heads: list[Row] = []
    for terms, agents in pools:
        env = terms.setup.env
        plans = {folder / f"{env}.db": plan_of(agents, terms, Schedule.ROUND_ROBIN, rounds)}
        if more:
            other_openings = replace(terms, setup=replace(terms.setup, seed=terms.setup.seed + 1))
            plans[folder / f"{env}_more.db"] = plan_of(agents, other_openings, Schedule.GAUNTLET, more)
        for path, plan in plans.items():
            heads.append(play_all(path, plan, jobs))
            found.setdefault(env, Standings(plan.names))
            with store.read(path) as kept:
                for game in kept.each_game():
                    found[env].add(game)
    return outcome(found), {"header": heads[0], "terms": terms_shown(think, rounds=rounds, more=more)}


def outcome(found: dict[str, Standings]) -> StudyResult:
    """One row for each pair of agents in each game, and the ratings."""
    rows = [_row(env, standings, a, b) for env, standings in found.items() for a, b in combinations(standings.names, 2)]
    rated = {env: ratings(standings.games) for env, standings in found.items()}
    summary = [
        {
            "game": env,
            "agent": one.name,
            "Elo": f"{round(one.elo):+d} ± {one.error:.0f}",
            "games": one.games,
            "score": f"{one.score / one.games:.1%}",
            f"against {standings.names[0]}": _against_first(standings, one.name),
        }
        for env, standings in found.items()
        for one in rated[env]
    ]
    plots: dict[str, Callable[[], Figure]] = {
        f"cross_table_{env}": partial(_draw, env, standings, rated[env]) for env, standings in found.items()
    }
    return StudyResult(rows, summary, plots)


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


def _against_first(standings: Standings, name: str) -> str:
    games, _ = standings.against(name, standings.names[0])
    if not games.games:
        return ""
    return f"{games.score:g} of {games.games}"


def _draw(env: str, standings: Standings, pool: Sequence[Rating]) -> Figure:
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


def _draw_scores(axes: Axes, standings: Standings, names: Sequence[str]) -> None:
    met = [[standings.against(a, b)[1] for b in names] for a in names]
    shares = [[score(pairs).value if pairs.games else math.nan for pairs in row] for row in met]
    axes.imshow(shares, cmap="RdYlGn", vmin=0, vmax=1, aspect="auto")
    for row, line in enumerate(met):
        for col, pairs in enumerate(line):
            if pairs.games:
                found = score(pairs)
                text = f"{found.value:.0%}\n{100 * found.low:.0f} to {100 * found.high:.0f}"
                axes.text(col, row, text, ha="center", va="center", fontsize="x-small")
    shown = list(names)
    axes.set(xticks=range(len(names)), yticks=range(len(names)), yticklabels=shown)
    axes.set_xticklabels(shown, rotation=30, ha="right")
