"""Plots as SVG for the page: text stays text, and the plots have the colours of the page.

Matplotlib draws the plots without a display in placeholder colours. The page's CSS variables, such as `var(--ink)`,
replace these colours, so that the page can be light or dark. Equal figures give equal bytes. All plots are `WIDTH`
points wide, the width of a phone; the page may scale them up. Placeholders stand for agents' names until the SVG is
edited. So editing cannot change a name, and a name cannot disturb the editing.
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from io import StringIO
from typing import Any

from markupsafe import escape
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from local_runner.html.report.contents import AgentTimes
from local_runner.language.languages import _
from local_runner.language.text import in_plot
from local_runner.matches.statistics.counts import Pentanomial, percentile
from local_runner.matches.statistics.ratings import Rating
from local_runner.matches.statistics.sprt import Sprt
from local_runner.system.plots import plain_plots

WIDTH = 375.0  # points
POINTS = 72.0  # points per inch
LLR_POINTS = 200  # approximate number of points of the LLR curve

INK, MUTED, GRID, MAIN, SECOND, LIMIT = ("#100001", "#100002", "#100003", "#100004", "#100005", "#100006")
COLOURS = {INK: "ink", MUTED: "muted", GRID: "line", MAIN: "main", SECOND: "second", LIMIT: "bad"}
SETTINGS: Any = {
    "axes.edgecolor": GRID,
    "axes.facecolor": "none",
    "axes.labelcolor": MUTED,
    "axes.labelsize": 10,
    "axes.spines.left": False,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "figure.facecolor": "none",
    "font.size": 10,
    "grid.color": GRID,
    "svg.fonttype": "none",
    "text.color": INK,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "xtick.major.size": 0,
    "ytick.major.size": 0,
}


def ratings_plot(ratings: Sequence[Rating]) -> str:
    """The ratings with their 95 % intervals, strongest on top."""

    names = [rating.name for rating in ratings]

    def draw(figure: Figure) -> None:
        axes = _axes(figure, bottom=30)
        axes.axvline(0, color=MUTED, linewidth=0.8, dashes=(3, 3))
        for place, rating in enumerate(ratings):
            axes.errorbar(rating.elo, place, xerr=rating.error, fmt="o", color=MAIN, capsize=3.5, markersize=5.5)
            _name(axes, place)
        axes.set_ylim(len(ratings) - 0.5, -0.75)
        axes.set_yticks([])
        axes.grid(axis="x", linewidth=0.6)
        axes.set_xlabel(_("Elo, 0 is the mean"))

    return _svg("ratings", 30 + 38 * len(ratings), draw, names)


def time_histograms(clocks: Mapping[str, AgentTimes], limit: float) -> str:
    """Histograms of the times of calls on turn, a row for each agent. The time axis is logarithmic.

    `limit`: seconds a call may take; drawn as a line.
    """
    rows = {name: clock.on_turn for name, clock in clocks.items() if clock.on_turn}
    shortest = min(max(min(seconds), 1e-4) for seconds in rows.values())
    longest = max(limit, *(max(seconds) for seconds in rows.values()))
    low, high = math.floor(math.log10(shortest)), math.log10(longest) + 0.1
    steps = max(10, round((high - low) * 12))
    edges = [10 ** (low + (high - low) * step / steps) for step in range(steps + 1)]

    def draw(figure: Figure) -> None:
        axes = _axes(figure, bottom=32, left=22)
        for place, seconds in enumerate(rows.values()):
            weight = _histogram([math.log10(max(s, 1e-4)) for s in seconds], low, high, steps)
            top = 0.62 / max(weight)
            axes.stairs([place + 0.42 - top * w for w in weight], edges, baseline=place + 0.42, fill=True, color=MAIN)
            axes.axhline(place + 0.42, color=GRID, linewidth=0.6)
            _name(axes, place)
        axes.axvline(limit, color=LIMIT, linewidth=1.2)
        axes.text(0.93 * limit, -0.72, _("limit {limit:g} s").format(limit=limit), color=LIMIT, ha="right", va="center")
        axes.set_xscale("log")
        axes.set_xlim(10**low, 10**high)
        axes.set_ylim(len(rows) - 0.5, -0.95)
        axes.set_yticks([])
        ticks = range(low, math.floor(high) + 1)
        axes.set_xticks([10.0**tick for tick in ticks], [_seconds(tick) for tick in ticks])
        axes.minorticks_off()
        axes.grid(axis="x", linewidth=0.6)
        axes.set_axisbelow(True)
        axes.set_xlabel(_("time per call on turn"))

    return _svg("times", 48 + 52 * len(rows), draw, list(rows))


def time_by_move(clocks: Mapping[str, AgentTimes], limit: float) -> str:
    """Median and 99th percentile of the times of calls on turn by the agent's own move number, one panel an agent."""
    rows = {name: clock.by_move for name, clock in clocks.items() if clock.by_move}
    last = max(max(by_move) for by_move in rows.values())
    height = 30 + 84 * len(rows)

    def draw(figure: Figure) -> None:
        for place, by_move in enumerate(rows.values()):
            moves = sorted(by_move)
            bottom = (30 + 84 * (len(rows) - 1 - place)) / height
            axes = figure.add_axes((34 / WIDTH, bottom, 1 - 42 / WIDTH, 60 / height))
            p99 = [1000 * percentile(by_move[move], 99) for move in moves]
            median = [1000 * percentile(by_move[move], 50) for move in moves]
            dot = "." if len(moves) == 1 else None  # a line needs two points
            axes.plot(moves, p99, color=SECOND, linewidth=1.2, marker=dot, clip_on=False, label=_("99th percentile"))
            axes.plot(moves, median, color=MAIN, marker=dot, clip_on=False, label=_("median"))
            top = max(p99)
            if top > 1000 * limit / 3:
                axes.axhline(1000 * limit, color=LIMIT, linewidth=1.2)
                top = max(top, 1000 * limit)
            axes.set_ylim(0, top * 1.08)
            axes.set_xlim(1, max(last, 2))
            axes.locator_params(axis="y", nbins=3)
            axes.locator_params(axis="x", integer=True)
            axes.grid(axis="y", linewidth=0.6)
            axes.set_title(_placeholder(place), loc="left", fontsize=10, color=INK, pad=4)
            if place == 0:
                axes.legend(frameon=False, fontsize=9, ncols=2, loc="lower right", bbox_to_anchor=(1.02, 0.92),
                            borderpad=0, columnspacing=1.2, handlelength=1.4, labelcolor=MUTED)  # fmt: skip
            if place == len(rows) - 1:
                axes.set_xlabel(_("number of the agent's own move (y: milliseconds)"))
            else:
                axes.tick_params(labelbottom=False)

    return _svg("by-move", height, draw, list(rows))


