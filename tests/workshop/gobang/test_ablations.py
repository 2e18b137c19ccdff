"""Switching off a part changes the search in some position, and every ablated agent can be played."""

from __future__ import annotations

from functools import cache

import pytest

from local_runner.agents.spec import parse_agent
from submission.controller import Controller
from submission.engine import Engine, Limits, engine_for
from submission.k_in_a_row.parameters import KInARowParameters
from submission.submission import SETTINGS
from submission.variant import K_IN_A_ROW, Variant
from workshop.gobang.ablations import ENGINE, PARTS, agents
from workshop.lab.bench.positions import gobang_midgames

# Some parts matter only in a search limited by nodes, some only in a deep search.
QUICK = ("late move reductions", "futility pruning")  # the others are slow
LIMITS = (Limits(depth=5), Limits(nodes=3000), Limits(depth=7))


def _thoughts(parameters: KInARowParameters, limits: Limits) -> list[tuple[int, int, int]]:
    found = []
    for moves in gobang_midgames()[:12:3]:
        engine: Engine = engine_for(Variant(K_IN_A_ROW, 15, 15, 5), parameters, use_book=False)
        stones = bytearray(225)
        for number, cell in enumerate(moves):
            stones[cell] = 1 + number % 2
        thought = engine.think(bytes(stones), len(moves) % 2, limits)
        found.append((thought.move, thought.value, thought.nodes))
    return found


@cache
def _whole(limits: Limits) -> list[tuple[int, int, int]]:
    return _thoughts(KInARowParameters(), limits)


@pytest.mark.slow
@pytest.mark.parametrize(
    "part", [pytest.param(part, marks=[] if part in QUICK else pytest.mark.slow) for part in PARTS]
)
def test_a_part_that_is_switched_off_changes_the_search(part: str) -> None:
    parameters = KInARowParameters().changed(**parse_agent(f"{ENGINE}:{PARTS[part]}").options)
    assert parameters != KInARowParameters()
    assert any(_thoughts(parameters, limits) != _whole(limits) for limits in LIMITS)


def test_every_agent_can_be_played() -> None:
    assert agents()[0] == ENGINE and len(set(agents())) == len(PARTS) + 1
    for agent in agents():
        Controller(SETTINGS).configure(**parse_agent(agent).options)
