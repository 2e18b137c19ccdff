"""The sentence about a name that does not exist: what is most like it, or else all that there are."""

from collections.abc import Iterable
from difflib import get_close_matches


def unknown(what: str, word: str, known: Iterable[str], *, all_known: bool = True) -> str:
    """Says that a name is unknown. `all_known`: list all names if none is like it.

    >>> unknown("game", "gobagn", ["gobang", "reversi"])
    "unknown game 'gobagn'; did you mean gobang?"
    >>> unknown("game", "chess", ["gobang", "reversi"])
    "unknown game 'chess'; choose one of: gobang, reversi"
    """
    known = list(known)
    sentence = f"unknown {what} {word!r}"
    like = get_close_matches(word.lower(), known, n=1)
    if like:
        return f"{sentence}; did you mean {like[0]}?"
    return f"{sentence}; choose one of: {', '.join(known)}" if all_known else sentence
