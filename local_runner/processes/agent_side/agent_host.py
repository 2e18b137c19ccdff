"""The main program of an agent's process: it loads one agent and answers the runner's requests.

`agent_host.py REQUEST_FD REPLY_FD`. Requests are pickles, because the runner is trusted: a number, and the pickle of a
dict. A reply is a line with the number and a JSON object, because an agent's process is not trusted. The host checks
the form of an agent's answer; the runner checks the reply and whether the move is legal, and enforces the limits.
"""

import contextlib
import hashlib
import json
import os
import pickle
import random
import resource
import sys
import traceback
from time import process_time
from types import FunctionType, ModuleType
from typing import Any, Callable, Dict, List, Optional, Tuple

MAX_TEXT = 20000  # characters; longer tracebacks lose their beginning, longer thoughts are dropped
MAX_NAMES = 20  # most names of changed variables
MAX_PICTURE = 1 << 20  # most bytes of a variable's pickle that are compared
PICTURED = (int, float, complex, bool, str, bytes, bytearray, type(None), list, tuple, dict, set, frozenset)
MAX_COUNT = 10**9  # largest number of caught exceptions that an agent can report

load_beside: Callable[[str], ModuleType] = globals()["load_beside"]  # given by agent_side/launcher.py
judge: Callable[[Any, int, int], Dict[str, Any]] = load_beside("answers").judge
loading: Any = load_beside("loading")


class Host:
    """The loaded agent and the measurements of its calls."""

    def __init__(self) -> None:
        module = load_beside("action_space")
        sys.modules[module.__name__] = module  # registered, so that an agent can pickle an action space
        self.action_space: Any = module.action_space
        self.seed = 0
        self.before: Tuple[Any, Any] = (None, None)  # the answer to the call before, and the cell that it named
        self.pristine: Optional[Dict[str, Any]] = None  # picture() of the agent's module after the import
        self.agent: Any = None
        self.finder: Any = None
        self.spaces: Dict[Tuple[int, int], List[Any]] = {}

    def hello(self) -> Dict[str, Any]:
        """The reply before the agent is loaded, which says that the process has started."""
        return {}

    def load(self, path: str, options: Dict[str, Any], seed: int, watched: bool) -> Dict[str, Any]:
        """Seed `random`, import the agent, and seed numpy's random; the reply is an `AgentReply` of process.py."""
        folder = os.path.dirname(path)
        self.finder = loading.SiblingFinder(folder)
        sys.meta_path.append(self.finder)
        random.seed(seed)
        self.seed = seed
        reply: Dict[str, Any] = {
            "python": sys.version.split()[0],
            "rss_before_kb": loading.resident_bytes() // 1024 or peak(),
        }
        cpu_started = process_time()
        try:
            self.agent = loading.load_agent(path, loading.module_name(path), options, load_beside)
        except loading.Unusable as refused:
            reply["unusable"] = {"kind": refused.kind, "fields": refused.fields}
        except BaseException as raised:
            reply["error"] = describe(raised, frames=2)
        reply.update(
            cpu=process_time() - cpu_started,
            peak_kb=peak(),
            rss_kb=loading.resident_bytes() // 1024 or peak(),
            **self._imports(),
        )
        numpy = sys.modules.get("numpy")
        if hasattr(numpy, "random"):
            numpy.random.seed(seed % 2**32)  # type: ignore[union-attr]
        if watched and self.agent is not None:
            self.pristine = picture(self.agent)
        return reply

    def changed(self) -> Dict[str, Any]:
        """The agent's variables that have changed since the import."""
        now, before = picture(self.agent) if self.pristine is not None else {}, self.pristine or {}
        names = sorted(name for name in now if now[name] != before.get(name))
        return {"names": [name[:100] for name in names[:MAX_NAMES]]}

    def loaded(self) -> Dict[str, Any]:
        """The agent's files that are loaded."""
        return {"names": loading.files_in(self.finder.folder)}

    def act(self, observation: Any, pristine: Any, n_row: int, n_col: int) -> Dict[str, Any]:
        """Ask the agent for one answer; `pristine`: an equal copy of the observation that the agent never sees."""
        if (n_row, n_col) not in self.spaces:
            self.spaces[n_row, n_col] = self.action_space(n_row, n_col, self.seed)
        live, untouched = live_parts(observation), live_parts(pristine)
        reply: Dict[str, Any] = {}
        cpu_started = process_time()
        try:  # an answer may hold objects of the agent's classes, whose methods may raise
            answer = self.agent.my_controller(observation, self.spaces[n_row, n_col], False)
            reply["wrote"] = differ(live, untouched)  # before the agent's code runs again, which might undo the change
            before, cell = self.before
            reply["changed"] = judge(before, n_row, n_col).get("cell") != cell
            reply.update(judge(answer, n_row, n_col))
            self.before = answer, reply.get("cell")
            if type(answer).__name__ == "coroutine":
                answer.close()  # otherwise Python would print a warning with a path of ours
            reply.update(self._own_account())
        except BaseException as raised:  # sys.exit() and KeyboardInterrupt would end the platform's run as well
            reply["error"] = describe(raised)
        reply.update(cpu=process_time() - cpu_started, peak_kb=peak(), **self._imports())
        return reply

    def _imports(self) -> Dict[str, Any]:
        return {"siblings": self.finder.found, "shadowed": loading.shadowed_names(self.finder.folder)}

    def _own_account(self) -> Dict[str, Any]:
        """The results of the agent's functions `last_fault` and `last_thought`, if it has them."""
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
    """The objects that the platform's environment keeps using: the values of the dict, or the row of the board."""
    return list(observation.values()) if isinstance(observation, dict) else [observation]


