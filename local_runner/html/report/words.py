"""The texts that the page and the summary share: figures as text, and sentences about the whole tournament."""

import math
import shlex
from collections.abc import Iterator

from local_runner.agents.spec import AgentSpec
from local_runner.game.records import Result
from local_runner.game.setup import called
from local_runner.game.wording import result_text
from local_runner.html.report.contents import AgentTimes, ReportContents
from local_runner.language.languages import COLON, COMMA, SEMICOLON, Message, _, listed, shown
from local_runner.language.text import SENTENCE, in_line, shortened
from local_runner.matches.display import unmeasured
from local_runner.matches.match import Times
from local_runner.matches.statistics.counts import Games, Pentanomial, Tally
from local_runner.matches.statistics.elo import Estimate, elo, los, normalised_elo, score
from local_runner.matches.statistics.sprt import Decision, EloModel

SYSTEM = Message("system")
FACTS = (("tengen", "tengen"), ("commit", "commit"), ("python", "Python"), ("cpu", "CPU"), ("system", SYSTEM))


def headline(contents: ReportContents) -> str:
    """The title, e.g. "gobang_1v1: round-robin, 4 agents"."""
    setup, agents = contents.plan.terms.setup, len(contents.names)
    if agents == 2:
        a, b = map(shortened, contents.names)
        what = _("{a} against {b}").format(a=a, b=b)
    else:
        what = _("{number} agents").format(number=agents)
    kind = "SPRT" if contents.plan.sprt else contents.plan.schedule.value
    return f"{shown(called(setup.env))}{shown(COLON)}{kind}{shown(COMMA)}{what}"


def played(contents: ReportContents) -> str:
    """The number of games played and the number planned, in words."""
    if contents.planned is None:
        sentence, most = _("{done:,} of at most {total:,} games"), contents.plan.games
    else:
        sentence, most = _("{done:,} of {total:,} games"), contents.planned
    return sentence.format(done=contents.standings.played, total=most)


def facts(contents: ReportContents) -> Iterator[tuple[str, str]]:
    """Pairs (name, value): the terms of the tournament, and the versions and machines with which it was played."""
    yield from ((name, shortened(value, SENTENCE)) for name, value in _facts(contents))


def _facts(contents: ReportContents) -> Iterator[tuple[str, str]]:
    plan, header = contents.plan, contents.header
    terms, setup = plan.terms, plan.terms.setup
    yield _("games"), played(contents)
    yield _("rules"), {"platform": _("platform"), "stated": _("stated")}.get(setup.rules, setup.rules)
    yield _("seed"), str(setup.seed)
    if setup.board_size is not None:
        yield _("board"), _("{size} by {size}").format(size=setup.board_size)
    limits = _("{seconds:g} s a call, {memory:g} MB").format(
        seconds=terms.limits.seconds, memory=terms.limits.memory_mb)  # fmt: skip
    yield _("limits"), limits if terms.limits.enforced else _("none")
    yield _("rounds"), f"{plan.rounds:,}"
    kinds = len(plan.book)
    book = _("a book of {number:,}").format(number=kinds)
    yield _("openings"), _("random") if not kinds else _("the game's start") if plan.book == ((),) else book
    yield _("a crash"), _("ends the tournament") if plan.recover is False else _("loses the game")
    for key, name in FACTS:
        if header.get(key):
            yield shown(name), str(header[key])
    if header.get("begun"):
        yield _("started"), _time(str(header["begun"]))
    if contents.last_started:
        yield _("last game started"), _time(contents.last_started)
        yield _("total playing time"), duration(contents.seconds)
        yield _("machines"), listed(map(shortened, contents.machines))


def entries(contents: ReportContents) -> Iterator[tuple[str, AgentSpec, str]]:
    """The agents of the tournament as triples: name, file with options, and hash."""
    yield from zip(contents.names, contents.plan.agents, contents.fingerprints, strict=True)


