"""`play` and `tournament`: games between agents, each in its own process, under the platform's limits."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import Literal

from rich.console import Console

from local_runner.agents.spec import named
from local_runner.errors import RunnerError
from local_runner.formats.files.tournament import of_games
from local_runner.formats.openings import openings_of
from local_runner.language.languages import _
from local_runner.matches.display import fault_report, match_table, standings_table
from local_runner.matches.executor import LocalExecutor
from local_runner.matches.games import Games as Kept
from local_runner.matches.games import PlayedGame, read
from local_runner.matches.match import AgentSummary, match_plan, play_match, summarise
from local_runner.matches.openings.deal import book_for
from local_runner.matches.plan import Plan
from local_runner.matches.run import Observer, open_or_create, run
from local_runner.matches.schedule import Schedule
from local_runner.matches.standings import Standings
from local_runner.matches.statistics.counts import Tally
from local_runner.matches.statistics.elo import Estimate, elo
from local_runner.matches.statistics.ratings import Rating, ratings
from local_runner.system.files import holds_games
from local_runner.system.header import physical_cores
from local_runner.terminal.printed import Printed
from tengen.arguments import Path, Rules, Sandbox, Scores, agents_of, check_counts, member, setup_of, terms_of
from tengen.files import Games
from tengen.game import Game

__all__ = ["MatchResult", "Rating", "TournamentResult", "play", "report", "tournament"]


@dataclass(frozen=True)
class MatchResult(Printed):
    """The result of a match. `print` shows the table of `tengen match`.

    Attributes:
        players: The first and the second agent's name.
        games: The games.
        agents: The first and the second agent's totals: games by colour, times in seconds, memory in MB, faults.
        elo: The first agent's Elo difference to the second, with a 95 % interval: `value`, `low`, `high`. After a few
            games the interval is wide, and it is infinite if one agent has won every game.
    """

    players: tuple[str, str]
    games: Games
    agents: tuple[AgentSummary, AgentSummary] = field(repr=False)
    elo: Estimate
    _kept: Kept = field(repr=False, compare=False)

    @property
    def total(self) -> Tally:
        """The first agent's games: `wins`, `draws`, `losses` and `score`, 1 for a win and 1/2 for a draw."""
        return self.agents[0].total

    @property
    def faults(self) -> tuple[int, int]:
        """The numbers of games that the first and the second agent lost by a fault, such as a crash or over time."""
        return self.agents[0].faults, self.agents[1].faults

    def print_to(self, console: Console) -> None:
        """Print the table, as `tengen match` does, and why an agent lost its first game by a fault."""
        console.print(match_table(self._kept.plan, list(self._kept)))
        for game in [game for game in self._kept if game.result.loser is not None][:1]:
            console.print(fault_report(game.result, game.details.agents, game.number))


@dataclass(frozen=True)
class TournamentResult(Printed):
    """The result of a tournament. `print` shows the table of `tengen tournament`.

    Attributes:
        standings: The ratings of the agents, the strongest first.
        games: The games.
        path: The file that keeps the games; None if there is none.
    """

    standings: tuple[Rating, ...]
    games: Games
    path: FilePath | None
    _standings: Standings = field(repr=False, compare=False)

    def total(self, name: str) -> Tally:
        """An agent's games: `wins`, `draws`, `losses` and `score`."""
        return self._standings.tally(name)

    def faults(self, name: str) -> int:
        """The number of games that an agent lost by a fault, such as a crash or over time."""
        return self._standings.faults[name]

    def print_to(self, console: Console) -> None:
        """Print the table of standings, as `tengen tournament` does."""
        console.print(standings_table(self._standings))


