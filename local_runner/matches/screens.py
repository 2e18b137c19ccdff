"""The terminal's display while games are played: the live board of a match, or the standings of a tournament.

`Screen.show` plays the games and returns the exit code of the command.
"""

import shlex
import sys
from collections.abc import Iterator
from contextlib import closing, nullcontext
from pathlib import Path
from typing import ClassVar

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.panel import Panel
from rich.text import Text

from local_runner.game import wording
from local_runner.game.setup import called
from local_runner.language.languages import COLON, COMMA, _, shown
from local_runner.language.text import SENTENCE, in_line, shortened
from local_runner.matches import display
from local_runner.matches.display import NAME_WIDTH, fault_report, game_line, match_table
from local_runner.matches.executor import Executor
from local_runner.matches.games import Ended, Games, PlayedGame
from local_runner.matches.plan import Plan
from local_runner.matches.reports import MatchReport, TournamentReport, final_board, match_report, tournament_report
from local_runner.matches.run import ends_run, play_match, run
from local_runner.matches.standings import Standings
from local_runner.matches.statistics.sprt import Decision
from local_runner.terminal import output
from local_runner.terminal.output import STDOUT, ExitCode, OutputLost
from local_runner.terminal.progress import Lines, Pace, games_now


class Screen:
    """The view of a match or a tournament, which the library rich redraws `frames_per_second` times a second.

    json_to: the file for the result as JSON, None for no JSON; "-" is stdout, and all other output then goes to stderr
    quiet: no live view, and no lines about games
    over: whether the run has ended without an interruption; `crash`: the game whose crash has ended it
    """

    frames_per_second: ClassVar[int]
    transient: ClassVar[bool]  # whether the live view is removed at the end

    def __init__(self, games: Games, *, json_to: str | None = None, quiet: bool = False) -> None:
        self.games, self.plan, self.json_to, self.quiet = games, games.plan, json_to, quiet
        self.standings = Standings(self.plan.names, games)
        self.out = Console(stderr=json_to == STDOUT, highlight=False, soft_wrap=True)
        self.errors = Console(stderr=True, highlight=False, soft_wrap=True)
        self.over = False
        self.crash: PlayedGame | None = None

    @property
    def complete(self) -> bool:
        """Whether no game is left to play."""
        return (self.over and self.crash is None) or self.standings.decided(self.plan.sprt)

    def playing(self) -> Ended:
        """Play the games, and yield each."""
        raise NotImplementedError

    def ended(self, game: PlayedGame) -> None:
        """Count and show a game that has ended."""
        self.standings.add(game)

    def __rich__(self) -> RenderableType:
        raise NotImplementedError

    def show(self) -> ExitCode:
        """Play the games, print the summary and write the JSON result; returns the exit code.

        After Ctrl-C or an error, the finished games are still summarised and written. Raises RunnerError before the
        first game if the JSON file cannot be written.
        """
        output.check(self.json_to)
        live = Live(self, console=self.out, refresh_per_second=self.frames_per_second, transient=self.transient)
        interrupted = False
        try:
            with nullcontext() if self.quiet or not self.out.is_terminal else live, closing(self.playing()) as playing:
                for game in playing:
                    self.ended(game)
                    self.crash = game if ends_run(self.plan, game) else None
            self.over = True
        except KeyboardInterrupt:
            interrupted = True
        finally:
            self.standings = Standings(self.plan.names, self.games)  # with games that ended after the last shown one
            if self.over or interrupted or self.standings.played:
                nobody_reads = isinstance(sys.exc_info()[1], OutputLost)
                try:
                    if self.json_to is not None:
                        output.put(self.json_to, self.report())
                finally:
                    for part in self.summary():
                        self.out.print(part)
                    for number, sentence in enumerate(() if nobody_reads else self.unfinished()):
                        self.errors.print(Text(sentence if number else f"tengen: {sentence}"))
        if interrupted:
            return ExitCode.INTERRUPTED
        failed = self.crash is not None or (bool(self.standings.faults) and not self.plan.recover)
        return ExitCode.FAULT if failed else ExitCode.CLEAN

    def summary(self) -> Iterator[RenderableType]:
        """The parts of the summary that is printed after the run."""
        raise NotImplementedError

    def unfinished(self) -> Iterator[str]:
        """Sentences for stderr that say why games are missing and how to resume; no sentence if no game is missing."""
        raise NotImplementedError

    def report(self) -> MatchReport | TournamentReport:
        """The result for `--json`."""
        raise NotImplementedError


# ---- a match


