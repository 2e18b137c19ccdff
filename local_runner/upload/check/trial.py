"""Runs an upload as the site does: imports it and plays games in child processes with the site's limits.

The upload has been copied into an empty folder, so that it cannot import neighbouring files. If packages of the site
are missing here, failures are reported as not judged. The upload runs under a Python 3.7 if there is one, unless this
process's Python has more of those packages of the site that the upload imports.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from collections.abc import Iterable, Iterator, Set
from dataclasses import replace
from pathlib import PureWindowsPath

from local_runner.agents.source import unusable_advice
from local_runner.errors import AgentError
from local_runner.game.advice import BY_REASON, INSTALLED_THERE, Hint, advice, hint_of, is_of_newer_python, place_of
from local_runner.game.faults import Fault, FieldValue, Reason
from local_runner.game.records import Loaded
from local_runner.game.setup import called
from local_runner.game.wording import busy_text, fault_text
from local_runner.language.languages import COMMA, STEPS, Listing, Message, Series, amount
from local_runner.language.text import in_line
from local_runner.processes.interpreters import Interpreter, current, find_python37
from local_runner.system import manual
from local_runner.upload.bundle import NATIVE
from local_runner.upload.check.files import KINDS, Upload
from local_runner.upload.check.games import LIMITS, RANDOM, CheckedGame, GamePlayer
from local_runner.upload.check.report import CheckRow, Verdict, failed, noted, passed

# Finds the package's name in Python's error messages for a package that is missing or has another version.
NOT_THE_SITES = re.compile(r"(?:No module named|cannot import name '\w+' from|module) '(\w+)[.']")
SITES_NUMPY = "1.19.5"
SITES = {"numpy": SITES_NUMPY, "gym": "0.18.3", "torch": "1.9.0"}  # the versions that are known
TRY_IMPORTS = """\
import sys
for name in sys.argv[1:]:
    try:
        __import__(name)
    except Exception:
        print(name)
