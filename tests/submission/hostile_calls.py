"""Calls of the upload with observations and action spaces that are random, damaged or lie: 100 calls are a game.

An answer has the form of the action space or of the board, if one of them is readable. Nothing is written into the
arguments. The only exceptions that get out are BaseExceptions that a lying object raised. A call takes at most
CPU_LIMIT. This module runs without pytest and numpy.
"""

import gc
import itertools
import random
import signal
from time import process_time

import submission.submission as upload
from submission.controller import Controller

from .boards import Space, k_in_a_row_observation, reversi_observation

try:
    import numpy as np
except ImportError:
    np = None

CALLS = 100  # of one game
CPU_LIMIT = 0.9  # seconds
ENDLESS = 5.0  # seconds of CPU after which a call is ended
KEYS = ("state_map", "chess_player_idx", "board_width", "board_height", 1, 2, "1", "obs", None, 0)
LARGE = [0] * 100000
SCALARS = (None, True, 0, 1, 2, 3, -1, 15, 225, 2**63, -(2**64), 10**400, 1.0, 0.5, -0.0, float("inf"), float("nan"),
           1j, "", "1", "15", "\ud800", "9" * 100000, b"\x01", bytearray(b"\x01"), range(10**18), ..., int)  # fmt: skip
SIZES = (("gobang", 15, 15), ("gobang", 15, 15), ("reversi", 10, 10), ("reversi", 8, 8), ("gobang", 11, 11),
        ("gobang", 3, 3), ("reversi", 26, 26), ("gobang", 7, 12), ("reversi", 5, 5), ("gobang", 100, 1))  # fmt: skip
READING = ("__len__", "__iter__", "__getitem__", "__eq__", "__hash__", "__contains__", "__bool__", "__int__",
           "__index__", "__float__", "__lt__", "__gt__", "__next__", "__getattribute__", "get", "keys", "items",
           "index", "count", "n")  # fmt: skip
WRITING = ("__setitem__", "__delitem__", "__setattr__", "__iadd__", "append", "insert", "sort", "clear", "pop",
           "update", "setdefault", "add", "discard")  # fmt: skip


class UnknownExit(BaseException):
    """An exception of an unknown class."""


class Endless(BaseException):
    """A call has used ENDLESS seconds of CPU."""


class Game:
    """A position, and a record of the writes into lying objects and of the grave exceptions that these raised."""

    def __init__(self, noise):
        self.noise, self.wrote, self.raised = noise, [], []
        self.name, self.rows, self.cols = noise.choice(SIZES)
        self.stones = bytearray(self.rows * self.cols)
        stones = min(noise.choice((0, 1, 4, 9, 20, 60)), len(self.stones))
        for number, cell in enumerate(noise.sample(range(len(self.stones)), stones)):
            self.stones[cell] = 1 + number % 2

    def observation(self):
        player = self.noise.choice((1, 2))
        if self.name == "reversi":
            return reversi_observation(self.stones, self.rows, player)
        return k_in_a_row_observation(self.stones, self.rows, self.cols, player)

    def random_object(self, depth=4):
        """A random object."""
        noise, kind = self.noise, self.noise.random()
        if depth == 0 or kind < 0.35:
            return noise.choice(SCALARS) if noise.random() < 0.7 else noise.randint(-3, 30)
        if kind < 0.42:
            return self.liar(self.random_object(1))
        if kind < 0.45:
            made = []
            made.append(made)
            for _ in range(noise.choice((0, 100, 3000))):  # deeper than the stack, or in itself
                made = [made] if noise.random() < 0.5 else {"state_map": made}
            return made
        if kind < 0.48 and np is not None:
            shape = noise.choice(((), (0,), (15, 15), (15, 15, 1), (3, 3), (2, 15, 15)))
            return np.full(shape, noise.choice((0, 1, 3))).astype(noise.choice(("int8", "bool", "object", "U1")))
        parts = [self.random_object(depth - 1) for _ in range(noise.choice((0, 1, 2, 3, 8)))]
        if kind < 0.62:
            return {noise.choice(KEYS): part for part in parts}
        return iter(parts) if kind < 0.68 else tuple(parts) if kind < 0.75 else parts

    def liar(self, honest):
        """An object of a new class some of whose methods lie; it records writes into it."""
        if type(honest) not in (dict, list, tuple, set, int, Space):
            honest = [0]
        names = {name: self._lie(name, honest) for name in self.noise.sample(READING, self.noise.randint(1, 6))}
        names.update((name, lambda *_, name=name: self.wrote.append(name)) for name in WRITING)
        names.setdefault("__hash__", lambda self: 1)
        base = self.noise.choice((object, dict, list, tuple, int, str, set))
        if base is object:
            names.setdefault("__len__", lambda _: len(honest))
            names.setdefault("__getitem__", lambda _, key: honest[key])
        liar = type("Liar", (base,), names)
        try:
            return liar() if base is object else liar(honest)
        except Exception:
            return liar()

    def _lie(self, name, honest):
        noise, kind = self.noise, self.noise.random()
        error = noise.choice((ValueError, TypeError, KeyError, AttributeError, MemoryError, StopIteration))
        grave = noise.choice((KeyboardInterrupt, SystemExit, GeneratorExit, UnknownExit))
        value = noise.choice((0, 1, 15, -1, 10**30, None, "", [], honest, dict))
        number = itertools.count(noise.randint(-2, 20))

        def raises(*_):
            raise error("lie")

        def raises_grave(*_):
            self.raised.append(grave("lie"))
            raise self.raised[-1]

        def recurs(*arguments):
            return recurs(*arguments)

        lies = [raises] * 4 + [lambda *_: value] * 3 + [recurs, lambda *_: itertools.repeat(value)]
        if kind < 0.2 and name != "__iter__":  # `x in y` of Python 3.7 makes a TypeError of it
            return raises_grave
        return noise.choice([*lies, lambda *_: next(number)])

    def damaged(self):
        """An observation with one to three faults."""
        noise, shown = self.noise, self.observation()
        for _ in range(noise.choice((1, 1, 2, 3))):
            where, kind = noise.choice(sorted(shown, key=str)), noise.random()
            if kind < 0.15 and len(shown) > 1:
                del shown[where]
            elif kind < 0.4:
                shown[where] = self.random_object(2)
            elif kind < 0.5:
                shown[where] = self.liar(shown[where])
            elif kind < 0.6:
                shown["chess_player_idx"] = noise.choice((0, 3, -1, "1", 1.0, True, None, 1.5, [1]))
            elif "state_map" in shown and type(shown["state_map"]) is list and shown["state_map"]:
                board, cols = shown["state_map"], self.cols
                rows = ([], None, LARGE, board, board[:1], [[3]] * cols, [[0]] * 100, [self.liar([0])] * cols)
                board[noise.randrange(len(board))] = noise.choice(rows)
            elif type(shown.get(1)) is set:
                cells = ((-1, 0), (0, 10**9), (0,), "ab", (0.0, 1.0), (None, 1), 5, (float("nan"), 0), (1, "1"))
                shown[1] = list(shown[1]) + [noise.choice(cells)] * noise.choice((1, 1000))
        return self.liar(shown) if noise.random() < 0.3 else shown

    def space(self):
        """An action space, and the lengths that the answer must have; None if the space does not tell them."""
        kind, pair = self.noise.random(), [Space(self.rows), Space(self.cols)]
        if kind < 0.6:
            return [pair, pair] if kind < 0.1 else pair, [self.rows, self.cols]
        if kind < 0.7:
            other = [self.noise.randint(1, 40), self.noise.randint(1, 40)]
            return list(map(Space, other)), other
        lies = [self.liar(pair), [self.liar(pair[0]), Space(self.liar(self.cols))], self.random_object(3), None, [], {},
                [pair[0]], [Space(0), Space(15)], [Space(-3), Space(10**9)], [Space("ab"), None], [[]]]  # fmt: skip
        return self.noise.choice(lies), None


