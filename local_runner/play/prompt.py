"""The prompt: asks the human for a line, with history and line editing if Python has readline, and reads the line.

A line is a cell in one of three notations, or a command.

    h8           the letter of the column and the number of the row, 1 at the top; also 1. H8 (game/move_text.py)
    7 7          row and column, counted from 0, as the site counts; also 7,7 and (7, 7)
    3            in games in which a free cell may be illegal: the number of a cell in the list of choices
    undo, hint   a command; `save` may have an argument; a pass has several words

No line has two meanings. A cell's name has a letter and a number. The other notations have only numbers. The word of a
command has no digit. Full-width letters and digits are read as the usual ones.
"""

import contextlib
import re
import sys
import unicodedata
from enum import Enum
from typing import NamedTuple

from rich.console import Console

from env_adapter import Cell
from local_runner.errors import Unplayable
from local_runner.game.move_text import is_pass, plain, read_moves
from local_runner.game.session import GameSession
from local_runner.game.wording import why_not
from local_runner.language.languages import _, shown, unknown
from local_runner.language.text import shortened

NUMBERS = re.compile(r"[(\[]?\s*(-?[0-9]{1,3})(?:\s*[,;、/:_]\s*|\s+|-)(-?[0-9]{1,3})\s*[)\]]?")
CHOICE = re.compile(r"[0-9]{1,3}")
WORD = re.compile(r"[a-z]{2,}", re.IGNORECASE)


class Verb(Enum):
    """The commands at the prompt. The value is the word to type."""

    UNDO = "undo"
    HINT = "hint"
    SAVE = "save"
    MOVES = "moves"
    BOARD = "board"
    PASS = "pass"
    RESIGN = "resign"
    HELP = "help"
    QUIT = "quit"


ABBREVIATIONS = {"u": Verb.UNDO, "h": Verb.HELP, "?": Verb.HELP, "q": Verb.QUIT, "exit": Verb.QUIT}
VERBS = {**{verb.value: verb for verb in Verb}, **ABBREVIATIONS}


class TypedCommand(NamedTuple):
    """A command that was typed, and the text after it."""

    verb: Verb
    argument: str = ""


def read_line(typed: str, session: GameSession) -> Cell | TypedCommand:
    """The legal cell or the command that was typed.

    Raises Unplayable if the line is neither; the message says what to type, or why the cell is illegal.
    """
    text = unicodedata.normalize("NFKC", typed).strip()
    word, _space, rest = text.partition(" ")
    if (verb := VERBS.get(word.lower())) is not None and (verb is Verb.SAVE or not rest):
        return TypedCommand(verb, typed.strip().partition(" ")[2].strip())
    if is_pass(text):
        return TypedCommand(Verb.PASS)
    return read_cell(text, session)


def read_cell(text: str, session: GameSession) -> Cell:
    """The legal cell that was typed. Raises Unplayable if the text is no cell or the cell is illegal."""
    if session.env.illegal_free and CHOICE.fullmatch(text):
        legal = session.env.legal_moves()
        if int(text) >= len(legal):
            sentence = _("there is no choice {number}, only 0 to {last}")
            raise Unplayable(sentence.format(number=int(text), last=len(legal) - 1))
        return legal[int(text)]
    moves = read_moves(text)
    if len(moves.cells) == 1 and moves.cells[0] and not moves.rest:
        cell = moves.cells[0]
    elif match := NUMBERS.fullmatch(plain(text)):
        cell = (int(match[1]), int(match[2]))
    elif WORD.fullmatch(text):
        known = [verb.value for verb in Verb if verb is not Verb.PASS or session.env.has_pass]
        raise Unplayable(unknown(_("command"), shortened(text), known))
    else:
        sentence = _("that is no cell: {typed!r}; type a cell such as {example}, or help")
        raise Unplayable(sentence.format(typed=shortened(text), example="c1"))
    if why := why_not(session.env, cell, legal=False):
        raise Unplayable(shown(why))
    return cell


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
