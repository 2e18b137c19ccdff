"""Fixtures of this folder's tests: files of results, and leaves; the tests that need the compiled library."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import pytest

from local_runner.system import json_lines
from submission.native.library import available
from tests.conftest import NO_LIBRARY
from workshop.game_file import NumberedResult
from workshop.gobang import leaves as gobang_leaves
from workshop.gobang.leaves import GameLeaves, collect_leaves

LEAF_NODES, GAME_NODES, ROOT_NODES = 60, 50, (150, 300, 600)


HERE = Path(__file__).parent
BY_LIBRARY = {"gobang", "native", "reversi", "test_game_file.py"}  # their tests search by the compiled engine


@pytest.hookimpl(tryfirst=True)  # before -m chooses
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that need the library are skipped without it. Those of native/ are slow: they search much."""
    for item in items:
        folder = item.path.relative_to(HERE).parts[0] if HERE in item.path.parents else ""
        if folder == "native" and not item.get_closest_marker("long"):
            item.add_marker(pytest.mark.slow)
        if folder in BY_LIBRARY and not available():
            item.add_marker(pytest.mark.skip(reason=NO_LIBRARY))


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
