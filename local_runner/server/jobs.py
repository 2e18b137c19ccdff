"""Work in the background for one page: a thread for each piece. It can be stopped; a new piece waits for the old one.

Nothing here waits in the event loop.
"""

import sys
import threading
import traceback
from collections.abc import Callable

from env_adapter import EnvError
from local_runner.errors import RunnerError
from local_runner.language.languages import _, speaking


class BackgroundJob:
    """A piece of work. `work`: gets the job; it should look at `stopped`, or set `on_stop`, which any thread may call.

    `failed`: called with the sentence of an error. `language`: of what it writes. `after`: the job that it replaces.
    """

    def __init__(
        self, work: Callable[["BackgroundJob"], None], failed: Callable[[str], None], language: str,
        after: "BackgroundJob | None" = None,
    ) -> None:  # fmt: skip
        self.on_stop: Callable[[], None] | None = None
        self._work, self._failed, self._language, self._after = work, failed, language, after
        self._stopped = threading.Event()
        if after is not None:
            after.stop()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    @property
    def stopped(self) -> bool:
        """Whether the work is no longer wanted."""
        return self._stopped.is_set()

    def stop(self) -> None:
        """Let the work end soon, without waiting."""
        self._stopped.set()
        if (stop := self.on_stop) is not None:
            stop()

    def wait(self, seconds: float) -> None:
        """Wait so long, or until the work is no longer wanted."""
        self._stopped.wait(seconds)

    def join(self, seconds: float | None = None) -> None:
        """Wait until the work has ended."""
        self._thread.join(seconds)

    def _run(self) -> None:
        after, self._after = self._after, None
        if after is not None:
            after.join()
        if self.stopped:
            return
        with speaking(self._language):
            try:
                self._work(self)
            except (RunnerError, EnvError) as error:
                self._say(str(error))
            except Exception:
                sys.stderr.write(traceback.format_exc())
                self._say(_("the server made a mistake; its window shows which"))

    def _say(self, sentence: str) -> None:
        if not self.stopped:
            self._failed(sentence)
