"""The child's side of a match: one process that holds one agent and answers the runner's requests.

Started by `processes/process.py` as a plain script under the agent's interpreter: Python 3.7, standard library only.
    agent_host.py REQUEST_FD REPLY_FD RUNNER_PID CORE        (CORE -1: any)
Requests arrive as pickles, which the runner is trusted with; replies leave as JSON, because nobody should unpickle
what an agent's process wrote. Both are framed by `HEADER`. Judges the form of an answer; knows no game and no limits.
"""

import json
import os
import pickle
import random
import resource
import struct
import sys
import traceback
from importlib.util import module_from_spec, spec_from_file_location
from time import perf_counter, process_time
from types import ModuleType
from typing import Any, Dict, List, Optional, Tuple

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:] = [folder for folder in sys.path if folder != HERE]  # its files are not an agent's to import
HEADER = struct.Struct(">4sII")  # magic, number of the request, bytes that follow
MAGIC = b"tgn1"
MAX_FILE_BYTES = 64 << 20  # what an agent may write into one file, its printed output included
MAX_TEXT = 20000  # characters of a traceback or thought that are passed on
MAX_COUNT = 10**9  # of an agent's own faults


def load_sibling(name: str) -> ModuleType:
    """A module of this folder, which is deliberately not on `sys.path`."""
    spec = spec_from_file_location("tengen_" + name, os.path.join(HERE, name + ".py"))
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Discrete:
    """An action space as agents use the platform's: the values 0 to n - 1."""

    def __init__(self, n: int) -> None:
        self.n = n
        self.shape = ()

    def sample(self) -> int:
        """Any of them."""
        return random.randrange(self.n)

    def contains(self, x: Any) -> bool:
        """Whether `x` is one of them."""
        return isinstance(x, int) and 0 <= x < self.n

    def __repr__(self) -> str:
        return f"Discrete({self.n})"


class Host:
    """The agent and what is measured of it."""

    def __init__(self) -> None:
        self.loading = load_sibling("loading")
        self.agent: Any = None
        self.finder: Any = None
        self.spaces: Dict[Tuple[int, int], List[Discrete]] = {}

    def load(self, path: str, options: Dict[str, Any], seed: int) -> Dict[str, Any]:
        """Import the agent, with the random module seeded; see records.Loaded for the reply."""
        folder = os.path.dirname(path)
        self.finder = self.loading.SiblingFinder(folder)
        sys.meta_path.append(self.finder)
        random.seed(seed)
        before = memory()["rss_kb"]
        started, cpu_started = perf_counter(), process_time()
        error, unusable_because = None, ""
        try:
            self.agent = self.loading.load_agent(path, self.loading.module_name(path), options, guests=True)
        except self.loading.Unusable as unusable:
            unusable_because = str(unusable)
        except BaseException as raised:
            error = describe(raised)
        seconds, cpu = perf_counter() - started, process_time() - cpu_started
        reply: Dict[str, Any] = dict(memory(), seconds=seconds, cpu=cpu, error=error, rss_before_kb=before)
        numpy = sys.modules.get("numpy")
        if hasattr(numpy, "random"):
            numpy.random.seed(seed % 2**32)  # type: ignore[union-attr]
        reply.update(python=sys.version.split()[0], unusable=unusable_because, **self._imports())
        return reply

    def act(self, observation: Any, pristine: Any, n_row: int, n_col: int) -> Dict[str, Any]:
        """Ask the agent for one answer; see records.Reply. `pristine` is an equal observation that it never sees."""
        spaces = self.spaces.setdefault((n_row, n_col), [Discrete(n_row), Discrete(n_col)])
        live, untouched = live_parts(observation), live_parts(pristine)
        answer, error = None, None
        started, cpu_started = perf_counter(), process_time()
        try:
            answer = self.agent.my_controller(observation, spaces, False)
        except BaseException as raised:  # sys.exit() and KeyboardInterrupt would end the platform's run as well
            error = describe(raised)
        reply: Dict[str, Any] = {"seconds": perf_counter() - started, "cpu": process_time() - cpu_started}
        try:  # comparing and counting run code of the agent's too, where it answers with objects of its own
            reply["wrote"] = differ(live, untouched)
            if error is None:
                reply.update(judge(answer, n_row, n_col))
                reply.update(self._own_account())
        except BaseException as raised:
            error = describe(raised)
        reply.update(memory(), error=error, **self._imports())
        return reply

    def _imports(self) -> Dict[str, Any]:
        return {"siblings": self.finder.found, "shadowed": self.loading.shadowed_names(self.finder.folder)}

    def _own_account(self) -> Dict[str, Any]:
        """What the agent says of itself, where it offers `last_fault` and `last_thought`."""
        fault = getattr(self.agent, "last_fault", lambda: None)()
        thought = getattr(self.agent, "last_thought", lambda: None)()
        try:
            text = json.dumps(thought if isinstance(thought, dict) else None, allow_nan=False)
        except (TypeError, ValueError):
            text = "null"
        return {
            "inner_faults": max(0, min(int(fault.count), MAX_COUNT)) if fault is not None else 0,
            "inner_traceback": str(fault.traceback)[-MAX_TEXT:] if fault is not None else "",
            "thought": json.loads(text) if len(text) <= MAX_TEXT else None,
        }


