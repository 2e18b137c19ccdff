"""`workshop.lab.study per-move-time`: how long the moves of a game take, for our agent and for each opponent.

Seconds are those of a call on turn, listed by the number of the agent's own move.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from local_runner.matches.statistics.counts import percentile
from local_runner.matches.tournament import store
from local_runner.matches.tournament.schedule import Schedule
from workshop.lab.study.games import Pool, own_calls, plan_of, play_all, terms_shown
from workshop.lab.study.output import Row, StudyResult

if TYPE_CHECKING:
    from matplotlib.figure import Figure


Seconds = Mapping[tuple[str, str, str], Mapping[int, Sequence[float]]]  # (game, opponent, agent): {move: seconds}


def study(
    folder: Path, pools: Sequence[Pool], rounds: int, jobs: int | None, think: float | None
) -> tuple[StudyResult, Row]:
    """Play the missing games of the first agent of each pool against the others, and read the times."""
    seconds: defaultdict[tuple[str, str, str], defaultdict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    heads: list[Row] = []
    for terms, agents in pools:
        env, path = terms.setup.env, folder / f"{terms.setup.env}.db"
        plan = plan_of(agents, terms, Schedule.GAUNTLET, rounds)
        heads.append(play_all(path, plan, jobs))
        with store.read(path) as kept:
            for game in kept.each_game():
                opponent = plan.names[max(game.black, game.white)]
                for agent in (game.black, game.white):
                    for number, second in enumerate(own_calls(kept, game, agent), 1):
                        seconds[env, opponent, plan.names[agent]][number].append(second)
    return outcome(seconds), {"header": heads[0], "terms": terms_shown(think, rounds=rounds)}


def outcome(seconds: Seconds) -> StudyResult:
    """Median and longest time of every move."""
    rows = [
        {
            "game": env, "opponent": opponent, "agent": agent, "move": number, "calls": len(found),
            "median": percentile(found, 50), "longest": max(found),
        }
        for (env, opponent, agent), moves in seconds.items()
        for number, found in sorted(moves.items())
    ]  # fmt: skip
    summary = [_summary(key, moves) for key, moves in seconds.items()]
    envs = dict.fromkeys(env for env, _, _ in seconds)
    return StudyResult(rows, summary, {f"per_move_time_{env}": _draw(seconds, env) for env in envs})


def _summary(key: tuple[str, str, str], moves: Mapping[int, Sequence[float]]) -> Row:
    env, opponent, agent = key
    slowest = max(moves, key=lambda number: percentile(moves[number], 50))
    every = [second for found in moves.values() for second in found]
    return {
        "game": env, "opponent": opponent, "agent": agent, "moves": len(moves),
        "median ms": 1000 * percentile(every, 50), "longest ms": 1000 * max(every),
        "slowest move": slowest, "its median ms": 1000 * percentile(moves[slowest], 50),
    }  # fmt: skip


def _draw(seconds: Seconds, env: str) -> Callable[[], Figure]:
    def draw() -> Figure:
        from matplotlib.figure import Figure

        opponents = list(dict.fromkeys(opponent for game, opponent, _ in seconds if game == env))
        figure = Figure(figsize=(9, 2.6 * len(opponents)), layout="constrained")
        grid = figure.subplots(len(opponents), squeeze=False, sharex=True)
        for axes, shown in zip(grid[:, 0], opponents, strict=True):
            for (game, opponent, agent), moves in seconds.items():
                if (game, opponent) == (env, shown):
                    numbers = sorted(moves)
                    medians = [percentile(moves[number], 50) for number in numbers]
                    [line] = axes.plot(numbers, medians, label=f"{agent}, median")
                    longest = [max(moves[number]) for number in numbers]
                    axes.plot(numbers, longest, ":", color=line.get_color(), label="longest")
            axes.set(ylabel="seconds", ylim=(0, None))
            axes.legend(fontsize="small")
        grid[-1, 0].set_xlabel("own move in the game")
        grid[0, 0].set_title(env)
        return figure

    return draw
