"""The opening explorer: its counts are those of a search through all games, on every kind of board."""

import random
import time
from collections import Counter, defaultdict
from types import SimpleNamespace

import pytest

from env_adapter import make
from env_adapter.k_in_a_row import KInARow
from local_runner.formats import SavedGame
from local_runner.game.coordinates import numbered
from local_runner.matches.games import read
from local_runner.matches.openings.books import images
from local_runner.server import explorer
from local_runner.server.explorer import GameIndex, of_tournament

BOARDS = {
    "tictactoe": ("tictactoe_1v1", {}, 8),
    "rectangle": ("gobang_1v1", {"board_height": 3, "board_width": 4, "in_a_row": 3}, 4),
    "gobang": ("gobang_1v1", {"board_size": 5}, 8), "reversi": ("reversi_1v1", {"board_size": 4}, 4),
}  # fmt: skip


def games_of(board, count, longest=99):
    """Random games, each with its winner, 0 if the game is cut short; a side without a move passes."""
    env, settings, _symmetries = BOARDS[board]
    chance, setup = random.Random(board), SimpleNamespace(make=lambda: make(env, "stated", **settings))
    for _number in range(count):
        game, cells = setup.make(), []
        for _ply in range(chance.randrange(1, longest)):
            if game.is_over():
                break
            cells.append(chance.choice(game.legal_moves() or [None]))
            game.follow(cells[-1])
        yield SavedGame(setup, tuple(cells), winner=game.outcome().winner)


def index_of(games):
    return GameIndex(iter([[(at, lambda game=game: game) for at, game in enumerate(games)]]))


def whole(games):
    index = games if isinstance(games, GameIndex) else index_of(games)
    assert index.grow(lambda _done, _all: False)
    return index


def after(game, cells, kept):
    """Whether White is to move after some cells of a game, and the smallest of the images of the board in `kept`."""
    env = game.setup.make()
    env.replay(cells)
    every = list(images(env.stones()))
    return len(cells) % 2, min(every[at] for at in kept)


@pytest.mark.parametrize("board", BOARDS)
def test_the_counts_are_those_of_a_search_through_all_games(board):
    name, settings, symmetries = BOARDS[board]
    start = make(name, "stated", **settings).stones()
    kept = [at for at, image in enumerate(images(start)) if image == tuple(map(tuple, start))]
    assert len(kept) == symmetries
    games = list(games_of(board, 300))
    index, counts = whole(games), defaultdict(Counter)
    lines = [[after(game, game.cells[:plies], kept) for plies in range(len(game.cells) + 1)] for game in games]
    for game, reached in zip(games, lines, strict=True):
        for here, then in zip(reached, [*reached[1:], "end"], strict=True):
            counts[here][then, game.winner] += 1
    for game, reached in zip(games[:60], lines, strict=False):
        for plies, here in enumerate(reached):
            env, cells = game.setup.make(), game.cells[:plies]
            env.replay(cells)
            found = index.found(env, plies)
            seen = Counter({("end", winner): count for winner, count in enumerate(found["ended"]) if count})
            for row in found["moves"]:
                [then] = {after(game, [*cells, numbered(cell, env.board_width)], kept) for cell in row["cells"]}
                seen.update({(then, winner): count for winner, count in enumerate(row["results"]) if count})
            assert seen == counts[here]
    assert sum(map(len, lines[:60])) > 200 and max(map(len, counts.values())) > 3


def test_a_game_whose_free_cells_may_be_illegal_has_no_symmetries(monkeypatch):
    for reason, corners in (("", [4]), ("has no stone below it", [1] * 4)):
        monkeypatch.setattr(KInARow, "illegal_free", reason)
        setup = SimpleNamespace(make=lambda: make("gobang_1v1", board_size=5))
        games = [SavedGame(setup, (cell,)) for cell in ((0, 0), (0, 4), (4, 0), (4, 4))]
        found = whole(games).found(setup.make(), 0)
        assert [len(row["cells"]) for row in found["moves"]] == corners


def test_a_reading_that_is_stopped_goes_on():
    games = list(games_of("tictactoe", 500))
    index, told = index_of(games), []
    while not index.grow(lambda *progress: told.append(progress) or True):
        pass
    assert told[0][1] == 500 and len(told) > 3 and told == sorted(told)
    start = games[0].setup.make()
    assert index.found(start, 0) == whole(games).found(start, 0)


