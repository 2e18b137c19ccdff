"""The fairest openings: balanced for a long search and in slow games, found in one run or in several."""

from __future__ import annotations

from pathlib import Path

import pytest

from local_runner.matches.openings.books import Opening, read
from workshop.gobang import fair_openings as gobang_fair
from workshop.gobang.fair_openings import SLOW, FairnessVerdict, black_lead, judge, main, numbered_opening
from workshop.gobang.game import SETUP

WON = ((7, 3), (0, 0), (7, 4), (0, 2), (7, 5), (0, 4))  # an open three, and it is to move


@pytest.mark.parametrize("fit, even, black_wins, fair", [
    (True, True, 3, True), (True, True, 2, True), (True, True, 4, True), (True, True, 1, False), (True, True, 6, False),
    (False, True, 3, False), (True, False, 3, False)])  # fmt: skip
def test_an_opening_is_fair_if_it_passes_all_three_tests(
    fit: bool, even: bool, black_wins: int, fair: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    scores = iter([1.0] * black_wins + [0.0] * (len(SLOW) - black_wins))
    monkeypatch.setattr(gobang_fair, "is_fit", lambda *_: fit)
    monkeypatch.setattr(gobang_fair, "is_even", lambda *_: even)
    monkeypatch.setattr(gobang_fair, "play_out", lambda *_: next(scores))
    assert judge(3, 9) == FairnessVerdict(3, 9, fair)


def test_a_won_opening_is_not_fair(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gobang_fair, "numbered_opening", lambda number: WON)
    assert not judge(1, 300).fair
    monkeypatch.setattr(gobang_fair, "SLOW", (100, 200))
    assert black_lead(WON) == 2


def test_a_number_is_an_opening_and_lengths_take_turns() -> None:
    openings: list[Opening] = [numbered_opening(number) for number in range(6)]
    assert openings[:2] == [numbered_opening(number) for number in range(2)]
    assert len(set(openings)) == 6
    assert [len(opening) for opening in openings] == [4, 5, 6, 7, 8, 4]


def test_the_first_fair_openings_are_written_and_verdicts_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gobang_fair, "OPENINGS", 3)
    monkeypatch.setattr(gobang_fair, "BATCH", 4)
    file, output = tmp_path / "judged.jsonl", tmp_path / "fair.pos"
    file.write_text("".join(f'{{"number": {number}, "nodes": {gobang_fair.NODES}, "fair": {fair}}}\n'
                            for number, fair in ((6, "true"), (1, "false"), (2, "true"), (7, "true"), (3, "false"),
                                                 (5, "false"), (4, "false"), (8, "true"))))  # fmt: skip
    before = file.read_bytes()
    main(file, output)
    assert read(output, SETUP) == [numbered_opening(number) for number in (2, 6, 7)]
    assert file.read_bytes() == before
