"""The board, the moves and the problem that the page draws after a node of an analysis board, by the referee's rules.

A node's moves are counted from the last set-up node on the path to that node. A node that cannot be played has the
board of the node above and a sentence with the reason. Functions for a node's marks are here, too.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import count

from env_adapter import EnvError, kind_of
from env_adapter.game import BLACK, WHITE, Game
from local_runner.errors import RunnerError
from local_runner.formats import kinds
from local_runner.formats.sgf_game import OURS, point, put, written_point
from local_runner.formats.sgf_tree import Node, escaped, plain
from local_runner.game import coordinates
from local_runner.game.move_text import is_pass
from local_runner.game.records import Cell
from local_runner.game.setup import GameSetup
from local_runner.game.wording import why_not
from local_runner.language.languages import Message
from local_runner.server.positions import PositionGame, numbers, position_game
from local_runner.server.wire import PagePosition

SETUP = ("AB", "AW", "AE", "PL")
SIDES = {"B": BLACK, "W": WHITE}
MARKS = ("TR", "SQ", "CR", "MA", "LB")
Properties = Mapping[str, list[str]]


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
    """The referee of one tree. `env`, `size`: the game and its side in cells."""

    def __init__(self, env: str, size: int) -> None:
        self._env, self._size = env, size
        self._page_size = None if kind_of(env).board[0] == size else size
        self._plain = GameSetup(env, rules="stated", board_size=self._page_size)
        self.game: Game = self._plain.make()  # at the game's own start
        self.own = NodeView(None, tuple(_flat(self.game)))  # the game's own start
        self._last: tuple[PositionGame, tuple[Cell | None, ...], Game] | None = None  # the game that moved last

    def view(self, properties: Properties, above: NodeView | None, begins: Properties | None = None) -> NodeView:
        """The view of a node below `above`, None for the root. `begins`: the root's first move, if there is one."""
        if above is None or set(SETUP) & set(properties):
            return self._set_up(properties, above, begins or {})
        rest = replace(above, sets_up=False, plies=(), turned=())
        moves = [(colour, plain(value)) for colour in SIDES for value in properties.get(colour, [])]
        if not moves:
            return rest
        try:
            if above.problem or above.base is None:
                raise ValueError(above.problem)
            if len(moves) > 1:
                raise ValueError(Message("one node holds {number} moves", number=len(moves)))
            return replace(self._moved(above, above.base, *moves[0]), start=above.start, first=above.first)
        except ValueError as error:
            return replace(rest, legal=(), must_pass=False, problem=error.args[0])

    def stones(self, view: NodeView) -> list[int]:
        """The stones of a view row by row."""
        return list(view.start) if view.base is None else _flat(self._game(view.base, view.cells))

    def _set_up(self, properties: Properties, above: NodeView | None, begins: Properties) -> NodeView:
        given = {name: list(map(plain, values)) for name, values in properties.items()}
        own, problem = self.stones(self.own), ""
        known = own if above is None and not {"AB", "AW"} & set(given) else self.stones(above) if above else []
        cells = {divmod(at, self._size): stone for at, stone in enumerate(known) if stone}
        try:
            put(cells, given, self._size)
        except ValueError as error:
            problem = error.args[0]
        if self.game.takes_board and above is None and not "".join(given.get("AP", [])).startswith(OURS):
            cells = kinds.with_handicap(self._plain, cells)
        stones = [cells.get(divmod(at, self._size), 0) for at in range(self._size**2)]
        said = "".join(given.get("PL", [])).strip().upper()[:1]
        first = SIDES.get(said) or self._first(stones, above, begins)
        view = NodeView(None, tuple(stones), first, sets_up=True, to_move=first, problem=problem)
        try:
            base = position_game(PagePosition(
                env=self._env, size=self._page_size, stones=None if stones == own else stones,
                first=1 if first == BLACK else 2,
            ))  # fmt: skip
        except (RunnerError, EnvError) as error:
            return replace(view, problem=problem or str(error))
        after = self._after(base, self._game(base, ()), ())
        return replace(after, start=view.start, first=first, sets_up=True, problem=problem)

    def _first(self, stones: list[int], above: NodeView | None, begins: Properties) -> int:
        """The side to move on a board that is set up, if the file does not say."""
        if not self.game.takes_board:
            return WHITE if stones.count(BLACK) > stones.count(WHITE) else BLACK
        if above is not None:
            return above.to_move
        return WHITE if "W" in begins else BLACK

    def _moved(self, above: NodeView, base: PositionGame, colour: str, value: str) -> NodeView:
        cell = self._cell(value)
        game = self._game(base, above.cells)
        if above.winner:
            raise ValueError(Message("the game is over"))
        skipped = cell is not None and above.must_pass and SIDES[colour] != above.to_move
        if SIDES[colour] != above.to_move and not skipped:
            mover = (Message("Black"), Message("White"))[above.to_move - 1]
            raise ValueError(Message("it is {colour}'s turn", colour=mover))
        if cell is None and not game.has_pass:
            raise ValueError(Message("there is no pass in this game"))
        plies = (None, cell) if skipped else (cell,)
        self._last = None
        turned = []
        for each in plies:
            if each is not None and (why := why_not(game, each, legal=False)):
                raise ValueError(why)
            before = _flat(game)
            game.play(each)
            turned.append(tuple(at for at, old, new in zip(count(), before, _flat(game)) if old and old != new))
        cells = (*above.cells, *plies)
        self._last = (base, cells, game)
        return replace(
            self._after(base, game, cells), plies=tuple(numbers(plies, self._size)),
            turned=tuple(turned) if game.turns_discs else (),
        )  # fmt: skip

    def _game(self, base: PositionGame, cells: tuple[Cell | None, ...]) -> Game:
        """The game after these moves. A walk down the tree goes on with the game of the node before."""
        if self._last is None or self._last[0] is not base or self._last[1] != cells:
            game = base.setup.make()
            game.replay((*base.prefix, *cells))
            self._last = (base, cells, game)
        return self._last[2]

    def _cell(self, value: str) -> Cell | None:
        """The cell of a move's value, None for a pass. Raises ValueError for another word."""
        text = value.partition("/")[0].strip()
        if not text:
            return None
        try:
            return point(text, self._size)
        except ValueError:
            if text.lower() == "tt" or is_pass(text):
                return None
            raise

    def _after(self, base: PositionGame, game: Game, cells: tuple[Cell | None, ...]) -> NodeView:
        outcome, playable = game.outcome(), game.legal_moves() if game.illegal_free else []
        return NodeView(
            base, cells=cells, line=tuple(numbers(game.winning_line(), self._size)),
            legal=tuple(numbers(playable, self._size)), to_move=game.chess_player, winner=outcome.winner,
            must_pass=game.has_pass and not playable and outcome.ending is None,
        )  # fmt: skip


def _flat(game: Game) -> list[int]:
    return [stone for row in game.stones() for stone in row]


def marks_of(properties: Properties, size: int) -> list[tuple[str, int, str]]:
    """The marks of a node as (property, cell, label); "" without label. Points that cannot be read are left out."""
    marks = list[tuple[str, int, str]]()
    for name in MARKS:
        for value in properties.get(name, []):
            where, _colon, text = value.partition(":") if name == "LB" else (plain(value), "", "")
            cells = dict[Cell, int]()
            try:
                put(cells, {"AB": [where]}, size)
            except ValueError:
                continue
            marks += [(name, coordinates.number(cell, size), plain(text)) for cell in cells]
    return marks


def marked(properties: Properties, size: int, mark: tuple[str, int, str]) -> Node:
    """The properties of a node's marks after `mark` was put; the same mark again takes it away."""
    marks = marks_of(properties, size)
    kept = [each for each in marks if each[1] != mark[1]] + ([] if mark in marks else [mark])
    made: Node = {name: [] for name in MARKS}
    for name, cell, text in kept:
        where = written_point(divmod(cell, size))
        made[name].append(f"{where}:{escaped(text)}" if name == "LB" else where)
    return made
