"""The action space of agents: the public names and the behaviour of the site's `Discrete`, held here as tables.

The tables were read off gym 0.18.3 under Python 3.7 with numpy 1.19.5. The site's own class has the same names.
"""

import copy
import pickle

import numpy
import pytest

from local_runner.processes.agent_side import action_space as spaces
from local_runner.processes.agent_side.action_space import Discrete

# The public names of an instance: the same in gym 0.18.3 and in the site's utils/discrete.py with utils/space.py.
NAMES = {"contains", "dtype", "from_jsonable", "n", "np_random", "sample", "seed", "shape", "to_jsonable"}
# (n, seed) -> the first samples after seed(seed)
SAMPLES = {
    (5, 3): [3, 3, 1, 2, 2],
    (1, 3): [0, 0, 0, 0, 0],
    (15, 0): [0, 14, 6, 11, 13],
    (10, 7): [0, 0, 3, 8, 8],
    (225, 2**63): [62, 76, 138, 0, 32],
}
# value -> whether it is in Discrete(5)
CONTAINED = [
    (0, True), (4, True), (5, False), (-1, False), (True, True), (2.0, False), ("2", False), (None, False),
    ([2], False), (numpy.int64(3), True), (numpy.uint8(4), True), (numpy.int8(-1), False), (numpy.int64(9), False),
    (numpy.array(3), True), (numpy.array([3]), False), (numpy.float64(3), False), (numpy.bool_(True), False),
]  # fmt: skip


def test_public_names() -> None:
    assert {name for name in dir(Discrete(5)) if not name.startswith("_")} == NAMES


@pytest.mark.parametrize(("n", "seed"), SAMPLES)
def test_samples_of_a_seed(n, seed) -> None:
    """`sample` and numpy's generator `np_random` draw from one sequence, in any order of calls."""
    space, other, third = Discrete(n), Discrete(n), Discrete(n)
    assert [each.seed(seed) for each in (space, other, third)] == [[seed]] * 3
    assert [space.sample() for _ in range(5)] == SAMPLES[n, seed]
    assert [int(other.np_random.randint(n)) for _ in range(5)] == SAMPLES[n, seed]
    mixed = [third.sample(), third.sample(), int(third.np_random.randint(n)), third.sample(), third.sample()]
    assert mixed == SAMPLES[n, seed]


@pytest.mark.parametrize(("value", "expected"), CONTAINED, ids=[repr(row[0]) for row in CONTAINED])
def test_contains(value, expected) -> None:
    assert (value in Discrete(5), Discrete(5).contains(value)) == (expected, expected)


def test_values_and_types() -> None:
    space = Discrete(5)
    assert (space.n, space.shape, space.dtype, repr(space)) == (5, (), numpy.dtype("int64"), "Discrete(5)")
    assert type(space.sample()) is int and type(space.np_random) is numpy.random.RandomState
    assert (space.to_jsonable([1, 2]), space.from_jsonable([1, 2])) == ([1, 2], [1, 2])
    assert 0 <= space.seed()[0] < 2**64 and space.seed(2**64 + 5) == [5]
    assert (type(space).__name__, type(space)(3).n) == ("Discrete", 3)


def test_equality_and_copies() -> None:
    space = Discrete(5)
    assert space == Discrete(5) and space != Discrete(4) and space != 5
    space.seed(3)
    for twin in (copy.deepcopy(space), pickle.loads(pickle.dumps(space))):
        assert twin == space and [twin.sample() for _ in range(5)] == SAMPLES[5, 3]


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: Discrete(-1), AssertionError),
        (lambda: Discrete(5).seed(-1), ValueError),
        (lambda: Discrete(5).seed("3"), ValueError),
        (lambda: Discrete(5).seed(numpy.int64(3)), ValueError),
        (lambda: Discrete(0).sample(), ValueError),
        (lambda: hash(Discrete(5)), TypeError),
        (lambda: len(Discrete(5)), TypeError),
        (lambda: list(Discrete(5)), TypeError),
        (lambda: Discrete(), TypeError),
    ],
)
def test_what_the_sites_class_refuses(call, error) -> None:
    with pytest.raises(error):
        call()


def test_without_numpy(monkeypatch) -> None:
    for name in ("numpy", "numpy.random"):
        monkeypatch.setitem(spaces.sys.modules, name, None)
    space = Discrete(5)
    assert (space.seed(3), [space.sample() for _ in range(5)]) == ([3], SAMPLES[5, 3])
    assert (3 in space, 2.0 in space, space.dtype) == (True, False, "int64")
