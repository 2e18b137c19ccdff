"""The frame of the torture tests: numbers, journals, repeated trials, the table."""
from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console

from local_runner.errors import RunnerError
from workshop.torture import frame, table
from workshop.torture.frame import TortureTest, TrialOutcome

QUIET = Console(quiet=True)
SINGLE = TortureTest("single", "tortured_single", "One at a time", "no failure", 6, 1)
BATCHED = TortureTest("batched", "tortured_batched", "Several | at once", "no failure", 10, 4)


@pytest.fixture(autouse=True)
def modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The two tests as modules that the processes of the frame can import; trial 3 of each fails."""
    (tmp_path / "tortured_single.py").write_text(
        "def trial(number, scratch):\n    assert scratch.is_dir()\n    (scratch / 'file').touch()\n"
        "    return 'three is odd' if number == 3 else ''\n")
    (tmp_path / "tortured_batched.py").write_text(
        "from workshop.torture.frame import TrialOutcome\n"
        "def batch(first, count, scratch):\n"
        "    return [TrialOutcome(number, 'three' * (number == 3), {'MB': number}, {'s': [number]}, {'calls': 2})\n"
        "            for number in range(first, first + count)]\n")
    monkeypatch.syspath_prepend(tmp_path)
    yield
    for name in ("tortured_single", "tortured_batched"):
        sys.modules.pop(name, None)


@pytest.mark.parametrize("done, amount, most, batches", [
    (set(), 3, 1, [(1, 1), (2, 1), (3, 1)]),
    (set(), 10, 4, [(1, 4), (5, 4), (9, 2)]),
    ({1, 2, 6}, 10, 4, [(3, 3), (7, 4)]),
    ({1, 2, 3}, 3, 4, []),
    ({1, 9}, 3, 4, [(2, 2)]),
])
def test_what_is_lacking(done: set[int], amount: int, most: int, batches: list[tuple[int, int]]) -> None:
    assert frame.lacking(done, amount, most) == batches


def test_a_run_goes_on_where_it_was_killed(tmp_path: Path) -> None:
    frame.run(SINGLE, tmp_path, 2, 4, QUIET)
    with open(tmp_path / "single.jsonl", "ab") as journal:
        journal.write(b'{"key": [5, 1], "fai')
    (frame.scratch_of(SINGLE, tmp_path) / "rest").mkdir()
    frame.run(SINGLE, tmp_path, 1, 6, QUIET)
    journal = frame.journal_of(SINGLE, tmp_path)
    assert journal
    assert frame.done(journal.results) == {1, 2, 3, 4, 5, 6}
    assert not list(frame.scratch_of(SINGLE, tmp_path).iterdir())
    found = table.tally(SINGLE, [tmp_path])
    assert (found.done, found.failed, found.first, found.fault) == (6, 1, 3, "three is odd")


def test_batches_with_figures(tmp_path: Path) -> None:
    frame.run(BATCHED, tmp_path, 2, 10, QUIET)
    found = table.tally(BATCHED, [tmp_path])
    assert (found.done, found.failed, found.first) == (10, 1, 3)
    assert found.measured == "20 calls; most MB: 10; s: 10, p99.9 10, most 10"


def test_a_trial_is_repeated_alone() -> None:
    assert frame.do(SINGLE, 3, 1) == [TrialOutcome(3, "three is odd")]
    assert frame.do(SINGLE, 4, 1) == [TrialOutcome(4)]


def test_the_table_stands_between_its_markers(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"above\n{table.BEGIN}\nold\n{table.END}\nbelow\n")
    frame.run(BATCHED, tmp_path, 1, 2, QUIET)
    table.write_into_page([table.tally(BATCHED, [tmp_path])], page)
    text = page.read_text()
    assert text.startswith(f"above\n{table.BEGIN}\n\n| test |") and text.endswith(f"|\n\n{table.END}\nbelow\n")
    assert "| Several \\| at once (`batched`) | 2 | 10 | no failure | 0 | 4 calls" in text
    assert "old" not in text


def test_a_page_without_markers_is_refused(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("nothing\n")
    with pytest.raises(RunnerError, match="lacks the markers"):
        table.write_into_page([], page)
    assert page.read_text() == "nothing\n"


def test_an_unknown_test_is_refused() -> None:
    with pytest.raises(RunnerError, match="no torture test 'no'"):
        frame.find("no")


def test_the_page_has_the_markers() -> None:
    assert table.PAGE.read_text("utf-8").count(table.BEGIN) == table.PAGE.read_text("utf-8").count(table.END) == 1


def test_every_test_says_what_it_does() -> None:
    assert all(test.title and test.amount > 0 and test.name.replace("-", "_").isidentifier() for test in frame.tests())
    assert len({test.name for test in frame.tests()}) == len(frame.tests())
