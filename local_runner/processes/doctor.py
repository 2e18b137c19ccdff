"""`tengen doctor`: shows which sandbox this machine has and tests it with a probe that tries forbidden actions."""

import json
import os
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from rich.console import Console
from rich.table import Table
from rich.text import Text

from local_runner.game.setup import GameSetup
from local_runner.language.languages import Message, _, shown
from local_runner.language.text import in_line
from local_runner.processes import host_process, interpreters, sandbox
from local_runner.processes.engine.engine_process import EngineProcess, Question
from local_runner.processes.sandbox import HostScript, SandboxMode

PROBE = Path(__file__).parent / "agent_side" / "doctor_probe.py"
MODE = SandboxMode.ON
# Action that the probe tries -> text if the sandbox prevents it.
ATTEMPTS = {
    "read": Message("cannot read your files"),
    "write": Message("cannot write outside a folder of its own"),
    "signal": Message("cannot send signals to the runner"),
    "processes": Message("cannot look at other processes"),
    "network": Message("has no network"),
    "new processes": Message("can start no processes"),
}


@dataclass(frozen=True)
class Finding:
    """A question, whether the answer is good, the answer in words; `decides`: whether a bad answer is exit code 1."""

    question: str
    good: bool
    found: str
    decides: bool = True


def examine() -> Iterator[Finding]:
    """All findings on this machine; the last findings are the probe's results in the best sandbox."""
    for box in (sandbox.BUBBLEWRAP, sandbox.LANDLOCK):
        why = box.why_not()
        yield Finding(shown(box.title), not why, why or _("works"), decides=False)
    python37 = interpreters.find_python37()
    version = shown(python37.title) if python37 else _("none; agents run under this Python")
    yield Finding("Python 3.7", python37 is not None, version, decides=False)
    with EngineProcess() as engine:
        compiled = engine.ask(Question(GameSetup("tictactoe_1v1"), (), nodes=1)).compiled
    found = _("compiled engine") if compiled else _("Python engine, thirty times slower than the compiled engine")
    yield Finding(_("our engine"), compiled, found, decides=False)
    best, started = sandbox.best(), perf_counter()
    succeeded = probed() if best.confined else None
    if succeeded is None:
        rights = _("have all rights of your user; {how}").format(how=shown(sandbox.HOW_TO_GET))
        yield Finding(_("agents"), False, _("do not start in the sandbox") if best.confined else rights)
        return
    sentence = _("{kind}; the probe took {seconds:.2f} s")
    sentence = sentence.format(kind=shown(best.title), seconds=perf_counter() - started)
    yield Finding(_("sandbox in use"), True, sentence)
    for attempt, sentence in ATTEMPTS.items():
        yield Finding(_("an agent"), attempt not in succeeded, shown(sentence))


def probed() -> list[str] | None:
    """The names of the forbidden actions that succeeded in the sandbox; None if the probe did not run."""
    # The canary lies in the home folder if that is writable, because bubblewrap replaces /tmp in any case.
    home = Path.home() if os.access(Path.home(), os.W_OK) else None
    started = Path("/proc/self/stat").read_text().rpartition(")")[2].split()[19]  # see proc(5), field 22
    with tempfile.TemporaryDirectory(prefix="tengen-doctor-", dir=home) as folder:
        canary = Path(folder, "canary")
        canary.write_text("an agent must not read this")
        try:
            probe = HostScript(PROBE, sys.executable, MODE, (str(canary), str(os.getpid()), started))
            succeeded = json.loads(host_process.run(probe, seconds=sandbox.PROBE_SECONDS).answer)
        except (TimeoutError, ValueError):
            return None
    return succeeded if isinstance(succeeded, list) else None


def show(findings: list[Finding], console: Console) -> None:
    """Print the findings as a table."""
    table = Table.grid(padding=(0, 2))
    for each in findings:
        style = "green" if each.good else "bold red" if each.decides else "yellow"
        mark = Text(_("ok") if each.good else _("NO"), style=style)
        table.add_row(Text(each.question), mark, Text(in_line(each.found)))
    console.print(table)
