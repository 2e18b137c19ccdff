"""The fairest openings: found by what a deep search and longer games say, and written in the order of the book."""
from __future__ import annotations

from pathlib import Path

import pytest

from local_runner.openings.books import Opening, read
from local_runner.play import GameSetup
from workshop import gobang_fair
from workshop.bench_positions import ENV
from workshop.gobang_fair import Lead, lead, main

SETUP = GameSetup(ENV)
WON = ((7, 3), (0, 0), (7, 4), (0, 2), (7, 5), (0, 4))             # an open three, and it is to move


def _openings(monkeypatch: pytest.MonkeyPatch, openings: list[Opening], scores: dict[Opening, float]) -> None:
    """Let these be the book, and the games of each opening end so, all of them."""
    monkeypatch.setattr(gobang_fair, "book", lambda env, purpose: openings)
    monkeypatch.setattr(gobang_fair, "played_out", lambda setup, opening, nodes: scores[opening])
    monkeypatch.setattr(gobang_fair, "NODES", 300)


def test_a_lead_is_of_the_games_where_a_search_finds_it_even(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = ((7, 7), (0, 0), (14, 14), (0, 14))
    openings: list[Opening] = [drawn, WON]
    for score, ahead in ((0.5, 0), (1, len(gobang_fair.SLOW)), (0, len(gobang_fair.SLOW))):
        _openings(monkeypatch, openings, dict.fromkeys(openings, score))
        monkeypatch.setattr(gobang_fair, "is_even", lambda setup, opening, nodes, near: opening is drawn)
        assert lead(1, 300) == Lead(1, 300, ahead)
        assert lead(2, 300).lead > len(gobang_fair.SLOW)


def test_the_search_says_what_is_even() -> None:
    assert not gobang_fair.is_even(SETUP, WON, 300, 100)


def test_the_fairest_are_written_and_what_is_judged_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    openings: list[Opening] = [((7, 7), (0, column)) for column in range(6)]
    monkeypatch.setattr(gobang_fair, "book", lambda env, purpose: openings)
    monkeypatch.setattr(gobang_fair, "FAIREST", 3)
    leads, output = tmp_path / "leads.jsonl", tmp_path / "fair.pos"
    leads.write_text("".join(f'{{"number": {number}, "nodes": {gobang_fair.NODES}, "lead": {ahead}}}\n'
                             for number, ahead in ((6, 0), (1, 2), (2, 7), (3, 0), (4, 2), (5, 7))))
    judged = leads.read_bytes()
    main(leads, output)
    assert read(output, SETUP) == [openings[0], openings[2], openings[5]]
    assert leads.read_bytes() == judged
