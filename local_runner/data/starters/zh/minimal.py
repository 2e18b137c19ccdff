"""我在及第平台上的智能体：会下五子棋（gobang_1v1）和黑白棋（reversi_1v1）。

平台每一步都会同时询问双方：轮到对手下时，也会调用 my_controller。
"""

from collections import deque

DIRECTIONS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]
RECENT = deque(maxlen=2)  # 最近两次调用 look() 的结果


def my_controller(observation, action_space, is_act_continuous=False):
    """选一手棋。没轮到自己，或只能停一手时，平台不看返回值的内容，但格式必须正确。"""
    board, player, reversi = look(observation)
    value = discs_turned if reversi else longest_row  # 先改进这两个函数
    free = [cell for cell, stone in board.items() if stone == 0]
    legal = [cell for cell in free if not reversi or discs_turned(board, cell, player)]
    best = max(legal, key=lambda cell: value(board, cell, player), default=(0, 0))
    return one_hot(best, action_space)


def look(observation):
    """返回（棋盘，我方，是否黑白棋）。board[行, 列]：0 空，1 黑，2 白；player：1 执黑，2 执白。"""
    reversi = "state_map" not in observation
    if not reversi:  # 五子棋：每个交叉点是 [0]、[1] 或 [2]
        board = {(r, c): cell[0] for r, row in enumerate(observation["state_map"]) for c, cell in enumerate(row)}
    elif isinstance(observation, dict):
        side = range(observation["board_width"])  # 黑白棋：observation[1] 是黑子的（行，列）集合
        board = {(r, c): 1 if (r, c) in observation[1] else 2 if (r, c) in observation[2] else 0
                 for r in side for c in side}  # fmt: skip
    else:  # 黑白棋停一手之后只发来一行：棋盘仍是上次的，我方是前两次调用时的那一方
        board, observation = RECENT[-1][0], {"chess_player_idx": RECENT[0][1]}
    RECENT.append((board, observation["chess_player_idx"], reversi))
    return RECENT[-1]


def run(board, cell, step, colour):
    """从一点出发，沿一个方向数连着的某色棋子，返回（个数，再往后是什么）；出界为 None。"""
    count, row, col = 0, cell[0] + step[0], cell[1] + step[1]
    while board.get((row, col)) == colour:  # 出界为 None
        count, row, col = count + 1, row + step[0], col + step[1]
    return count, board.get((row, col))


def discs_turned(board, cell, player):
    """黑白棋：下在这里能翻转多少个子。一个都翻不了的着法不合法。"""
    runs = [run(board, cell, step, 3 - player) for step in DIRECTIONS]
    return sum(count for count, after in runs if after == player)


def longest_row(board, cell, player):
    """五子棋：在这一点落子后，我方最长连成几个子。"""
    there = [run(board, cell, step, player)[0] for step in DIRECTIONS]
    return max(1 + there[axis] + there[7 - axis] for axis in range(4))


def one_hot(cell, action_space):
    """把（行，列）写成平台要的格式：两个整数列表，各自恰好有一个 1。"""
    return [[int(index == at) for index in range(space.n)] for at, space in zip(cell, action_space)]
