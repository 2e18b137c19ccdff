"""Makes submission/data/gobang_book.txt, White's opening book of gobang: the replies that scored best in games.

    python -m workshop.gobang.book FILE [--games N] [--out FILE] [--jobs N]

docs/developers/engine/8-book.md describes the games. FILE is described in game_file.py. A round of ROUND games knows
the games of the rounds before. So the same command continues after a stop, with the same games.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from local_runner.processes.engine.engine_info import ROW_SCALES, Chances
from local_runner.system.files import write_whole
from submission.boards import BLACK, WHITE
from submission.k_in_a_row import book
from submission.k_in_a_row.book import CELLS, Stones, book_form
from submission.native.search import NativeSearch
from submission.search.clock import Deadline
from submission.search.deepening import Thought
from submission.search.searchable import PROVED_WIN
from workshop import game_file
from workshop.command import CORES, OUTPUT_ADVICE, GameFile, Games, Jobs, run
from workshop.gobang.games import searched_position
from workshop.gobang.positions import (
    IMAGES,
    MIDDLE,
    add_stone,
    alternating,
    cells_text,
    count_stones,
    name_of,
    stones_after,
)

OUT = Path(__file__).resolve().parents[2] / "submission" / book.BOOK_FILE
GAMES = 12_000
ROUND = 100
MOST_STONES = 11  # most stones of a position in the book
REPLIES, REPLY_NODES = 6, 30_000  # White's replies in a position, and the nodes of the search that finds them
WORSE = 400  # a reply whose value is this much below the best is left out
WHITE_NODES = 8_000  # nodes of White's moves outside the tree, about what the upload has in its time
BLACK_NODES = (2_000, 4_000, 8_000, 16_000)  # nodes of Black's moves: one of these numbers in each game
PART_OF_NODES = (0.7, 1.4)  # least and greatest random factor of the nodes of a move of Black
DRAWN_PLIES = (2, 4, 6, 8, 10)  # at these plies Black's move may be drawn from its best three
DRAWN = 3  # number of these plies at which it is drawn, in a game
DRAWN_WORSE = 60  # a move whose value is this much below the best is not drawn
PRIOR = 6.0  # the search's value of a reply counts as much as this many games
FEWEST = 10  # least number of games of a position that is in the book
TITLE = "# position, White's reply, value, depth; by workshop/gobang/book.py\n"


@dataclass(frozen=True)
class BookGame(game_file.NumberedResult):
    """A finished game.

    moves: cells, from the empty board; points: White's, 1, 1/2 or 0
    replies: White's replies in the position that the game added to the tree: move in the book form, value, depth;
        empty if the game added none
    added: number of stones of that position
    """

    moves: list[int]
    points: float
    replies: list[list[int]]
    added: int


@dataclass
class Reply:
    """One of White's replies in a position: its move in the book form, value, depth, and results in games."""

    move: int
    value: int
    depth: int
    games: int = 0
    points: float = 0.0

    @property
    def score(self) -> float:
        """White's expected score, from 0 to 1: the mean of the games, and of PRIOR games that score as `value` says."""
        proved = abs(self.value) > PROVED_WIN
        by_value = float(self.value > 0) if proved else Chances(BLACK, ROW_SCALES[CELLS]).black(self.value)
        return (self.points + PRIOR * by_value) / (self.games + PRIOR)

    def sample(self, rng: random.Random) -> float:
        """A score drawn from the distribution of what the true score may be."""
        weight = self.games + PRIOR
        return rng.betavariate(max(self.score * weight, 0.1), max((1 - self.score) * weight, 0.1))


