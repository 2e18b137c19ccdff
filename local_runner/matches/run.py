"""Runs a match, or a tournament: submits rounds to the executor, stores finished games, and decides when to stop.

The games are the whole state of a tournament, so a run can be interrupted at any time. The time that this module needs
for a game does not grow with the number of games. This module prints nothing.
"""

import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from pathlib import Path
from time import monotonic

from local_runner.agents.declared_games import refuse_misfits
from local_runner.agents.spec import AgentSpec
from local_runner.errors import RunnerError
from local_runner.game.faults import Reason
from local_runner.game.session import Watcher
from local_runner.game.wording import fault_text
from local_runner.language.languages import _, shown
from local_runner.matches.copies import Copy, copies
from local_runner.matches.executor import Executor, play
from local_runner.matches.games import Ended, Games, PlayedGame, create, resume
from local_runner.matches.plan import Plan, PlannedGame, Terms
from local_runner.matches.schedule import Pairing, Past, Schedule
from local_runner.matches.standings import Standings, remove_live, write_live
from local_runner.processes import claims, interpreters
from local_runner.processes.process import AgentProcess
from local_runner.system import files
from local_runner.system.header import header

WAIT_SECONDS = 0.2  # longest wait for a game; then Ctrl-C can end the run
LIVE_SECONDS = 0.5  # least time between two writes of the live file
AHEAD = 4  # submitted and unfinished games per slot, below which another round is submitted
CRASHES = {Reason.CRASH, Reason.PROTOCOL}  # with --no-recover, a loss for one of these reasons ends a tournament


def run(games: Games, executor: Executor) -> Ended:
    """Play the remaining games of a tournament up to its end, and yield each game after it was added to `games`.

    The end is the last game, the decision of the SPRT, or a crash (`ends_run`). If Ctrl-C, an error or the caller ends
    the run early, games that have already ended are added, too. Raises RunnerError if a game cannot be played or
    written.
    """
    plan = games.plan
    interpreters.check(plan.terms.python)
    standings = Standings(plan.names, games if plan.sprt else ())
    if standings.decided(plan.sprt):
        return
    with ExitStack() as stack:
        rounds = _Rounds(games, stack.enter_context(copies(plan.agents, plan.terms.python, games.files)))
        if games.path is not None:
            stack.callback(remove_live, games.path)
        waiting, shown = 0, -LIVE_SECONDS
        try:
            while True:
                wanted = 1 if plan.schedule is Schedule.SWISS else AHEAD * executor.slots
                while rounds.past.rounds < plan.rounds and waiting < wanted:  # a Swiss round needs all earlier games
                    for pair in rounds.next():
                        executor.submit(pair)
                        waiting += len(pair)
                if not waiting:
                    return
                if games.writer is not None:
                    games.writer.check_place()
                if games.path is not None and monotonic() - shown >= LIVE_SECONDS:
                    write_live(games.path, executor.playing)
                    shown = monotonic()
                if (game := executor.next(WAIT_SECONDS)) is None:
                    continue
                games.add(game)
                rounds.standings.add(game)
                standings.add(game)
                waiting -= 1
                yield game
                if ends_run(plan, game) or standings.decided(plan.sprt):
                    return
        except BaseException:
            for game in executor.rest():
                games.add(game)
            raise


def ends_run(plan: Plan, game: PlayedGame) -> bool:
    """Whether an agent crashed in a game, and the tournament ends at a crash."""
    return plan.recover is False and game.result.reason in CRASHES


def play_match(games: Games, watchers: Iterable[Watcher] = (), log_dir: Path | None = None) -> Ended:
    """Play a match in this thread; add each game to `games`, and yield it.

    `log_dir`: the folder for every game's log and the agents' output. If None, no log is written, and the output goes
    into a temporary folder. The temporary folder is kept only if an agent printed something and a game was lost by a
    fault. Raises RunnerError if `log_dir` cannot be written, the match begins from a board, or a game cannot be played.
    """
    plan = games.plan
    if log_dir is not None:
        if plan.terms.setup.board is not None:
            raise RunnerError(_("the log format cannot hold another start position: leave out --out, or --board"))
        files.check_folder(log_dir, _("choose another --out"))
    interpreters.check(plan.terms.python)
    folder, keep = log_dir or Path(tempfile.mkdtemp(prefix="tengen-match-")), log_dir is not None
    try:
        with copies(plan.agents, plan.terms.python) as played:
            for round_ in range(1, plan.rounds + 1):
                for game in plan.pair(round_, Pairing(0, 1), plan.opening(round_), played):
                    with claims.cores(2) as (black, white):  # before the first game, no process has loaded the agents
                        ended = play(game, folder, (black, white), watchers, logged=log_dir is not None,
                                     checked=game.number > 1)  # fmt: skip
                    keep = keep or (ended.result.loser is not None and any(map(files.size, folder.iterdir())))
                    games.add(ended)
                    yield ended
    finally:
        if not keep:
            shutil.rmtree(folder, ignore_errors=True)


