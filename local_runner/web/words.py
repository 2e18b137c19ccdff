"""Sentences about a game that the page shows: how it ended."""

import re

from local_runner.coordinates import with_names
from local_runner.languages import _, kept, shown
from local_runner.participants import colour
from local_runner.records import BLACK_WINS, DRAW, WHITE_WINS
from local_runner.text import SENTENCE, shortened

ROW = re.compile(r"\d+ in a row from \S+ \S+ to \S+ \S+")  # the sentence of the rules; others hold words of agents


def why_ended(detail: str) -> str:
    """The sentence that was kept about a game's end, in the language that is used, with the names of cells."""
    return shown(kept(with_names(detail) if ROW.fullmatch(detail) else detail))


def ended(winner: int, detail: str) -> str:
    """Who won and why, "" if neither is known. `winner`: 1 Black, 2 White, 3 a draw, 0 nobody."""
    why = shortened(why_ended(detail), SENTENCE)
    if winner in (BLACK_WINS, WHITE_WINS):
        head = _("{colour} wins").format(colour=colour(winner - 1))
    else:
        head = _("a draw") if winner == DRAW else ""
    return _("{what}: {about}").format(what=head, about=why) if head and why else head or why
