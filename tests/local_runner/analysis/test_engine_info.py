"""The engine's info in use: chances from values, the sentence about a position, and the moves that levels choose."""

import json

import numpy as np
import pytest

from local_runner.analysis.shown import opinion
from local_runner.errors import AgentError
from local_runner.game.session import GameSession
from local_runner.game.setup import GameSetup
from local_runner.language.languages import speaking
from local_runner.processes.engine.engine_info import REVERSI_SCALES, STAGES, BestLine, Chances, EngineInfo, stage
from local_runner.processes.engine.levels import LEVELS, EngineContestant, chosen, level, parse_player
from local_runner.processes.sandbox import SandboxMode
from submission.native.library import available
from workshop.lab.winning_chance import fitted

# ---- levels


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


def test_levels_limited_by_nodes_have_the_python_engine():
    players = [EngineContestant(level(number), SandboxMode.AUTO, seed=1) for number in (4, 5)]
    for player in players:
        player.began(GameSession(GameSetup("tictactoe_1v1"), (player, player)))
        assert player.act(None, 3, 3).cell
        player.close()
    assert [player.info.compiled for player in players] == [False, available()]


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


# ---- the sentence about a position


def info(chance, *moves, **line):
    return EngineInfo((BestLine(moves or (112,), chance, 0, 4, **line),), chance, 4, 100, 0.1)


@pytest.mark.parametrize(("seen", "to_move", "expected"), [
    (info(0.5), 0, "the game is even, expects h8"), (info(0.54), 0, "the game is even, expects h8"),
    (info(0.60), 0, "Black is slightly better, expects h8"),
    (info(0.40), 1, "White is slightly better, expects h8"), (info(0.70), 0, "Black is better, expects h8"),
    (info(0.15), 0, "White is much better, expects h8"), (info(0.95), 0, "Black is winning, expects h8"),
    (info(0.5, -1), 0, "the game is even, expects a pass"),
    (info(1.0, exact="win", plies=1), 0, "Black wins with the next move"),
    (info(1.0, exact="win", plies=9), 0, "Black wins in 5 moves, expects h8"),
    (info(0.0, exact="win", plies=9), 1, "White wins in 5 moves, expects h8"),
    (info(1.0, exact="loss", plies=2), 1, "Black wins with the next move, expects h8"),
    (info(0.0, exact="loss", plies=10), 0, "White wins in 5 moves, expects h8"),
    (info(0.5, exact="draw"), 0, "it will be a draw, expects h8"),
    (info(1.0, exact="win", discs=6), 0, "Black wins by 6 discs, expects h8"),
    (info(0.0, exact="loss", discs=-6), 0, "White wins by 6 discs, expects h8"),
    (info(1.0, exact="win"), 0, "a forced win for Black, expects h8"),
    (EngineInfo((), 1.0, 0, 0, 0.0), 0, "the game is over: Black has won"),
    (EngineInfo((), 0.5, 0, 0, 0.0), 0, "the game is over: a draw"),
])  # fmt: skip
def test_the_sentence(seen, to_move, expected):
    assert opinion(seen, to_move, 15) == expected


def test_the_reply_is_expected_after_the_engines_own_move():
    assert opinion(info(0.4, 112, 97), 1, 15, at=1) == "White is slightly better, expects h7 in reply"
    assert opinion(info(0.4, 112), 1, 15, at=1) == "White is slightly better"


def test_chinese():
    with speaking("zh"):
        assert "h8" in opinion(info(0.4), 1, 15) != "White is slightly better, expects h8"


# ---- chances


def test_chances_are_symmetric_and_rise_with_the_value():
    black, white = Chances(0, 500.0), Chances(1, 500.0)
    values = [-(10**6), -500, -1, 0, 1, 500, 10**6]
    chances = [black.black(value) for value in values]
    assert chances == sorted(chances) and chances[3] == 0.5 and 0 < chances[0] < chances[-1] < 1
    assert [white.black(-value) for value in values] == pytest.approx(chances)
    assert black.black(500) == pytest.approx(0.7311, abs=1e-4)


@pytest.mark.parametrize(("exact", "mover", "chance"), [
    ("win", 0, 1.0), ("win", 1, 0.0), ("loss", 0, 0.0), ("loss", 1, 1.0), ("draw", 0, 0.5), ("draw", 1, 0.5),
])  # fmt: skip
def test_proved_results(exact, mover, chance):
    assert Chances(mover, 500.0).after({"exact": exact, "value": 77}) == chance


def test_every_game_and_size_has_a_scale():
    for env, size in (("gobang_1v1", None), ("tictactoe_1v1", None), ("reversi_1v1", None), ("reversi_1v1", 26)):
        assert Chances.of(GameSession(GameSetup(env, board_size=size))).scale > 0
    assert all(len(scales) == STAGES for scales in REVERSI_SCALES.values())
    assert [stage(64, discs) for discs in (4, 13, 40, 64)] == [0, 1, 3, STAGES - 1]


def test_the_fit_finds_the_scale_that_made_the_data():
    dice = np.random.default_rng(1)
    values = dice.normal(0, 800, 20_000)
    points = (dice.random(20_000) < 1 / (1 + np.exp(-values / 300))).astype(float)
    assert fitted(values, points) == pytest.approx(300, rel=0.05)
