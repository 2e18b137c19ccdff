"""The two rule sets: `rules="platform"` has all quirks, `rules="stated"` has none.

A quirk is one difference between the platform's code and the rules that the site's text states (or common sense). Each
member of `Quirk` describes the behaviour with the quirk and without it. Games test `Quirk.X in self.quirks`.
"""

from collections.abc import Collection
from enum import Enum

from env_adapter.errors import OptionError


class Quirk(Enum):
    """One difference: (behaviour with the quirk, behaviour without it)."""

    def __init__(self, platform: str, stated: str) -> None:
        self.platform = platform
        self.stated = stated

    # every game
    LIVE_OBSERVATION = (
        "observations hold the environment's own board or sets: writing into them changes the game",
        "observations are copies",
    )
    ILLEGAL_MOVE_REPLACED = (
        "an illegal cell is silently replaced by a random legal one; info_after shows the cell played",
        "an illegal cell raises IllegalMove",
    )
    ANSWER_READ_BLINDLY = (
        "the mover's answer is read with .index(1): the first 1 counts, no 1 raises ValueError, an array fails",
        "each list must hold exactly one 1, the rest 0, or ActionError is raised",
    )
    OFF_TURN_SHAPE_CHECKED = (
        "the answer of the player off turn must have the right lengths, too (its content is never read)",
        "the answer of the player off turn is not read",
    )
    SHAPE_CHECK_SWAPS_AXES = (
        "the row list's length is compared with board_width and the column list's with board_height",
        "the lengths are those of the action space: board_height, then board_width",
    )
    STEP_AFTER_END_ALLOWED = ("step() after the end goes on playing", "step() after the end raises GameOver")
    RESET_KEEPS_RESULT = ("reset() keeps n_return (and won in Reversi) of the game before", "reset() clears them")

    # k in a row
    NO_LINE_PAYS_LAST_MOVER = (
        "full board or step limit without a line: 100 and n_return 1 for the last mover, check_win() is 0",
        "the game is a draw: 50 each, n_return 0.5 each, check_win() is 3",
    )
    FULL_BOARD_GOES_ON = (
        "a full board does not end the game, only the step limit; the next move raises TypeError",
        "a full board ends the game",
    )

    # Reversi
    LIST_AFTER_PASS = (
        "the step of a pass returns the rows of the board instead of the observations",
        "the step of a pass returns observations like any other",
    )
    SHARED_REWARD = (
        "all steps of a game return the same reward list, which changes at the end",
        "every step returns a new list",
    )
    RESULT_WAITS_FOR_CHECK_WIN = (
        "after a double pass or at the step limit, nobody is paid until check_win() is called",
        "the last step pays",
    )
    STEP_LIMIT_UNDECIDED = (
        "a game cut off by the step limit has no winner and pays nobody",
        "the discs are counted at the step limit",
    )
    RESET_KEEPS_LEGAL_POSITION = (
        "after reset(), legal_position holds the cells of the game before until the next step",
        "reset() computes legal_position",
    )


Quirks = frozenset[Quirk]

PLATFORM: Quirks = frozenset(Quirk)
STATED: Quirks = frozenset()

RULES: dict[str, Quirks] = {"platform": PLATFORM, "stated": STATED}


def quirks_of(rules: str | Collection[Quirk]) -> Quirks:
    """The quirks of a rule set, which is a name or a collection of quirks. Raises OptionError for anything else."""
    if isinstance(rules, str):
        if rules in RULES:
            return RULES[rules]
    elif isinstance(rules, Collection) and all(isinstance(rule, Quirk) for rule in rules):
        return frozenset(rules)
    raise OptionError(
        "no rules are called {rules!r}; choose one of: {known}, or a set of Quirk", rules=rules, known=", ".join(RULES)
    )
