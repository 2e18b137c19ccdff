"""`workshop.lab.study pruning`: the nodes of minimax, alpha-beta and its refinements on the same positions.

The positions are from all five games, after random openings; `opponents/games.py` plays and evaluates the games. Each
searcher in SWITCHES has all features of the searchers before it. A depth is searched if the depth before took fewer
nodes than a limit in every position.

The bounds assume a tree with b moves in every position, and with as many positions in total as minimax visits on
average. At ply k the tree has b**k positions. Every search visits at least b**ceil(k/2) + b**floor(k/2) - 1 of these
(Knuth and Moore, "An analysis of alpha-beta pruning", 1975). Both numbers are summed over the plies from 0 to the
depth. A search with a transposition table may visit fewer, because a tree contains the same position several times.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from env_adapter import Cell, kind_of
from local_runner.agents.opponents.games import SearchedGame, searched_game
from local_runner.agents.opponents.observed import Seen
from local_runner.agents.opponents.rules import rules_for
from local_runner.agents.opponents.searchers import AlphaBetaSearch, SearchResult, minimax
from local_runner.errors import RunnerError
from local_runner.system.header import header
from workshop.command import with_progress
from workshop.lab.study.output import Row, StudyResult
from workshop.lab.study.positions import position_after, random_openings

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PLIES = {  # length of the openings
    "gobang_1v1": 4,
    "gomoku_11x11_1v1": 4,
    "tictactoe_1v1": 2,
    "reversi_8x8_1v1": 20,
    "reversi_1v1": 30,
}
MINIMAX = "minimax"
SWITCHES: dict[str, dict[str, Any]] = {
    "alpha-beta": {},
    "+ ordering": {"ordered": True},
    "+ history": {"ordered": True, "history": True},
    "+ table": {"ordered": True, "history": True, "table": True},
    "+ deepening": {"ordered": True, "history": True, "table": True, "deepening": True},
}
ROUNDING = 1e-6  # largest imaginary part of a real root
SEARCHERS: tuple[str, ...] = (MINIMAX, *SWITCHES)
UPPER, LOWER = "b^d (every position)", "Knuth and Moore's bound"
LINES = (*SEARCHERS, LOWER, UPPER)  # lines of a table or a plot
MOVES, DEPTH = "moves a position", "depth"

Means = dict[tuple[str, int], float]  # (line, depth) -> mean nodes


@dataclass(frozen=True)
class Pruning:
    """The options of the study."""

    env: Annotated[list[str] | None, typer.Option("--env", help="A game; may be repeated. Default: all five.")] = None
    positions: Annotated[int, typer.Option(min=1, max=24, help="Positions of each game.")] = 10
    depth: Annotated[int, typer.Option(min=1, help="The greatest depth, in plies.")] = 6
    nodes: Annotated[int, typer.Option(min=1, help="Do not go deeper once a search took this many nodes.")] = 5000
    seed: Annotated[int, typer.Option(help="The same seed gives the same openings.")] = 0

    @property
    def envs(self) -> list[str]:
        return list(dict.fromkeys(self.env or PLIES))

    def check(self) -> None:
        """Raise RunnerError if a game is not in PLIES."""
        if unknown := set(self.envs) - set(PLIES):
            raise RunnerError(f"no positions for {', '.join(sorted(unknown))}; give one of {', '.join(PLIES)}")

    def run(self, _folder: Path) -> StudyResult:
        """Search all positions. Returns the mean nodes and the bounds."""
        means = {env: self._means(env) for env in self.envs}
        rows = [
            {"game": env, "searcher": name, "depth": plies, "nodes": nodes, "share": _share(of_game, name, plies)}
            for env, of_game in means.items()
            for (name, plies), nodes in sorted(of_game.items(), key=lambda item: (LINES.index(item[0][0]), item[0][1]))
        ]
        plots: dict[str, Callable[[], Figure]] = {"pruning": partial(_draw, means)}
        return StudyResult(rows, _summary(means), plots, header(), {"seed": self.seed})

    def _means(self, env: str) -> Means:
        """Mean nodes up to the first depth at which a search reaches the limit of nodes, and the bounds."""
        openings = random_openings(env, self.positions, PLIES[env], self.seed)
        means: Means = {}
        for name in with_progress(SEARCHERS, env):
            for plies in range(1, self.depth + 1):
                nodes = [searched(game_after(env, opening), name, plies).nodes for opening in openings]
                means[name, plies] = fmean(nodes)
                if max(nodes) >= self.nodes:
                    break
        b = branching(means)
        for plies in range(1, max(plies for _, plies in means) + 1):
            means[UPPER, plies], means[LOWER, plies] = bounds(b, plies)
        return means


def searched(game: SearchedGame, name: str, depth: int) -> SearchResult:
    """The result of one searcher's search to this depth."""
    return minimax(game, depth) if name == MINIMAX else AlphaBetaSearch(game, **SWITCHES[name]).run(depth)


