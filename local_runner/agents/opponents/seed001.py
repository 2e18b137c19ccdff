"""The Reversi player of report 001, "miniAlphaGo": alpha-beta with a history table; options switch each part.

The defaults are those of the report's final player:
    depth=6           plies
    pruning=on        alpha-beta pruning
    history=on        move ordering by the history table
    corners=on        play a legal corner without a search; the order of preference is A1, A8, H1, H8
    stability=on      count own discs on the two edges of each own corner
    vanishing=on      with fewer than 16 discs on the board only mobility counts; random: play a random move then
    factor=50         value of a legal move, and of a disc that `stability` counts
    width=none        maximum number of moves searched in a node
    bad_moves=off     with 12 or more free cells, skip root moves next to a corner if there are other moves
    bad_leaves=off    a leaf is lost if the side to move has a disc next to a corner without an own disc
    cores=1           number of processes that share the root moves; with 2 or more, none has a history table
    seed=N            for random moves
    seconds=0.8       limit of a move; none: no limit
    game_seconds=60   limit of one side's moves in a game; none: no limit
With a time limit the agent uses iterative deepening and plays the last finished depth. Without a limit, the agent
searches the full depth at once, as in the report.

The report's program has two errors that this agent has not: its `bad_leaves` also counts the opponent's discs, contrary
to the report's text, and its version for several cores always works as with `bad_moves=on`. `DiscWeights` extends the
map to boards other than 8x8; the limits of 16 discs and 12 free cells are the same there.
"""

import multiprocessing
import random
from multiprocessing.connection import Connection
from types import SimpleNamespace
from typing import Any, Dict, List, Optional, Tuple

from .observed import PASS, Cell, DiscWeights, MaskPosition, ReversiRules, Seen, Stones, bits, controller, count
from .searchers import MoveClock, deepen, options_of

AGENTS = {
    "seed001": {
        "rank": 2,
        "about": "student agent, miniAlphaGo, each part has a switch; Reversi",
        "games": ("reversi",),
        "options": {
            "depth": 6, "seconds": 0.8, "game_seconds": 60, "cores": 1, "width": None, "factor": 50, "pruning": True,
            "history": True, "corners": True, "stability": True, "vanishing": True, "bad_moves": False,
            "bad_leaves": False, "seed": None,
        },
    },
    "alphabeta": {
        "rank": 3,
        "about": "the simple opponent of seed001: its weight map only; Reversi",
        "games": ("reversi",),
        "options": {"depth": 6, "seconds": 0.8},
        "fixed": {"corners": False, "history": False, "stability": False, "vanishing": False, "factor": 0},
    },
    "minimax": {
        "rank": 3,
        "about": "alphabeta without pruning; Reversi",
        "games": ("reversi",),
        "options": {"depth": 6, "seconds": 0.8},
        "fixed": {
            "corners": False, "history": False, "stability": False, "vanishing": False, "factor": 0, "pruning": False,
        },
    },
}  # fmt: skip

QUARTER = ((150, -80, 10, 10), (-80, -90, 5, 5), (10, 5, 1, 1), (10, 5, 1, 1))
LOST = -(10**10)  # value of a lost game
EARLY = 16  # discs on the board; with fewer, `vanishing` counts mobility only
LATE = 12  # free cells; with fewer, `bad_moves` skips no moves
MARKS = ".XO"  # characters on the Mo platform's boards
LEAST = {"depth": 1, "width": 1, "cores": 1}
WORDS = {"vanishing": (True, False, "random")}


class HistoryTable:
    """The history heuristic: a ranking of all cells for each colour and number of discs; moves that cut off rise."""

    def __init__(self, rules: ReversiRules) -> None:
        self._cells = list(bits(rules.cells))
        self._rankings: Dict[Tuple[int, int], Tuple[List[int], Dict[int, int]]] = {}

    def _ranking(self, player: int, discs: int) -> Tuple[List[int], Dict[int, int]]:
        """The cells by rank and the ranks by cell. The first ranking is row by row."""
        if (player, discs) not in self._rankings:
            self._rankings[player, discs] = self._cells[:], {cell: rank for rank, cell in enumerate(self._cells)}
        return self._rankings[player, discs]

    def ordered(self, moves: List[int], player: int, discs: int) -> List[int]:
        """The moves, best rank first."""
        return sorted(moves, key=self._ranking(player, discs)[1].__getitem__)

    def reward(self, move: int, player: int, discs: int, cut: bool) -> None:
        """After a cutoff (`cut`), swap the move with the first cell of the ranking; else with the next better cell."""
        cells, ranks = self._ranking(player, discs)
        rank = ranks[move]
        better = 0 if cut else max(rank - 1, 0)
        displaced = cells[better]
        cells[better], cells[rank] = move, displaced
        ranks[move], ranks[displaced] = better, rank


