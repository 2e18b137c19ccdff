"""Background jobs of one page, each in its own thread. A job can be stopped, and can wait for the job that it replaces.

No function of this module blocks the event loop.
"""

import sys
import threading
import traceback
from collections.abc import Callable

from env_adapter import EnvError
from local_runner.errors import RunnerError
from local_runner.language.languages import _, speaking
from local_runner.server.answers import Refusal
from local_runner.server.pages import Page


class BackgroundJob:
    """A background job for the request `tag` of a page. An error in the job is answered with a Refusal.

    `work` is called with the job. `work` must check `stopped` often, or set `on_stop`, a function that stops the work
    and may be called in any thread. `after`: the job that this job replaces; the old job is stopped, and this job waits
    for its end.
    """

    def __init__(
        self, work: Callable[["BackgroundJob"], None], page: Page, tag: int, after: "BackgroundJob | None" = None
    ) -> None:
        self.on_stop: Callable[[], None] | None = None
        self._work, self._page, self._tag, self._language = work, page, tag, page.language
        self._stopped = threading.Event()
        if after is not None:
            after.stop()
        self._thread = threading.Thread(target=self._run, args=(after,), daemon=True)
        self._thread.start()

    @property
    def stopped(self) -> bool:
        """Whether the job has been told to stop."""
        return self._stopped.is_set()

    def stop(self) -> None:
        """Tell the job to stop; does not wait for its end."""
        self._stopped.set()
        if (stop := self.on_stop) is not None:
            stop()

    def wait(self, seconds: float) -> None:
        """Wait this many seconds, or until the job is told to stop."""
        self._stopped.wait(seconds)

    def _run(self, after: "BackgroundJob | None") -> None:
        if after is not None:
            after._thread.join()
        if self.stopped:
            return
        with speaking(self._language):
            try:
                self._work(self)
            except (RunnerError, EnvError) as error:
                self._refuse(str(error))
            except Exception:
                sys.stderr.write(traceback.format_exc())
                self._refuse(_("the server made a mistake; its window shows which"))

    def _refuse(self, sentence: str) -> None:
        if not self.stopped:
            self._page.send(Refusal(tag=self._tag, sentence=sentence))