def play(
    first: Path, second: Path, *, game: str = "gobang_1v1", games: int = 2, openings: str | None = None,
    opening_plies: int | None = None, rules: Rules = "platform", seed: int | None = None, board_size: int | None = None,
    board: Sequence[str] | None = None, seconds: float | None = None, memory: float = 500.0, limits: bool = True,
    strict: bool = True, ponder: bool = False, sandbox: Sandbox = "auto", python: Path | None = None,
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
        rules: `"platform"`: as the site plays. `"stated"`: as its rules say.
        seed: The same seed gives the same random numbers; by default a new one.
        board_size: Cells on a side of the board; by default the game's own.
        board: For Reversi: the board to begin from, rows of . X O, with Black to move.
        seconds: Most seconds for each call; by default the site's: 1.
        memory: Most MB of memory.
        limits: False for no limits of time and memory, for debugging.
        strict: Whether an illegal move loses the game, and a fault that the agent has caught, too. If False, the
            referee plays a random move in place of an illegal move, as the site does.
        ponder: Let agents compute while they are not asked.
        sandbox: `"auto"`, `"on"` or `"off"`, as the option `--sandbox`.
        python: The agents' Python: a path, a command or a version, such as `"3.7"`; by default the running Python.
        draw_after: The number of plies after which a game is a draw.
        draw: `(moves, score)`: a draw after that many moves of both sides in a row with scores from -score to score. A
            score is the entry `"value"` of an agent's `last_thought()`, for its own side.
        resign: `(moves, score)`: an agent has lost after that many of its moves in a row with scores of -score or less.
        out: A folder for every game's log and the agents' output.
        on_game: Called with each game when it has ended.

    Returns:
        The games and both agents' totals. A lost game is no error; `Game.result` says why it was lost.

    Raises:
        TengenError: An agent cannot be loaded or does not play the game, or an option is wrong.

    Examples:
        >>> result = play("greedy", "random", game="tictactoe_1v1", games=4, seed=4)  # slow
        >>> result.total.score, result.faults  # slow
        (4.0, (0, 0))
        >>> result.games[0].result.winner  # slow
        'black'
    """
    check_counts(games=games)
    setup, agents = setup_of(game, rules, seed, board_size, board), agents_of((first, second))
    terms = terms_of(setup, agents, seconds=seconds, memory=memory, limits=limits, sandbox=sandbox, ponder=ponder,
                     strict=strict, python=python, draw_after=draw_after, draw=draw, resign=resign)  # fmt: skip
    plan = match_plan((agents[0], agents[1]), terms, games, openings, opening_plies, openings_of)
    kept = Kept(plan)
    play_match(plan, _Told(kept, on_game), log_dir=None if out is None else FilePath(out))
    (a, b), (first_total, second_total) = plan.names, summarise(plan, list(kept))
    tally, pairs = Standings(plan.names, kept).against(a, b)
    estimate = elo(pairs if pairs.games == tally.games else tally)
    return MatchResult((a, b), Games(of_games("match", kept)), (first_total, second_total), estimate, kept)


def tournament(
    agents: Sequence[Path], out: Path | None = None, *, names: Sequence[str] | None = None,
    game: str = "gobang_1v1", rounds: int = 1,
    schedule: Literal["round-robin", "gauntlet", "swiss"] = "round-robin", openings: str | None = None,
    rules: Rules = "platform", seed: int | None = None, board_size: int | None = None, seconds: float | None = None,
    memory: float = 500.0, ponder: bool = False, sandbox: Sandbox = "auto", python: Path | None = None,
    draw_after: int | None = None, draw: Scores = None, resign: Scores = None,
    jobs: int | None = None, on_game: Callable[[Game], object] | None = None,
) -> TournamentResult:  # fmt: skip
    """Play a tournament between two or more agents, several games at a time.

    Args:
        agents: The agents. They, and all arguments that are not named here, are as for `play`.
        out: A file that keeps every game. If it holds a part of the same tournament, the remaining games are played.
            Without a file, the games are kept in memory.
        names: A name for each agent; by default the agent's own.
        rounds: Repetitions of the schedule; a pairing is two games with swapped colours.
        schedule: `"round-robin"`: all against all. `"gauntlet"`: the first against the others. `"swiss"`: neighbours by
            points.
        openings: `"test"`, `"tune"`, `"random"`, `"start"` or a file, as the option `--openings`; by default the
            book `"test"` if the game has one, else random openings.
        jobs: The number of games at once; by default the number of physical cores.

    Returns:
        The standings and the games. An agent that crashes loses the game.

    Raises:
        TengenError: An agent cannot be loaded or does not play the game, an option is wrong, or the file holds another
            tournament or cannot be written.

    Examples:
        >>> result = tournament(["greedy", "random"], "pool.jsonl", game="tictactoe_1v1", rounds=2, seed=4)  # slow
        >>> [(each.name, each.score) for each in result.standings]  # slow
        [('greedy', 4.0), ('random', 0.0)]
    """
    check_counts(rounds=rounds, jobs=jobs)
    if len(agents) < 2 or isinstance(agents, str):
        number = 1 if isinstance(agents, str) else len(agents)
        raise RunnerError(_("a tournament needs two agents or more, not {number}").format(number=number))
    path = None if out is None else FilePath(out)
    if seed is None and path and holds_games(path):
        seed = read(path).plan.terms.setup.seed
    setup, specs = setup_of(game, rules, seed, board_size), agents_of(agents)
    if names is not None:
        specs = named(specs, names)
    terms = terms_of(setup, specs, seconds=seconds, memory=memory, limits=True, sandbox=sandbox, ponder=ponder,
                     strict=True, python=python, draw_after=draw_after, draw=draw, resign=resign)  # fmt: skip
    order = member(Schedule, _("schedule"), schedule)
    plan = Plan(specs, terms, order, rounds, book_for(openings, setup, openings_of), recover=True)
    with LocalExecutor(jobs or physical_cores()) as executor, open_or_create(path, plan) as kept:
        run(kept, executor, _Told(kept, on_game))
    standings = Standings(plan.names, kept)
    return TournamentResult(tuple(ratings(standings.games)), Games(of_games("tournament", kept)), path, standings)


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
        >>> result = tournament(["greedy", "random"], "two.jsonl", game="tictactoe_1v1")  # slow
        >>> report("two.jsonl").name  # slow
        'two.html'
    """
    from local_runner.formats.tournament_page import write_page  # here, because the import is slow

    page = FilePath(file).with_suffix(".html") if out is None else FilePath(out)
    write_page(FilePath(file), page)
    return page


class _Told(Observer):
    """Keeps the games of a match or a tournament, and tells the caller of each."""

    def __init__(self, games: Kept, on_game: Callable[[Game], object] | None) -> None:
        self.games, self.on_game = games, on_game

    def ended(self, game: PlayedGame) -> None:
        if self.games.get(game.number) is None:  # a tournament keeps its games itself
            self.games.add(game)
        if self.on_game is not None:
            alone = Kept(self.games.plan)
            alone.add(game)
            self.on_game(Games(of_games("match", alone))[0])
