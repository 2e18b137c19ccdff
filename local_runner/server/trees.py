"""The trees of analysis boards: those that pages show now, and those in the store.

A tree is made from a room, a game of a file or a position. The tree of a room has the room's name, and gets the moves
that are played there later. The tree of another game is named by a hash of the game, so that the same game leads to the
same tree. Every change is written to the store and sent to all pages that show the tree.
"""

import functools
import hashlib
import secrets
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import BaseModel, ConfigDict

from local_runner.errors import RunnerError
from local_runner.formats import sgf_game, sgf_tree
from local_runner.formats.saved_game import GameTree, SavedGame
from local_runner.formats.sgf_tree import TreeNode
from local_runner.game.board_data import board_now
from local_runner.game.records import COLOURS
from local_runner.language.languages import Message, _, shown, speaking
from local_runner.language.text import printable, shortened
from local_runner.server.answers import DrawnNode, TreeHeading, Trees, TreeState
from local_runner.server.board_tree import ROOT, BoardTree, TreeEntry, numbered_nodes
from local_runner.server.node_views import MARKS, SIDES, marks_of
from local_runner.server.opened_files import OpenedFiles, saved_game, saved_room
from local_runner.server.pages import Page
from local_runner.server.positions import position_game
from local_runner.server.requests import EditTree, NewTree
from local_runner.server.store import RoomStore
from local_runner.server.stored_room import StoredRoom, translated
from local_runner.server.wire import PagePosition

MOST_UNDO = 50  # changes of a tree that can be taken back
UNKEPT = Message("not kept: {why}; the next change tries again")


class StoredTree(BaseModel):
    """A tree as the store keeps it. `nodes`: (number, parent, properties, seconds), each before its children, which are
    in order. `followed`: the moves of the room that the tree has got so far.

    The first line of the file has all fields but `nodes`; then comes a line {"node": ...} for each node, and last
    {"report": ...} with the analysis of the game, if there is one.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    env: str
    size: int
    names: tuple[str, str]
    nodes: list[tuple[int, int, dict[str, list[str]], float | None]]
    followed: list[int] = []
    damage: str = ""

    @property
    def moves(self) -> int:
        """The number of nodes with moves."""
        return sum(1 for _number, _parent, properties, _seconds in self.nodes if set(SIDES) & set(properties))

    def lines(self, report: dict[str, Any] | None = None) -> Iterator[dict[str, Any]]:
        """The lines of the tree's file."""
        yield {**self.model_dump(mode="json", exclude={"nodes"}), "moves": self.moves}
        yield from ({"node": node} for node in self.nodes)
        if report is not None:
            yield {"report": report}


@dataclass
class OpenTree:
    """A tree that pages show. `report`: the analysis of its game, if there is one. `past`: earlier states of its nodes.
    `unkept`: why the store does not have the tree.
    """

    name: str
    stored: StoredTree
    tree: BoardTree
    report: dict[str, Any] | None = None
    past: list[dict[int, TreeEntry]] = field(default_factory=list)
    pages: set[Page] = field(default_factory=set)
    unkept: str = ""
    lock: threading.Lock = field(default_factory=threading.Lock)


