"""My agent for the Jidi site. It plays gobang (gobang_1v1) and Reversi (reversi_1v1)."""

from collections import deque

DIRECTIONS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]
RECENT = deque(maxlen=2)  # the observations of the last two calls


def my_controller(observation, action_space, is_act_continuous=False):
    """Choose a move. The site also calls off turn and on a pass; then only the form of the answer matters."""
    board, player, reversi = look(observation)
    value = discs_turned if reversi else longest_row  # improve these two functions first
    legal = [cell for cell in board if board[cell] == 0 and (not reversi or discs_turned(board, cell, player))]
    best = max(legal, key=lambda cell: value(board, cell, player), default=(0, 0))
    return one_hot(best, action_space)


def look(observation):
    """Return (board, player, reversi). board[row, col]: 0 free, 1 black, 2 white; player: 1 Black, 2 White."""
    if isinstance(observation, list):  # Reversi after a pass, only one row: nothing has changed since the last call
        observation = dict(RECENT[-1], chess_player_idx=RECENT[0]["chess_player_idx"])  # mine was two calls ago
    RECENT.append(observation)
    if "state_map" in observation:  # gobang: a cell is [0], [1] or [2]
        board = {(r, c): cell[0] for r, row in enumerate(observation["state_map"]) for c, cell in enumerate(row)}
    else:  # Reversi: observation[1] is the set of the black discs' (row, col), observation[2] that of the white ones
        side = range(observation["board_width"])
        board = {(row, col): 0 for row in side for col in side}
        board.update({cell: stone for stone in (1, 2) for cell in observation[stone]})
    return board, observation["chess_player_idx"], "state_map" not in observation


def run(board, cell, step, colour):
    """Count the stones of a colour that follow a cell in one direction; return (count, next stone or None)."""
    count, row, col = 0, cell[0] + step[0], cell[1] + step[1]
    while board.get((row, col)) == colour:  # None off the board
        count, row, col = count + 1, row + step[0], col + step[1]
    return count, board.get((row, col))


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