def game_after(env: str, opening: Sequence[Cell]) -> SearchedGame:
    """The game for the searchers, after these moves."""
    stones, player = position_after(env, opening)
    rules = rules_for(Seen(stones, player, kind_of(env).rules.turns_discs))
    return searched_game(rules, rules.position(stones, player))


def branching(means: Means) -> float:
    """The moves b per position of a uniform tree with minimax's mean nodes at its greatest depth."""
    depth = max(plies for name, plies in means if name == MINIMAX)
    return branching_of(means[MINIMAX, depth], depth)


def branching_of(nodes: float, depth: int) -> float:
    """The moves b per position of a uniform tree with so many nodes: 1 + b + b**2 + ... + b**depth = nodes."""
    roots = np.roots([1.0] * depth + [1.0 - nodes])
    return float(max(root.real for root in roots if abs(root.imag) < ROUNDING))


def bounds(b: float, depth: int) -> tuple[float, float]:
    """The positions of a full tree, and the minimum that any search visits, including the root."""
    plies = range(depth + 1)
    return sum(b**ply for ply in plies), sum(b ** ((ply + 1) // 2) + b ** (ply // 2) - 1 for ply in plies)


def _share(means: Means, name: str, plies: int) -> float | None:
    """The share of minimax's nodes; None if minimax did not reach this depth."""
    return means[name, plies] / means[MINIMAX, plies] if (MINIMAX, plies) in means else None


def _summary(by_game: Mapping[str, Means]) -> list[Row]:
    """A column for each game: the nodes at the greatest depth that all searchers reached."""
    columns: dict[str, dict[str, float]] = {}
    for env, means in by_game.items():
        depth = min(max(plies for line, plies in means if line == name) for name in SEARCHERS)
        nodes = {name: means[name, depth] for name in (*SEARCHERS, LOWER)}
        columns[env] = {MOVES: branching(means), DEPTH: depth, **nodes}
    names = (MOVES, DEPTH, *SEARCHERS, LOWER)
    return [{"nodes": name, **{env: column[name] for env, column in columns.items()}} for name in names]


def _draw(by_game: Mapping[str, Means]) -> "Figure":
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 4 * len(by_game)), layout="constrained")
    grid = figure.subplots(len(by_game), squeeze=False)
    for axes, (env, means) in zip(grid[:, 0], by_game.items(), strict=True):
        _draw_game(axes, means)
        axes.set_title(f"{env}, {branching(means):.1f} moves a position")
    return figure


def _draw_game(axes: "Axes", means: Means) -> None:
    for line in LINES:
        depths = sorted(plies for name, plies in means if name == line)
        style = {LOWER: "k--", UPPER: "k:"}.get(line, "o-")
        axes.plot(depths, [means[line, plies] for plies in depths], style, label=line, markersize=4)
    axes.set(yscale="log", xlabel="depth in plies", ylabel="nodes", xticks=sorted({plies for _, plies in means}))
    axes.legend(fontsize="small", ncols=2)
    axes.grid(alpha=0.3)
