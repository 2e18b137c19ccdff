"""Plays pairs of games on a Ray cluster (https://docs.ray.io). Each pair is a Ray task for one CPU.

If a machine is lost, Ray runs the machine's tasks again on another machine. The two games of a pair arrive together.
"Home" is the machine that runs the tournament. Home sends the agents' files to the other machines; records of games
name the agents' paths at home. Ray is optional; only `connect` imports it.
"""

import functools
import hashlib
import importlib.metadata
import os
import pickle
import platform
import signal
import socket
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, wait
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import Any

from local_runner.agents.own_files import taken, taken_from, write
from local_runner.errors import RunnerError
from local_runner.language.languages import _
from local_runner.matches.executor import Executor, play_and_tidy
from local_runner.matches.games import PlayedGame
from local_runner.matches.plan import PlannedGame
from local_runner.processes import claims, interpreters
from local_runner.system.checks import need

PROJECT = Path(__file__).resolve().parents[2]
RETRIES = 20  # times that a pair is played again after the loss of a machine
REACH_SECONDS = 5.0  # longest wait for a connection to a cluster; Ray itself would try for minutes
COUNT_SECONDS = 5.0  # least time between two counts of the cluster's CPUs
CLOSE_SECONDS = 10.0  # longest wait in `close` for the workers to stop their games


# ---- at home


class RayExecutor(Executor):
    """Plays as many pairs at a time as the cluster has CPUs, even if that number changes. `close` stops all games.

    `playing` stays empty, because Ray does not report which pairs are in progress. `ray`: the module, connected to a
    cluster. `ours`: whether `close` also disconnects from the cluster.
    """

    def __init__(self, ray: Any, *, ours: bool) -> None:
        super().__init__()
        self._ray, self._ours = ray, ours
        self._task = ray.remote(num_cpus=1, max_retries=RETRIES)(task())
        self._files: dict[Path, Any] = {}  # a file that is played -> its agent's files in Ray's object store
        self._open: dict[Future[Any], Any] = {}  # tasks that have not ended: future -> Ray's reference
        self._lock = threading.Lock()
        self._slots, self._counted = 0, -COUNT_SECONDS

    @property
    def slots(self) -> int:  # type: ignore[override]
        """The cluster's number of CPUs, counted at most every `COUNT_SECONDS`."""
        if monotonic() >= self._counted + COUNT_SECONDS:
            self._slots, self._counted = int(self._ray.cluster_resources().get("CPU", 0)), monotonic()
        return self._slots

    def submit(self, games: Sequence[PlannedGame]) -> None:
        """Add the games of a pair, which are played once a CPU is free. Ray sends each file to a machine once."""
        played = {seat.file: seat for game in games for seat in game.seats}
        for file, (agent, copy) in played.items():
            if file not in self._files:
                files = taken_from(copy) if copy else taken(agent)
                self._files[file] = self._ray.put(pickle.dumps((file, files)))
        python = games[0].terms.python
        sent = [replace(game, terms=replace(game.terms, python="" if python == sys.executable else python))
                for game in games]  # fmt: skip
        reference = self._task.remote(identity(), pickle.dumps(sent), *map(self._files.__getitem__, played))
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

    def _end(self, future: "Future[Any]", pair: int) -> None:
        """Put the games of a finished task, or the task's error, into `results`. Ray calls this in any thread."""
        with self._lock:
            self._open.pop(future, None)
        error = future.exception()
        if isinstance(error, Exception) and isinstance(error, self._ray.exceptions.RayTaskError):
            self.results.put(error)  # any other exception: a bug in tengen
        elif error is not None:
            why = (str(error).strip() or type(error).__name__).splitlines()[0]
            sentence = _("the cluster could not play pair {number}: {why}; mend that, then resume")
            self.results.put(RunnerError(sentence.format(number=pair, why=why)))
        elif isinstance(ended := future.result(), tuple):
            machine, found, wanted = ended
            sentence = _("{machine} has {found}, this machine {wanted}; install the same on all of the cluster")
            self.results.put(RunnerError(sentence.format(machine=machine, found=found, wanted=wanted)))
        else:
            for game in ended:
                self.results.put(game)


