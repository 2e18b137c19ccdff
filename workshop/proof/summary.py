"""Figures and a picture of the proof: size by depth, and the longest line of a second move."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from matplotlib import rc_context
from matplotlib.figure import Figure

from submission.k_in_a_row.book import IN_A_ROW, SIZE, Stones, canonical, stones_on
from submission.k_in_a_row.proved import CELLS, ThreatWin, with_stone
from submission.lines import BLACK, WHITE
from workshop.gobang.book import count_stones
from workshop.gobang.five import Five
from workshop.native.k_in_a_row import NativePosition
from workshop.proof.positions import IMAGES, MIDDLE, board_of, form_of
from workshop.proof.tree import SecondMove, Tree

PLAYED, FREE = "#222222", "#e8c890"


def sizes(tree: Tree, seconds: Iterable[SecondMove]) -> Counter[int]:
    """The number of different entries below second moves, by the stones on the board."""
    entries: set[Stones] = set()
    for progress in seconds:
        if progress.move is not None:
            entries.update(tree.entries_after(progress.second, progress.move))
    return Counter(map(count_stones, entries))


class MainLine:
    """Finds the line in which White delays the loss by most entries, then by the longest win by threats.

    Args: tree: the proof. The second move must be closed.
    """

    def __init__(self, tree: Tree) -> None:
        self.tree, self.five = tree, Five()
        self.position = NativePosition(SIZE, SIZE, IN_A_ROW)
        self.height = cache(self._height)

    def of(self, second: Stones) -> list[int]:
        """The cells of a whole game, from the empty board to the five."""
        board = board_of(second)
        moves = [MIDDLE, second[1][0]]
        form, image = canonical(stones_on(board), IMAGES)
        while (prepared := self.tree.winning_move(form)) is not None:
            moves.append(image.index(prepared))
            after = with_stone(board, moves[-1], BLACK)
            replies = [cell for cell in range(CELLS) if not after[cell]]
            moves.append(max(replies, key=lambda cell: self._delay(with_stone(after, cell, WHITE))))
            board = with_stone(after, moves[-1], WHITE)
            form, image = canonical(stones_on(board), IMAGES)
        return moves + self._played_out(board, image)

    def _delay(self, board: bytes) -> tuple[int, int]:
        form, image = canonical(stones_on(board), IMAGES)
        height = self.height(form)
        return height, 0 if height else self._threats(board, image).plies

    def _height(self, form: Stones) -> int:
        """The most entries in a row from a position on; 0 if it is none."""
        move = self.tree.winning_move(form)
        if move is None:
            return 0
        return 1 + max(map(self.height, self.tree.open_after(form, move)), default=0)

    def _threats(self, board: bytes, image: list[int]) -> ThreatWin:
        """The win by threats on a board, asked for its first move."""
        self.position.threats.forget()
        win = ThreatWin(image, self.position)
        win.reply(board)
        return win

    def _played_out(self, board: bytes, image: list[int]) -> list[int]:
        """The moves of a win by threats, up to the five. White plays the expected replies, then stops a five."""
        win, moves = self._threats(board, image), list[int]()
        while (move := win.reply(board)) is not None:
            moves.append(move)
            board = with_stone(board, move, BLACK)
            seen = self.five.threats(board)
            if seen.five_of(BLACK):
                break
            expected = (
                [
                    place
                    for place, stone in zip(win.places, win.expected, strict=True)
                    if stone == WHITE + 1 and not board[place]
                ]
                if win.plies > 1
                else []
            )
            moves.append(next(iter(expected or seen.fives(BLACK) or [board.index(0)])))
            board = with_stone(board, moves[-1], WHITE)
        return moves


def picture(path: Path, seconds: Iterable[SecondMove]) -> None:
    """Write an SVG of the board: on each cell the entries below White's second move there; with ? the replies open."""
    figure = Figure(figsize=(6, 6), layout="constrained")
    axes = figure.add_subplot()
    by_form = {progress.second: progress for progress in seconds}
    lines = range(SIZE)
    axes.hlines(lines, 0, SIZE - 1, color="#999999", linewidth=0.6)
    axes.vlines(lines, 0, SIZE - 1, color="#999999", linewidth=0.6)
    axes.plot(SIZE // 2, SIZE // 2, "o", color=PLAYED, markersize=18)
    board = {cell: by_form[form_of(((MIDDLE,), (cell,)))] for cell in range(CELLS) if cell != MIDDLE}
    for closed, colour in ((True, "white"), (False, FREE)):
        cells = [cell for cell, progress in board.items() if progress.closed is closed]
        axes.plot([cell % SIZE for cell in cells], [cell // SIZE for cell in cells], "o", color=colour, markersize=18)
    for cell, progress in board.items():
        axes.text(
            cell % SIZE,
            cell // SIZE,
            str(progress.entries) if progress.closed else f"{len(progress.open)}?",
            ha="center",
            va="center",
            fontsize=7,
            color=PLAYED,
        )
    axes.set(
        xticks=lines,
        xticklabels=[chr(ord("a") + col) for col in lines],
        yticks=lines,
        yticklabels=[str(row + 1) for row in lines],
        aspect="equal",
    )
    axes.invert_yaxis()
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    with rc_context({"svg.hashsalt": path.name, "svg.fonttype": "none", "font.family": ["DejaVu Sans"]}):
        figure.savefig(path, metadata={"Date": None})
