"""Writes a game as SGF; `sgf.py` reads it again as it was, except for its seed and the agents' thoughts."""

from env_adapter import Cell
from env_adapter.game import BLACK, WHITE
from local_runner.errors import RunnerError
from local_runner.formats.saved_game import SavedGame
from local_runner.formats.sgf import OPENING, OURS
from local_runner.formats.sgf_tree import escaped
from local_runner.game import coordinates
from local_runner.game.faults import Reason
from local_runner.game.records import BLACK_WINS, DRAW, WHITE_WINS
from local_runner.game.session import GameSession
from local_runner.language.languages import _

LETTERS = {Reason.RESIGNATION: "R", Reason.TIME: "T"}  # of a result; of all others F
PER_LINE = 10  # moves


def write(game: SavedGame) -> str:
    """The game as SGF. Raises RunnerError for a game that SGF does not have."""
    kind = game.setup.kind
    if kind.sgf is None:
        raise RunnerError(_("SGF has no {game}; give a file ending with .json").format(game=kind.name))
    session = GameSession(game.setup, game.names, cells=game.cells)
    start = session.setup.make()
    root = {
        "FF": "4", "GM": kind.sgf.value, "CA": "UTF-8", "AP": f"{OURS}:1", "SZ": str(start.board_height),
        "PB": escaped(game.names[0]), "PW": escaped(game.names[1]), "RE": _result(game, session),
        "RU": f"{game.setup.env} {game.setup.rules}", "GC": escaped(game.ending),
    }  # fmt: skip
    head = "".join(f"{name}[{value}]" for name, value in root.items() if value)
    if game.setup.board or not start.takes_board:
        stones = [((row, col), stone) for row, line in enumerate(start.stones()) for col, stone in enumerate(line)]
        for name, side in (("AB", 1), ("AW", 2)):
            points = "".join(f"[{_point(cell)}]" for cell, stone in stones if stone == side)
            head += f"{name}{points}" if points else ""
    nodes = [_node(game, ply) for ply in range(len(game.cells))]
    lines = ["".join(nodes[at : at + PER_LINE]) for at in range(0, len(nodes), PER_LINE)]
    return "\n".join([f"(;{head}", *lines]) + ")\n"


def _node(game: SavedGame, ply: int) -> str:
    cell = game.cells[ply]
    text = f";{'BW'[ply % 2]}[{_point(cell) if cell else ''}]"
    if ply + 1 == len(game.setup.opening):
        text += f"N[{OPENING}]"
    seconds = game.seconds[ply] if ply < len(game.seconds) else None
    thought = game.thoughts[ply] if ply < len(game.thoughts) else None
    comment = [f"{seconds:.3f} s"] if seconds is not None else []
    comment += [f"{key} {value}" for key, value in (thought or {}).items() if isinstance(value, (int, float, str))]
    return f"{text}C[{escaped(', '.join(comment))}]" if comment else text


def _point(cell: Cell) -> str:
    return coordinates.LETTERS[cell[1]] + coordinates.LETTERS[cell[0]]


def _result(game: SavedGame, session: GameSession) -> str:
    """The value of RE: the winner, and by how many discs or how else."""
    if game.winner == DRAW:
        return "0"
    if game.winner not in (BLACK_WINS, WHITE_WINS):
        return ""
    if session.result is None:
        how = LETTERS.get(game.result.reason, "F") if game.result else "F" if game.ending else ""
        return f"{' BW'[game.winner]}+{how}"
    margin = ""
    if session.env.turns_discs:
        stones = [stone for row in session.env.stones() for stone in row]
        margin = str(abs(stones.count(BLACK) - stones.count(WHITE)))
    return f"{' BW'[game.winner]}+{margin}"
