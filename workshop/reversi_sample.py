"""The positions of self-play games, as arrays, for workshop/reversi_weights.py to learn from."""
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.progress import track

from local_runner.errors import RunnerError
from submission.lines import BLACK, WHITE
from submission.reversi.board import PASS
from submission.reversi.position import ReversiPosition
from submission.reversi.weights import stage
from workshop.reversi_games import SelfPlay

HELD_OUT = 10               # every so many games, one

Ints = npt.NDArray[np.int64]
Chosen = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Sample:
    """Positions, game after game, each in its order.

    cells: positions x n * n, 0 free, 1 black, 2 white; sides: 1 where Black is on the move, -1 where White
    mobility: legal moves of Black less those of White; differences: Black's discs less White's at the end
    games: which one, ascending
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
    def held_out(self) -> Chosen:
        return np.asarray(self.games % HELD_OUT == HELD_OUT - 1)


def stages_by_discs(n: int) -> Ints:
    """The stage of the game, by the number of discs on an n x n board."""
    return np.array([stage(n, discs) for discs in range(n * n + 1)])


def sampled(games: list[SelfPlay]) -> Sample:
    """The positions of games from the end of the random opening on; raises RunnerError for too few, or of two sizes."""
    sizes = {game.size for game in games}
    if len(sizes) != 1 or len(games) < HELD_OUT:
        raise RunnerError(f"{len(games)} games on boards of {len(sizes)} sizes; give some of one size")
    n, = sizes
    screen = Console(stderr=True)
    shown = track(games, "replaying", console=screen, transient=True, disable=not screen.is_terminal)
    rows = [(black, white, side, more, game.difference, number)
            for number, game in enumerate(shown) for black, white, side, more in _positions(game)]
    black, white, *columns = zip(*rows, strict=True)
    sides, mobility, differences, numbers = map(np.array, columns)
    return Sample(n, _unpacked(black, n) + 2 * _unpacked(white, n), sides, mobility, differences, numbers)


def _positions(game: SelfPlay) -> Iterable[tuple[int, int, int, int]]:
    position = ReversiPosition.start(game.size)
    for number, move in enumerate(game.moves):
        if number >= game.opening and move != PASS:
            more = bin(position.legal_cells(BLACK)).count("1") - bin(position.legal_cells(WHITE)).count("1")
            yield *position.discs, 1 if position.side == BLACK else -1, more
        position.play(move)


def _unpacked(masks: Iterable[int], n: int) -> npt.NDArray[np.int8]:
    size = (n * n + 7) // 8
    packed = np.frombuffer(b"".join(mask.to_bytes(size, "little") for mask in masks), np.uint8).reshape(-1, size)
    return np.unpackbits(packed, axis=1, bitorder="little")[:, :n * n].astype(np.int8)
