"""What an upload does when it is run: imported and played as on the site, in a child process with the site's limits.

It lies in a folder of its own, so that nothing beside it can help. Both colours of a game are played by one module in
one process. Knows games by `GameSession` only. Runs the upload under Python 3.7 where there is one, unless only the
Python at hand has the packages of the site that it imports; what fails for want of them is not judged.
"""
from __future__ import annotations

import contextlib
import random
import re
import subprocess
from collections.abc import Iterator, Set
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from env_adapter import Cell, Game, answer, make
from local_runner.agents import AgentSpec, parse_agent
from local_runner.check.files import INSTALLED_THERE
from local_runner.check.report import Row, Verdict, failed, noted, passed
from local_runner.errors import AgentError
from local_runner.game_setup import GameSetup
from local_runner.participants import Seats
from local_runner.processes.child import Limits
from local_runner.processes.interpreters import Interpreter, current, find_python37
from local_runner.processes.process import AgentProcess
from local_runner.records import Call, Fault, Loaded, Reason, Result
from local_runner.session import GameSession

LIMITS = Limits()                   # the site's
TIGHT = 0.9                         # of a limit: said, for the site's machine may be the slower one
SLOW_IMPORT = 1.0                   # seconds; the site does not say what it allows, but the first call may pay for it
QUICK_STEPS = 6
STEPS_AFTER_A_PASS = 4
JUNK: tuple[Any, ...] = (None, {}, "junk", {"chess_player_idx": 1}, {"state_map": "?", "chess_player_idx": 7})
# How an upload says that a package is missing, or is not the site's version of it.
NOT_THE_SITES = re.compile(r"(?:No module named|cannot import name '\w+' from|module) '(\w+)[.']")
SITES_NUMPY = "1.19.5"
TRY_IMPORTS = """\
import sys
for name in sys.argv[1:]:
    try:
        __import__(name)
    except Exception:
        print(name)
"""

MEND = {
    Reason.ILLEGAL_MOVE: "The site silently plays a random move instead; answer a cell that the rules allow.",
    Reason.BAD_SHAPE: "Answer [one_hot_row, one_hot_col], two plain lists of ints with one 1 each, as long as "
                      "action_space says; also when it is not your turn.",
    Reason.CRASH: "A controller that raises ends the site's whole run; mend what the traceback shows.",
    Reason.TIME: "The site allows 1 s per call, on turn and off turn; think less, or stop by the clock.",
    Reason.MEMORY: "The site allows 500 MB; keep smaller tables.",
    Reason.WROTE: "The observation is the site's own board: copy it before you write.",
    Reason.PROTOCOL: "It writes to file descriptors that are not its own; write to none.",
    Reason.INNER_FAULT: "It caught a fault of its own and played on, weakly; mend what the traceback shows.",
}
# What an agent does wrong in a game that it was not written for; too slow or too large is another matter.
UNKNOWN_GAME = {Reason.CRASH, Reason.BAD_SHAPE, Reason.ILLEGAL_MOVE, Reason.INNER_FAULT}


@dataclass(frozen=True)
class _Played:
    """One game: the checked file's calls in it, how it ended (None: stopped), and what its process used so far."""

    calls: tuple[Call, ...]
    steps: int
    result: Result | None
    fault: Fault | None                     # the checked file's own
    peak_mb: float
    printed: str

    @property
    def cannot_play(self) -> bool:
        """Whether it fails at the very start as one does who does not know the game."""
        return self.fault is not None and len(self.calls) <= 2 and self.fault.reason in UNKNOWN_GAME

    @property
    def said(self) -> str:
        """The fault in a sentence, "" where there is none."""
        return self.fault.sentence if self.fault else ""


