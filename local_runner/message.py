"""Messages that are kept in English and translated when they are shown.

The findings of `tengen check` go into JSON, and the tables of studies into pages; both stay English. What is shown on
the terminal goes through `shown`. A message that is only shown is written with `languages._`.
"""

from collections.abc import Iterable

from local_runner import languages
from local_runner.kept_sentences import in_words


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
        template = languages._(self._template) if self._template else ""
        if not self._fields:
            return template
        return template.format(**{name: shown(value) if isinstance(value, str) else value
                                  for name, value in self._fields.items()})  # fmt: skip


class Kept(Message):
    """A sentence of a record, which `kept_sentences` can translate."""

    def __new__(cls, sentence: str) -> "Kept":
        return str.__new__(cls, sentence)

    def translated(self) -> str:
        """The sentence in the language that is used."""
        return in_words(str(self))


SEMICOLON, COMMA = Message("; "), Message(", ")  # between the parts of a series


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


def shown(text: str) -> str:
    """A message in the language that is used; any other text as it is."""
    return text.translated() if isinstance(text, Message) else text