class BoardTrees:
    """The trees of a server. Methods may be called from any thread; texts are in the current language."""

    def __init__(self, store: RoomStore, opened: OpenedFiles) -> None:
        self._store, self._opened = store, opened
        self._open: dict[str, OpenTree] = {}
        self._lock = threading.Lock()

    # ---- making, entering and leaving

    def make(self, request: NewTree) -> str:
        """Make a tree and keep it; returns its name. Raises RunnerError or EnvError for an impossible game."""
        if request.position is None:
            _name, games = self._opened.games(request.file)
            given = games.tree(request.number)
            stored = _of_tree(given) if given else _of_game(self._opened.game(request.file, request.number), None)
        else:
            game = saved_game(request.position, request.names or COLOURS)
            stored = _of_game(replace(game, damage=request.damage), request.position)
        digest = hashlib.sha256(stored.model_dump_json().encode()).hexdigest()[:12]
        name = digest if len(stored.nodes) > 1 else secrets.token_hex(6)
        if self._store.tree(name) is None:
            self._store.write_tree(name, stored.lines())
        return name

    def enter(self, page: Page, tag: int, name: str) -> None:
        """Send a page all nodes of a tree, and later every change. Raises RunnerError if there is no such tree."""
        loaded = self._here(name)
        with self._lock:
            opened = self._open.setdefault(name, loaded)
            opened.pages.add(page)
        with opened.lock:
            page.send(_state(opened, tag, list(opened.tree.below(ROOT)), whole=True, report=opened.report))

    def leave(self, page: Page, name: str | None = None) -> None:
        """Send a page no more changes of a tree, of all trees without a name."""
        with self._lock:
            for opened in [self._open[name]] if name in self._open else [] if name else list(self._open.values()):
                opened.pages.discard(page)
                if not opened.pages:
                    del self._open[opened.name]

    def _here(self, name: str) -> OpenTree:
        with self._lock:
            opened = self._open.get(name)
        return opened or self._loaded(name)

    def _loaded(self, name: str) -> OpenTree:
        found, room, report = self._store.tree(name), self._store.room(name), None
        if found is not None:
            stored, report = _of_lines(found)
        elif room is not None:
            stored = _of_room(room)
        else:
            raise RunnerError(_("there is no such analysis any more; begin a new one"))
        nodes = {number: TreeEntry(parent, properties, seconds=seconds)
                 for number, parent, properties, seconds in stored.nodes}  # fmt: skip
        for number, parent, _properties, _seconds in stored.nodes:
            if parent >= 0:
                nodes[parent] = replace(nodes[parent], children=(*nodes[parent].children, number))
        opened = OpenTree(name, stored, BoardTree(stored.env, stored.size, nodes), report)
        if room is not None and (found is None or stored.followed != room.position.moves):
            _follow(opened, room)
            self._keep(opened)
        return opened

    # ---- changes

    def edit(self, page: Page, request: EditTree) -> None:
        """Change a tree, and tell all pages that show it. Raises RunnerError if the change is impossible."""
        with self._lock:
            opened = self._open.get(request.tree)
        if opened is None:
            raise RunnerError(_("this analysis is not open; reload the page"))
        with opened.lock:
            tree, before = opened.tree, dict(opened.tree.nodes)
            node = _undone(opened, request.node) if request.act == "undo" else EDITS[request.act](tree, request)
            changed = [number for number, entry in tree.nodes.items() if before.get(number) is not entry]
            if changed and request.act != "undo":
                opened.past = [*opened.past[-MOST_UNDO + 1 :], before]
            if changed:
                self._keep(opened)
            for other in opened.pages - {page} if changed else ():
                with speaking(other.language):
                    other.send(_state(opened, None, changed))
            page.send(_state(opened, request.tag, changed, node=node))

    def keep_report(self, name: str, report: dict[str, Any]) -> None:
        """Keep the analysis of a tree's game with the tree."""
        with self._lock:
            opened = self._open.get(name)
        if opened is not None:
            opened.report = report
        self._store.add_to_tree(name, {"report": report})

    def _keep(self, opened: OpenTree) -> None:
        nodes = opened.tree.nodes
        rows = [(number, nodes[number].parent, dict(nodes[number].properties), nodes[number].seconds)
                for number in opened.tree.below(ROOT)]  # fmt: skip
        opened.stored = opened.stored.model_copy(update={"nodes": rows})
        try:
            self._store.write_tree(opened.name, opened.stored.lines(opened.report))
            opened.unkept = ""
        except RunnerError as error:
            opened.unkept = Message(UNKEPT, why=str(error))

    # ---- the list, and files

    def listed(self, tag: int, forget: str = "") -> Trees:
        """The kept trees, after one of them was deleted. Raises RunnerError if it is open in another window."""
        if forget:
            with self._lock:
                if forget in self._open:
                    raise RunnerError(_("this analysis is open in another window; close that first"))
            self._store.delete_tree(forget)
        found, damaged = self._store.tree_headings()
        trees = [TreeHeading(tree=name, env=line["env"], names=_names(line["names"]), moves=line["moves"], changed=time)
                 for name, time, line in found]  # fmt: skip
        return Trees(tag=tag, trees=trees, damaged=damaged)

    def sgf(self, name: str) -> str:
        """A tree as a file of SGF. Raises RunnerError if there is none."""
        opened = self._here(name)
        with opened.lock:
            root = opened.tree.game()
        root.properties = {"FF": ["4"], **root.properties, "CA": ["UTF-8"]}
        return sgf_tree.written(root)


def _marked(tree: BoardTree, request: EditTree) -> int:
    kind, _colon, label = request.text.partition(":")
    if kind not in MARKS:
        raise RunnerError(_("this mark is unknown; reload the page"))
    return tree.mark(request.node, kind, _cell(request), label)


def _cell(request: EditTree) -> int:
    return request.cells[0] if request.cells else -1


EDITS: dict[str, Callable[[BoardTree, EditTree], int]] = {
    "play": lambda tree, request: tree.play(request.node, list(request.cells)),
    "comment": lambda tree, request: tree.comment(request.node, request.text),
    "mark": _marked,
    "stone": lambda tree, request: tree.put_stone(request.node, _cell(request), SIDES.get(request.text, 0)),
    "turn": lambda tree, request: tree.set_turn(request.node, SIDES.get(request.text, 1)),
    "promote": lambda tree, request: tree.promote(request.node),
    "delete": lambda tree, request: tree.delete(request.node),
}


def _undone(opened: OpenTree, node: int) -> int:
    """Take back the last change; the node to show is the given one, or what is left above it."""
    if not opened.past:
        raise RunnerError(_("there is nothing to take back"))
    nodes, opened.tree.nodes = opened.tree.nodes, opened.past.pop()
    while node not in opened.tree.nodes:
        node = nodes[node].parent if node in nodes else ROOT
    return node