class Trial:
    """One upload, copied into `folder`, and all that is found when it runs; `needed`: site packages that it imports."""

    def __init__(self, main: Path, folder: Path, *, needed: Set[str], quick: bool = False) -> None:
        self.spec = AgentSpec(main.stem, main, {})
        self.folder = folder
        self.needed = needed
        self.most = QUICK_STEPS if quick else None
        self.python = current()
        self.played: list[_Played] = []
        self.processes = 0

    def rows(self, envs: list[str], *, sure: bool) -> list[Row]:
        """Every question that running answers; `sure`: every game in `envs` must be played, not only one of them."""
        chosen, lacking = self._choose_python()
        rows = list(self._rows(envs, sure=sure))
        for row in rows:
            lacking |= set(NOT_THE_SITES.findall(row.found + row.traceback)) & INSTALLED_THERE
        if self.python.numpy == SITES_NUMPY:
            lacking -= {"numpy"}
        if lacking:
            chosen.append(Row("python", Verdict.OPEN, f"{self.python.title}: without the site's {_listed(lacking)}",
                              "Install what the site has for this Python (numpy: `make python37`), and check again."))
            rows = [replace(row, verdict=Verdict.OPEN, mend="")
                    if row.verdict in (Verdict.FAILED, Verdict.SKIPPED) else row for row in rows]
        return chosen + rows

    def _choose_python(self) -> tuple[list[Row], set[str]]:
        """Python 3.7, or the Python at hand if more of what the upload needs is there; what even that one lacks."""
        python37 = find_python37()
        lacking = {python: _lacks(python, self.needed) for python in (python37, self.python) if python}
        self.python = min(lacking, key=lambda python: len(lacking[python]))         # the first of equals
        rows = []
        if python37 is None:
            rows.append(noted("python", "no Python 3.7 here",
                              "Played under the Python at hand; put a python3.7 on the PATH for a stricter check."))
        elif self.python is not python37:
            missed = _listed(lacking[python37] - lacking[self.python])
            rows.append(noted("python", f"Python 3.7 here lacks {missed}: run under Python {self.python.version}",
                              f"For a stricter check install {missed} for it (numpy: `make python37` does)."))
        return rows, lacking[self.python]

    def _rows(self, envs: list[str], *, sure: bool) -> Iterator[Row]:
        rows, loaded = self._import()
        yield from rows
        if not loaded:
            return
        games = [row for env in envs for row in self._games(env, sure=sure)]
        if all(row.verdict is Verdict.SKIPPED for row in games):
            yield from games                # each with what to mend: one of them is the game it was written for
            yield failed("games", "no game could be played", f"It must play one of {', '.join(envs)}.")
            return
        yield from (replace(row, mend="", traceback="") if row.verdict is Verdict.SKIPPED else row for row in games)
        yield from self._measured()
        yield self._junk()

    def _import(self) -> tuple[list[Row], bool]:
        """Import it; whether that can be done."""
        try:
            with self._process() as agent:
                loaded, report = agent.start(), agent.report()
        except AgentError as error:
            return [failed("import", str(error), "Define my_controller at the top level of the file.")], False
        rows = [_import_row(loaded, self.python)]
        if beside := sorted({*report.siblings, *report.shadowed}):
            rows.append(failed("siblings", "imports from its own folder: " + ", ".join(beside),
                               "The site does not look there: write `from .NAME import ...`, or make it one file."))
        return rows, loaded.fault is None

    def _process(self) -> AgentProcess:
        """A process of its own, not started yet; what it prints is kept in a file of its own."""
        self.processes += 1
        printed = self.folder / f"printed-{self.processes}.txt"
        return AgentProcess(self.spec, printed, LIMITS, python=str(self.python.path))

    def _games(self, env: str, *, sure: bool) -> Iterator[Row]:
        """All games of one kind by one module in one process, as the site may do; a new one after a fault."""
        games = {"against random": GameSetup(env, seed=1), "against itself": GameSetup(env, seed=2)}
        if env.startswith("reversi"):
            games["after a pass"] = GameSetup(env, seed=3, opening=to_a_pass(env))
        with contextlib.ExitStack() as processes:
            agent = processes.enter_context(self._process())
            other = processes.enter_context(AgentProcess(parse_agent("random"), self.folder / "random.txt", seed=1))
            for what, setup in games.items():
                seats: Seats = (other if what == "against random" else agent, agent)
                played = self._play(agent, seats, setup, STEPS_AFTER_A_PASS if setup.opening else self.most)
                if not sure and what == "against random" and played.cannot_play:
                    as_failed = _game_row(env, played)
                    yield replace(as_failed, verdict=Verdict.SKIPPED, found=f"not supported: {played.said}")
                    return
                yield _game_row(f"{env}, {what}", played)
                if played.fault:
                    agent = processes.enter_context(self._process())

    def _play(self, agent: AgentProcess, seats: Seats, setup: GameSetup, most: int | None) -> _Played:
        game = GameSession(setup, seats)
        game.start()
        while game.result is None and (most is None or game.plies < most):
            game.step()
        mine = {player for player in range(2) if seats[player] is agent}
        fault = game.result.fault if game.result and 2 - game.result.winner in mine else None
        report = agent.report()
        printed = Path(report.output).read_text("utf-8", "replace") if report.printed_bytes else ""
        calls = tuple(call for call in game.calls if call.player in mine)
        self.played.append(_Played(calls, game.plies, game.result, fault, report.peak_mb, printed))
        return self.played[-1]

    def _measured(self) -> Iterator[Row]:
        """What is seen over all games: printing, writing, worst call, memory."""
        printed = next((played.printed for played in self.played if played.printed), "")
        if printed:
            yield failed("printing", f"it printed: {printed.strip()[:200]!r}", "The site logs it all: print nothing.")
        else:
            yield passed("printing", "it printed nothing")
        faults = [played.fault for played in self.played if played.fault]
        if not any(fault.reason is Reason.WROTE for fault in faults):
            yield passed("observation", "never written to")
        calls = [call for played in self.played for call in played.calls]
        if calls:
            yield _limit_row("time", max(call.seconds for call in calls), LIMITS.seconds, "s", Reason.TIME)
        peak = max((played.peak_mb for played in self.played), default=0.0)
        yield _limit_row("memory", peak, LIMITS.memory_mb, "MB", Reason.MEMORY)

    def _junk(self) -> Row:
        """Observations that no game has: the site sends none, so this is a note."""
        with self._process() as agent:
            agent.start()
            for junk in JUNK:
                reply = agent.act(junk, 15, 15)
                if wrong := reply.fault.sentence if reply.fault else reply.bad_code:
                    return noted("junk", f"an observation like {junk!r}: {wrong}",
                                 "The site sends none today; a controller that answers all the same survives a change.")
        return passed("junk", "survives observations that no game has")


