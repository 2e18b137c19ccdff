"""The summary of a tournament in Markdown, about one screen long: the tables of the page, without plots and games."""

from collections.abc import Iterable, Sequence

from local_runner.game.participants import colour
from local_runner.game.wording import reason_text
from local_runner.html.report.contents import ReportContents
from local_runner.html.report.words import (
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
from local_runner.language.languages import COLON, SEMICOLON, _, shown
from local_runner.language.text import SENTENCE, in_markdown, markdown_code, shortened

MOST_FAULTS = 10  # faults in the list
MOST_AGENTS = 12  # agents of a cross-table, at most; a wider table does not fit a screen and is left out


def summary(contents: ReportContents) -> str:
    blocks = [f"# {_text(headline(contents))}", _facts(contents)]
    blocks += [f"> {in_markdown(note)}" for note in notes(contents)]
    if contents.plan.sprt is not None:
        blocks += [_heading(_("Test")), _table(("", ""), [(name, _text(value)) for name, value in test_rows(contents)])]
    if contents.ratings:
        blocks += [_heading(_("Standings")), _standings(contents)]
        if len(contents.names) <= MOST_AGENTS:
            blocks += [_heading(_("Cross-table")), _crosstable(contents)]
        blocks += [_heading(_("Times")), _times(contents), _colours(contents)]
    if contents.faults:
        blocks += [_heading(_("Faults")), *_faults(contents)]
    return "\n\n".join(blocks) + "\n"


def _heading(text: str) -> str:
    return f"## {text}"


def _facts(contents: ReportContents) -> str:
    return shown(SEMICOLON).join(f"{name}{shown(COLON)}{_text(value)}" for name, value in facts(contents))


def _standings(contents: ReportContents) -> str:
    rows, standings, strict = [], contents.standings, contents.plan.terms.strict
    for place, rating in enumerate(contents.ratings, 1):
        name, tally = rating.name, standings.tally(rating.name)
        rows.append((
            str(place), _name(name), f"{signed(rating.elo)} ± {rating.error:.0f}", str(tally.games), share(tally),
            wdl(tally), share(standings.as_black[name]), share(standings.as_white[name]), str(standings.faults[name]),
            *([] if strict else [str(contents.clocks[name].replaced)]),
        ))  # fmt: skip
    head = ("", _("agent"), "Elo", _("games"), _("score"), _("won / drawn / lost"), _("as Black"), _("as White"),
            _("faults"), *([] if strict else [_("replaced")]))  # fmt: skip
    return _table(head, rows)


def _crosstable(contents: ReportContents) -> str:
    """The cross-table. A cell has the points of the row's agent and its pentanomial counts."""
    names = contents.ranked
    rows = []
    for place, name in enumerate(names, 1):
        cells = [_cross(contents, name, other) for other in names]
        rows.append((f"{place} {_name(name)}", *cells))
    legend = _("Points of the row's agent, then the numbers of its pairs LL, LD, DD or WL, WD, WW.")
    return f"{_table(('', *map(str, range(1, len(names) + 1))), rows)}\n\n{legend}"


def _cross(contents: ReportContents, name: str, other: str) -> str:
    if name == other:
        return ""
    games, pairs = contents.standings.against(name, other)
    points = _("{score:g} of {games}").format(score=games.score, games=games.games)
    return f"{points}{shown(COLON)}{pentanomial(pairs)}" if games.games else "–"


def _times(contents: ReportContents) -> str:
    rows = []
    for name in contents.ranked:
        clock = contents.clocks[name]
        on, off = clock.times
        rows.append((_name(name), *(milliseconds(t, on) for t in (on.p50, on.p99, on.longest)),
                     milliseconds(off.longest, off), *([megabytes(clock)] if contents.memory else [])))  # fmt: skip
    head = (_("ms a call"), _("median"), "p99", _("longest"), _("longest off turn"),
            *([_("peak MB")] if contents.memory else []))  # fmt: skip
    return _table(head, rows)


def _colours(contents: ReportContents) -> str:
    lengths = sorted(contents.lengths)
    sentence = _("Black won {wins}, drawn {draws}, White won {losses}: Black scores {score}. Moves in a game: {low} to "
                 "{high}, median {median}.")  # fmt: skip
    return sentence.format(
        wins=contents.colours.wins, draws=contents.colours.draws, losses=contents.colours.losses,
        score=interval(contents.colours), low=lengths[0], high=lengths[-1], median=lengths[(len(lengths) - 1) // 2],
    )  # fmt: skip


def _faults(contents: ReportContents) -> Iterable[str]:
    rows = [
        (str(fault.played.number), _name(fault.agent), colour(fault.player),
         _text(reason_text(fault.played.result.reason)), _text(ending(fault.played.result)),
         markdown_code(rerun_command(contents, fault.played.number)))
        for fault in contents.faults[:MOST_FAULTS]
    ]  # fmt: skip
    head = (_("number"), _("agent"), _("as"), _("reason"), _("what happened"), _("command to replay it"))
    yield _table(head, rows)
    if contents.all_faults > len(rows):
        yield _("The newest {number} of {all} faults.").format(number=len(rows), all=contents.all_faults)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _text(text: str) -> str:
    return in_markdown(shortened(text, SENTENCE))


def _name(name: str) -> str:
    return in_markdown(shortened(name))
