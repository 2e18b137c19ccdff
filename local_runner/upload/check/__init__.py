"""`tengen check FILE`: runs an upload as the site would, and tells the user what to mend.

`files.py` has the rows that need no run; `trial.py` imports the file and `games.py` plays games with it; `report.py`
shows the findings. The check accepts any file and does not change it.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter

from rich.console import Console
from rich.status import Status
from rich.text import Text

from env_adapter import Platform, kinds, make, names
from local_runner.agents.declared_games import games_of, plays
from local_runner.agents.source import MAIN
from local_runner.agents.spec import AgentSpec
from local_runner.errors import RunnerError
from local_runner.game.faults import FaultKind
from local_runner.language.languages import STEPS, Message, Series, _, amount, shown, unknown
from local_runner.processes.sandbox import SandboxMode, SandboxName, sandbox_mode
from local_runner.system.checks import check_counts
from local_runner.system.header import physical_cores
from local_runner.upload.check.files import CAUSES, check_files, facts_of, notes, unused, upload_of
from local_runner.upload.check.games import GamePlayer, Progress
from local_runner.upload.check.report import CheckReport, Verdict, failed
from local_runner.upload.check.trial import ChosenPython, Trial

ALL = "all"
LINE_SECONDS = 5.0  # least time between two lines about the running games


def check(
    path: str | os.PathLike[str], games: str | Sequence[str] | None = None, *, quick: bool = False,
    jobs: int | None = None, sandbox: SandboxName | SandboxMode = "auto", progress: Progress | None = None,
    name: str = "", given_up: threading.Event | None = None,
) -> CheckReport:  # fmt: skip
    """Check a submission as the site will run it, before the upload.

    Args:
        path: A submission.py, or the folder with it and its data.
        games: A game or games that it must play; `"all"` for every game. By default the games that it declares,
            else all games of the site.
        quick: Take under 30 s: a slow agent plays only a few moves of each game. Otherwise two minutes.
        jobs: The number of games at once; by default the number of physical cores.
        sandbox: `"auto"`, `"on"` or `"off"`, as the option `--sandbox`.
        progress: Called at each step of a game, as in games.py.
        name: The name of the main file in the report; by default its own.
        given_up: Set by another thread, it ends the check at once; the report then says nothing.

    Returns:
        The report. `good` is True, False, or None if this machine cannot judge; `verdict` is one sentence; `rows` has
        a finding and the advice for each question. `print(report)` shows what `tengen check` prints.

    Raises:
        TengenError: The file is missing or cannot be read, or a game is unknown.

    Examples:
        >>> from pathlib import Path
        >>> _ = Path("my_agent.py").write_text("def my_controller(observation, action_space, is_act_continuous=False):")
        >>> report = check("my_agent.py", quick=True)
        >>> report.good, report.verdict
        (False, 'Do not upload: mend syntax.')
    """
    check_counts(jobs=jobs)
    file, envs, mode = Path(path), [games] if isinstance(games, str) else list(games or ()), sandbox_mode(sandbox)
    for env in sorted(set(envs) - set(names()) - {ALL}):
        raise RunnerError(unknown(_("game"), env, [*names(), ALL]))
    upload = upload_of(file)
    upload = upload._replace(name=name or upload.name)
    if upload.main.suffix != ".py":
        found = Message("{file} is not a Python file", file=upload.main.name)
        mend = Message("The site runs {main}: check that file.", main=MAIN)
        return CheckReport(str(file), "", (failed(Message("files"), found, mend),))
    read = facts_of(upload)
    rows = list(check_files(upload, read))
    if any(row.name in ("syntax", "platform") and row.verdict is Verdict.FAILED for row in rows):
        return CheckReport(str(file), "", tuple(rows))
    wanted = names() if ALL in envs else list(dict.fromkeys(envs))
    if not wanted:  # by default, games of other platforms than the site only if the file declares them by name
        declared = games_of(AgentSpec(upload.main.stem, upload.main, {}))
        wanted = [kind.name for kind in kinds() if plays(declared, make(kind.name))
                  and (kind.platform is Platform.JIDI or kind.name in (declared or ()))]  # fmt: skip
    chosen = ChosenPython({name for source in read.values() for name in source.packages})
    with tempfile.TemporaryDirectory(prefix="tengen-check-") as folder:
        main = Path(folder, "upload", MAIN)
        main.parent.mkdir()
        for path in filter(Path.is_file, upload.files):
            shutil.copy(path, main if path == upload.main else main.with_name(path.name))
        player = GamePlayer(AgentSpec(main.stem, main, {}), chosen.python.path, Path(folder),
                            progress or (lambda *_step: None), mode, jobs or physical_cores(), quick=quick,
                            given_up=given_up or threading.Event())  # fmt: skip
        trial = Trial(upload, player, chosen)
        rows += trial.rows(wanted)
        if {row.cause for row in rows} & {FaultKind.ILLEGAL.value, FaultKind.WROTE.value}:
            rows += notes(read, CAUSES)
        if trial.envs:
            rows += unused(upload, read, player.loaded)
    return CheckReport(str(file), chosen.python.title, tuple(rows), trial.envs, quick, quick and trial.stopped)


# ---- progress


class ConsoleProgress:
    """Shows the running games in the status line of a terminal, or else in a line every LINE_SECONDS."""

    def __init__(self, console: Console, status: Status | None = None) -> None:
        self._console, self._status, self._told = console, status, perf_counter()
        self._lock, self._running = threading.Lock(), dict[str, int]()  # game -> its steps

    def __call__(self, game: str, steps: int, ended: bool, games: int) -> None:
        with self._lock:
            self._running[game] = steps
            if ended:
                del self._running[game]
            sentence, running = _("{game}: step {number}"), self._running.items()
            now = Text(shown(Series(sentence.format(game=shown(each), number=number) for each, number in running)))
            if self._status is not None:
                self._status.update(now)
            elif ended:
                line = _("{game}: {steps}").format(game=shown(game), steps=shown(amount(steps, STEPS)))
                self._console.print(Text(line), soft_wrap=True)
            elif perf_counter() - self._told >= LINE_SECONDS:
                self._told = perf_counter()
                self._console.print(now, soft_wrap=True)


@contextmanager
def showing(console: Console) -> Iterator[Progress]:
    """A Progress that is shown on the console while the `with` block runs."""
    if console.is_terminal:
        with console.status(_("reading the file")) as status:
            yield ConsoleProgress(console, status)
    else:
        yield ConsoleProgress(console)
