"""When a search stops: by the clock, by the nodes, and earlier if other threads use the CPU."""

import pytest

from submission.search import clock
from submission.search.clock import Deadline, TimeUp


class Watch:
    """A clock that the tests set."""

    def __init__(self):
        self.now = 100.0
        self.share = 1.0  # of a core that the search's thread gets

    def perf_counter(self):
        return self.now

    def thread_time(self):
        return self.now * self.share


@pytest.fixture
def watch(monkeypatch):
    found = Watch()
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


@pytest.mark.parametrize(
    "steps, stopped",
    [
        ([0.001], 0.799),
        ([0.001, 0.001, 0.02, 0.001], 0.761),
        ([0.02, 0.001], 0.799),  # time before the first check is no gap
        ([0.001, 0.3, 0.001], 0.301),
        ([5.0], 5.0),
    ],
)
def test_twice_the_longest_gap_between_two_checks_is_reserved(watch, steps, stopped):
    assert stops_after(watch, Deadline(0.8), steps) == pytest.approx(stopped, abs=0.0015)


@pytest.mark.parametrize("share, stopped", [(1.0, 0.8), (0.5, 0.64), (0.25, 0.582), (0.0, 0.533), (3.0, 0.8)])
def test_half_of_the_cpu_time_lost_to_other_threads_is_reserved(watch, share, stopped):
    watch.share = share
    assert stops_after(watch, Deadline(0.8), [0.0001]) == pytest.approx(stopped, abs=0.0015)


def test_stop_ends_it_at_the_next_check(watch):
    deadline = Deadline(None)
    deadline.check(5)
    part = deadline.part(0.5)
    part.check(5)
    deadline.stop()
    for each in (deadline, part):
        with pytest.raises(TimeUp):
            each.check(5)


def test_the_seconds_count_from_where_the_call_began(watch):
    assert stops_after(watch, Deadline(0.8, started=watch.now - 0.5), [0.001]) == pytest.approx(0.799, abs=0.0015)


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


def test_without_limits_it_never_ends(watch):
    deadline = Deadline(None)
    watch.now += 1e9
    deadline.check(10**9)


def test_a_clock_that_stands_still_ends_a_timed_search(watch, monkeypatch):
    monkeypatch.setattr(clock, "MOST_STILL", 5)
    timed, free = Deadline(0.8), Deadline(None)
    for _ in range(6):
        timed.check(0)
    watch.now += 0.001
    for _ in range(6):
        timed.check(0)
    with pytest.raises(TimeUp):
        timed.check(0)
    for _ in range(20):
        free.check(0)
