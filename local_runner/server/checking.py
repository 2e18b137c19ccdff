"""`tengen check` for one upload, with its progress on the page. The games run in the sandbox as they always do."""

import threading
from collections.abc import Callable
from pathlib import Path

from local_runner.errors import RunnerError
from local_runner.language import languages
from local_runner.language.amounts import STEPS, amount
from local_runner.language.languages import _, shown, speaking
from local_runner.language.text import ending, printable
from local_runner.processes.sandbox import SandboxMode
from local_runner.server.jobs import BackgroundJob
from local_runner.server.messages import Check, Checked
from local_runner.server.visitors import Visitor
from local_runner.upload.check import check
from local_runner.upload.check.progress import Progress
from local_runner.upload.check.report import CheckReport, Verdict

CHECKS = threading.BoundedSemaphore(2)  # at once; each plays several games at once
MOST_DETAIL = 20_000  # characters of a traceback
SEVERITY = {Verdict.PASSED: "ok", Verdict.NOTED: "note", Verdict.OPEN: "open", Verdict.FAILED: "failed"}


class _Unwanted(Exception):
    """The page does not wait for the check any more."""


class PageProgress(Progress):
    """Tells a page how far the games are; several threads of the check call it. Ends the check if it is unwanted."""

    def __init__(self, page: Visitor, tag: int, job: BackgroundJob) -> None:
        self._page, self._tag, self._job, self._language = page, tag, job, languages.used()

    def reached(self, game: str, steps: int) -> None:
        if self._job.stopped:
            raise _Unwanted
        with speaking(self._language):
            self._tell(_("{game}: step {number}").format(game=shown(game), number=steps), key=f"check {game}")

    def ended(self, game: str, steps: int) -> None:
        with speaking(self._language):
            self._tell(_("{game}: {steps}").format(game=shown(game), steps=shown(amount(steps, STEPS))))

    def _tell(self, text: str, key: str | None = None) -> None:
        self._page.send(Checked(tag=self._tag, text=text), key=key)


def checking(page: Visitor, wish: Check, path: Path, name: str, mode: SandboxMode) -> Callable[[BackgroundJob], None]:
    """The work of Check. `path`: of the upload's file; `name`: under which the page sent it."""

    def work(job: BackgroundJob) -> None:
        if not CHECKS.acquire(blocking=False):
            raise RunnerError(_("other uploads are being checked; wait until they are done"))
        try:
            page.send(Checked(tag=wish.tag, text=_("reading {file}").format(file=name)))
            found = check(path, quick=wish.quick, progress=PageProgress(page, wish.tag, job), mode=mode)
        except _Unwanted:
            return
        finally:
            CHECKS.release()
        page.send(_answer(wish.tag, found))

    return work


def _answer(tag: int, found: CheckReport) -> Checked:
    findings = [
        {
            "severity": SEVERITY[row.verdict],
            "title": printable(_("{question}: {found}").format(question=shown(row.name), found=shown(row.found))),
            "mend": printable(shown(row.mend)),
            "detail": ending(row.traceback, MOST_DETAIL),
        }
        for row in sorted(found.rows, key=lambda row: -list(Verdict).index(row.verdict))
    ]
    return Checked(
        tag=tag, text="", finished=True, ready=found.good, verdict=printable(shown(found.verdict)), findings=findings
    )
