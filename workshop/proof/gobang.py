"""The question of the proof: does Black, to move, win at gobang? It is asked of canonical positions.

An attempt is searched in two steps. If Black has no win by threats when White passes, the move threatens nothing and is
dropped. Otherwise every reply is tried, on every free cell: those after which the upload finds its win are settled,
the others are open. Both results go to the journal. A position that stays open gets more attempts, and the engine that
proposes moves more nodes: it announces most of these wins in a second, long before they are proved.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from submission.k_in_a_row.book import Stones
from submission.lines import BLACK
from submission.search.clock import Deadline
from submission.search.deepening import Thought
from workshop.gobang.book import add_stone
from workshop.native.search import NativeSearch
from workshop.proof.journal import ProofJournal, Row
from workshop.proof.leaves import Leaves
from workshop.proof.positions import GOBANG, Board
from workshop.proof.proposals import Proposals
from workshop.proof.search import WON, Attempt, Numbers
from workshop.proof.tree import Tree

MOST_TRIED = 30  # moves that are tried for one position
MORE_ATTEMPTS = (1, 2, 4)  # times the width, by effort
MORE_NODES = (1, 30, 150)  # times the nodes of a proposal, by effort
STEP = 200  # of the engine's value, for one more in the estimated numbers
FAR = 2000  # a value near which threats decide
FEW_OPEN = 2  # an attempt that leaves no more than this open is good enough: no others are searched


class Gobang:
    """A ProofQuestion. Args: width: attempts with a threat to look for; nodes: of the search that proposes a move;
    board: of another size than gobang's."""

    efforts = len(MORE_ATTEMPTS)

    def __init__(
        self, journal: ProofJournal, proposals: Proposals, width: int = 3, nodes: int = 3000, board: Board = GOBANG
    ) -> None:
        self.journal, self.proposals, self.width, self.nodes = journal, proposals, width, nodes
        self.board, self.leaves = board, Leaves(board)
        self.tree = Tree(journal)
        self.engine = NativeSearch()

    def estimate(self, position: Stones) -> Numbers:
        """From the value that a short search finds: the higher it is, the nearer the win."""
        if self.tree.winning_move(position) is not None:
            return WON
        thought = self._search(position, self.nodes)
        value = min(FAR, max(0, thought.value)) if thought else 0
        return Numbers(1 + (FAR - value) // STEP, 1 + value // STEP)

    def attempts(self, position: Stones, effort: int = 0) -> list[Attempt[Stones]]:
        """The attempts that the journal holds and, unless they suffice, new ones."""
        rows = self.journal.rows.get(position, {})
        few_open, least = (0, 1) if effort else (FEW_OPEN, 0)
        moves = self.moves(position, effort)
        for tried in range(MOST_TRIED):
            found = [replies for replies in rows.values() if replies is not None]
            enough = tried >= least and len(found) >= self.width * MORE_ATTEMPTS[effort]
            if enough or any(len(replies) <= few_open for replies in found):
                break
            move = next(moves, None)
            if move is None:
                break
            if move not in rows:
                self.journal.add(Row(position, move, self.sweep(position, move)))
                rows = self.journal.rows[position]
        attempts = [
            Attempt(move, tuple(self.board.after_reply(position, move, reply) for reply in replies))
            for move, replies in rows.items()
            if replies is not None
        ]
        return sorted(attempts, key=lambda attempt: len(attempt.open))

    def sweep(self, position: Stones, move: int) -> tuple[int, ...] | None:
        """The replies to a move that are open, one of each symmetric set; None if it wins nothing if White passes."""
        black, white = add_stone(position, move)
        if len(black) > 2 and not self.leaves.line(self.board.form_of((black, white))):
            return None
        board = self.board.board_of((black, white))
        replies: dict[Stones, int] = {}
        for cell in range(self.board.cells):
            if not board[cell]:
                if self.board.makes_five(board, cell, 2):
                    return None
                form = self.board.after_reply(position, move, cell)
                if form not in replies and not self.leaves.won(form):
                    replies[form] = cell
        return tuple(replies.values())

    def moves(self, position: Stones, effort: int = 0) -> Iterator[int]:
        """Moves to try, the best first, without repetitions."""
        seen: set[int] = set()
        for move in chain(self._searched(position, effort), self._similar(position), self._ordered(position)):
            if move not in seen:
                seen.add(move)
                yield move

    def _similar(self, position: Stones) -> Iterator[int]:
        board = self.board.board_of(position)
        return (move for move in self.proposals.moves(position) if not board[move])

    def _searched(self, position: Stones, effort: int) -> Iterator[int]:
        thought = self._search(position, self.nodes * MORE_NODES[effort])
        if thought:
            yield thought.move

    def _search(self, position: Stones, nodes: int) -> Thought | None:
        """A search of the engine; None if the game is over."""
        engine = self.leaves.position
        engine.set_up(self.board.board_of(position), BLACK)
        engine.threats.forget()
        return self.engine.think(engine, Deadline(None, nodes)) if engine.outcome() is None else None

    def _ordered(self, position: Stones) -> Iterator[int]:
        self.leaves.position.set_up(self.board.board_of(position), BLACK)
        yield from self.leaves.position.moves()
