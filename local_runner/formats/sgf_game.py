"""Games as trees of SGF: points, set-up stones, and the tree of a saved game.

A point is two letters, column and row from the top left; points such as h8 are read too.
"""

import re

from env_adapter import Cell
from env_adapter.game import BLACK, WHITE
from local_runner.formats.heads import FORFEITS, LATE, RESIGNS, how_of, written
from local_runner.formats.kinds import Stones
from local_runner.formats.saved_game import Part, SavedGame, at_end
from local_runner.formats.sgf_tree import Node, TreeNode, escaped
from local_runner.formats.sgf_tree import plain as unescaped
from local_runner.game import coordinates
from local_runner.game.faults import Reason
from local_runner.game.move_text import plain
from local_runner.game.records import BLACK_WINS, DRAW, WHITE_WINS
from local_runner.language.languages import Message
from local_runner.language.text import shortened

OURS, OPENING = "tengen", "opening"
RULES = "XR"  # our own property: the game and its rules, if RU names the rule of another file
LETTERS: dict[str, str] = {RESIGNS: "R", LATE: "T", FORFEITS: "F"}  # behind B+ in RE
HEADS = {
    Part.EVENT: "EV", Part.DATE: "DT", Part.ROUND: "RO", Part.PLACE: "PC", Part.BLACK_RATING: "BR",
    Part.WHITE_RATING: "WR", Part.RULE: "RU", Part.TIME: "TM", Part.OVERTIME: "OT",
}  # fmt: skip


Board = tuple[int, int]  # rows, columns


def put(stones: Stones, node: Node, board: Board) -> None:
    """Apply AB, AW and AE (black, white, empty points) of a node to `stones`. Raises ValueError as `point` does."""
    for name, stone in (("AB", BLACK), ("AW", WHITE), ("AE", 0)):
        for value in node.get(name, []):
            ends = [point(part, board) for part in unescaped(value).split(":", 1)]
            (top, left), (bottom, right) = ends[0], ends[-1]
            for cell in ((row, col) for row in range(top, bottom + 1) for col in range(left, right + 1)):
                if stone:
                    stones[cell] = stone
                else:
                    stones.pop(cell, None)


def point(value: str, board: Board) -> Cell:
    """The cell of a point: two letters, or a letter and a number. Raises ValueError for other text or off the board."""
    text = plain(value).strip()
    if len(text) == 2 and all(letter in coordinates.LETTERS for letter in text):
        cell = coordinates.LETTERS.index(text[1]), coordinates.LETTERS.index(text[0])
    elif named := coordinates.cell(text):
        cell = named
    else:
        raise ValueError(Message("{value} is no point", value=shortened(value)))
    rows, cols = board
    if cell[0] >= rows or cell[1] >= cols:
        sentence = Message("{cell} is off the {height}x{width} board")
        raise ValueError(Message(sentence, cell=shortened(value), height=rows, width=cols))
    return cell


def tree_of(game: SavedGame) -> TreeNode:
    """The game as a tree without variations; without GM if SGF has no such game."""
    kind = game.setup.kind
    start = game.setup.make()
    sides = dict.fromkeys((start.board_width, start.board_height))  # one number for a square board
    properties = {
        "FF": "4", "GM": kind.sgf.value if kind.sgf else "", "CA": "UTF-8", "AP": f"{OURS}:1",
        "SZ": ":".join(map(str, sides)), "PB": escaped(game.names[0]), "PW": escaped(game.names[1]),
        "RE": _written_result(game), "RU": f"{game.setup.env} {game.setup.rules}", "GC": escaped(game.ending),
    }  # fmt: skip
    heads = {name: escaped(value) for name, value in written(HEADS, game.heads).items()}
    if "RU" in heads:
        heads[RULES] = properties["RU"]
    if not re.fullmatch(r"[0-9]+(\.[0-9]+)?", heads.get("TM", "0")):
        heads["OT"] = heads.pop("TM") + (f", {heads['OT']}" if "OT" in heads else "")
    properties |= heads
    root = TreeNode({name: [value] for name, value in properties.items() if value})
    if game.setup.board or not start.takes_board:
        stones = [((row, col), stone) for row, line in enumerate(start.stones()) for col, stone in enumerate(line)]
        for name, side in (("AB", 1), ("AW", 2)):
            if points := [written_point(cell) for cell, stone in stones if stone == side]:
                root.properties[name] = points
    last = root
    for ply in range(len(game.cells)):
        last.children = [TreeNode(_node(game, ply))]
        last = last.children[0]
    return root


def _node(game: SavedGame, ply: int) -> Node:
    cell = game.cells[ply]
    node = {"BW"[ply % 2]: [written_point(cell) if cell else ""]}
    if ply + 1 == len(game.setup.opening):
        node["N"] = [OPENING]
    seconds = game.seconds[ply] if ply < len(game.seconds) else None
    thought = game.thoughts[ply] if ply < len(game.thoughts) else None
    comment = [f"{seconds:.3f} s"] if seconds is not None else []
    comment += [f"{key} {value}" for key, value in (thought or {}).items() if isinstance(value, (int, float, str))]
    return {**node, "C": [escaped(", ".join(comment))]} if comment else node


def written_point(cell: Cell) -> str:
    """A cell as a point of SGF: the letters of its column and row."""
    return coordinates.LETTERS[cell[1]] + coordinates.LETTERS[cell[0]]


def _written_result(game: SavedGame) -> str:
    """The value of RE: the winner, with the difference in discs or a letter for the kind of loss; "0" for a draw."""
    if game.winner == DRAW:
        return "0"
    if game.winner not in (BLACK_WINS, WHITE_WINS):
        return ""
    reason = game.result.reason if game.result else Reason.RULES
    ending = at_end(game).outcome().ending if game.result is None else game.result.ending
    if ending is None or reason is not Reason.RULES:
        how = LETTERS.get(how_of(game.ending, reason), "")
        return f"{' BW'[game.winner]}+{how}"
    return f"{' BW'[game.winner]}+{abs(ending.discs[0] - ending.discs[1]) if ending.discs else ''}"
