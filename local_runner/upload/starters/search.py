"""My agent for the Jidi site, with a search. It plays gobang (gobang_1v1) and Reversi (reversi_1v1).

The search is alpha-beta with iterative deepening: it searches to depth 1, 2, 3 ... until SECONDS have passed.
A position is (board, player to move, whether the game is Reversi), as look() returns it.
"""

import time
from collections import deque

SECONDS = 0.5  # thinking time of a move; the site allows 1 s, and its machine may be slower than yours
WIDTH = 8  # gobang: how many moves the search tries in each position, the most promising first
WON = 1000000  # the least value of a won game
ROW = [0, 1, 10, 100, 1000]  # gobang: the value of so many stones in a row, for each free end
CORNER, MOVE = 30, 3  # Reversi: the value of a corner, and of a legal move
DIRECTIONS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]
RECENT = deque(maxlen=2)  # what look() returned in the last two calls


class TimeOut(Exception):
    """The thinking time is over."""


def my_controller(observation, action_space, is_act_continuous=False):
    """Choose a move. Off turn and on a pass, the site ignores the answer, but its form must be right."""
    deadline = time.perf_counter() + SECONDS
    position = board, player, reversi = look(observation)
    black, white, free = (sum(row.count(stone) for row in board) for stone in (1, 2, 0))
    best = next(iter(moves(position)), (0, 0))
    my_turn = reversi or player == (1 if black == white else 2)  # in Reversi, the stones do not tell whose turn it is
    try:
        for depth in range(1, free + 1 if my_turn else 1):
            value, move = search(position, depth, -9 * WON, 9 * WON, deadline)
            best = move or best
            if abs(value) >= WON:  # the game is decided; look no deeper
                break
    except TimeOut:
        pass  # the best move of the last finished depth stays
    return one_hot(best, action_space)


def search(position, depth, alpha, beta, deadline):
    """Return (value, best move) for the player to move; the value is exact if it is between alpha and beta.

    The best move is None at depth 0, in a decided game, and when the player must pass. Raises TimeOut.
    """
    if time.perf_counter() > deadline:
        raise TimeOut
    board, player, reversi = position
    value, best = evaluate(position), None
    if depth == 0 or abs(value) >= WON:
        return value, None
    candidates = moves(position)
    if not candidates:
        if not reversi or not moves((board, 3 - player, reversi)):  # the game is over
            return final_value(position), None
        candidates = [None]  # pass
    for move in candidates:
        value = -search(after(position, move), depth - 1, -beta, -alpha, deadline)[0]
        if value > alpha:
            alpha, best = value, move
        if alpha >= beta:  # the opponent has a better move before, so this position will not arise
            break
    return alpha, best


def moves(position):
    """Return the legal moves as (row, col); in gobang only the WIDTH most promising ones."""
    board, player, reversi = position
    free = [(row, col) for row, cells in enumerate(board) for col, stone in enumerate(cells) if stone == 0]
    if reversi:
        return [cell for cell in free if discs_turned(board, cell, player)]
    centre = (len(board) // 2, len(board[0]) // 2)
    promise = {}
    for cell in free:
        rows = longest_row(board, cell, player), longest_row(board, cell, 3 - player)
        distance = abs(cell[0] - centre[0]) + abs(cell[1] - centre[1])
        promise[cell] = (max(rows), sum(rows), -distance)
    return sorted(free, key=promise.get, reverse=True)[:WIDTH]


def after(position, move):
    """Return the position after a move, or after a pass if the move is None."""
    board, player, reversi = position
    board = [row[:] for row in board]
    for step in DIRECTIONS if move and reversi else []:
        count, end = run(board, move, step, 3 - player)
        for distance in range(1, count + 1 if end == player else 1):
            board[move[0] + distance * step[0]][move[1] + distance * step[1]] = player
    if move:
        board[move[0]][move[1]] = player
    return board, 3 - player, reversi


def evaluate(position):
    """Return the value for the player to move, without a search. Improve this function first."""
    board, player, reversi = position
    worth = reversi_worth if reversi else row_worth
    return worth(board, player) - worth(board, 3 - player)


def final_value(position):
    """Return the value of a game that is over and that no five decided."""
    board, player, reversi = position
    return WON * sum(row.count(player) - row.count(3 - player) for row in board) if reversi else 0


def reversi_worth(board, player):
    """Reversi: the worth of the player's corners and legal moves."""
    corners = [board[row][col] for row in (0, -1) for col in (0, -1)]
    return CORNER * corners.count(player) + MOVE * len(moves((board, player, True)))


def row_worth(board, player):
    """Gobang: the worth of the player's rows; a five is worth WON."""
    worth = 0
    for row, cells in enumerate(board):
        for col, stone in enumerate(cells):
            for axis in range(4) if stone == player else []:
                before, end = run(board, (row, col), DIRECTIONS[axis], player)
                after_it, other_end = run(board, (row, col), DIRECTIONS[7 - axis], player)
                if before == 0 and after_it >= 4:
                    return WON
                if before == 0:  # count each row once, at its first stone
                    worth += ROW[1 + after_it] * ((end == 0) + (other_end == 0))
    return worth


def look(observation):
    """Return (board, player, reversi). board[row][col]: 0 free, 1 black, 2 white; player: 1 Black, 2 White."""
    if not isinstance(observation, dict):
        # Reversi, after a pass: the site sends only one row of the board. A pass changes no disc, so the board is
        # the last one. The site may let this file play both colours in turn: the player is that of two calls ago.
        board, player, reversi = RECENT[-1][0], RECENT[0][1], True
    elif "state_map" in observation:  # gobang: a cell is [0], [1] or [2]
        board = [[cell[0] for cell in row] for row in observation["state_map"]]
        player, reversi = observation["chess_player_idx"], False
    else:  # Reversi: observation[1] is the set of the black discs' (row, col), observation[2] that of the white ones
        rows, cols = observation["board_height"], observation["board_width"]
        board = [[1 if (r, c) in observation[1] else 2 if (r, c) in observation[2] else 0 for c in range(cols)]
                 for r in range(rows)]  # fmt: skip
        player, reversi = observation["chess_player_idx"], True
    RECENT.append((board, player, reversi))
    return RECENT[-1]


def run(board, cell, step, colour):
    """Count the stones of a colour that follow a cell in one direction; return (count, next stone or None)."""
    count, (row, col) = 0, cell
    while True:
        row, col = row + step[0], col + step[1]
        stone = board[row][col] if 0 <= row < len(board) and 0 <= col < len(board[0]) else None
        if stone != colour:
            return count, stone
        count += 1


def discs_turned(board, cell, player):
    """Reversi: how many discs a move turns over. A move that turns none is illegal."""
    runs = [run(board, cell, step, 3 - player) for step in DIRECTIONS]
    return sum(count for count, after in runs if after == player)


def longest_row(board, cell, player):
    """Gobang: how many stones in a row the player would have with a stone on this cell."""
    there = [run(board, cell, step, player)[0] for step in DIRECTIONS]
    return max(1 + there[axis] + there[7 - axis] for axis in range(4))


def one_hot(cell, action_space):
    """Return a (row, col) as the site wants it: two lists of ints, each with exactly one 1."""
    return [[int(index == at) for index in range(space.n)] for at, space in zip(cell, action_space)]
