"""Fixtures of this folder's tests: files of results, and searches without a compiler in the quick tests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

import pytest

from local_runner.system import json_lines
from workshop.game_file import NumberedResult
from workshop.gobang import leaves as gobang_leaves
from workshop.gobang.leaves import GameLeaves, collect_leaves

LEAF_NODES, GAME_NODES, ROOT_NODES = 60, 50, (150, 300, 600)


@pytest.fixture(scope="session", autouse=True)
def _in_python(request: pytest.FixtureRequest) -> Iterator[None]:
    """The quick tests compile nothing, which takes half a minute: the scripts find no compiler."""
    with pytest.MonkeyPatch.context() as patch:
        if "not slow" in request.config.option.markexpr:
            patch.setenv("CXX", "no-compiler")
        yield


def write_results(path: Path, results: Sequence[NumberedResult]) -> Path:
    """Write a file as game_file.py does."""
    path.write_bytes(b"".join(json_lines.encoded(asdict(each)) for each in results))
    return path


def small_leaves(number: int) -> GameLeaves:
    """The leaves of a game, from small searches."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gobang_leaves, "ROOT_NODES", ROOT_NODES)
        return collect_leaves(number, LEAF_NODES, GAME_NODES)


@pytest.fixture(scope="session")
def all_leaves() -> list[GameLeaves]:
    """The leaves of two games."""
    return [small_leaves(number) for number in (5, 6)]
