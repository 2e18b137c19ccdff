"""What `tengen tournament` and `tengen sprt` show and say, and the exit code that comes of it."""

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import Any

from rich import box
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Column, Table
from rich.text import Text

from local_runner.display import fault_report
from local_runner.errors import RunnerError
from local_runner.files import check_folder
from local_runner.fixture import play_fixture
from local_runner.match import MatchGame
from local_runner.platform_log import write_log
from local_runner.records import as_json
from local_runner.statistics.counts import Pentanomial
from local_runner.statistics.elo import Estimate, elo, los, normalised_elo, score
from local_runner.statistics.ratings import cycles, ratings
from local_runner.statistics.sprt import Decision
from local_runner.text import in_line
from local_runner.tournament.run import Ending, Executor, Observer, games_of, run
from local_runner.tournament.standings import CoreShare, Standings, counts
from local_runner.tournament.store import PlayedGame, Store

COMPLETE, CRASHED, INTERRUPTED = 0, 1, 130
FRAMES_PER_SECOND = 2
MOST_ACROSS = 6  # agents, of whom each is shown against each; more do not fit, and are for a report
COLUMNS = ("", "agent", "Elo", "games", "score", "W / D / L", "Black", "White", "faults")  # fit 80 characters


class View(Observer):
    """The standings, drawn anew whenever rich asks for it, and the test if there is one."""

    def __init__(self, store: Store) -> None:
        self.plan = store.plan
        self.standings = Standings(store.plan.names, store.each_game())
        self._began, self._before = perf_counter(), self.standings.played
        self._share = CoreShare()

    def ended(self, game: PlayedGame) -> None:
        self.standings.add(game)
        self._share.add(game.record)

    def enough(self) -> bool:
        return self.plan.sprt is not None and self.decision() is not Decision.NONE

    @property
    def pairs(self) -> Pentanomial:
        """Those of the first agent against the second."""
        return self.standings.against(*self.plan.names[:2])[1]

    def decision(self) -> Decision:
        """What the test says so far."""
        assert self.plan.sprt is not None
        return self.plan.sprt.decision(self.pairs)

    def __rich__(self) -> RenderableType:
        parts = [self._head(), sprt_table(self) if self.plan.sprt else standings_table(self.standings)]
        if warning := self._share.warning():
            parts.append(Text(f"warning: {warning}", style="yellow"))
        return Group(*parts)

    def _head(self) -> Text:
        played, setup = self.standings.played, self.plan.terms.setup
        here, seconds = played - self._before, perf_counter() - self._began
        pace = f", {3600 * here / seconds:.0f} an hour" if here else ""
        all_games = "" if self.plan.sprt else f" of {games_of(self.plan)}"
        return Text(f"{setup.env}, {setup.rules} rules, seed {setup.seed}: {played}{all_games} games{pace}")


