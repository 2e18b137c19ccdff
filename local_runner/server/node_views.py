"""The board, the moves and the problem that the page draws after a node of an analysis board, by the referee's rules.

A node's moves are counted from the last node above it that sets up stones. A node that cannot be played has the
board of the node above and a sentence with the reason. Functions for a node's marks are here, too.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from env_adapter import Cell, EnvError, kind_of
from env_adapter.game import BLACK, WHITE, Game
from local_runner.errors import RunnerError
from local_runner.formats import kinds
from local_runner.formats.sgf_game import OURS, Board, point, put, written_point
from local_runner.formats.sgf_tree import Node, escaped, plain
from local_runner.game import coordinates
from local_runner.game.board_data import board_now
from local_runner.game.move_text import is_pass
from local_runner.game.setup import GameSetup
from local_runner.game.wording import why_not
from local_runner.language.languages import Message, _
from local_runner.server.games import PositionGame, numbers, position_game
from local_runner.server.wire import PagePosition

SETUP = ("AB", "AW", "AE", "PL")
SIDES = {"B": BLACK, "W": WHITE}
ARROWS = ("AR", "LN")  # marks from one cell to another: an arrow, a line
MARKS = ("TR", "SQ", "CR", "MA", "LB", *ARROWS)
Properties = Mapping[str, list[str]]
Mark = tuple[str, tuple[int, ...], str]  # property, cell or both ends of an arrow, label ("" without one)


@dataclass(frozen=True)
class NodeView:
    """The position after a node, for the page to draw and for the referee to continue.

    base: the position of the last set-up; None if the referee cannot begin from it
    start: the board of the last set-up row by row, with the side to move there in `first`
    sets_up: whether this node is that set-up
    cells: the moves since the last set-up
    plies: the moves that this node adds to `cells`, as the page's numbers: one, none, or a forced pass before the move
    turned: the discs turned over by each of `plies`
    problem: a Message why the node cannot be played, "" if it can
    """

    base: PositionGame | None
    start: tuple[int, ...] = ()
    first: int = BLACK
    sets_up: bool = False
    cells: tuple[Cell | None, ...] = ()
    plies: tuple[int, ...] = ()
    turned: tuple[tuple[int, ...], ...] = ()
    line: tuple[int, ...] = ()
    legal: tuple[int, ...] = ()
    must_pass: bool = False
    to_move: int = BLACK
    winner: int = 0
    problem: str = ""


class NodeJudge:
    """The referee of one tree. `env`, `size`: the game and its longer side in cells. `board`: the game's own start."""

    def __init__(self, env: str, size: int) -> None:
        self._env, self._page_size = env, None if max(kind_of(env).board) == size else size
        self._plain = GameSetup(env, rules="stated", board_size=self._page_size)
        self._base: PositionGame | None = None
        self._game = self._plain.make()  # the game of `_base` after `_cells`
        self._cells: tuple[Cell | None, ...] | None = None
        self.board = board_now(env, self._game)
        self.sides = self._rows, self._cols = self._game.board_height, self._game.board_width
        self.own = NodeView(None, tuple(self.board["stones"]))

    def view(self, above: NodeView | None, properties: Properties, begins: Properties) -> NodeView:
        """The view of a node. `above`: the view of the node above, None for the root. `begins`: the first move below.

        The view of a node right after that of the node above it is quick to make, since the game stands there.
        """
        if above is None or set(SETUP) & set(properties):
            return self._set_up(properties, above, begins)
        view = still = replace(above, sets_up=False, plies=(), turned=())
        moves = [(colour, plain(value)) for colour in SIDES for value in properties.get(colour, [])]
        try:
            for cell in self._plies(above, moves):
                view = self._played(view, cell)
        except ValueError as error:
            return replace(still, legal=(), must_pass=False, problem=error.args[0])
        return self._after(view) if moves else view

    def stones(self, view: NodeView) -> list[int]:
        """The stones of a view row by row."""
        return [stone for row in self._at(view).stones() for stone in row] if view.base else list(view.start)

    def _at(self, view: NodeView) -> Game:
        assert view.base is not None
        if self._base is not view.base:
            self._base, self._game, self._cells = view.base, view.base.setup.make(), None
        if self._cells != view.cells:
            self._game.replay((*view.base.prefix, *view.cells))
            self._cells = view.cells
        return self._game

    def _set_up(self, properties: Properties, above: NodeView | None, begins: Properties) -> NodeView:
        """The view of the root or of a node that sets stones up. `begins`: the first move below."""
        given = {name: list(map(plain, values)) for name, values in properties.items()}
        own, problem = list(self.own.start), ""
        known = own if above is None and not {"AB", "AW"} & set(given) else self.stones(above) if above else []
        cells = {divmod(at, self._cols): stone for at, stone in enumerate(known) if stone}
        try:
            put(cells, given, self.sides)
        except ValueError as error:
            problem = error.args[0]
        takes_board = self._plain.kind.rules.takes_board
        if takes_board and above is None and not "".join(given.get("AP", [])).startswith(OURS):
            cells = kinds.with_handicap(self._plain, cells)
        stones = [cells.get(divmod(at, self._cols), 0) for at in range(self._rows * self._cols)]
        first = SIDES.get("".join(given.get("PL", [])).strip().upper()[:1], 0)
        if not first and not takes_board:
            first = WHITE if stones.count(BLACK) > stones.count(WHITE) else BLACK
        first = first or (above.to_move if above else WHITE if "W" in begins else BLACK)
        view = NodeView(None, tuple(stones), first, sets_up=True, to_move=first, problem=problem)
        try:
            base = position_game(PagePosition(
                env=self._env, size=self._page_size, stones=None if stones == own else stones,
                first=1 if first == BLACK else 2,
            ))  # fmt: skip
        except (RunnerError, EnvError) as error:
            return replace(view, problem=problem or str(error))
        return self._after(replace(view, base=base))

    def _played(self, view: NodeView, cell: Cell | None) -> NodeView:
        """The view with one more ply. Raises ValueError, with a Message, for an illegal move."""
        game = self._at(view)
        if cell is not None and not game.is_playable(cell):
            raise ValueError(why_not(game, cell, legal=False))
        turned = tuple(sorted(numbers(game.follow(cell), self._cols)))
        self._cells = cells = (*view.cells, cell)
        return replace(view, cells=cells, plies=(*view.plies, coordinates.number(cell, self._cols)),
                       turned=(*view.turned, turned) if game.turns_discs else ())  # fmt: skip

    def _plies(self, above: NodeView, moves: list[tuple[str, str]]) -> tuple[Cell | None, ...]:
        """The plies of a node's moves. Raises ValueError, with a Message, if they break a rule of all games."""
        if not moves:
            return ()
        if above.problem or above.base is None:
            raise ValueError(above.problem)
        if len(moves) > 1:
            raise ValueError(Message("one node holds {number} moves", number=len(moves)))
        [(colour, value)] = moves
        cell, has_pass = self._cell(value), self._plain.kind.rules.has_pass
        if above.winner:
            raise ValueError(Message("the game is over"))
        if SIDES[colour] == above.to_move and (cell is not None or has_pass):
            return (cell,)
        if SIDES[colour] != above.to_move and not (cell is not None and above.must_pass):
            mover = (Message("Black"), Message("White"))[above.to_move - 1]
            raise ValueError(Message("it is {colour}'s turn", colour=mover))
        if not has_pass:
            raise ValueError(Message("there is no pass in this game"))
        return (None, cell)

    def _cell(self, value: str) -> Cell | None:
        """The cell of a move's value, None for a pass. Raises ValueError for another word."""
        text = value.partition("/")[0].strip()
        if not text:
            return None
        try:
            return point(text, self.sides)
        except ValueError:
            if text.lower() == "tt" or is_pass(text):
                return None
            raise

    def _after(self, view: NodeView) -> NodeView:
        """The view, completed by the referee: legal moves, side to move and winner."""
        game = self._at(view)
        outcome, playable = game.outcome(), game.legal_moves() if game.illegal_free else []
        return replace(
            view, line=tuple(numbers(outcome.ending.line if outcome.ending else (), self._cols)),
            legal=tuple(numbers(playable, self._cols)), to_move=game.chess_player, winner=outcome.winner,
            must_pass=game.has_pass and not playable and outcome.ending is None,
        )  # fmt: skip


