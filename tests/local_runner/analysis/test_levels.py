"""Levels: their limits, their random moves, and that a higher level is stronger than a lower one."""

import json

import pytest

from local_runner.errors import AgentError
from local_runner.processes.engine.engine_info import BestLine, EngineInfo
from local_runner.processes.engine.levels import LEVELS, chosen, level, parse_player


def look(*chances, exact=()):
    lines = tuple(BestLine((at,), chance, 0, 3, exact=dict(exact).get(at, "")) for at, chance in enumerate(chances))
    return EngineInfo(lines, chances[0], 3, 10, 0.1, finished=True)


def test_there_are_five_named_levels_with_rising_limits():
    assert [each.number for each in LEVELS] == [1, 2, 3, 4, 5] and len({each.name for each in LEVELS}) == 5
    nodes = [each.nodes for each in LEVELS[:4]]
    assert nodes == sorted(nodes) and LEVELS[4].seconds == 0.8 and LEVELS[4].use_book
    assert [each.slips for each in LEVELS] == sorted((each.slips for each in LEVELS), reverse=True)
    for number in (0, 6):
        with pytest.raises(AgentError, match="levels are 1 to 5"):
            level(number)


def test_a_level_is_an_agent_of_matches():
    assert [parse_player(name).level for name in ("level2", "greedy")] == [2, 0]
    for text, sentence in (
        ("level6", "there is no level 6"),
        ("level2:seed=1", "level2, a level of our engine, plays"),
    ):
        with pytest.raises(AgentError, match=sentence):
            parse_player(text)


@pytest.mark.slow
def test_levels_play_a_match_that_a_seed_repeats(tengen):
    command = ("match", "level1", "level2", "--env", "tictactoe_1v1", "--games", "2", "--seed", "1", "--json", "-")
    first, again = (tengen(*command) for _ in range(2))
    assert first[0] == 0
    games = [[game["cells"] for game in json.loads(said[1])["games"]] for said in (first, again)]
    assert games[0] == games[1]


def test_the_dice_depend_on_the_seed_and_the_ply():
    seen = look(*[0.5] * 16)
    moves = [[chosen(LEVELS[0], seen, seed, ply) for ply in range(30)] for seed in (1, 1, 2)]
    assert moves[0] == moves[1] != moves[2] and len(set(moves[0])) > 5


def test_without_slips_only_moves_within_the_margin_are_chosen():
    club = level(3)
    seen = look(0.50, 0.49, 0.40, 0.10)
    steady = club.__class__(**{**vars(club), "slips": 0.0})
    assert {chosen(steady, seen, 7, ply) for ply in range(100)} == {0, 1}
    assert {chosen(level(4), seen, 7, ply) for ply in range(100)} == {0}


def test_a_proved_win_is_played_and_a_proved_loss_avoided():
    steady = level(2).__class__(**{**vars(level(2)), "slips": 0.0, "margin": 1.0})
    won = look(1.0, 1.0, 0.9, exact={0: "win", 1: "win"}.items())
    assert {chosen(steady, won, 3, ply) for ply in range(50)} == {0}
    danger = look(0.6, 0.5, 0.0, exact={2: "loss"}.items())
    assert {chosen(steady, danger, 3, ply) for ply in range(50)} == {0, 1}
