"""Reads the position from an observation, and has the rules of Reversi, the only ones in this folder.

Boards are `stones[row][col]`: 0 free, 1 Black, 2 White. After a pass in Reversi, the platform sends one row of the
board instead of the position. So the module remembers the last two positions shown.

For the rules, a set of cells is an int: cell (row, col) is bit `row * (width + 1) + col`. One extra column stays empty,
so that a shift along a row, a column or a diagonal never reaches the next row:

    0 1 2 .        a 3 x 3 board; the dots are bits 3, 7 and 11
    4 5 6 .
    8 9 10 .

A move is the mask of one cell; 0 is a pass. Positions are immutable: playing a move makes a new position.
"""

from collections import deque
from operator import getitem
from typing import Any, Callable, Deque, Iterator, List, NamedTuple, Optional, Sequence, Set, Tuple

Cell = Tuple[int, int]
Stones = List[List[int]]

PASS = 0  # a move; every other move is the mask of a cell


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
    if not seen.reversi:
        return [(r, c) for r, row in enumerate(seen.stones) for c, stone in enumerate(row) if not stone]
    rules = ReversiRules(len(seen.stones))
    own, other, _ = rules.position(seen.stones, seen.player)
    return list(map(rules.cell, bits(rules.legal(own, other))))


def one_hots(cell: Cell, action_space: Any) -> List[List[int]]:
    """The answer that plays `cell`: one one-hot list for the row and one for the column."""
    return [[int(i == at) for i in range(space.n)] for at, space in zip(cell, action_space)]


def centre_or_first(seen: Optional[Seen], action_space: Any) -> Cell:
    """The answer without a search: the centre if it is legal, else the first legal cell, else (0, 0)."""
    centre = (action_space[0].n // 2, action_space[1].n // 2)
    cells = legal_cells(seen) if seen is not None else []
    return centre if centre in cells else next(iter(cells), (0, 0))


def controller(choose: Callable[[Seen], Optional[Cell]]) -> Callable[..., List[List[int]]]:
    """The entry point of an agent: answers the cell that `choose` finds in a position, for None `centre_or_first`."""

    def my_controller(observation: Any, action_space: Any, is_act_continuous: bool = False) -> List[List[int]]:
        """The platform's entry point. The platform ignores the answer off turn and on a pass."""
        seen = look(observation)
        cell = choose(seen) if seen is not None else None
        return one_hots(centre_or_first(seen, action_space) if cell is None else cell, action_space)

    return my_controller


# ---- rules on bit masks


class MaskPosition(NamedTuple):
    """The stones of the side to move, the opponent's stones, and the side to move (1 Black, 2 White)."""

    own: int
    other: int
    player: int


class MaskBoard:
    """The cells of a board of `height` x `width` as bits."""

    def __init__(self, height: int, width: int) -> None:
        self.height = height
        self.width = width
        self.steps = (1, width + 1, width, width + 2)  # along a row, a column, and both diagonals
        self.cells = sum(self.bit((row, col)) for row in range(height) for col in range(width))

    def bit(self, cell: Cell) -> int:
        """The mask of the cell (row, col)."""
        return 1 << cell[0] * (self.width + 1) + cell[1]

    def cell(self, bit: int) -> Cell:
        """The (row, col) of a mask of one cell."""
        row, col = divmod(bit.bit_length() - 1, self.width + 1)
        return row, col

    def position(self, stones: Stones, player: int) -> MaskPosition:
        """The position on `stones[row][col]` (0 free, 1 Black, 2 White) with `player` to move."""
        masks = [0, 0, 0]
        for row, line in enumerate(stones):
            for col, stone in enumerate(line):
                masks[stone] |= self.bit((row, col))
        return MaskPosition(masks[player], masks[3 - player], player)


class ReversiRules(MaskBoard):
    """Reversi on `size` x `size` cells."""

    def __init__(self, size: int) -> None:
        super().__init__(size, size)

    def legal(self, own: int, other: int) -> int:
        """The mask of all legal moves of the side with the discs `own`."""
        free = self.cells & ~(own | other)
        legal = 0
        for step in self.steps:
            run = own << step & other
            while run:
                run <<= step
                legal |= run & free
                run &= other
            run = own >> step & other
            while run:
                run >>= step
                legal |= run & free
                run &= other
        return legal

    def flips(self, own: int, other: int, move: int) -> int:
        """The mask of the discs of `other` that the move flips; 0 for an illegal move."""
        turned = 0
        for step in self.steps:
            caught, at = 0, move << step
            while at & other:
                caught |= at
                at <<= step
            if at & own:
                turned |= caught
            caught, at = 0, move >> step
            while at & other:
                caught |= at
                at >>= step
            if at & own:
                turned |= caught
        return turned

    def moves(self, position: MaskPosition) -> List[int]:
        """The legal moves, row by row; only PASS if there are none. Does not check whether the game is over."""
        return list(bits(self.legal(position.own, position.other))) or [PASS]

    def play(self, position: MaskPosition, move: int) -> MaskPosition:
        """The position after a legal move or PASS."""
        own, other, player = position
        if not move:
            return MaskPosition(other, own, 3 - player)
        turned = self.flips(own, other, move)
        return MaskPosition(other ^ turned, own | move | turned, 3 - player)


class DiscWeights:
    """Piece-square weights for Reversi, on boards of any even size: sums the weights of a mask of cells.

    `quarter` is one quarter of the weight map of 8x8, with the corner first; the others mirror it. On another size, a
    cell takes the weight of the cell with the same distances to its two nearest edges, at most 3: so corners, X squares
    (diagonally next to a corner), C squares (next to a corner on the edge) and edges keep their weights.
    """

    def __init__(self, board: MaskBoard, quarter: Sequence[Sequence[int]]) -> None:
        last = len(quarter) - 1
        self._size = (board.cells.bit_length() + 7) // 8  # bytes in a mask
        weights = [0] * (self._size * 8)
        for row in range(board.height):
            for col in range(board.width):
                down, right = min(row, board.height - 1 - row), min(col, board.width - 1 - col)
                weights[board.bit((row, col)).bit_length() - 1] = quarter[min(down, last)][min(right, last)]
        self._tables = []  # for each byte of a mask, the sums of its values
        for place in range(0, len(weights), 8):
            table = [0]
            for byte in range(1, 256):  # the table already holds the byte without its lowest bit
                table.append(table[byte & byte - 1] + weights[place + (byte & -byte).bit_length() - 1])
            self._tables.append(table)

    def total(self, mask: int) -> int:
        """The sum of the weights over the cells of a mask."""
        return sum(map(getitem, self._tables, mask.to_bytes(self._size, "little")))


def bits(mask: int) -> Iterator[int]:
    """The one-cell masks of the cells in a mask, row by row."""
    while mask:
        bit = mask & -mask
        yield bit
        mask ^= bit


def count(mask: int) -> int:
    """The number of cells in a mask."""
    return bin(mask).count("1")
