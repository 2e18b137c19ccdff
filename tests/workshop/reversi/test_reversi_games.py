"""Self-play games of Reversi: determined by their number, legal, perfect at the end; errors of shallow searches."""

from __future__ import annotations

from functools import cache

import pytest

from env_adapter import answer, make
from submission.native.search import NativeSearch
from submission.reversi.board import PASS
from submission.reversi.evaluation import UNIT
from submission.reversi.position import DISC, FINAL, ReversiPosition, final_value
from submission.reversi.weights import STAGES, stage
from submission.search.clock import Deadline
from submission.search.deepening import Search
from workshop.lab.bench import reversi_games
from workshop.reversi import games
from workshop.reversi.games import FEWEST_PLIES, MOST_BY_POLICY, MOST_RANDOM, first_moves, in_discs, play, start
from workshop.reversi.probcut import EVERY, FEWEST_EMPTY, PAIRS, SHALLOW, every_eighth, measure_errors

NODES, EXACT = 10, 6


@pytest.fixture(autouse=True)
def _short_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "EXACT", EXACT)


@pytest.mark.slow
@pytest.mark.parametrize("size", [4, 6, 8])
def test_the_referee_accepts_the_game_and_counts_the_same_discs(size: int) -> None:
    for number in (1, 2):
        game = play(size, number, NODES)
        assert game == play(size, number, NODES)
        assert FEWEST_PLIES <= game.opening <= size * size * (MOST_RANDOM if number % 2 else MOST_BY_POLICY)
        env = make("reversi_1v1", rules="stated", board_size=size)
        for move in game.moves:
            legal = env.legal_moves()
            assert (move == PASS) == (not legal)
            cell = divmod(move, size) if legal else (0, 0)
            assert not legal or cell in legal
            env.step([answer(cell, size, size)] * 2)
        while not env.is_terminal():  # the referee ends a game only after two passes
            assert not env.legal_moves()
            env.step([answer((0, 0), size, size)] * 2)
        discs = [stone for row in env.stones() for stone in row]
        assert game.difference == discs.count(1) - discs.count(2)


@pytest.mark.slow
def test_the_end_is_played_without_a_mistake() -> None:
    @cache
    def best(black: int, white: int, side: int) -> int:
        """The final disc difference for Black with perfect play, by trying all moves."""
        position = ReversiPosition(6)
        position.set_discs(black, white, side)
        outcome = position.outcome()
        if outcome is not None:
            value = (abs(outcome) - FINAL * bool(outcome)) // DISC * (1 if outcome > 0 else -1)
            return value if side == 0 else -value
        values = []
        for move in position.moves():
            position.play(move)
            values.append(best(*position.discs, position.side))
            position.undo()
        return max(values) if side == 0 else min(values)

    for number in range(1, 4):
        game = play(6, number, NODES)
        position = ReversiPosition.start(6)
        for move in game.moves:
            if position.plies_left() <= EXACT:
                assert best(*position.discs, position.side) == game.difference
                break
            position.play(move)


def test_values_are_those_of_the_search() -> None:
    """A search to the end gives the final disc difference; a forced move has the value of the next position."""
    for number in (1, 2):
        game = play(6, number, NODES)
        position = start(6)
        for move in game.moves[: game.opening]:
            position.play(move)
        search = {side: NativeSearch(6) for side in (0, 1)}
        for ply, (move, value) in enumerate(zip(game.moves[game.opening :], game.values, strict=True)):
            if position.plies_left() <= EXACT:
                assert value == game.difference
            elif len(position.moves()) == 1:
                assert value == game.values[ply + 1]
            else:
                found = search[position.side].think(position, Deadline(None, NODES)).value
                expected = in_discs(found) * (1 - 2 * position.side) if abs(found) < FINAL else game.values[ply + 1]
                assert value == expected
            position.play(move)
    assert in_discs(-3 * UNIT // 2) == -1.5
    assert [in_discs(final_value(discs)) for discs in (-64, 0, 3)] == [-64, 0, 3]


@pytest.mark.slow
def test_in_every_second_game_the_sides_have_policies() -> None:
    def share(number: int) -> float:
        """The share of the discs that the stronger colour has."""
        position = ReversiPosition.start(8)
        for move in first_moves(8, number):
            position.play(move)
        black, white = (bin(discs).count("1") for discs in position.discs)
        return max(black, white) / (black + white)

    def lopsided(numbers: range) -> int:
        return sum(share(number) > 0.8 for number in numbers)

    assert lopsided(range(2, 202, 2)) > 2 * lopsided(range(1, 201, 2)) > 0


def test_every_eighth_position_is_searched() -> None:
    moves = reversi_games(8)[0]
    free = [position.plies_left() for position in every_eighth(8, moves, 1)]
    assert free and free == sorted(free, reverse=True) and free[-1] >= FEWEST_EMPTY
    assert all((60 - left) % EVERY == 1 for left in free)


@pytest.mark.slow
def test_errors_are_differences_of_values_in_discs() -> None:
    errors = measure_errors(8, 1)
    assert {deep for deep, _ in errors} == {deep for deep, _ in PAIRS}
    assert {at for _, at in errors} <= set(range(STAGES))
    assert all(shallow == SHALLOW[deep] < deep for deep, shallow in PAIRS)
    first = next(every_eighth(8, reversi_games(8)[0], 0))
    assert first.parameters.probcut_depths == ()
    search = Search()
    values = [search.think(first, Deadline(None), depth).value for depth in range(1, 4)]
    assert errors[3, stage(8, 64 - first.plies_left())][0] == (values[2] - values[SHALLOW[3] - 1]) / UNIT
