"""Runs an upload as the site does: imports it and plays games in a child process with the site's limits.

The upload is copied into an empty folder, so that it cannot import neighbouring files. One module in one process plays
both colours of a game. It runs under Python 3.7 if there is one, unless the upload imports packages of the site that
only the current Python has. A failure that a missing package may explain is reported as not judged.
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
from local_runner.check.report import CheckRow, Verdict, failed, noted, passed
from local_runner.errors import AgentError
from local_runner.game_setup import GameSetup
from local_runner.participants import Seats
from local_runner.processes.child import AgentLimits
from local_runner.processes.interpreters import Interpreter, current, find_python37
from local_runner.processes.process import AgentProcess
from local_runner.records import Call, Fault, Loaded, Reason, Result
from local_runner.session import GameSession

LIMITS = AgentLimits()                   # the site's
TIGHT = 0.9                         # share of a limit from which on there is a note: the site's machine may be slower
SLOW_IMPORT = 1.0                   # seconds; the import may count against the first call
QUICK_STEPS = 6                     # steps of a game with --quick
STEPS_AFTER_A_PASS = 4              # steps of the game that starts before a pass
JUNK: tuple[Any, ...] = (None, {}, "junk", {"chess_player_idx": 1}, {"state_map": "?", "chess_player_idx": 7})
# Python's error messages for a package that is missing, or whose version is not the site's.
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
    Reason.ILLEGAL_MOVE: "The site silently plays a random move instead; answer a legal cell.",
    Reason.BAD_SHAPE: "Answer [one_hot_row, one_hot_col], two plain lists of ints with one 1 each, of the lengths in "
                      "action_space; also when it is not your turn.",
    Reason.CRASH: "A controller that raises ends the site's whole run; mend what the traceback shows.",
    Reason.TIME: "The site allows 1 s per call, on turn and off turn; think less, or stop by the clock.",
    Reason.MEMORY: "The site allows 500 MB; keep smaller tables.",
    Reason.WROTE: "The observation is the site's own board: copy it before you write.",
    Reason.PROTOCOL: "It wrote to a file descriptor that it did not open; do not do that.",
    Reason.INNER_FAULT: "It caught a fault of its own and played on, weakly; mend what the traceback shows.",
}
# Faults that may mean only that the agent does not know the game. Too slow or too large is a fault in every game.
UNKNOWN_GAME = {Reason.CRASH, Reason.BAD_SHAPE, Reason.ILLEGAL_MOVE, Reason.INNER_FAULT}


@dataclass(frozen=True)
class _PlayedGame:
    """One game of the checked file."""

    calls: tuple[Call, ...]                 # the checked file's
    steps: int
    result: Result | None                   # None if the game was stopped early
    fault: Fault | None                     # the checked file's
    peak_mb: float                          # peak memory of its process so far
    printed: str                            # output of its process so far

    @property
    def cannot_play(self) -> bool:
        """Whether it failed in the first two calls with a fault in UNKNOWN_GAME."""
        return self.fault is not None and len(self.calls) <= 2 and self.fault.reason in UNKNOWN_GAME

    @property
    def fault_sentence(self) -> str:
        """The fault as a sentence, "" if there is none."""
        return self.fault.sentence if self.fault else ""


class Trial:
    """Runs one upload and answers the questions about it.

    main: the copy of the upload; folder: for its output
    needed: packages of the site that it imports; quick: play only the first steps of each game
    """

    def __init__(self, main: Path, folder: Path, *, needed: Set[str], quick: bool = False) -> None:
        self.spec = AgentSpec(main.stem, main, {})
        self.folder = folder
        self.needed = needed
        self.most = QUICK_STEPS if quick else None
        self.python = current()
        self.played: list[_PlayedGame] = []
        self.processes = 0

    def rows(self, envs: list[str], *, sure: bool) -> list[CheckRow]:
        """The rows of all questions; `sure`: it must play every game in `envs`, else one of them is enough."""
        chosen, lacking = self._choose_python()
        rows = list(self._rows(envs, sure=sure))
        for row in rows:
            lacking |= set(NOT_THE_SITES.findall(row.found + row.traceback)) & INSTALLED_THERE
        if self.python.numpy == SITES_NUMPY:
            lacking -= {"numpy"}
        if lacking:
            found = f"{self.python.title}: without the site's {_listed(lacking)}"
            chosen.append(CheckRow("python", Verdict.OPEN, found,
                                   "Install the site's version for this Python (numpy: `make python37`), then check "
                                   "again."))
            rows = [replace(row, verdict=Verdict.OPEN, mend="")
                    if row.verdict in (Verdict.FAILED, Verdict.SKIPPED) else row for row in rows]
        return chosen + rows

    def _choose_python(self) -> tuple[list[CheckRow], set[str]]:
        """Choose Python 3.7, or this Python if it lacks fewer packages; returns rows and the packages it lacks."""
        python37 = find_python37()
        lacking = {python: _lacks(python, self.needed) for python in (python37, self.python) if python}
        self.python = min(lacking, key=lambda python: len(lacking[python]))         # of equals Python 3.7
        rows = []
        if python37 is None:
            rows.append(noted("python", "no Python 3.7 here",
                              "It ran under this Python; put a python3.7 on the PATH for a stricter check."))
        elif self.python is not python37:
            missed = _listed(lacking[python37] - lacking[self.python])
            rows.append(noted("python", f"Python 3.7 here lacks {missed}: run under Python {self.python.version}",
                              f"For a stricter check install {missed} for it (numpy: `make python37` does)."))
        return rows, lacking[self.python]

    def _rows(self, envs: list[str], *, sure: bool) -> Iterator[CheckRow]:
        rows, loaded = self._import()
        yield from rows
        if not loaded:
            return
        games = [row for env in envs for row in self._games(env, sure=sure)]
        if all(row.verdict is Verdict.SKIPPED for row in games):
            yield from games                # with advice, because it was written for one of them
            yield failed("games", "no game could be played", f"It must play one of {', '.join(envs)}.")
            return
        yield from (replace(row, mend="", traceback="") if row.verdict is Verdict.SKIPPED else row for row in games)
        yield from self._measured()
        yield self._junk()

    def _import(self) -> tuple[list[CheckRow], bool]:
        """Import the upload; returns rows, and whether it could be imported."""
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
        """A new process for the upload, not started yet, with a new file for its output."""
        self.processes += 1
        printed = self.folder / f"printed-{self.processes}.txt"
        return AgentProcess(self.spec, printed, LIMITS, python=str(self.python.path))

    def _games(self, env: str, *, sure: bool) -> Iterator[CheckRow]:
        """Play all games of an environment in one process, as the site may do; a fault starts a new process."""
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
                    yield replace(as_failed, verdict=Verdict.SKIPPED, found=f"not supported: {played.fault_sentence}")
                    return
                yield _game_row(f"{env}, {what}", played)
                if played.fault:
                    agent = processes.enter_context(self._process())

    def _play(self, agent: AgentProcess, seats: Seats, setup: GameSetup, most: int | None) -> _PlayedGame:
        game = GameSession(setup, seats)
        game.start()
        while game.result is None and (most is None or game.plies < most):
            game.step()
        mine = {player for player in range(2) if seats[player] is agent}
        fault = game.result.fault if game.result and 2 - game.result.winner in mine else None
        report = agent.report()
        printed = Path(report.output).read_text("utf-8", "replace") if report.printed_bytes else ""
        calls = tuple(call for call in game.calls if call.player in mine)
        self.played.append(_PlayedGame(calls, game.plies, game.result, fault, report.peak_mb, printed))
        return self.played[-1]

    def _measured(self) -> Iterator[CheckRow]:
        """The questions about all games together: output, writing, slowest call, peak memory."""
        printed = next((played.printed for played in self.played if played.printed), "")
        if printed:
            yield failed("printing", f"it printed: {printed.strip()[:200]!r}", "The site logs it: print nothing.")
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

    def _junk(self) -> CheckRow:
        """Send observations that no game has. The site sends none of these, so a failure is only a note."""
        with self._process() as agent:
            agent.start()
            for junk in JUNK:
                reply = agent.act(junk, 15, 15)
                if wrong := reply.fault.sentence if reply.fault else reply.bad_code:
                    return noted("junk", f"an observation like {junk!r}: {wrong}",
                                 "The site sends none today; handle it in case the site changes.")
        return passed("junk", "survives observations that no game has")


def to_a_pass(env: str) -> tuple[Cell, ...]:
    """Random moves that end right before a pass; after the pass the platform sends a list as observation."""
    for seed in range(1000):
        chance = random.Random(seed)
        game, moves = make(env, seed=seed), list[Cell]()
        while not game.is_terminal():
            legal = game.legal_moves()
            if not legal:
                return tuple(moves)
            moves.append(chance.choice(legal))
            _make_move(game, moves[-1])
    raise AssertionError(f"no pass in 1000 random games of {env}")    # 3 of 10 games have one


def _make_move(game: Game, cell: Cell) -> None:
    move = answer(cell, game.board_height, game.board_width)
    game.step([move, move])


def _lacks(python: Interpreter, packages: Set[str]) -> set[str]:
    """The packages that this Python cannot import."""
    if not packages:
        return set()
    done = subprocess.run([str(python.path), "-c", TRY_IMPORTS, *sorted(packages)], capture_output=True, text=True,
                          cwd=python.path.parent)
    return set(packages) if done.returncode else set(done.stdout.split()) & packages


def _listed(packages: Set[str]) -> str:
    return ", ".join(sorted(packages))


def _import_row(loaded: Loaded, python: Interpreter) -> CheckRow:
    if loaded.fault:
        return failed("import", loaded.fault.sentence,
                      "The site cannot load it; mend what the traceback shows. A neighbouring file is found only "
                      "if it is uploaded, too, and imported as `from .NAME import ...`.", loaded.fault.traceback)
    found = f"{loaded.seconds:.2f} s, {loaded.import_mb:.0f} MB, {python.title}"
    if loaded.seconds > SLOW_IMPORT:
        return noted("import", found, "The import may count against the time of the first call: do less in it.")
    return passed("import", found)


def _game_row(name: str, played: _PlayedGame) -> CheckRow:
    if played.fault:
        return failed(name, f"step {played.steps + 1}: {played.fault_sentence}", MEND[played.fault.reason],
                      played.fault.traceback)
    ended = f"{played.result.detail}, no replaced moves" if played.result else "no faults so far"
    return passed(name, f"{played.steps} steps, {ended}")


def _limit_row(name: str, worst: float, limit: float, unit: str, reason: Reason) -> CheckRow:
    digits = 0 if unit == "MB" else 3
    found = f"at most {worst:.{digits}f} {unit} of {limit:g} {unit}"
    if worst > limit:
        return failed(name, found, MEND[reason])
    if worst > limit * TIGHT:
        return noted(name, found, "That is close to the limit, and the site's machine may be slower.")
    return passed(name, found)
