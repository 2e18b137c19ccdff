"""Runs agents in the process of the test, by the host script's own code, so that a test needs no process per agent."""

import contextlib
import json
import pickle
import sys
from pathlib import Path
from time import process_time

from local_runner.processes.agent_side import launcher
from local_runner.processes.child import HostReply, Totals
from local_runner.processes.process import HOST

PATH = sys.path[:]
SCRIPT = launcher.run(str(HOST), "agent_host_in_the_test", load_beside=launcher.load_beside)
sys.path[:] = PATH
SCRIPT.peak = lambda: 0  # this process is large after other tests


class InProcess:
    """In the place of `child.Child`: answers the requests by the host script in this process, without limits."""

    def __init__(self, script, output, limits, given_up):
        self.output, self.host, self.modules = Path(output), SCRIPT.Host(), set(sys.modules)
        self.finders = sys.meta_path[:]
        self.totals, self.end = Totals(), lambda: None

    def ask(self, request, seconds):
        began = process_time()
        with open(self.output, "a", encoding="utf-8") as sink, contextlib.redirect_stdout(sink):
            call, pristine = (pickle.loads(pickle.dumps(request)) for _ in range(2))
            kind = call.pop("kind")
            if kind == "act":
                call["pristine"] = pristine["observation"]
            reply = getattr(self.host, kind)(**call)
        return HostReply(json.dumps(reply).encode(), None, process_time() - began)

    def kill(self):
        sys.meta_path[:] = self.finders
        for name in set(sys.modules) - self.modules:
            if name.startswith(("algo", "_tengen_")):
                del sys.modules[name]