"""


class ChosenPython:
    """The Python under which an upload runs; `imported`: the packages that the upload imports, also inside functions.

    python: the interpreter
    rows: notes on the choice for the report
    """

    def __init__(self, imported: Set[str]) -> None:
        here, python37, needed = current(), find_python37(), imported & INSTALLED_THERE
        lacking = {python: lacks(python, needed) for python in (python37, here) if python}
        self.python = min(lacking, key=lambda python: len(lacking[python]))  # ties go to Python 3.7, the first key
        self._lacking = lacking[self.python]
        found = Message("no Python 3.7 here")
        advice = Message("It ran under this Python; put a python3.7 on the PATH for a stricter check.")
        if python37:
            missed = Listing(sorted(lacking[python37] - lacking[self.python]))
            sentence = Message("Python 3.7 here lacks {packages}: run under Python {version}")
            found = Message(sentence, packages=missed, version=self.python.version)
            sentence = Message("For a stricter check install {packages} for it (for numpy, {prepare}).")
            advice = Message(sentence, packages=missed, prepare=manual.PREPARE)
        self.rows = [] if self.python is python37 else [noted(Message("python"), found, advice)]

    def unjudged(self, rows: list[CheckRow]) -> CheckRow | None:
        """A row that lists missing packages of the site; None if none is missing.

        `rows`: the check's other rows; packages that failures in them name also count as missing.
        """
        failures = " ".join(row.found + row.traceback for row in rows)
        lacking = self._lacking | set(NOT_THE_SITES.findall(failures)) & INSTALLED_THERE
        if self.python.numpy == SITES_NUMPY:
            lacking -= {"numpy"}
        if is_of_newer_python(self.python.version, failures):
            lacking |= {"Python 3.7"}
        if not lacking:
            return None
        packages = Listing(sorted(lacking))
        found = Message("{python}: without the site's {packages}", python=self.python.title, packages=packages)
        others = [f"{name}=={SITES[name]}" if name in SITES else name for name in sorted(lacking & INSTALLED_THERE)]
        advice = Message("For the site's Python and numpy, {prepare}; then check again.")
        if others != [f"numpy=={SITES_NUMPY}"] * len(others):
            advice = Message(
                "For the site's versions, {prepare}, then install {packages} there with pip. They take seconds to "
                "import, which probably count: if you can, do without them."
            )
        fields = {"packages": " ".join(others), "prepare": manual.PREPARE}
        return CheckRow(Message("python"), Verdict.OPEN, found, Message(advice, **fields))


def lacks(python: Interpreter, packages: Set[str]) -> set[str]:
    """The members of `packages` that this Python cannot import."""
    if not packages:
        return set()
    done = subprocess.run(
        [str(python.path), "-c", TRY_IMPORTS, *sorted(packages)], capture_output=True, text=True, cwd=python.path.parent
    )
    return set(packages) if done.returncode else set(done.stdout.split()) & packages


TIGHT = 0.9  # a use above this share of a limit causes a note, since the site's machine may be slower
SLOW_IMPORT = 1.0  # seconds; a longer import causes a note, since the import may count as part of the first call
# Error messages about a missing file or module.
MISSING = re.compile(r"(?:No such file or directory|Errno 2\]|not found|does not exist)[^'\"\n]*['\"]([^'\"\n]+)")
ABSOLUTE = re.compile(r"[/~]|\w:[/\\]")
OPENING = re.compile(r"\b(FileNotFoundError|NotADirectoryError|IsADirectoryError|PermissionError)\b")
MISSING_MODULE = re.compile(r"No module named '([\w.]+)'")

# Advice on a file or module that is missing, by the reason. CHECK_FOLDER follows, except for "uploaded".
ABSENT = {
    "opening": Message("It could not open a file: put the files that it needs into one folder with the submission.py."),
    "folder": Message("The site takes no folders: put the files of {file} beside the submission.py, and import them "
                      "with `from .{module} import ...`."),
    "absolute": Message("The site has no {path}: put {file} beside the submission.py, and open it as os.path.join("
                        "os.path.dirname(os.path.abspath(__file__)), {file!r})."),
    "kind": Message("The site takes only {kinds}, not {file}: save the data as .json or .pkl (tensors as .pt or .pth), "
                    "put that file beside the submission.py, and open it there."),
    "uploaded": Message("{file} is part of the upload, but it is not looked for there: the site's current folder is "
                        "another. Open it as os.path.join(os.path.dirname(os.path.abspath(__file__)), {file!r})."),
    "nowhere": Message("There is no {file} beside the submission.py: put it there."),
    "module": Message("{file} lies beside the file, but was not checked with it: upload it, too, and import it with "
                      "`from .{module} import ...`."),
    "beside": Message("{file} lies beside the file, but was not checked with it: upload it, too."),
}  # fmt: skip
CHECK_FOLDER = Message("{advice} Then check the folder: `tengen check {folder}`.")

# Reason of a lost game -> words for the verdict.
LOST = {
    Reason.ILLEGAL_MOVE: Message("plays illegal moves on {game}: {how}"),
    Reason.BAD_SHAPE: Message("answers in the wrong form on {game}: {how}"),
    Reason.CRASH: Message("crashes on {game}: {how}"),
    Reason.TIME: Message("is too slow on {game}: {how}"),
    Reason.MACHINE: Message("could not be measured on {game}: {how}"),
    Reason.MEMORY: Message("needs too much memory on {game}: {how}"),
    Reason.WROTE: Message("writes into the board of {game}: {how}"),
    Reason.PROTOCOL: Message("breaks the runner's pipe on {game}: {how}"),
    Reason.ENGINE_ANSWER: Message("breaks its protocol on {game}: {how}"),
    Reason.INNER_FAULT: Message("catches faults of its own on {game}: {how}"),
}


class Trial:
    """Runs one upload and makes the rows of the report about it. `player`: of a copy of the upload."""

    def __init__(self, upload: Upload, player: GamePlayer, chosen: ChosenPython) -> None:
        self.upload, self.player, self.chosen, self.main = upload, player, chosen, player.spec.path
        self.envs: dict[str, str] = {}  # game -> how the file fails, "" if it does not
        self.stopped = False  # whether a game was stopped because the time was up

    def rows(self, envs: list[str]) -> list[CheckRow]:
        """Run the upload; returns the rows of all questions and sets `envs` to the outcome of each game."""
        rows = list(self._rows(envs))
        if unjudged := self.chosen.unjudged(rows):
            rows = [unjudged, *(replace(row, verdict=Verdict.OPEN, mend="") if row.verdict is Verdict.FAILED else row
                                for row in rows)]  # fmt: skip
        return self.chosen.rows + rows

    def _rows(self, envs: list[str]) -> Iterator[CheckRow]:
        rows, loaded = self._import()
        yield from rows
        if not loaded:
            return
        games = [replace(game, fault=game.fault and self._shown(game.fault)) for game in self.player.play(envs)]
        games = list(_with_own_hints(games))
        self.envs = {env: failure(game for game in games if game.env == env) for env in envs}
        self.stopped = any(game.stopped for game in games)
        yield from (game_row(game, self.upload) for game in games)
        yield from measured(games)

    def _import(self) -> tuple[list[CheckRow], bool]:
        """Import the upload; returns the rows, and whether the import succeeded."""
        with self.player.process() as agent:
            try:
                loaded, report = agent.start(), agent.report()
            except AgentError:
                assert agent.unusable is not None
                fault = self._shown(agent.unusable)
                mend = unusable_advice(agent.unusable, self.main) or BY_REASON[fault.reason]
                return [failed(Message("import"), fault_text(fault), mend)], False
        if loaded.fault:
            loaded = replace(loaded, fault=self._shown(loaded.fault))
        rows = [import_row(loaded, self.chosen.python, self.upload)]
        if beside := sorted({*report.siblings, *report.shadowed}):
            found = Message("imports from its own folder: {names}", names=Listing(beside))
            mend = Message("The site does not look there: write `from .{name} import ...`, or make it one file.")
            rows.append(failed(Message("siblings"), found, Message(mend, name=beside[0])))
        return rows, loaded.fault is None

    def _shown(self, fault: Fault) -> Fault:
        """The fault with the upload's own names instead of those of its copy."""

        def named(text: FieldValue) -> FieldValue:
            whole = text.replace(str(self.main), self.upload.name) if isinstance(text, str) else text
            return whole.replace(f"{self.main.parent}{os.sep}", "") if isinstance(whole, str) else whole

        fields = {key: named(value) for key, value in fault.fields.items()}
        return replace(fault, fields=fields, traceback=str(named(fault.traceback)))


