"""The pages that show a room. Pages enter and leave in the event loop. The room's thread sends states to the pages."""

import threading
import time
from typing import Protocol

from local_runner.language.languages import shown, speaking
from local_runner.server.answers import Refusal
from local_runner.server.parts import Wire
from local_runner.server.stored_room import RoomView


class Page(Protocol):
    """A connected page. `send` may be called from any thread."""

    language: str

    def send(self, message: Wire, key: str | None = None) -> None:
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
        """Send the room's state to a page now, in answer to the request `tag`, and after every change.

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
        """Send a view to all pages. `asker`: the page whose request `tag` this view answers."""
        with self._lock:
            # The first view answers the Enter of the pages that have waited for it.
            tags: dict[Page, int | None] = {
                page: entered if self.view is None else None for page, entered in self._pages.items()
            }
            self.view = view
        if asker is not None:
            tags[asker] = tag
        for page, number in tags.items():
            send_state(view, page, number)

    def refuse(self, sentence: str) -> None:
        """Refuse the Enter of all pages, also of pages that enter later. `sentence`: why the room has no view."""
        with self._lock:
            self.refusal = sentence
            tags = dict(self._pages)
        for page, tag in tags.items():
            _send_refusal(page, tag, sentence)


def _send_refusal(page: Page, tag: int, sentence: str) -> None:
    with speaking(page.language):
        page.send(Refusal(tag=tag, sentence=shown(sentence)))


def send_state(view: RoomView, page: Page, tag: int | None = None) -> None:
    """Send a state to one page, in its language."""
    with speaking(page.language):
        state = view.state(tag)
    page.send(state, key=f"state {view.room.room}" if tag is None else None)
