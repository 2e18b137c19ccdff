"""The opening explorer of an analysis board: counts the moves that were played from a position in many games.

A position is the stones and the side to move, whatever the order of the moves. Positions that a symmetry maps to each
other count as one: a square board has 8 symmetries (in Reversi the 4 that keep the start), another board 4. The
key of a position is the XOR of a random number of 64 bits for each stone, the smallest of all its images.
An index has the keys in the order of the games, 8 bytes a position, and their places sorted by key, 4 bytes:

    keys    game 0: start, after move 1, ...    game 1: start, after move 1, ...

An index is in the server's memory while its file is open. "My games" are read again after one of them has changed.
"""

import copy
import functools
import random
import threading
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any

from env_adapter import Cell, EnvError, Game
from env_adapter.game import BLACK, WHITE
from local_runner.errors import RunnerError
from local_runner.formats import SavedGame
from local_runner.game.coordinates import number
from local_runner.game.setup import GameSetup
from local_runner.language.languages import Message
from local_runner.matches.games import Games, PlayedGame, read
from local_runner.server.games import Cells, OpenedFiles, position_game
from local_runner.server.jobs import Job
from local_runner.server.store import RoomStore, room_of
from local_runner.server.wire import Answer, PagePosition, StoredRoom, translated

ROOMS, ENGINE = "rooms", "engine"  # the sources that are no files: the kept games, and our engine's book and the proof
MOST_NAMED = 8  # most games that are listed for a position
MOST_POSITIONS = 2_000_000  # most positions in an index: 24 MB of memory, and 210 MB while they are sorted
TOLD_GAMES = 50  # number of games that are read between two reports to the page
FULL = Message("Only the first {games} games are counted: an index has at most {most:,} positions.")
DAMAGED = Message("Damaged games: {games}. Of these, the moves before the damage are counted.")

Name = str | int  # the name of a game: its room, or its number in its file
SourceGame = tuple[Name, Callable[[], SavedGame]]  # a game, read when it is called; the call may find damage
Batch = Sequence[SourceGame]
Told = tuple[tuple[str, str], int, Name]  # names, winner and name of a game


