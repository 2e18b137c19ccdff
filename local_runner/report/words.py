"""The texts that the page and the summary share: figures as text, and sentences about the whole tournament."""

import math
import shlex
from collections.abc import Iterator

from local_runner.agents import AgentSpec
from local_runner.languages import ENGLISH, retold, speaking
from local_runner.match import Times
from local_runner.report.contents import AgentTimes, ReportContents
from local_runner.statistics.counts import Games, Pentanomial, Tally
from local_runner.statistics.elo import Estimate, elo, los, normalised_elo, score
from local_runner.statistics.sprt import Decision
from local_runner.text import SENTENCE, in_line, shortened

FACTS = (("tengen", "tengen"), ("commit", "commit"), ("python", "Python"), ("cpu", "CPU"), ("system", "system"))


def headline(contents: ReportContents) -> str:
    """The title, e.g. "gobang_1v1: round-robin, 4 agents"."""
    setup, agents = contents.plan.terms.setup, len(contents.names)
    what = " against ".join(map(shortened, contents.names)) if agents == 2 else f"{agents} agents"
    kind = "SPRT" if contents.plan.sprt else contents.plan.schedule
    return f"{setup.env}: {kind}, {what}"


def played(contents: ReportContents) -> str:
    """The number of games played, and the number planned."""
    if contents.planned is None:
        return f"{contents.standings.played:,} of at most {contents.plan.games:,} games"
    return f"{contents.standings.played:,} of {contents.planned:,} games"


def facts(contents: ReportContents) -> Iterator[tuple[str, str]]:
    """The terms of the tournament, and where and with which versions it was played."""
    yield from ((name, shortened(value, SENTENCE)) for name, value in _facts(contents))


def _facts(contents: ReportContents) -> Iterator[tuple[str, str]]:
    plan, header = contents.plan, contents.header
    terms, setup = plan.terms, plan.terms.setup
    yield "games", played(contents)
    yield "rules", setup.rules
    yield "seed", str(setup.seed)
    if setup.board_size is not None:
        yield "board", f"{setup.board_size} by {setup.board_size}"
    limits = f"{terms.limits.seconds:g} s a call, {terms.limits.memory_mb:g} MB"
    yield "limits", limits if terms.limits.enforced else "none"
    yield "rounds", f"{plan.rounds:,}"
    kinds = len(plan.book)
    yield "openings", "random" if not kinds else "the game's start" if plan.book == ((),) else f"a book of {kinds:,}"
    yield "a crash", "loses the game" if plan.recover else "ends the tournament"
    for key, name in FACTS:
        if header.get(key):
            yield name, str(header[key])
    if header.get("begun"):
        yield "started", _time(str(header["begun"]))
    if contents.last_started:
        yield "last game started", _time(contents.last_started)
        yield "total playing time", duration(contents.seconds)
        yield "machines", ", ".join(map(shortened, contents.machines))


def entries(contents: ReportContents) -> Iterator[tuple[str, AgentSpec, str]]:
    """The agents as entered: name, file and options, and their hash."""
    yield from zip(contents.names, contents.plan.agents, contents.fingerprints, strict=True)


def notes(contents: ReportContents) -> Iterator[str]:
    """Warnings that a reader needs before the figures."""
    if not contents.standings.played:
        yield "No game has been played yet."
    if not contents.complete:
        yield (f"The tournament is not finished: {played(contents)} are played. To continue: "
               f"tengen tournament --resume {in_line(shlex.quote(contents.path.name))}")  # fmt: skip
    if (share := contents.share_of_core.too_small()) is not None:
        yield f"The agents got {share:.0%} of a core: the machine was too busy to measure times."
    parted = contents.groups
    if len(parted) > 1:
        named = "; ".join(", ".join(map(shortened, group)) for group in parted)
        yield (f"Between these groups, one side took all points or no game was played. Their distance in Elo is only "
               f"a guess, with a large error: {named}.")  # fmt: skip
    for names in contents.cycles:
        a, b, c = map(shortened, names)
        yield f"A cycle that the ratings do not show: {a} beats {b}, {b} beats {c}, {c} beats {a}."


def test_rows(contents: ReportContents) -> Iterator[tuple[str, str]]:
    """The SPRT of the first agent against the second."""
    sprt, pairs = contents.plan.sprt, contents.pairs
    assert sprt is not None
    lower, upper = sprt.bounds
    decision = sprt.decision(pairs)
    open_end = "none: all games are played" if contents.complete else "none yet"
    says = open_end if decision is Decision.NONE else f"{decision.value} is accepted"
    fits = {Decision.H0: sprt.elo0, Decision.H1: sprt.elo1}.get(decision)
    yield "decision", says if fits is None else f"{says}: a difference of {fits:g} Elo fits the games better"
    yield "H0, H1", f"{sprt.elo0:g} against {sprt.elo1:g} Elo, {sprt.model.value}"
    yield "errors", f"alpha {sprt.alpha:g}, beta {sprt.beta:g}"
    yield "LLR", f"{sprt.llr(pairs):.2f} between {lower:.2f} and {upper:.2f}".replace("-", "−")
    yield "pairs LL, LD, DD or WL, WD, WW", pentanomial(pairs)
    yield "Elo", _estimate(elo(pairs))
    yield "normalised Elo", _estimate(normalised_elo(pairs))
    yield "LOS", f"{los(pairs):.1%}"


def ending(detail: str) -> str:
    """How a game ended, with the names of cells: in English, as the whole report."""
    with speaking(ENGLISH):
        return retold(detail)


def signed(figure: float) -> str:
    """A rating, e.g. +12, 0, −7 (with a minus sign, not a hyphen)."""
    if math.isinf(figure):
        return "+∞" if figure > 0 else "−∞"
    whole = round(figure)
    return f"{whole:+,}".replace("-", "−") if whole else "0"


def share(games: Games) -> str:
    """The score in percent."""
    return f"{games.score / games.games:.1%}" if games.games else "–"


def interval(games: Games) -> str:
    """The score in percent with its 95 % interval."""
    found = score(games)
    return f"{found.value:.1%} (95 %: {found.low:.0%} to {found.high:.0%})"


def wdl(tally: Tally) -> str:
    """Won / drawn / lost."""
    return f"{tally.wins} / {tally.draws} / {tally.losses}"


def pentanomial(pairs: Pentanomial) -> str:
    """The numbers of pairs by score, from 0 to 2 points."""
    return " ".join(map(str, pairs.counts))


def milliseconds(seconds: float, times: Times) -> str:
    """The time in ms with at least two digits; a dash without calls."""
    if not times.calls:
        return "–"
    return f"{1000 * seconds:,.{2 if seconds < 0.001 else 1 if seconds < 0.01 else 0}f}"


def megabytes(clock: AgentTimes) -> str:
    """The peak memory of an agent; a dash if it could not be measured."""
    return f"{clock.peak_mb:.0f}" if clock.peak_mb else "–"


def duration(seconds: float) -> str:
    """The duration in its two largest units."""
    minutes = round(seconds / 60)
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"


def rerun_command(contents: ReportContents, number: int) -> str:
    """The command that replays a game, if called in the file's folder."""
    return f"tengen rerun {in_line(shlex.quote(contents.path.name))} {number}"


def _estimate(estimate: Estimate) -> str:
    return f"{signed(estimate.value)} (95 %: {signed(estimate.low)} to {signed(estimate.high)})"


def _time(text: str) -> str:
    return text.replace("T", " ").replace("Z", " UTC")
