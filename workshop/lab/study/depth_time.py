"""`workshop.lab.study depth-time`: seconds per move of seed001 at every depth, in several configurations.

The configurations are those that student report 001 timed. Each chooses the moves of one side in the same random games,
with one history table per game and without a time limit. A curve is seconds = base * factor ** depth, fitted to
the logarithms of the means, so every depth has the same weight. Positions that need no search are skipped.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import fmean
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import numpy as np
import typer

from env_adapter import Cell
from local_runner.agents.opponents.observed import Seen, legal_cells
from local_runner.agents.opponents.seed001 import Player
from local_runner.agents.opponents.seed001_search import Seed001Options
from local_runner.system.header import header
from workshop.command import with_progress
from workshop.lab.study.output import StudyResult
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


class ExponentialFit(NamedTuple):
    """seconds = base * factor ** depth; r2: R² of the logarithms, 1 for a perfect fit."""

    base: float
    factor: float
    r2: float

    def at(self, depth: int) -> float:
        return self.base * self.factor**depth


Means = Mapping[tuple[str, int], float]  # (configuration, depth) -> seconds


@dataclass(frozen=True)
class DepthTime:
    """The options of the study."""

    depth: Annotated[int, typer.Option(min=1, help="The greatest depth in plies; all from 1 are timed.")] = 8
    games: Annotated[int, typer.Option(min=1, help="Random games that supply the positions.")] = 3
    positions: Annotated[int, typer.Option(min=1, max=24, help="Positions of each game.")] = 8
    cores: Annotated[int, typer.Option(min=2, help="Number of processes in the configuration `processes`.")] = 2
    seed: Annotated[int, typer.Option(help="The same seed gives the same openings.")] = 0

    def run(self, _folder: Path) -> StudyResult:
        """Time all positions. Returns the mean times and the fits."""
        depths = list(range(1, self.depth + 1))
        openings = random_openings(ENV, self.games, LAST, self.seed)
        seconds: dict[tuple[str, int], list[float]] = {(name, plies): [] for name in CONFIGURATIONS for plies in depths}
        for (name, plies), found in with_progress(seconds.items(), "depth-time", len(seconds)):
            options = Seed001Options(depth=plies, seconds=None, game_seconds=None, **CONFIGURATIONS[name])
            if name == "processes":
                options = options._replace(cores=self.cores)
            for opening in openings:
                found += timed(options, opening, self.positions)
        means = {key: fmean(found) for key, found in seconds.items()}
        fits = {name: fit(depths, [means[name, plies] for plies in depths]) for name in CONFIGURATIONS}
        rows = [
            {"configuration": name, "depth": plies, "seconds": means[name, plies], "longest": max(found),
             "fitted": fits[name].at(plies)}
            for (name, plies), found in seconds.items()
        ]  # fmt: skip
        summary = [
            {"ms a move": name, **{f"depth {plies}": 1000 * means[name, plies] for plies in depths},
             "a ply costs": found.factor, "R²": found.r2}
            for name, found in fits.items()
        ]  # fmt: skip
        terms = {"moves": self.positions, "cores": self.cores, "seed": self.seed}
        return StudyResult(rows, summary, {"depth_time": partial(_draw, depths, means, fits)}, header(), terms)


def timed(options: Seed001Options, opening: Sequence[Cell], moves: int) -> list[float]:
    """Seconds of the search of each position of a game, all with the same side to move, with one history table."""
    player, seconds = Player(SIZE, options), []
    for stones, to_move in searched_positions(opening, moves):
        began = perf_counter()
        player.choose(stones, to_move)
        seconds.append(perf_counter() - began)
    return seconds


def searched_positions(opening: Sequence[Cell], moves: int) -> list[tuple[Stones, int]]:
    """Up to `moves` positions of a game that need a search, all of the same side and evenly spread."""
    positions = [position_after(ENV, opening[:at]) for at in range(FIRST, LAST + 1, 2)]
    searched = [position for position in positions if needs_search(*position)]
    if len(searched) <= moves:
        return searched
    return [searched[turn * (len(searched) - 1) // max(moves - 1, 1)] for turn in range(moves)]


def needs_search(stones: Stones, player: int) -> bool:
    """Whether there are at least two moves and none to a corner; seed001 takes a corner without a search."""
    cells = legal_cells(Seen(stones, player, reversi=True))
    return len(cells) > 1 and not set(cells) & {(row, col) for row in (0, SIZE - 1) for col in (0, SIZE - 1)}


def fit(depths: list[int], seconds: list[float]) -> ExponentialFit:
    """The least-squares fit of an exponential to the logarithms."""
    if len(depths) < 2:
        return ExponentialFit(seconds[0], 1.0, 1.0)
    logarithms = np.log(seconds)
    slope, level = np.polyfit(depths, logarithms, 1)
    residuals = logarithms - (level + slope * np.array(depths))
    spread = float(np.sum((logarithms - logarithms.mean()) ** 2))
    r2 = 1 - float(np.sum(residuals**2)) / spread if spread else 1.0
    return ExponentialFit(float(np.exp(level)), float(np.exp(slope)), r2)


def _draw(depths: list[int], means: Means, fits: Mapping[str, ExponentialFit]) -> "Figure":
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 6), layout="constrained")
    axes = figure.subplots()
    for name, curve in fits.items():
        [points] = axes.plot(depths, [means[name, plies] for plies in depths], "o", label=name)
        label = f"{curve.base:.2g} · {curve.factor:.2f}^depth"
        axes.plot(depths, [curve.at(plies) for plies in depths], color=points.get_color(), label=label)
    axes.set(yscale="log", xlabel="depth in plies", ylabel="seconds a move", xticks=depths)
    axes.legend(fontsize="small", ncols=2)
    axes.grid(alpha=0.3)
    return figure
