"""`tengen play` in a real terminal: a pseudo-terminal whose other end the test types on."""

import os
import re
import sys

import pexpect
import pytest

from tests.local_runner.processes.naughty import path_of

SECONDS = 60  # longest wait for a text
STYLE = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]|\r")
PROMPT = "your move: "


def begun(folder, *arguments, columns=80, **environment):
    kept = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "NO_COLOR", "FORCE_COLOR")}
    settings = {**kept, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", **environment}
    return pexpect.spawn(sys.executable, ["-m", "local_runner", "play", *arguments], SECONDS, cwd=str(folder),
                         env=settings, dimensions=(40, columns), encoding="utf-8")  # fmt: skip


def until(human, text):
    """Read until the text was written; returns the output since the last call, without styles."""
    human.expect_exact(text)
    return STYLE.sub("", human.before + text)


def ended(human):
    human.expect_exact(pexpect.EOF)
    return human.wait()


@pytest.mark.slow
def test_a_whole_game_and_another_one(tmp_path):
    with begun(tmp_path, path_of("first_free"), "--board-size", "6", "--rules", "stated", columns=40) as human:
        shown = until(human, PROMPT)
        assert "48;5;" in human.before or "48;2;" in human.before  # the board has a colour
        assert " 1 ·  ·  ·  ·  ·  ·  1" in shown and max(map(len, shown.split("\n")[3:])) <= 40
        told = [
            ("a5x\x7f", PROMPT, "● you: a5"),  # the key x, then backspace, which deletes it
            *((cell, PROMPT, f"● you: {cell}") for cell in ("b5", "c5", "d5")),
            ("e5", "again?", "Black (you) wins: 5 in a row"), ("s", PROMPT, "first_free: a1"),
            ("b2", PROMPT, "○ you: b2"), ("undo", PROMPT, ""),
            ("\x1b[A\x1b[A", PROMPT, "○ you: b2"),  # the last line but one, from the history
            ("quit", "(Y/n) ", ""), ("", "you have left the game", "the game is kept in tengen-gobang_1v1.json"),
        ]  # fmt: skip
        for keys, end, shown in told:
            human.send(keys + "\r")
            assert shown in until(human, end).replace("\n", " ")
        assert ended(human) == 0 and (tmp_path / "tengen-gobang_1v1.json").is_file()


@pytest.mark.slow
def test_ctrl_c_and_the_end_of_the_input(tmp_path):
    with begun(tmp_path, "greedy", "--env", "tictactoe_1v1", TERM="dumb") as human:
        until(human, PROMPT)
        human.send("b2\r")
        assert re.search(r"\([○]\)", until(human, PROMPT))  # without colours, signs mark the last move
        for _time in range(10):  # repeated: between the prompt and its first wait, `input` ignores Ctrl-C
            human.sendintr()
            if human.expect_exact(["go on with", pexpect.TIMEOUT], timeout=SECONDS / 10) == 0:
                break
        assert ended(human) == 130 and len(list(tmp_path.iterdir())) == 1
    with begun(tmp_path, "--resume", "tengen-tictactoe_1v1.json") as human:
        assert " 2 " in until(human, PROMPT)
        human.sendeof()
        until(human, "you have left the game")
        assert ended(human) == 0


@pytest.mark.slow
def test_an_ascii_terminal(tmp_path):
    settings = ("--env", "tictactoe_1v1", "--colour", "ask")
    with begun(tmp_path, "greedy", *settings, PYTHONIOENCODING="ascii") as human:
        until(human, "(Y/n) ")
        for keys, end, shown in [("y", PROMPT, " 1 .  .  .  1"), ("b2", PROMPT, "X you: b2"), ("q", "(Y/n) ", "")]:
            human.send(keys + "\r")
            assert shown in until(human, end)
        human.send("n\r")
        assert "kept" not in until(human, "you have left the game")
        assert ended(human) == 0