def _with_own_hints(games: list[CheckedGame]) -> Iterator[CheckedGame]:
    """The games. The hint "it was not the agent's turn" is removed from faults that happen on turn, too."""
    off_turn = (Hint.OFF_TURN, Hint.RAISED_OFF_TURN)
    others = {_place(game.fault) for game in games if game.fault and hint_of(game.fault.fields) not in off_turn}
    for game in games:
        if game.fault and hint_of(game.fault.fields) in off_turn and _place(game.fault) in others:
            fields = {key: value for key, value in game.fault.fields.items() if key != "hint"}
            yield replace(game, fault=replace(game.fault, fields=fields))
        else:
            yield game


def _place(fault: Fault) -> tuple[object, ...]:
    return fault.kind, place_of(fault.traceback)


def import_row(loaded: Loaded, python: Interpreter, upload: Upload) -> CheckRow:
    """The row on the import: whether it succeeded, its time and memory, and the Python."""
    if loaded.fault:
        mend = missing_file(loaded.fault, upload) or advice(replace(loaded.fault, loading=True))
        row = failed(Message("import"), fault_text(loaded.fault), mend, loaded.fault.traceback)
        return replace(row, verdict=_lost(loaded.fault), cause=loaded.fault.kind.value)
    sentence = Message("{seconds:.2f} s, {memory:.0f} MB, {python}")
    found = Message(sentence, seconds=loaded.seconds, memory=loaded.import_mb, python=python.title)
    if loaded.seconds > SLOW_IMPORT:
        mend = Message("The import may count against the time of the first call: do less in it.")
        return noted(Message("import"), found, mend)
    return passed(Message("import"), found)


def _lost(fault: Fault) -> Verdict:
    """The verdict on a fault: a machine that is too busy to measure says nothing about the upload."""
    return Verdict.OPEN if fault.reason is Reason.MACHINE else Verdict.FAILED


def game_row(game: CheckedGame, upload: Upload) -> CheckRow:
    """The row on one game."""
    if fault := game.fault:
        found = Message("step {number}: {what}", number=game.steps + 1, what=fault_text(fault))
        mend = missing_file(fault, upload) or advice(fault)
        cause = fault.kind.value
        return CheckRow(game.name, _lost(fault), found, mend, fault.traceback, game.env, game.what, cause)
    steps = amount(game.steps, STEPS)
    if game.result:
        sentence = Message("{steps}, {end}, no replaced moves", steps=steps, end=game.result.text)
    elif game.stopped:
        sentence = Message("{steps} without a fault; stopped then, because the time of the check was up", steps=steps)
    else:
        sentence = Message("{steps} without a fault; it takes no more", steps=steps)
    return CheckRow(game.name, Verdict.PASSED, sentence, env=game.env, what=game.what)


