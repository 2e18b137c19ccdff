"""Sentences about a game that the page shows: how it ended."""

from local_runner.game.wording import winner_text
from local_runner.language.languages import _, shown
from local_runner.language.text import SENTENCE, shortened


def ended(winner: int, ending: str) -> str:
    """Who won and why, "" if neither is known. `winner`: 1 Black, 2 White, 3 a draw, 0 nobody."""
    why = shortened(shown(ending), SENTENCE)
    head = shown(winner_text(winner)) if winner else ""
    return _("{what}: {about}").format(what=head, about=why) if head and why else head or why
