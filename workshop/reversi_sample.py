"""Turns Reversi self-play games into arrays of positions, from which reversi_weights.py learns."""
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from local_runner.errors import RunnerError
from submission.lines import BLACK, WHITE
from submission.reversi.board import PASS
from submission.reversi.position import ReversiPosition
from submission.reversi.weights import stage
from workshop.command import with_progress
from workshop.learning import Ints, Mask
from workshop.reversi_games import ReversiSelfPlay

HELD_OUT = 10               # one game in ten is held out


@dataclass(frozen=True)
class ReversiSample:
    """Positions of games on an n x n board, game by game, in the order of play.

    cells: positions x n * n: 0 empty, 1 black, 2 white
    sides: 1 if Black is to move, -1 if White
    mobility: Black's legal moves less White's
    differences: Black's discs less White's at the end of the game
    games: index of the game, ascending
    """

    n: int
    cells: npt.NDArray[np.int8]
    sides: Ints
    mobility: Ints
    differences: Ints
    games: Ints

    @property
    def discs(self) -> Ints:
        return np.asarray(np.count_nonzero(self.cells, axis=1))

    @property
    def stages(self) -> Ints:
        return stages_by_discs(self.n)[self.discs]

    @property
    def held_out(self) -> Mask:
        return np.asarray(self.games % HELD_OUT == HELD_OUT - 1)


def stages_by_discs(n: int) -> Ints:
    """The stages of the game for 0 to n * n discs on the board."""
    return np.array([stage(n, discs) for discs in range(n * n + 1)])


def sample_positions(games: list[ReversiSelfPlay]) -> ReversiSample:
    """The positions from the engine's first move on. Raises RunnerError for too few games, or for several sizes."""
    sizes = {game.size for game in games}
    if len(sizes) != 1 or len(games) < HELD_OUT:
        raise RunnerError(f"{len(games)} games on boards of {len(sizes)} sizes; "
                          f"give at least {HELD_OUT} games, all of one size")
    n, = sizes
    rows = [(black, white, side, mobility, game.difference, number)
            for number, game in enumerate(with_progress(games, "replaying"))
            for black, white, side, mobility in _positions(game)]
    black, white, *columns = zip(*rows, strict=True)
    sides, mobilities, differences, numbers = map(np.array, columns)
    return ReversiSample(n, _unpacked(black, n) + 2 * _unpacked(white, n), sides, mobilities, differences, numbers)


def _positions(game: ReversiSelfPlay) -> Iterable[tuple[int, int, int, int]]:
    position = ReversiPosition.start(game.size)
    for number, move in enumerate(game.moves):
        if number >= game.opening and move != PASS:
            mobility = bin(position.legal_cells(BLACK)).count("1") - bin(position.legal_cells(WHITE)).count("1")
            yield *position.discs, 1 if position.side == BLACK else -1, mobility
        position.play(move)


def _unpacked(masks: Iterable[int], n: int) -> npt.NDArray[np.int8]:
    size = (n * n + 7) // 8
    packed = np.frombuffer(b"".join(mask.to_bytes(size, "little") for mask in masks), np.uint8).reshape(-1, size)
    return np.unpackbits(packed, axis=1, bitorder="little")[:, :n * n].astype(np.int8)
