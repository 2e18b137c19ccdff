"""Slow and simple rules of Reversi. Nothing of submission/ is used here.

A board is n * n bytes, row-major: 0 free, 1 black, 2 white.
"""

from __future__ import annotations

import random
from functools import lru_cache

from .boards import reversi_start

DIRECTIONS = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right]


def size(stones: bytes) -> int:
    """The number of rows."""
    return int(len(stones) ** 0.5)


@lru_cache(maxsize=100000)
def flips(stones: bytes, cell: int, player: int) -> tuple[int, ...]:
    """The cells whose discs flip when the player plays a free cell."""
    n, flipped = size(stones), []
    for down, right in DIRECTIONS:
        run = []
        row, col = cell // n + down, cell % n + right
        while 0 <= row < n and 0 <= col < n and stones[row * n + col] == 3 - player:
            run.append(row * n + col)
            row, col = row + down, col + right
        if 0 <= row < n and 0 <= col < n and stones[row * n + col] == player:
            flipped += run
    return tuple(flipped)


def moves(stones: bytes, player: int) -> list[int]:
    """The legal cells."""
    return [cell for cell, stone in enumerate(stones) if not stone and flips(stones, cell, player)]


def after(stones: bytes, cell: int, player: int) -> bytes:
    """The board after a move."""
    board = bytearray(stones)
    for changed in (cell, *flips(stones, cell, player)):
        board[changed] = player
    return bytes(board)


def difference(stones: bytes, player: int) -> int:
    """The player's discs minus the opponent's."""
    return stones.count(player) - stones.count(3 - player)


def played(n: int, free: int, seed: int) -> tuple[bytes, int]:
    """A position of a random game with `free` free cells: the board, and the player to move, with two or more moves."""
    noise = random.Random(seed)
    while True:
        stones, player = reversi_start(n), 1
        while stones.count(0) > free and (moves(stones, player) or moves(stones, 3 - player)):
            choice = moves(stones, player)
            stones = after(stones, noise.choice(choice), player) if choice else stones
            player = 3 - player
        if stones.count(0) == free and len(moves(stones, player)) > 1:
            return stones, player


def scattered(n: int, free: int, black_share: float, seed: int) -> tuple[bytes, int]:
    """A board of random discs and a random side to move.

    In some of these positions the side must pass, the game is over, or there are cells where neither side may play.
    """
    noise = random.Random(seed)
    stones = bytearray(1 if noise.random() < black_share else 2 for _ in range(n * n))
    for cell in noise.sample(range(n * n), free):
        stones[cell] = 0
    return bytes(stones), noise.choice((1, 2))


def alpha_beta(stones: bytes, player: int, alpha: int = -999, beta: int = 999) -> int:
    """The value of a position by minimax with alpha-beta pruning: the final disc difference for `player`."""
    choice = moves(stones, player)
    if not choice:
        if moves(stones, 3 - player):
            return -alpha_beta(stones, 3 - player, -beta, -alpha)
        return difference(stones, player)
    for cell in choice:
        alpha = max(alpha, -alpha_beta(after(stones, cell, player), 3 - player, -beta, -alpha))
        if alpha >= beta:
            break
    return alpha
