"""Checks an upload as `tengen check` does, in the sandbox, and reports the progress to the page."""

import threading
from collections.abc import Callable
from pathlib import Path

from local_runner.errors import RunnerError
from local_runner.language import languages
from local_runner.language.amounts import STEPS, amount
from local_runner.language.languages import _, shown, speaking
from local_runner.language.text import ending, printable
from local_runner.processes.sandbox import SandboxMode
from local_runner.server.answers import Checked, Finding
from local_runner.server.jobs import BackgroundJob
from local_runner.server.pages import Page
from local_runner.server.requests import Check
from local_runner.upload.check import check
from local_runner.upload.check.progress import Progress
from local_runner.upload.check.report import CheckReport, Verdict

CHECKS = threading.BoundedSemaphore(2)  # checks at once; each check plays several games at once
MOST_DETAIL = 20_000  # characters of a traceback
SEVERITY = {Verdict.PASSED: "ok", Verdict.NOTED: "note", Verdict.OPEN: "open", Verdict.FAILED: "failed"}


class _Stopped(Exception):
    """The page no longer wants the check."""


class PageProgress(Progress):
    """Tells a page how many steps each game has made. Several threads of the check call its methods.

    Raises _Stopped, which ends the check, when the page no longer wants the check.
    """

    def __init__(self, page: Page, tag: int, job: BackgroundJob) -> None:
        self._page, self._tag, self._job, self._language = page, tag, job, languages.current()
        self._lock, self._done, self._all = threading.Lock(), 0, 0

    def planned(self, games: int) -> None:
        self._all = games

    def reached(self, game: str, steps: int) -> None:
        if self._job.stopped:
            raise _Stopped
        with speaking(self._language):
            text = _("{game}: step {number}").format(game=shown(game), number=steps)
            self._page.send(Checked(tag=self._tag, text=text, done=self._done, all=self._all), key=f"check {game}")

    def ended(self, game: str, steps: int) -> None:
        with self._lock, speaking(self._language):
            self._done += 1
            text = _("{game}: {steps}").format(game=shown(game), steps=shown(amount(steps, STEPS)))
            self._page.send(Checked(tag=self._tag, text=text, done=self._done, all=self._all))


def checking(page: Page, request: Check, path: Path, name: str, mode: SandboxMode) -> Callable[[BackgroundJob], None]:
    """The background job for the request Check. `path`: the upload's file. `name`: its name in the browser."""

    def work(job: BackgroundJob) -> None:
        if not CHECKS.acquire(blocking=False):
            raise RunnerError(_("other uploads are being checked; wait until they are done"))
        try:
            page.send(Checked(tag=request.tag, text=_("reading {file}").format(file=name)))
            report = check(
                path, quick=request.quick, progress=PageProgress(page, request.tag, job), mode=mode, name=name
            )
        except _Stopped:
            return
        finally:
            CHECKS.release()
        page.send(_answer(request.tag, report))

    return work


def _answer(tag: int, report: CheckReport) -> Checked:
    findings = tuple(
        Finding.model_validate({
            "severity": SEVERITY[row.verdict],
            "title": printable(_("{question}: {found}").format(question=shown(row.name), found=shown(row.found))),
            "mend": printable(shown(row.mend)),
            "detail": ending(row.traceback, MOST_DETAIL),
        })
        for row in sorted(report.merged, key=lambda row: -list(Verdict).index(row.verdict))
    )  # fmt: skip
    verdict = printable(shown(report.verdict))
    return Checked(tag=tag, text="", finished=True, ready=report.good, few_moves=report.few_moves, verdict=verdict,
                   findings=findings)  # fmt: skip
