"""The pages that show a room. Pages enter and leave in the event loop. The room's thread sends states to the pages."""

import threading
import time
from dataclasses import replace
from typing import Protocol

from local_runner.language.languages import shown, speaking
from local_runner.server.stored_room import RoomView
from local_runner.server.wire import Answer, refusal


class Page(Protocol):
    """A connected page. `send` may be called from any thread."""

    language: str

    def send(self, answer: Answer, key: str | None = None) -> None:
        """Queue a message. A message with a key may replace a queued message that has the same key."""


class RoomPages:
    """The pages of one room, and the last view sent to them. `alone_since`: time by `time.monotonic` at which the last
    page left. `refusal`: why the room has no view, "" if it has one or will have one.
    """

    def __init__(self) -> None:
        self.alone_since = time.monotonic()
        self.view: RoomView | None = None
        self.refusal = ""
        self._lock = threading.Lock()
        self._pages: dict[Page, int] = {}  # each with the tag of its Enter

    @property
    def alone(self) -> bool:
        """Whether no page shows the room."""
        return not self._pages

    def enter(self, page: Page, tag: int) -> None:
        """Send the room's state to a page now, in answer to the request `tag`, and every change later.

        The room's thread may have failed already; the page then gets the Refusal. The state is sent under the lock, so
        that it cannot come after a newer one.
        """
        with self._lock:
            self._pages[page] = tag
            if self.refusal:
                _send_refusal(page, tag, self.refusal)
            elif self.view is not None:
                send_state(self.view, page, tag)

    def leave(self, page: Page) -> None:
        """Send no more states to a page."""
        with self._lock:
            if self._pages.pop(page, None) is not None:
                self.alone_since = time.monotonic()

    def show(self, view: RoomView, asker: Page | None = None, tag: int | None = None) -> None:
        """Send a view to all pages: the new moves if there is nothing else, otherwise the whole state.

        `asker`: the page whose request `tag` this view answers.
        """
        with self._lock:
            before, pages = self.view, dict(self._pages)
            self.view = view = replace(view, version=before.version + 1) if before else view
        plies = len(before.room.position.moves) if before and view.continues(before) else None
        for page in pages if asker is None else {**pages, asker: 0}:
            # The first view answers the Enter of the pages that have waited for it.
            answered = tag if page is asker else pages[page] if before is None else None
            send_state(view, page, answered, plies if page in pages else None)

    def refuse(self, sentence: str) -> None:
        """Refuse the Enter of all pages, also of pages that enter later. `sentence`: why the room has no view."""
        with self._lock:
            self.refusal = sentence
            tags = dict(self._pages)
        for page, tag in tags.items():
            _send_refusal(page, tag, sentence)


def _send_refusal(page: Page, tag: int, sentence: str) -> None:
    with speaking(page.language):
        page.send(refusal(tag, shown(sentence)))


def send_state(view: RoomView, page: Page, tag: int | None = None, plies: int | None = None) -> None:
    """Send a state to one page, in its language; if `plies` is given, only the moves after so many plies."""
    with speaking(page.language):
        if plies is not None:
            page.send(view.moved(plies, tag))
        else:
            page.send(view.state(tag), key=f"state {view.room.room}" if tag is None else None)
