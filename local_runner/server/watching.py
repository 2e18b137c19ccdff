"""Watches a tournament for a page: reads it again when its file or the file of its running games has changed.

The files are never written. A page gets as many of the newest games as it asks for.
"""

from collections.abc import Callable
from pathlib import Path

from local_runner.matches.games import read
from local_runner.matches.live import games_now, live_path
from local_runner.matches.overview import Overview
from local_runner.server.answers import Watched
from local_runner.server.pages import BackgroundJob, Page
from local_runner.terminal.progress import Pace, lasting

EVERY_SECONDS = 0.5  # time between two checks whether the files have changed


class WatchedFile:
    """A tournament's file and the figures of its games so far.

    `name`: the tournament's name on the page. `most`: number of games in the list of a look, the newest.
    """

    def __init__(self, path: Path, name: str, most: int = 500) -> None:
        self._path, self._most = path, most
        self._overview = Overview(read(path), name)
        self._pace: Pace | None = None  # since the first look
        self._states: list[object] = []

    def changed(self) -> bool:
        """Whether the file or the file of its running games has changed since the last call, or the latter is stale."""
        before = self._states
        self._states = [*map(_state, (self._path, live_path(self._path))), bool(games_now(self._path))]
        return self._states != before

    def look(self, tag: int) -> Watched:
        """The tournament's present state, in the current language. Raises RunnerError if the file cannot be read."""
        overview = self._overview
        overview.refresh()
        plan, played, live = overview.games.plan, overview.standings.played, games_now(self._path)
        if self._pace is None:
            self._pace = Pace(plan.games, played)
        self._pace.to(played)
        left = self._pace.left if live and not plan.sprt else None
        return Watched(tag=tag, **overview.state(self._most, live, "" if left is None else lasting(left)))


def watching(page: Page, tag: int, path: Path, name: str, most: int) -> Callable[[BackgroundJob], None]:
    """The job for the request Watch."""

    def work(job: BackgroundJob) -> None:
        watched = WatchedFile(path, name, most)
        while not job.stopped:
            if watched.changed():
                page.send(watched.look(tag), key="watched")
            job.wait(EVERY_SECONDS)

    return work


def _state(path: Path) -> tuple[int, int]:
    """Time of change (ns) and size of a file; (0, 0) if there is none."""
    try:
        state = path.stat()
    except OSError:
        return 0, 0
    return state.st_mtime_ns, state.st_size
