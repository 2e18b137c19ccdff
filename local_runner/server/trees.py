"""The trees of analysis boards: those that pages show now, and those in the store.

A tree is made from a room, a game of a file or a position. The tree of a room has the room's name, and gets the moves
that are played there later. The tree of another game is named by a hash of the game, so that the same game leads to the
same tree. Every change is written to the store and sent to all pages that show the tree.
"""

import hashlib
import json
import secrets
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from local_runner import formats
from local_runner.errors import RunnerError
from local_runner.formats import sgf_game, sgf_tree
from local_runner.formats.saved_game import GameTree, SavedGame
from local_runner.game.wording import COLOURS
from local_runner.language.languages import Message, _, shown
from local_runner.language.text import shortened
from local_runner.server.board_tree import ROOT, BoardTree, rows_of, tree_of
from local_runner.server.games import OpenedFiles, saved_game, saved_room
from local_runner.server.store import RoomStore
from local_runner.server.wire import HUMAN, Answer, Page, PagePosition, StoredRoom, for_file, translated

UNKEPT = Message("not kept: {why}; the next change tries again")


class BoardTrees:
    """The trees of a server. Methods may be called from any thread; texts are in the current language.

    `room_now`: returns the room of a name, in its present state; None if there is no such room.
    """

    def __init__(self, store: RoomStore, opened: OpenedFiles, room_now: Callable[[str], StoredRoom | None]) -> None:
        self._store, self._opened, self._room_now = store, opened, room_now
        self._open = dict[str, BoardTree]()  # the trees that pages show
        self._lock = threading.Lock()

    # ---- making, entering and leaving

    def of_file(self, file: str, number: int) -> str:
        """Make the tree of a game of an opened file and store it; returns its name. Raises RunnerError without one."""
        given, seconds = self._opened.games(file)[1].tree(number), tuple[float | None, ...]()
        if given is None:
            game = self._opened.game(file, number)
            root, seconds = sgf_game.tree_of(replace(game, seconds=(), thoughts=())), game.seconds
            given = GameTree(game.setup.env, _longer_side(root), root, game.damage)
        names = tuple(shortened(" ".join(given.root.first(name).split())) or colour
                      for name, colour in zip(("PB", "PW"), COLOURS, strict=True))  # fmt: skip
        rows = rows_of(given.root, seconds)
        return self._made(BoardTree(given.env, given.size, rows, (names[0], names[1]), shown(given.damage)))

    def of_position(self, position: PagePosition, names: tuple[str, str] = COLOURS, damage: str = "") -> str:
        """Make the tree of a position and keep it; returns its name. `damage`: as in the request `new_tree`.

        Raises RunnerError or EnvError if the position is impossible.
        """
        return self._made(_of_position(position, saved_game(position, names), (), damage))

    def _made(self, tree: BoardTree) -> str:
        lines = list(tree.lines())
        digest = hashlib.sha256(json.dumps(lines).encode()).hexdigest()[:12]
        name = digest if len(tree.nodes) > 1 else secrets.token_hex(6)
        if self._store.trees.read(name, next) is None:
            self._store.trees.write(name, lines)
        return name

    def enter(self, page: Page, tag: int, name: str) -> None:
        """Send a page all nodes of a tree, and later every change. Raises RunnerError if there is no such tree."""
        loaded = self._here(name)
        with self._lock:
            tree = self._open.setdefault(name, loaded)
            tree.pages.add(page)
            state = _state(name, tree, list(tree.below(ROOT)))
            page.send({**state, "tag": tag, "whole": True, "report": tree.report})

    def leave(self, page: Page, name: str | None = None) -> None:
        """Send a page no more changes of a tree, of all trees without a name."""
        with self._lock:
            for each, tree in list(self._open.items()):
                if name in (None, each):
                    tree.pages.discard(page)
                    if not tree.pages:
                        del self._open[each]

    def _here(self, name: str) -> BoardTree:
        if (opened := self._open.get(name)) is not None:
            return opened
        found, room = self._store.trees.read(name, tree_of), self._room_now(name)
        tree = found or (_of_position(room.position, saved_room(room), room.seconds) if room else None)
        if tree is None:
            raise RunnerError(_("there is no such analysis any more; begin a new one"))
        if room is not None and (found is None or tree.followed != room.position.moves):
            tree.names = room.names
            tree.follow(room.position.moves, room.seconds)
            self._keep(name, tree)
        return tree

    # ---- changes

    def edit(self, page: Page, tag: int, name: str, node: int, act: str, cells: list[int], text: str) -> None:
        """Change a tree, and tell all pages that show it. Raises RunnerError if the change is impossible."""
        with self._lock:
            if (tree := self._open.get(name)) is None:
                raise RunnerError(_("this analysis is not open; reload the page"))
            shown_node, changed = tree.edit(act, node, cells, text)
            if changed:
                self._keep(name, tree)
            state = _state(name, tree, changed)
            for other in tree.pages - {page} if changed else ():
                other.send(state)
            page.send({**state, "tag": tag, "node": shown_node})

    def keep_report(self, name: str, report: dict[str, Any]) -> None:
        """Store the analysis of a tree's game with the tree."""
        tree = self._here(name)
        with self._lock:
            tree.report = report
            self._keep(name, tree)

    def _keep(self, name: str, tree: BoardTree) -> None:
        try:
            self._store.trees.write(name, tree.lines())
            tree.unkept = ""
        except RunnerError as error:
            tree.unkept = Message(UNKEPT, why=str(error))

    # ---- the list, and files

    def listed(self, forget: str = "") -> Answer:
        """The stored trees, after deleting `forget`. Raises RunnerError if that tree is open in another window."""
        if forget:
            with self._lock:
                if forget in self._open:
                    raise RunnerError(_("this analysis is open in another window; close that first"))
            self._store.trees.delete(forget)
        found, damaged = self._store.trees.listed(next)
        trees = [{"tree": name, "env": line["env"], "names": _names(tuple(line["names"])), "moves": line["moves"],
                  "changed": time} for name, time, line in found]  # fmt: skip
        return {"trees": trees, "damaged": damaged}

    def sgf(self, name: str) -> str:
        """A tree as a file of SGF. Raises RunnerError if there is none."""
        tree = self._here(name)
        with self._lock:
            root = tree.game()
        root.properties = {"FF": ["4"], **root.properties, "CA": ["UTF-8"]}
        return sgf_tree.written(root)

    def saved(self, name: str, position: PagePosition) -> SavedGame:
        """A line of a tree, given as a position, as a saved game with the headers of the tree's file.

        The main line also has its times and the result that the file says. Raises RunnerError or EnvError if the
        position is impossible, RunnerError if there is no such tree.
        """
        tree = self._here(name)
        game = saved_game(position, for_file(tree.names))
        if game.setup.kind.sgf is None:
            return game
        main = formats.read("", self.sgf(name).encode()).game(0)
        if (main.setup.board, main.cells) == (game.setup.board, game.cells):
            return replace(main, names=game.names, left_out=frozenset())
        return replace(game, heads=main.heads)


