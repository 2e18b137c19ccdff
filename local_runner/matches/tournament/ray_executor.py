"""Plays pairs of games on a Ray cluster (https://docs.ray.io); each pair is a task of one CPU on one of its machines.

If a machine is lost, Ray plays its pairs again elsewhere. The games of a pair arrive together and count once. The
agents' files are sent along. Ray is optional; only `connect` imports it. `ray_worker.py` is the worker's part.
"""

import contextlib
import os
import pickle
import queue
import signal
import socket
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, wait
from contextlib import contextmanager
from time import monotonic
from typing import Any, Protocol

from local_runner.agents.spec import AgentSpec
from local_runner.errors import RunnerError
from local_runner.language.languages import _
from local_runner.matches.tournament import ray_worker
from local_runner.matches.tournament.executor import Done, Job
from local_runner.matches.tournament.ray_worker import Errand, JobResult
from local_runner.matches.tournament.store import PlayedGame
from local_runner.processes.load import Load
from local_runner.system.extras import need
from local_runner.terminal.progress import Playing

RETRIES = 20  # lost machines after which a pair is given up
KNOCK_SECONDS = 5.0  # longest wait for a connection to a cluster; ray itself would try for minutes
LOOK_SECONDS = 5.0  # interval at which the cluster's CPUs are counted
CLOSE_SECONDS = 10.0  # time in which workers may end their games before they are killed

Arrived = Callable[[JobResult | Exception], None]


class Cluster(Protocol):
    """Plays jobs. `start` returns at once; `arrived` is called with the result, in any thread."""

    def slots(self) -> int: ...

    def start(self, job: Job, arrived: Arrived) -> None: ...

    def close(self) -> None: ...


class RayExecutor:
    """Plays as many pairs at a time as the cluster has CPUs, also when that number changes; closing ends them."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._open: dict[int, Job] = {}  # by the number of the pair
        self._arrived: queue.SimpleQueue[tuple[int, JobResult | Exception]] = queue.SimpleQueue()
        self._results: deque[PlayedGame | Done] = deque()

    @property
    def playing(self) -> Mapping[int, Playing]:
        """Empty: the cluster does not tell which pairs it plays now."""
        return {}

    @property
    def slots(self) -> int:
        """The CPUs of the cluster at this time."""
        return self._cluster.slots()

    def submit(self, job: Job) -> None:
        """Add a job, to be played when a CPU is free."""
        number = job.pair.number
        self._open[number] = job
        self._cluster.start(job, lambda result: self._arrived.put((number, result)))

    def next(self, seconds: float) -> PlayedGame | Done | None:
        """The next result; None if none arrives within `seconds`."""
        if not self._results:
            with contextlib.suppress(queue.Empty):
                self._take(*self._arrived.get(timeout=seconds))
        return self._results.popleft() if self._results else None

    def close(self) -> None:
        """End all games and leave the cluster."""
        self._open.clear()
        self._cluster.close()

    def __enter__(self) -> "RayExecutor":
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _take(self, number: int, result: JobResult | Exception) -> None:
        job = self._open.pop(number, None)
        if job is None:  # played twice: its machine was thought to be lost, but was not
            return
        if isinstance(result, JobResult):
            self._results += result.games
        self._results.append(Done(job, result.error if isinstance(result, JobResult) else result))


class RayCluster:
    """A cluster to which the module `ray` is connected. `ours`: disconnect in `close`."""

    def __init__(self, ray: Any, *, ours: bool) -> None:
        self._ray, self._ours = ray, ours
        self._task = ray.remote(num_cpus=1, max_retries=RETRIES)(ray_worker.task())
        self._parcels: dict[str, Any] = {}
        self._playing: dict[Future[Any], Any] = {}
        self._lock = threading.Lock()
        self._slots, self._looked = 0, -LOOK_SECONDS

    def slots(self) -> int:
        if monotonic() >= self._looked + LOOK_SECONDS:
            self._slots, self._looked = int(self._ray.cluster_resources().get("CPU", 0)), monotonic()
        return self._slots

    def start(self, job: Job, arrived: Arrived) -> None:
        agents = {agent.path: agent for game in job.fixtures for agent in game.agents}
        python = job.fixtures[0].terms.python
        errand = Errand(job, "" if python == sys.executable else python)
        parcels = [self._parcel(agent) for agent in agents.values()]
        ref = self._task.remote(ray_worker.identity(), pickle.dumps(errand), *parcels)
        future = ref.future()
        with self._lock:
            self._playing[future] = ref
        future.add_done_callback(lambda future: self._end(future, job, arrived))

    def close(self) -> None:
        with self._lock:
            left = dict(self._playing)
        for ref in left.values():
            self._ray.cancel(ref)  # raises KeyboardInterrupt in the worker
        wait(left, CLOSE_SECONDS)
        if self._ours:
            self._ray.shutdown()

    def _parcel(self, agent: AgentSpec) -> Any:
        """The agent's files, which ray sends to every machine once."""
        key = str(agent.path)
        if key not in self._parcels:
            self._parcels[key] = self._ray.put(pickle.dumps(ray_worker.pack(agent)))
        return self._parcels[key]

    def _end(self, future: "Future[Any]", job: Job, arrived: Arrived) -> None:
        with self._lock:
            self._playing.pop(future, None)
        error = future.exception()
        if error is None:
            result = future.result()
            arrived(result if isinstance(result, JobResult) else _unlike(*result))
        elif isinstance(error, self._ray.exceptions.RayTaskError) and isinstance(error, Exception):
            arrived(error)  # a bug in tengen
        else:
            why = (str(error).strip() or type(error).__name__).splitlines()[0]
            sentence = _("the cluster could not play pair {number}: {why}; mend that, then resume")
            arrived(RunnerError(sentence.format(number=job.pair.number, why=why)))


