"""The queue of messages to one page. Any thread may fill it; the task that writes to the page's socket empties it.

A message with a key replaces a queued message that has the same key. A slow page therefore skips old states and looks.
The new message goes to the end, so that no older message about the same game comes after it.
"""

import asyncio
import itertools
import threading
from collections.abc import Hashable

MOST_WAITING = 500  # queued messages, above which the page is disconnected


class Outbox:
    """Messages to one page. `put` may be called from any thread; `next` only in the event loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.overflowed = False
        self._loop = loop
        self._lock = threading.Lock()
        self._waiting: dict[Hashable, str] = {}
        self._numbers = itertools.count()
        self._filled = asyncio.Event()

    def put(self, text: str, key: str | None = None) -> None:
        """Add a message; with a key, instead of a queued message that has the same key."""
        with self._lock:
            place = ("only", next(self._numbers)) if key is None else key
            self._waiting.pop(place, None)
            self._waiting[place] = text
            self.overflowed = self.overflowed or len(self._waiting) > MOST_WAITING
            first = len(self._waiting) == 1 or self.overflowed
        if first and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._filled.set)

    async def next(self) -> list[str]:
        """Remove and return all queued messages, in order. Waits until there is at least one."""
        while True:
            await self._filled.wait()
            self._filled.clear()
            with self._lock:
                texts, self._waiting = list(self._waiting.values()), {}
            if texts:
                return texts
