"""The summary of a tournament in Markdown: the tables of the page without plots, on about one screen."""

from collections.abc import Iterable, Sequence

from local_runner.report.contents import ReportContents
from local_runner.report.words import (
    ending,
    facts,
    headline,
    interval,
    megabytes,
    milliseconds,
    notes,
    pentanomial,
    rerun_command,
    share,
    signed,
    test_rows,
    wdl,
)
from local_runner.text import SENTENCE, in_markdown, markdown_code, shortened

MOST_FAULTS = 10  # faults in the list
MOST_AGENTS = 12  # in a cross-table that fits the width of a screen


def summary(contents: ReportContents) -> str:
    blocks = [f"# {_text(headline(contents))}", _facts(contents)]
    blocks += [f"> {in_markdown(note)}" for note in notes(contents)]
    if contents.plan.sprt is not None:
        blocks += ["## Test", _table(("", ""), [(name, _text(value)) for name, value in test_rows(contents)])]
    if contents.ratings:
        blocks += ["## Standings", _standings(contents)]
        if len(contents.names) <= MOST_AGENTS:
            blocks += ["## Cross-table", _crosstable(contents)]
        blocks += ["## Times", _times(contents), _colours(contents)]
    if contents.faults:
        blocks += ["## Faults", *_faults(contents)]
    return "\n\n".join(blocks) + "\n"


def _facts(contents: ReportContents) -> str:
    return "; ".join(f"{name}: {_text(value)}" for name, value in facts(contents))


def _standings(contents: ReportContents) -> str:
    rows, standings, strict = [], contents.standings, contents.plan.terms.strict
    for place, rating in enumerate(contents.ratings, 1):
        name, tally = rating.name, standings.tally(rating.name)
        rows.append((
            str(place), _name(name), f"{signed(rating.elo)} ± {rating.error:.0f}", str(tally.games), share(tally),
            wdl(tally), share(standings.as_black[name]), share(standings.as_white[name]), str(standings.faults[name]),
            *([] if strict else [str(contents.clocks[name].replaced)]),
        ))  # fmt: skip
    head = ("", "agent", "Elo", "games", "score", "won / drawn / lost", "as Black", "as White", "faults",
            *([] if strict else ["replaced"]))  # fmt: skip
    return _table(head, rows)


def _crosstable(contents: ReportContents) -> str:
    """Points of the row's agent, and the pentanomial counts."""
    names = contents.ranked
    rows = []
    for place, name in enumerate(names, 1):
        cells = [_cross(contents, name, other) for other in names]
        rows.append((f"{place} {_name(name)}", *cells))
    legend = "Points of the row's agent, then the numbers of its pairs LL, LD, DD or WL, WD, WW."
    return f"{_table(('', *map(str, range(1, len(names) + 1))), rows)}\n\n{legend}"


def _cross(contents: ReportContents, name: str, other: str) -> str:
    if name == other:
        return ""
    games, pairs = contents.standings.against(name, other)
    return f"{games.score:g} of {games.games}: {pentanomial(pairs)}" if games.games else "–"


def _times(contents: ReportContents) -> str:
    rows = []
    for name in contents.ranked:
        clock = contents.clocks[name]
        on, off = clock.times
        rows.append((_name(name), *(milliseconds(t, on) for t in (on.p50, on.p99, on.longest)),
                     milliseconds(off.longest, off), *([megabytes(clock)] if contents.memory else [])))  # fmt: skip
    head = ("ms a call", "median", "p99", "longest", "longest off turn", *(["peak MB"] if contents.memory else []))
    return _table(head, rows)


def _colours(contents: ReportContents) -> str:
    lengths = sorted(contents.lengths)
    return (
        f"Black won {contents.colours.wins}, drawn {contents.colours.draws}, White won {contents.colours.losses}: "
        f"Black scores {interval(contents.colours)}. Moves in a game: {lengths[0]} to {lengths[-1]}, "
        f"median {lengths[(len(lengths) - 1) // 2]}."
    )


def _faults(contents: ReportContents) -> Iterable[str]:
    rows = [
        (str(fault.number), _name(fault.agent), fault.colour, _text(fault.reason), _text(ending(fault.detail)),
         markdown_code(rerun_command(contents, fault.number)))
        for fault in contents.faults[:MOST_FAULTS]
    ]  # fmt: skip
    yield _table(("game", "agent", "as", "reason", "what happened", "command to replay it"), rows)
    if contents.all_faults > len(rows):
        yield f"The newest {len(rows)} of {contents.all_faults} faults."


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _text(text: str) -> str:
    return in_markdown(shortened(text, SENTENCE))


def _name(name: str) -> str:
    return in_markdown(shortened(name))