@dataclass
class Tree:
    """White's replies by book form."""

    replies: dict[Stones, list[Reply]] = field(default_factory=dict)

    def add(self, game: BookGame) -> None:
        """Add a game's position and its result."""
        for ply in range(1, min(len(game.moves), MOST_STONES + 1), 2):  # of the positions with White to move
            stones, image = book_form(stones_after(game.moves[:ply]), IMAGES)
            if (moved := image[game.moves[ply]]) < 0:
                continue
            if count_stones(stones) == game.added:
                self.replies.setdefault(stones, [Reply(*each) for each in game.replies])
            after = book_form(add_stone(stones, moved), IMAGES)[0]
            for reply in self.replies.get(stones, []):
                if book_form(add_stone(stones, reply.move), IMAGES)[0] == after:
                    reply.games += 1
                    reply.points += game.points

    def book(self) -> dict[Stones, Reply]:
        """The best reply of each position that had enough games, positions with the fewest stones first."""
        known = [form for form, replies in self.replies.items() if sum(reply.games for reply in replies) >= FEWEST]
        known.sort(key=lambda form: (count_stones(form), form))
        return {form: max(self.replies[form], key=lambda reply: reply.score) for form in known}


def main(
    file: GameFile,
    games: Games = GAMES,
    out: Annotated[Path, typer.Option(help="The book.")] = OUT,
    jobs: Jobs = CORES,
) -> None:
    """Play the missing games and write the book."""
    tree = Tree()
    played = game_file.read(file, BookGame) if file.exists() else []
    for done in range(0, games, ROUND):
        end = min(done + ROUND, games)
        if len(played) < end:
            played = game_file.fill(file, BookGame, partial(play, tree), end - done, WHITE_NODES, jobs, done + 1)
        for game in played[done:end]:
            tree.add(game)
    best = tree.book().items()
    rows = [f"{name_of(form)} {cells_text([reply.move])} {reply.value} {reply.depth}\n" for form, reply in best]
    write_whole(out, TITLE + "".join(rows), OUTPUT_ADVICE)
    print(f"{out}: {len(rows)} positions")


def play(tree: Tree, number: int, nodes: int) -> BookGame:
    """Play the game with this number. `nodes`: of White's moves outside the tree."""
    rng = random.Random(f"book {number}")
    black_nodes, drawn = rng.choice(BLACK_NODES), set(rng.sample(DRAWN_PLIES, DRAWN))
    moves = [MIDDLE]
    searches, position = (NativeSearch(), NativeSearch()), searched_position(moves)
    found, added = list[Reply](), 0
    while (value := position.outcome()) is None:
        search, ply = searches[position.side], len(moves)
        thought: Thought | None = None
        if position.side == WHITE:
            form, image = book_form(stones_after(moves), IMAGES)
            replies = tree.replies.get(form)
            if replies is None and not added and ply <= MOST_STONES:
                found = replies = replies_to(form)
                added = ply
                position = searched_position(moves)
            if within := [reply for reply in replies or () if reply.move in image]:
                move = image.index(max(within, key=lambda reply: reply.sample(rng)).move)
            else:
                thought = search.think(position, Deadline(None, nodes))
        else:
            limit = Deadline(None, int(black_nodes * rng.uniform(*PART_OF_NODES)))
            if ply in drawn:
                lines = search.analyse(position, limit, None, 3)
                thought = rng.choice([line for line in lines if line.value >= lines[0].value - DRAWN_WORSE])
            else:
                thought = search.think(position, limit)
        if thought:
            move = thought.move
            if thought.value > PROVED_WIN:
                value = thought.value
                break
        position.play(move)
        moves.append(move)
    points = 0.5 if not value else float((value > 0) == (position.side == WHITE))
    return BookGame(number, nodes, moves, points, [[reply.move, reply.value, reply.depth] for reply in found], added)


def replies_to(form: Stones) -> list[Reply]:
    """White's best replies in a book form, by a search. Replies that lead to equal positions count once."""
    position = searched_position(alternating(form))
    found: list[Thought] = NativeSearch().analyse(position, Deadline(None, REPLY_NODES), None, REPLIES)
    different: dict[Stones, Reply] = {}
    for thought in found:
        if thought.value >= found[0].value - WORSE:
            after = book_form(add_stone(form, thought.move), IMAGES)[0]
            different.setdefault(after, Reply(thought.move, thought.value, thought.depth))
    return list(different.values())


if __name__ == "__main__":
    run(main)
