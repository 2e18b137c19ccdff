"""Runs an upload as the site does: imports it and plays games in child processes with the site's limits.

The upload is copied into an empty folder, so that it cannot import neighbouring files. A failure that a missing package
may explain is reported as not judged.
"""
from __future__ import annotations

import re
from collections.abc import Iterator, Set
from dataclasses import replace
from pathlib import Path
from typing import Any

from local_runner.agents import AgentSpec
from local_runner.check.games import LIMITS, RANDOM, CheckedGame, GamePlayer
from local_runner.check.interpreter import ChosenPython
from local_runner.check.progress import Progress
from local_runner.check.report import CheckRow, PlayedEnv, Verdict, failed, noted, passed
from local_runner.errors import AgentError
from local_runner.processes.interpreters import Interpreter
from local_runner.processes.sandbox import SandboxMode
from local_runner.records import Fault, Loaded, Reason

TIGHT = 0.9                         # share of a limit from which on there is a note: the site's machine may be slower
SLOW_IMPORT = 1.0                   # seconds; the import may count against the first call
JUNK: tuple[Any, ...] = (None, {}, "junk", {"chess_player_idx": 1}, {"state_map": "?", "chess_player_idx": 7})
# What an error says of a file that is not there, or of a module.
MISSING = re.compile(r"(?:No such file or directory|Errno 2\]|not found|does not exist)[^'\"\n]*['\"]([^'\"\n]+)")
OPENING = re.compile(r"\b(FileNotFoundError|NotADirectoryError|IsADirectoryError|PermissionError)\b")
MISSING_MODULE = re.compile(r"No module named '([\w.]+)'")

MEND = {
    Reason.ILLEGAL_MOVE: "The site silently plays a random move instead; answer a legal cell.",
    Reason.BAD_SHAPE: "Answer [one_hot_row, one_hot_col], two plain lists of ints with one 1 each, of the lengths in "
                      "action_space; also when it is not your turn.",
    Reason.CRASH: "A controller that raises ends the site's whole run; mend what the traceback shows.",
    Reason.TIME: "The site allows 1 s per call, on turn and off turn; think less, or stop by the clock. If other "
                 "programs were busy here, check again with --jobs 1.",
    Reason.MEMORY: "The site allows 500 MB; keep smaller tables.",
    Reason.WROTE: "The observation is the site's own board: copy it before you write.",
    Reason.PROTOCOL: "It wrote to a file descriptor that it did not open; do not do that.",
    Reason.INNER_FAULT: "It caught a fault of its own and played on, weakly; mend what the traceback shows.",
}
# What the verdict says of a game that ended so.
DOES = {
    Reason.ILLEGAL_MOVE: "plays illegal moves on",
    Reason.BAD_SHAPE: "answers in the wrong form on",
    Reason.CRASH: "crashes on",
    Reason.TIME: "is too slow on",
    Reason.MEMORY: "needs too much memory on",
    Reason.WROTE: "writes into the board of",
    Reason.PROTOCOL: "breaks the runner's pipe on",
    Reason.INNER_FAULT: "catches faults of its own on",
}


