"""What an opponent is shown, as a board it may write on; and the few rules that one-move players need.

Boards are `stones[row][col]`: 0 free, 1 black, 2 white. Remembers the last boards shown, because after a pass in
Reversi the platform shows a row of the board instead of the position.
"""

from collections import deque
from typing import Any, Deque, List, NamedTuple, Optional, Tuple

Cell = Tuple[int, int]
Stones = List[List[int]]

DIRECTIONS = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))


class Seen(NamedTuple):
    """A position as `player` (1 black, 2 white) was shown it; `reversi` says which family of games it is of."""

    stones: Stones
    player: int
    reversi: bool


_seen: Deque[Seen] = deque(maxlen=2)


def look(observation: Any) -> Optional[Seen]:
    """The position behind an observation, None where it does not say and nothing was seen before.

    A pass changes no stone, so the position after it is the last one shown to anybody. Whose call it is repeats with
    every second call, as one module plays either one colour, or both in turn.
    """
    if isinstance(observation, dict):
        seen = read(observation)
    elif _seen:
        seen = _seen[-1]._replace(player=_seen[0].player)
    else:
        return None
    _seen.append(seen)
    return seen


def read(observation: Any) -> Seen:
    """The position in an observation that is a dict, in either of the platform's two forms."""
    player = observation["chess_player_idx"]
    if "state_map" in observation:
        return Seen([[cell[0] for cell in row] for row in observation["state_map"]], player, False)
    stones = [[0] * observation["board_width"] for _ in range(observation["board_height"])]
    for colour in (1, 2):
        for row, col in observation[colour]:
            stones[row][col] = colour
    return Seen(stones, player, True)


def legal_cells(seen: Seen) -> List[Cell]:
    """Where the player may put a stone, row by row."""
    free = [(r, c) for r, row in enumerate(seen.stones) for c, stone in enumerate(row) if not stone]
    return [cell for cell in free if flips(seen.stones, cell, seen.player)] if seen.reversi else free


def flips(stones: Stones, cell: Cell, player: int) -> List[Cell]:
    """The discs that `player` turns over by playing the free cell `cell` at Reversi; none if it may not."""
    turned: List[Cell] = []
    for step in DIRECTIONS:
        caught = run(stones, cell, step, 3 - player)
        end = (cell[0] + step[0] * (len(caught) + 1), cell[1] + step[1] * (len(caught) + 1))
        if stone_at(stones, end) == player:
            turned += caught
    return turned


def run(stones: Stones, cell: Cell, step: Cell, colour: int) -> List[Cell]:
    """The unbroken stones of `colour` that begin next to `cell` in the direction `step`."""
    found: List[Cell] = []
    row, col = cell[0] + step[0], cell[1] + step[1]
    while stone_at(stones, (row, col)) == colour:
        found.append((row, col))
        row, col = row + step[0], col + step[1]
    return found


def stone_at(stones: Stones, cell: Cell) -> int:
    """0, 1 or 2; -1 off the board."""
    row, col = cell
    return stones[row][col] if 0 <= row < len(stones) and 0 <= col < len(stones[0]) else -1


def one_hots(cell: Cell, action_space: Any) -> List[List[int]]:
    """The answer that plays `cell`."""
    return [[int(i == at) for i in range(space.n)] for at, space in zip(cell, action_space)]