def marks_of(properties: Properties, board: Board) -> list[Mark]:
    """The marks of a node. Points that cannot be read are left out, and arrows that end where they begin."""
    marks = list[Mark]()
    for name in MARKS:
        for value in properties.get(name, []):
            where, _colon, text = value.partition(":") if name == "LB" else (plain(value), "", "")
            cells = dict[Cell, int]()
            try:
                for part in where.split(":") if name in ARROWS else [where]:
                    put(cells, {"AB": [part]}, board)
            except ValueError:
                continue
            found = tuple(numbers(cells, board[1]))
            if name not in ARROWS:
                marks += [(name, (cell,), plain(text)) for cell in found]
            elif len(found) == len(("from", "to")):
                marks.append((name, found, ""))
    return marks


def mark_of(text: str, cells: Sequence[int]) -> Mark:
    """The mark of a request `edit_tree`. Raises RunnerError for an unknown one, and for an arrow without two ends."""
    kind, _colon, label = text.partition(":")
    if kind not in MARKS or (kind in ARROWS and len(set(cells)) != len(("from", "to"))):
        raise RunnerError(_("this mark is unknown; reload the page"))
    return kind, tuple(cells if kind in ARROWS else cells[:1]), label


def marked(properties: Properties, board: Board, mark: Mark) -> Node:
    """The properties of a node's marks after `mark` was put; the same mark again takes it away."""
    marks = marks_of(properties, board)
    kept = [each for each in marks if each[1] != mark[1]] + ([] if mark in marks else [mark])
    made: Node = {name: [] for name in MARKS}
    for name, cells, text in kept:
        where = ":".join(written_point(divmod(cell, board[1])) for cell in cells)
        made[name].append(f"{where}:{escaped(text)}" if name == "LB" else where)
    return made
