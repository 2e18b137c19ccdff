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

    def __init__(self, folder, *arguments, columns=80, **environment):
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
        """Read until the text was written; returns the output since the last call, without styles."""
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

    def ended(self):
        """The exit code; the process has to end by itself."""
        return self.process.wait(SECONDS)

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        os.close(self.end)


PROMPT = "your move: "


@pytest.mark.slow
def test_a_whole_game_and_another_one(tmp_path):
    with Typist(tmp_path, path_of("first_free"), "--board-size", "6", "--rules", "stated", columns=40) as human:
        shown = human.until(PROMPT)
        assert " 1 ·  ·  ·  ·  ·  ·  1" in shown and max(map(len, shown.split("\n")[3:])) <= 40
        told = [
            ("a5x\x7f", PROMPT, "● you: a5"),  # a key too many is taken back
            *((cell, PROMPT, f"● you: {cell}") for cell in ("b5", "c5", "d5")),
            ("e5", "again?", "Black (you) wins: 5 in a row"), ("s", PROMPT, "first_free: a1"),
            ("b2", PROMPT, "○ you: b2"), ("undo", PROMPT, ""),
            ("\x1b[A\x1b[A", PROMPT, "○ you: b2"),  # the last line but one, from the history
            ("quit", "(Y/n) ", ""), ("", "you have left the game", "the game is kept in tengen-gobang_1v1.json"),
        ]  # fmt: skip
        for keys, end, shown in told:
            human.types(keys + "\r")
            assert shown in human.until(end).replace("\n", " ")
        assert human.ended() == 0 and (tmp_path / "tengen-gobang_1v1.json").is_file()
    assert "48;5;" in human.raw or "48;2;" in human.raw  # the board has a colour


@pytest.mark.slow
def test_ctrl_c_and_the_end_of_the_input(tmp_path):
    with Typist(tmp_path, "greedy", "--env", "tictactoe_1v1", TERM="dumb") as human:
        human.until(PROMPT)
        human.types("b2\r")
        assert re.search(r"\([○]\)", human.until(PROMPT))  # no colours, so signs
        human.interrupts()
        human.until("go on with")
        assert human.ended() == 130 and len(list(tmp_path.iterdir())) == 1
    with Typist(tmp_path, "--resume", "tengen-tictactoe_1v1.json") as human:
        assert " 2 " in human.until(PROMPT)
        human.types("\x04")
        human.until("you have left the game")
        assert human.ended() == 0


@pytest.mark.slow
def test_an_ascii_terminal(tmp_path):
    settings = ("--env", "tictactoe_1v1", "--colour", "ask")
    with Typist(tmp_path, "greedy", *settings, PYTHONIOENCODING="ascii") as human:
        human.until("(Y/n) ")
        for keys, end, shown in [("y", PROMPT, " 1 .  .  .  1"), ("b2", PROMPT, "X you: b2"), ("q", "(Y/n) ", "")]:
            human.types(keys + "\r")
            assert shown in human.until(end)
        human.types("n\r")
        assert "kept" not in human.until("you have left the game")
        assert human.ended() == 0
