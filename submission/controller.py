"""Answers the platform's calls: takes an observation, returns two one-hot lists. Owns the state kept between calls.

A call runs codec.decode, Player.answer (which calls Engine.think) and codec.encode. If choosing a move raises an
Exception, the controller counts it and answers with a legal move. Only other BaseExceptions, such as
KeyboardInterrupt, reach the caller.
"""

from __future__ import annotations

import time
import traceback
from collections import deque
from dataclasses import replace
from typing import Any, Deque, Dict, Iterable, List, NamedTuple, Optional, Sequence, Tuple

from . import codec
from .codec import Snapshot
from .engine import NATIVE_PARAMETERS, PARAMETERS
from .player import Player, Settings
from .search.clock import CollectorPaused
from .search.deepening import Thought
from .search.parameters import SearchParameters, check

OPTIONS = ("engine", "seconds", "off_turn_seconds", "depth", "nodes", "book")  # of configure(), beside parameters
COLUMNS = 7  # columns of the table SETTINGS: the first fields of Settings
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
        self._parameters = PARAMETERS  # family -> parameters of its engine
        self._native_parameters = NATIVE_PARAMETERS
        self._overrides: Dict[str, Any] = {}
        self._shape: Tuple[Any, ...] = ()  # family, rows and columns of the last board; _settings belong to it
        self._settings: Settings
        self._last: Optional[Dict[str, Any]] = None

    def answer(self, observation: Any, action_space: Any) -> List[List[int]]:
        """Answer one call with [one_hot_row, one_hot_col]."""
        started = time.perf_counter()
        with self._collector_paused:
            snapshot = cell = None
            try:
                snapshot = codec.decode(observation)
                player, board = self._asked_player(observation, snapshot)
                if board is None:
                    cell = 0, 0
                elif len(board.stones) > MOST_CELLS:
                    cell = divmod(max(board.stones.find(0), 0), board.cols)
                else:
                    settings = self._settings_for(board)
                    cell = player.answer(board, settings, started)
                    self._last = _report(player, settings, board)
            except Exception as error:
                cell = None
                if isinstance(error, MemoryError):
                    self._free_memory()
                self._note_fault()
            if cell is None:  # after the `except`: there the exception no longer holds the tables in memory
                snapshot = snapshot or codec.decode(observation)
                cell = self._any_move(snapshot)
            return codec.encode(cell, codec.action_sizes(action_space, snapshot))

    def configure(self, **options: Any) -> None:
        """Override the settings of every game; see submission.configure()."""
        controls, parameters, native = {}, self._parameters, self._native_parameters
        for name, value in options.items():
            if name in OPTIONS:
                check(Settings.names()[name], value)
                controls[name] = value
            else:
                parameters, native = (_changed(each, name, value) for each in (parameters, native))
        if controls.get("depth") or controls.get("nodes"):
            controls = dict({"seconds": None, "off_turn_seconds": None, "book": False}, **controls)
        self._overrides.update(controls)
        self._parameters, self._native_parameters = parameters, native
        self._shape = ()  # the next call takes the new settings

    def last_thought(self) -> Optional[Dict[str, Any]]:
        """The result of the last call; see submission.last_thought()."""
        return self._last

    def _asked_player(self, observation: Any, snapshot: Optional[Snapshot]) -> Tuple[Player, Optional[Snapshot]]:
        """The player that the platform asks, and the board. A call after a pass has none: then the last one."""
        if snapshot is not None:
            asked = snapshot.player
        elif codec.is_row(observation) and self._asked:
            asked = self._asked[0]  # of the call before last: calls alternate between the colours, or all ask one
        else:
            return Player(), None
        self._asked.append(asked)
        player = self.players.setdefault(asked, Player())
        return player, snapshot or player.snapshot

    def _free_memory(self) -> None:
        """Free the engines of both players."""
        for player in self.players.values():
            player.close()

    def _note_fault(self) -> None:
        """Keep the traceback of the exception that is being handled."""
        count = self.fault.count + 1 if self.fault else 1
        try:
            self.fault = InnerFault(count, traceback.format_exc())
        except MemoryError:
            self.fault = InnerFault(count, "MemoryError")

    def _settings_for(self, board: Snapshot) -> Settings:
        """The first row of the settings that fits a board, changed by configure(). Raises ValueError if none fits."""
        if self._shape != board[:3]:  # another game: the engines of the last one are not needed any more
            self._free_memory()
            row = next((row for row in self.settings if row.fits(board)), None)
            if row is None:
                place = f"{board.family} on {board.rows}x{board.cols}"
                raise ValueError(f"SETTINGS has no row for {place}; a row with None as rows and cols fits every board")
            settings = replace(row, **self._overrides)
            parameters = self._native_parameters if settings.engine == "native" else self._parameters
            self._settings = replace(settings, parameters=parameters[board.family])
            self._shape = board[:3]
        return self._settings

    def _any_move(self, snapshot: Optional[Snapshot]) -> Tuple[int, int]:
        """A legal move after an exception: the engine's quick move or, if that raises as well, a free cell."""
        if snapshot is None:
            return 0, 0
        try:
            engine = self._settings_for(snapshot).make_engine(snapshot)
            cell = engine.quick_move(snapshot.stones, snapshot.player - 1)
        except Exception:
            cell = snapshot.stones.find(0)
        return divmod(max(cell or 0, 0), snapshot.cols)


def _setting(number: int, row: Any) -> Settings:
    """A row of the table SETTINGS. Raises ValueError if a value is wrong.

    `number`: the row's number, from 1.
    """
    listed = row if isinstance(row, (tuple, list)) else (row,)
    try:
        if not COLUMNS <= len(listed) < len(Settings.names()):
            columns = ", ".join(list(Settings.names())[:COLUMNS])
            raise ValueError(f"it has {len(listed)} values; allowed: {columns}")
        return Settings(*listed)
    except ValueError as error:
        head = ", ".join(map(repr, listed[:3]))
        raise ValueError(f"SETTINGS, row {number} ({head}): {error}") from None


def _changed(parameters: Dict[str, SearchParameters], name: str, value: Any) -> Dict[str, SearchParameters]:
    """The engines' parameters by family, changed in each family that takes this parameter with this value.

    Raises UnknownOption if no family has the parameter, ValueError if none accepts the value.
    """
    known = [family for family, use in parameters.items() if name in use.names()]
    if not known:
        listed = sorted({each for use in parameters.values() for each in use.names()})
        raise UnknownOption(name, (*OPTIONS, *listed))
    errors, changed = [], dict(parameters)
    for family in known:
        try:
            changed[family] = parameters[family].changed(**{name: value})
        except ValueError as error:
            errors.append(str(error))
    if len(errors) == len(known):
        raise ValueError("; ".join(dict.fromkeys(errors)))
    return changed


def _report(player: Player, settings: Settings, board: Snapshot) -> Dict[str, Any]:
    thought = player.thought or NO_SEARCH
    engine = settings.engine if thought.source != "scorer" else "scorer"
    not_native = player.engine.not_native if player.engine else ""
    if not_native:
        engine = "search"
    pv = [list(divmod(cell, board.cols)) for cell in thought.pv if cell >= 0]
    return {"engine": engine, "source": thought.source, "depth": thought.depth, "nodes": thought.nodes,
            "value": thought.value, "pv": pv, "seconds": thought.seconds,
            **({"not_native": not_native} if not_native else {})}  # fmt: skip
