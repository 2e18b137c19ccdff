"""English and Chinese: texts are written in English, and translated by a gettext catalogue when a user reads them.

- `_("no agent at {where}").format(where=where)` translates at once.
- `Message("step {number}", number=3)` stays English until `shown` translates it: for constants, and for texts that also
  go into JSON, a page or a file.

The texts of the page (`t("...")` in its scripts) are in the same catalogue. `page_catalogue` gives them to a browser.
Help texts are translated when the command line starts (`command_line.in_language`), not where they are written. The
language is that of `--lang`, else that of the locale.
"""

import functools
import gettext
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from local_runner.errors import RunnerError

CATALOGUES = Path(__file__).parents[1] / "data" / "locale"
DOMAIN = "tengen"
OF_PAGE = "page.json"  # in each language's folder: the texts of the page
ENGLISH, CHINESE = "en", "zh"
LANGUAGES = (ENGLISH, CHINESE)
VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")  # of the locale; the first that is set decides
OPTION = "--lang"

_catalogue = gettext.NullTranslations()  # of the whole process
_requested = ""  # the value of --lang
_spoken: ContextVar[gettext.NullTranslations | None] = ContextVar("catalogue of this thread or task", default=None)


def _(message: str) -> str:
    """The message in the current language."""
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
        """The text in the current language, with all messages in it."""
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
        """The translated parts with the separator of the current language."""
        return shown(self._separator).join(map(shown, self._parts))


def shown(text: str) -> str:
    """A Message in the current language; any other text as it is."""
    return text.translated() if isinstance(text, Message) else text


def current() -> str:
    """The current language."""
    return _now().info().get("language", ENGLISH)


def use(language: str) -> None:
    """Write in that language from now on; RunnerError if there is no such language."""
    global _catalogue
    if language not in LANGUAGES:
        from local_runner.language.suggestions import unknown  # here, because it needs this module

        raise RunnerError(unknown(_("language"), language, LANGUAGES))
    _catalogue = _read(language)


def choose(language: str | None) -> None:
    """Use the value of `--lang`, and remember that the user requested it; None if the option was not given."""
    global _requested
    if language is not None:
        use(language)
    _requested = language or ""


def requested() -> str:
    """The language that the user requested by `--lang`; "" if none, and then a page may use the browser's."""
    return _requested


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
