"""Sentences about a game that the page shows: how it ended."""

from local_runner.game.participants import colour
from local_runner.game.records import BLACK_WINS, DRAW, WHITE_WINS
from local_runner.language.languages import _, shown
from local_runner.language.text import SENTENCE, shortened


def ended(winner: int, ending: str) -> str:
    """Who won and why, "" if neither is known. `winner`: 1 Black, 2 White, 3 a draw, 0 nobody."""
    why = shortened(shown(ending), SENTENCE)
    if winner in (BLACK_WINS, WHITE_WINS):
        head = _("{colour} wins").format(colour=colour(winner - 1))
    else:
        head = _("a draw") if winner == DRAW else ""
    return _("{what}: {about}").format(what=head, about=why) if head and why else head or why