def _of_lines(lines: list[dict[str, Any]]) -> tuple[StoredTree, dict[str, Any] | None]:
    """The tree of a file, and the analysis of its game. Raises RunnerError for lines that are none of a tree."""
    try:
        first = {name: value for name, value in lines[0].items() if name != "moves"}
        nodes = [line["node"] for line in lines[1:] if "node" in line]
        reports = [line["report"] for line in lines[1:] if "report" in line]
        return StoredTree.model_validate({**first, "nodes": nodes}), reports[-1] if reports else None
    except ValueError as error:
        raise RunnerError(_("this analysis was kept by another version; begin a new one")) from error


def _of_tree(given: GameTree) -> StoredTree:
    names = tuple(shortened(" ".join(given.root.first(name).split())) or colour
                  for name, colour in zip(("PB", "PW"), COLOURS, strict=True))  # fmt: skip
    return _stored(given.env, given.size, (names[0], names[1]), given.root, {}, shown(given.damage))


def _of_game(game: SavedGame, position: PagePosition | None) -> StoredTree:
    """A game without variations. `position`: the page's position of the game, whose set-up stones stay set up."""
    root = sgf_game.tree_of(replace(game, seconds=(), thoughts=()))
    seconds = {ply + 1: each for ply, each in enumerate(game.seconds)}
    if position is not None and (prefix := position_game(position).prefix):
        first = root
        for _ply in prefix:
            first = first.children[0] if first.children else TreeNode()
        root.children = first.children
        seconds = {ply - len(prefix): each for ply, each in seconds.items()}
        board = position.stones or []
        cols = int(root.first("SZ"))
        for name, side in SIDES.items():
            points = [sgf_game.written_point(divmod(at, cols)) for at, stone in enumerate(board) if stone == side]
            root.properties.update({f"A{name}": points} if points else {})
        root.properties["PL"] = ["BW"[position.first - 1]]
    return _stored(game.setup.env, int(root.first("SZ")), game.names, root, seconds, shown(game.damage))


def _of_room(room: StoredRoom) -> StoredTree:
    stored = _of_game(saved_room(room), room.position)
    return stored.model_copy(update={"names": room.names, "followed": list(room.position.moves)})


def _stored(env: str, size: int, names: tuple[str, str], root: TreeNode, seconds: dict[int, float | None],
            damage: str = "") -> StoredTree:  # fmt: skip
    nodes = numbered_nodes(root, seconds)
    rows = [(number, entry.parent, dict(entry.properties), entry.seconds) for number, entry in nodes.items()]
    return StoredTree(env=env, size=size, names=names, nodes=rows, damage=damage)


def _follow(opened: OpenTree, room: StoredRoom) -> None:
    """Add the room's moves to its tree as the main line, up to the first that cannot be played there."""
    tree, node = opened.tree, ROOT
    for ply, cell in enumerate(room.position.moves):
        try:
            node = tree.play(node, [cell])
        except RunnerError:
            break
        if ply < len(room.seconds):
            tree.nodes[node] = replace(tree.nodes[node], seconds=room.seconds[ply])
        tree.put_first(node)
    opened.stored = opened.stored.model_copy(update={"followed": list(room.position.moves)})


# ---- what a page gets


def _state(opened: OpenTree, tag: int | None, numbers: list[int], *, whole: bool = False, node: int | None = None,
           report: dict[str, Any] | None = None) -> TreeState:  # fmt: skip
    tree = opened.tree
    return TreeState(
        tag=tag, tree=opened.name, whole=whole, node=node,
        nodes=[_drawn(number, tree.nodes[number], tree.size) for number in numbers], can_undo=bool(opened.past),
        board=dict(board_now(tree.env, tree.judge.game)), names=_names(opened.stored.names), report=report,
        damage=printable(shown(opened.stored.damage)), unkept=shown(opened.unkept),
    )  # fmt: skip


def _drawn(number: int, entry: TreeEntry, size: int) -> DrawnNode:
    view, text = entry.view, functools.partial(_text, entry.properties)
    return DrawnNode(
        id=number, parent=entry.parent, children=entry.children, plies=view.plies, turned=view.turned,
        stones=view.start if view.sets_up else None, first=view.first, line=view.line, legal=view.legal,
        must_pass=view.must_pass, to_move=view.to_move, winner=view.winner, name=text("N"), comment=text("C"),
        marks=[(name, cell, printable(label)) for name, cell, label in marks_of(entry.properties, size)],
        seconds=entry.seconds, problem=printable(shown(view.problem)),
    )  # fmt: skip


def _names(names: tuple[str, str]) -> tuple[str, str]:
    """The names in the current language; the colour for a side without a name."""
    black, white = translated(names)
    return _("Black") if names[0] == COLOURS[0] else black, _("White") if names[1] == COLOURS[1] else white


def _text(properties: Any, name: str) -> str:
    return sgf_tree.plain("\n".join(properties.get(name, [])))