def differ(live: List[Any], untouched: List[Any]) -> bool:
    """Whether the agent wrote into the observation."""
    try:
        return bool(live != untouched)
    except BaseException:  # the agent has put an array, or an object that cannot be compared, into the observation
        return True


def describe(raised: BaseException, frames: int = 1) -> Dict[str, Any]:
    """An exception as a fault, with its last line, and its traceback without the host's `frames` outermost frames."""
    agents = raised.__traceback__
    for _ in range(frames):
        agents = agents and agents.tb_next
    try:
        text = "".join(traceback.format_exception(type(raised), raised, agents))
        line = traceback.format_exception_only(type(raised), raised)[-1].strip()
    except BaseException:  # an exception whose own __str__ raises
        text = line = type(raised).__name__
    return {"kind": "raised", "fields": {"error": line[:500]}, "traceback": text[-MAX_TEXT:]}


def picture(module: ModuleType) -> Dict[str, bytes]:
    """Variable -> a hash that changes with the variable's content."""
    values = {}
    for name, value in list(vars(module).items()):
        if not name.startswith("__"):
            shot = Picture(module.__name__)
            with contextlib.suppress(BaseException):  # the value is too long, or an object of the agent's raises
                shot.dump(value)
            values[name] = shot.hash.digest()
    return values


class Picture(pickle.Pickler):
    """Pickles a value into a hash. Of functions and classes, only the variables of those of the agent count."""

    def __init__(self, module: str) -> None:
        super().__init__(self, 4)
        self.fast = True  # equal parts are written again, so that the hash does not depend on their identity
        self.module, self.hash, self.size = module, hashlib.sha1(), 0

    def write(self, data: Any) -> None:
        """Add the next part of the pickle to the hash. Raises OverflowError after MAX_PICTURE bytes."""
        self.hash.update(data[: MAX_PICTURE - self.size])
        self.size += len(data)
        if self.size >= MAX_PICTURE:
            raise OverflowError

    def persistent_id(self, value: Any) -> Any:
        """What is pickled in place of a value; None: the value itself."""
        kind = type(value)
        if kind in (FunctionType, type) and value.__module__ == self.module:
            own = {name: part for name, part in vars(value).items() if name[:2] != "__" and not callable(part)}
            return own, getattr(value, "__defaults__", None)
        if kind in PICTURED or kind.__module__ in (self.module, "collections", "numpy"):
            return None
        return kind.__name__


def peak() -> int:
    """Peak resident memory of this process in KiB; macOS gives bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // (1024 if sys.platform == "darwin" else 1)


def write_reply(fd: int, number: int, reply: Dict[str, Any]) -> None:
    """Write a reply; lone surrogates, which UTF-8 cannot encode, become "?"."""
    line = f"{number} {json.dumps(reply, allow_nan=False, ensure_ascii=False)}\n".encode("utf-8", "replace")
    while line:
        line = line[os.write(fd, line) :]


def main() -> None:
    request_fd, reply_fd = map(int, sys.argv[1:3])
    loading.hide_arguments()
    for fd in (request_fd, reply_fd):
        os.set_inheritable(fd, False)
    host, pid = Host(), os.getpid()
    with open(request_fd, "rb") as requests:
        while True:
            try:
                number, body = pickle.load(requests)
            except EOFError:  # the runner has closed the pipe
                return
            call = pickle.loads(body)
            kind = call.pop("kind")
            if kind == "act":
                call["pristine"] = pickle.loads(body)["observation"]
            reply = getattr(host, kind)(**call)
            if os.getpid() != pid:  # a process that the agent forked must not answer the runner
                os._exit(0)
            write_reply(reply_fd, number, reply)


if __name__ == "__main__":
    main()
