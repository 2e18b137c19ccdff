"""The tree of an analysis board: positions, variations, comments and marks.

A node holds the properties of an SGF node, so that a file is written again without loss, and a view (node_views.py).
Nodes are never changed, only replaced. So a copy of the dict of nodes saves a state of the tree, for undo.

In the store, a tree has a line with its settings, then a line {"node": [number, parent, properties, seconds]} for each
node, each before its children, and last {"report": ...} with the analysis of its game, if there is one.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, repeat
from typing import Any

from env_adapter import EnvError
from env_adapter.game import BLACK, WHITE
from local_runner.errors import RunnerError
from local_runner.formats.sgf_game import written_point
from local_runner.formats.sgf_tree import MOST_NODES, Node, TreeNode, escaped, plain
from local_runner.game import coordinates
from local_runner.game.wording import COLOURS
from local_runner.language.languages import _, shown
from local_runner.language.text import printable
from local_runner.server.node_views import SETUP, SIDES, NodeJudge, NodeView, Properties, mark_of, marked, marks_of
from local_runner.server.wire import Page

ROOT = 0
MOST_UNDO = 50  # most changes of a tree that can be taken back
Row = tuple[int, int, Node, float | None]  # number, parent, properties and seconds of a node


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

    `env`, `size`: the game and its longer side in cells. `damage`: where its file cannot be read. `followed`: the moves
    of the room that the tree has got so far. `report`: the analysis of the main line, as JSON, if there is one.
    `pages`: the pages that show the tree. `unkept`: why the last change could not be stored.
    """

    def __init__(self, env: str, size: int, rows: Iterable[Row], names: tuple[str, str] = COLOURS, damage: str = "",
                 followed: Iterable[int] = ()) -> None:  # fmt: skip
        self.env, self.size, self.names, self.damage = env, size, names, damage
        self.followed = list(followed)
        self.report: dict[str, Any] | None = None
        self.pages, self.unkept = set[Page](), ""
        self.past: list[dict[int, TreeEntry]] = []  # earlier states of `nodes`
        self.judge = NodeJudge(env, size)
        self._cells, self._cols = len(self.judge.own.start), self.judge.board["cols"]
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
        """A node as the answer `tree` has it."""
        entry, view = self.nodes[number], self.nodes[number].view
        name, comment = (plain("\n".join(entry.properties.get(name, []))) for name in "NC")
        return {
            "id": number, "parent": entry.parent, "children": entry.children, "plies": view.plies,
            "turned": view.turned, "stones": view.start if view.sets_up else None, "first": view.first,
            "line": view.line, "legal": view.legal, "must_pass": view.must_pass, "to_move": view.to_move,
            "winner": view.winner, "name": name, "comment": comment, "seconds": entry.seconds,
            "marks": [(*mark, printable(label)) for *mark, label in marks_of(entry.properties, self.judge.sides)],
            "problem": view.problem,
        }  # fmt: skip

    def below(self, number: int) -> Iterator[int]:
        """A node and all below, each before its children."""
        waiting = [number]
        while waiting:
            number = waiting.pop()
            yield number
            waiting += reversed(self.nodes[number].children)

    def look(self, number: int = ROOT) -> None:
        """Let the referee compute the views of a node and all below."""
        for each in self.below(number):
            entry = self.nodes[each]
            above = self.nodes[entry.parent].view if each else None
            begins = self.nodes[entry.children[0]].properties if entry.children else {}
            self.nodes[each] = replace(entry, view=self.judge.view(above, entry.properties, begins))

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
        if act in ("mark", "stone") and not all(0 <= each < self._cells for each in cells or [-1]):
            raise RunnerError(_("this cell is off the board"))
        match act:
            case "play":
                line = self._play(number, cells)
                if problem := next((view.problem for each in line if (view := self.nodes[each].view).problem), ""):
                    raise RunnerError(shown(problem))
                return line[-1] if line else number
            case "comment":
                return self._change(number, {"C": [escaped(text)] if text.strip() else []})
            case "mark":
                properties = self.nodes[number].properties
                return self._change(number, marked(properties, self.judge.sides, mark_of(text, cells)))
            case "promote":
                return self._promote(number)
            case "delete":
                return self._delete(number)
        stones, side = self.judge.stones(self.nodes[number].view), SIDES.get(text, 0)
        if act == "stone":
            stones[cell] = 0 if stones[cell] == side else side
        return self.set_up(number, stones, text if act == "turn" and side else "")

    def _play(self, number: int, cells: Sequence[int]) -> list[int]:
        """The nodes of the moves after a node, -1 for a pass. Moves that are in the tree are only followed."""
        line, first, side = list[int](), 0, self.nodes[number].view.to_move
        for cell in cells:
            child = next((each for each in self.nodes[number].children if self.nodes[each].view.plies == (cell,)), 0)
            if not child:
                if cell >= self._cells:
                    raise RunnerError(_("this cell is off the board"))
                where = coordinates.numbered(cell, self._cols)
                child = self._add(number, {"BW"[side - 1]: [written_point(where) if where else ""]})
                first = first or child
            line.append(number := child)
            side = BLACK + WHITE - side if first else self.nodes[number].view.to_move
        if first:
            self.look(first)
        return line

    def follow(self, moves: list[int], seconds: Sequence[float | None]) -> None:
        """Add a room's moves as the main line, up to the first that cannot be played."""
        for number, each in zip(self._play(ROOT, moves), chain(seconds, repeat(None)), strict=False):
            if self.nodes[number].view.problem:
                self._delete(number)
                break
            self.nodes[number] = replace(self.nodes[number], seconds=each)
            self._put_first(number)
        self.followed = moves

    def set_up(self, number: int, stones: list[int], turn: str) -> int:
        """Set a board up, with the side `turn`, B or W, to move. A node with moves gets a child for the new board."""
        entry = self.nodes[number]
        own = not entry.children and not set(SIDES) & set(entry.properties)
        above = self.nodes[entry.parent].view if own and number else None if own else entry.view
        before = self.judge.stones(above) if above else [0] * len(stones)
        if own and number == ROOT and stones == self.judge.stones(self.judge.own):
            before = stones
        changed = [(at, new) for at, (old, new) in enumerate(zip(before, stones, strict=True)) if old != new]
        given = {name: [written_point(divmod(at, self._cols)) for at, new in changed if new == stone]
                 for name, stone in (("AB", BLACK), ("AW", WHITE), ("AE", 0))}  # fmt: skip
        turn = turn or (plain("".join(entry.properties.get("PL", []))) if own else "")
        setup = {name: points for name, points in {**given, "PL": [turn] if turn else []}.items() if points}
        if not own:
            number = self._add(number, setup)
            self.look(number)
            return number
        return self._change(number, {name: list[str]() for name in SETUP} | setup)

    def _add(self, parent: int, properties: Node) -> int:
        if len(self.nodes) >= MOST_NODES:
            raise RunnerError(_("this tree has {most:,} moves, which is the most").format(most=MOST_NODES))
        number, above = max(self.nodes) + 1, self.nodes[parent]
        self.nodes[number] = TreeEntry(parent, properties)
        self.nodes[parent] = replace(above, children=(*above.children, number))
        return number

    def _change(self, number: int, changes: Node) -> int:
        """Replace properties of a node; an empty list removes one."""
        entry = self.nodes[number]
        properties = {name: values for name, values in {**entry.properties, **changes}.items() if values}
        if properties == entry.properties:
            return number
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
        """Take back the last change; returns the node to show: the given one, or its nearest ancestor that is left."""
        if not self.past:
            raise RunnerError(_("there is nothing to take back"))
        nodes, self.nodes = self.nodes, self.past.pop()
        while number not in self.nodes:
            number = nodes[number].parent if number in nodes else ROOT
        return number


def rows_of(root: TreeNode, seconds: Sequence[float | None] = ()) -> Iterator[Row]:
    """The nodes of an SGF tree. `seconds`: times of the first nodes after the root, in the order of a file."""
    number, waiting, times = 0, [(root, -1)], chain([None], seconds, repeat(None))
    while waiting:
        node, parent = waiting.pop()
        yield number, parent, node.properties, next(times)
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
