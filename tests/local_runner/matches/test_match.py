"""Matches: pairs, colours, openings, seeds, files, and the summary."""

import json
import random
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from local_runner.agents.spec import parse_agent
from local_runner.command_line.options import GameOptions
from local_runner.game.faults import Reason
from local_runner.game.setup import GameSetup
from local_runner.matches import run
from local_runner.matches.games import Games, PlayedGame
from local_runner.matches.openings import deal
from local_runner.matches.plan import Terms, match_plan
from local_runner.matches.reports import Times, final_board, summarise
from local_runner.matches.run import play_match
from local_runner.matches.schedule import Pairing
from local_runner.matches.statistics.elo import Tally
from tests.local_runner.matches.small import full_board
from tests.local_runner.processes.naughty import PATIENT, path_of, written


def plan_for(a, b, games=2, env="tictactoe_1v1", seed=0, openings=None):
    setup = GameSetup(env, seed=seed)
    return match_plan((parse_agent(a), parse_agent(b)), Terms(setup, PATIENT), games, openings)


def played(*arguments, log_dir=None, **settings):
    plan = plan_for(*arguments, **settings)
    return plan, list(play_match(Games(plan), log_dir=log_dir))


@pytest.mark.parametrize("openings, plies, lengths", [
    (None, None, [0, 1]), (None, 0, [0, 0]), (None, 2, [0, 2]), ("random", None, [1, 1]), ("random", 3, [3, 3]),
    ("start", None, [0, 0]),
])  # fmt: skip
def test_the_openings_of_a_match(openings, plies, lengths):
    terms = Terms(GameSetup("tictactoe_1v1"))
    plan = match_plan((parse_agent("greedy"), parse_agent("random")), terms, 3, openings, plies)
    assert [len(plan.opening(pair)) for pair in (1, 2)] == lengths


def test_openings_are_made_when_their_games_begin(monkeypatch):
    """A match of 100,000 games begins at once."""
    made = []
    monkeypatch.setattr(deal, "random_opening", lambda setup, plies, seed: made.append(seed) or ())
    assert plan_for("greedy", "random", games=100_000).games == 100_000
    assert len(made) == 1


def test_an_agent_cannot_tell_its_game_from_its_seed():
    """Without --seed, no formula of small numbers gives an agent's seed."""
    [game, _other] = plan_for("greedy", "random").pair(1, Pairing(0, 1), ())
    guesses = [random.Random(f"game {seed} {number}") for seed in range(20) for number in range(20)]
    assert not {each.getrandbits(31) for each in guesses for _ in range(3)} & {*game.agent_seeds, game.setup.seed}
    seeds = {GameOptions().setup().seed for _ in range(5)}
    assert len(seeds) == 5 and 0 not in seeds


def test_the_sums():
    plan, games = played(path_of("first_free"), path_of("answering:answer=corner"), games=3)
    a, b = summarise(plan, games)
    assert (a.as_black, a.as_white) == (Tally(wins=2), tally_of(games[1]))
    assert a.total.games == b.total.games == 3
    assert a.total.score + b.total.score == 3
    assert (a.faults, b.faults) == (0, sum(game.result.reason != Reason.RULES for game in games))
    assert b.faults >= 2
    calls = sum(len(game.details.calls) for game in games)
    assert sum(times.calls for one in (a, b) for times in (one.on_turn, one.off_turn)) == calls
    for one in (a, b):
        assert 0 < one.on_turn.p50 <= one.on_turn.p99 <= one.on_turn.longest < PATIENT.seconds
        assert 5 < one.peak_mb < 60 and one.warnings == ()


def tally_of(game):
    """White's tally of one game."""
    return {0: Tally(draws=1), 1: Tally(losses=1), 2: Tally(wins=1), 3: Tally(draws=1)}[game.winner]


