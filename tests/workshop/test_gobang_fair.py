"""The fairest openings: balanced to a deep search and to longer games, found in one go or in several."""
from __future__ import annotations

from pathlib import Path

import pytest

from local_runner.openings.books import Opening, read
from workshop import gobang_fair
from workshop.gobang_fair import SETUP, SLOW, Judged, judged, lead, main, opening

WON = ((7, 3), (0, 0), (7, 4), (0, 2), (7, 5), (0, 4))             # an open three, and it is to move


@pytest.mark.parametrize("fit, even, black_wins, fair", [
    (True, True, 3, True), (True, True, 2, True), (True, True, 4, True), (True, True, 1, False), (True, True, 6, False),
    (False, True, 3, False), (True, False, 3, False)])
def test_fair_is_what_all_find_even(fit: bool, even: bool, black_wins: int, fair: bool,
                                    monkeypatch: pytest.MonkeyPatch) -> None:
    scores = iter([1.0] * black_wins + [0.0] * (len(SLOW) - black_wins))
    monkeypatch.setattr(gobang_fair, "is_fit", lambda *_: fit)
    monkeypatch.setattr(gobang_fair, "is_even", lambda *_: even)
    monkeypatch.setattr(gobang_fair, "played_out", lambda *_: next(scores))
    assert judged(3, 9) == Judged(3, 9, fair)


def test_a_won_opening_is_not_fair(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gobang_fair, "opening", lambda number: WON)
    assert not judged(1, 300).fair
    monkeypatch.setattr(gobang_fair, "SLOW", (100, 200))
    assert lead(WON) == 2


def test_openings_are_dealt_by_their_numbers() -> None:
    dealt: list[Opening] = [opening(number) for number in range(10)]
    assert dealt == [opening(number) for number in range(10)]
    assert len(set(dealt)) == 10
    assert [len(each) for each in dealt] == [4, 5, 6, 7, 8] * 2


def test_the_first_fair_ones_are_written_and_what_is_judged_stays(tmp_path: Path,
                                                                 monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gobang_fair, "OPENINGS", 3)
    monkeypatch.setattr(gobang_fair, "BATCH", 4)
    file, output = tmp_path / "judged.jsonl", tmp_path / "fair.pos"
    file.write_text("".join(f'{{"number": {number}, "nodes": {gobang_fair.NODES}, "fair": {fair}}}\n'
                            for number, fair in ((6, "true"), (1, "false"), (2, "true"), (7, "true"), (3, "false"),
                                                 (5, "false"), (4, "false"), (8, "true"))))
    before = file.read_bytes()
    main(file, output)
    assert read(output, SETUP) == [opening(number) for number in (2, 6, 7)]
    assert file.read_bytes() == before
