"""我在及第平台上的智能体：用一个小网络下黑白棋（reversi_1v1）。

网络看的是棋形，每个棋形有六格。一格是空、己方或对方，所以一个棋形有 3 ** 6 种状态，每种状态有一个权重。局面的价值是
tanh（各棋形权重之和）：-1 表示轮到下的一方必败，1 表示必胜。这叫 n 元组网络（n-tuple network）；权重由训练得出。
"""

import base64
import zlib
from collections import deque

import numpy as np

GAMES = ("reversi_1v1",)
SIZE = 10  # 棋盘的行数和列数
DEPTH = 2  # 搜索往后看几手
LAST = 6  # 空格不多于这么多时，一直搜到终局
BLOCKS = [[(row + at // 3, col + at % 3) for at in range(6)] for row in range(5) for col in range(4)]
LINES = [[(row, col + at) for at in range(6)] for row in range(5) for col in (0, 2)]
PATTERNS = BLOCKS + LINES  # 每个是（行，列）的列表，也代表棋盘旋转、翻转后的位置
DIRECTIONS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]
RECENT = deque(maxlen=2)  # 最近两次调用 look() 的结果


def my_controller(observation, action_space, is_act_continuous=False):
    """选一手棋。没轮到自己，或只能停一手时，平台不看返回值的内容，但格式必须正确。"""
    board, player = look(observation)
    best = choose(board, player) or (0, 0)
    return [[int(index == at) for index in range(space.n)] for at, space in zip(best, action_space)]


def look(observation):
    """返回（棋盘，我方）。board[行][列]：0 空，1 黑，2 白；player：1 执黑，2 执白。"""
    if isinstance(observation, dict):  # observation[1] 是黑子的（行，列）集合
        board = [[1 if (row, col) in observation[1] else 2 if (row, col) in observation[2] else 0
                  for col in range(SIZE)] for row in range(SIZE)]  # fmt: skip
        RECENT.append((board, observation["chess_player_idx"]))
    else:  # 停一手之后只发来一行：棋盘仍是上次的，我方是前两次调用时的那一方
        RECENT.append((RECENT[-1][0], RECENT[0][1]))
    return RECENT[-1]


def choose(board, player):
    """返回最好的一手；没有合法着法时为 None。"""
    free = sum(row.count(0) for row in board)
    values = search(board, player, free if free <= LAST else DEPTH)
    return max(values, key=values.get, default=None)


def search(board, player, depth):
    """返回 {着法: 对我方的价值}，包括所有合法着法。"""
    boards = {move: after(board, player, move) for move in moves(board, player)}
    if depth > 1 or not boards:
        return {move: -best_value(board, 3 - player, depth - 1) for move, board in boards.items()}
    return dict(zip(boards, -network(list(boards.values()), 3 - player)))


def best_value(board, player, depth):
    """返回局面对轮到下的一方的价值；这一方可能只能停一手。"""
    values = search(board, player, depth)
    if values:
        return max(values.values())
    if moves(board, 3 - player):
        return -best_value(board, 3 - player, depth)
    return result(np.array(board), player)


def network(boards, player):
    """返回几个局面对轮到下的一方的价值；已终局时就是胜负。"""
    boards = np.array(boards)
    cells = np.where(boards == 0, 0, np.where(boards == player, 1, 2)).reshape(len(boards), -1)
    values = np.tanh(WEIGHTS[FIRST + cells.dot(POWERS)].sum(axis=1))  # 对各棋形求和
    over = boards.all(axis=(1, 2)) | ~((boards == 1).any(axis=(1, 2)) & (boards == 2).any(axis=(1, 2)))
    return np.where(over, result(boards, player), values)


def result(boards, player):
    """己方棋子较多时为 1，较少时为 -1，相等为 0。"""
    return np.sign((boards == player).sum(axis=(-2, -1)) - (boards == 3 - player).sum(axis=(-2, -1)))


def moves(board, player):
    """返回合法着法（行，列）的列表。"""
    free = [(row, col) for row, cells in enumerate(board) for col, stone in enumerate(cells) if stone == 0]
    return [cell for cell in free if turned(board, cell, player)]


def after(board, player, move):
    """返回下了一手之后的棋盘。"""
    board = [row[:] for row in board]
    for row, col in [move, *turned(board, move, player)]:
        board[row][col] = player
    return board


def turned(board, cell, player):
    """返回一手棋翻转的棋子。一个都翻不了的着法不合法。"""
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
    """返回一个棋形在旋转、翻转后的棋盘上的各个位置，用编号 row * SIZE + col 表示。"""
    board = np.arange(SIZE * SIZE).reshape(SIZE, SIZE)
    turned_boards = [np.rot90(each, turns) for each in (board, board.T) for turns in range(4)]
    return sorted({tuple(each[cell] for cell in pattern) for each in turned_boards})


PLACES = [(number, cells) for number, pattern in enumerate(PATTERNS) for cells in images(pattern)]
FIRST = np.array([number * 3**6 for number, _cells in PLACES])  # 各位置的棋形，其第一个权重的下标
POWERS = np.zeros((SIZE * SIZE, len(PLACES)), int)  # cells.dot(POWERS) 是各棋形状态的编号
for place, (_number, cells) in enumerate(PLACES):
    POWERS[list(cells), place] = 3 ** np.arange(6)

# 权重，由 train.py 写入：float16，压缩后写成文本。
PACKED = ""
WEIGHTS = np.frombuffer(zlib.decompress(base64.b85decode(PACKED)) if PACKED else b"", "<f2").astype(np.float32)