@pytest.mark.slow
@pytest.mark.parametrize(("a", "b", "env"), [
    ("seed001:depth=1", "random:seed=2", "reversi_8x8_1v1"),
    ("greedy", path_of("raiser"), "tictactoe_1v1"),
])  # fmt: skip
def test_the_end_of_a_game_is_the_logs(a, b, env, tmp_path):
    """The moves in the platform's log lead to the final board, with openings, passes and faults."""
    plan, games = played(a, b, games=2, env=env, log_dir=tmp_path)
    for game in games:
        board = [list(row) for row in GameSetup(env).make().stones()]
        log = json.loads(Path(game.details.log).read_text("utf-8"))
        for step in log["steps"]:
            after = step["info_after"]
            mover = int(step["info_before"][-1])
            for row, col in [after["action"], *after.get("reverse_positions", [])] if after else []:
                board[row][col] = mover
        end = final_board(plan, game)
        assert end.stones == tuple(map(tuple, board))
        played_cells = [tuple(step["info_after"]["action"]) for step in log["steps"] if step["info_after"]]
        assert end.last == (played_cells[-1] if played_cells else None)
        for player, side in enumerate(end.sides):
            own = [call.seconds for call in game.details.calls if call.turn and call.player == player]
            assert side.agent == plan.names[player ^ game.black]
            assert side.pieces == sum(row.count(player + 1) for row in board)
            assert (side.last_seconds, side.total_seconds) == ((own or [0.0])[-1], sum(own))


def test_an_agent_against_itself_is_told_apart():
    assert plan_for("greedy", "greedy").names == ("greedy (A)", "greedy (B)")
    assert plan_for("greedy", "random").names == ("greedy", "random")
    three = replace(plan_for("greedy", "random"), agents=tuple(map(parse_agent, ("greedy", "random", "greedy"))))
    assert three.names == ("greedy (A)", "random", "greedy (C)")


@pytest.mark.parametrize(("env", "warned"), [("gobang_1v1", True), ("reversi_8x8_1v1", False)])
def test_a_match_of_no_games_warns_of_syntax_that_is_too_new_for_the_site(env, warned, tmp_path):
    """reversi_8x8_1v1 is a game of the Mo platform, whose Python is newer."""
    a, b = summarise(plan_for(written(tmp_path, "match 0:\n    case _: pass"), "random", env=env), [])
    assert (a.total.games, a.on_turn, a.peak_mb, b.warnings) == (0, Times(), 0.0, ())
    assert ["runs Python 3.7" in text for text in a.warnings] == [True] * warned


@pytest.mark.slow
def test_a_log_and_the_output_of_every_game_are_kept_and_never_overwritten(tmp_path):
    for _ in range(2):
        _, [game] = played(path_of("first_free"), path_of("printer"), games=1, log_dir=tmp_path / "logs")
    assert sorted(path.name for path in (tmp_path / "logs").iterdir()) == [
        "game001.json", "game001_2.json", "game001_black.txt", "game001_black_2.txt", "game001_white.txt",
        "game001_white_2.txt",
    ]  # fmt: skip
    assert Path(game.details.log).name == "game001_2.json"
    log = json.loads(Path(game.details.log).read_text(encoding="utf-8"))
    assert log["game_name"] == "tictactoe_1v1"
    assert (log["result"]["black"], log["result"]["white"]) == ("first_free", "printer")


@pytest.mark.parametrize(
    ("black", "kept"),
    [("raiser", True), ("answering:answer=short", False)],  # the second prints nothing
)
def test_without_a_folder_only_the_output_of_lost_games_is_kept(black, kept, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    played(path_of(black), path_of("first_free"), games=1)
    assert [path.name[:13] for path in tmp_path.iterdir()] == ["tengen-match-"] * kept


def test_an_agent_that_cannot_be_played_ends_a_match_before_the_first_game_only(monkeypatch):
    """Later it loses the game: until the first game, no process has loaded it."""
    told = []

    def play(game, *_, checked, **__):
        told.append((game.number, checked))
        return PlayedGame(game.number, *game.players, full_board(1), "", 0, "", "", 0.0)

    monkeypatch.setattr(run, "play", play)
    played("greedy", "random", games=3)
    assert told == [(1, False), (2, True), (3, True)]


def test_a_match_that_is_broken_off_leaves_nothing_behind(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    with closing(play_match(Games(plan_for(path_of("first_free"), path_of("printer"), games=4)))) as playing:
        assert next(playing).number == 1 and list(tmp_path.iterdir())
    assert list(tmp_path.iterdir()) == []
