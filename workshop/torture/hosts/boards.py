"""Observations as the platform shows them, of random positions in mid-game. Knows just enough rules to make them."""
import random
from typing import Any, Dict, List, NamedTuple, Set, Tuple

SITE = (("gobang", 15), ("gobang", 15), ("reversi", 10), ("reversi", 8), ("gobang", 11), ("gobang", 3))
DIRECTIONS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]


class Shown(NamedTuple):
    """An observation, and the board's rows and columns."""

    observation: Any
    rows: int
    cols: int


def choose(dice: random.Random) -> Tuple[str, int, int]:
    """A game and the size of its board: one of the site's, or now and then any other."""
    game, size = dice.choice(SITE)
    if dice.random() < 0.9:
        return game, size, size
    if game == "reversi":
        size = dice.choice((2, 4, 6, 12, 14, 16, 26, 1, 3, 5, 7, 9, 40, 100))
        return game, size, size
    most = dice.choice((5, 20, 20, 30, 100))
    return game, dice.randint(1, most), dice.randint(1, most)


class GameInPlay:
    """A game that goes on by random moves, and is shown to both players."""

    def __init__(self, dice: random.Random, game: str, rows: int, cols: int) -> None:
        self.dice, self.game, self.rows, self.cols = dice, game, rows, cols
        self.stones: Dict[Tuple[int, int], int] = {}
        self.mover = 1
        if game == "reversi" and rows >= 2:
            low, high = rows // 2 - 1, rows // 2
            self.stones = {(low, low): 2, (high, high): 2, (low, high): 1, (high, low): 1}
        for _ in range(dice.choice((0, 1, 2, 5, 10, 20, 40, 80))):
            self.move()

    def move(self) -> None:
        """Make a random move; if there is none, the turn passes."""
        cells = [(row, col) for row in range(self.rows) for col in range(self.cols) if (row, col) not in self.stones]
        self.dice.shuffle(cells)
        for cell in cells:
            turned = self.turned(cell) if self.game == "reversi" else set()
            if self.game != "reversi" or turned:
                self.stones.update(dict.fromkeys(turned | {cell}, self.mover))
                break
        self.mover = 3 - self.mover

    def turned(self, cell: Tuple[int, int]) -> Set[Tuple[int, int]]:
        """The discs that a disc on this cell turns over."""
        found: Set[Tuple[int, int]] = set()
        for down, right in DIRECTIONS:
            row, col = cell[0] + down, cell[1] + right
            run = set()
            while self.stones.get((row, col)) == 3 - self.mover:
                run.add((row, col))
                row, col = row + down, col + right
            if self.stones.get((row, col)) == self.mover:
                found |= run
        return found

    def show(self, player: int) -> Shown:
        """The observation of one player."""
        shown: Dict[Any, Any] = {"chess_player_idx": player, "board_width": self.cols, "board_height": self.rows}
        if self.game == "reversi":
            for colour in (1, 2):
                shown[colour] = {cell for cell, stone in self.stones.items() if stone == colour}
        else:
            shown["state_map"] = [[[self.stones.get((row, col), 0)] for col in range(self.cols)]
                                  for row in range(self.rows)]
        return Shown(shown, self.rows, self.cols)

    def row(self) -> List[List[int]]:
        """What the platform shows after a pass: one row of the board."""
        return [[self.stones.get((0, col), 0)] for col in range(self.cols)]