def notes(contents: ReportContents) -> Iterator[str]:
    """Warnings about the figures that follow."""
    if not contents.standings.played:
        yield _("No game has been played yet.")
    if not contents.complete:
        sentence = _("The tournament is not finished: {played} are played. To continue: "
                     "tengen tournament --resume {path}")  # fmt: skip
        yield sentence.format(played=played(contents), path=in_line(shlex.quote(contents.path.name)))
    if (share := contents.share_of_core.too_small()) is not None:
        sentence = _("The agents got {share:.0%} of a core: the machine was too busy to measure times.")
        yield sentence.format(share=share)
    if contents.standings.unmeasured:
        yield unmeasured(contents.standings)
    parted = contents.groups
    if len(parted) > 1:
        named = shown(SEMICOLON).join(listed(map(shortened, group)) for group in parted)
        sentence = _("Between these groups, one side took all points or no game was played. Their distance in Elo is "
                     "only a guess, with a large error: {groups}.")  # fmt: skip
        yield sentence.format(groups=named)
    for names in contents.cycles:
        a, b, c = map(shortened, names)
        sentence = _("A cycle that the ratings do not show: {a} beats {b}, {b} beats {c}, {c} beats {a}.")
        yield sentence.format(a=a, b=b, c=c)


def test_rows(contents: ReportContents) -> Iterator[tuple[str, str]]:
    """Pairs (name, value) about the SPRT of the first agent against the second."""
    sprt, pairs = contents.plan.sprt, contents.pairs
    assert sprt is not None
    lower, upper = sprt.bounds
    decision = sprt.decision(pairs)
    open_end = _("none: all games are played") if contents.complete else _("none yet")
    accepted = _("{hypothesis} is accepted").format(hypothesis=decision.value)
    says = open_end if decision is Decision.NONE else accepted
    fits = {Decision.H0: sprt.elo0, Decision.H1: sprt.elo1}.get(decision)
    if fits is not None:
        says = _("{says}: a difference of {fits:g} Elo fits the games better").format(says=says, fits=fits)
    model = {EloModel.LOGISTIC: _("logistic"), EloModel.NORMALISED: _("normalised")}[sprt.model]
    hypotheses = _("{elo0:g} against {elo1:g} Elo, {model}")
    llr = _("{llr:.2f} between {lower:.2f} and {upper:.2f}")
    yield _("decision"), says
    yield "H0, H1", hypotheses.format(elo0=sprt.elo0, elo1=sprt.elo1, model=model)
    yield _("errors"), f"alpha {sprt.alpha:g}, beta {sprt.beta:g}"
    yield "LLR", llr.format(llr=sprt.llr(pairs), lower=lower, upper=upper).replace("-", "−")
    yield _("pairs LL, LD, DD or WL, WD, WW"), pentanomial(pairs)
    yield "Elo", _estimate(elo(pairs))
    yield _("normalised Elo"), _estimate(normalised_elo(pairs))
    yield "LOS", f"{los(pairs):.1%}"


def ending(result: Result) -> str:
    """Why a game ended, in words, with the names of cells."""
    return shown(result_text(result))


def signed(figure: float) -> str:
    """A rating with its sign, e.g. +12, 0, −7 (a minus sign, not a hyphen)."""
    if math.isinf(figure):
        return "+∞" if figure > 0 else "−∞"
    whole = round(figure)
    return f"{whole:+,}".replace("-", "−") if whole else "0"


def share(games: Games) -> str:
    """The score in percent; a dash without games."""
    return f"{games.score / games.games:.1%}" if games.games else "–"


def interval(games: Games) -> str:
    """The score in percent with its 95 % interval."""
    mean = score(games)
    return _("{value:.1%} (95 %: {low:.0%} to {high:.0%})").format(value=mean.value, low=mean.low, high=mean.high)


def wdl(tally: Tally) -> str:
    """The numbers of games "won / drawn / lost"."""
    return f"{tally.wins} / {tally.draws} / {tally.losses}"


def pentanomial(pairs: Pentanomial) -> str:
    """The numbers of pairs with 0, 0.5, 1, 1.5 and 2 points."""
    return " ".join(map(str, pairs.counts))


def milliseconds(seconds: float, times: Times) -> str:
    """A time in ms, e.g. 0.12, 1.2, 12; a dash if `times` has no calls."""
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
        return _("{seconds:.0f} s").format(seconds=seconds)
    if minutes < 90:
        return _("{minutes:.0f} min").format(minutes=minutes)
    return _("{hours:.0f} h {minutes:.0f} min").format(hours=minutes // 60, minutes=minutes % 60)


def rerun_command(contents: ReportContents, number: int) -> str:
    """The command that plays a game again, to be called in the folder of the file."""
    return f"tengen replay {in_line(shlex.quote(contents.path.name))} --game {number}"


def _estimate(estimate: Estimate) -> str:
    fields = {"value": signed(estimate.value), "low": signed(estimate.low), "high": signed(estimate.high)}
    return _("{value} (95 %: {low} to {high})").format(**fields)


def _time(text: str) -> str:
    return text.replace("T", " ").replace("Z", " UTC")
