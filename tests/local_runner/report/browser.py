"""A headless Chromium, controlled with the Chrome DevTools Protocol (CDP) over two pipes.

It needs no driver, port or network. A message is JSON followed by a zero byte; see
https://chromedevtools.github.io/devtools-protocol/ for their names.
"""

import base64
import json
import os
import selectors
import shutil
import subprocess
import sys
import time
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PATIENCE = 30.0  # seconds to wait for an answer
SWITCHES = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--remote-debugging-pipe",
    "--no-first-run", "--disable-extensions", "--disable-component-update", "--hide-scrollbars", "--mute-audio",
)  # fmt: skip
# Chromium reads from file descriptor 3 and writes to 4.
LAUNCHER = """
import fcntl, os, sys
asked, answering = (fcntl.fcntl(int(fd), fcntl.F_DUPFD, 10) for fd in sys.argv[1:3])
os.dup2(asked, 3)
os.dup2(answering, 4)
os.execv(sys.argv[3], sys.argv[3:])
"""


def chromium():
    """The path of a Chromium; None if there is none."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """One page in a Chromium of its own. `problems`: errors on its console, and network requests."""

    def __init__(self, folder: Path):
        asked, self._asking = os.pipe()
        self._answers, answering = os.pipe()
        launcher = [sys.executable, "-c", LAUNCHER, str(asked), str(answering)]
        command = [*launcher, chromium(), *SWITCHES, f"--user-data-dir={folder}", "about:blank"]
        quiet = subprocess.DEVNULL
        self._process = subprocess.Popen(command, pass_fds=(asked, answering), stdin=quiet, stdout=quiet, stderr=quiet,
                                         env={**os.environ, "HOME": str(folder)})  # fmt: skip
        os.close(asked)
        os.close(answering)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._answers, selectors.EVENT_READ)
        self._buffer, self._number, self._session = b"", 0, None
        self._events = []
        self.problems = []
        [page] = [t for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page"]
        attached = self.call("Target.attachToTarget", targetId=page["targetId"], flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        os.close(self._asking)  # Chromium exits when this pipe is closed
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._answers)

    def call(self, method, **parameters):
        """Call a method and wait for its result."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._asking, json.dumps(message).encode() + b"\0")
        while (answer := self._next()).get("id") != self._number:
            pass
        assert "error" not in answer, (method, answer["error"])
        return answer["result"]

    def open(self, address, width=1280, height=900, dark=False):
        """Load a page into a window of this size and wait for its load event."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                  mobile=width < 600)  # fmt: skip
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])
        for place in ("about:blank", address):  # else another #fragment of the same page would not reload it
            self._events.clear()
            self.call("Page.navigate", url=place)
            while "Page.loadEventFired" not in self._events:
                self._next()

    def evaluate(self, expression):
        """The value of a JavaScript expression in the page."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, (expression, answer["exceptionDetails"])
        return answer["result"].get("value")

    def press(self, key):
        """Press a key, by its name."""
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key)

    def screenshot(self, whole=False):
        """The visible part or the whole page as PNG."""
        return base64.b64decode(self.call("Page.captureScreenshot", captureBeyondViewport=whole)["data"])

    def pdf(self):
        """The printed page as PDF."""
        return base64.b64decode(self.call("Page.printToPDF", preferCSSPageSize=True, printBackground=True)["data"])

    def _next(self):
        deadline = time.monotonic() + PATIENCE
        while b"\0" not in self._buffer:
            assert self._selector.select(deadline - time.monotonic()), "Chromium does not answer"
            chunk = os.read(self._answers, 1 << 20)
            assert chunk, "Chromium has ended"
            self._buffer += chunk
        text, _, self._buffer = self._buffer.partition(b"\0")
        message = json.loads(text)
        self._note(message)
        return message

    def _note(self, message):
        method, parameters = message.get("method", ""), message.get("params", {})
        self._events.append(method)
        complaint = method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert")
        if complaint or method in ("Runtime.exceptionThrown", "Log.entryAdded"):
            self.problems.append(parameters)
        elif method == "Network.requestWillBeSent" and not parameters["request"]["url"].startswith(("file:", "about:")):
            self.problems.append(parameters["request"]["url"])
