"""The studies of searches at a small size: counts against the referee, plots, and continuing after a kill."""

import statistics
from collections import defaultdict
from itertools import product

import pytest

from env_adapter import answer, make
from local_runner.agents.opponents.searchers import minimax
from tests.local_runner.agents import naive_reversi
from workshop.lab.study import depth_time, pruning
from workshop.lab.study.positions import random_openings

TICTACTOE = ("--env", "tictactoe_1v1")


@pytest.mark.slow
def test_pruning_counts_what_the_referee_counts(study, rows_of, tmp_path):
    folder = tmp_path / "out"
    small = (*TICTACTOE, "--env", "reversi_8x8_1v1", "--positions", 2, "--depth", 3, "--nodes", 100)
    code, out, _ = study("pruning", *small, "--out", folder)
    assert code == 0 and "Knuth" in out
    rows = rows_of(folder, "pruning")
    nodes = {(row["game"], row["searcher"], row["depth"]): row["nodes"] for row in rows}
    for env in ("tictactoe_1v1", "reversi_8x8_1v1"):
        openings = random_openings(env, 2, pruning.PLIES[env], 0)
        deepest = max(depth for game, name, depth in nodes if (game, name) == (env, "minimax"))
        assert deepest >= 2
        levels = [[len(sequences(env, line, ply)) for ply in range(deepest + 1)] for line in openings]
        for depth in range(1, deepest + 1):
            assert nodes[env, "minimax", depth] == statistics.fmean(sum(level[: depth + 1]) for level in levels)
        assert all(nodes[env, "alpha-beta", d] <= nodes[env, "minimax", d] for d in range(1, deepest + 1))
        b = nodes[env, pruning.UPPER, 1] - 1
        assert sum(b**ply for ply in range(deepest + 1)) == pytest.approx(nodes[env, "minimax", deepest])
        assert nodes[env, pruning.UPPER, 2] == pytest.approx(1 + b + b * b)
        assert nodes[env, pruning.LOWER, 2] == pytest.approx(1 + b + (b + b - 1))
        assert nodes[env, pruning.LOWER, 1] == pytest.approx(1 + b)


def sequences(env_name, line, plies):
    """All continuations of that many plies by the referee's rules."""
    found = [tuple(line)]
    for _ in range(plies):
        found = [(*moves, cell) for moves in found for cell in legal_after(env_name, moves)]
    return found


def legal_after(env_name, moves):
    env = make(env_name, rules="stated")
    for cell in moves:
        env.step([answer(cell, env.board_height, env.board_width)] * 2)
    return [] if env.is_terminal() else env.legal_moves()


def test_pruning_goes_no_deeper_than_it_may(study, without_plots, rows_of, tmp_path):
    """A smaller limit shows fewer of the same results; a larger one measures the missing ones."""
    found = {}
    for nodes in (5, 40, 5):
        code, _, _ = study("pruning", *TICTACTOE, "--positions", 1, "--depth", 3, "--nodes", nodes,
                           "--out", tmp_path / "out")  # fmt: skip
        rows = rows_of(tmp_path / "out")
        depths = {row["depth"] for row in rows if row["searcher"] == "minimax"}
        assert code == 0 and depths == ({1} if nodes == 5 else {1, 2})
        assert found.setdefault(nodes, rows) == rows


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_the_bound_is_that_of_a_perfectly_ordered_tree(depth):
    """With three moves everywhere and the best one first, alpha-beta visits exactly the lower bound."""

    def alphabeta(plies, value, alpha, beta, seen):
        seen[0] += 1
        if plies == 0:
            return value
        for move in range(3):  # the first keeps the value, the others are worse for the mover
            found = -alphabeta(plies - 1, -(value - move), -beta, -alpha, seen)
            alpha = max(alpha, found)
            if alpha >= beta:
                break
        return alpha

    seen = [0]
    assert alphabeta(depth, 0, -9, 9, seen) == 0
    upper, lower = pruning.bounds(3, depth)
    assert lower == seen[0] and upper == sum(3**ply for ply in range(depth + 1))


@pytest.mark.parametrize("env", ["tictactoe_1v1", pytest.param("gobang_1v1", marks=pytest.mark.slow)])
def test_every_searcher_finds_minimaxs_value(env):
    [line] = random_openings(env, 1, pruning.PLIES[env], 5)
    value = minimax(pruning.game_after(env, line), 2).value
    assert {pruning.searched(pruning.game_after(env, line), name, 2).value for name in pruning.SEARCHERS} == {value}


@pytest.mark.slow
def test_depth_time_is_the_mean_of_the_timed_moves(study, rows_of, tmp_path, monkeypatch):
    timed = defaultdict(list)

    def listening(options, opening, moves, timer=depth_time.timed):
        seconds = timer(options, opening, moves)
        timed[options._replace(cores=1, depth=0), options.depth].append(seconds)
        return seconds

    monkeypatch.setattr(depth_time, "timed", listening)
    code, _, _ = study("depth-time", "--depth", 2, "--games", 1, "--positions", 2, "--out", tmp_path / "out")
    rows = rows_of(tmp_path / "out", "depth_time")
    assert code == 0
    assert {(row["configuration"], row["depth"]) for row in rows} == set(product(depth_time.CONFIGURATIONS, (1, 2)))
    games = [seconds for found in timed.values() for seconds in found]
    assert sorted(row["seconds"] for row in rows) == sorted(map(statistics.fmean, games))
    assert sorted(row["longest"] for row in rows) == sorted(map(max, games))
    for row in rows:
        own = [each["seconds"] for each in rows if each["configuration"] == row["configuration"]]
        assert row["fitted"] == pytest.approx(depth_time.fit([1, 2], own).at(row["depth"]))


@pytest.mark.slow
def test_depth_time_asks_only_where_there_is_something_to_search():
    for line in random_openings(depth_time.ENV, 1, depth_time.LAST, 1):
        every = depth_time.searched_positions(line, 99)
        assert 5 < len(every) < 24
        for number in (1, 2, 5):
            chosen = depth_time.searched_positions(line, number)
            assert len(chosen) == number and chosen[0] == every[0] and all(position in every for position in chosen)
            assert number == 1 or chosen[-1] == every[-1]
        for stones, player in every:
            legal = naive_reversi.legal(stones, player)
            assert len(legal) > 1 and not {(0, 0), (0, 7), (7, 0), (7, 7)} & set(legal)


def test_the_fit():
    found = depth_time.fit([1, 2, 3, 4], [0.02 * 3.5**depth for depth in (1, 2, 3, 4)])
    assert found == pytest.approx((0.02, 3.5, 1.0))
    rough = depth_time.fit([1, 2, 3, 4], [1, 9, 3, 27])  # 3 to the powers 0, 2, 1, 3: slope 0.8, R² 0.64
    assert rough == pytest.approx((3**-0.5, 3**0.8, 0.64))
    assert depth_time.fit([1], [0.5]) == (0.5, 1.0, 1.0)


def test_stopped_by_ctrl_c(study, tmp_path, monkeypatch):
    monkeypatch.setattr(pruning, "searched", lambda *args: (_ for _ in ()).throw(KeyboardInterrupt))
    code, _, _ = study("pruning", *TICTACTOE, "--out", tmp_path / "out")
    assert "and the same command goes on" in code
