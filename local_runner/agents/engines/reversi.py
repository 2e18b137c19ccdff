"""A game of Reversi as the observations of one player show it, for programs that are told the moves or the board.

A board is a list, row by row: 0 free, 1 Black, 2 White. A cell is the number row * size + column.
"""

import re
from typing import Any, Dict, List, Optional, Set, Tuple

from .program import Program

STEPS = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))
MOST_TRIED = 1500  # positions that are tried to find the moves that lead to a board; up to 0.3 s
CELL = re.compile("([A-Za-z])([0-9]{1,2})")

Move = Tuple[int, int]  # colour, cell


def flipped(board: List[int], size: int, cell: int, colour: int) -> List[int]:
    """The discs that a move on a free cell turns over; [] for an illegal move."""
    found: List[int] = []
    for down, right in STEPS:
        row, col, line = cell // size + down, cell % size + right, []
        while 0 <= row < size and 0 <= col < size and board[row * size + col] == 3 - colour:
            line.append(row * size + col)
            row, col = row + down, col + right
        if 0 <= row < size and 0 <= col < size and board[row * size + col] == colour:
            found += line
    return found


def can_move(board: List[int], size: int, colour: int) -> bool:
    """Whether a side has a legal move."""
    return any(not stone and flipped(board, size, cell, colour) for cell, stone in enumerate(board))


def begun(size: int) -> List[int]:
    """The board at the start of a game."""
    board, low, high = [0] * (size * size), size // 2 - 1, size // 2
    board[low * size + low] = board[high * size + high] = 2
    board[low * size + high] = board[high * size + low] = 1
    return board


def moves_to(board: List[int], size: int) -> Optional[List[Move]]:
    """Moves that lead from the start to a board; None if none are found among MOST_TRIED positions."""
    start = begun(size)
    if any(stone and not now for now, stone in zip(board, start)):
        return None
    cells = [cell for cell, stone in enumerate(board) if stone and not start[cell]]
    tried: Set[Tuple[int, ...]] = set()

    def found(now: List[int], colour: int) -> Optional[List[Move]]:
        left = [cell for cell in cells if not now[cell]]
        if not left:
            return [] if now == board else None
        if (colour, *now) in tried or len(tried) > MOST_TRIED:
            return None
        tried.add((colour, *now))
        legal = False
        for cell in sorted(left, key=lambda cell: board[cell] != colour):
            turned = flipped(now, size, cell, colour)
            if turned:
                legal, after = True, now[:]
                for each in [cell, *turned]:
                    after[each] = colour
                rest = found(after, 3 - colour)
                if rest is not None:
                    return [(colour, cell), *rest]
        return None if legal or can_move(now, size, colour) else found(now, 3 - colour)

    return found(start, 1)


class Watched:
    """The game of one player. `moves` lead from the start, or from `base` if no moves to that board are known."""

    def __init__(self) -> None:
        self.number = 0  # of the game
        self.size = 0
        self.base: Optional[List[int]] = None
        self.moves: List[Move] = []
        self.board: List[int] = []
        self.player = 1
        self.to_move = 1

    def see(self, observation: Any) -> bool:
        """Take in an observation; returns whether its player is to move, and has a legal move."""
        board = self.board
        if isinstance(observation, dict):  # otherwise a row of the board: the last ply was a pass
            self.player = observation["chess_player_idx"]
            self.size, board = observation["board_width"], [0] * observation["board_width"] ** 2
            for colour in (1, 2):
                for row, col in observation[colour]:
                    board[row * self.size + col] = colour
        self._change(board)
        return self.to_move == self.player and can_move(board, self.size, self.player)

    def _change(self, board: List[int]) -> None:
        before, self.board = self.board, board
        if board == before:  # a pass, or the same call again
            self.to_move = self.player if can_move(board, self.size, self.player) else 3 - self.player
            return
        new = [cell for cell, stone in enumerate(board) if stone and (len(before) != len(board) or not before[cell])]
        kept = len(before) == len(board) and all(now for now, stone in zip(board, before) if stone)
        if kept and len(new) == 1:
            self.moves.append((board[new[0]], new[0]))
        else:
            moves = moves_to(board, self.size)
            self.number += 1
            self.base, self.moves = (board, []) if moves is None else (None, moves)
        if self.moves or self.base is None:
            self.to_move = 3 - self.moves[-1][0] if self.moves else 1  # this side may have to pass
        else:
            self.to_move = self.player  # not known


class Manager:
    """The manager of one program, for one player.

    Args: program: an object with the methods of program.Program
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.game = Watched()
        self.thought: Optional[Dict[str, Any]] = None

    def choose(self) -> int:
        """The program's move for `game`, in which the player is to move. Raises EngineFault."""
        raise NotImplementedError

    def answer(self, observation: Any, action_space: Any) -> List[List[int]]:
        """The answer to a call of the platform. Without an observation, the game is over, and the program ends."""
        self.thought, cell, size = None, 0, action_space[0].n
        if observation is None:
            self.program.end("quit")
        elif self.game.see(observation):
            cell = self.choose()
        return [[int(at == place) for at in range(size)] for place in divmod(cell, size)]

    def read(self, text: str, answer: str) -> int:
        """The cell with a name such as D3. Raises EngineFault, which names the answer, for any other text."""
        match, size = CELL.fullmatch(text), self.game.size
        if match is None:
            raise self.program.refused(answer)
        row, col = int(match.group(2)) - 1, ord(match.group(1).lower()) - ord("a")
        if not (0 <= row < size and col < size):
            raise self.program.refused(answer, "no cell of the board")
        return row * size + col


def name(cell: int, size: int) -> str:
    """The name of a cell, such as d3: the letter of the column, and the number of the row from the top."""
    return "{}{}".format(chr(ord("a") + cell % size), cell // size + 1)
