"""The Reversi player of report 001, "miniAlphaGo": alpha-beta ordered by a history table, every part of it a switch.

Options, as the report's final player has them: depth=6, pruning=on, history=on, corners=on (takes a corner at once, in
the order A1 A8 H1 H8), stability=on (edges behind own corners), vanishing=on (below 16 discs mobility alone counts;
random: any move, at random), factor=50 (what a legal move more and a disc on such an edge are worth), width=none (moves
followed, at most), bad_moves=off (at the root, while 12 cells are free, cells beside corners are left out if there are
others), bad_leaves=off (a leaf where the mover has a disc beside a corner that is not its own is lost), cores=1 (more
share the root moves out to as many processes, each without the history table), seed=N for what is random.
seconds=0.8 a move and game_seconds=60 a side and game limit the time, none lifts either. Under a limit it deepens by
one ply after another and plays what it finished last; without, it searches straight to its depth, as the report does.
Where the report is broken: its test for bad leaves fires on the other side's discs too, against its own words; its
version for many cores leaves bad moves out whatever the switch says. On boards other than 8x8 disc_weights.py extends
the map, and 16 discs and 12 free cells stay what they are.
"""

import multiprocessing
import random
from multiprocessing.connection import Connection
from typing import Any, Dict, List, Optional, Tuple

from .clock import MoveClock, deepen
from .observed import Cell, Stones, centre_or_first, look, one_hots, taken_cells
from .rules import PASS, MaskPosition, ReversiRules, count
from .seed001_search import EARLY, LOST, Seed001Options, Seed001Search

LATE = 12  # free cells, below which bad moves are no longer left out
MARKS = ".XO"  # of the Mo platform's boards


class Player:
    """One side in one game: its search, its history table and its time."""

    def __init__(self, size: int, options: Seed001Options) -> None:
        self.options = options
        self.rules = ReversiRules(size)
        self.search = Seed001Search(self.rules, options)
        self.dice = random.Random(random.random() if options.seed is None else options.seed)
        self.spent = 0.0  # seconds, of the whole game's
        self.discs = 0  # on the board when last asked

    def choose(self, stones: Stones, player: int) -> Optional[Cell]:
        """The cell to play for `player` (1 black, 2 white) on `stones[row][col]`, None on a pass."""
        position = self.rules.position(stones, player)
        self.discs = count(position.own | position.other)
        clock = MoveClock(self._seconds())
        move = self._move(position, clock)
        self.spent += clock.spent()
        return self.rules.cell(move) if move else None

    def _seconds(self) -> Optional[float]:
        """For this move: its own limit, and its part of what is left of the game's."""
        limits = [self.options.seconds]
        if self.options.game_seconds is not None:
            to_come = (count(self.rules.cells) - self.discs + 1) // 2
            limits.append(max(self.options.game_seconds - self.spent, 0) / max(to_come, 1))
        return min((limit for limit in limits if limit is not None), default=None)

    def _move(self, position: MaskPosition, clock: MoveClock) -> int:
        moves = self.rules.moves(position)
        for number in (0, 3, 1, 2):
            if self.options.corners and self.search.squares.corners[number] in moves:
                return self.search.squares.corners[number]
        good = [move for move in moves if not move & sum(self.search.squares.beside)] or moves
        if self.options.vanishing == "random" and self.discs < EARLY:
            return self.dice.choice(good)
        free = count(self.rules.cells) - self.discs
        if self.options.bad_moves and free >= LATE:
            moves = good
        if moves == [PASS]:
            return PASS
        found = self._alone(position, moves, clock) if self.options.cores == 1 else self._shared(position, moves, clock)
        return found or moves[0]

    def _alone(self, position: MaskPosition, moves: List[int], clock: MoveClock) -> int:
        """The best of `moves` to the greatest depth finished, PASS if none was."""
        self.search.clock = clock
        found = deepen(
            lambda depth: self.search.alphabeta(position, self.discs, depth, LOST, -LOST, sum(moves))[1],
            clock.depths(self._depth()),
        )
        return found[-1] if found else PASS

    def _depth(self) -> int:
        return min(self.options.depth, count(self.rules.cells) - self.discs)

    def _shared(self, position: MaskPosition, moves: List[int], clock: MoveClock) -> int:
        """As `_alone`, the moves dealt out to processes, which are gone when it returns, whatever happens."""
        context = multiprocessing.get_context("fork")  # a module loaded by path cannot be imported in a fresh process
        shares = [moves[first :: self.options.cores] for first in range(min(self.options.cores, len(moves)))]
        workers = []
        try:
            for share in shares:
                results, end = context.Pipe(duplex=False)
                worker = context.Process(target=self._work, args=(end, position, share, clock), daemon=True)
                worker.start()
                end.close()
                workers.append((worker, results))
            replies = [results.recv() for _, results in workers]
        finally:
            for worker, results in workers:
                worker.kill()
                worker.join()
                results.close()
        finished = min(map(len, replies))
        if not finished:
            return PASS
        values = {move: value for reply in replies for move, value in reply[finished - 1]}
        return max(moves, key=lambda move: values[move])

    def _work(self, end: Connection, position: MaskPosition, moves: List[int], clock: MoveClock) -> None:
        """In a process of its own: send, for every depth finished, the value of each of `moves`."""
        search = Seed001Search(self.rules, self.options._replace(history=False))
        search.clock = clock
        after = [(move, self.rules.play(position, move)) for move in moves]

        def values(depth: int) -> List[Tuple[int, int]]:
            return [
                (move, -search.alphabeta(child, self.discs + 1, depth - 1, LOST, -LOST)[0]) for move, child in after
            ]

        end.send(deepen(values, clock.depths(self._depth())))


class AIPlayer:
    """The same as the Mo platform asks it: `AIPlayer("X").get_move(board)`, board._board being eight rows of X, O and .

    Options are the module's; seconds is none there, as only the game's time is limited.
    """

    def __init__(self, color: str, **options: Any) -> None:
        self.color = color
        self._player = Player(8, Seed001Options(**{"seconds": None, **options}).checked())

    def get_move(self, board: Any) -> Optional[str]:
        """The cell to play, column and row as in "A1"; None on a pass."""
        stones = [[MARKS.index(mark) for mark in row] for row in board._board]
        cell = self._player.choose(stones, MARKS.index(self.color))
        return None if cell is None else "ABCDEFGH"[cell[1]] + str(cell[0] + 1)


_options = Seed001Options()
_players: Dict[int, Player] = {}  # by colour, as one module may play both


def configure(**options: Any) -> None:
    """Set the options in the module's head; TypeError or ValueError for what is none."""
    global _options
    _options = Seed001Options(**options).checked()
    _players.clear()


def my_controller(observation: Any, action_space: Any, is_act_continuous: bool = False) -> List[List[int]]:
    """The platform's entry; of other games than Reversi it knows nothing."""
    seen = look(observation)
    if seen is None or not seen.reversi or seen.idle:
        return one_hots(centre_or_first(seen, action_space), action_space)
    size, discs = len(seen.stones), len(taken_cells(seen.stones))
    player = _players.get(seen.player)
    if player is None or player.rules.width != size or discs < player.discs:  # a new game
        player = _players[seen.player] = Player(size, _options)
    return one_hots(player.choose(seen.stones, seen.player) or centre_or_first(seen, action_space), action_space)
