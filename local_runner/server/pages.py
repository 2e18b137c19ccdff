"""The pages that show a room. Pages enter and leave in the event loop. The room's thread sends states to the pages."""

import threading
import time
from typing import Protocol

from local_runner.language.languages import speaking
from local_runner.server.answers import Refusal
from local_runner.server.parts import Wire
from local_runner.server.stored_room import RoomView


class Page(Protocol):
    """A connected page. `send` may be called from any thread."""

    language: str

    def send(self, message: Wire, key: str | None = None) -> None:
        """Queue a message. With a key, it may replace a queued message that has the same key."""


class RoomPages:
    """The pages of one room, and the last view sent to them. `alone_since`: time by `time.monotonic` at which the last
    page left. `refusal`: the reason why the room has no view, "" while it may still get one.
    """

    def __init__(self) -> None:
        self.alone_since = time.monotonic()
        self.view: RoomView | None = None
        self.refusal = ""
        self._lock = threading.Lock()
        self._pages: dict[Page, None] = {}
        self._waiting: dict[Page, int] = {}  # pages that entered before the first view, each with the tag of its Enter

    @property
    def alone(self) -> bool:
        """Whether no page shows the room."""
        return not self._pages

    def enter(self, page: Page, tag: int) -> None:
        """Send the room's state to a page now, in answer to the request `tag`, and after every change.

        If the room cannot have a state, the answer is a Refusal: the room's thread may fail before the page enters.
        """
        with self._lock:
            self._pages[page] = None
            view, refusal = self.view, self.refusal
            if view is None and not refusal:
                self._waiting[page] = tag
        if refusal:
            page.send(Refusal(tag=tag, sentence=refusal))
        elif view is not None:
            send_state(view, page, tag)

    def leave(self, page: Page) -> None:
        """Send no more states to a page."""
        with self._lock:
            if self._pages.pop(page, self) is None:
                self.alone_since = time.monotonic()

    def show(self, view: RoomView, asker: Page | None = None, tag: int | None = None) -> None:
        """Send a view to all pages. `asker`: the page whose request `tag` this view answers."""
        with self._lock:
            self.view = view
            tags: dict[Page, int | None] = {**dict.fromkeys(self._pages), **self._waiting}
            self._waiting = {}
        if asker is not None:
            tags[asker] = tag
        for page, number in tags.items():
            send_state(view, page, number)

    def refuse(self, sentence: str) -> None:
        """Send a Refusal with the reason why the room has no view to all pages, and to those that enter later."""
        with self._lock:
            self.refusal = sentence
            waiting, self._waiting = self._waiting, {}
            pages = list(self._pages)
        for page in pages:
            page.send(Refusal(tag=waiting.get(page), sentence=sentence))


def send_state(view: RoomView, page: Page, tag: int | None = None) -> None:
    """Send a state to one page, in its language."""
    with speaking(page.language):
        state = view.state(tag)
    page.send(state, key=f"state {view.room.room}" if tag is None else None)
