"""Malformed things: random Python objects, real observations that are damaged, and action spaces of every kind."""
import contextlib
import datetime
import decimal
import fractions
import random
from typing import Any, List, NamedTuple, Optional, Tuple

from workshop.torture.hosts.lies import Deed, liar

try:
    import numpy as np
except ImportError:
    np = None  # type: ignore[assignment]

KEYS = ("state_map", "chess_player_idx", "board_width", "board_height", 1, 2, "1", "obs", "current_move_id", None, 0)
BIG_LIST = [0] * 100_000
SCALARS = (
    None, True, False, 0, 1, 2, 3, -1, 15, 10, 225, 2**31, 2**63, -2**64, 10**400, 0.0, 1.0, 0.5, -0.0, 1e308,
    float("inf"), float("-inf"), float("nan"), 1j, "", "1", "x", "15", "\ud800", "棋盘", "9" * 100_000, "\0", b"",
    b"\x01\x02", bytearray(b"\x01"), decimal.Decimal("1e99999999"), decimal.Decimal("NaN"), decimal.Decimal(1),
    fractions.Fraction(1, 3), datetime.date(2026, 1, 1), range(15), range(10**18), Ellipsis, NotImplemented, int, dict,
    len)


class Space(NamedTuple):
    """An action space, and the lengths that the answer must have; None if nobody can know them."""

    space: Any
    sizes: Optional[Tuple[int, int]]


class Discrete:
    """What the platform passes."""

    def __init__(self, n: Any) -> None:
        self.n = n


def thing(dice: random.Random, deed: Deed, depth: int = 4) -> Any:
    """A random Python object, up to `depth` levels deep."""
    kind = dice.random()
    if depth == 0 or kind < 0.35:
        return scalar(dice)
    if kind < 0.42:
        return liar(dice, deed, thing(dice, deed, 1))
    if kind < 0.44:
        return nested(dice)
    if kind < 0.48 and np is not None:
        return array(dice)
    length = dice.choice((0, 1, 2, 3, 5, 8))
    if kind < 0.62:
        return {key(dice): thing(dice, deed, depth - 1) for _ in range(length)}
    if kind < 0.66:
        return iter([thing(dice, deed, depth - 1) for _ in range(length)])
    if kind < 0.72:
        return {dice.choice(((0, 1), 1, "x", (9, 9), (0,), None, (0.5, 1))) for _ in range(length)}
    made = [thing(dice, deed, depth - 1) for _ in range(length)]
    return made if kind < 0.9 else tuple(made)


def scalar(dice: random.Random) -> Any:
    """A value without parts, or a number near the sizes of boards."""
    return dice.choice(SCALARS) if dice.random() < 0.7 else dice.randint(-3, 30)


def key(dice: random.Random) -> Any:
    """A key that observations have, or nearly."""
    return dice.choice(KEYS)


def nested(dice: random.Random) -> Any:
    """A list or dict in a list in a list, deeper than the stack; or one that holds itself."""
    if dice.random() < 0.3:
        loop: List[Any] = []
        loop.append(loop)
        return loop
    made: Any = 0
    for _ in range(dice.choice((100, 3000))):
        made = [made] if dice.random() < 0.5 else {"state_map": made}
    return made


def array(dice: random.Random) -> Any:
    """A numpy array of some shape and type."""
    shape = dice.choice(((), (0,), (1,), (15, 15), (15, 15, 1), (10, 10, 1), (3, 3), (1, 225), (2, 15, 15)))
    kind = dice.choice(("int8", "int64", "float32", "bool", "object", "U1", "complex64", "uint8", "datetime64[s]"))
    return np.full(shape, dice.choice((0, 1, 2, 3)), dtype="int64").astype(kind)


def damaged(dice: random.Random, deed: Deed, observation: Any) -> Any:
    """The observation with one to three faults. It is changed in place, and perhaps replaced as a whole."""
    for _ in range(dice.choice((1, 1, 2, 3))):
        if type(observation) is not dict or not observation:
            return observation
        where = dice.choice(list(observation))
        kind = dice.random()
        if kind < 0.12:
            del observation[where]
        elif kind < 0.2:
            observation[dice.choice((key(dice), "extra", 7))] = thing(dice, deed, 2)
        elif kind < 0.35:
            observation[where] = scalar(dice)
        elif kind < 0.45:
            observation[where] = thing(dice, deed, 3)
        elif kind < 0.55:
            observation[where] = liar(dice, deed, observation[where])
        elif kind < 0.6:
            observation["chess_player_idx"] = dice.choice((0, 3, -1, "1", 1.0, 2.0, True, None, 1.5, [1]))
        elif kind < 0.65:
            with contextlib.suppress(Exception):        # an earlier fault may be nested too deep for str()
                observation = dice.choice((list, tuple, str, _subclass, _keys_as_text))(observation)
        else:
            part = observation.get("state_map") if "state_map" in observation else observation.get(dice.choice((1, 2)))
            observation["state_map" if "state_map" in observation else dice.choice((1, 2))] = _hurt(dice, deed, part)
    return liar(dice, deed, observation) if dice.random() < 0.05 else observation


