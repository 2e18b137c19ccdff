"""Several sittings of a torture test add up: journals, and the files of docs/trust; each trial counts once."""
from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from local_runner.errors import RunnerError
from local_runner.statistics import counts
from local_runner.study.journal import open_journal
from workshop.torture import frame, sums, table
from workshop.torture.frame import TortureTest, TrialOutcome

TIMED = TortureTest("timed", "no_module", "Timed", "no failure", 12, 2)


def sat(folder: Path, *batches: tuple[int, int]) -> Path:
    """A folder with a journal of these batches; trial 3 fails, and each trial has two values."""
    with open_journal(folder / "timed.jsonl", {"test": "timed"}) as journal:
        for first, number in batches:
            outcomes = [TrialOutcome(trial, "slow" * (trial == 3), {"MB": trial},
                                     {"alone, s": [trial / 100, 0.80301]}, {"calls": 2})
                        for trial in range(first, first + number)]
            journal.add((first, number), frame.to_line(outcomes))
    return folder


def test_journals_add_up_and_a_trial_counts_once(tmp_path: Path) -> None:
    places = [sat(tmp_path / "a", (1, 2), (3, 2)), sat(tmp_path / "b", (3, 2), (5, 1)), tmp_path / "nothing here"]
    found = sums.summed(TIMED, places, tmp_path)
    assert (found.trials, found.failed, found.faults) == ({1, 2, 3, 4, 5}, 1, [(3, "slow")])
    assert (found.counts, found.most) == ({"calls": 10}, {"MB": 5})
    assert found.samples == {"alone, s": Counter({10: 1, 20: 1, 30: 1, 40: 1, 50: 1, 804: 5})}
    shown = table.tally(TIMED, places, tmp_path)
    assert shown.measured == "10 calls; most MB: 5; alone, s: 10, p99.9 0.804, most 0.804"


def test_what_is_kept_is_the_same_without_the_journals(tmp_path: Path) -> None:
    kept, first, second = tmp_path / "kept", sat(tmp_path / "a", (1, 2)), tmp_path / "b"
    assert sums.keep(TIMED, [first, second], kept) == 2
    sat(second, (3, 2), (7, 1))
    assert sums.keep(TIMED, [first, second], kept) == 3
    assert sums.keep(TIMED, [first, second], kept) == 0
    assert sums.summed(TIMED, [], kept) == sums.summed(TIMED, [first, second], tmp_path / "none")
    assert sums.summed(TIMED, [first, second], kept) == sums.summed(TIMED, [], kept)
    one, other = sums.sittings(TIMED, kept)
    assert (one["trials"], other["trials"]) == ([[1, 2]], [[3, 4], [7, 7]])
    assert one["on"]["begun"] and "machine" not in one["on"]


def test_a_journal_that_grew_after_it_was_kept(tmp_path: Path) -> None:
    kept, place = tmp_path / "kept", sat(tmp_path / "a", (1, 2))
    sums.keep(TIMED, [place], kept)
    sat(place, (3, 2))
    assert sums.summed(TIMED, [place], kept).counts == {"calls": 8}
    assert sums.keep(TIMED, [place], kept) == 2


def test_trials_of_other_sittings_are_not_done_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    monkeypatch.setattr(frame, "_in_processes", lambda test, waiting, *_: asked.extend(waiting) or iter(()))
    frame.run(TIMED, sat(tmp_path, (1, 2)), 1, 9, frame.Console(quiet=True), {3, 4, 7})
    assert asked == [(5, 2), (8, 2)]


@pytest.mark.parametrize("text", ["", "{}", '{"sittings": [{}]}', '{"sittings": [{"trials": 1}]}', "[]"])
def test_a_damaged_file_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "timed.json").write_text(text)
    with pytest.raises(RunnerError, match=r"timed\.json cannot be read"):
        sums.summed(TIMED, [], tmp_path)


@pytest.mark.parametrize("percent", [0.1, 50, 99, 99.9, 100])
def test_percentiles_are_those_of_the_values(percent: float) -> None:
    values = [number * number % 997 for number in range(1, 1200)]
    assert sums.percentile(Counter(values), percent) * sums.STEPS == pytest.approx(counts.percentile(values, percent))


def test_the_page_has_the_table_of_the_kept_files() -> None:
    """Written on a machine without journals, the table is what it was."""
    rows = table.markdown([table.tally(test, []) for test in frame.tests()])
    assert rows in table.PAGE.read_text("utf-8")
    assert all(json.loads(path.read_text("utf-8"))["sittings"] for path in sums.FOLDER.glob("*.json"))