def _unlike(machine: str, found: str, wanted: str) -> RunnerError:
    """The error that a machine of the cluster has other code."""
    sentence = _("{machine} has {found}, this machine {wanted}; install the same on all of the cluster")
    return RunnerError(sentence.format(machine=machine, found=found, wanted=wanted))


def connect(address: str | None, load: Load = Load.ALONE) -> RayExecutor:
    """Join the cluster at `address`; if None, the cluster on this machine, or a new one of this machine alone.

    Raises RunnerError if ray is not installed or no cluster can be joined.
    """
    need("cluster")
    import ray

    if load is not Load.ALONE:
        sentence = _("--executor ray cannot add the load {load}; play this tournament on this machine")
        raise RunnerError(sentence.format(load=load.value))
    joined = ray.is_initialized()
    if not joined:
        _knock(address)
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # no reports over the network
        try:
            with _own_signals():
                ray.init(address, log_to_driver=False, logging_level="ERROR", include_dashboard=False)
        except (ray.exceptions.RayError, OSError, RuntimeError, ValueError) as error:
            why = " ".join(str(error).split()) or type(error).__name__
            at, here = _("cannot join the Ray cluster at {address}: {why}"), _("cannot join the Ray cluster: {why}")
            raise RunnerError((at if address else here).format(address=address, why=why)) from error
    cluster = RayCluster(ray, ours=not joined)
    if not cluster.slots():
        cluster.close()
        raise RunnerError(_("the Ray cluster has no CPUs; add a machine to it by `ray start --address ...`"))
    return RayExecutor(cluster)


def _knock(address: str | None) -> None:
    """Raise RunnerError if nobody listens at an address HOST:PORT; ray handles "auto" and "local" itself."""
    host, colon, port = (address or "").removeprefix("ray://").rpartition(":")
    if not colon or not port.isdigit():
        return
    try:
        socket.create_connection((host, int(port)), KNOCK_SECONDS).close()
    except (OSError, OverflowError) as error:
        sentence = _("no Ray cluster can be reached at {address}: {error}; see `ray start --head`")
        raise RunnerError(sentence.format(address=address, error=error)) from error


@contextmanager
def _own_signals() -> Iterator[None]:
    """Restore the handler of SIGTERM, which ray replaces."""
    before = signal.getsignal(signal.SIGTERM)
    yield
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, before)
