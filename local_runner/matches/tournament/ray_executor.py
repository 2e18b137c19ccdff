"""Plays pairs of games on a Ray cluster (https://docs.ray.io); each pair is a task of one CPU on one of its machines.

If a machine is lost, Ray plays its pairs again elsewhere. The games of a pair arrive together. The agents' files are
sent along. Ray is optional; only `connect` imports it. `ray_worker.py` is the worker's part.
"""

import os
import pickle
import signal
import socket
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, wait
from contextlib import contextmanager
from time import monotonic
from typing import Any

from local_runner.agents.spec import AgentSpec
from local_runner.errors import RunnerError
from local_runner.language.languages import _
from local_runner.matches.fixture import Fixture
from local_runner.matches.tournament import ray_worker
from local_runner.matches.tournament.executor import QueueExecutor
from local_runner.matches.tournament.ray_worker import TaskResult, WorkerTask
from local_runner.processes.load import Load
from local_runner.system.extras import need

RETRIES = 20  # lost machines after which a pair is given up
REACH_SECONDS = 5.0  # longest wait for a connection to a cluster; ray itself would try for minutes
COUNT_SECONDS = 5.0  # interval at which the cluster's CPUs are counted
CLOSE_SECONDS = 10.0  # time in which workers may end their games before they are killed


class RayExecutor(QueueExecutor):
    """Plays as many pairs at a time as the cluster has CPUs, also when that number changes; closing ends them.

    `playing` stays empty: the cluster does not tell which pairs it plays now. `ray`: the module, which is connected to
    a cluster. `ours`: disconnect in `close`.
    """

    def __init__(self, ray: Any, *, ours: bool) -> None:
        super().__init__()
        self._ray, self._ours = ray, ours
        self._task = ray.remote(num_cpus=1, max_retries=RETRIES)(ray_worker.task())
        self._files: dict[str, Any] = {}  # each agent's files in Ray's object store, by its path
        self._open: dict[Future[Any], Any] = {}  # the references of the tasks that have not ended
        self._lock = threading.Lock()
        self._slots, self._counted = 0, -COUNT_SECONDS

    @property
    def slots(self) -> int:
        """The CPUs of the cluster at this time."""
        if monotonic() >= self._counted + COUNT_SECONDS:
            self._slots, self._counted = int(self._ray.cluster_resources().get("CPU", 0)), monotonic()
        return self._slots

    def submit(self, games: Sequence[Fixture]) -> None:
        """Add the games of a pair, to be played when a CPU is free."""
        agents = {agent.path: agent for game in games for agent in game.agents}
        python = games[0].terms.python
        task = WorkerTask(games, "" if python == sys.executable else python)
        files = [self._files_of(agent) for agent in agents.values()]
        reference = self._task.remote(ray_worker.identity(), pickle.dumps(task), *files)
        future = reference.future()
        with self._lock:
            self._open[future] = reference
        future.add_done_callback(lambda future: self._end(future, (games[0].number + 1) // 2))

    def close(self) -> None:
        """End all games and leave the cluster."""
        with self._lock:
            left = dict(self._open)
        for reference in left.values():
            self._ray.cancel(reference)  # raises KeyboardInterrupt in the worker
        wait(left, CLOSE_SECONDS)
        if self._ours:
            self._ray.shutdown()

    def _files_of(self, agent: AgentSpec) -> Any:
        """The agent's files, which ray sends to every machine once."""
        key = str(agent.path)
        if key not in self._files:
            self._files[key] = self._ray.put(pickle.dumps(ray_worker.pack(agent)))
        return self._files[key]

    def _end(self, future: "Future[Any]", pair: int) -> None:
        """Take the games of a pair, or the reason why there are none; called in any thread."""
        with self._lock:
            self._open.pop(future, None)
        error = future.exception()
        if isinstance(error, Exception) and isinstance(error, self._ray.exceptions.RayTaskError):
            self._ended.put(error)  # a bug in tengen
        elif error is not None:
            why = (str(error).strip() or type(error).__name__).splitlines()[0]
            sentence = _("the cluster could not play pair {number}: {why}; mend that, then resume")
            self._ended.put(RunnerError(sentence.format(number=pair, why=why)))
        elif isinstance(result := future.result(), TaskResult):
            for game in result.games:
                self._ended.put(game)
            if result.error is not None:
                self._ended.put(result.error)
        else:
            machine, found, wanted = result
            sentence = _("{machine} has {found}, this machine {wanted}; install the same on all of the cluster")
            self._ended.put(RunnerError(sentence.format(machine=machine, found=found, wanted=wanted)))


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
        _check_reachable(address)
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # no reports over the network
        try:
            with _own_signals():
                ray.init(address, log_to_driver=False, logging_level="ERROR", include_dashboard=False)
        except (ray.exceptions.RayError, OSError, RuntimeError, ValueError) as error:
            why = " ".join(str(error).split()) or type(error).__name__
            at, here = _("cannot join the Ray cluster at {address}: {why}"), _("cannot join the Ray cluster: {why}")
            raise RunnerError((at if address else here).format(address=address, why=why)) from error
    executor = RayExecutor(ray, ours=not joined)
    if not executor.slots:
        executor.close()
        raise RunnerError(_("the Ray cluster has no CPUs; add a machine to it by `ray start --address ...`"))
    return executor


def _check_reachable(address: str | None) -> None:
    """Raise RunnerError if nobody listens at an address HOST:PORT; ray handles "auto" and "local" itself."""
    host, colon, port = (address or "").removeprefix("ray://").rpartition(":")
    if not colon or not port.isdigit():
        return
    try:
        socket.create_connection((host, int(port)), REACH_SECONDS).close()
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
