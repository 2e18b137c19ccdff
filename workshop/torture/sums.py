"""What several sittings on several machines found in one torture test, added up.

A sitting is a journal (frame.py), or a part of the committed file docs/trust/NAME.json, which is a journal without its
single results: failures, largest figures, counts, and measured values as histograms. A trial counts once, in the first
sitting that has it. Values are counted in steps of a thousandth, rounded up, so a percentile is never too small.

    {"sittings": [{"on": {"cpu": ..., "begun": ...}, "trials": [[1, 40], [43, 60]], "failed": 0, "faults": [],
                   "most": {"RSS, MB": 160}, "counts": {"valid": 9}, "samples": {"alone, s": {"803": 12, "804": 3}}}]}
"""
from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from local_runner.errors import RunnerError
from local_runner.files import write_whole
from local_runner.study.journal import Journal
from workshop.torture.frame import SHOWN_FAULTS, TortureTest, done, journal_of

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "trust"
STEPS = 1000                # of a histogram, to one: milliseconds for seconds
MACHINE = ("tengen", "commit", "python", "system", "cpu", "cores", "begun")    # of a journal's header


@dataclass
class Sums:
    """What trials found. `samples`: name -> value in thousandths -> how often; the rest as in a line of a journal."""

    trials: set[int] = field(default_factory=set)
    failed: int = 0
    faults: list[tuple[int, str]] = field(default_factory=list)
    most: dict[str, float] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)
    samples: dict[str, Counter[int]] = field(default_factory=dict)

    def add(self, other: Sums) -> None:
        """Add trials that are not here yet."""
        self.trials |= other.trials
        self.failed += other.failed
        self.faults = sorted([*self.faults, *other.faults])
        self.counts += other.counts
        for name, value in other.most.items():
            self.most[name] = max(value, self.most.get(name, value))
        for name, values in other.samples.items():
            self.samples.setdefault(name, Counter()).update(values)


def summed(test: TortureTest, journals: Sequence[Path], kept: Path | None = None) -> Sums:
    """All that is known of a test: its committed file in the folder `kept`, and the journals in these folders."""
    found = Sums()
    for sitting in sittings(test, kept or FOLDER):
        part = _of_sitting(sitting)
        if not part.trials & found.trials:
            found.add(part)
    for folder in journals:
        if (journal := journal_of(test, folder)) is not None:
            found.add(_of_journal(journal, found.trials))
    return found


def keep(test: TortureTest, journals: Sequence[Path], kept: Path | None = None) -> int:
    """Add what the journals have and the committed file has not to that file; returns how many trials that was."""
    folder = kept or FOLDER
    known = list(sittings(test, folder))
    before = after = len(trials := summed(test, (), folder).trials)
    for place in journals:
        if (journal := journal_of(test, place)) is None:
            continue
        part = _of_journal(journal, trials)
        if part.trials:
            known.append({"on": {name: journal.head["header"].get(name, "") for name in MACHINE}, **_as_json(part)})
            trials |= part.trials
            after = len(trials)
    if after > before:
        folder.mkdir(exist_ok=True)
        lines = ",\n".join(json.dumps(sitting, allow_nan=False) for sitting in known)
        path = folder / f"{test.name}.json"
        write_whole(path, f'{{"sittings": [\n{lines}\n]}}\n', f"make {path} writable")
    return after - before


def sittings(test: TortureTest, kept: Path) -> list[Any]:
    """The sittings in the committed file; RunnerError if it is damaged."""
    path = kept / f"{test.name}.json"
    try:
        found = json.loads(path.read_text("utf-8"))["sittings"]
        for sitting in found:
            _of_sitting(sitting)
    except FileNotFoundError:
        return []
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise RunnerError(f"{path} cannot be read ({error!r}); take it from the repository again") from error
    return list(found)


def percentile(values: Mapping[int, int], percent: float) -> float:
    """As `statistics.counts.percentile`, of a histogram in thousandths.

    >>> percentile({803: 999, 900: 1}, 99.9)
    0.803
    """
    rank = math.ceil(Fraction(str(percent)) * sum(values.values()) / 100)
    for value in sorted(values):
        rank -= values[value]
        if rank <= 0:
            return value / STEPS
    raise ValueError("a percentile needs at least one value")


def _of_journal(journal: Journal, known: set[int]) -> Sums:
    """What a journal found; without lines that have a trial which is known."""
    found = Sums()
    for key, line in journal.results.items():
        numbers = done([key])
        if numbers & (known | found.trials):
            continue
        found.add(Sums(numbers, line["failed"], [(number, fault) for number, fault in line["faults"]], line["most"],
                       Counter(line["counts"]), {name: _counted(values) for name, values in line["samples"].items()}))
    return found


def _counted(values: Iterable[float]) -> Counter[int]:
    return Counter(math.ceil(round(value * STEPS, 2)) for value in values)


def _of_sitting(sitting: Mapping[str, Any]) -> Sums:
    numbers = {number for first, last in sitting["trials"] for number in range(first, last + 1)}
    samples = {name: Counter({int(value): int(count) for value, count in values.items()})
               for name, values in sitting["samples"].items()}
    faults = [(number, fault) for number, fault in sitting["faults"]]
    return Sums(numbers, sitting["failed"], faults, dict(sitting["most"]), Counter(sitting["counts"]), samples)


def _as_json(sums: Sums) -> dict[str, Any]:
    samples = {name: {str(value): values[value] for value in sorted(values)} for name, values in sums.samples.items()}
    return {"trials": _runs(sums.trials), "failed": sums.failed, "faults": sums.faults[:SHOWN_FAULTS],
            "most": sums.most, "counts": dict(sorted(sums.counts.items())), "samples": samples}


def _runs(numbers: Iterable[int]) -> list[list[int]]:
    """The numbers as runs, each by its first and last."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and runs[-1][1] == number - 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return runs
