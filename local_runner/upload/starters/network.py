"""My agent for the Jidi site: a small network that plays Reversi (reversi_1v1).

The network looks at patterns of six cells. Each cell is free, the player's or the opponent's, so a pattern has 3 ** 6
states, and each state has a weight. The value of a position is tanh(the sum of the weights of its patterns): -1 is
lost for the player to move, 1 is won. This is an n-tuple network; training finds the weights.
"""

import base64
import zlib
from collections import deque

import numpy as np

GAMES = ("reversi_1v1",)
SIZE = 10  # rows and columns of the board
DEPTH = 2  # moves that the search looks ahead
LAST = 6  # with so many free cells or fewer, the search goes to the end of the game
BLOCKS = [[(row + at // 3, col + at % 3) for at in range(6)] for row in range(5) for col in range(4)]
LINES = [[(row, col + at) for at in range(6)] for row in range(5) for col in (0, 2)]
PATTERNS = BLOCKS + LINES  # as lists of (row, col); each also stands for its places on the board turned and mirrored
DIRECTIONS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]
RECENT = deque(maxlen=2)  # what look() returned in the last two calls


def my_controller(observation, action_space, is_act_continuous=False):
    """Choose a move. Off turn and on a pass, the site ignores the answer, but its form must be right."""
    board, player = look(observation)
    best = choose(board, player) or (0, 0)
    return [[int(index == at) for index in range(space.n)] for at, space in zip(best, action_space)]


def look(observation):
    """Return (board, player). board[row][col]: 0 free, 1 black, 2 white; player: 1 Black, 2 White."""
    if isinstance(observation, dict):  # observation[1] is the set of the black discs' (row, col)
        board = [[1 if (row, col) in observation[1] else 2 if (row, col) in observation[2] else 0
                  for col in range(SIZE)] for row in range(SIZE)]  # fmt: skip
        RECENT.append((board, observation["chess_player_idx"]))
    else:  # after a pass, only one row: the board is still the last one, the player that of two calls ago
        RECENT.append((RECENT[-1][0], RECENT[0][1]))
    return RECENT[-1]


def choose(board, player):
    """Return the best move; None if there is no legal one."""
    free = sum(row.count(0) for row in board)
    values = search(board, player, free if free <= LAST else DEPTH)
    return max(values, key=values.get, default=None)


def search(board, player, depth):
    """Return the value of each legal move for the player, as a dict by move."""
    boards = {move: after(board, player, move) for move in moves(board, player)}
    if depth > 1 or not boards:
        return {move: -best_value(board, 3 - player, depth - 1) for move, board in boards.items()}
    return dict(zip(boards, -network(list(boards.values()), 3 - player)))


def best_value(board, player, depth):
    """Return the value of a position for the player to move, who may have to pass."""
    values = search(board, player, depth)
    if values:
        return max(values.values())
    if moves(board, 3 - player):
        return -best_value(board, 3 - player, depth)
    return result(np.array(board), player)


def network(boards, player):
    """Return the values of positions for the player to move; if the game is over, the result."""
    boards = np.array(boards)
    cells = np.where(boards == 0, 0, np.where(boards == player, 1, 2)).reshape(len(boards), -1)
    values = np.tanh(WEIGHTS[FIRST + cells.dot(POWERS)].sum(axis=1))  # the sums are over PLACES
    over = boards.all(axis=(1, 2)) | ~((boards == 1).any(axis=(1, 2)) & (boards == 2).any(axis=(1, 2)))
    return np.where(over, result(boards, player), values)


def result(boards, player):
    """Return 1 where the player has more discs than the opponent, -1 where it has fewer, else 0."""
    return np.sign((boards == player).sum(axis=(-2, -1)) - (boards == 3 - player).sum(axis=(-2, -1)))


def moves(board, player):
    """Return the legal moves as (row, col)."""
    free = [(row, col) for row, cells in enumerate(board) for col, stone in enumerate(cells) if stone == 0]
    return [cell for cell in free if turned(board, cell, player)]


def after(board, player, move):
    """Return the board after a move."""
    board = [row[:] for row in board]
    for row, col in [move, *turned(board, move, player)]:
        board[row][col] = player
    return board


def turned(board, cell, player):
    """Return the discs that a move turns over. A move that turns none is illegal."""
    discs = []
    for down, right in DIRECTIONS:
        run, (row, col), stone = [], cell, 3 - player
        while stone == 3 - player:
            row, col = row + down, col + right
            run.append((row, col))
            stone = board[row][col] if 0 <= row < SIZE and 0 <= col < SIZE else 0
        discs += run[:-1] if stone == player else []
    return discs


def images(pattern):
    """Return the places of a pattern on the turned and mirrored board, each as numbers of cells, row * SIZE + col."""
    board = np.arange(SIZE * SIZE).reshape(SIZE, SIZE)
    turned_boards = [np.rot90(each, turns) for each in (board, board.T) for turns in range(4)]
    return sorted({tuple(each[cell] for cell in pattern) for each in turned_boards})


PLACES = [(number, cells) for number, pattern in enumerate(PATTERNS) for cells in images(pattern)]
FIRST = np.array([number * 3**6 for number, _cells in PLACES])  # the index of the first weight of the pattern there
POWERS = np.zeros((SIZE * SIZE, len(PLACES)), int)  # cells.dot(POWERS) has the numbers of the patterns' states
for place, (_number, cells) in enumerate(PLACES):
    POWERS[list(cells), place] = 3 ** np.arange(6)

# The weights, which train.py writes: float16, compressed, as text.
PACKED = ""
WEIGHTS = np.frombuffer(zlib.decompress(base64.b85decode(PACKED)) if PACKED else b"", "<f2").astype(np.float32)
