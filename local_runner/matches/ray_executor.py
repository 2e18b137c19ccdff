"""Plays pairs of games on a Ray cluster (https://docs.ray.io). Each pair is a Ray task for one CPU.

If a machine is lost, Ray runs the machine's tasks again on another machine. The two games of a pair arrive together.
The agents' files are sent to the machines. Ray is optional; only `connect` imports it. The code of the workers is
`ray_worker.py`.
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
from local_runner.matches import ray_worker
from local_runner.matches.executor import QueueExecutor
from local_runner.matches.plan import PlannedGame
from local_runner.matches.ray_worker import TaskResult, WorkerTask
from local_runner.system.extras import need

RETRIES = 20  # times that a pair is played again after the loss of a machine
REACH_SECONDS = 5.0  # longest wait for a connection to a cluster; Ray itself would try for minutes
COUNT_SECONDS = 5.0  # least time between two counts of the cluster's CPUs
CLOSE_SECONDS = 10.0  # longest wait in `close` for the workers to stop their games


class RayExecutor(QueueExecutor):
    """Plays as many pairs at a time as the cluster has CPUs, even if that number changes. `close` stops all games.

    `playing` stays empty, because Ray does not report which pairs are in progress. `ray`: the module, connected to a
    cluster. `ours`: `close` also disconnects it.
    """

    def __init__(self, ray: Any, *, ours: bool) -> None:
        super().__init__()
        self._ray, self._ours = ray, ours
        self._task = ray.remote(num_cpus=1, max_retries=RETRIES)(ray_worker.task())
        self._files: dict[str, Any] = {}  # path of a file that is played -> its agent's files in Ray's object store
        self._open: dict[Future[Any], Any] = {}  # tasks that have not ended: future -> Ray's reference
        self._lock = threading.Lock()
        self._slots, self._counted = 0, -COUNT_SECONDS

    @property
    def slots(self) -> int:
        """The cluster's number of CPUs, counted at most every `COUNT_SECONDS`."""
        if monotonic() >= self._counted + COUNT_SECONDS:
            self._slots, self._counted = int(self._ray.cluster_resources().get("CPU", 0)), monotonic()
        return self._slots

    def submit(self, games: Sequence[PlannedGame]) -> None:
        """Add the games of a pair, which are played once a CPU is free."""
        played = {
            file: agent
            for game in games
            for file, agent in zip(ray_worker.played_files(game), game.agents, strict=True)
        }
        python = games[0].terms.python
        task = WorkerTask(games, "" if python == sys.executable else python)
        files = [self._files_of(file, agent) for file, agent in played.items()]
        reference = self._task.remote(ray_worker.identity(), pickle.dumps(task), *files)
        future = reference.future()
        with self._lock:
            self._open[future] = reference
        future.add_done_callback(lambda future: self._end(future, (games[0].number + 1) // 2))

    def close(self) -> None:
        """Stop all games, and leave the cluster if `connect` has joined it."""
        with self._lock:
            left = dict(self._open)
        for reference in left.values():
            self._ray.cancel(reference)  # raises KeyboardInterrupt in the worker
        wait(left, CLOSE_SECONDS)
        if self._ours:
            self._ray.shutdown()

    def _files_of(self, file: str, agent: AgentSpec) -> Any:
        """The reference of the agent's files in Ray's object store. Ray sends the files to each machine once."""
        if file not in self._files:
            self._files[file] = self._ray.put(pickle.dumps(ray_worker.pack(file, agent)))
        return self._files[file]

    def _end(self, future: "Future[Any]", pair: int) -> None:
        """Put the games of a finished task into `_ended`, or its error. Ray calls this method in any thread."""
        with self._lock:
            self._open.pop(future, None)
        error = future.exception()
        if isinstance(error, Exception) and isinstance(error, self._ray.exceptions.RayTaskError):
            self._ended.put(error)  # any other exception: a bug in tengen
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


def connect(address: str | None) -> RayExecutor:
    """Join the cluster at `address`. For None, join the cluster on this machine, or start one with this machine only.

    Raises RunnerError if Ray is not installed, or no cluster with CPUs can be joined.
    """
    need("cluster")
    import ray

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
    """Raise RunnerError if no server accepts connections at HOST:PORT. Other addresses, such as "auto", pass."""
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
    """Restore the handler of SIGTERM after a `with`, inside which Ray replaces it."""
    before = signal.getsignal(signal.SIGTERM)
    yield
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, before)
