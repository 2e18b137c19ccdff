"""Answers the platform's calls: takes an observation, returns two one-hot lists. Owns the state kept between calls.

A call runs codec.decode, Player.answer (which calls Engine.think) and codec.encode. If choosing a move raises an
Exception, the controller counts it and answers with a legal move. Only other BaseExceptions, such as
KeyboardInterrupt, reach the caller.
"""

from __future__ import annotations

import time
import traceback
from collections import deque
from typing import Any, Deque, Dict, Iterable, List, NamedTuple, Optional, Sequence, Tuple

from . import codec
from .codec import Snapshot
from .engine import ENGINES, PARAMETERS
from .player import Player, Settings
from .search.clock import CollectorPaused
from .search.deepening import Thought
from .variant import K_IN_A_ROW, REVERSI

NUMBER, WHOLE_NUMBER = (int, float), (int,)
NUMERIC_OPTIONS = (  # numeric options of configure(): name, smallest value, types
    ("seconds", 0, NUMBER), ("off_turn_seconds", 0, NUMBER), ("depth", 1, WHOLE_NUMBER), ("nodes", 1, WHOLE_NUMBER),
)  # fmt: skip
OPTIONS = ("engine", *(name for name, _, _ in NUMERIC_OPTIONS), "book")
MOST_CELLS = 26 * 26  # the site's largest board. Larger boards are not searched: 100x100 would take 660 MB, 1.7 s
NO_SEARCH = Thought(0, 0, 0, 0, [], 0.0, "scorer")  # reported for a call without a search


class UnknownOption(ValueError):
    """An option does not exist. `option`: its name; `known`: the names of all options."""

    def __init__(self, option: str, known: Sequence[str]) -> None:
        super().__init__("unknown option {}; there are: {}".format(option, ", ".join(known)))
        self.option = option
        self.known = known


class InnerFault(NamedTuple):
    """The exceptions caught since the controller was made: their number, and the last traceback."""

    count: int  # type: ignore[assignment]      # tuple.count is not needed here
    traceback: str


class Controller:
    """Answers the platform's calls for both players.

    `settings`: the table of submission.py. Raises ValueError for a wrong row, with the row and the allowed values.
    """

    def __init__(self, settings: Iterable[Tuple[Any, ...]]) -> None:
        self.settings = [_setting(number, row) for number, row in enumerate(settings, 1)]
        self.players: Dict[int, Player] = {}
        self.fault: Optional[InnerFault] = None
        self._collector_paused = CollectorPaused()
        self._asked: Deque[int] = deque(maxlen=2)  # the players of the last two calls
        self._overrides: Dict[str, Any] = {}
        self._last: Optional[Dict[str, Any]] = None

    def answer(self, observation: Any, action_space: Any) -> List[List[int]]:
        """Answer one call with [one_hot_row, one_hot_col]."""
        started = time.perf_counter()
        with self._collector_paused:
            snapshot = cell = None
            try:
                snapshot = codec.decode(observation)
                cell = self._cell(observation, snapshot, started)
            except Exception as error:
                if isinstance(error, MemoryError):
                    self._free_memory()
                self._note_fault()
            if cell is None:  # outside the `except`, where the exception no longer keeps the search's tables
                snapshot = snapshot or codec.decode(observation)
                cell = self._any_move(snapshot)
            return codec.encode(cell, codec.action_sizes(action_space, snapshot))

    def configure(self, **options: Any) -> None:
        """Override the settings of every game; see submission.configure()."""
        controls = {name: value for name, value in options.items() if name in OPTIONS}
        parameters = {name: value for name, value in options.items() if name not in OPTIONS}
        _check(controls)
        chosen = {family: dict(values) for family, values in (self._overrides.get("parameters") or {}).items()}
        for name, value in parameters.items():
            for family in _families(name, value):
                chosen.setdefault(family, {})[name] = value
        if controls.get("depth") or controls.get("nodes"):
            controls = dict({"seconds": None, "off_turn_seconds": None, "book": False}, **controls)
        self._overrides.update(controls)
        self._overrides["parameters"] = chosen

    def last_thought(self) -> Optional[Dict[str, Any]]:
        """The result of the last call; see submission.last_thought()."""
        return self._last

    def _cell(self, observation: Any, snapshot: Optional[Snapshot], started: float) -> Tuple[int, int]:
        if snapshot is not None:
            asked = snapshot.player
        elif codec.is_row(observation) and self._asked:
            asked = self._asked[0]  # the older of the last two calls: calls alternate, or all ask one colour
        else:
            return 0, 0
        self._asked.append(asked)
        player = self.players.setdefault(asked, Player())
        board = snapshot or player.snapshot  # after a pass the observation has no board: use the last board
        if board is None:
            return 0, 0
        if len(board.stones) > MOST_CELLS:
            return divmod(max(board.stones.find(0), 0), board.cols)
        settings = self._row_for(board)._replace(**self._overrides)
        for other in self.players.values():
            other.make_room_for(board)
        cell = player.answer(board, settings, started)
        self._last = _report(settings, player.thought or NO_SEARCH, board)
        return cell

    def _free_memory(self) -> None:
        """Close the engines, which hold nearly all memory. The next call makes new ones."""
        for player in self.players.values():
            if player.engine is not None:
                player.engine.close()
                player.engine = None

    def _note_fault(self) -> None:
        """Keep the traceback of the exception that is being handled."""
        count = self.fault.count + 1 if self.fault else 1
        try:
            self.fault = InnerFault(count, traceback.format_exc())
        except MemoryError:
            self.fault = InnerFault(count, "MemoryError")

    def _row_for(self, board: Snapshot) -> Settings:
        """The first row of the settings that fits a board. Raises ValueError if none fits."""
        for row in self.settings:
            if row.fits(board):
                return row
        place = f"{board.family} on {board.rows}x{board.cols}"
        raise ValueError(f"SETTINGS has no row for {place}; a row with None as rows and cols fits every board")

    def _any_move(self, snapshot: Optional[Snapshot]) -> Tuple[int, int]:
        """A legal move after an exception: the engine's quick move or, if that raises as well, a free cell."""
        if snapshot is None:
            return 0, 0
        try:
            engine = self._row_for(snapshot).make_engine(snapshot)
            engine.set_up(snapshot.stones, snapshot.player - 1)
            cell = engine.quick_move()
        except Exception:
            cell = snapshot.stones.find(0)
        return divmod(max(cell or 0, 0), snapshot.cols)


