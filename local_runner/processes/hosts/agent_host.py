"""The main program of an agent's process: it loads one agent and answers the runner's requests.

`hosts/confined.py` runs it: `agent_host.py REQUEST_FD REPLY_FD`.
Requests are pickles, because the runner is trusted. Replies are JSON, because an agent's process is not. `HEADER`
frames both. The host checks the form of an answer. It knows neither rules nor limits.
"""

import json
import os
import pickle
import random
import resource
import struct
import sys
import traceback
from time import perf_counter, process_time
from types import ModuleType
from typing import Any, Callable, Dict, List, Optional, Tuple

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:] = [folder for folder in sys.path if folder != HERE]  # agents must not import the hosts
HEADER = struct.Struct(">4sII")  # magic, number of the request, bytes that follow
MAGIC = b"tgn1"
MAX_TEXT = 20000  # characters of a traceback or a thought; the rest is cut off
MAX_COUNT = 10**9  # limit of the fault count that an agent reports of itself

load_portable: Callable[[str], ModuleType] = globals()["load_portable"]  # given by hosts/confined.py


class Host:
    """The loaded agent and the measurements of its calls."""

    def __init__(self) -> None:
        self.loading = load_portable("loading")
        self.new_space: Any = load_portable("spaces").Discrete
        self.agent: Any = None
        self.finder: Any = None
        self.spaces: Dict[Tuple[int, int], List[Any]] = {}

    def load(self, path: str, options: Dict[str, Any], seed: int) -> Dict[str, Any]:
        """Seed the random module and import the agent; the reply has the fields of records.Loaded."""
        folder = os.path.dirname(path)
        self.finder = self.loading.SiblingFinder(folder)
        sys.meta_path.append(self.finder)
        random.seed(seed)
        before = memory()["rss_kb"]
        started, cpu_started = perf_counter(), process_time()
        error, unusable = None, None
        try:
            self.agent = self.loading.load_agent(path, self.loading.module_name(path), options, guests=True)
        except self.loading.Unusable as refused:
            unusable = {"kind": refused.kind, "fields": refused.fields}
        except BaseException as raised:
            error = describe(raised)
        seconds, cpu = perf_counter() - started, process_time() - cpu_started
        reply: Dict[str, Any] = dict(memory(), seconds=seconds, cpu=cpu, error=error, rss_before_kb=before)
        numpy = sys.modules.get("numpy")
        if hasattr(numpy, "random"):
            numpy.random.seed(seed % 2**32)  # type: ignore[union-attr]
        reply.update(python=sys.version.split()[0], unusable=unusable, **self._imports())
        return reply

    def act(self, observation: Any, pristine: Any, n_row: int, n_col: int) -> Dict[str, Any]:
        """Ask the agent for one answer; the reply has the fields of records.Reply.

        `pristine` is an equal copy of the observation. The agent never sees it, so a difference shows that it wrote.
        """
        spaces = self.spaces.setdefault((n_row, n_col), [self.new_space(n_row), self.new_space(n_col)])
        live, untouched = live_parts(observation), live_parts(pristine)
        answer, error = None, None
        started, cpu_started = perf_counter(), process_time()
        try:
            answer = self.agent.my_controller(observation, spaces, False)
        except BaseException as raised:  # sys.exit() and KeyboardInterrupt would end the platform's run as well
            error = describe(raised)
        reply: Dict[str, Any] = {}
        try:  # an answer may hold objects of the agent's own, whose methods raise when they are compared or counted
            reply["wrote"] = differ(live, untouched)
            if error is None:
                reply.update(judge(answer, n_row, n_col))
                reply.update(self._own_account())
        except BaseException as raised:
            error = describe(raised)
        reply.update(seconds=perf_counter() - started, cpu=process_time() - cpu_started)
        reply.update(memory(), error=error, **self._imports())
        return reply

    def _imports(self) -> Dict[str, Any]:
        return {"siblings": self.finder.found, "shadowed": self.loading.shadowed_names(self.finder.folder)}

    def _own_account(self) -> Dict[str, Any]:
        """The agent's own faults and its last thought, if it has `last_fault` and `last_thought`."""
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
    """The parts that the environment owns on the platform: the values of the dict, or a row of the board."""
    return list(observation.values()) if isinstance(observation, dict) else [observation]


