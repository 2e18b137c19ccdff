"""Translates the code's English texts into the user's language, English or Chinese, by gettext catalogues.

`_("no agent at {where}").format(where=where)` translates at once. `Message("step {number}", number=3)` stays English
until `shown` translates it: constants are Messages, and so are texts that also go into JSON, a page or a file. The same
catalogue has the page's texts (`t("...")` in its scripts). The option `--lang` chooses the language, else the locale.
"""

import functools
import gettext
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from difflib import get_close_matches
from pathlib import Path
from typing import TypeAlias, cast

CATALOGUES = Path(__file__).parent / "locale"
DOMAIN = "tengen"
OF_PAGE = "page.json"  # the file in each language's folder with the texts of the page
ENGLISH, CHINESE = "en", "zh"
LANGUAGES = (ENGLISH, CHINESE)
OPTION = "--lang"

_catalogue = gettext.NullTranslations()  # used by threads and tasks outside `speaking`
_requested = ""  # the value of --lang
_spoken: ContextVar[gettext.NullTranslations | None] = ContextVar("catalogue of this thread or task", default=None)


def _(message: str) -> str:
    """The message in the current language."""
    return _now().gettext(message)


def _now() -> gettext.NullTranslations:
    return _spoken.get() or _catalogue


class Message(str):
    """An English text that also stores its template and its fields, so that `shown` can translate it.

    A Message without fields may itself be the template of another: `Message(template, name=value)`.
    """

    def __new__(cls, template: str, **fields: object) -> "Message":
        made = super().__new__(cls, template.format(**fields) if fields else template)
        made._template, made._fields = str(template), fields
        return made

    _template: str
    _fields: dict[str, object]

    def filled(self, **fields: object) -> "Message":
        """The message with other values of some of its fields."""
        return Message(self._template, **{**self._fields, **fields})

    def translated(self) -> str:
        """The text in the current language. Fields that are Messages are translated as well."""
        template = _now().gettext(self._template)
        if not self._fields:
            return template
        return template.format(**{name: shown(value) if isinstance(value, str) else value
                                  for name, value in self._fields.items()})  # fmt: skip


SEMICOLON, COMMA, STOP = Message("; "), Message(", "), Message(". ")  # separators of parts and of sentences
COLON = Message(": ")  # follows a title


class Series(Message):
    """Several texts, joined by a separator."""

    def __new__(cls, parts: Iterable[str], separator: str = SEMICOLON) -> "Series":
        parts = list(parts)
        made = str.__new__(cls, separator.join(parts))
        made._parts, made._separator = parts, separator
        return made

    _parts: list[str]
    _separator: str

    def translated(self) -> str:
        """The translated parts, joined by the separator of the current language."""
        return shown(self._separator).join(map(shown, self._parts))


class Listing(Series):
    """Names in a list, joined by commas: Chinese has a comma of its own for lists."""

    def __new__(cls, names: Iterable[str]) -> "Listing":
        return cast("Listing", super().__new__(cls, names, COMMA))

    def translated(self) -> str:
        """The translated names."""
        return ("、" if current() == CHINESE else ", ").join(map(shown, self._parts))


def listed(names: Iterable[str]) -> str:
    """Names in a list, in the current language."""
    return Listing(names).translated()


def shown(text: str) -> str:
    """A Message translated into the current language; any other text unchanged."""
    return text.translated() if isinstance(text, Message) else text


def current() -> str:
    """The current language."""
    return _now().info().get("language", ENGLISH)


def use(language: str | None) -> None:
    """Make one of LANGUAGES the process's current language; None for the locale's language, or else English."""
    global _catalogue
    _read.cache_clear()  # so that None reads the locale anew
    _catalogue = _read(language)


def choose(language: str | None) -> bool:
    """Use the value of `--lang`, and remember it for `requested`. Returns False if it names none of LANGUAGES.

    `language`: may be a locale, as zh, ZH, zh-CN and zh_CN.UTF-8 all mean "zh"; None if the option was not given, for
    the language of the locale.
    """
    global _requested
    _requested = "" if language is None else re.split(r"[-_.@]", language.strip().lower())[0]
    use(_requested if _requested in LANGUAGES else None)
    return language is None or _requested in LANGUAGES


