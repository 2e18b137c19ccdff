"""The tree of an analysis board: positions, variations, comments and marks.

A node holds the properties of an SGF node, so that a file comes back without loss, and a view that the referee made.
Nodes are never changed, only replaced, so a copy of the dict is an earlier state of the tree.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from env_adapter.game import BLACK, WHITE
from local_runner.errors import RunnerError
from local_runner.formats.sgf_game import written_point
from local_runner.formats.sgf_tree import Node, TreeNode, escaped, plain
from local_runner.game.coordinates import numbered
from local_runner.language.languages import _, shown
from local_runner.server.node_views import SETUP, SIDES, NodeJudge, NodeView, Properties, marked

MOST_NODES = 5000
ROOT = 0


@dataclass(frozen=True)
class TreeEntry:
    """A node of the tree. parent: -1 for the root. seconds: time of the move, None if unknown."""

    parent: int
    properties: Properties
    children: tuple[int, ...] = ()
    seconds: float | None = None
    view: NodeView = field(default_factory=lambda: NodeView(None), compare=False)


class BoardTree:
    """The nodes by their numbers; the root has the number `ROOT`. `env`, `size`: the game and its side in cells."""

    def __init__(self, env: str, size: int, nodes: dict[int, TreeEntry]) -> None:
        self.env, self.size, self.nodes = env, size, nodes
        self.judge = NodeJudge(env, size)
        self._look(ROOT)

    def game(self) -> TreeNode:
        """The tree as SGF has it. The time of a move stands before its comment, as in other files of tengen."""
        made = {number: TreeNode(dict(entry.properties)) for number, entry in self.nodes.items()}
        for number, entry in self.nodes.items():
            made[number].children = [made[child] for child in entry.children]
            if entry.seconds is not None:
                said = [f"{entry.seconds:.3f} s", *entry.properties.get("C", [])]
                made[number].properties["C"] = ["\n".join(said)]
        return made[ROOT]

    def below(self, number: int) -> Iterator[int]:
        """A node and all below, each before its children."""
        waiting = [number]
        while waiting:
            number = waiting.pop()
            yield number
            waiting += reversed(self.nodes[number].children)

    def main_line(self) -> list[int]:
        """The numbers of the nodes of the main line, the root included."""
        line = [ROOT]
        while children := self.nodes[line[-1]].children:
            line.append(children[0])
        return line

    def entry(self, number: int) -> TreeEntry:
        """A node. Raises RunnerError if it is not there (any more)."""
        if number not in self.nodes:
            raise RunnerError(_("this move is not in the tree any more"))
        return self.nodes[number]

    # ---- changes; each returns the number of the node to show

    def play(self, number: int, cells: list[int]) -> int:
        """Play cells after a node, -1 for a pass. Moves that are in the tree are only followed.

        Raises RunnerError for an illegal move, and plays none then.
        """
        before = dict(self.nodes)
        try:
            for cell in cells:
                number = self._play(number, cell)
        except RunnerError:
            self.nodes = before
            raise
        return number

    def _play(self, number: int, cell: int) -> int:
        view = self.entry(number).view
        for child in self.nodes[number].children:
            if self.nodes[child].view.plies == (cell,):
                return child
        if cell >= self.size**2:
            raise RunnerError(_("this cell is off the board"))
        where = numbered(cell, self.size)
        return self._add(number, {"BW"[view.to_move - 1]: [written_point(where) if where else ""]})

    def put_stone(self, number: int, cell: int, stone: int) -> int:
        """Set up a stone, or take it away if it is there. A node with moves gets a child for the new board."""
        stones = self.judge.stones(self.entry(number).view)
        if not 0 <= cell < len(stones):
            raise RunnerError(_("this cell is off the board"))
        stones[cell] = 0 if stones[cell] == stone else stone
        return self._set_up(number, stones, "")

    def set_turn(self, number: int, side: int) -> int:
        """Let a side begin on the board after a node."""
        return self._set_up(number, self.judge.stones(self.entry(number).view), "BW"[side - 1])

    def _set_up(self, number: int, stones: list[int], turn: str) -> int:
        entry = self.entry(number)
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

    def comment(self, number: int, text: str) -> int:
        """Replace a node's comment."""
        return self._change(number, {"C": [escaped(text)] if text.strip() else []})

    def mark(self, number: int, kind: str, cell: int, text: str) -> int:
        """Put a mark, or take it away if it is there. kind: a property of SGF such as TR; text: the label of LB."""
        if not 0 <= cell < self.size**2:
            raise RunnerError(_("this cell is off the board"))
        return self._change(number, marked(self.entry(number).properties, self.size, (kind, cell, text)))

    def _change(self, number: int, changes: Node) -> int:
        """Replace properties of a node; an empty list removes one."""
        entry = self.entry(number)
        properties = {name: values for name, values in {**entry.properties, **changes}.items() if values}
        self.nodes[number] = replace(entry, properties=properties)
        if set(SETUP) & set(changes):
            self._look(number)
        return number

    def promote(self, number: int) -> int:
        """Make the variation of a node the first one at the nearest fork above it."""
        at = number
        while (parent := self.entry(at).parent) >= 0:
            if self.nodes[parent].children[0] != at:
                self.put_first(at)
                return number
            at = parent
        raise RunnerError(_("this is the main line already"))

    def put_first(self, number: int) -> None:
        """Make a node, not the root, the first child of the node above it."""
        parent = self.nodes[number].parent
        above = self.nodes[parent]
        others = (child for child in above.children if child != number)
        self.nodes[parent] = replace(above, children=(number, *others))

    def delete(self, number: int) -> int:
        """Remove a node and all below; the node above is shown."""
        parent = self.entry(number).parent
        if parent < 0:
            raise RunnerError(_("the start of the tree cannot be deleted"))
        for each in list(self.below(number)):
            del self.nodes[each]
        above = self.nodes[parent]
        self.nodes[parent] = replace(above, children=tuple(child for child in above.children if child != number))
        return parent

    def _look(self, number: int) -> None:
        """Let the referee judge a node and all below."""
        for each in self.below(number):
            entry = self.nodes[each]
            above = self.nodes[entry.parent].view if each else None
            begins = self.nodes[entry.children[0]].properties if entry.children else None
            self.nodes[each] = replace(entry, view=self.judge.view(entry.properties, above, begins))


def numbered_nodes(root: TreeNode, seconds: Mapping[int, float | None]) -> dict[int, TreeEntry]:
    """The nodes of a tree, each before its children; nodes beyond `MOST_NODES` are left out.

    seconds: times of the nodes of the main line, by their number from 1.
    """
    nodes, waiting = dict[int, TreeEntry](), [(root, -1)]
    while waiting and len(nodes) < MOST_NODES:
        node, parent = waiting.pop()
        number = len(nodes)
        nodes[number] = TreeEntry(parent, node.properties, seconds=seconds.get(number))
        if parent >= 0:
            nodes[parent] = replace(nodes[parent], children=(*nodes[parent].children, number))
        waiting += [(child, number) for child in reversed(node.children)]
    return nodes
