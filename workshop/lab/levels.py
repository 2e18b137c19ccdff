"""Measures the strength of the engine's levels: each level plays the next level, with the colours swapped.

    python -m workshop.lab.levels FOLDER [--games N]

FOLDER gets a file of results for each game and pair of levels, see game_file.py. Pairs of games in a file are not
played again. Both games of a pair start from the same opening of the project's books. Levels 4 and 5 play TOP_GAMES
only, because level 5 needs 0.8 s a move. Level 1 plays the agent `greedy`, which looks one move ahead. Tic-tac-toe
is not measured: if both sides search to the end, every game is a draw. The command prints the table of
docs/en/reference/levels.md.
"""

from __future__ import annotations

from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import typer

from local_runner.agents.spec import parse_agent
from local_runner.game.records import BLACK_WINS, COLOURS, DRAW
from local_runner.game.session import GameSession
from local_runner.game.setup import GameSetup
from local_runner.matches.openings.books import Purpose, book
from local_runner.matches.statistics.counts import Pentanomial
from local_runner.matches.statistics.elo import elo
from local_runner.processes.engine.engine_process import EngineProcess
from local_runner.processes.engine.levels import LEVELS, chosen, level, level_question
from local_runner.processes.process import AgentProcess
from workshop import game_file
from workshop.command import run

GAMES_OF = ("gobang_1v1", "gomoku_11x11_1v1", "reversi_8x8_1v1", "reversi_1v1")
TOP = len(LEVELS)
TOP_GAMES = 24  # games of the two highest levels
BASE = "greedy"  # the opponent of level 1; counts as level 0


@dataclass(frozen=True)
class LevelPair(game_file.NumberedResult):
    """Two games from one opening with the colours swapped; nodes: 0, since the level sets the limit.

    points: the points of the higher level, 0 to 2
    """

    points: float


def main(
    folder: Annotated[Path, typer.Argument(help="Folder for the files of results.")],
    games: Annotated[int, typer.Option(min=0, help="Games of each pair of levels below the top.")] = 100,
) -> None:
    """Play the missing games, then print the Elo differences of neighbours, as rows of a table in Markdown."""
    for env in GAMES_OF:
        for number in range(TOP):
            file = folder / f"{env}-{number}.jsonl"
            pairs = (games if number < TOP - 1 else TOP_GAMES) // 2
            game_file.run_command(file, LevelPair, partial(play_pair, env, number), pairs, 0, 1)
            print(row(env, number, game_file.read(file, LevelPair)))


def play_pair(env: str, lower: int, number: int, nodes: int) -> LevelPair:
    """Play the pair with this number: level `lower` + 1 against level `lower`."""
    openings = [opening for purpose in (Purpose.TEST, Purpose.TUNE) for opening in book(env, purpose)]
    setup = GameSetup(env, opening=openings[number % len(openings)])
    return LevelPair(number, nodes, sum(play(setup, lower, 2 * number + colour, colour == 0) for colour in (0, 1)))


def play(setup: GameSetup, lower: int, seed: int, upper_is_black: bool) -> float:
    """The points of level `lower` + 1 against level `lower` in one game."""
    with TemporaryDirectory() as folder, ExitStack() as closing:
        engines = [closing.enter_context(EngineProcess()) for _ in COLOURS]
        contestants: list[Any] = list(COLOURS)
        if not lower:
            agent = AgentProcess(parse_agent(BASE), Path(folder) / "printed", seed=seed)
            contestants[upper_is_black] = closing.enter_context(agent)
        session = GameSession(setup, (contestants[0], contestants[1]))
        while session.result is None:
            if not isinstance(contestants[session.to_move], str):
                session.step()
            elif session.must_pass:
                session.play(None)
            else:
                used = level(lower + ((session.to_move == 0) == upper_is_black))
                cells = tuple(session.cells)
                look = engines[session.to_move].think(level_question(used, setup, cells))
                cell = chosen(used, look, 1000 * seed + lower, len(cells))
                session.play(divmod(cell, session.env.board_width))
    winner = session.result.winner
    return 0.5 if winner == DRAW else float((winner == BLACK_WINS) == upper_is_black)


def row(env: str, lower: int, pairs: list[LevelPair]) -> str:
    """The row of the table for two neighbouring levels."""
    points = Counter(round(2 * pair.points) for pair in pairs)
    counts = Pentanomial(tuple(points[each] for each in range(5)))
    if not counts.games:
        return f"| {env} | {lower + 1} - {lower} | 0 | | | |"
    difference = elo(counts)
    return (
        f"| {env} | {lower + 1} - {lower} | {counts.games} | {counts.score / counts.games:.1%} "
        f"| {difference.value:+.0f} | {difference.low:+.0f} to {difference.high:+.0f} |"
    )


if __name__ == "__main__":
    run(main)