def requested() -> str:
    """The language that the user requested by `--lang`; "" if it was not given: a page may then follow the browser."""
    return _requested


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Use one of LANGUAGES inside the context, in this thread or task only: a server's users differ in language."""
    token = _spoken.set(_read(language))
    try:
        yield
    finally:
        _spoken.reset(token)


@functools.cache
def _read(language: str | None) -> gettext.NullTranslations:
    return gettext.translation(DOMAIN, CATALOGUES, language and [language], fallback=language != CHINESE)


def page_catalogue(language: str) -> dict[str, str]:
    """English text -> translation, for all texts of the page; {} for English."""
    if language == ENGLISH:
        return {}
    catalogue: dict[str, str] = json.loads((CATALOGUES / language / OF_PAGE).read_text("utf-8"))
    return catalogue


def without_option(arguments: Sequence[str]) -> tuple[str | None, list[str]]:
    """The value of the last `--lang` before `--` (None without one, "" if it is missing), and the other arguments.

    The language is read before the command line is parsed, because the parser's errors and help pages are in it.
    """
    end = arguments.index("--") if "--" in arguments else len(arguments)
    words, language, others = iter(arguments[:end]), None, list[str]()
    for word in words:
        if word == OPTION:
            language = next(words, "")
        elif word.startswith(f"{OPTION}="):
            language = word.removeprefix(f"{OPTION}=")
        else:
            others.append(word)
    return language, [*others, *arguments[end:]]


# ---- amounts and names

# Two messages: for the number 1, and for other numbers.
Kind: TypeAlias = tuple[Message, Message]

MOVES: Kind = (Message("1 move"), Message("{n} moves"))
PLIES: Kind = (Message("1 ply"), Message("{n} plies"))
STEPS: Kind = (Message("1 step"), Message("{n} steps"))
LINES: Kind = (Message("1 line of text"), Message("{n} lines of text"))
GAMES: Kind = (Message("1 game"), Message("{n} games"))
DISCS: Kind = (Message("1 disc"), Message("{n} discs"))
CALLS: Kind = (Message("1 call"), Message("{n} calls"))


def amount(number: int, kind: Kind) -> Message:
    """The number with its noun, as a Message, which may also be the value of a field of another Message.

    >>> amount(1, PLIES), amount(0, PLIES)
    ('1 ply', '0 plies')
    """
    one, more = kind
    return one if number == 1 else Message(more, n=number)


def brief(number: float) -> str:
    """A large number, shortened in the current language: 950, 12 k, 3.4 M; in Chinese 950, 1.2 万, 3.4 亿.

    `briefIn` of words.js does the same for the page.
    """
    step, exact, units = 1000, 10, ["", " k", " M", " G"]
    if current() == CHINESE:
        step, exact, units = 10_000, 100, ["", " 万", " 亿"]
    power = 0
    while number >= step and power < len(units) - 1:
        number, power = number / step, power + 1
    return f"{number:,.{int(power > 0 and number < exact)}f}{units[power]}"


def unknown(what: str, word: str, known: Iterable[str], *, all_known: bool = True, meant: str = "") -> str:
    """The sentence that a name is unknown.

    `what`: the kind of thing that is named, translated. `word`: the unknown name. `known`: the names that exist.
    `all_known`: list all known names if none is similar. `meant`: the name to suggest, "" for the most similar one.

    >>> unknown("game", "gobagn", ["gobang", "reversi"])
    "unknown game 'gobagn'; did you mean gobang?"
    >>> unknown("game", "chess", ["gobang", "reversi"])
    "unknown game 'chess'; choose one of: gobang, reversi"
    """
    known = list(known)
    bare = {name.lstrip("-"): name for name in known}  # leading dashes would make all options similar
    if current() == CHINESE and what[:1].isascii():
        what = f" {what}"  # Chinese puts a space between a Chinese character and a Latin letter
    like = meant or "".join(bare[name] for name in get_close_matches(word.lower().lstrip("-"), bare, n=1))
    if like:
        sentence = _("unknown {what} {word!r}; did you mean {like}?")
    elif all_known:
        sentence = _("unknown {what} {word!r}; choose one of: {names}")
    else:
        sentence = _("unknown {what} {word!r}")
    return sentence.format(what=what, word=word, like=like, names=listed(known))
