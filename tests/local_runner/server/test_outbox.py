"""The queue of messages to one page: what it keeps, and in which order."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest

from local_runner.server.outbox import MOST_WAITING, Outbox


def taken(*puts):
    """The messages that are sent after these calls of `put`."""

    async def whole():
        outbox = Outbox(asyncio.get_running_loop())
        for text, key in puts:
            outbox.put(text, key)
        return await outbox.next(), outbox.overflowed

    with ThreadPoolExecutor(1) as thread:  # this thread may have the browser's loop
        return thread.submit(asyncio.run, whole()).result()


@pytest.mark.parametrize(("puts", "sent"), [
    ([("old", "state"), ("new", "state")], ["new"]),
    ([("a", None), ("b", None), ("a", None)], ["a", "b", "a"]),
    ([("ply 0", "state"), ("ply 1, asked for", None), ("ply 2", "state")], ["ply 1, asked for", "ply 2"]),
    ([("look", "looked"), ("state", "state"), ("later look", "looked")], ["state", "later look"]),
])  # fmt: skip
def test_a_newer_message_comes_after_all_older_ones(puts, sent):
    assert taken(*puts) == (sent, False)


@pytest.mark.parametrize(("count", "overflows"), [(MOST_WAITING, False), (MOST_WAITING + 1, True)])
def test_a_page_that_reads_nothing_overflows(count, overflows):
    assert taken(*[("x", None)] * count)[1] is overflows