def test_the_memory_of_an_index_has_a_bound(monkeypatch):
    games = list(games_of("gobang", 50))
    monkeypatch.setattr(explorer, "MOST_POSITIONS", sum(len(game.cells) + 1 for game in games[:20]))
    found = whole(games).found(games[0].setup.make(), 0)
    assert sum(sum(row["results"]) for row in found["moves"]) == 20 and "first 20 games" in str(found["problem"])


def test_a_tournament_that_grows(played, tmp_path):
    lines = played.read_bytes().splitlines(keepends=True)
    path = tmp_path / "grows.jsonl"
    path.write_bytes(b"".join(lines[:3]))
    games = read(path)
    index = whole(GameIndex(of_tournament(games)))
    start = make("tictactoe_1v1", "stated")
    assert sum(sum(row["results"]) for row in index.found(start, 0)["moves"]) == 2
    path.write_bytes(b"".join(lines))
    assert sum(sum(row["results"]) for row in whole(index).found(start, 0)["moves"]) == len(lines) - 1


@pytest.mark.slow
def test_ten_thousand_games_answer_a_click_in_a_tenth_of_a_second():
    games = list(games_of("gobang", 10_000))
    index, began = whole(games), time.process_time()
    found = index.found(games[0].setup.make(), 0)
    assert time.process_time() - began < 0.1 and sum(sum(row["results"]) for row in found["moves"]) == 10_000


# ---- as a page asks


def explored(page, moves, source, env="gobang_1v1"):
    page.follow(type="explore", position={"env": env, "moves": moves}, source=source)
    return page.hear("explored", lambda answer: answer["tag"] == page.tag and answer["done"] == answer["all"])


def counts_of(answer):
    return {tuple(row["cells"]): row["results"] for row in answer["moves"]}


def test_a_page_explores_a_file_whatever_the_order_and_the_side_of_the_moves(page, visit):
    """h8 i8 g8 is h8 g8 i8 mirrored; the last game ends in an illegal move."""
    file = visit.open("cup.txt", b"h8i8g8\nh8g8i8\nh8h7\nh8h8\n")["file"]
    answer = explored(page, [112], file)
    assert counts_of(answer) == {(97, 111, 113, 127): [3, 0, 0, 0]} and answer["ended"] == [1, 0, 0, 0]
    assert answer["source"] == file and [file, "cup.txt"] in answer["files"] and "1" in answer["problem"]
    assert counts_of(explored(page, [112, 111], file)) == {(113,): [2, 0, 0, 0]}
    assert [game[2:] for game in explored(page, [112, 97], file)["games"]] == [[0, 2], [1, 2], [2, 2]]
    assert explored(page, [0, 1], file)["moves"] == [] and explored(page, [], file, "gomoku_11x11_1v1")["moves"] == []
    assert "cannot play" in page.refused(type="explore", position={"env": "gobang_1v1", "moves": [1, 1]}, source=file)


def test_a_page_explores_a_tournament_and_the_games_on_the_server(page):
    answer = explored(page, [], "pool.jsonl", "tictactoe_1v1")
    assert sum(map(sum, counts_of(answer).values())) == 6 and len(answer["games"]) == 6
    opened = page.ask("answer", type="open_game", file="pool.jsonl", number=answer["games"][3][2])
    assert opened["names"] == answer["games"][3][0]
    room = page.begin("gobang_1v1", moves=(30, 31))["room"]
    before = explored(page, [30], "rooms")
    assert before["games"][0][2:] == [room, 1] and {31} <= set(before["moves"][0]["cells"])
    page.begin("gobang_1v1", moves=(30, 45))
    assert sum(map(sum, counts_of(explored(page, [30], "rooms")).values())) == 2


@pytest.mark.parametrize(("moves", "why", "first"), [
    ([], {"proof"}, 112), ([112], {"book", "reply"}, None), ([112, 97], {"proof"}, 96), ([112, 0, 1], set(), None),
])  # fmt: skip
def test_a_page_explores_what_our_engine_has_prepared(page, moves, why, first):
    rows = explored(page, moves, "engine")["moves"]
    assert {row["why"] for row in rows} == why and first in (None, *(row["cells"][0] for row in rows))
    assert all(0.5 < row["chance"] <= 1 for row in rows) and len(rows) == (35 if len(moves) == 1 else len(why))
    assert explored(page, [], "engine", "reversi_8x8_1v1")["moves"] == []
