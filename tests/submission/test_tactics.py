"""Tactics in drawings: the search must find a marked move. test_threats.py proves the wins by the naive rules."""

from __future__ import annotations

import pytest

from submission.search.clock import Deadline
from submission.search.deepening import Search
from submission.search.searchable import PROVED_WIN, WIN

from . import tactics
from .boards import both_colours
from .tactics import FALSE, LONG_WIN, STOP

NODES = 10000
WINS = {**tactics.WIN, **LONG_WIN}


@pytest.mark.parametrize("name", WINS)
def test_the_search_plays_a_win(name: str) -> None:
    depth, threats, drawing = WINS[name]
    for drawn, position in both_colours(drawing):
        thought = Search().think(position, Deadline(None, NODES))
        if position.outcome() is None:
            assert (thought.source, thought.value) == ("threats", WIN - len(thought.pv))
        assert (position.outcome() or thought.value) > PROVED_WIN
        longer = threats and thought.value <= WIN - 2 * depth
        assert thought.move in drawn.marked or longer  # test_threats.py plays out the longer ones


@pytest.mark.parametrize("name", STOP)
def test_the_search_stops_a_win(name: str) -> None:
    for drawn, position in both_colours(STOP[name].drawing):
        assert Search().think(position, Deadline(None, NODES)).move in drawn.marked


@pytest.mark.parametrize("nodes", [4000, pytest.param(NODES, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", FALSE)
def test_a_false_win_is_not_claimed(name: str, nodes: int) -> None:
    for _, position in both_colours(FALSE[name].drawing.upper()):
        assert position.outcome() is None
        assert Search().think(position, Deadline(None, nodes)).value < PROVED_WIN
