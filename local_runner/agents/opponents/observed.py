"""Reads the position from an observation, and has the few rules that agents without a search need.

Boards are `stones[row][col]`: 0 free, 1 Black, 2 White. After a pass in Reversi, the platform sends one row of the
board instead of the position. So the module remembers the last two positions shown.
"""

from collections import deque
from typing import Any, Deque, List, NamedTuple, Optional, Set, Tuple

Cell = Tuple[int, int]
Stones = List[List[int]]

DIRECTIONS = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))


class Seen(NamedTuple):
    """A position as it was shown to `player` (1 Black, 2 White).

    `reversi`: whether the game is Reversi; otherwise it is k in a row. `to_move`: the side to move, 0 if unknown.
    """

    stones: Stones
    player: int
    reversi: bool
    to_move: int = 0

    @property
    def idle(self) -> bool:
        """Whether the opponent is to move. The platform then asks for an answer, but does not play it."""
        return self.to_move == 3 - self.player


_seen: Deque[Seen] = deque(maxlen=2)


def look(observation: Any) -> Optional[Seen]:
    """The position in an observation; None if the observation is not a dict and no position was seen before.

    An observation that is not a dict follows a pass. A pass changes no stone, so the position is the last position
    shown. One module plays either one colour or both alternately, so the player is the player of the call before the
    last.
    """
    if isinstance(observation, dict):
        seen = read(observation)
    elif _seen:
        seen = _seen[-1]._replace(player=_seen[0].player)
    else:
        return None
    seen = seen._replace(to_move=_turn(seen))
    _seen.append(seen)
    return seen


def _turn(seen: Seen) -> int:
    """The side to move.

    In k in a row the parity of the stones determines the side to move. In Reversi the opponent of the side that placed
    the new disc is to move. If the opponent has no legal move, the same side moves again, because a pass is not shown.
    Returns 0 if the last two positions do not differ by one move.
    """
    if not seen.reversi:
        return 1 + len(taken_cells(seen.stones)) % 2
    before = _seen[-1] if _seen else seen
    if before.stones == seen.stones:
        return _unchanged(seen, before.to_move)
    taken, taken_before = taken_cells(seen.stones), taken_cells(before.stones)
    new = taken - taken_before
    if len(new) != 1 or not taken_before < taken or len(seen.stones) != len(before.stones):  # not one move
        return 0
    ((row, col),) = new
    other = 3 - seen.stones[row][col]
    return other if legal_cells(seen._replace(player=other)) else 3 - other


def _unchanged(seen: Seen, to_move: int) -> int:
    """The side to move if the board has not changed: `to_move` as before, with one exception.

    A player who was waiting on this board and has a legal move is to move: the opponent's turn ended without a move.
    """
    own_before = next((before for before in reversed(_seen) if before.player == seen.player), seen)
    waited = own_before.stones == seen.stones and own_before.idle
    return seen.player if waited and legal_cells(seen) else to_move


def taken_cells(stones: Stones) -> Set[Cell]:
    """The cells with a stone."""
    return {(r, c) for r, row in enumerate(stones) for c, stone in enumerate(row) if stone}


def read(observation: Any) -> Seen:
    """The position in an observation that is a dict: with `state_map` for k in a row, else Reversi."""
    player = observation["chess_player_idx"]
    if "state_map" in observation:
        return Seen([[cell[0] for cell in row] for row in observation["state_map"]], player, False)
    stones = [[0] * observation["board_width"] for _ in range(observation["board_height"])]
    for colour in (1, 2):
        for row, col in observation[colour]:
            stones[row][col] = colour
    return Seen(stones, player, True)


def legal_cells(seen: Seen) -> List[Cell]:
    """The cells where the player may put a stone, row by row."""
    free = [(r, c) for r, row in enumerate(seen.stones) for c, stone in enumerate(row) if not stone]
    return [cell for cell in free if flips(seen.stones, cell, seen.player)] if seen.reversi else free


def flips(stones: Stones, cell: Cell, player: int) -> List[Cell]:
    """The discs that `player` flips in Reversi by playing the free cell `cell`; empty for an illegal move."""
    turned: List[Cell] = []
    for step in DIRECTIONS:
        caught = stones_along(stones, cell, step, 3 - player)
        end = (cell[0] + step[0] * (len(caught) + 1), cell[1] + step[1] * (len(caught) + 1))
        if stone_at(stones, end) == player:
            turned += caught
    return turned


def stones_along(stones: Stones, cell: Cell, step: Cell, colour: int) -> List[Cell]:
    """The unbroken run of stones of `colour` that begins next to `cell` in the direction `step`."""
    run: List[Cell] = []
    row, col = cell[0] + step[0], cell[1] + step[1]
    while stone_at(stones, (row, col)) == colour:
        run.append((row, col))
        row, col = row + step[0], col + step[1]
    return run


def stone_at(stones: Stones, cell: Cell) -> int:
    """The content of a cell: 0 free, 1 Black, 2 White, -1 off the board."""
    row, col = cell
    return stones[row][col] if 0 <= row < len(stones) and 0 <= col < len(stones[0]) else -1


def one_hots(cell: Cell, action_space: Any) -> List[List[int]]:
    """The answer that plays `cell`: one one-hot list for the row and one for the column."""
    return [[int(i == at) for i in range(space.n)] for at, space in zip(cell, action_space)]


def centre_or_first(seen: Optional[Seen], action_space: Any) -> Cell:
    """The answer without a search: the centre if it is legal, else the first legal cell, else (0, 0)."""
    centre = (action_space[0].n // 2, action_space[1].n // 2)
    cells = legal_cells(seen) if seen is not None else []
    return centre if centre in cells else next(iter(cells), (0, 0))
