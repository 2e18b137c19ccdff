"""Asks the human for a line of input, with history and line editing if Python has the module readline."""

import contextlib
import sys

from rich.console import Console

from local_runner.play.reading import Verb

YES = ("y", "yes", "是", "好")
NO = ("n", "no", "否", "不")


class Left(Exception):
    """The human has left the game by `quit`, or the input has ended."""

    def __init__(self, *, asked: bool) -> None:
        super().__init__()
        self.asked = asked  # True after `quit`, False at the end of the input


def ask(console: Console, question: str) -> str:
    """The line that the human types. Raises Left at the end of the input."""
    if sys.stdin is None:  # closed by the shell, as in `tengen play greedy <&-`
        raise Left(asked=False)
    try:
        if is_terminal(console):
            with contextlib.suppress(ImportError):
                import readline  # noqa: F401  # `input` then has history and editing
            console.file.flush()
            return input(question)  # not console.input: readline redraws the prompt, so it must know the text
        typed = console.input(question, markup=False)
        console.print()
        return typed
    except EOFError:
        raise Left(asked=False) from None


def is_terminal(console: Console) -> bool:
    """Whether both the output and the input are a terminal, so that a human can answer."""
    return console.is_terminal and sys.stdin is not None and sys.stdin.isatty()


def agreed(console: Console, question: str, *, otherwise: bool) -> bool:
    """Ask until the answer is yes or no, and return whether it is yes. `otherwise`: the answer for an empty line.

    Raises Left if the human types `quit` or the input ends.
    """
    while typed := ask(console, question).strip().lower():
        if typed == Verb.QUIT.value:
            raise Left(asked=True)
        if typed in YES + NO:
            return typed in YES
    return otherwise
