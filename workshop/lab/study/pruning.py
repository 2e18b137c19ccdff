"""`workshop.lab.study pruning`: the nodes of minimax, alpha-beta and its refinements on the same positions.

The positions are from all five games, after random openings; `opponents/games.py` plays and evaluates them. Each
searcher has all features of the searchers above it. A depth is searched if the depth before took fewer nodes than a
limit, and compared if all positions have it.

The bounds assume a tree with b moves in every position, and with as many positions in total as minimax visits on
average. At ply k it has b**k positions, and every search visits at least b**ceil(k/2) + b**floor(k/2) - 1 of them
(Knuth and Moore, "An analysis of alpha-beta pruning", 1975). Both numbers are summed over the plies 0 to the depth. A
transposition table may need fewer, because a tree contains the same position several times.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import fmean
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from env_adapter import Cell, kind_of
from local_runner.agents.opponents.games import SearchedGame, searched_game
from local_runner.agents.opponents.observed import Seen
from local_runner.agents.opponents.rules import rules_for
from local_runner.agents.opponents.searchers import AlphaBetaSearch, minimax
from workshop.lab.study.journal import Journal, Task, Values, open_journal
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
_ADDED = {
    "+ ordering": "ordered", "+ history": "history", "+ table": "table",
    "+ deepening": "deepening",
}  # fmt: skip
SWITCHES: dict[str, dict[str, Any]] = {
    name: dict.fromkeys(list(_ADDED.values())[:number], True) for number, name in enumerate(("alpha-beta", *_ADDED))
}
ROUNDING = 1e-6  # largest imaginary part of a real root
SEARCHERS: tuple[str, ...] = ("minimax", *SWITCHES)
UPPER, LOWER = "b^d (every position)", "Knuth and Moore's bound"
MOVES, DEPTH = "moves a position", "depth"


def study(
    folder: Path, envs: Sequence[str], positions: int, depth: int, nodes: int, seed: int
) -> tuple[StudyResult, Row]:
    """Run the missing measurements. Returns the result and the journal's head. Raises as `open_journal`."""
    with open_journal(folder / "results.jsonl", {"seed": seed}) as journal:
        total = len(envs) * positions * len(SEARCHERS) * depth
        journal.measure(_tasks(journal, envs, positions, depth, nodes, seed), total, "pruning")
        return outcome(journal, envs, positions, depth, nodes), journal.head


def _tasks(journal: Journal, envs: Sequence[str], positions: int, depth: int, nodes: int, seed: int) -> Iterator[Task]:
    for env in envs:
        for number, opening in enumerate(random_openings(env, positions, PLIES[env], seed)):
            for name in SEARCHERS:
                for plies in range(1, depth + 1):
                    yield (env, number, name, plies), partial(searched, env, opening, name, plies)
                    if journal.results[env, number, name, plies]["nodes"] >= nodes:
                        break


def searched(env: str, opening: Sequence[Cell], name: str, depth: int) -> Values:
    """The result of one search: nodes, how many of them were leaves, value, seconds."""
    game = game_after(env, opening)
    began = perf_counter()
    found = minimax(game, depth) if name == "minimax" else AlphaBetaSearch(game, **SWITCHES[name]).run(depth)
    seconds = perf_counter() - began
    return {"nodes": found.nodes, "leaves": found.leaves, "value": found.value, "seconds": seconds}


def game_after(env: str, opening: Sequence[Cell]) -> SearchedGame:
    """The game for the searchers, after these moves."""
    stones, player = position_after(env, opening)
    rules = rules_for(Seen(stones, player, kind_of(env).rules.turns_discs))
    return searched_game(rules, rules.position(stones, player))


