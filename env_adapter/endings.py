"""Enums of the ways in which games end and of the reasons why moves are illegal, each with an English text.

The value of a member is short and never changes; files store it. The template of a member is the text for people.
`Ending.text` takes functions that translate the template and name the cells.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from env_adapter.actions import Cell


class Worded(Enum):
    """An enum whose members have an English template; a member is written as (value, template)."""

    def __new__(cls, value: str, template: str = "") -> "Worded":
        member = object.__new__(cls)
        member._value_ = value
        member.template = template
        return member

    template: str


class EndingKind(Worded):
    """The event that ended a game."""

    LINE = "line", "{k} in a row from {first} to {last}"
    FULL_BOARD = "full board", "full board"
    STEP_LIMIT = "step limit", "step limit"
    WIPE_OUT = "wipe-out", "wipe-out"  # Reversi: one side has no discs left
    DOUBLE_PASS = "double pass", "double pass"


class Payment(Worded):
    """The rule that pays the players at the end of a game. `{ending}` stands for the text of the EndingKind."""

    BY_RULE = "by rule", "{ending}"
    LAST_MOVER = "last mover", "{ending} without a line, which the platform pays to the last mover"
    NOBODY = "nobody", "{ending} pays nobody"


class Illegality(Worded):
    """The reason why a cell may not be played. Fields of the templates: cell, height, width, rule."""

    NO_CELL = "no cell", "{cell} is no cell; give (row, col), two whole numbers"
    OFF_BOARD = "off the board", "{cell} is off the {height}x{width} board"
    OVER = "over", "{cell} cannot be played: the game is over"
    ON_BLACK = "on Black's", "{cell} holds a stone of Black's"
    ON_WHITE = "on White's", "{cell} holds a stone of White's"
    RULE = "rule", "{cell} {rule}"  # rule: the game's `illegal_free`
    MUST_PASS = "must pass", "{cell} cannot be played: there is no legal move, only a pass"


WITH_DISCS = "{ending}, {black} to {white}"


@dataclass(frozen=True)
class Ending:
    """The end of a game.

    line: the cells of the winning line, () if there is none
    discs: the numbers of Black's and White's discs if discs decided a game of Reversi, else None
    """

    kind: EndingKind
    line: tuple[Cell, ...] = ()
    discs: tuple[int, int] | None = None
    paid: Payment = Payment.BY_RULE

    def text(self, fill: Callable[..., str] = str.format, named: Callable[[Cell], str] = str) -> str:
        """The ending in words. `fill(template, **fields)` returns a filled template, `named(cell)` a cell's name."""
        fields = {"k": len(self.line), "first": named(self.line[0]), "last": named(self.line[-1])} if self.line else {}
        text = fill(self.kind.template, **fields)
        if self.discs is not None:
            text = fill(WITH_DISCS, ending=text, black=self.discs[0], white=self.discs[1])
        return text if self.paid is Payment.BY_RULE else fill(self.paid.template, ending=text)


@dataclass(frozen=True)
class Outcome:
    """The result of a game.

    winner: 0 undecided, 1 Black, 2 White, 3 draw
    ending: None while the game goes on
    """

    winner: int
    ending: Ending | None = None

    @property
    def reason(self) -> str:
        """The ending in English; "" while the game goes on."""
        return self.ending.text() if self.ending is not None else ""
