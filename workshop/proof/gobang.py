"""The question of the proof: does Black, to move, win at gobang? All positions are canonical.

An attempt is searched in two steps. If Black has no win by threats when White passes, the move threatens nothing and is
dropped. Otherwise White's reply on every free cell is tried: it is settled if the upload's threat search wins after it,
otherwise it is open. The results of both steps go to the journal.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from submission.boards import BLACK, WHITE
from submission.k_in_a_row.book import CELLS, IN_A_ROW, SIZE, VCT_NODES, Stones, canonical
from submission.native.k_in_a_row import NativePosition
from submission.native.search import NativeSearch
from submission.search.clock import Deadline
from submission.search.deepening import Thought
from workshop.gobang.five import FiveThreats
from workshop.gobang.positions import IMAGES, add_stone, after_reply, board_of, count_stones, form_of
from workshop.proof.journal import ProofJournal, Row, Tree
from workshop.proof.search import WON, Attempt, Numbers

MOST_TRIED = 30  # moves that are tried for one position
WIDTH = 3  # attempts with a threat that are searched for in a position
NODES = 30_000  # nodes of the search that proposes a move
MORE_ATTEMPTS = (1, 2, 4)  # factor of the width, by effort
MORE_NODES = (1, 30, 150)  # factor of the nodes of a proposal, by effort
STEP = 200  # units of the engine's value for a difference of 1 in the estimated numbers
FAR = 2000  # units of the engine's value; above this value the estimated numbers do not change
FEWEST_STONES = 6  # positions of fewer stones are not searched: none is won within VCT_NODES
FEW_OPEN = 2  # if an attempt leaves at most this many replies open, no other attempt is searched


class Proposals:
    """Counts of winning moves, by the position without one of its white stones: the moves to try first.

    Most white stones do not matter. So a move that wins in one position often wins in a position that differs in one
    white stone. Proposals prove nothing.
    """

    def __init__(self) -> None:
        self._similar: dict[Stones, Counter[int]] = defaultdict(Counter)
        self._learnt: set[tuple[Stones, int]] = set()

    def learn(self, stones: Stones, move: int) -> None:
        """Count a move that wins."""
        if (stones, move) in self._learnt:
            return
        self._learnt.add((stones, move))
        for less, image in _without_one_white(stones):
            self._similar[less][image[move]] += 1

    def moves(self, form: Stones) -> Iterator[int]:
        """Moves for a canonical position, those that won most often first."""
        votes: Counter[int] = Counter()
        for less, image in _without_one_white(form):
            for move, count in self._similar.get(less, {}).items():
                votes[image.index(move)] += count
        for move, _ in votes.most_common():
            yield move


def _without_one_white(stones: Stones) -> Iterator[tuple[Stones, list[int]]]:
    """The canonical positions with one white stone less, each with the symmetry that was applied."""
    black, white = stones
    for stone in white:
        yield canonical((black, tuple(cell for cell in white if cell != stone)), IMAGES)


class Gobang:
    """A ProofQuestion. Its leaves are the positions in which the upload's threat search finds the win by itself.

    The threat search is the compiled engine's, which equals the upload's node for node. A search starts with empty
    tables, on the canonical image, with the budget VCT_NODES and without a clock.
    """

    efforts = len(MORE_ATTEMPTS)

    def __init__(self, journal: ProofJournal) -> None:
        self.journal, self.proposals = journal, Proposals()
        self.tree = Tree(journal)
        self.position, self.engine = NativePosition(SIZE, SIZE, IN_A_ROW), NativeSearch()
        self._won: dict[Stones, bool] = {}

    def won(self, form: Stones) -> bool:
        """Whether the threat search finds a win of Black, to move in a canonical position."""
        if count_stones(form) < FEWEST_STONES:
            return False
        if form not in self._won:
            self._won[form] = self._wins(form)
        return self._won[form]

    def _wins(self, form: Stones) -> bool:
        self.position.set_up(board_of(form), BLACK)
        return bool(self.position.new_threats().vct(VCT_NODES).line)

    def estimate(self, position: Stones) -> Numbers:
        """Estimates from the value of a short search: the higher the value, the smaller the proof number."""
        if self.tree.winning_move(position) is not None:
            return WON
        thought = self._search(position, NODES)
        value = min(FAR, max(0, thought.value)) if thought else 0
        return Numbers(1 + (FAR - value) // STEP, 1 + value // STEP)

    def attempts(self, position: Stones, effort: int = 0) -> list[Attempt[Stones]]:
        """The attempts in the journal; if they are too few, new attempts are searched and added."""
        rows = self.journal.rows.get(position, {})
        few_open, least = (0, 1) if effort else (FEW_OPEN, 0)
        moves = self.moves(position, effort)
        for tried in range(MOST_TRIED):
            left_open = [replies for replies in rows.values() if replies is not None]
            enough = tried >= least and len(left_open) >= WIDTH * MORE_ATTEMPTS[effort]
            if enough or any(len(replies) <= few_open for replies in left_open):
                break
            move = next(moves, None)
            if move is None:
                break
            if move not in rows:
                self.journal.add(Row(position, move, self.sweep(position, move)))
                rows = self.journal.rows[position]
        searched = [move for move, replies in rows.items() if replies is not None]
        attempts = [Attempt(move, tuple(self.tree.open_after(position, move))) for move in searched]
        return sorted(attempts, key=lambda attempt: len(attempt.open))

    def sweep(self, position: Stones, move: int) -> tuple[int, ...] | None:
        """The open replies to a move, one of each symmetric set; None if Black has no threat or White can make five."""
        black, white = add_stone(position, move)
        if len(black) > 2 and not self._wins(form_of((black, white))):
            return None
        board = board_of((black, white))
        if FiveThreats(board).fives(WHITE):
            return None
        replies: dict[Stones, int] = {}
        for cell in range(CELLS):
            if not board[cell]:
                form = after_reply(position, move, cell)
                if form not in replies and not self.won(form):
                    replies[form] = cell
        return tuple(replies.values())

    def moves(self, position: Stones, effort: int = 0) -> Iterator[int]:
        """Moves to try, the best first, without repetitions."""
        seen: set[int] = set()
        for move in self._proposed(position, effort):
            if move not in seen:
                seen.add(move)
                yield move

    def _proposed(self, position: Stones, effort: int) -> Iterator[int]:
        """The engine's move, the moves that won in similar positions, and the candidates in the engine's order."""
        if thought := self._search(position, NODES * MORE_NODES[effort]):
            yield thought.move
        board = board_of(position)
        yield from (move for move in self.proposals.moves(position) if not board[move])
        self.position.set_up(board, BLACK)
        yield from self.position.moves()

    def _search(self, position: Stones, nodes: int) -> Thought | None:
        """The thought of a search by the engine; None if the game is over."""
        self.position.set_up(board_of(position), BLACK)
        self.position.threats.forget()
        return self.engine.think(self.position, Deadline(None, nodes)) if self.position.outcome() is None else None