def outcome(journal: Journal, envs: Sequence[str], positions: int, depth: int, nodes: int) -> StudyResult:
    """Means over the positions, with the bounds, and the share of minimax's nodes."""
    rows: list[Row] = []
    branching: dict[str, float] = {}
    for env in envs:
        means = _means(journal, env, positions, depth, nodes)
        reached = max(plies for name, plies in means if name == "minimax")
        branching[env] = branching_of(means["minimax", reached], reached)
        deepest = max(plies for _, plies in means)
        for plies in range(1, deepest + 1):
            means[UPPER, plies], means[LOWER, plies] = bounds(branching[env], plies)
        rows += [
            {"game": env, "searcher": name, "depth": plies, "nodes": mean, "share": _share(means, name, plies)}
            for (name, plies), mean in sorted(means.items(), key=lambda item: (_place(item[0][0]), item[0][1]))
        ]
    draw = partial(_draw, rows, envs, branching)
    return StudyResult(rows, _summary(rows, branching), {"pruning": draw})


def _means(journal: Journal, env: str, positions: int, depth: int, nodes: int) -> dict[tuple[str, int], float]:
    """Mean nodes by searcher and depth, for the depths that all positions reach under these limits."""
    found = {}
    for name in SEARCHERS:
        for plies in range(1, depth + 1):
            keys = [(env, number, name, plies) for number in range(positions)]
            before = [journal.results.get((env, number, name, plies - 1)) for number in range(positions)]
            if any(key not in journal.results for key in keys) or any(
                each is not None and each["nodes"] >= nodes for each in before
            ):
                break
            found[name, plies] = fmean(journal.results[key]["nodes"] for key in keys)
    return found


def branching_of(nodes: float, depth: int) -> float:
    """The b of an even tree with this many nodes: 1 + b + b**2 + ... + b**depth = nodes."""
    roots = np.roots([1.0] * depth + [1.0 - nodes])
    return float(max(root.real for root in roots if abs(root.imag) < ROUNDING))


def bounds(branching: float, depth: int) -> tuple[float, float]:
    """The positions of a full tree, and the minimum that any search visits, including the root."""
    plies = range(depth + 1)
    least = (branching ** ((ply + 1) // 2) + branching ** (ply // 2) - 1 for ply in plies)
    return sum(branching**ply for ply in plies), sum(least)


def _share(means: Mapping[tuple[str, int], float], name: str, plies: int) -> float | None:
    """The share of minimax's nodes; None if minimax did not reach this depth."""
    return means[name, plies] / means["minimax", plies] if ("minimax", plies) in means else None


def _place(name: str) -> int:
    return (*SEARCHERS, LOWER, UPPER).index(name)


def _summary(rows: Sequence[Row], branching: Mapping[str, float]) -> list[Row]:
    """A column for each game: the nodes at the greatest depth that all searchers reached."""
    columns: dict[str, dict[str, float]] = {}
    for env, moves in branching.items():
        own = [row for row in rows if row["game"] == env]
        depth = min(max(row["depth"] for row in own if row["searcher"] == name) for name in SEARCHERS)
        nodes = {row["searcher"]: row["nodes"] for row in own if row["depth"] == depth}
        columns[env] = {MOVES: moves, DEPTH: depth, **nodes}
    names = (MOVES, DEPTH, *SEARCHERS, LOWER)
    return [{"nodes": name, **{env: column[name] for env, column in columns.items()}} for name in names]


def _draw(rows: Sequence[Row], envs: Sequence[str], branching: Mapping[str, float]) -> Figure:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 4 * len(envs)), layout="constrained")
    grid = figure.subplots(len(envs), squeeze=False)
    for axes, env in zip(grid[:, 0], envs, strict=True):
        _draw_game(axes, [row for row in rows if row["game"] == env])
        axes.set_title(f"{env}, {branching[env]:.1f} moves a position")
    return figure


def _draw_game(axes: Axes, rows: Sequence[Row]) -> None:
    for name in (*SEARCHERS, LOWER, UPPER):
        points = [(row["depth"], row["nodes"]) for row in rows if row["searcher"] == name]
        style = {LOWER: "k--", UPPER: "k:"}.get(name, "o-")
        axes.plot([depth for depth, _ in points], [nodes for _, nodes in points], style, label=name, markersize=4)
    axes.set(yscale="log", xlabel="depth in plies", ylabel="nodes", xticks=sorted({row["depth"] for row in rows}))
    axes.legend(fontsize="small", ncols=2)
    axes.grid(alpha=0.3)
