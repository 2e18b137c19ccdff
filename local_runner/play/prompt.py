"""Asks the human for a line, with history and editing where the terminal has them."""

import contextlib
import sys

from rich.console import Console

from local_runner.play.reading import Verb

YES = ("y", "yes", "是", "好")
NO = ("n", "no", "否", "不")


class Left(Exception):
    """The human has left the game: by `quit`, or because there is nothing more to read."""

    def __init__(self, *, asked: bool) -> None:
        super().__init__()
        self.asked = asked  # whether the human wanted to, and can be asked something


def ask(console: Console, question: str) -> str:
    """The line that the human types. Raises Left at the end of the input."""
    try:
        if is_terminal(console):
            with contextlib.suppress(ImportError):
                import readline  # noqa: F401  # `input` then has history and editing
            console.file.flush()
            return input(question)  # readline must know the prompt, which it draws again
        typed = console.input(question, markup=False)
        console.print()
        return typed
    except EOFError:
        raise Left(asked=False) from None


def is_terminal(console: Console) -> bool:
    """Whether a human is there who can answer."""
    return console.is_terminal and sys.stdin.isatty()


def agreed(console: Console, question: str, *, otherwise: bool) -> bool:
    """Whether the human says yes; asks until the answer is yes or no. `otherwise`: what an empty line means."""
    while typed := ask(console, question).strip().lower():
        if typed == Verb.QUIT.value:
            raise Left(asked=True)
        if typed in YES + NO:
            return typed in YES
    return otherwise