class MatchScreen(Screen):
    """A match: the live board, a line for every game, and the table at the end.

    `log_dir`: the folder for logs, None for no logs. `details`: also print every game's last board, even if `quiet`.
    """

    frames_per_second = 10
    transient = False

    def __init__(
        self, plan: Plan, *, log_dir: Path | None = None, json_to: str | None = None, quiet: bool = False,
        details: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(Games(plan), json_to=json_to, quiet=quiet)
        self.board, self.log_dir, self._details = display.LiveBoard(), log_dir, details

    def playing(self) -> Ended:
        return play_match(self.games, [self.board], self.log_dir)

    def ended(self, game: PlayedGame) -> None:
        super().ended(game)
        if not self.quiet:
            self.out.print(game_line(self.plan, game))
        if self._details:
            self.out.print(display.final_table(final_board(self.plan, game)))
        if game.result.loser is not None:
            self.errors.print(fault_report(game.result, game.details.agents, game.number))

    def __rich__(self) -> RenderableType:
        if self.board.session is None:
            return Text(_("starting ..."))
        a, b = (shortened(name, NAME_WIDTH) for name in self.plan.names)
        first, second = (self.standings.tally(name).score for name in self.plan.names)
        number = min(len(self.games) + 1, self.plan.games)
        title = _("game {number} of {total}").format(number=number, total=self.plan.games)
        title = f"{title}   {a} {first:g} : {second:g} {b}"
        return Panel(self.board, title=Text(title), expand=False)

    def summary(self) -> Iterator[RenderableType]:
        if self.games:
            yield match_table(self.plan, list(self.games))

    def unfinished(self) -> Iterator[str]:
        if not self.over:
            sentence = _("the match was interrupted after {done} of {total} games")
            yield sentence.format(done=len(self.games), total=self.plan.games)

    def report(self) -> MatchReport:
        return match_report(self.plan, list(self.games), self.log_dir)


# ---- a tournament


class TournamentScreen(Screen):
    """The standings of a tournament, or the state of its SPRT (sequential probability ratio test) if it has one."""

    frames_per_second = 2
    transient = True

    def __init__(
        self, games: Games, *, json_to: str | None = None, quiet: bool = False, executor: Executor | None = None
    ) -> None:
        super().__init__(games, json_to=json_to, quiet=quiet)
        self.executor = executor
        self._path = in_line(shlex.quote(str(games.path)))  # quoted for the commands that messages show
        self.pace = Pace(self.plan.games, self.standings.played)
        self._share, self._before = 1.0, self.standings.played
        self._lines = None if quiet or self.out.is_terminal else Lines(Console(stderr=True, soft_wrap=True))

    def playing(self) -> Ended:
        assert self.executor is not None and self.games.writer is not None
        try:
            yield from run(self.games, self.executor)
        finally:
            self.games.writer.check_place()

    def ended(self, game: PlayedGame) -> None:
        super().ended(game)
        self._share = min([self._share, *(report.core_share for report in game.details.agents)])
        self.pace.to(self.standings.played)
        if self.plan.sprt is not None:
            self.pace.total = min(self.plan.games, self.plan.sprt.games_needed(self.standings.first_pairs))
        if self._lines is not None:
            sprt = f"{shown(COMMA)}LLR {self.plan.sprt.llr(self.standings.first_pairs):.2f}" if self.plan.sprt else ""
            self._lines.say(f"{self._head()}{self.pace.rest}{sprt}")

    def __rich__(self, *, live: bool = True) -> RenderableType:
        head = Text(self._head() + self.pace.rest, no_wrap=False, overflow="fold") if live else Text(self._head())
        parts: list[RenderableType] = [head]
        names, sprt = self.plan.names, self.plan.sprt
        if sprt is None:
            parts.append(display.standings_table(self.standings))
        else:
            parts.append(display.sprt_table(sprt, names, self.standings.tally(names[0]), self.standings.first_pairs))
        if warning := wording.busy_text(self._share):
            parts.append(Text(shown(warning), style="yellow"))
        parts += display.notes(self.standings)
        return Group(*parts, *(games_now(self.executor.playing) if live and self.executor else ()))

    def _head(self) -> str:
        setup, numbers = self.plan.terms.setup, {"done": self.standings.played, "total": self.plan.games}
        games = _("{done} of at most {total} games") if self.plan.sprt else _("{done} of {total} games")
        head = _("{game}, {rules}, seed {seed}")
        head = head.format(game=shown(called(setup.env)), rules=setup.rules_in_words, seed=setup.seed)
        return f"{head}{shown(COLON)}{games.format(**numbers)}{self.pace.an_hour}"

    def summary(self) -> Iterator[RenderableType]:
        if self.standings.played:
            yield self.__rich__(live=False)
        if (sprt := self.plan.sprt) is not None and self.standings.decided(sprt):
            decision = sprt.decision(self.standings.first_pairs)
            fits, other = (sprt.elo0, sprt.elo1) if decision is Decision.H0 else (sprt.elo1, sprt.elo0)
            better = _("{accepted} is accepted: a difference of {fits:g} Elo fits the games better than one of "
                       "{other:g}")  # fmt: skip
            yield Text(better.format(accepted=decision.value, fits=fits, other=other))
        elif self.complete and self._before == self.plan.games:
            yield Text(_("{path} was finished before, and every game is in it").format(path=self._path))
            more = _("play more: tengen tournament --resume {path} --rounds {rounds}")
            yield Text(more.format(path=self._path, rounds=2 * self.plan.rounds))
        elif self.complete:
            yield Text(_("every game is in {path}").format(path=self._path))

    def unfinished(self) -> Iterator[str]:
        if self.complete:
            return
        if (writer := self.games.writer) is not None and not writer.in_place():  # the file has gone: the error says so
            sentence = _("the tournament was interrupted after {done} of at most {total} games")
            yield sentence.format(done=self.standings.played, total=self.plan.games)
            return
        go_on = _("go on: tengen tournament --resume {path}").format(path=self._path)
        if (game := self.crash) is not None:
            lost, why = _("game {number} was lost by a crash: {detail}"), shown(game.result.text)
            yield lost.format(number=game.number, detail=shortened(why, SENTENCE))
            place = 1 + sum(other.number < game.number for other in self.games)
            yield _("look at it: tengen replay {path} --game {number}").format(path=self._path, number=place)
            yield go_on + _("; with --recover, a crash is a lost game")
        else:
            sentence = _("the tournament was interrupted: {done} of at most {total} games are in {path}")
            yield sentence.format(done=self.standings.played, total=self.plan.games, path=self._path)
            yield go_on

    def report(self) -> TournamentReport:
        return tournament_report(self.games, self.standings, complete=self.complete)
