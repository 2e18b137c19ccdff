"""An agent for Connect Four: it completes a line, else blocks one, else drops its stone near the middle."""

GAMES = ("connect_four_1v1",)
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


def my_controller(observation, action_space, is_act_continuous=False):
    """The platform's entry point: two one-hot lists, the row and the column."""
    board = [[cell[0] for cell in row] for row in observation["state_map"]]
    rows, cols, own = len(board), len(board[0]), observation["chess_player_idx"]
    landings = []
    for col in range(cols):
        free = [row for row in range(rows) if not board[row][col]]
        if free:
            landings.append((free[-1], col))

    def worth(cell):
        return longest(board, cell, own) > 3, longest(board, cell, 3 - own) > 3, -abs(2 * cell[1] + 1 - cols)

    row, col = max(landings, key=worth) if landings else (0, 0)
    return [[int(at == row) for at in range(rows)], [int(at == col) for at in range(cols)]]


def longest(board, cell, side):
    """The longest line that a stone of this side on the cell would be part of."""

    def run(down, right):
        count, row, col = 0, cell[0] + down, cell[1] + right
        while 0 <= row < len(board) and 0 <= col < len(board[0]) and board[row][col] == side:
            count, row, col = count + 1, row + down, col + right
        return count

    return max(1 + run(down, right) + run(-down, -right) for down, right in DIRECTIONS)