def corners_of(rules: ReversiRules, cells: List[Cell]) -> List[int]:
    """Four masks: the cells, which lie at corner A1, and their images under quarter turns of the board."""
    masks = []
    for _ in range(4):
        masks.append(sum(map(rules.bit, cells)))
        cells = [(col, rules.width - 1 - row) for row, col in cells]
    return masks


class Seed001Search:
    """Alpha-beta with the options, on one board. The history table is kept from move to move.

    corners, beside, edges: masks of the report's groups of cells, four each: at the corners A1, H1, H8 and A8
    """

    def __init__(self, rules: ReversiRules, options: Any) -> None:
        self.rules = rules
        self.options = options
        self.weights = DiscWeights(rules, QUARTER)
        self.history = HistoryTable(rules) if options.history else None
        self.clock = MoveClock(None)
        self.corners = corners_of(rules, [(0, 0)])
        self.beside = corners_of(rules, [(0, 1), (1, 0), (1, 1)])
        rings, last = [], rules.width - 1
        for at in (0, 1):  # 0: the edge; 1: the ring of cells next to it
            row, col = [(at, i) for i in range(at, last - at)], [(i, at) for i in range(at + 1, last - at + 1)]
            rings.append(zip(corners_of(rules, [(at, at)]), corners_of(rules, row + col)))
        self.edges = [(*outer, *inner) for outer, inner in zip(*rings)]

    def alphabeta(
        self, position: MaskPosition, discs: int, depth: int, alpha: int, beta: int, only: int = -1
    ) -> Tuple[int, int]:
        """The value for the side to move, exact within (alpha, beta), and the best move in the mask `only`.

        `discs`: the number of discs on the board. The move is PASS at a leaf, and if all moves lose. Raises MoveTimeUp
        when the clock's limit is reached.
        """
        self.clock.check()
        own, other, player = position
        legal, others = self.rules.legal(own, other), self.rules.legal(other, own)
        if not legal and others:
            return -self.alphabeta(self.rules.play(position, PASS), discs, depth, -beta, -alpha)[0], PASS
        if not legal or depth <= 0:
            mobility = self.options.factor * (count(legal) - count(others))
            early = self.options.vanishing and discs < EARLY and legal
            return mobility + (0 if early else self.evaluate(own, other)), PASS
        moves = list(bits(legal & only))
        if self.history is not None:
            moves = self.history.ordered(moves, player, discs)
        best, choice = LOST, PASS
        for move in moves[: self.options.width]:
            value = -self.alphabeta(self.rules.play(position, move), discs + 1, depth - 1, -beta, -alpha)[0]
            if value > best:
                best, choice = value, move
                if best >= beta and self.options.pruning:
                    break
                alpha = max(alpha, best)
        if self.history is not None and choice:
            self.history.reward(choice, player, discs, cut=self.options.pruning and best >= beta)
        return best, choice

    def evaluate(self, own: int, other: int) -> int:
        """Weights and edge discs of the side with `own`, minus those of the opponent.

        LOST if `own` is empty or, with `bad_leaves`, has a disc next to a corner without an own disc.
        """
        near = zip(self.corners, self.beside) if self.options.bad_leaves else ()
        if not own or any(own & beside and not own & corner for corner, beside in near):
            return LOST
        value = self.weights.total(own) - self.weights.total(other)
        if self.options.stability:
            value += self.options.factor * (self._on_edges(own) - self._on_edges(other))
        return value

    def _on_edges(self, own: int) -> int:
        """The number of own discs on the two edges of each own corner.

        If the X square of that corner is own too, own discs on the two lines next to these edges also count. An edge
        between two own corners counts twice. Each edge includes only one of its two corners.
        """
        discs = 0
        for corner, edges, x_square, ring in self.edges:
            if own & corner:
                discs += count(own & edges)
                if own & x_square:
                    discs += count(own & ring)
        return discs