def connect(address: str | None) -> RayExecutor:
    """Join the cluster at `address`. For None, join the cluster on this machine, or start one with this machine only.

    Raises RunnerError if Ray is not installed, or no cluster with CPUs can be joined.
    """
    need("cluster")
    import ray

    joined = ray.is_initialized()
    if not joined:
        host, colon, port = (address or "").removeprefix("ray://").rpartition(":")
        if colon and port.isdigit():  # other addresses are names, such as "auto"
            try:
                socket.create_connection((host, int(port)), REACH_SECONDS).close()
            except (OSError, OverflowError) as error:
                sentence = _("no Ray cluster can be reached at {address}: {error}; see `ray start --head`")
                raise RunnerError(sentence.format(address=address, error=error)) from error
        before = signal.getsignal(signal.SIGTERM)
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # no reports over the network
        try:
            ray.init(address, log_to_driver=False, logging_level="ERROR", include_dashboard=False)
        except Exception as error:  # Ray has no class for some errors, as for a node that needs more than 30 s to start
            why = " ".join(str(error).split()) or type(error).__name__
            at, here = _("cannot join the Ray cluster at {address}: {why}"), _("cannot join the Ray cluster: {why}")
            raise RunnerError((at if address else here).format(address=address, why=why)) from error
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, before)  # Ray has replaced the handler
    executor = RayExecutor(ray, ours=not joined)
    if not executor.slots:
        executor.close()
        raise RunnerError(_("the Ray cluster has no CPUs; add a machine to it by `ray start --address ...`"))
    return executor


# ---- on a worker


def task() -> Callable[..., list[PlayedGame | RunnerError] | tuple[str, str, str]]:
    """The function that a worker runs; nested, because Ray sends only the code of nested functions to the workers.

    If a worker's `identity` differs from the one at home, the function plays nothing. It returns the worker's machine,
    its identity, and the identity at home.
    """

    def run(wanted: str, games: bytes, *files: bytes) -> Any:
        import platform

        try:
            from local_runner.matches import cluster

            found = cluster.identity()
        except (ImportError, AttributeError):
            found = f"Python {platform.python_version()} and no tengen, or an older one"
        return cluster.play_pair(games, files) if found == wanted else (platform.node(), found, wanted)

    return run


def play_pair(games: bytes, files: Sequence[bytes]) -> list[PlayedGame | RunnerError]:
    """Unpack the agents and play the games; the last entry is the error that ended the pair, if one did.

    games: the pickled games; `python` of their terms is "" for the worker's own Python
    files: for each agent, a pickled pair: the path on the driver's machine and the agent's files
    """
    played: list[PlayedGame | RunnerError] = []
    places: dict[Path, Path] = {}  # path of a file at home -> its path here
    with claims.folder() as folder, claims.cores(1) as [core]:
        for home, agent in map(pickle.loads, files):  # a submission.py takes its name from its folder
            places[home] = write(agent, folder / str(len(places)) / (home.parent.name or "agent"))
        try:
            for game in pickle.loads(games):
                black, white = (seat._replace(path=places[seat.file]) for seat in game.seats)
                terms = replace(game.terms, python=_checked(game.terms.python))
                played.append(play_and_tidy(replace(game, seats=(black, white), terms=terms), core))
        except RunnerError as error:
            sentence = str(error)
            for home, place in places.items():
                sentence = sentence.replace(str(place.parent), str(home.parent))
            played.append(type(error)(sentence))
    return played


@functools.cache
def identity() -> str:
    """The versions of Python and tengen on this machine, with a hash of the code of env_adapter and local_runner."""
    digest = hashlib.sha256()
    for package in ("env_adapter", "local_runner"):
        for path in sorted((PROJECT / package).rglob("*.py")):
            digest.update(path.relative_to(PROJECT).as_posix().encode() + b"\0" + path.read_bytes())
    version = importlib.metadata.version("tengen")
    return f"Python {platform.python_version()} and tengen {version} ({digest.hexdigest()[:8]})"


@functools.cache
def _checked(python: str) -> str:
    """The interpreter that runs agents on this machine; "": this Python. Raises RunnerError if it does not work."""
    if python:
        interpreters.check(python)
    return python or sys.executable
