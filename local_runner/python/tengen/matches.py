"""`play`, `tournament` and `check`: games of agents, each in its own process, under the platform's limits."""

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path as FilePath
from typing import Literal

from rich.console import Console

from local_runner.agents.declared_games import seconds_for
from local_runner.agents.spec import AgentSpec, named
from local_runner.errors import RunnerError
from local_runner.formats.files.tournament import of_games
from local_runner.formats.reading import openings_of
from local_runner.game.setup import GameSetup
from local_runner.language.languages import _
from local_runner.matches.display import fault_report, match_table, standings_table
from local_runner.matches.executor import LocalExecutor
from local_runner.matches.games import Ended, read
from local_runner.matches.games import Games as Kept
from local_runner.matches.openings.deal import book_for
from local_runner.matches.plan import Adjudication, Plan, Terms, match_plan
from local_runner.matches.reports import AgentSummary, summarise
from local_runner.matches.run import open_or_create, play_match, run
from local_runner.matches.schedule import Schedule
from local_runner.matches.standings import Standings
from local_runner.matches.statistics.elo import Estimate, Tally, elo
from local_runner.matches.statistics.ratings import Rating, ratings
from local_runner.processes.child import AgentLimits
from local_runner.processes.engine.levels import parse_player
from local_runner.processes.interpreters import located
from local_runner.processes.sandbox import SandboxName, sandbox_mode
from local_runner.system.checks import check_counts, check_number, member
from local_runner.system.files import holds_games
from local_runner.system.header import physical_cores
from local_runner.terminal.drawing import Printed
from local_runner.upload.check import check
from local_runner.upload.check.report import CheckReport, CheckRow, Verdict
from tengen.engine import LEAST_SECONDS
from tengen.files import Games
from tengen.game import Game, Path, Rules, setup_of

Scores = tuple[int, float] | None  # moves and score, as the options --draw and --resign

__all__ = ["AgentSummary", "CheckReport", "CheckRow", "MatchResult", "Rating", "Tally", "Verdict", "check", "play",
           "report", "tournament"]  # fmt: skip


class MatchResult(Printed):
    """The result of a match or a tournament. `print` shows the table of `tengen match` or `tengen tournament`.

    Attributes:
        names: The agents' names. The first agent has Black in the first game.
        path: The file that keeps the games; None if there is none.
    """

    def __init__(self, kept: Kept) -> None:
        self._kept, self.names, self.path = kept, kept.plan.names, kept.path

    @property
    def games(self) -> Games:
        """The games."""
        return Games(of_games("tournament" if self.path else "match", self._kept))

    @property
    def _standings(self) -> Standings:
        return Standings(self.names, self._kept)

    def total(self, name: str | None = None) -> Tally:
        """One agent's numbers of `wins`, `draws`, `losses`, and its points `score`; by default the first agent's."""
        return self._standings.tally(name or self.names[0])

    def faults(self, name: str | None = None) -> int:
        """The number of games that an agent, by default the first, lost by a fault, such as a crash."""
        return self._standings.faults[name or self.names[0]]

    @property
    def ratings(self) -> tuple[Rating, ...]:
        """The ratings of the agents, the strongest first."""
        return tuple(ratings(self._standings.games))

    @property
    def elo(self) -> Estimate:
        """The first agent's Elo difference to the second, with a 95 % interval: `value`, `low`, `high`.

        After a few games the interval is wide, and it is infinite if one agent has won every game.
        """
        tally, pairs = self._standings.against(*self.names[:2])
        return elo(pairs if pairs.games == tally.games else tally)

    @property
    def agents(self) -> tuple[AgentSummary, ...]:
        """Each agent's totals: games by colour, times in seconds, memory in MB, faults."""
        games = [replace(game, details=self._kept.details(game.number)) for game in self._kept]
        return tuple(summarise(self._kept.plan, games))

    def __repr__(self) -> str:
        return f"<MatchResult: {len(self._kept)} games of {', '.join(self.names)}>"

    def print_to(self, console: Console) -> None:
        """Print the table, as the command does, and why an agent lost the first game of a match by a fault."""
        if self._kept.plan.schedule is not Schedule.MATCH:
            console.print(standings_table(self._standings))
            return
        console.print(match_table(self._kept.plan, list(self._kept)))
        for game in [game for game in self._kept if game.result.loser is not None][:1]:
            console.print(fault_report(game.result, game.details.agents, game.number))


