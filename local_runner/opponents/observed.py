"""What an opponent is shown, as a board it may write on; and the few rules that one-move players need.

Boards are `stones[row][col]`: 0 free, 1 black, 2 white. Remembers the last boards shown, because after a pass in
Reversi the platform shows a row of the board instead of the position.
"""

from collections import deque
from typing import Any, Deque, List, NamedTuple, Optional, Set, Tuple

Cell = Tuple[int, int]
Stones = List[List[int]]

DIRECTIONS = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))


class Seen(NamedTuple):
    """A position as `player` (1 black, 2 white) was shown it; `reversi` says which family of games it is of.

    `to_move` is whose turn it is, 0 where that cannot be told.
    """

    stones: Stones
    player: int
    reversi: bool
    to_move: int = 0

    @property
    def idle(self) -> bool:
        """Whether it is the other's turn, so that the answer is not played."""
        return self.to_move == 3 - self.player


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
    seen = seen._replace(to_move=_turn(seen))
    _seen.append(seen)
    return seen


def _turn(seen: Seen) -> int:
    """Whose turn it is: in rows by the number of stones, at Reversi the other's than whose disc is new on the board.

    Who is stuck there has to pass, which changes nothing that is shown, so the turn is the other's already.
    """
    if not seen.reversi:
        return 1 + len(taken_cells(seen.stones)) % 2
    before = _seen[-1] if _seen else seen
    if before.stones == seen.stones:
        return _unchanged(seen, before.to_move)
    taken, taken_before = taken_cells(seen.stones), taken_cells(before.stones)
    new = taken - taken_before
    if len(new) != 1 or not taken_before < taken or len(seen.stones) != len(before.stones):  # another game
        return 0
    (row, col), = new
    other = 3 - seen.stones[row][col]
    return other if legal_cells(seen._replace(player=other)) else 3 - other


def _unchanged(seen: Seen, to_move: int) -> int:
    """Whose turn it is on a board as before: who waited for another's move and could move has it if that was lost."""
    own_before = next((before for before in reversed(_seen) if before.player == seen.player), seen)
    waited = own_before.stones == seen.stones and own_before.idle
    return seen.player if waited and legal_cells(seen) else to_move


def taken_cells(stones: Stones) -> Set[Cell]:
    """The cells that are not free."""
    return {(r, c) for r, row in enumerate(stones) for c, stone in enumerate(row) if stone}


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


def centre_or_first(seen: Optional[Seen], action_space: Any) -> Cell:
    """Where an agent has nothing to think about: the centre or else the first cell that may be played, if any may."""
    centre = (action_space[0].n // 2, action_space[1].n // 2)
    cells = legal_cells(seen) if seen is not None else []
    return centre if centre in cells else next(iter(cells), (0, 0))
