"""The page of a report: one HTML file that contains its style, script, plots and games, and loads nothing.

The template escapes all text that comes from agents. Control characters and characters that cannot be encoded are first
written as escape sequences. The games are JSON in which `<` is escaped, so they cannot end the script element. The
content security policy allows only the page's own script, by its hash, and no network access.
"""

from collections.abc import Iterator
from importlib import resources
from typing import Any, NamedTuple

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from local_runner.formats.self_contained import asset, policy, script, texts
from local_runner.game.participants import colour
from local_runner.game.records import BLACK_WINS, WHITE_WINS
from local_runner.game.wording import reason_text
from local_runner.html.report import words
from local_runner.html.report.contents import ReportContents
from local_runner.language.languages import CHINESE, Message, _, current, shown
from local_runner.language.text import SENTENCE, printable, shortened
from local_runner.matches.statistics.counts import Pentanomial, Tally
from local_runner.system.extras import missing

WIN, EVEN, LOSS = ((146, 194, 236), (246, 246, 244), (244, 178, 140))  # colours of cross-table cells: r, g, b
RESULTS = {BLACK_WINS: "1–0", WHITE_WINS: "0–1"}
ABOUT = {
    "ratings": Message("Ratings with their 95 % intervals"),
    "llr": Message("LLR of the test"),
    "times": Message("Time per call on turn: histogram of each agent's calls, logarithmic axis"),
    "by-move": Message("Time per call on turn, by the agent's own move"),
    "lengths": Message("Moves in a game, including the opening"),
}


class CrossCell(NamedTuple):
    """A cell of the cross-table. `colour`: its background."""

    games: Tally
    pairs: Pentanomial
    colour: str


def page(contents: ReportContents) -> str:
    style = "".join([*map(asset, ("board/board.css", "replay/replay.css")), _file("style.css")])
    program = script(entry="saved/report")
    return (
        _environment()
        .get_template("page.html")
        .render(
            _=_,
            language=current(),
            c=contents,
            w=words,
            style=Markup(style),
            script=Markup(program),
            policy=Markup(policy(program)),
            cross=cross_table(contents),
            figures={name: (shown(ABOUT[name]), Markup(svg)) for name, svg in _figures(contents)},
            games={**_games(contents), "texts": texts(program) if current() == CHINESE else {}},
            results=RESULTS,
        )
    )


def cross_table(contents: ReportContents) -> list[tuple[str, list[CrossCell | None]]]:
    """The cross-table as rows (name, cells), strongest agent first. A cell is None if the two agents played no game."""

    def cell(name: str, other: str) -> CrossCell | None:
        games, pairs = contents.standings.against(name, other)
        return CrossCell(games, pairs, heat(games.score / games.games)) if games.games else None

    return [(name, [cell(name, other) for other in contents.ranked]) for name in contents.ranked]


def heat(score: float) -> str:
    """The background colour for a score from 0 to 1. Dark text is readable on every such colour."""
    end, part = (WIN, 2 * score - 1) if score > 0.5 else (LOSS, 1 - 2 * score)
    return "#" + "".join(f"{round(even + part * (far - even)):02x}" for even, far in zip(EVEN, end, strict=True))


def _figures(contents: ReportContents) -> Iterator[tuple[str, str]]:
    if missing("plots"):
        return
    from local_runner.html.report import figures

    sprt, limit = contents.plan.sprt, contents.plan.terms.limits.seconds
    clocks = {name: contents.clocks[name] for name in contents.ranked}
    if sprt is not None and contents.test_pairs:
        yield "llr", figures.llr_plot(sprt, contents.test_pairs)
    if contents.ratings:
        yield "ratings", figures.ratings_plot(contents.ratings)
    if any(clock.on_turn for clock in clocks.values()):
        yield "times", figures.time_histograms(clocks, limit)
        yield "by-move", figures.time_by_move(clocks, limit)
    if contents.lengths:
        yield "lengths", figures.length_histogram(contents.lengths)


def _games(contents: ReportContents) -> dict[str, Any]:
    """The data for page/saved/report.js; the head of that file describes the format."""
    return {
        "board": contents.board,
        "names": list(map(shortened, contents.names)),
        "games": {game.played.number: game.replay for game in contents.games},
    }


def _environment() -> Environment:
    environment = Environment(
        loader=FunctionLoader(_file),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_finalized,
    )
    environment.filters["short"] = shortened
    environment.filters["ending"] = words.ending
    environment.filters["side"] = colour
    environment.filters["reason"] = reason_text
    environment.filters["sentence"] = lambda text: shortened(text, SENTENCE)
    environment.policies["json.dumps_kwargs"] = {"separators": (",", ":"), "sort_keys": True, "allow_nan": False}
    return environment


def _finalized(value: Any) -> Any:
    """The text of a value, with control characters and unencodable characters escaped. Markup stays as it is."""
    return value if isinstance(value, Markup) else printable(str(value))


def _file(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text("utf-8")
