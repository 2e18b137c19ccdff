"""The book is made level by level, and no position is searched twice, even if the command was stopped."""

from __future__ import annotations

from pathlib import Path

import pytest

import workshop.gobang.book as book
from submission.k_in_a_row.book import canonical, read

NODES = 60


@pytest.fixture
def glances(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(book, "GLANCE", 20)
    monkeypatch.setattr(book, "CLOSE", 1)
    monkeypatch.setattr(book, "REPLIES", (0, 0, 2, 1, 1))


@pytest.mark.slow
@pytest.mark.usefixtures("glances")
def test_a_command_that_was_stopped_makes_the_same_file(tmp_path: Path) -> None:
    file = tmp_path / "book.txt"
    book.main(file, 3, NODES, 1)
    whole = file.read_text()
    stopped = whole.splitlines(keepends=True)
    file.write_text("".join([*stopped[:2], *stopped[5:7]]))
    book.main(file, 3, NODES, 1)
    assert file.read_text() == whole


@pytest.mark.usefixtures("glances")
def test_every_position_is_there_once_and_has_a_reply(tmp_path: Path) -> None:
    file = tmp_path / "book.txt"
    book.main(file, 3, NODES, 1)
    rows = file.read_text().splitlines()[1:]
    replies = read(file.read_text())
    assert len(rows) == len(replies)
    counts = [book.count_stones(stones) for stones in replies]
    assert counts == sorted(counts)
    # the start; the middle and two beside it; the two replies there; and two replies to each of three moves
    assert [counts.count(stones) for stones in range(4)] == [1, 3, 2, 6]
    for stones in replies:
        assert canonical(stones, book.IMAGES)[0] == stones


@pytest.mark.usefixtures("glances")
def test_more_stones_keep_what_was_found(tmp_path: Path) -> None:
    file = tmp_path / "book.txt"
    book.main(file, 1, NODES, 1)
    before = read(file.read_text())
    book.main(file, 2, NODES + 1, 1)
    after = read(file.read_text())
    assert len(after) > len(before)
    assert before.items() <= after.items()


@pytest.mark.usefixtures("glances")
def test_a_measured_reply_stands_and_its_value_is_searched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, measured = tmp_path / "book.txt", read("h8 a1 0 0")
    monkeypatch.setattr(book, "MEASURED", measured)
    book.main(file, 1, NODES, 1)
    found = read(file.read_text())[next(iter(measured))]
    assert found.move == 0
    assert found.value < 0 < found.depth  # a stone in the corner leaves Black far ahead