def length_histogram(lengths: Sequence[int]) -> str:
    """Histogram of the numbers of moves in a game."""
    low, high = min(lengths), max(lengths)
    step = max(1, math.ceil((high - low + 1) / 40))
    counts = [0] * ((high - low) // step + 1)
    for length in lengths:
        counts[(length - low) // step] += 1

    def draw(figure: Figure) -> None:
        axes = _axes(figure, bottom=32, left=34)
        edges = [low - 0.5 + step * i for i in range(len(counts) + 1)]
        axes.bar(edges[:-1], counts, width=0.86 * step, align="edge", color=MAIN)
        axes.locator_params(axis="both", integer=True)
        axes.set_xlim(edges[0] - step, edges[-1] + step)
        axes.grid(axis="y", linewidth=0.6)
        axes.set_axisbelow(True)
        steps = _("moves in a game, in steps of {step} (y: games)").format(step=step)
        axes.set_xlabel(steps if step > 1 else _("moves in a game (y: games)"))

    return _svg("lengths", 190, draw)


def llr_plot(sprt: Sprt, pairs: Sequence[Pentanomial]) -> str:
    """The log-likelihood ratio (LLR) by number of pairs, and the bounds of the test."""
    lower, upper = sprt.bounds
    every = max(1, math.ceil(len(pairs) / LLR_POINTS))
    so_far, xs, ys = Pentanomial(), [0], [0.0]
    for number, pair in enumerate(pairs, 1):
        so_far += pair
        if number % every == 0 or number == len(pairs):
            xs.append(number)
            ys.append(sprt.llr(so_far))

    def draw(figure: Figure) -> None:
        axes = _axes(figure, bottom=32, left=34)
        gap = 0.02 * (upper - lower)
        for bound, name in ((upper, "H1"), (lower, "H0")):
            axes.axhline(bound, color=LIMIT, linewidth=1.2)
            side = "bottom" if bound > 0 else "top"
            place = bound + (gap if bound > 0 else -gap)
            accepted = _("{hypothesis} accepted").format(hypothesis=name)
            axes.text(xs[-1], place, accepted, color=LIMIT, ha="right", va=side)
        axes.plot(xs, ys, color=MAIN)
        axes.set_xlim(0, max(xs[-1], 1))
        room = 0.2 * (upper - lower)
        axes.set_ylim(min(lower, *ys) - room, max(upper, *ys) + room)
        axes.grid(axis="y", linewidth=0.6)
        axes.set_xlabel(_("pairs of games (y: log-likelihood ratio)"))

    return _svg("llr", 190, draw)


def _axes(figure: Figure, bottom: float, left: float = 6) -> Any:
    height = figure.get_figheight() * POINTS
    return figure.add_axes((left / WIDTH, bottom / height, 1 - (left + 8) / WIDTH, 1 - (bottom + 6) / height))


def _name(axes: Any, place: int) -> None:
    """Write a name above its row, where a long name has room."""
    axes.text(0.004, place - 0.36, _placeholder(place), transform=axes.get_yaxis_transform(), va="center")


def _placeholder(place: int) -> str:
    return f"(name {place})"


def _histogram(values: Sequence[float], low: float, high: float, steps: int) -> list[int]:
    counts = [0] * steps
    for value in values:
        counts[min(steps - 1, max(0, int((value - low) / (high - low) * steps)))] += 1
    return counts


def _seconds(exponent: int) -> str:
    return f"{10**exponent:g} s" if exponent >= 0 else f"{10 ** (exponent + 3):g} ms"


def _svg(name: str, height: float, draw: Callable[[Figure], None], names: Sequence[str] = ()) -> str:
    """The SVG of a figure. `height`: in points. `names`: the texts that replace the placeholders, in their order."""
    with plain_plots(**SETTINGS, **{"svg.hashsalt": name}):
        figure = Figure(figsize=(WIDTH / POINTS, height / POINTS))
        FigureCanvasSVG(figure)
        draw(figure)
        text = StringIO()
        figure.savefig(text, format="svg", metadata=dict.fromkeys(("Creator", "Date", "Format", "Type")))
    shown = {_placeholder(place): escape(in_plot(each)) for place, each in enumerate(names)}
    return re.sub(r"\(name \d+\)", lambda match: shown[match[0]], _tidied(text.getvalue()))


def _tidied(svg: str) -> str:
    """The SVG for a page: without the parts that only a separate file needs, and without unused ids.

    Ids of different plots would clash in one page. Placeholder colours become CSS variables.
    """
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>|<style.*?</style>|<!--.*?-->|<defs>\s*</defs>", "", svg, flags=re.DOTALL)
    svg = re.sub(r' (width|height)="[\d.]+pt"', "", svg, count=2)
    svg = re.sub(r' (xmlns(:xlink)?|version)="[^"]*"', "", svg).replace("xlink:href", "href")
    used = set(re.findall(r'(?:url\(|href=")#([\w.-]+)', svg))
    svg = re.sub(r' id="([\w.-]+)"', lambda match: match[0] if match[1] in used else "", svg)
    for colour, variable in COLOURS.items():
        svg = svg.replace(colour, f"var(--{variable})")
    svg = re.sub(r"font: ([\d.]+px)[^;\"]*", r"font-size: \1", svg)
    return re.sub(r"\n\s*", "\n", svg).replace("<svg", '<svg role="img"', 1).strip()