def _longer_side(root: sgf_tree.TreeNode) -> int:
    """The cells on the longer side of the board: SZ is one number, or columns:rows."""
    return max(map(int, root.first("SZ").split(":")))


def _of_position(
    position: PagePosition, game: SavedGame, seconds: Sequence[float | None], damage: str = ""
) -> BoardTree:
    """The tree of a position. `game`: the same as a saved game, whose headers become those of the tree."""
    root = sgf_game.tree_of(game)
    tree = BoardTree(position.env, _longer_side(root), [(ROOT, -1, root.properties, None)], game.names, damage)
    tree.look()
    if position.stones or position.first != 1:
        tree.set_up(ROOT, position.stones or tree.judge.board["stones"], "BW"[position.first - 1])
    tree.follow(position.moves, seconds)
    return tree


# ---- what a page gets


def _state(name: str, tree: BoardTree, numbers: list[int]) -> Answer:
    """The answer `tree` with these nodes, to a change of another page."""
    return {
        "type": "tree", "tag": None, "tree": name, "whole": False, "node": None, "report": None,
        "nodes": list(map(tree.drawn, numbers)), "can_undo": bool(tree.past), "board": tree.judge.board,
        "names": lambda: _names(tree.names), "damage": tree.damage, "unkept": tree.unkept,
    }  # fmt: skip


def _names(names: tuple[str, str]) -> tuple[str, str]:
    """The names as a room shows them, in the current language: one human is "You", two humans are Black and White."""
    human = str(HUMAN)
    if names == (human, human):
        return translated(COLOURS)
    black, white = (_("You") if name == human else each for name, each in zip(names, translated(names), strict=True))
    return black, white
