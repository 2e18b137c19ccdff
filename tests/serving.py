"""Starts `tengen serve` and finds a Chromium, for tests of the page.

The server runs in a process of its own, on a free port, with its own folder for games. `address` is the address that
the server prints, with the secret. `log` is the file of the server's output. After `stop`, `start` begins again with
the same port and folder, as when a user restarts the server while the page is open.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PATIENCE = 60.0  # seconds to wait for the start; the machine may be busy
ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)/\S*")
CHROMIUMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--renderer-process-limit=2")
TENGEN = str(Path(sys.executable).with_name("tengen"))


def chromium() -> str | None:
    """The path of a Chromium; None if there is none."""
    return next(filter(None, map(shutil.which, CHROMIUMS)), None)


class Serving:
    """A running `tengen serve`. `options`: further arguments; `command`: the path of `tengen`."""

    def __init__(self, folder: Path, *options: str, command: str = TENGEN) -> None:
        self.folder, self._options, self._command = folder, options, command
        self.log, self.address = folder / "serve.log", ""
        self.start()

    def __enter__(self) -> Serving:
        return self

    def __exit__(self, *exception: object) -> None:
        self.stop()

    @property
    def port(self) -> int:
        match = ADDRESS.search(self.address)
        return int(match[1]) if match else 0

    @property
    def pid(self) -> int:
        """The process id of the server."""
        return self._process.pid

    @property
    def root(self) -> str:
        """The address without the secret."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start the server and wait until it prints its address. Raises RuntimeError if none is printed in time."""
        command = [self._command, "serve", "--no-open", "--port", str(self.port), *self._options]
        outside = {**os.environ, "HOME": str(self.folder), "XDG_DATA_HOME": str(self.folder),
                   "XDG_STATE_HOME": str(self.folder), "PYTHONUNBUFFERED": "1"}  # fmt: skip
        with self.log.open("w") as log:
            self._process = subprocess.Popen(command, cwd=self.folder, env=outside, stdin=subprocess.DEVNULL,
                                             stdout=log, stderr=subprocess.STDOUT)  # fmt: skip
        end = time.monotonic() + PATIENCE
        while (match := ADDRESS.search(said := self.log.read_text())) is None:
            if self._process.poll() is not None or time.monotonic() > end:
                self.stop(signal.SIGKILL)
                raise RuntimeError(f"tengen serve says no address:\n{said}")
            time.sleep(0.02)
        self.address = match[0]

    @contextmanager
    def held(self) -> Iterator[None]:
        """Within this context the server answers nothing."""
        os.kill(self.pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(self.pid, signal.SIGCONT)

    def stop(self, how: signal.Signals = signal.SIGINT) -> int:
        """End the server as Ctrl+C does, or by another signal; kill it after 20 s. Returns its exit code."""
        self._process.send_signal(how)
        try:
            return self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()