def _played(kept: Kept, playing: Ended, on_game: Callable[[Game], object] | None) -> MatchResult:
    with closing(playing):
        for game in playing:
            if on_game is not None:
                alone = Kept(kept.plan)
                alone.add(game)
                on_game(Games(of_games("match", alone))[0])
    return MatchResult(kept)


def _terms(
    setup: GameSetup, agents: Sequence[AgentSpec], *, seconds: float | None, memory: float, limits: bool,
    sandbox: SandboxName, ponder: bool, strict: bool, python: Path | None, draw_after: int | None, draw: Scores,
    resign: Scores,
) -> Terms:  # fmt: skip
    check_counts(draw_after=draw_after)
    check_number(LEAST_SECONDS, seconds=seconds)
    check_number(1, memory=memory)
    time, mode = seconds or seconds_for(agents), sandbox_mode(sandbox)
    allowed = AgentLimits(time, memory_mb=memory, enforced=limits, sandbox=mode, ponder=ponder)
    try:
        adjudication = Adjudication(draw_after, *(pair and (int(pair[0]), float(pair[1])) for pair in (draw, resign)))
    except (TypeError, ValueError, LookupError) as error:
        raise RunnerError(_("draw and resign must be (moves, score), such as (5, 20)")) from error
    path = located(os.fspath(python)) if python else sys.executable
    return Terms(setup, allowed, strict=strict, python=path, adjudication=adjudication)


def play(
    first: Path, second: Path, *, game: str = "gobang_1v1", games: int = 2, openings: str | None = None,
    opening_plies: int | None = None, rules: Rules = "platform", seed: int | None = None, board_size: int | None = None,
    board: Sequence[str] | None = None, seconds: float | None = None, memory: float = 500.0, limits: bool = True,
    strict: bool = True, ponder: bool = False, sandbox: SandboxName = "auto", python: Path | None = None,
    draw_after: int | None = None, draw: Scores = None, resign: Scores = None,
    out: Path | None = None, on_game: Callable[[Game], object] | None = None,
) -> MatchResult:  # fmt: skip
    """Play a match between two agents, each in its own process, under the platform's limits.

    Args:
        first: An agent: a name that `agents()` lists, or the path of a submission.py or of its folder, with options
            such as `"tengen:seconds=0.2"`. The first agent has Black in the first game.
        second: The other agent. The colours are swapped in every game.
        game: The name of the game.
        games: The number of games. The two games of a pair share an opening.
        openings: `"test"`, `"tune"`, `"random"`, `"start"` or a file, as the option `--openings`; by default the
            game's own start for the first pair, then random openings.
        opening_plies: The length of random openings, in plies.
        rules: `"platform"`: the rules as the site's code plays them. `"stated"`: as the site's text states them.
        seed: The same seed gives the same random numbers; by default a new one.
        board_size: Cells on a side of the board; by default the game's own.
        board: For Reversi: the board to begin from, rows of . X O, with Black to move.
        seconds: Most seconds for each call; by default the site's: 1.
        memory: Most MB of memory.
        limits: False for no limits of time and memory, for debugging.
        strict: Whether an illegal move loses the game, and an exception that the agent has caught, too. If False, the
            referee plays a random move in place of an illegal move, as the site does.
        ponder: Whether agents may compute between their calls.
        sandbox: `"auto"`, `"on"` or `"off"`, as the option `--sandbox`.
        python: The agents' Python: a path, a command or a version, such as `"3.7"`; by default the running Python.
        draw_after: The number of plies after which a game is a draw.
        draw: `(moves, score)`: a draw after that many moves of both sides in a row with scores from -score to score. A
            score is the entry `"value"` of an agent's `last_thought()`, for its own side.
        resign: `(moves, score)`: an agent has lost after that many of its moves in a row with scores of -score or less.
        out: A folder for every game's log and the agents' output.
        on_game: Called with each game when it has ended.

    Returns:
        The games and the agents' totals. A lost game is no error; `Game.result` says why it was lost.

    Raises:
        TengenError: An agent cannot be loaded or does not play the game, or an option is wrong.

    Examples:
        >>> result = play("greedy", "random", game="tictactoe_1v1", games=4, seed=4)
        >>> result.total().score, result.faults("random")
        (4.0, 0)
        >>> result.games[0].result.colour
        'black'
    """
    check_counts(games=games)
    setup = setup_of(game, rules, seed, board_size, board)
    agents = parse_player(os.fspath(first)), parse_player(os.fspath(second))
    terms = _terms(setup, agents, seconds=seconds, memory=memory, limits=limits, sandbox=sandbox, ponder=ponder,
                   strict=strict, python=python, draw_after=draw_after, draw=draw, resign=resign)  # fmt: skip
    plan = match_plan(agents, terms, games, openings, opening_plies, openings_of)
    kept = Kept(plan)
    return _played(kept, play_match(kept, log_dir=None if out is None else FilePath(out)), on_game)


