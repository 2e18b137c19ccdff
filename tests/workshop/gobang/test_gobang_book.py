"""The book is made level by level, and no position is searched twice, even if the command was stopped."""

from __future__ import annotations

from pathlib import Path

import pytest

import workshop.gobang.book as book
from submission.k_in_a_row.book import canonical, read

NODES = 60


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(book, "GLANCE", 20)
    monkeypatch.setattr(book, "CLOSE", 1)
    monkeypatch.setattr(book, "REPLIES", (0, 0, 2, 1, 1))


@pytest.mark.slow
def test_every_position_is_there_once_and_a_stopped_command_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "book.txt"
    book.main(file, 1, NODES, 1)
    before = read(file.read_text())
    book.main(file, 3, NODES, 1)
    rows, replies = file.read_text().splitlines(keepends=True), read(file.read_text())
    assert before.items() <= replies.items() and len(rows) - 1 == len(replies)
    counts = [book.count_stones(stones) for stones in replies]
    assert counts == sorted(counts)
    # the start; the middle and two beside it; the two replies there; and two replies to each of three moves
    assert [counts.count(stones) for stones in range(4)] == [1, 3, 2, 6]
    assert all(canonical(stones, book.IMAGES)[0] == stones for stones in replies)
    file.write_text("".join([*rows[:2], *rows[4:11]]))
    book.main(file, 3, NODES, 1)
    assert file.read_text() == "".join(rows)


def test_the_value_of_a_measured_reply_is_searched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, measured = tmp_path / "book.txt", read("h8 a1 0 0")
    monkeypatch.setattr(book, "MEASURED", measured)
    book.main(file, 1, NODES, 1)
    found = read(file.read_text())[next(iter(measured))]
    assert found.move == 0
    assert found.value < 0 < found.depth  # a stone in the corner leaves Black far ahead
