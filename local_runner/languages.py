"""The language of help and messages: English, in which they are written, or Chinese, from a gettext catalogue.

A message is written `_("no agent at {where}").format(where=where)`. The language is that of `--lang`, else that of the
locale. Help texts are translated when the command line starts (`command_line.in_language`), not where they are written.
"""

import gettext
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from local_runner.errors import RunnerError

CATALOGUES = Path(__file__).parent / "data" / "locale"
DOMAIN = "tengen"
ENGLISH, CHINESE = "en", "zh"
LANGUAGES = (ENGLISH, CHINESE)
VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")  # of the locale; the first that is set decides
OPTION = "--lang"

_catalogue = gettext.NullTranslations()  # one for the whole process


def _(message: str) -> str:
    """The message in the language that is used."""
    return _catalogue.gettext(message)


def marked(message: str) -> str:
    """The message itself: marks a constant for the catalogue; `_` translates it where it is shown."""
    return message


def used() -> str:
    """The language that is used."""
    return _catalogue.info().get("language", ENGLISH)


def use(language: str) -> None:
    """Write in that language from now on; RunnerError if there is no such language."""
    global _catalogue
    if language not in LANGUAGES:
        from local_runner.suggestions import unknown  # here, because it needs this module

        raise RunnerError(unknown("language", language, LANGUAGES))
    _catalogue = gettext.translation(DOMAIN, CATALOGUES, [language], fallback=language == ENGLISH)


@contextmanager
def in_english() -> Iterator[None]:
    """Messages made inside are English, because programs read them."""
    global _catalogue
    before, _catalogue = _catalogue, gettext.NullTranslations()
    try:
        yield
    finally:
        _catalogue = before


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