def missing_file(fault: Fault, upload: Upload) -> str:
    """Advice if a fault's text says that a file or module is missing, else ""."""
    text, name, module = fault_text(fault)[:1000] + fault.traceback[-1000:], "", ""
    origin = upload.main.parent
    if found := MISSING.search(text):
        name = PureWindowsPath(found[1]).name  # takes both / and \ as separators
    elif missing := MISSING_MODULE.search(text):
        # `from .NAME import` is reported as algo.upload.NAME
        _before, package, inside = missing[1].rpartition("upload.")
        top = inside.split(".")[0]
        name = top if (origin / top).is_dir() else f"{top}.py"
        module = "" if package else top
        if not (origin / name).exists():
            return ""
    elif not OPENING.search(fault_text(fault)):
        return ""
    beside = origin / name
    if not name:
        why = "opening"
    elif beside.is_dir():
        why, module = "folder", min((path.stem for path in beside.glob("[!_]*.py")), default="NAME")
    elif found and beside.suffix not in KINDS:
        why = "kind"
    elif found and ABSOLUTE.match(found[1]):
        why = "absolute"
    elif beside in upload.files:
        why = "uploaded"
    else:
        why = "nowhere" if not beside.exists() else "module" if module else "beside"
    path, folder = (found[1] if found else ""), shlex.quote(str(origin))
    sentence = Message(ABSENT[why], file=name, module=module, kinds=" ".join(KINDS), path=path)
    return sentence if why == "uploaded" else Message(CHECK_FOLDER, advice=sentence, folder=folder)


def failure(games: Iterable[CheckedGame]) -> str:
    """The failure of the first game that failed, in the words of the verdict; "" if no game failed."""
    for game in games:
        if fault := game.fault:
            what = str(fault.fields.get("error", fault_text(fault)))
            what = what if fault.reason in (Reason.CRASH, Reason.INNER_FAULT) else ""
            when = Message("step {number}", number=game.steps + 1) if game.steps else Message("first move")
            how = Series(filter(None, (what, when, None if game.what == RANDOM else game.what)), COMMA)
            return Message(LOST[fault.reason], game=called(game.env), how=how)
    return ""


def measured(games: list[CheckedGame]) -> Iterator[CheckRow]:
    """The rows on all games together: output, writing into observations, slowest call, peak memory."""
    printed = next((game.printed for game in games if game.printed), "")
    if printed:
        found = Message("it printed: {text}", text=repr(printed.strip()[:200]))
        mend = Message("The site logs it, and it takes time: print nothing in the version that you upload.")
        yield noted(Message("printing"), found, mend)
    else:
        yield passed(Message("printing"), Message("it printed nothing"))
    thoughts = [call.thought for game in games for call in game.calls if call.thought]
    if why := next((why for thought in thoughts if (why := thought.get("not_native"))), None):
        yield noted(Message("engine"), Message("the Python engine played: {why}", why=in_line(str(why))))
    elif any(thought.get("engine") == NATIVE for thought in thoughts):
        mend = Message("The rules of the site decide whether it takes compiled code: ask before you upload.")
        yield noted(Message("engine"), Message("the compiled engine played"), mend)
    if risky := next((game for game in games if game.risky and not game.fault), None):
        assert risky.risky is not None
        found = Message("{game}: the site's code reads the move, but it {what}", game=risky.name,
                        what=fault_text(risky.risky))  # fmt: skip
        yield noted(Message("answers"), found, advice(risky.risky))
    if changed := next((game for game in games if game.memory), None):
        mend = Message(
            "What the module keeps, from a game before or for the other colour, changes its moves, mostly for the "
            "worse: keep it for each chess_player_idx, and clear it when the board has fewer stones."
        )
        yield noted(Message("memory of games"), Message("{game}, {what}", game=changed.name, what=changed.memory), mend)
    if not any(game.fault and game.fault.reason is Reason.WROTE for game in games):
        yield passed(Message("observation"), Message("never written to"))
    if calls := [call for game in games for call in game.calls]:
        slowest = max(call.seconds for call in calls)
        found = Message("at most {most:.3f} s of {limit:g} s", most=slowest, limit=LIMITS.seconds)
        row = _limit_row(Message("time"), found, slowest / LIMITS.seconds, Reason.TIME)
        busy = busy_text(min(game.core_share for game in games))
        yield noted(row.name, row.found, busy) if busy and row.verdict is Verdict.PASSED else row
    peak = max((game.peak_mb for game in games), default=0.0)
    if peak:  # 0 on a system that does not report it
        found = Message("at most {most:.0f} MB of {limit:g} MB", most=peak, limit=LIMITS.memory_mb)
        yield _limit_row(Message("memory"), found, peak / LIMITS.memory_mb, Reason.MEMORY)


def _limit_row(name: Message, found: Message, share: float, reason: Reason) -> CheckRow:
    """The row on the use of a limit; `share`: largest use divided by the limit."""
    if share > 1:
        return failed(name, found, BY_REASON[reason])
    if share > TIGHT:
        return noted(name, found, Message("That is close to the limit, and the site's machine may be slower."))
    return passed(name, found)