class Trial:
    """Runs one upload and answers the questions about it.

    main: the copy of the upload; folder: for its output; origin: the folder that the upload lies in
    needed: packages of the site that it imports; quick: stop a slow agent's games early; jobs: games at once
    """

    def __init__(self, main: Path, folder: Path, origin: Path, *, needed: Set[str], quick: bool, jobs: int,
                 progress: Progress, mode: SandboxMode) -> None:
        self.chosen = ChosenPython(needed)
        self.python = self.chosen.python
        self.origin = origin
        self.files = {path.name for path in main.parent.iterdir()}
        spec = AgentSpec(main.stem, main, {})
        self.player = GamePlayer(spec, self.python.path, folder, jobs=jobs, quick=quick, progress=progress,
                                 mode=mode)
        self.envs: tuple[PlayedEnv, ...] = ()
        self.stopped = False                # whether a game was stopped because the time was up

    def rows(self, envs: list[str]) -> list[CheckRow]:
        """The rows of all questions; afterwards `envs` says how each game went."""
        rows = list(self._rows(envs))
        if unjudged := self.chosen.unjudged(rows):
            rows = [replace(row, verdict=Verdict.OPEN, mend="") if row.verdict is Verdict.FAILED else row
                    for row in rows]
            rows.insert(0, unjudged)
        return self.chosen.rows + rows

    def _rows(self, envs: list[str]) -> Iterator[CheckRow]:
        rows, loaded = self._import()
        yield from rows
        if not loaded:
            return
        games = self.player.play(envs)
        self.envs = tuple(_env(env, [game for game in games if game.env == env]) for env in envs)
        self.stopped = any(game.stopped for game in games)
        yield from (self._game_row(game) for game in games)
        yield from _measured(games)
        yield self._junk()

    def _import(self) -> tuple[list[CheckRow], bool]:
        """Import the upload; returns rows, and whether it could be imported."""
        try:
            with self.player.process() as agent:
                loaded, report = agent.start(), agent.report()
        except AgentError as error:
            return [failed("import", str(error), "Define my_controller at the top level of the file.")], False
        rows = [self._import_row(loaded, self.python)]
        if beside := sorted({*report.siblings, *report.shadowed}):
            rows.append(failed("siblings", "imports from its own folder: " + ", ".join(beside),
                               "The site does not look there: write `from .NAME import ...`, or make it one file."))
        return rows, loaded.fault is None

    def _import_row(self, loaded: Loaded, python: Interpreter) -> CheckRow:
        if loaded.fault:
            advice = self._missing(loaded.fault) or (
                "The site cannot load it; mend what the traceback shows. A neighbouring file is found only if it is "
                "uploaded, too, and imported as `from .NAME import ...`.")
            return failed("import", loaded.fault.sentence, advice, loaded.fault.traceback)
        found = f"{loaded.seconds:.2f} s, {loaded.import_mb:.0f} MB, {python.title}"
        if loaded.seconds > SLOW_IMPORT:
            return noted("import", found, "The import may count against the time of the first call: do less in it.")
        return passed("import", found)

    def _game_row(self, game: CheckedGame) -> CheckRow:
        if game.fault:
            return failed(game.name, f"step {game.steps + 1}: {game.fault.sentence}",
                          self._missing(game.fault) or MEND[game.fault.reason], game.fault.traceback)
        ended = f"{game.result.detail}, no replaced moves" if game.result else "no faults so far"
        if game.stopped:
            ended += "; stopped, because the time of the check was up"
        return passed(game.name, f"{game.steps} steps, {ended}")

    def _missing(self, fault: Fault) -> str:
        """Advice if a fault says that a file or a module is not there, "" if it does not."""
        text = fault.sentence + fault.traceback[-1000:]
        if found := MISSING.search(text):
            name = Path(found[1]).name
        elif found := MISSING_MODULE.search(text):
            top = found[1].rpartition("upload.")[2].split(".")[0]       # algo.upload.NAME of `from .NAME import`
            name = top if (self.origin / top).is_dir() else f"{top}.py"
            if not (self.origin / name).exists():
                return ""
        elif OPENING.search(fault.sentence):
            return ("It could not open a file: put the files that it needs into one folder with the submission.py, and "
                    "check the folder: tengen check FOLDER.")
        else:
            return ""
        if name in self.files:
            return (f"{name} is part of the upload, but it is not looked for there: the site's current folder is "
                    "another. Open it as os.path.join(os.path.dirname(os.path.abspath(__file__)), NAME).")
        if (self.origin / name).is_file():
            return (f"{name} lies beside the file, but was not checked with it: upload it, too, and check the folder: "
                    "tengen check FOLDER.")
        return f"There is no {name} in the upload: put it into one folder with the submission.py, and check the folder."

    def _junk(self) -> CheckRow:
        """Send observations that no game has. The site sends none of these, so a failure is only a note."""
        with self.player.process() as agent:
            agent.start()
            for junk in JUNK:
                reply = agent.act(junk, 15, 15)
                if wrong := reply.fault.sentence if reply.fault else reply.bad_code:
                    return noted("junk", f"an observation like {junk!r}: {wrong}",
                                 "The site sends none today; handle it in case the site changes.")
        return passed("junk", "survives observations that no game has")


def _env(env: str, games: list[CheckedGame]) -> PlayedEnv:
    """How the games of one environment went: the first that failed speaks for all."""
    for game in games:
        if fault := game.fault:
            what = {Reason.CRASH: fault.sentence.replace("raised ", "", 1),
                    Reason.INNER_FAULT: fault.traceback.strip().rpartition("\n")[2]}.get(fault.reason)
            when = "first move" if game.steps == 0 else f"step {game.steps + 1}"
            where = None if game.what == RANDOM else game.what
            return PlayedEnv(env, f"{DOES[fault.reason]} {env}: {', '.join(filter(None, (what, when, where)))}")
    return PlayedEnv(env)


def _measured(games: list[CheckedGame]) -> Iterator[CheckRow]:
    """The questions about all games together: output, writing, slowest call, peak memory."""
    printed = next((game.printed for game in games if game.printed), "")
    if printed:
        yield failed("printing", f"it printed: {printed.strip()[:200]!r}", "The site logs it: print nothing.")
    else:
        yield passed("printing", "it printed nothing")
    faults = [game.fault for game in games if game.fault]
    if not any(fault.reason is Reason.WROTE for fault in faults):
        yield passed("observation", "never written to")
    if calls := [call for game in games for call in game.calls]:
        yield _limit_row("time", max(call.seconds for call in calls), LIMITS.seconds, "s", Reason.TIME)
    peak = max((game.peak_mb for game in games), default=0.0)
    if peak:                        # 0 on a system that does not tell it
        yield _limit_row("memory", peak, LIMITS.memory_mb, "MB", Reason.MEMORY)


def _limit_row(name: str, worst: float, limit: float, unit: str, reason: Reason) -> CheckRow:
    digits = 0 if unit == "MB" else 3
    found = f"at most {worst:.{digits}f} {unit} of {limit:g} {unit}"
    if worst > limit:
        return failed(name, found, MEND[reason])
    if worst > limit * TIGHT:
        return noted(name, found, "That is close to the limit, and the site's machine may be slower.")
    return passed(name, found)
