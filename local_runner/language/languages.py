"""English and Chinese: texts are written in English, and translated by a gettext catalogue when a user reads them.

- `_("no agent at {where}").format(where=where)` is read at once.
- `Message("step {number}", number=3)` is kept: as a constant, or in what goes into JSON, a page or a file too. It is
  English, and `shown` translates it.
- `kept(sentence)` makes a Message again from a sentence that comes back from a file, a record or an agent's process.

The texts of the page (`t("...")` in its scripts) are in the same catalogue. `page_catalogue` gives them to a browser.
Help texts are translated when the command line starts (`command_line.in_language`), not where they are written. The
language is that of `--lang`, else that of the locale.
"""

import functools
import gettext
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from local_runner.errors import RunnerError
from local_runner.game.coordinates import with_names

CATALOGUES = Path(__file__).parents[1] / "data" / "locale"
DOMAIN = "tengen"
OF_PAGE = "page.json"  # in each language's folder: the texts of the page
ENGLISH, CHINESE = "en", "zh"
LANGUAGES = (ENGLISH, CHINESE)
VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")  # of the locale; the first that is set decides
OPTION = "--lang"

_catalogue = gettext.NullTranslations()  # of the whole process
_wanted = ""  # the value of --lang
_spoken: ContextVar[gettext.NullTranslations | None] = ContextVar("catalogue of this thread or task", default=None)


def _(message: str) -> str:
    """The message in the language that is used."""
    return _now().gettext(message)


def _now() -> gettext.NullTranslations:
    return _spoken.get() or _catalogue


class Message(str):
    """An English text that knows its template and what fills it, so that `shown` can translate it.

    A template without fields is filled later: `Message(template, name=value)`.
    """

    def __new__(cls, template: str, **fields: object) -> "Message":
        made = super().__new__(cls, template.format(**fields) if fields else template)
        made._template, made._fields = str(template), fields
        return made

    _template: str
    _fields: dict[str, object]

    def translated(self) -> str:
        """The text in the language that is used, with all messages in it."""
        template = _now().gettext(self._template)
        if not self._fields:
            return template
        return template.format(**{name: shown(value) if isinstance(value, str) else value
                                  for name, value in self._fields.items()})  # fmt: skip


SEMICOLON, COMMA, COLON = Message("; "), Message(", "), Message(": ")  # between parts; the last: after a title


class Series(Message):
    """Several texts with a separator between them."""

    def __new__(cls, parts: Iterable[str], separator: str = SEMICOLON) -> "Series":
        parts = list(parts)
        made = str.__new__(cls, separator.join(parts))
        made._parts, made._separator = parts, separator
        return made

    _parts: list[str]
    _separator: str

    def translated(self) -> str:
        """The translated parts with the separator of the language that is used."""
        return shown(self._separator).join(map(shown, self._parts))


class Cells(Message):
    """Cells as they are kept, "(7, 3)" or "(row, col) = (7, 3)"; people are shown their names, "d8"."""

    def __new__(cls, cells: object) -> "Cells":
        return str.__new__(cls, str(cells))

    def translated(self) -> str:
        """The names, after "(row, col) = " with row and column; a cell that has no name stays as it is."""
        return with_names(str(self), _("{name} (row {row}, column {col})"))


def shown(text: str) -> str:
    """A Message in the language that is used; any other text as it is."""
    return text.translated() if isinstance(text, Message) else text


def used() -> str:
    """The language that is used."""
    return _now().info().get("language", ENGLISH)


def use(language: str) -> None:
    """Write in that language from now on; RunnerError if there is no such language."""
    global _catalogue
    if language not in LANGUAGES:
        from local_runner.language.suggestions import unknown  # here, because it needs this module

        raise RunnerError(unknown(_("language"), language, LANGUAGES))
    _catalogue = _read(language)


def choose(language: str | None) -> None:
    """Take what `--lang` says: write in that language, and remember that the user wants it; None if nothing is said."""
    global _wanted
    if language is not None:
        use(language)
    _wanted = language or ""


def wanted() -> str:
    """The language that the user has asked for by `--lang`; "" for none, where a page may take the browser's."""
    return _wanted


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Write in one of LANGUAGES meanwhile, in this thread or task only: a server's users have different ones."""
    token = _spoken.set(_read(language))
    try:
        yield
    finally:
        _spoken.reset(token)


@functools.cache
def _read(language: str) -> gettext.NullTranslations:
    return gettext.translation(DOMAIN, CATALOGUES, [language], fallback=language == ENGLISH)


def page_catalogue(language: str) -> dict[str, str]:
    """The translations of all texts of the page, by the English text; none in English."""
    if language == ENGLISH:
        return {}
    found: dict[str, str] = json.loads((CATALOGUES / language / OF_PAGE).read_text("utf-8"))
    return found


def of_locale(environment: Mapping[str, str]) -> str:
    """The language of the locale: Chinese for every zh locale, else English.

    >>> of_locale({"LANG": "zh_CN.UTF-8"}), of_locale({"LANG": "zh_CN.UTF-8", "LC_ALL": "C"})
    ('zh', 'en')
    """
    locale = next((environment[name] for name in VARIABLES if environment.get(name)), "")
    return CHINESE if locale.lower().startswith(CHINESE) else ENGLISH


