"""`tengen play` in a real terminal: a pseudo-terminal whose other end the test types on."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time

import pytest

from tests.local_runner.processes.naughty import path_of

SECONDS = 60.0  # longest wait for a text
STYLE = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")


class Typist:
    """The human's end of a terminal, with `tengen play` at the other."""

    def __init__(self, folder, arguments, columns=80, **environment):
        self.end, inner = pty.openpty()
        fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        kept = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "NO_COLOR", "FORCE_COLOR")}
        settings = {**kept, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", **environment}
        command = [sys.executable, "-m", "local_runner", "play", *arguments]
        self.process = subprocess.Popen(
            command, cwd=folder, env=settings, stdin=inner, stdout=inner, stderr=inner, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # so that Ctrl-C is a signal
        )  # fmt: skip
        os.close(inner)
        self.raw = ""

    def until(self, text):
        """Read until the text was written; what was written since the last call, without styles."""
        begun, read = time.monotonic(), ""
        while text not in STYLE.sub("", read):
            assert time.monotonic() - begun < SECONDS, f"no {text!r} in {read!r}"
            if select.select([self.end], [], [], 1)[0]:
                try:
                    read += os.read(self.end, 1 << 16).decode("utf-8", "replace")
                except OSError:  # the process has ended
                    break
        self.raw += read
        return STYLE.sub("", read).replace("\r", "")

    def types(self, keys):
        """Press keys."""
        os.write(self.end, keys.encode())

    def interrupts(self):
        """Press Ctrl-C until there is an answer: between the prompt and its first wait, `input` does not hear it."""
        for _ in range(10):
            self.types("\x03")
            if select.select([self.end], [], [], SECONDS / 10)[0]:
                return

    def close(self):
        """The exit code; the process has to end by itself."""
        try:
            return self.process.wait(SECONDS)
        finally:
            if self.process.poll() is None:
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait()
            os.close(self.end)


@pytest.fixture
def typist(tmp_path):
    """Makes typists that are gone after the test."""
    made = []

    def make(*arguments, **settings):
        made.append(Typist(tmp_path, arguments, **settings))
        return made[-1]

    yield make
    for each in made:
        if each.process.poll() is None:
            os.killpg(each.process.pid, signal.SIGKILL)
            each.process.wait()


PROMPT = "your move: "


@pytest.mark.slow
def test_a_whole_game_and_another_one(typist, tmp_path):
    human = typist(path_of("first_free"), "--board-size", "6", "--rules", "stated", columns=40)
    shown = human.until(PROMPT)
    assert " 1 ·  ·  ·  ·  ·  ·  1" in shown and max(map(len, shown.split("\n")[3:])) <= 40
    human.types("a5x\x7f\r")  # a key too many is taken back
    assert "● you: a5" in human.until(PROMPT)
    for cell in ("b5", "c5", "d5"):
        human.types(cell + "\r")
        human.until(PROMPT)
    human.types("e5\r")
    assert "Black (you) wins: 5 in a row" in human.until("again?")
    human.types("s\r")
    assert "first_free: a1" in human.until(PROMPT)
    human.types("b2\r")
    human.until(PROMPT)
    human.types("undo\r")
    human.until(PROMPT)
    human.types("\x1b[A\x1b[A\r")  # the last line but one, from the history
    assert "○ you: b2" in human.until(PROMPT)
    human.types("quit\r")
    human.until("(Y/n) ")
    human.types("\r")
    assert "the game is kept in tengen-gobang_1v1.json" in human.until("you have left the game").replace("\n", " ")
    assert human.close() == 0 and (tmp_path / "tengen-gobang_1v1.json").is_file()
    assert "48;5;" in human.raw or "48;2;" in human.raw  # the board has a colour


@pytest.mark.slow
def test_ctrl_c_and_the_end_of_the_input(typist, tmp_path):
    human = typist("greedy", "--env", "tictactoe_1v1", TERM="dumb")
    human.until(PROMPT)
    human.types("b2\r")
    assert re.search(r"\([○]\)", human.until(PROMPT))  # no colours, so signs
    human.interrupts()
    human.until("go on with")
    assert human.close() == 130 and len(list(tmp_path.iterdir())) == 1
    human = typist("--resume", "tengen-tictactoe_1v1.json")
    assert " 2 " in human.until(PROMPT)
    human.types("\x04")
    human.until("you have left the game")
    assert human.close() == 0


@pytest.mark.slow
def test_an_ascii_terminal(typist):
    human = typist("greedy", "--env", "tictactoe_1v1", "--colour", "ask", PYTHONIOENCODING="ascii")
    human.until("(Y/n) ")
    human.types("y\r")
    assert " 1 .  .  .  1" in human.until(PROMPT)
    human.types("b2\r")
    assert "X you: b2" in human.until(PROMPT)
    human.types("q\r")
    human.until("(Y/n) ")
    human.types("n\r")
    assert "kept" not in human.until("you have left the game")
    assert human.close() == 0
