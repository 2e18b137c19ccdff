"""The tree of an analysis board: positions, variations, comments and marks.

A node holds the properties of an SGF node, so that a file comes back without loss, and a view that the referee made:
board, moves and problem, for the page to draw. A node's moves are counted from the last set-up node on the path to that
node. A node that cannot be played has the board of the node above and a sentence with the reason. Nodes are never
changed, only replaced, so a copy of the dict is an earlier state of the tree.

In the store, a tree has a line with its settings, then a line {"node": [number, parent, properties, seconds]} for each
node, each before its children, and last {"report": ...} with the analysis of its game, if there is one.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

from env_adapter import EnvError, kind_of
from env_adapter.game import BLACK, WHITE, Game
from local_runner.errors import RunnerError
from local_runner.formats import kinds
from local_runner.formats.sgf_game import OURS, point, put, written_point
from local_runner.formats.sgf_tree import MOST_NODES, Node, TreeNode, escaped, plain
from local_runner.game import coordinates
from local_runner.game.move_text import is_pass
from local_runner.game.records import COLOURS, Cell
from local_runner.game.setup import GameSetup
from local_runner.game.wording import why_not
from local_runner.language.languages import Message, _, shown
from local_runner.language.text import printable
from local_runner.server.positions import PositionGame, numbers, position_game
from local_runner.server.wire import PagePosition

ROOT = 0
MOST_UNDO = 50  # changes of a tree that can be taken back
Row = tuple[int, int, Node, float | None]  # number, parent, properties and seconds of a node
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


@dataclass(frozen=True)
class TreeEntry:
    """A node of the tree. parent: -1 for the root. seconds: time of the move, None if unknown."""

    parent: int
    properties: Properties
    children: tuple[int, ...] = ()
    seconds: float | None = None
    view: NodeView = field(default_factory=lambda: NodeView(None), compare=False)


class BoardTree:
    """The nodes by their numbers; the root has the number `ROOT`. Views are made by `look`, and after every change.

    `env`, `size`: the game and its side in cells. `damage`: where the file of the game cannot be read. `followed`: the
    moves of the room that the tree has got so far. `report`: the analysis of the main line, as JSON, if there is one.
    """

    def __init__(self, env: str, size: int, rows: Iterable[Row], names: tuple[str, str] = COLOURS, damage: str = "",
                 followed: Iterable[int] = (), report: dict[str, Any] | None = None) -> None:  # fmt: skip
        self.env, self.size, self.names, self.damage = env, size, names, damage
        self.followed, self.report = list(followed), report
        self.past: list[dict[int, TreeEntry]] = []  # earlier states of `nodes`
        self.judge = NodeJudge(env, size)
        self.nodes = dict[int, TreeEntry]()
        for number, parent, properties, seconds in rows:
            self.nodes[number] = TreeEntry(parent, properties, seconds=seconds)
            if parent >= 0:
                above = self.nodes[parent]
                self.nodes[parent] = replace(above, children=(*above.children, number))

    def lines(self) -> Iterator[dict[str, Any]]:
        """The lines of the tree's file."""
        rows = [(number, entry.parent, dict(entry.properties), entry.seconds)
                for number, entry in ((number, self.nodes[number]) for number in self.below(ROOT))]  # fmt: skip
        moves = sum(1 for row in rows if set(SIDES) & set(row[2]))
        yield {"env": self.env, "size": self.size, "names": self.names, "followed": self.followed,
               "damage": self.damage, "moves": moves}  # fmt: skip
        yield from ({"node": row} for row in rows)
        if self.report is not None:
            yield {"report": self.report}

    def game(self) -> TreeNode:
        """The tree as SGF has it. The time of a move stands before its comment, as in other files of tengen."""
        made = {number: TreeNode(dict(entry.properties)) for number, entry in self.nodes.items()}
        for number, entry in self.nodes.items():
            made[number].children = [made[child] for child in entry.children]
            if entry.seconds is not None:
                said = [f"{entry.seconds:.3f} s", *entry.properties.get("C", [])]
                made[number].properties["C"] = ["\n".join(said)]
        return made[ROOT]

    def drawn(self, number: int) -> dict[str, Any]:
        """A node as the answer `tree` has it, with texts in the current language."""
        entry, view = self.nodes[number], self.nodes[number].view
        name, comment = (plain("\n".join(entry.properties.get(name, []))) for name in "NC")
        return {
            "id": number, "parent": entry.parent, "children": entry.children, "plies": view.plies,
            "turned": view.turned, "stones": view.start if view.sets_up else None, "first": view.first,
            "line": view.line, "legal": view.legal, "must_pass": view.must_pass, "to_move": view.to_move,
            "winner": view.winner, "name": name, "comment": comment, "seconds": entry.seconds,
            "marks": [(kind, cell, printable(label)) for kind, cell, label in marks_of(entry.properties, self.size)],
            "problem": printable(shown(view.problem)),
        }  # fmt: skip

    def below(self, number: int) -> Iterator[int]:
        """A node and all below, each before its children."""
        waiting = [number]
        while waiting:
            number = waiting.pop()
            yield number
            waiting += reversed(self.nodes[number].children)

    def look(self, number: int = ROOT) -> None:
        """Let the referee judge a node and all below."""
        for each in self.below(number):
            entry = self.nodes[each]
            above = self.nodes[entry.parent].view if each else None
            begins = self.nodes[entry.children[0]].properties if entry.children else None
            self.nodes[each] = replace(entry, view=self.judge.view(entry.properties, above, begins))

    # ---- changes

    def edit(self, act: str, number: int, cells: list[int], text: str = "") -> tuple[int, list[int]]:
        """Make a change, as the request `edit_tree` says. Returns the node to show, and the nodes that have changed.

        Raises RunnerError if the change is impossible; nothing has changed then.
        """
        before, self.nodes = self.nodes, dict(self.nodes)
        try:
            shown_node = self._edit(act, number, cells, text)
        except RunnerError:
            self.nodes = before
            raise
        changed = [each for each, entry in self.nodes.items() if before.get(each) is not entry]
        if changed and act != "undo":
            self.past = [*self.past[-MOST_UNDO + 1 :], before]
        return shown_node, changed

    def _edit(self, act: str, number: int, cells: list[int], text: str) -> int:
        if act == "undo":
            return self._undo(number)
        if number not in self.nodes:
            raise RunnerError(_("this move is not in the tree any more"))
        cell = cells[0] if cells else -1
        if act in ("mark", "stone") and not 0 <= cell < self.size**2:
            raise RunnerError(_("this cell is off the board"))
        match act:
            case "play":
                for each in cells:
                    number = self._play(number, each)
                return number
            case "comment":
                return self._change(number, {"C": [escaped(text)] if text.strip() else []})
            case "mark":
                kind, _colon, label = text.partition(":")
                if kind not in MARKS:
                    raise RunnerError(_("this mark is unknown; reload the page"))
                return self._change(number, marked(self.nodes[number].properties, self.size, (kind, cell, label)))
            case "promote":
                return self._promote(number)
            case "delete":
                return self._delete(number)
        stones, side = self.judge.stones(self.nodes[number].view), SIDES.get(text, 0)
        if act == "stone":
            stones[cell] = 0 if stones[cell] == side else side
        return self._set_up(number, stones, text if act == "turn" and side else "")

    def _play(self, number: int, cell: int) -> int:
        """Play a cell after a node, -1 for a pass. A move that is in the tree is only followed."""
        view = self.nodes[number].view
        for child in self.nodes[number].children:
            if self.nodes[child].view.plies == (cell,):
                return child
        if cell >= self.size**2:
            raise RunnerError(_("this cell is off the board"))
        where = coordinates.numbered(cell, self.size)
        return self._add(number, {"BW"[view.to_move - 1]: [written_point(where) if where else ""]})

    def follow(self, moves: list[int], seconds: Sequence[float | None]) -> None:
        """Add a room's moves as the main line, up to the first that cannot be played."""
        number = ROOT
        for ply, cell in enumerate(moves):
            try:
                number = self._play(number, cell)
            except RunnerError:
                break
            if ply < len(seconds):
                self.nodes[number] = replace(self.nodes[number], seconds=seconds[ply])
            self._put_first(number)
        self.followed = moves

    def _set_up(self, number: int, stones: list[int], turn: str) -> int:
        """Set a board up. A node with moves gets a child for the new board."""
        entry = self.nodes[number]
        own = not entry.children and not set(SIDES) & set(entry.properties)
        above = self.nodes[entry.parent].view if own and number else None if own else entry.view
        before = self.judge.stones(above) if above else [0] * len(stones)
        if own and number == ROOT and stones == self.judge.stones(self.judge.own):
            before = stones
        changed = [(at, new) for at, (old, new) in enumerate(zip(before, stones, strict=True)) if old != new]
        given = {name: [written_point(divmod(at, self.size)) for at, new in changed if new == stone]
                 for name, stone in (("AB", BLACK), ("AW", WHITE), ("AE", 0))}  # fmt: skip
        turn = turn or (plain("".join(entry.properties.get("PL", []))) if own else "")
        setup = {name: points for name, points in {**given, "PL": [turn] if turn else []}.items() if points}
        if not own:
            return self._add(number, setup, may_fail=True)
        return self._change(number, {name: list[str]() for name in SETUP} | setup)

    def _add(self, parent: int, properties: Node, *, may_fail: bool = False) -> int:
        if len(self.nodes) >= MOST_NODES:
            raise RunnerError(_("this tree has {most:,} moves, which is the most").format(most=MOST_NODES))
        number, above = max(self.nodes) + 1, self.nodes[parent]
        view = self.judge.view(properties, above.view)
        if view.problem and not may_fail:
            raise RunnerError(shown(view.problem))
        self.nodes[number] = TreeEntry(parent, properties, view=view)
        self.nodes[parent] = replace(above, children=(*above.children, number))
        return number

    def _change(self, number: int, changes: Node) -> int:
        """Replace properties of a node; an empty list removes one."""
        entry = self.nodes[number]
        properties = {name: values for name, values in {**entry.properties, **changes}.items() if values}
        self.nodes[number] = replace(entry, properties=properties)
        if set(SETUP) & set(changes):
            self.look(number)
        return number

    def _promote(self, number: int) -> int:
        """Make the variation of a node the first one at the nearest fork above it."""
        at = number
        while (parent := self.nodes[at].parent) >= 0:
            if self.nodes[parent].children[0] != at:
                self._put_first(at)
                return number
            at = parent
        raise RunnerError(_("this is the main line already"))

    def _put_first(self, number: int) -> None:
        parent = self.nodes[number].parent
        above = self.nodes[parent]
        others = (child for child in above.children if child != number)
        self.nodes[parent] = replace(above, children=(number, *others))

    def _delete(self, number: int) -> int:
        """Remove a node and all below; the node above is shown."""
        parent = self.nodes[number].parent
        if parent < 0:
            raise RunnerError(_("the start of the tree cannot be deleted"))
        for each in list(self.below(number)):
            del self.nodes[each]
        above = self.nodes[parent]
        self.nodes[parent] = replace(above, children=tuple(child for child in above.children if child != number))
        return parent

    def _undo(self, number: int) -> int:
        """Take back the last change; the node to show is the given one, or what is left above it."""
        if not self.past:
            raise RunnerError(_("there is nothing to take back"))
        nodes, self.nodes = self.nodes, self.past.pop()
        while number not in self.nodes:
            number = nodes[number].parent if number in nodes else ROOT
        return number


def rows_of(root: TreeNode, seconds: Mapping[int, float | None]) -> Iterator[Row]:
    """The nodes of an SGF tree. seconds: times of the nodes of the main line, by their number from 1."""
    number, waiting = 0, [(root, -1)]
    while waiting:
        node, parent = waiting.pop()
        yield number, parent, node.properties, seconds.get(number)
        waiting += [(child, number) for child in reversed(node.children)]
        number += 1


def tree_of(lines: Iterator[dict[str, Any]]) -> BoardTree:
    """The tree of a file. Raises ValueError for lines that are none of a tree."""
    try:
        first, *rest = lines
        tree = BoardTree(first["env"], first["size"], (line["node"] for line in rest if "node" in line),
                         tuple(first["names"]), first["damage"], first["followed"])  # fmt: skip
        for line in rest:
            tree.report = line.get("report", tree.report)
        tree.look()
    except (EnvError, KeyError, TypeError) as error:
        raise ValueError(f"this is no tree: {error}") from error
    return tree


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
