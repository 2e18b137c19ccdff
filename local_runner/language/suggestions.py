"""The sentence about a name that does not exist: what is most like it, or else all that there are."""

from collections.abc import Iterable
from difflib import get_close_matches

from local_runner.language.languages import CHINESE, _, current


def unknown(what: str, word: str, known: Iterable[str], *, all_known: bool = True) -> str:
    """Says that a name is unknown. `what`: what it names, translated; `all_known`: list all names if none is like it.

    >>> unknown("game", "gobagn", ["gobang", "reversi"])
    "unknown game 'gobagn'; did you mean gobang?"
    >>> unknown("game", "chess", ["gobang", "reversi"])
    "unknown game 'chess'; choose one of: gobang, reversi"
    """
    known = list(known)
    bare = {name.lstrip("-"): name for name in known}  # that dashes are alike says nothing
    if current() == CHINESE and what[:1].isascii():
        what = f" {what}"  # between a Chinese letter and a Latin one stands a space
    like = [bare[name] for name in get_close_matches(word.lower().lstrip("-"), bare, n=1)]
    if like:
        sentence = _("unknown {what} {word!r}; did you mean {like}?")
    elif all_known:
        sentence = _("unknown {what} {word!r}; choose one of: {names}")
    else:
        sentence = _("unknown {what} {word!r}")
    return sentence.format(what=what, word=word, like="".join(like), names=", ".join(known))
