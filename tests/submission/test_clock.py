"""When a search stops: by the clock, by the nodes, and earlier if other threads use the CPU."""

import pytest

from submission.search import clock
from submission.search.clock import Deadline, TimeUp

from .search_games import Clock


@pytest.fixture
def watch(monkeypatch):
    found = Clock()
    monkeypatch.setattr(clock, "time", found)
    return found


def stops_after(watch, deadline, steps):
    """The seconds at which a search is stopped that checks after each of these steps; the last step is repeated."""
    steps = list(steps)
    while True:
        watch.now += steps.pop(0) if len(steps) > 1 else steps[0]
        try:
            deadline.check(0)
        except TimeUp:
            return round(deadline.elapsed(), 3)


@pytest.mark.parametrize("steps, share, before, stopped", [
    # Twice the longest gap between two checks is reserved.
    ([0.001], 1.0, 0.0, 0.799), ([0.001, 0.001, 0.02, 0.001], 1.0, 0.0, 0.761), ([0.001, 0.3, 0.001], 1.0, 0.0, 0.301),
    ([0.02, 0.001], 1.0, 0.0, 0.799),  # time before the first check is no gap
    ([5.0], 1.0, 0.0, 5.0),
    # Half of the CPU time lost to other threads is reserved.
    *(([0.0001], share, 0.0, stopped)
      for share, stopped in ((1.0, 0.8), (0.5, 0.64), (0.25, 0.582), (0.0, 0.533), (3.0, 0.8))),
    ([0.001], 1.0, 0.5, 0.799),  # the seconds count from where the call began
])  # fmt: skip
def test_a_search_stops_in_time(watch, steps, share, before, stopped):
    watch.share = share
    deadline = Deadline(0.8, started=watch.now - before)
    assert stops_after(watch, deadline, steps) == pytest.approx(stopped, abs=0.0015)


def test_stop_ends_it_at_the_next_check(watch):
    deadline = Deadline(None)
    deadline.check(5)
    part = deadline.part(0.5)
    part.check(5)
    deadline.stop()
    for each in (deadline, part):
        with pytest.raises(TimeUp):
            each.check(5)


@pytest.mark.parametrize("nodes, spent", [(10, 0), (17, 0), (4, 6), (4, 60)])
def test_nodes(watch, nodes, spent):
    deadline = Deadline(None, nodes=10)
    deadline.check(9)
    deadline.spent += spent
    with pytest.raises(TimeUp):
        deadline.check(nodes)


def test_a_part_has_its_share_of_the_time_and_of_the_nodes(watch):
    whole = Deadline(2.0, 100, watch.now - 0.4)
    watch.now += 0.2
    part = whole.part(0.75)
    assert part.elapsed() == pytest.approx(0.6)
    assert stops_after(watch, part, [0.01]) == pytest.approx(1.5, abs=0.05)
    part = Deadline(None, 100).part(0.5)
    part.check(49)
    with pytest.raises(TimeUp):
        part.check(50)
    Deadline(None).part(0.5).check(10**9)


def test_a_clock_that_stands_still_ends_only_a_timed_search(watch, monkeypatch):
    monkeypatch.setattr(clock, "MOST_STILL", 5)
    timed, free = Deadline(0.8), Deadline(None)
    for step in (0, 0.001):
        watch.now += step
        for _ in range(6):
            timed.check(0)
    with pytest.raises(TimeUp):
        timed.check(0)
    watch.now += 1e9
    for _ in range(20):
        free.check(10**9)
