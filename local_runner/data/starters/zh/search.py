"""我在及第平台上的智能体，带搜索：会下五子棋（gobang_1v1）和黑白棋（reversi_1v1）。

搜索用 alpha-beta 剪枝加迭代加深：依次搜 1、2、3……层，直到用完 SECONDS。
局面是（棋盘，轮到谁下，是否黑白棋），即 look() 的返回值。
"""

import time
from collections import deque

SECONDS = 0.5  # 每手思考的秒数；平台限 1 秒，而且它的机器可能比你的慢
WIDTH = 8  # 五子棋：每个局面只搜最有希望的几手
WON = 1000000  # 胜局的最低分
ROW = [0, 1, 10, 100, 1000]  # 五子棋：连着 0 到 4 个子时，每个空端的分数
CORNER, MOVE = 30, 3  # 黑白棋：一个角、一个合法着法的分数
DIRECTIONS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]
RECENT = deque(maxlen=2)  # 最近两次调用 look() 的结果


class TimeOut(Exception):
    """思考时间用完了。"""


def my_controller(observation, action_space, is_act_continuous=False):
    """选一手棋。没轮到自己，或只能停一手时，平台不看返回值的内容，但格式必须正确。"""
    deadline = time.perf_counter() + SECONDS
    position = board, player, reversi = look(observation)
    black, white, free = (sum(row.count(stone) for row in board) for stone in (1, 2, 0))
    best = next(iter(moves(position)), (0, 0))
    my_turn = reversi or player == (1 if black == white else 2)  # 黑白棋看子数看不出轮到谁
    try:
        for depth in range(1, free + 1 if my_turn else 1):
            value, move = search(position, depth, -9 * WON, 9 * WON, deadline)
            best = move or best
            if abs(value) >= WON:  # 胜负已定，不必再搜
                break
    except TimeOut:
        pass  # 用上一层搜完时的最佳着法
    return one_hot(best, action_space)


def search(position, depth, alpha, beta, deadline):
    """返回轮到下棋一方的（分数，最佳着法）；分数在 alpha 和 beta 之间时是准确的。

    深度为 0、胜负已定、或只能停一手时，最佳着法为 None。超时抛出 TimeOut。
    """
    if time.perf_counter() > deadline:
        raise TimeOut
    board, player, reversi = position
    value, best = evaluate(position), None
    if depth == 0 or abs(value) >= WON:
        return value, None
    candidates = moves(position)
    if not candidates:
        if not reversi or not moves((board, 3 - player, reversi)):  # 对局结束
            return final_value(position), None
        candidates = [None]  # 停一手
    for move in candidates:
        value = -search(after(position, move), depth - 1, -beta, -alpha, deadline)[0]
        if value > alpha:
            alpha, best = value, move
        if alpha >= beta:  # 对手早有更好的选择，不会下到这里
            break
    return alpha, best


def moves(position):
    """返回合法着法（行，列）；五子棋只返回最有希望的 WIDTH 个。"""
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
    """返回下这一手之后的局面；move 为 None 表示停一手。"""
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
    """不搜索，直接给局面打分（对轮到下的一方）。先改进这个函数。"""
    board, player, reversi = position
    worth = reversi_worth if reversi else row_worth
    return worth(board, player) - worth(board, 3 - player)


def final_value(position):
    """对局结束而无人连成五子时的分数。"""
    board, player, reversi = position
    return WON * sum(row.count(player) - row.count(3 - player) for row in board) if reversi else 0


def reversi_worth(board, player):
    """黑白棋：一方占角和合法着法的分数之和。"""
    corners = [board[row][col] for row in (0, -1) for col in (0, -1)]
    return CORNER * corners.count(player) + MOVE * len(moves((board, player, True)))


def row_worth(board, player):
    """五子棋：一方连子的分数之和；连成五子得 WON。"""
    worth = 0
    for row, cells in enumerate(board):
        for col, stone in enumerate(cells):
            for axis in range(4) if stone == player else []:
                before, end = run(board, (row, col), DIRECTIONS[axis], player)
                after_it, other_end = run(board, (row, col), DIRECTIONS[7 - axis], player)
                if before == 0 and after_it >= 4:
                    return WON
                if before == 0:  # 每条连子只在第一个子处算一次
                    worth += ROW[1 + after_it] * ((end == 0) + (other_end == 0))
    return worth


def look(observation):
    """返回（棋盘，我方，是否黑白棋）。board[行][列]：0 空，1 黑，2 白；player：1 执黑，2 执白。"""
    if not isinstance(observation, dict):
        # 黑白棋，有人停一手之后：平台只发来棋盘的一行。停一手不改变棋子，所以棋盘就是上次看到的那个。
        # 平台也可能让这个文件轮流下双方，所以我方是前两次调用时的那一方。
        board, player, reversi = RECENT[-1][0], RECENT[0][1], True
    elif "state_map" in observation:  # 五子棋：每个交叉点是 [0]、[1] 或 [2]
        board = [[cell[0] for cell in row] for row in observation["state_map"]]
        player, reversi = observation["chess_player_idx"], False
    else:  # 黑白棋：observation[1] 是黑子的（行，列）集合，observation[2] 是白子的
        rows, cols = observation["board_height"], observation["board_width"]
        board = [[1 if (r, c) in observation[1] else 2 if (r, c) in observation[2] else 0 for c in range(cols)]
                 for r in range(rows)]  # fmt: skip
        player, reversi = observation["chess_player_idx"], True
    RECENT.append((board, player, reversi))
    return RECENT[-1]


def run(board, cell, step, colour):
    """从一点出发，沿一个方向数连着的某色棋子，返回（个数，再往后是什么）；出界为 None。"""
    count, (row, col) = 0, cell
    while True:
        row, col = row + step[0], col + step[1]
        stone = board[row][col] if 0 <= row < len(board) and 0 <= col < len(board[0]) else None
        if stone != colour:
            return count, stone
        count += 1


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