class Player:
    """One side in one game: its search, its history table and its time."""

    def __init__(self, size: int, options: Any) -> None:
        self.options = options
        self.rules = ReversiRules(size)
        self.search = Seed001Search(self.rules, options)
        self.rng = random.Random(random.random() if options.seed is None else options.seed)
        self.spent = 0.0  # seconds used in this game
        self.discs = 0  # number of discs on the board at the last call

    def choose(self, stones: Stones, player: int) -> Optional[Cell]:
        """The cell to play for `player` (1 Black, 2 White) on `stones[row][col]`; None for a pass."""
        position = self.rules.position(stones, player)
        self.discs = count(position.own | position.other)
        clock = MoveClock(self._seconds())
        move = self._move(position, clock)
        self.spent += clock.spent()
        return self.rules.cell(move) if move else None

    def _seconds(self) -> Optional[float]:
        """The time for this move: the smaller of the move limit and an equal share of the game's remaining time."""
        limits = [self.options.seconds]
        if self.options.game_seconds is not None:
            to_come = (count(self.rules.cells) - self.discs + 1) // 2
            limits.append(max(self.options.game_seconds - self.spent, 0) / max(to_come, 1))
        return min((limit for limit in limits if limit is not None), default=None)

    def _move(self, position: MaskPosition, clock: MoveClock) -> int:
        moves = self.rules.moves(position)
        for number in (0, 3, 1, 2):
            if self.options.corners and self.search.corners[number] in moves:
                return self.search.corners[number]
        good = [move for move in moves if not move & sum(self.search.beside)] or moves
        if self.options.vanishing == "random" and self.discs < EARLY:
            return self.rng.choice(good)
        free = count(self.rules.cells) - self.discs
        if self.options.bad_moves and free >= LATE:
            moves = good
        if moves == [PASS]:
            return PASS
        best = self._alone(position, moves, clock) if self.options.cores == 1 else self._shared(position, moves, clock)
        return best or moves[0]

    def _alone(self, position: MaskPosition, moves: List[int], clock: MoveClock) -> int:
        """Search in this process: the best of `moves` at the last finished depth; PASS if no depth was finished."""
        self.search.clock = clock
        moves_by_depth = deepen(
            lambda depth: self.search.alphabeta(position, self.discs, depth, LOST, -LOST, sum(moves))[1],
            clock.depths(self._depth()),
        )
        return moves_by_depth[-1] if moves_by_depth else PASS

    def _depth(self) -> int:
        return min(int(self.options.depth), count(self.rules.cells) - self.discs)

    def _shared(self, position: MaskPosition, moves: List[int], clock: MoveClock) -> int:
        """Like `_alone`, with the root moves shared among child processes, which end before this method does."""
        context = multiprocessing.get_context("fork")  # a spawned process cannot import a module loaded by path
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
        """The body of a child process: send a list that holds, for every finished depth, the values of `moves`."""
        search = Seed001Search(self.rules, SimpleNamespace(**{**vars(self.options), "history": False}))
        search.clock = clock
        after = [(move, self.rules.play(position, move)) for move in moves]

        def values(depth: int) -> List[Tuple[int, int]]:
            discs = self.discs + 1
            return [(move, -search.alphabeta(child, discs, depth - 1, LOST, -LOST)[0]) for move, child in after]

        end.send(deepen(values, clock.depths(self._depth())))


class AIPlayer:
    """The player for the Mo platform: `AIPlayer("X").get_move(board)`; `board._board` is eight rows of X, O and `.`.

    The options are those of the module. By default the game's time is limited, and a move's is not.
    """

    def __init__(self, color: str, **options: Any) -> None:
        self.color = color
        checked, configure = options_of(AGENTS["seed001"], LEAST, WORDS)
        configure(**{"seconds": None, **options})
        self._player = Player(8, checked)

    def get_move(self, board: Any) -> Optional[str]:
        """The cell to play as column and row, such as "A1"; None for a pass."""
        stones = [[MARKS.index(mark) for mark in row] for row in board._board]
        cell = self._player.choose(stones, MARKS.index(self.color))
        return None if cell is None else "ABCDEFGH"[cell[1]] + str(cell[0] + 1)


_players: Dict[int, Player] = {}  # by colour: one module may play both colours
OPTIONS, configure = options_of(AGENTS["seed001"], LEAST, WORDS, then=_players.clear)


def choose(seen: Seen) -> Optional[Cell]:
    """The cell to play at Reversi; None for a pass, off turn, and in other games."""
    if not seen.reversi or seen.idle:
        return None
    size, discs = len(seen.stones), sum(1 for row in seen.stones for stone in row if stone)
    player = _players.get(seen.player)
    if player is None or player.rules.width != size or discs < player.discs:  # a new game
        player = _players[seen.player] = Player(size, OPTIONS)
    return player.choose(seen.stones, seen.player)


my_controller = controller(choose)