def standings_table(standings: Standings) -> RenderableType:
    """Everybody by rating, the strongest first, and the cycles that ratings hide."""
    columns = (Column(heading, no_wrap=heading != "agent", overflow="fold") for heading in COLUMNS)
    table = Table(*columns, box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    rated = ratings(standings.games)
    for place, rating in enumerate(rated, 1):
        tally = standings.tally(rating.name)
        sides = (standings.as_black[rating.name], standings.as_white[rating.name])
        table.add_row(
            str(place), Text(in_line(rating.name)), f"{rating.elo:+.0f} ± {rating.error:.0f}", str(tally.games),
            f"{tally.score / tally.games:.1%}", f"{tally.wins} / {tally.draws} / {tally.losses}",
            *(f"{side.score / side.games:.0%}" if side.games else "-" for side in sides),
            str(standings.faults[rating.name]),
        )  # fmt: skip
    parts: list[RenderableType] = [table]
    if 2 < len(rated) <= MOST_ACROSS:
        parts.append(cross_table(standings, [rating.name for rating in rated]))
    for a, b, c in cycles(standings.games):
        parts.append(Text(f"a cycle: {a} beats {b} beats {c} beats {a}", style="yellow"))
    return Group(*parts)


def cross_table(standings: Standings, names: Sequence[str]) -> Table:
    """Points of each against each."""
    places = [str(place) for place, _ in enumerate(names, 1)]
    table = Table("", "points against", *places, box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    for place, name in zip(places, names, strict=True):
        met = (standings.against(name, other)[0] for other in names)
        cells = (f"{games.score:g} of {games.games}" if games.games else "" for games in met)
        table.add_row(place, Text(in_line(name)), *cells)
    return table


def sprt_table(view: View) -> RenderableType:
    """The test of the first agent against the second."""
    assert view.plan.sprt is not None
    sprt, pairs = view.plan.sprt, view.pairs
    lower, upper = sprt.bounds
    tally = view.standings.tally(view.plan.names[0])
    table = Table(title=Text(" against ".join(map(in_line, view.plan.names))), show_header=False)
    table.add_row("hypotheses", f"{sprt.elo0:g} against {sprt.elo1:g} Elo, {sprt.model.value}")
    table.add_row("LLR", f"{sprt.llr(pairs):.2f} between {lower:.2f} and {upper:.2f}")
    table.add_row("won / drawn / lost", f"{tally.wins} / {tally.draws} / {tally.losses}")
    table.add_row("pairs LL LD DD WD WW", " ".join(map(str, pairs.counts)))
    for label, estimate in (("Elo", elo(pairs)), ("normalised Elo", normalised_elo(pairs))):
        table.add_row(label, _interval(estimate))
    table.add_row("LOS", f"{los(pairs):.1%}")
    return table


def _interval(estimate: Estimate) -> str:
    return f"{estimate.value:+.1f} ({estimate.low:+.1f} to {estimate.high:+.1f})"


def play(store: Store, executor: Executor, *, quiet: bool = False, as_json_text: bool = False) -> int:
    """Play what is left of a tournament on the screen; the exit code: 0, 1 if a crash ended it, 130 after Ctrl-C."""
    out = Console(stderr=as_json_text, highlight=False, soft_wrap=True)
    view, interrupted, ending = View(store), False, None
    try:
        with _live(out, view, quiet):
            ending = run(store, executor, view)
    except KeyboardInterrupt:
        interrupted = True
    finally:
        out.print(view)
        for line in _last_words(store.path, view, ending):
            out.print(Text(line))
        if as_json_text:
            sys.stdout.write(json.dumps(result_json(store, view, ending), allow_nan=False) + "\n")
    return INTERRUPTED if interrupted else COMPLETE if ending and ending.crashed is None else CRASHED


@contextmanager
def _live(out: Console, view: View, quiet: bool) -> Iterator[None]:
    if quiet or not out.is_terminal:
        yield
    else:
        with Live(view, console=out, refresh_per_second=FRAMES_PER_SECOND, transient=True):
            yield


def _last_words(path: Path, view: View, ending: Ending | None) -> Iterator[str]:
    """What has become of it, and the commands to go on."""
    if view.plan.sprt is not None and (decision := view.decision()) is not Decision.NONE:
        elo0, elo1 = view.plan.sprt.elo0, view.plan.sprt.elo1
        fits, other = (elo0, elo1) if decision is Decision.H0 else (elo1, elo0)
        yield f"{decision.value} is accepted: a difference of {fits:g} Elo fits the games better than one of {other:g}"
    elif ending is not None and ending.crashed is not None:
        game = ending.crashed
        yield f"game {game.number} was lost by a crash: {in_line(game.detail)}"
        yield f"look at it again: tengen rerun {path} {game.number}"
        yield f"go on: tengen tournament --resume {path}; with --recover from the start, a crash is a lost game"
    elif ending is None or not ending.complete:
        yield f"go on: tengen tournament --resume {path}"
    else:
        yield f"every game is in {path}"


def rerun(store: Store, number: int, folder: Path) -> int:
    """Play one game of a tournament again and say what came of it; the exit code: 0, or 1 for a fault."""
    out = Console(highlight=False, soft_wrap=True)
    pair = store.pair((number + 1) // 2)
    if pair is None:
        raise RunnerError(f"{store.path} has no game {number}; it has {2 * sum(1 for _ in store.pairs())}")
    check_folder(folder, "choose another --log-dir")
    record = play_fixture(pair.fixtures(store.plan)[(number - 1) % 2], folder)
    path = write_log(dict(record.log), folder, f"game{number:03}")
    if (game := store.game(number)) is not None:
        out.print(Text(f"then  {in_line(game.detail)}, after {len(game.moves.split())} moves"))
    out.print(Text(f"now   {in_line(record.result.detail)}, after {len(record.cells)} moves; log: {path}"))
    if record.result.fault is not None:
        out.print(fault_report(MatchGame(number, 0, record, path)))
    return COMPLETE if record.result.fault is None else CRASHED


def result_json(store: Store, view: View, ending: Ending | None) -> dict[str, Any]:
    """What was played and what it says."""
    sprt = view.plan.sprt
    test = {"llr": sprt.llr(view.pairs), "bounds": sprt.bounds, "decision": view.decision().value} if sprt else None
    found: dict[str, Any] = as_json({
        "file": str(store.path),
        "header": store.header,
        "complete": ending is not None and ending.complete,
        **counts(view.standings),
        "ratings": ratings(view.standings.games),
        "score": score(view.pairs),
        "sprt": test,
    })
    return found
