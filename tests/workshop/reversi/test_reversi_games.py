"""Self-play games of Reversi: determined by their number, legal for the referee, and perfect at the end."""

from __future__ import annotations

from functools import cache, partial
from pathlib import Path

import pytest

from env_adapter import answer, make
from local_runner.errors import RunnerError
from submission.reversi.board import PASS
from submission.reversi.evaluation import UNIT
from submission.reversi.position import DISC, FINAL, ReversiPosition, final_value
from submission.search.clock import Deadline
from workshop import game_file
from workshop.native.build import find_compiler
from workshop.native.reversi import NativeReversiPosition
from workshop.reversi import games as reversi_games
from workshop.reversi.games import (
    EXACT,
    FEWEST_PLIES,
    MIDDLE_SHARE,
    MOST_BY_POLICY,
    MOST_RANDOM,
    ReversiSelfPlay,
    first_moves,
    in_discs,
    new_search,
    play,
    start,
)

NODES = 10


@pytest.mark.parametrize("size", [4, 6, 8])
def test_the_referee_sees_the_same_game(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reversi_games, "EXACT", 6)
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


def test_without_a_compiler_the_games_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reversi_games, "EXACT", 6)
    for size, numbers in ((6, (1, 2)), (8, (1,))):
        found = [play(size, number, 40) for number in numbers]
        assert isinstance(start(size), NativeReversiPosition) == (find_compiler() is not None)
        with monkeypatch.context() as patch:
            patch.setattr(reversi_games, "_compiled_position", lambda size: None)
            assert found == [play(size, number, 40) for number in numbers]
            assert isinstance(start(size), ReversiPosition)
    assert isinstance(start(12), ReversiPosition)  # a size that is not compiled


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
            if position.plies_left() <= min(EXACT, 6):
                assert best(*position.discs, position.side) == game.difference
                break
            position.play(move)


def test_values_are_those_of_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search to the end says the final difference; without a choice, the next position says it."""
    monkeypatch.setattr(reversi_games, "EXACT", 6)
    for number in (1, 2):
        game = play(6, number, NODES)
        assert len(game.values) == len(game.moves) - game.opening
        position = start(6)
        for move in game.moves[: game.opening]:
            position.play(move)
        search = {side: new_search(position) for side in (0, 1)}
        for ply, (move, value) in enumerate(zip(game.moves[game.opening :], game.values, strict=True)):
            if position.plies_left() <= 6:
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


def test_games_are_kept_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    assert game_file.fill(path, ReversiSelfPlay, partial(play, 4), 2, NODES, 1) == 2
    assert game_file.read(path, ReversiSelfPlay) == [play(4, number, NODES) for number in (1, 2)]
    assert game_file.fill(path, ReversiSelfPlay, partial(play, 4), 2, NODES, 1, first=2) == 3
    assert game_file.read(path, ReversiSelfPlay) == [play(4, number, NODES) for number in (1, 2, 3)]


def test_games_continue_from_the_middle_of_others(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    game_file.fill(path, ReversiSelfPlay, partial(play, 6), 2, NODES, 1)
    before = {game.number: game for game in game_file.read(path, ReversiSelfPlay)}
    game = play(6, 3, 40, path)
    assert game.opening == 36 // MIDDLE_SHARE > before[2].opening
    assert game.moves[: game.opening] == before[2].moves[: game.opening]  # of two games, number 3 takes the second
    assert game.nodes == 40 and game.number == 3
    with pytest.raises(RunnerError, match="--size 6"):
        play(8, 3, 40, path)
    empty = tmp_path / "empty.jsonl"
    empty.touch()
    with pytest.raises(RunnerError, match="holds no games"):
        play(6, 3, 40, empty)