class _Rounds:
    """The rounds of a tournament, one after another. `past`, `standings`: of the rounds so far."""

    def __init__(self, games: Games, played: Sequence[Copy]) -> None:
        self._games, self._plan, self._copies = games, games.plan, played
        self.past, self.standings = Past(), Standings(games.plan.names)

    def next(self) -> Iterator[list[PlannedGame]]:
        """The games of the next round that are still to be played: a list for each pair.

        The round's games that were played before are added to the standings.
        """
        first = self.past.rounds * self._plan.pairs + 1  # the number of the round's first pair
        before = [game for number in range(2 * first - 1, 2 * (first + self._plan.pairs) - 1)
                  if (game := self._games.get(number)) is not None]  # fmt: skip
        known = {game.pair - first: game.pairing for game in before}  # place in the round -> pairing
        pairings = [known[place] for place in sorted(known)]
        if len(known) < self._plan.pairs:
            agents, points = len(self._plan.agents), self.standings.points
            pairings = self._plan.schedule.pairings(agents, self.past, points, known)
        self.past.add(pairings)
        for game in before:
            self.standings.add(game)
        if len(before) < 2 * self._plan.pairs:
            opening, numbers = self._plan.opening(self.past.rounds), {game.number for game in before}
            for number, pairing in enumerate(pairings, first):
                games = self._plan.pair(number, pairing, opening, self._copies)
                if missing := [game for game in games if game.number not in numbers]:
                    yield missing


def unplayable(agents: Iterable[AgentSpec], terms: Terms) -> Iterator[tuple[AgentSpec, RunnerError]]:
    """Load every agent once, from a copy: the agents that cannot be loaded or do not play the game, with the reason.

    Raises RunnerError if `python` of the terms is no working Python 3.7 or newer.
    """
    interpreters.check(terms.python)
    for agent in agents:
        try:
            refuse_misfits([agent], terms.setup)
            if not agent.level:
                _load(agent, terms)
        except RunnerError as error:
            yield agent, error


def _load(agent: AgentSpec, terms: Terms) -> None:
    """Load an agent once, from a copy. Raises RunnerError if it cannot be loaded."""
    with (
        claims.folder() as folder, copies([agent], terms.python) as [(_agent, copy)],
        AgentProcess(agent, folder / "out.txt", terms.limits, python=terms.python, copy=copy) as process,
    ):  # fmt: skip
        if fault := process.start().fault:
            why = shown(fault_text(fault))
            if fault.reason is not Reason.MACHINE:  # the text of this reason is a whole sentence
                why = _("{agent} cannot be loaded: it {why}").format(agent=agent.name, why=why)
            raise RunnerError(why)


@contextmanager
def open_or_create(path: Path | None, plan: Plan) -> Iterator[Games]:
    """The games of a tournament to play: a new file, or an existing file with this plan and these agents.

    `path`: None for games in memory. Raises RunnerError for an existing file with another plan or with agents that have
    changed since, for an agent that is `unplayable`, and as `create` and `resume` do.
    """
    if path is None or not files.size(path):
        for _agent, error in unplayable(plan.agents, plan.terms):  # before the file is made
            raise error
        with nullcontext(Games(plan)) if path is None else create(path, plan, header()) as games:
            yield games
        return
    with resume(path) as games:
        if games.plan != plan:
            sentence = _("{path} holds games with other options; give another file")
            raise RunnerError(sentence.format(path=path))
        for changed in games.changed_files():
            sentence = _("{file} has changed since {path} was begun, or is gone; restore it, or begin a new file")
            raise RunnerError(sentence.format(file=changed, path=path))
        yield games