def without_option(arguments: Sequence[str]) -> tuple[str | None, list[str]]:
    """The value of the last `--lang` in the arguments, if any, and the other arguments.

    >>> without_option(["match", "--lang", "zh", "a", "--", "--lang"])
    ('zh', ['match', 'a', '--', '--lang'])
    """
    language, others, rest = None, list[str](), list(arguments)
    while rest:
        word = rest.pop(0)
        if word == "--":
            return language, [*others, word, *rest]
        if word == OPTION:
            if not rest:
                raise RunnerError(_("{option} needs a value").format(option=OPTION))
            language = rest.pop(0)
        elif word.startswith(f"{OPTION}="):
            language = word.removeprefix(f"{OPTION}=")
        else:
            others.append(word)
    return language, others


def kept(sentence: str) -> str:
    """A sentence that was kept as plain text, as a Message if it is one of SENTENCES.

    >>> kept("Black raised ValueError: no idea"), retold("5 in a row from (7, 3) to (7, 7)")
    ('Black raised ValueError: no idea', '5 in a row from d8 to h8')
    """
    for template, pattern in _patterns():
        if found := pattern.fullmatch(sentence):
            return Message(template, **{name: HOLDS.get(name, str)(text) for name, text in found.groupdict().items()})
    return sentence


def retold(sentence: str) -> str:
    """A sentence that was kept as plain text, for people: in the language that is used, with the names of cells."""
    return shown(kept(sentence))


# What the fields of SENTENCES hold: another sentence, cells; the others what an agent or the system has said.
HOLDS: Mapping[str, Callable[[str], str]] = {
    "sentence": kept, **dict.fromkeys(("cell", "cells", "first", "last"), Cells)
}  # fmt: skip


@functools.cache
def _patterns() -> list[tuple[str, re.Pattern[str]]]:
    """SENTENCES, and the texts that they fit."""
    fields = {template: re.sub(r"\\{(\w+)\\}", r"(?P<\1>.*)", re.escape(template)) for template in SENTENCES}
    return [(template, re.compile(pattern, re.DOTALL)) for template, pattern in fields.items()]


SENTENCES = (  # how games end, what agents do wrong, boards that cannot be; the first that fits is taken
    Message("Black could not be loaded: it {sentence}"),
    Message("White could not be loaded: it {sentence}"),
    Message("Black {sentence}"),
    Message("White {sentence}"),
    Message("can no longer be played: {sentence}"),
    Message("{path} has no function my_controller(observation, action_space, is_act_continuous)"),
    Message("{path} is no Python file: {error}"),
    Message("{path} is no Python: line {line}: {error}"),
    Message("{path} cannot be read: {error}"),
    Message("{path} takes no options (it has no function configure), but was given {options}"),
    Message("{path} does not take {options}: {sentence}"),
    Message("it has no option {option}"),
    Message("a value is of the wrong kind ({error})"),
    Message("has ended"),
    Message("resigns"),
    Message("lost on time"),
    Message("forfeits"),
    Message("raised {error}"),
    Message("asked for too much memory: {error}"),
    Message("caught a fault of its own: {error}"),
    Message("exited with code {code}"),
    Message("was killed by signal {number} ({name})"),
    Message("gave no answer within {seconds} s of {limit} s; killed"),
    Message("took {seconds} s of {limit} s ({clock} s on the runner's clock)"),
    Message("used {used} MB of {limit} MB; killed"),
    Message("used {used} MB of {limit} MB"),
    Message("wrote more than {size} MB of files; killed"),
    Message("wrote into the pipe that carries its answers"),
    Message("closed the pipe that carries its answers"),
    Message("forged a reply of the host script"),
    Message("changed the observation, which is the live board on the platform"),
    Message("answered in the wrong form: {sentence}"),
    Message("the answer must be two lists, got {answer}"),
    Message("the row's list must have {n} entries, got {answer}"),
    Message("the column's list must have {n} entries, got {answer}"),
    Message("the row must be a plain list of ints (try .tolist()), got {answer}"),
    Message("the column must be a plain list of ints (try .tolist()), got {answer}"),
    Message("the row's list must hold exactly one 1 and otherwise 0, got {answer}"),
    Message("the column's list must hold exactly one 1 and otherwise 0, got {answer}"),
    Message("played {cell}, which is off the board, whose cells are from {first} to {last}"),
    Message("played {cell}, which holds a stone of Black's; legal: {cells} and {more} more"),
    Message("played {cell}, which holds a stone of Black's; legal: {cells}"),
    Message("played {cell}, which holds a stone of White's; legal: {cells} and {more} more"),
    Message("played {cell}, which holds a stone of White's; legal: {cells}"),
    Message("played {cell}, which turns no disc over; legal: {cells} and {more} more"),
    Message("played {cell}, which turns no disc over; legal: {cells}"),
    Message("{k} in a row from {first} to {last}"),
    Message("{sentence} without a line, which the platform pays to the last mover"),
    Message("full board, {black} to {white}"),
    Message("wipe-out, {black} to {white}"),
    Message("double pass, {black} to {white}"),
    Message("step limit, {black} to {white}"),
    Message("step limit pays nobody"),
    Message("full board"),
    Message("step limit"),
    Message("{k} in a row do not fit on a board of {board}; set a larger board_size"),
    Message("{k} in a row do not fit on a board of {board}"),
    Message("in_a_row must be at least 2, not {k}"),
    Message("a Reversi board is square with an even side from 4 to 26, not {board}; set board_size"),
    Message("a Reversi board is square with an even side from 4 to 26, not {board}"),
    Message("board_size must be a whole number of at least 1, not {value}"),
)