def tournament(
    agents: Sequence[Path], out: Path | None = None, *, names: Sequence[str] | None = None,
    game: str = "gobang_1v1", rounds: int = 1,
    schedule: Literal["round-robin", "gauntlet", "swiss"] = "round-robin", openings: str | None = None,
    rules: Rules = "platform", seed: int | None = None, board_size: int | None = None, seconds: float | None = None,
    memory: float = 500.0, ponder: bool = False, sandbox: SandboxName = "auto", python: Path | None = None,
    draw_after: int | None = None, draw: Scores = None, resign: Scores = None,
    jobs: int | None = None, on_game: Callable[[Game], object] | None = None,
) -> MatchResult:  # fmt: skip
    """Play a tournament between two or more agents, several games at a time.

    Args:
        agents: The agents, named as for `play`. Arguments that are not listed here are those of `play`, too.
        out: A file that keeps every game. If it holds a part of the same tournament, the remaining games are played.
            Without a file, the games are kept in memory.
        names: A name for each agent; by default the agent's own.
        rounds: Repetitions of the schedule; a pairing is two games with swapped colours.
        schedule: `"round-robin"`: all against all. `"gauntlet"`: the first against the others. `"swiss"`: each round
            pairs agents with about equal points.
        openings: `"test"`, `"tune"`, `"random"`, `"start"` or a file, as the option `--openings`; by default the
            book `"test"` if the game has one, else random openings.
        jobs: The number of games at once; by default the number of physical cores.

    Returns:
        The ratings and the games. An agent that crashes loses the game.

    Raises:
        TengenError: An agent cannot be loaded or does not play the game, an option is wrong, or the file holds another
            tournament or cannot be written.

    Examples:
        >>> result = tournament(["greedy", "random"], "pool.jsonl", game="tictactoe_1v1", rounds=2, seed=4)
        >>> [(each.name, each.score) for each in result.ratings]
        [('greedy', 4.0), ('random', 0.0)]
    """
    check_counts(rounds=rounds, jobs=jobs)
    if len(agents) < 2 or isinstance(agents, str):
        number = 1 if isinstance(agents, str) else len(agents)
        raise RunnerError(_("a tournament needs two agents or more, not {number}").format(number=number))
    path = None if out is None else FilePath(out)
    if seed is None and path and holds_games(path):
        seed = read(path).plan.terms.setup.seed
    setup, specs = setup_of(game, rules, seed, board_size), tuple(parse_player(os.fspath(agent)) for agent in agents)
    if names is not None:
        specs = named(specs, names)
    terms = _terms(setup, specs, seconds=seconds, memory=memory, limits=True, sandbox=sandbox, ponder=ponder,
                   strict=True, python=python, draw_after=draw_after, draw=draw, resign=resign)  # fmt: skip
    order = member(Schedule, _("schedule"), schedule)
    plan = Plan(specs, terms, order, rounds, book_for(openings, setup, openings_of), recover=True)
    with LocalExecutor(jobs or physical_cores()) as executor, open_or_create(path, plan) as kept:
        return _played(kept, run(kept, executor), on_game)


def report(file: Path, out: Path | None = None) -> FilePath:
    """Write the page of a tournament: one HTML file with tables, charts and games to replay, as `tengen report --html`.

    Args:
        file: The file of a tournament, which may still be running.
        out: The page; by default the file's name with the ending .html.

    Returns:
        The path of the page.

    Raises:
        TengenError: The file is no tournament, or the page cannot be written.

    Examples:
        >>> result = tournament(["greedy", "random"], "two.jsonl", game="tictactoe_1v1")
        >>> report("two.jsonl").name
        'two.html'
    """
    from local_runner.formats.tournament_page import write_page  # here, because the import is slow

    page = FilePath(file).with_suffix(".html") if out is None else FilePath(out)
    write_page(FilePath(file), page)
    return page