def live_parts(observation: Any) -> List[Any]:
    """The parts that are the environment's own on the platform: the values of its dict, or a row of the board."""
    return list(observation.values()) if isinstance(observation, dict) else [observation]


def differ(live: List[Any], untouched: List[Any]) -> bool:
    """Whether anything was written; what can no longer be compared (an array put in) was."""
    try:
        return bool(live != untouched)
    except Exception:
        return True


def judge(answer: Any, n_row: int, n_col: int) -> Dict[str, Any]:
    """Read an answer as the platform does.

    `bad_length`: a sentence where the platform refuses the answer of either player; `bad_code`: where it cannot
    decode the mover's (or the answer is ambiguous); `cell`: [row, col] where neither.
    """
    try:
        if len(answer) != 2:
            return {"bad_length": f"two lists are wanted, got {brief(answer)}"}
        for part, n, what in ((answer[0], n_row, "row"), (answer[1], n_col, "column")):
            if len(part) != n:
                return {"bad_length": f"the {what}'s list must have {n} entries, got {brief(part)}"}
    except Exception:
        return {"bad_length": f"two lists are wanted, got {brief(answer)}"}
    cell = []
    for part, n, what in ((answer[0], n_row, "row"), (answer[1], n_col, "column")):
        if not isinstance(part, (list, tuple)):
            return {"bad_code": f"the {what} must be a plain list of ints (try .tolist()), got {brief(part)}"}
        entries = list(part)  # a subclass may count as it likes
        if (entries.count(1), entries.count(0), len(entries)) != (1, n - 1, n):
            return {"bad_code": f"the {what}'s list must hold exactly one 1 and otherwise 0, got {brief(part)}"}
        cell.append(entries.index(1))
    return {"cell": cell}


def brief(thing: Any) -> str:
    """A thing as text, short however large it is."""
    if isinstance(thing, (list, tuple, str, bytes)) and len(thing) > 30:
        return f"a {type(thing).__name__} of {len(thing)}"
    try:
        text = repr(thing)
    except Exception:
        text = "something that has no repr"
    return f"{type(thing).__name__} {text if len(text) <= 100 else text[:97] + '...'}"


def describe(raised: BaseException) -> Dict[str, str]:
    """An exception as one line and as a traceback that starts in the agent's code."""
    frames = raised.__traceback__.tb_next if raised.__traceback__ is not None else None
    try:
        text = "".join(traceback.format_exception(type(raised), raised, frames))
        line = traceback.format_exception_only(type(raised), raised)[-1].strip()
    except BaseException:  # an exception whose own __str__ raises
        text = line = type(raised).__name__
    return {"raised": line[:500], "traceback": text[-MAX_TEXT:]}


def memory() -> Dict[str, int]:
    """Resident memory of this process, now and at its highest, in KiB."""
    try:
        with open("/proc/self/status") as status:
            fields = dict(line.split(":", 1) for line in status)
        return {"rss_kb": int(fields["VmRSS"].split()[0]), "peak_kb": int(fields["VmHWM"].split()[0])}
    except (OSError, KeyError):  # no Linux: the highest is all there is, in bytes on macOS
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // (1024 if sys.platform == "darwin" else 1)
        return {"rss_kb": peak, "peak_kb": peak}


def settle_in(runner: int, core: int) -> None:
    """Leave no core files, write no endless files, stay on one core, and come under a guard."""
    if core >= 0:
        os.sched_setaffinity(0, {core})
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (MAX_FILE_BYTES, MAX_FILE_BYTES))
    load_sibling("guard").stand(runner)


def read_request(fd: int) -> Optional[Tuple[int, bytes]]:
    """The next request's number and pickle; None when the runner has closed its end."""
    header = read_exactly(fd, HEADER.size)
    if header is None:
        return None
    _, number, size = HEADER.unpack(header)
    body = read_exactly(fd, size)
    return None if body is None else (number, body)


def read_exactly(fd: int, size: int) -> Optional[bytes]:
    """`size` bytes, or None at the end of the file."""
    data = b""
    while len(data) < size:
        chunk = os.read(fd, size - len(data))
        if not chunk:
            return None
        data += chunk
    return data


def write_reply(fd: int, number: int, reply: Dict[str, Any]) -> None:
    """One framed JSON object."""
    body = json.dumps(reply, allow_nan=False).encode("ascii")
    frame = HEADER.pack(MAGIC, number, len(body)) + body
    while frame:
        frame = frame[os.write(fd, frame):]


def main() -> None:
    request_fd, reply_fd, runner, core = map(int, sys.argv[1:5])
    sys.argv[1:] = []
    for fd in (request_fd, reply_fd):
        os.set_inheritable(fd, False)
    settle_in(runner, core)
    host, pid = Host(), os.getpid()
    while True:
        request = read_request(request_fd)
        if request is None:
            return
        number, body = request
        call = pickle.loads(body)
        if call["kind"] == "load":
            reply = host.load(call["path"], call["options"], call["seed"])
        else:
            pristine = pickle.loads(body)["observation"]
            reply = host.act(call["observation"], pristine, call["n_row"], call["n_col"])
        if os.getpid() != pid:  # the agent forked, and this is the copy: it has no business with the runner
            os._exit(0)
        write_reply(reply_fd, number, reply)


if __name__ == "__main__":
    main()