class BoardKeys:
    """The keys of positions on one board. A state is one integer with a sum of 64 bits for each symmetry."""

    def __init__(self, rows: int, cols: int, in_a_row: int, *, symmetric: bool, turns_discs: bool) -> None:
        images = [list(range(rows * cols))]  # for each symmetry the cell to which each cell is mapped
        if symmetric:
            images += [images[0][::-1]]
            if rows == cols:
                images += [[image[at % rows * cols + at // rows] for at in images[0]] for image in images]
            if not turns_discs:
                images += [[image[at + cols - 1 - 2 * (at % cols)] for at in images[0]] for image in images]
        chance = random.Random(f"{rows} {cols} {in_a_row}")
        numbers = [[chance.getrandbits(64) for _cell in images[0]] for _side in (BLACK, WHITE)]
        self._cols, self._bytes = cols, 8 * len(images)
        self._turn = chance.getrandbits(64), chance.getrandbits(64)
        self._of_stone = [[sum(of_side[image[at]] << 64 * n for n, image in enumerate(images)) for at in images[0]]
                          for of_side in numbers]  # fmt: skip

    def state(self, env: Game) -> int:
        """The state of the board of a game."""
        stones = [(at, stone) for at, stone in enumerate(chain(*env.stones())) if stone]
        return functools.reduce(lambda state, each: state ^ self._of_stone[each[1] - 1][each[0]], stones, 0)

    def after(self, state: int, side: int, cell: Cell | None, turned: Iterable[Cell]) -> int:
        """The state after a move of `side`, which turns discs over; None is a pass."""
        if cell is None:
            return state
        black, white = self._of_stone
        for each in turned:
            state ^= black[at := number(each, self._cols)] ^ white[at]
        return state ^ self._of_stone[side - 1][number(cell, self._cols)]

    def key(self, state: int, to_move: int) -> int:
        """The key of a position."""
        return min(memoryview(state.to_bytes(self._bytes, "little")).cast("Q")) ^ self._turn[to_move - 1]


_cached = functools.lru_cache(maxsize=32)(BoardKeys)


def keys_of(env: Game) -> BoardKeys:
    """The keys of positions in this game. A game such as Connect Four, with free cells that are illegal for another
    reason than that they turn no disc, counts as one without symmetries.
    """
    symmetric = env.turns_discs or not env.illegal_free
    return _cached(env.board_height, env.board_width, env.setup.in_a_row,
                   symmetric=symmetric, turns_discs=env.turns_discs)  # fmt: skip


def side_after(plies: int) -> int:
    """The side to move. After two passes that end a game, `Game.chess_player` is the other side."""
    return (BLACK, WHITE)[plies % 2]


def moves_of(env: Game, plies: int) -> dict[int, list[int]]:
    """The moves after some plies, as the page's numbers, by the key of the position to which they lead."""
    keys, found = keys_of(env), dict[int, list[int]]()
    state = keys.state(env)
    passes = [None] if env.has_pass else []  # also after two passes, as stones and side are those before
    for cell in (*env.legal_moves(), *passes):
        turned = copy.deepcopy(env).follow(cell) if env.turns_discs else []
        key = keys.key(keys.after(state, side_after(plies), cell, turned), side_after(plies + 1))
        found.setdefault(key, []).append(number(cell, env.board_width))
    return found


class GameIndex:
    """The positions of games. `batches`: yields all games, later those added. `place`: turns the name of a game into
    the one that the page opens. `plies`: the number of moves of a game whose prefix the page does not count (games.py).
    """

    def __init__(self, batches: Iterator[Batch],
                 place: Callable[[Any], Name] = lambda name: name, plies: Mapping[Any, int] = {}) -> None:  # fmt: skip
        self._keys, self._order, self._starts = array("Q"), array("I"), array("I")
        self._games = list[Told]()
        self._damaged, self._done, self._all = 0, 0, 0
        self._batches, self._place, self._plies = batches, place, plies
        self._waiting: Iterator[SourceGame] = iter(())  # the rest of the batch that is being read
        self._lock = threading.Lock()

    def grow(self, told: Callable[[int, int], bool]) -> bool:
        """Add the games that are not in the index yet; returns whether all are in now.

        `told(done, all)`: called now and then; returns whether to stop. The next call then goes on.
        """
        with self._lock:
            if self._done == self._all:
                batch = next(self._batches, ())
                self._waiting, self._all = iter(batch), self._all + len(batch)
            while len(self._keys) < MOST_POSITIONS and (game := next(self._waiting, None)):
                self._add(*game)
                self._done += 1
                if self._done % TOLD_GAMES == 0 and told(self._done, self._all):
                    return False
            if len(self._order) < len(self._keys):
                added = range(len(self._order), len(self._keys))
                self._order = array("I", sorted(chain(self._order, added), key=self._keys.__getitem__))
            return True

    def _add(self, name: Name, read_game: Callable[[], SavedGame]) -> None:
        """Add the positions of a game, up to the first move that the referee refuses."""
        start, damaged = len(self._keys), True
        try:
            game = read_game()
            env = game.setup.make()
            keys = keys_of(env)
            state = keys.state(env)
            self._games.append((game.names, game.winner, name))
            self._starts.append(start)
            self._keys.append(keys.key(state, side_after(0)))
            for ply, cell in enumerate(game.cells):
                state = keys.after(state, side_after(ply), cell, env.follow(cell))
                self._keys.append(keys.key(state, side_after(ply + 1)))
            damaged = bool(game.damage)
        except (RunnerError, EnvError, ValueError):
            pass
        self._damaged += damaged

    def found(self, env: Game, plies: int) -> Answer:
        """What was played from a position after some plies: `moves`, `ended`, `games` and `problem` of `explored`."""
        keys = keys_of(env)
        key, of_place = keys.key(keys.state(env), side_after(plies)), self._keys.__getitem__
        first, end = (bisect(self._order, key, key=of_place) for bisect in (bisect_left, bisect_right))
        counts, games = dict[int | None, list[int]](), list[tuple[tuple[str, str], int, Name, int]]()
        for place in self._order[first:end]:
            at = bisect_right(self._starts, place)
            (names, winner, name), after = self._games[at - 1], place + 1
            left = (self._starts[at] if at < len(self._starts) else len(self._keys)) - after
            counts.setdefault(self._keys[after] if left else None, [0] * 4)[winner] += 1
            if len(games) < MOST_NAMED:
                ply = self._plies.get(name, place + left - self._starts[at - 1]) - left
                games.append((translated(names), winner, self._place(name), ply))
        problem = Message(DAMAGED, games=self._damaged) if self._damaged else ""
        if self._done < self._all:
            problem = Message(FULL, games=self._done, most=MOST_POSITIONS)
        places = moves_of(env, plies).items()
        rows = [{"cells": cells, "results": counts[key]} for key, cells in places if key in counts]
        return {
            "moves": sorted(rows, key=lambda row: -sum(row["results"])), "ended": counts.get(None, [0] * 4),
            "games": games, "problem": problem,
        }  # fmt: skip


def of_room(room: StoredRoom) -> SavedGame:
    """The game of a room, unchecked. Raises RunnerError or EnvError for an impossible position."""
    start = position_game(room.position)
    return SavedGame(start.setup, start.cells, room.names, room.result.winner if room.result else 0)


def of_tournament(games: Games) -> Iterator[Batch]:
    """The games of a tournament's file, then at each call the games that were added since."""
    setup, names, fresh = games.plan.terms.setup, games.plan.names, list(games)

    def saved(game: PlayedGame) -> SavedGame:
        return SavedGame(setup, game.cells, (names[game.black], names[game.white]), game.winner)

    while True:
        yield [(game.number, partial(saved, game)) for game in fresh]
        fresh = games.refresh()


class Explorer:
    """The sources of the explorer, and their indexes. `prepared`: as `Services.prepared`."""

    def __init__(self, opened: OpenedFiles, store: RoomStore,
                 prepared: Callable[[GameSetup, Cells], dict[int, Answer]]) -> None:  # fmt: skip
        self._opened, self._store, self._prepared = opened, store, prepared
        self._indexes = dict[str, tuple[int, GameIndex]]()  # by source, each with the time of the source's last change
        self._lock = threading.Lock()

    def explore(self, position: PagePosition, source: str, job: Job) -> None:
        """Execute the request `explore`."""
        files = self._opened.listed()
        source = source if source in (*files, ROOMS, ENGINE) else next(iter(files), ROOMS)
        start = position_game(position)
        env = start.setup.make()
        env.replay(start.cells)
        answer: Answer = {"source": source, "files": list(files.items()), "done": 1, "all": 1, "problem": "",
                          "moves": [], "ended": [0] * 4, "games": []}  # fmt: skip
        if source == ENGINE:
            known = self._prepared(start.setup, start.cells)
            places = moves_of(env, len(start.cells)).values()
            equal = [sorted(filter(known.get, cells), key=lambda cell: known[cell]["why"]) for cells in places]
            rows = [{"cells": cells, "results": [0] * 4, **known[cells[0]]} for cells in equal if cells]
            job.send("explored", {**answer, "moves": rows})
            return

        def told(done: int, games: int) -> bool:
            job.send("explored", {**answer, "done": done, "all": games + 1}, "explored")
            return job.stopped.is_set()

        index = self._index(source, files)
        if index.grow(told):
            job.send("explored", answer | index.found(env, len(start.cells)), "explored")

    def _index(self, source: str, files: Collection[str]) -> GameIndex:
        """The index of a source, maybe a new one. The indexes of files that are not open any more are dropped."""
        changed = self._store.rooms.changed if source == ROOMS else 0
        with self._lock:
            self._indexes = {name: each for name, each in self._indexes.items() if name in (*files, ROOMS)}
            if self._indexes.get(source, (None,))[0] != changed:
                self._indexes[source] = changed, self._made(source)
            return self._indexes[source][1]

    def _made(self, source: str) -> GameIndex:
        if source == ROOMS:
            rooms = self._store.rooms.listed(room_of, None)[0]
            plies = {name: len(room.position.moves) for name, _changed, room in rooms}
            return GameIndex(iter([[(name, partial(of_room, room)) for name, _changed, room in rooms]]), plies=plies)
        if (path := self._opened.named.get(source)) is None:
            file = self._opened.games(source)[1]
            if (path := file.path) is None:
                return GameIndex(iter([[(at, partial(file.game, at)) for at in range(len(file))]]))
        games = read(path)
        return GameIndex(of_tournament(games), lambda name: sum(game.number < name for game in games))