def differ(live: List[Any], untouched: List[Any]) -> bool:
    """Whether the agent wrote into the observation. A comparison that raises shows it, too, such as with an array."""
    try:
        return bool(live != untouched)
    except Exception:
        return True


def judge(answer: Any, n_row: int, n_col: int) -> Dict[str, Any]:
    """Read an answer as the platform does. The reply has one of two keys.

    `bad_form`: the lengths are wrong, or there is not exactly one 1 in each list. The value is a kind of
    `local_runner/game/faults.py` with its fields.
    `cell`: [row, col] of a well-formed answer.
    """
    try:
        if len(answer) != 2:
            return bad_form("no pair", answer)
        for part, n, what in ((answer[0], n_row, "row"), (answer[1], n_col, "column")):
            if len(part) != n:
                return bad_form(what + " length", part, n=n)
    except Exception:
        return bad_form("no pair", answer)
    cell = []
    for part, n, what in ((answer[0], n_row, "row"), (answer[1], n_col, "column")):
        if not isinstance(part, (list, tuple)):
            return bad_form(what + " type", part)
        entries = list(part)  # a subclass of list may override count()
        if (entries.count(1), entries.count(0), len(entries)) != (1, n - 1, n):
            return bad_form(what + " values", part)
        cell.append(entries.index(1))
    return {"cell": cell}


def bad_form(kind: str, thing: Any, **fields: int) -> Dict[str, Any]:
    """The reply about an answer, or a part of it, that has not the right form."""
    return {"bad_form": {"kind": kind, "fields": dict(fields, answer=brief(thing))}}


def brief(thing: Any) -> str:
    """The type and repr of a thing, cut to about 100 characters."""
    if isinstance(thing, (list, tuple, str, bytes)) and len(thing) > 30:
        return f"a {type(thing).__name__[:100]} of {len(thing)}"
    try:
        text = repr(thing)
    except Exception:
        text = "something that has no repr"
    return f"{type(thing).__name__[:100]} {text if len(text) <= 100 else text[:97] + '...'}"


def describe(raised: BaseException) -> Dict[str, str]:
    """An exception as one line ("raised") and as a traceback that starts in the agent's code."""
    frames = raised.__traceback__.tb_next if raised.__traceback__ is not None else None
    try:
        text = "".join(traceback.format_exception(type(raised), raised, frames))
        line = traceback.format_exception_only(type(raised), raised)[-1].strip()
    except BaseException:  # an exception whose own __str__ raises
        text = line = type(raised).__name__
    return {"raised": line[:500], "traceback": text[-MAX_TEXT:]}


def memory() -> Dict[str, int]:
    """Resident memory of this process in KiB, now ("rss_kb") and at its peak ("peak_kb")."""
    try:
        with open("/proc/self/status") as status:
            fields = dict(line.split(":", 1) for line in status)
        return {"rss_kb": int(fields["VmRSS"].split()[0]), "peak_kb": int(fields["VmHWM"].split()[0])}
    except (OSError, KeyError):  # not Linux: only the peak is known, in bytes on macOS
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // (1024 if sys.platform == "darwin" else 1)
        return {"rss_kb": peak, "peak_kb": peak}


def read_request(fd: int) -> Optional[Tuple[int, bytes]]:
    """The number and the pickle of the next request; None when the runner has closed the pipe."""
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
    """Write a reply as one framed JSON object; lone surrogates, which JSON cannot hold, become question marks."""
    body = json.dumps(reply, allow_nan=False, ensure_ascii=False).encode("utf-8", "replace")
    frame = HEADER.pack(MAGIC, number, len(body)) + body
    while frame:
        frame = frame[os.write(fd, frame) :]


def main() -> None:
    request_fd, reply_fd = map(int, sys.argv[1:3])
    sys.argv[1:] = []
    for fd in (request_fd, reply_fd):
        os.set_inheritable(fd, False)
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
        if os.getpid() != pid:  # the agent forked, and this is its child: it must not answer the runner
            os._exit(0)
        write_reply(reply_fd, number, reply)


if __name__ == "__main__":
    main()