def to_a_pass(env: str) -> tuple[Cell, ...]:
    """Random moves up to a pass, after which the next observation is the platform's odd list."""
    for seed in range(1000):
        chance = random.Random(seed)
        game, moves = make(env, seed=seed), list[Cell]()
        while not game.is_terminal():
            legal = game.legal_moves()
            if not legal:
                return tuple(moves)
            moves.append(chance.choice(legal))
            _make_move(game, moves[-1])
    raise AssertionError(f"no pass in 1000 random games of {env}")    # 3 games in 10 have one


def _make_move(game: Game, cell: Cell) -> None:
    move = answer(cell, game.board_height, game.board_width)
    game.step([move, move])


def _lacks(python: Interpreter, packages: Set[str]) -> set[str]:
    """Which of the packages cannot be imported there."""
    if not packages:
        return set()
    done = subprocess.run([str(python.path), "-c", TRY_IMPORTS, *sorted(packages)], capture_output=True, text=True,
                          cwd=python.path.parent)
    return set(packages) if done.returncode else set(done.stdout.split()) & packages


def _listed(packages: Set[str]) -> str:
    return ", ".join(sorted(packages))


def _import_row(loaded: Loaded, python: Interpreter) -> Row:
    if loaded.fault:
        return failed("import", loaded.fault.sentence,
                      "The site cannot load it; mend what the traceback shows. A module beside the file is found only "
                      "if it is uploaded too, and imported as `from .NAME import ...`.", loaded.fault.traceback)
    found = f"{loaded.seconds:.2f} s, {loaded.import_mb:.0f} MB, {python.title}"
    if loaded.seconds > SLOW_IMPORT:
        return noted("import", found, "A slow import may be counted against the first call: do less in it.")
    return passed("import", found)


def _game_row(name: str, played: _Played) -> Row:
    if played.fault:
        return failed(name, f"step {played.steps + 1}: {played.said}", MEND[played.fault.reason],
                      played.fault.traceback)
    ended = f"{played.result.detail}, no replaced moves" if played.result else "no faults so far"
    return passed(name, f"{played.steps} steps, {ended}")


def _limit_row(name: str, worst: float, limit: float, unit: str, reason: Reason) -> Row:
    digits = 0 if unit == "MB" else 3
    found = f"at most {worst:.{digits}f} {unit} of {limit:g} {unit}"
    if worst > limit:
        return failed(name, found, MEND[reason])
    if worst > limit * TIGHT:
        return noted(name, found, "That is close, and the site's machine may be slower.")
    return passed(name, found)