def _setting(number: int, row: Any) -> Settings:
    """A row of the table SETTINGS. Raises ValueError if a value is wrong.

    `number`: the row's number, from 1.
    """
    columns = ", ".join(Settings._fields[:COLUMNS])
    listed = row if isinstance(row, (tuple, list)) else (row,)
    if not COLUMNS <= len(listed) <= len(Settings._fields):
        raise _wrong_row(number, listed, f"it has {len(listed)} values", columns)
    setting = Settings(*listed)
    for name, allowed, fits in ALLOWED:
        value = getattr(setting, name)
        if not fits(value, setting):
            raise _wrong_row(number, listed, f"{name} is {value!r}", allowed)
    return setting


def _wrong_row(number: int, row: Sequence[Any], what: str, allowed: str) -> ValueError:
    head = ", ".join(map(repr, row[:3]))
    return ValueError(f"SETTINGS, row {number} ({head}): {what}; allowed: {allowed}")


def _is_size(value: Any, row: Settings) -> bool:
    return value is None or (type(value) is int and 1 <= value <= codec.MOST_SIZE)


def _is_time(value: Any, row: Settings) -> bool:
    return value is None or (type(value) in NUMBER and 0 <= value < float("inf"))


# Columns of the table SETTINGS: name, allowed values in words, test of a value in its row
ALLOWED = (
    ("family", f"'{K_IN_A_ROW}' or '{REVERSI}'", lambda value, row: value in (K_IN_A_ROW, REVERSI)),
    ("rows", f"None or a whole number from 1 to {codec.MOST_SIZE}", _is_size),
    ("cols", f"None or a whole number from 1 to {codec.MOST_SIZE}", _is_size),
    ("in_a_row", "a whole number from 2 in k_in_a_row, None in reversi", lambda value, row: (
        value is None if row.family == REVERSI else type(value) is int and value >= 2)),
    ("engine", " or ".join(map(repr, ENGINES)), lambda value, row: value in ENGINES),
    ("seconds", "a number of seconds from 0, such as 0.8", _is_time),
    ("off_turn_seconds", "a number of seconds from 0, such as 0.8", _is_time),
)  # fmt: skip
COLUMNS = len(ALLOWED)


def _families(name: str, value: Any) -> List[str]:
    """The families whose engine takes this parameter with this value.

    Raises UnknownOption if no family has the parameter, ValueError if none accepts the value.
    """
    known = [family for family, default in PARAMETERS.items() if name in default.names()]
    if not known:
        listed = sorted({each for default in PARAMETERS.values() for each in default.names()})
        raise UnknownOption(name, (*OPTIONS, *listed))
    errors, taken = [], []
    for family in known:
        try:
            PARAMETERS[family].changed(**{name: value})
            taken.append(family)
        except ValueError as error:
            errors.append(str(error))
    if not taken:
        raise ValueError("; ".join(dict.fromkeys(errors)))
    return taken


def _check(controls: Dict[str, Any]) -> None:
    """Raise ValueError for an option with a wrong value."""
    if controls.get("engine", "search") not in ENGINES:
        raise ValueError("engine is {!r}; there are: {}".format(controls["engine"], ", ".join(ENGINES)))
    if type(controls.get("book", True)) is not bool:
        raise ValueError("book is {!r}; wanted: True or False".format(controls["book"]))
    for option, least, types in NUMERIC_OPTIONS:
        value = controls.get(option)
        if value is not None and not (type(value) in types and least <= value < float("inf")):
            wanted = "a whole number" if types == WHOLE_NUMBER else "a number"
            raise ValueError(f"{option} is {value!r}; wanted: {wanted} of at least {least}, or None")


def _report(settings: Settings, thought: Thought, board: Snapshot) -> Dict[str, Any]:
    engine = settings.engine if thought.source != "scorer" else "scorer"
    pv = [list(divmod(cell, board.cols)) for cell in thought.pv if cell >= 0]
    return {"engine": engine, "source": thought.source, "depth": thought.depth, "nodes": thought.nodes,
            "value": thought.value, "pv": pv, "seconds": thought.seconds}  # fmt: skip
