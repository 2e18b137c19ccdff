"""Turns Reversi self-play games into arrays of positions, from which weights.py learns."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from local_runner.errors import RunnerError
from submission.lines import BLACK, WHITE
from submission.reversi.board import PASS
from submission.reversi.weights import stage
from workshop.command import with_progress
from workshop.gobang.learning import Array, Ints, Mask
from workshop.reversi.games import ReversiSelfPlay, start

HELD_OUT = 10  # one game in ten is held out


@dataclass(frozen=True)
class ReversiSample:
    """Positions of games on an n x n board, game by game, in the order of play.

    cells: positions x n * n: 0 empty, 1 black, 2 white
    sides: 1 if Black is to move, -1 if White
    mobility: Black's legal moves less White's
    values: the search value of the position, in discs, for Black
    differences: Black's discs less White's at the end of the game
    games: index of the game, ascending
    """

    n: int
    cells: npt.NDArray[np.int8]
    sides: Ints
    mobility: Ints
    values: Array
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

    def part(self, chosen: Mask) -> ReversiSample:
        """The chosen positions."""
        return ReversiSample(
            self.n,
            self.cells[chosen],
            self.sides[chosen],
            self.mobility[chosen],
            self.values[chosen],
            self.differences[chosen],
            self.games[chosen],
        )


def stages_by_discs(n: int) -> Ints:
    """The stages of the game for 0 to n * n discs on the board."""
    return np.array([stage(n, discs) for discs in range(n * n + 1)])


def sample_positions(games: list[ReversiSelfPlay]) -> ReversiSample:
    """The positions from the engine's first move on. Raises RunnerError for too few games, or for several sizes."""
    sizes = {game.size for game in games}
    if len(sizes) != 1 or len(games) < HELD_OUT:
        raise RunnerError(
            f"{len(games)} games on boards of {len(sizes)} sizes; give at least {HELD_OUT} games, all of one size"
        )
    (n,) = sizes
    masks, numbers, values = (bytearray(), bytearray()), array("i"), array("d")
    for game_number, game in enumerate(with_progress(games, "replaying")):
        for discs, value, *others in _positions(game):
            for colour, mask in enumerate(discs):
                masks[colour].extend(mask.to_bytes(_mask_size(n), "little"))
            values.append(value)
            numbers.extend((*others, game.difference, game_number))
    black, white = (_unpacked(mask, n) for mask in masks)
    sides, mobilities, differences, of_games = np.array(numbers, np.int64).reshape(-1, 4).T
    cells = np.asfortranarray(black + 2 * white)  # column-major: a cell is read in all positions at a time
    return ReversiSample(n, cells, sides, mobilities, np.array(values), differences, of_games)


def _positions(game: ReversiSelfPlay) -> Iterable[tuple[tuple[int, int], float, int, int]]:
    """Yield for each position its discs, its search value, its side and its mobility as in ReversiSample."""
    position = start(game.size)
    for number, move in enumerate(game.moves):
        if number >= game.opening and move != PASS:
            mobility = bin(position.legal_cells(BLACK)).count("1") - bin(position.legal_cells(WHITE)).count("1")
            yield position.discs, game.values[number - game.opening], 1 if position.side == BLACK else -1, mobility
        position.play(move)


def _mask_size(n: int) -> int:
    """The bytes of a mask of the board."""
    return (n * n + 7) // 8


def _unpacked(masks: bytearray, n: int) -> npt.NDArray[np.int8]:
    packed = np.frombuffer(masks, np.uint8).reshape(-1, _mask_size(n))
    return np.unpackbits(packed, axis=1, count=n * n, bitorder="little").view(np.int8)