def _subclass(observation: Any) -> Any:
    return type("Subclass", (dict,), {})(observation)


def _keys_as_text(observation: Any) -> Any:
    return {str(name): value for name, value in observation.items()}


def _hurt(dice: random.Random, deed: Deed, part: Any) -> Any:
    """A board or a set of cells with a fault inside."""
    if type(part) is set:
        spot: Any = dice.choice(((-1, 0), (0, 10**9), (0,), (0, 0, 0), "ab", (0.0, 1.0), (True, False), (None, 1), 5,
                                 (float("nan"), 0), (0, 0), (2, 3), (1, "1")))
        made = dice.choice((set, list, tuple, frozenset, sorted if all(map(_is_cell, part)) else list))(part)
        if dice.random() < 0.7:
            made = list(made) + [spot] * dice.choice((1, 1, 1000))
        return made
    if type(part) is not list or not part or type(part[0]) is not list or not part[0]:
        return thing(dice, deed, 2)
    kind, row = dice.random(), dice.randrange(len(part))
    if kind < 0.3:
        line = part[row] if type(part[row]) is list and part[row] else part[0]
        line[dice.randrange(len(line))] = dice.choice((
            [scalar(dice)], scalar(dice), [], [[0]], [0, 0], [-1], [3], [256], [1.0], "1", ["1"], b"\x01", {}, {0: 1},
            liar(dice, deed, [0])))
    elif kind < 0.6:                        # stones that no game has
        for _ in range(dice.choice((1, 5, 50, 225))):
            line = part[dice.randrange(len(part))]
            if type(line) is list and line:
                line[dice.randrange(len(line))] = [dice.choice((0, 1, 2))]
    elif kind < 0.75:
        part[row] = dice.choice((part[row][:-1] if type(part[row]) is list else [], [], None, scalar(dice), BIG_LIST,
                                 part, thing(dice, deed, 1)))
    elif kind < 0.9:
        change = dice.randrange(5)
        return (part[:-1], part * 3, [BIG_LIST if at else line for at, line in enumerate(part)],
                tuple(map(tuple, part)) if all(type(line) is list for line in part) else (), [[]] * len(part))[change]
    elif np is not None:
        try:
            return np.array(part, dtype=dice.choice(("int64", "float64", "object", "int8")))
        except Exception:
            return part
    return part


def _is_cell(cell: Any) -> bool:
    return type(cell) is tuple and len(cell) == 2 and all(type(each) is int for each in cell)


def action_space(dice: random.Random, deed: Deed, rows: int, cols: int) -> Space:
    """The platform's pair of spaces for a board, or something else."""
    kind = dice.random()
    if kind < 0.45:
        return Space([Discrete(rows), Discrete(cols)], (rows, cols))
    if kind < 0.5:
        return Space([[Discrete(rows), Discrete(cols)]] * 2, (rows, cols))
    if kind < 0.6:
        other = dice.randint(1, 40), dice.randint(1, 40)
        return Space([Discrete(other[0]), Discrete(other[1])], other)
    if kind < 0.7:
        return Space(dice.choice((None, [], (), {}, 0, "ab", [None, None], [Discrete(0), Discrete(15)],
                                  [Discrete(15)], [Discrete(-3), Discrete(3)], [object(), object()],
                                  [Discrete(15), Discrete(15), Discrete(15)], [Discrete(10**9), Discrete(15)],
                                  [Discrete("ab"), Discrete(15)], [Discrete(None)] * 2, [[]], {0: Discrete(15)})), None)
    if kind < 0.8:
        return Space([Discrete(liar(dice, deed, rows)), liar(dice, deed, Discrete(cols))], None)
    if kind < 0.9:
        return Space(liar(dice, deed, [Discrete(rows), Discrete(cols)]), None)
    if kind < 0.95:
        return Space([Discrete(scalar(dice)), Discrete(scalar(dice))], None)
    return Space(thing(dice, deed, 3), None)
