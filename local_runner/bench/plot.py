"""The plot of a latency benchmark: a histogram of call times, and call times by the number of the call in its game."""

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from local_runner.bench.timed_calls import LIMIT, Condition, TimedCall
from local_runner.errors import RunnerError
from local_runner.language.languages import _, shown
from local_runner.language.text import in_plot
from local_runner.matches.statistics.counts import percentile
from local_runner.system.files import reason
from local_runner.system.plots import ADVICE, check_plot, plain_plots

BINS = 60
SHORTEST = 1e-4  # seconds; shorter calls are in the first bin
BY_MOVE = 5  # number of consecutive calls of a game that one point stands for


def save(conditions: Sequence[Condition], path: Path) -> None:
    """Write the plot as SVG, PNG or PDF, by the file's suffix. Raises RunnerError if the file cannot be written."""
    check_plot(path)
    with plain_plots():
        figure = Figure(figsize=(9, 8), layout="constrained")
        often, along = figure.subplots(2, 1)
        _draw([each for each in conditions if each.calls], often, along)
        try:
            figure.savefig(path)
        except OSError as error:
            sentence = _("cannot write {place}: {error}; {advice}")
            advice = shown(ADVICE)
            raise RunnerError(sentence.format(place=path, error=reason(error), advice=advice)) from error


def _draw(conditions: Sequence[Condition], often: Axes, along: Axes) -> None:
    edges = [SHORTEST * (2 * LIMIT / SHORTEST) ** (i / BINS) for i in range(BINS + 1)]
    for each in conditions:
        label = in_plot(f"{each.python.partition(',')[0]}, {each.load.value}")
        seconds = [min(max(call.seconds, SHORTEST), edges[-1]) for call in each.calls]
        weights = [100 / len(seconds)] * len(seconds)
        often.hist(seconds, edges, weights=weights, histtype="step", label=label)
        numbers, median, slowest = _by_move(each.calls)
        [line] = along.plot(numbers, median, label=f"{label}, median")
        along.plot(numbers, slowest, color=line.get_color(), linestyle=":", label="slowest")
    often.set(xscale="log", xlabel="seconds per call", ylabel="% of calls")
    often.axvline(LIMIT, color="black", linewidth=0.8)
    along.set(xlabel="call in the game", ylabel="seconds", ylim=(0, None))
    along.axhline(LIMIT, color="black", linewidth=0.8)
    for axes in (often, along):
        axes.legend(fontsize="small")


def _by_move(calls: Sequence[TimedCall]) -> tuple[list[float], list[float], list[float]]:
    """Three lists with an entry for each group of BY_MOVE calls: middle call number, median seconds, most seconds."""
    groups: defaultdict[int, list[float]] = defaultdict(list)
    for call in calls:
        groups[(call.number - 1) // BY_MOVE].append(call.seconds)
    order = sorted(groups)
    middles = [BY_MOVE * group + (BY_MOVE + 1) / 2 for group in order]
    return middles, [percentile(groups[group], 50) for group in order], [max(groups[group]) for group in order]
