"""The error message for an unknown name. The message suggests the most similar known name, or else lists all names."""

from collections.abc import Iterable
from difflib import get_close_matches

from local_runner.language.languages import CHINESE, _, current, listed


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