def picture(part, depth=0):
    """The contents of lists, dicts and sets, and the identities of other objects; a write changes it."""
    if depth > 6 or part is LARGE or type(part) not in (list, tuple, dict, set, bytearray):
        return id(part)
    if type(part) is dict:
        return [(id(name), picture(value, depth + 1)) for name, value in part.items()]
    if type(part) in (set, bytearray):
        return bytes(part) if type(part) is bytearray else frozenset(map(id, part))
    return [picture(each, depth + 1) for each in part[:300]] + [len(part)]


def check_form(answer, sizes):
    assert type(answer) is list and len(answer) == 2
    for at, part in enumerate(answer):
        assert type(part) is list and all(type(each) is int for each in part)
        assert sorted(part) == [0] * (len(part) - 1) + [1] and len(part) <= 100
        assert sizes is None or len(part) == sizes[at]


def call(game, observation, space, sizes):
    """Make one call, and check all that the module's text promises."""
    before, raised = (picture(observation), picture(space)), None
    signal.setitimer(signal.ITIMER_PROF, ENDLESS)
    started = process_time()
    try:
        answer = upload.my_controller(observation, space, False)
    except BaseException as error:
        raised = error
    seconds = process_time() - started
    signal.setitimer(signal.ITIMER_PROF, 0)
    assert not isinstance(raised, Endless)
    if raised is None:
        assert not game.raised, "swallowed"
        check_form(answer, sizes)
    elif not (game.raised and raised is game.raised[-1]):
        raise raised
    assert seconds <= CPU_LIMIT
    assert not game.wrote and (picture(observation), picture(space)) == before
    assert gc.isenabled()


def hostile_calls(number):
    """The calls of one game, which share a controller. One game in a hundred has the upload's time limits."""

    def end(*_):
        raise Endless

    noise, handler, controller = random.Random(number), signal.signal(signal.SIGPROF, end), upload.controller
    try:
        upload.controller = Controller(upload.SETTINGS)
        if number % 100 != 99:
            upload.configure(seconds=0.002, off_turn_seconds=0.002)
        for _ in range(CALLS):
            game = Game(noise)
            kind = noise.random()
            space, sizes = game.space()
            if kind < 0.46:
                observation = game.random_object()
            elif kind < 0.54:  # what the platform shows after a pass
                observation = [[stone] for stone in game.stones[: game.cols]]
            else:
                observation = game.damaged() if kind < 0.95 else game.observation()
            call(game, observation, space, sizes)
    finally:
        upload.controller = controller
        signal.signal(signal.SIGPROF, handler)
