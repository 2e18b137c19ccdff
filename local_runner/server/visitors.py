"""The pages that look at a room: they come and go in the event loop, and the room's thread shows them its states."""

import threading
import time
from typing import Protocol

from local_runner.language.languages import speaking
from local_runner.server.messages import Refusal, Wire
from local_runner.server.stored_room import RoomView


class Visitor(Protocol):
    """A page that looks at rooms; `send` may be called from any thread."""

    language: str

    def send(self, message: Wire, key: str | None = None) -> None:
        """Send a message; one with a key may replace an older one with the same key that still waits."""


class RoomVisitors:
    """The pages of one room, and what they were shown last. `alone_since`: since when no page has been there."""

    def __init__(self) -> None:
        self.alone_since = time.monotonic()
        self.view: RoomView | None = None
        self._lock = threading.Lock()
        self._there: dict[Visitor, None] = {}
        self._waiting: dict[Visitor, int] = {}  # entered before there was anything to see -> tag

    @property
    def alone(self) -> bool:
        """Whether no page is there."""
        return not self._there

    def enter(self, visitor: Visitor, tag: int) -> None:
        """Show the room to a page from now on."""
        with self._lock:
            self._there[visitor] = None
            view = self.view
            if view is None:
                self._waiting[visitor] = tag
        if view is not None:
            tell(view, visitor, tag)

    def leave(self, visitor: Visitor) -> None:
        """Do not show it to that page any more."""
        with self._lock:
            if self._there.pop(visitor, self) is None:
                self.alone_since = time.monotonic()

    def show(self, view: RoomView, asker: Visitor | None = None, tag: int | None = None) -> None:
        """Show this to all; `asker` asked for it by `tag`."""
        with self._lock:
            self.view = view
            waiting, self._waiting = self._waiting, {}
            others = [each for each in self._there if each is not asker and each not in waiting]
        for visitor, number in waiting.items():
            tell(view, visitor, number)
        if asker is not None:
            tell(view, asker, tag)
        for visitor in others:
            tell(view, visitor)

    def refuse(self, sentence: str) -> None:
        """Tell all pages why there is nothing to see."""
        with self._lock:
            waiting, self._waiting = self._waiting, {}
            there = list(self._there)
        for visitor in there:
            visitor.send(Refusal(tag=waiting.get(visitor), sentence=sentence))


def tell(view: RoomView, visitor: Visitor, tag: int | None = None) -> None:
    """Send a state to one page, in its language."""
    with speaking(visitor.language):
        state = view.state(tag)
    visitor.send(state, key=f"state {view.kept.room}" if tag is None else None)
