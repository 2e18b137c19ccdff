"""Measures the strength of the engine's levels: each plays the next one, with the colours swapped.

    python -m workshop.lab.levels FILE [--games N] [--top-games N] [--minutes M] [--show]

FILE has one finished game a line, in JSON; games in it are not played again. Openings come from the books of this
package, a different one for each pair of games. The fourth level against the fifth plays fewer games, because the fifth
needs 0.8 s a move. Below the first level there is the agent `greedy`, which looks one move ahead as a beginner does.
Tic-tac-toe is not measured: with two good moves known, every game is a draw. It prints the table of docs/levels.md.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import typer
from rich.console import Console

from local_runner.agents.spec import parse_agent
from local_runner.analysis.engine import EngineProcess
from local_runner.analysis.levels import LEVELS, chosen, level, level_question
from local_runner.game.coordinates import numbered
from local_runner.game.records import BLACK_WINS, COLOURS, DRAW
from local_runner.game.session import GameSession
from local_runner.game.setup import GameSetup
from local_runner.matches.openings.books import Opening, Purpose, book
from local_runner.matches.statistics.counts import Pentanomial
from local_runner.matches.statistics.elo import elo
from local_runner.processes.process import AgentProcess
from workshop.command import run

GAMES_OF = ("gobang_1v1", "gomoku_11x11_1v1", "reversi_8x8_1v1", "reversi_1v1")
TOP = len(LEVELS)
BASE = "greedy"  # the opponent of level 1, as level 0


def main(
    file: Annotated[Path, typer.Argument(help="File of games to fill.")],
    games: Annotated[int, typer.Option(min=0, help="Games of each pair of levels below the top.")] = 100,
    top_games: Annotated[int, typer.Option(min=0, help="Games of the two highest levels.")] = 24,
    minutes: Annotated[float, typer.Option(help="Start no game after this time.")] = 40.0,
    show: Annotated[bool, typer.Option("--show", help="Play nothing; print the table.")] = False,
) -> None:
    """Play the missing games, then print the table."""
    end = time.monotonic() + 60 * minutes
    file.touch()
    known = {_key(game) for game in _read(file)}
    with EngineProcess() as lower, EngineProcess() as upper, open(file, "a") as out:
        for env, number, index in _planned(games, top_games):
            if show or time.monotonic() > end:
                break
            if (env, number, index) in known:
                continue
            points = play(env, number, index, lower, upper)
            out.write(json.dumps({"env": env, "level": number, "index": index, "points": points}) + "\n")
            out.flush()
    table(file)


def _planned(games: int, top_games: int) -> Iterator[tuple[str, int, int]]:
    """(game, lower level, number of the game), the fast ones first."""
    for first in range(0, games, 20):
        for number in reversed(range(TOP - 1)):
            for env in GAMES_OF:
                for index in range(first, min(first + 20, games)):
                    yield env, number, index
    for first in range(0, top_games, 2):
        for env in GAMES_OF:
            for index in range(first, min(first + 2, top_games)):
                yield env, TOP - 1, index


def play(env: str, number: int, index: int, lower: EngineProcess, upper: EngineProcess) -> float:
    """The points of level `number` + 1 against level `number` in one game. Two games in turn share an opening."""
    openings = _openings(env)
    setup = GameSetup(env, opening=openings[index // 2 % len(openings)])
    upper_is_black = index % 2 == 0
    with TemporaryDirectory() as folder, ExitStack() as undo:
        seats: list[Any] = list(COLOURS)
        if not number:
            agent = AgentProcess(parse_agent(BASE), Path(folder) / "printed", seed=index)
            seats[upper_is_black] = undo.enter_context(agent)
        session = GameSession(setup, (seats[0], seats[1]))
        _play_on(session, number, index, (upper, lower) if upper_is_black else (lower, upper))
    assert session.result is not None
    winner = session.result.winner
    if winner == DRAW:
        return 0.5
    return float((winner == BLACK_WINS) == upper_is_black)


def _play_on(session: GameSession, number: int, index: int, engines: tuple[EngineProcess, EngineProcess]) -> None:
    """Play a game to its end. `engines`: Black's and White's; the upper level is Black in games of even index."""
    setup = session.setup
    while session.result is None:
        if not isinstance(session.seats[session.to_move], str):
            session.step()
            continue
        if session.must_pass:
            session.play(None)
            continue
        is_upper = (session.to_move == 0) == (index % 2 == 0)
        of, engine = level(number + is_upper), engines[session.to_move]
        look = engine.think(level_question(of, setup, tuple(session.cells)))
        cell = chosen(of, look, 1000 * index + number, len(session.cells))
        session.play(numbered(cell, session.env.board_width))


@cache
def _openings(env: str) -> list[Opening]:
    return [opening for purpose in (Purpose.TEST, Purpose.TUNE) for opening in book(env, purpose)]


def _read(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def _key(game: dict[str, Any]) -> tuple[str, int, int]:
    return game["env"], game["level"], game["index"]


def table(file: Path) -> None:
    """Print the Elo differences of neighbours, as rows of a table in Markdown."""
    found: dict[tuple[str, int], dict[int, float]] = {}
    for game in _read(file):
        found.setdefault((game["env"], game["level"]), {})[game["index"]] = game["points"]
    console = Console(width=120)
    for (env, number), points in sorted(found.items(), key=lambda each: (GAMES_OF.index(each[0][0]), each[0][1])):
        counts = [0] * 5
        for index in range(0, len(points), 2):
            if index in points and index + 1 in points:
                counts[round(2 * (points[index] + points[index + 1]))] += 1
        pairs = Pentanomial(tuple(counts))
        if not pairs.games:
            continue
        difference = elo(pairs)
        console.print(
            f"| {env} | {number + 1} - {number} | {pairs.games} | {pairs.score / pairs.games:.1%} "
            f"| {difference.value:+.0f} | {difference.low:+.0f} to {difference.high:+.0f} |"
        )


if __name__ == "__main__":
    run(main)
