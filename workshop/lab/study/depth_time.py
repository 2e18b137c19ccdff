"""`workshop.lab.study depth-time`: seconds per move of seed001 at every depth, in several configurations.

The configurations are those that student report 001 timed. Each plays the moves of one side in the same games, with one
history table per game and without a time limit. A curve is seconds = base * factor ** depth. It is fitted to the
logarithms of the means, so every depth has the same weight. Positions that need no search are skipped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import fmean
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from env_adapter import Cell
from local_runner.agents.opponents.observed import Seen, legal_cells
from local_runner.agents.opponents.seed001 import Player
from local_runner.agents.opponents.seed001_search import Seed001Options
from workshop.lab.study.journal import Journal, Task, open_journal
from workshop.lab.study.output import Row, StudyResult
from workshop.lab.study.positions import Stones, position_after, random_openings

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ENV, SIZE = "reversi_8x8_1v1", 8
FIRST, LAST = 4, 50  # plies before the first and the last position of a game

CONFIGURATIONS: Mapping[str, Mapping[str, Any]] = {
    "history": {},
    "no history": {"history": False},
    "bad moves": {"bad_moves": True},
    "bad leaves": {"bad_leaves": True, "stability": False},
    "processes": {"bad_moves": True, "history": False},
}


def study(folder: Path, depth: int, games: int, moves: int, cores: int, seed: int) -> tuple[StudyResult, Row]:
    """Run the missing measurements. Returns the result and the journal's head. Raises as `open_journal`."""
    terms = {"moves": moves, "cores": cores, "seed": seed}
    with open_journal(folder / "results.jsonl", terms) as journal:
        total = depth * games * len(CONFIGURATIONS)
        journal.measure(_tasks(depth, games, moves, cores, seed), total, "depth-time")
        return outcome(journal, depth, games), journal.head


def options(name: str, depth: int, cores: int) -> Seed001Options:
    """One configuration, without a time limit."""
    plain = Seed001Options(depth=depth, seconds=None, game_seconds=None, **CONFIGURATIONS[name])
    return plain._replace(cores=cores) if name == "processes" else plain


def _tasks(depth: int, games: int, moves: int, cores: int, seed: int) -> Iterator[Task]:
    openings = random_openings(ENV, games, LAST, seed)
    for plies in range(1, depth + 1):
        for number, opening in enumerate(openings):
            for name in CONFIGURATIONS:
                chosen = options(name, plies, cores)
                yield (name, plies, number), partial(timed, chosen, opening, moves)


def timed(chosen: Seed001Options, opening: Sequence[Cell], moves: int) -> dict[str, list[float]]:
    """Seconds for each position of a game, always of the same side, with one history table."""
    player, seconds = Player(SIZE, chosen), []
    for stones, to_move in asked(opening, moves):
        began = perf_counter()
        player.choose(stones, to_move)
        seconds.append(perf_counter() - began)
    return {"seconds": seconds}


def asked(opening: Sequence[Cell], moves: int) -> list[tuple[Stones, int]]:
    """Up to `moves` positions of a game that need a search, all of the same side and evenly spread."""
    found = [position_after(ENV, opening[:at]) for at in range(FIRST, LAST + 1, 2)]
    searched = [position for position in found if wants_search(*position)]
    if len(searched) <= moves:
        return searched
    return [searched[turn * (len(searched) - 1) // max(moves - 1, 1)] for turn in range(moves)]


def wants_search(stones: Stones, player: int) -> bool:
    """Whether there are at least two moves, none of them to a corner, which would be taken at once."""
    cells = legal_cells(Seen(stones, player, reversi=True))
    return len(cells) > 1 and not set(cells) & {(row, col) for row in (0, SIZE - 1) for col in (0, SIZE - 1)}


def outcome(journal: Journal, depth: int, games: int) -> StudyResult:
    """Means over all positions, and the fits."""
    means = {
        (name, plies): fmean(
            second for game in range(games) for second in journal.results[name, plies, game]["seconds"]
        )
        for name in CONFIGURATIONS
        for plies in range(1, depth + 1)
    }
    depths = range(1, depth + 1)
    fits = {name: fit(list(depths), [means[name, plies] for plies in depths]) for name in CONFIGURATIONS}
    rows = [
        {
            "configuration": name,
            "depth": plies,
            "seconds": seconds,
            "longest": max(max(journal.results[name, plies, game]["seconds"]) for game in range(games)),
            "fitted": fits[name]["base"] * fits[name]["factor"] ** plies,
        }
        for (name, plies), seconds in means.items()
    ]
    summary = [
        {
            "ms a move": name,
            **{f"depth {plies}": 1000 * means[name, plies] for plies in depths},
            "a ply costs": fits[name]["factor"],
            "R²": fits[name]["r2"],
        }
        for name in CONFIGURATIONS
    ]
    return StudyResult(rows, summary, {"depth_time": _draw(means, fits, depth)})


def fit(depths: list[int], seconds: list[float]) -> dict[str, float]:
    """The least-squares fit of an exponential to the logarithms: base, factor and R² (1 for a perfect fit)."""
    logarithms = np.log(seconds)
    if len(depths) < 2:
        return {"base": seconds[0], "factor": 1.0, "r2": 1.0}
    slope, level = np.polyfit(depths, logarithms, 1)
    residuals = logarithms - (level + slope * np.array(depths))
    spread = float(np.sum((logarithms - logarithms.mean()) ** 2))
    r2 = 1 - float(np.sum(residuals**2)) / spread if spread else 1.0
    return {"base": float(np.exp(level)), "factor": float(np.exp(slope)), "r2": r2}


def _draw(means: Mapping[tuple[str, int], float], fits: Mapping[str, Row], depth: int) -> Callable[[], Figure]:
    def draw() -> Figure:
        from matplotlib.figure import Figure

        figure = Figure(figsize=(9, 6), layout="constrained")
        axes = figure.subplots()
        depths = range(1, depth + 1)
        for name, found in fits.items():
            [points] = axes.plot(depths, [means[name, plies] for plies in depths], "o", label=name)
            base, factor = found["base"], found["factor"]
            curve = [base * factor**plies for plies in depths]
            axes.plot(depths, curve, color=points.get_color(), label=f"{base:.2g} · {factor:.2f}^depth")
        axes.set(yscale="log", xlabel="depth in plies", ylabel="seconds a move", xticks=list(depths))
        axes.legend(fontsize="small", ncols=2)
        axes.grid(alpha=0.3)
        return figure

    return draw
