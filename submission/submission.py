"""What is uploaded: `my_controller`, called by the platform for both players at every step.

It never raises, prints or writes into the observation, and always answers two one-hot lists of plain ints. A fault
inside is counted, kept for `last_fault()`, and answered with a legal move all the same.

The table below is yours to change before you upload: the first row that fits the board says which engine plays
("search", or "scorer": rules of thumb, a millisecond a move) and how many seconds a call may think, on turn and off
turn. The platform allows 1 s per call.
"""
SETTINGS = (
    # kind      rows  cols  in a row  engine    on turn  off turn
    ("line",      15,   15,        5, "search",    0.80,     0.80),     # gobang_1v1
    ("line",      11,   11,        5, "search",    0.80,     0.80),     # gomoku_11x11_1v1
    ("line",       3,    3,        3, "search",    0.80,     0.00),     # tictactoe_1v1
    ("line",    None, None,        5, "search",    0.80,     0.80),     # any other board with rows of five
    ("reversi", None, None,     None, "search",    0.80,     0.80),     # reversi_1v1: any even board
)

import time
import traceback
from collections import deque
from typing import Any, Deque, Dict, List, NamedTuple, Optional

from . import codec
from .player import Game, Player, quick_cell


class Fault(NamedTuple):
    """Faults caught inside the controller since it was loaded: how many, and the traceback of the last."""

    count: int  # type: ignore[assignment]      # a tuple's own count() is of no use here
    traceback: str


_LIMITS = (                                   # options of configure(): the least they may be, and their types
    ("seconds", 0, (int, float)), ("off_turn_seconds", 0, (int, float)), ("depth", 1, (int,)), ("nodes", 1, (int,)))

_players: Dict[int, Player] = {}
_asked: Deque[int] = deque(maxlen=2)          # the players of the last two calls
_overrides: Dict[str, Any] = {}
_fault: Optional[Fault] = None
_last: Optional[Dict[str, Any]] = None


def my_controller(observation: Any, action_space: Any, is_act_continuous: bool = False) -> List[List[int]]:
    """Answer one call of the platform with [one_hot_row, one_hot_col].

    `observation`: see codec.py; `action_space`: two spaces of which only `.n` is used; `is_act_continuous` is ignored.
    """
    global _fault
    started = time.perf_counter()
    snapshot = codec.decode(observation)
    try:
        cell = _answer(observation, snapshot, started)
    except Exception:
        _fault = Fault(_fault.count + 1 if _fault else 1, traceback.format_exc())
        cell = _first_aid(snapshot)
    return codec.encode(cell, codec.action_sizes(action_space, snapshot))


def configure(**options: Any) -> None:
    """Override the settings of every game: engine, seconds, off_turn_seconds, depth, nodes; book=False: without it.

    For experiments; the platform never calls it. With `depth` or `nodes` the seconds are unlimited, and the book is
    left out, unless given, too. Raises ValueError for an unknown option or engine.
    """
    known = ("engine", "seconds", "off_turn_seconds", "depth", "nodes", "book")
    unknown = sorted(set(options) - set(known))
    if unknown:
        raise ValueError("unknown option {}; there are: {}".format(", ".join(unknown), ", ".join(known)))
    if options.get("engine", "search") not in ("search", "scorer"):
        raise ValueError("engine is {!r}; there are: search, scorer".format(options["engine"]))
    if type(options.get("book", True)) is not bool:
        raise ValueError("book is {!r}; wanted: True or False".format(options["book"]))
    for option, least, types in _LIMITS:
        value = options.get(option)
        if value is not None and not (type(value) in types and least <= value < float("inf")):
            raise ValueError("{} is {!r}; wanted: {} of at least {}, or None".format(
                option, value, "a whole number" if types == (int,) else "a number", least))
    if options.get("depth") or options.get("nodes"):
        options = dict({"seconds": None, "off_turn_seconds": None, "book": False}, **options)
    _overrides.update(options)


def last_fault() -> Optional[Fault]:
    """The faults caught so far, None when there were none."""
    return _fault


def last_thought() -> Optional[Dict[str, Any]]:
    """What the last call thought: engine, depth, nodes, value, pv ([row, col] each), seconds; None before any call."""
    return _last


def _answer(observation: Any, snapshot: Optional[codec.Snapshot], started: float) -> Any:
    """The (row, col) to answer with, by the player that is asked."""
    global _last
    if snapshot is not None:
        asked = snapshot.player
    elif codec.is_row(observation) and _asked:
        asked = _asked[0]               # the calls repeat: black, white, black, ... or one colour only
    else:
        return 0, 0
    _asked.append(asked)
    player = _players.setdefault(asked, Player())
    board = snapshot or player.snapshot
    if board is None:
        return 0, 0
    games = (Game(*row) for row in SETTINGS)
    game = next(game for game in games if game.fits(board))._replace(**_overrides)
    cell = player.answer(board, game, started)
    _last = _report(game, player, board)
    return cell


def _report(game: Game, player: Player, board: codec.Snapshot) -> Dict[str, Any]:
    thought = player.thought
    if thought is None:
        return {"engine": "scorer", "depth": 0, "nodes": 0, "value": 0, "pv": [], "seconds": 0.0}
    line = [list(divmod(cell, board.cols)) for cell in thought.line if cell >= 0]
    return {"engine": game.engine, "depth": thought.depth, "nodes": thought.nodes, "value": thought.value, "pv": line,
            "seconds": thought.seconds}


def _first_aid(snapshot: Optional[codec.Snapshot]) -> Any:
    """A move after a fault: the rule of thumb's, or just a free cell."""
    if snapshot is None:
        return 0, 0
    try:
        cell = quick_cell(snapshot)
    except Exception:
        cell = snapshot.stones.find(0)
    return divmod(max(cell or 0, 0), snapshot.cols)
