"""Plays the games of a check, and stops those of a slow agent when the time of the check is up.

A chain is a list of games that are played one after another in one process; several chains run at once. Each kind of
game has two chains. The first is a game against random moves and a short second game: the agent must notice that a new
game has begun. (In Reversi the second game starts right before a pass, with the agent on both sides.) The second chain
is a game of the agent against itself, in one process, as on the site. Games against random moves are started first,
because a step of theirs needs one call of the agent instead of two.
"""

from __future__ import annotations

import contextlib
import functools
import random
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter

from env_adapter import Cell, kind_of, make
from local_runner.agents.spec import AgentSpec, parse_agent
from local_runner.game.advice import Hint
from local_runner.game.coordinates import written
from local_runner.game.faults import Fault, Reason
from local_runner.game.records import Call, Result
from local_runner.game.session import GameSession, Seats, fault_in
from local_runner.game.setup import GameSetup, called
from local_runner.language.languages import Listing, Message
from local_runner.processes.child import AgentLimits
from local_runner.processes.host_process import PRINTED_BYTES
from local_runner.processes.process import AgentProcess
from local_runner.processes.sandbox import SandboxMode
from local_runner.system import files

Progress = Callable[[str, int, bool, int], object]  # (game as a Message, its steps, ended or stopped, games of all)
LIMITS = AgentLimits()  # the site's limits
RANDOM, ITSELF = Message("against random"), Message("against itself")
AGAIN, PASSED = Message("another game"), Message("after a pass")
STEPS = {AGAIN: 6, PASSED: 4}  # number of steps after which the second game of a chain ends
MOST_COMPARED = 0.5  # seconds; slower calls are not repeated in new processes, since their moves depend on the clock
MOST_AGAIN = 5.0  # seconds; calls that took longer are not made again to find the cause of a fault
LEAST_STEPS = 2  # least number of steps of a game that is stopped when the time is up
SECONDS, QUICK_SECONDS = 100.0, 16.0  # seconds until the last games are stopped
RANDOM_SHARE, QUICK_RANDOM_SHARE = 0.7, 0.4  # share of SECONDS for the chains that begin against random moves
ALONE = 2.0  # SECONDS is multiplied by this if games are played one at a time


@dataclass(frozen=True)
class CheckedGame:
    """One game that the checked file has played."""

    env: str
    what: Message
    calls: tuple[Call, ...]  # calls of the checked file
    steps: int
    result: Result | None  # None if the game did not reach its end
    fault: Fault | None  # fault of the checked file
    peak_mb: float  # peak memory of the checked file's process so far
    printed: str  # the end of the output of the checked file's process so far
    core_share: float = 1.0  # share of a core that the checked file's process got so far
    memory: str = ""  # a Message if variables that outlive a game change the file's moves, else ""
    risky: Fault | None = None  # the fault of an answer on turn that the site reads, but its text does not allow

    @property
    def stopped(self) -> bool:
        """Whether the game was stopped because the time of the check was up."""
        return self.result is None and self.steps < STEPS.get(self.what, self.steps + 1)

    @property
    def name(self) -> Message:
        """The name of the game and of its row in the report, such as "gobang_1v1, against random"."""
        return Message("{game}, {what}", game=called(self.env), what=self.what)


def ends(chains: int, jobs: int, *, quick: bool) -> Iterator[float]:
    """For each chain, in order of start: seconds after the start at which its games are stopped.

    chains: number of chains that begin against random moves, and number of chains of the agent against itself
    jobs: number of chains at once; quick: whether the games of a slow agent are stopped early
    """
    rounds = -(-chains // jobs)
    seconds = QUICK_SECONDS if quick else SECONDS * (ALONE if jobs == 1 else 1.0)
    share = QUICK_RANDOM_SHARE if quick else RANDOM_SHARE
    for begin, end in ((0.0, share), (share, 1.0)):
        for number in range(chains):
            yield seconds * (begin + (end - begin) * (number // jobs + 1) / rounds)


class GamePlayer:
    """Plays the games of a check.

    folder: where the agents' output is written
    progress: called at each step of a game, by several threads
    jobs, quick: as in `ends`
    """

    def __init__(
        self, spec: AgentSpec, python: Path, folder: Path, progress: Progress, mode: SandboxMode, jobs: int, *,
        quick: bool, given_up: threading.Event,
    ) -> None:  # fmt: skip
        self.spec, self.python, self.folder = spec, python, folder
        self.progress, self.jobs, self.quick = progress, jobs, quick
        self.limits = replace(LIMITS, sandbox=mode)
        self._lock = threading.Lock()
        self._processes = 0
        self._games = 0  # number of games in the check
        self.loaded: set[str] = set()  # the upload's files that were loaded in the games
        self._given_up = given_up

    def process(self, seed: int = 0) -> AgentProcess:
        """A new process for the upload, which is not started yet, with a new file for its output."""
        with self._lock:
            self._processes += 1
            printed = self.folder / f"printed-{self._processes}.txt"
        return AgentProcess(self.spec, printed, self.limits, python=str(self.python), watched=True, seed=seed,
                            given_up=self._given_up.is_set)  # fmt: skip

    def play(self, envs: list[str]) -> list[CheckedGame]:
        """Play all games of the environments; returns them in the order of `envs`."""
        # Games with passes (Reversi) take longest against random moves, so they start first. Their games of the agent
        # against itself start last, because the games against random moves already reach the end of the game.
        passing, others = ([env for env in envs if kind_of(env).rules.has_pass == has] for has in (True, False))
        chains = [
            *((env, [RANDOM, PASSED]) for env in passing),
            *((env, [RANDOM, AGAIN]) for env in others),
            *((env, [ITSELF]) for env in others + passing),
        ]
        self._games = sum(len(whats) for _env, whats in chains)
        began, stops = perf_counter(), ends(len(envs), self.jobs, quick=self.quick)
        with ThreadPoolExecutor(self.jobs) as pool:
            running = [pool.submit(self._chain, *chain, began + end) for chain, end in zip(chains, stops, strict=True)]
            try:
                found = [game for chain in as_completed(running) for game in chain.result()]
            except BaseException:
                self._given_up.set()
                pool.shutdown(cancel_futures=True)
                raise
        order = [RANDOM, ITSELF, AGAIN, PASSED]
        return sorted(found, key=lambda game: (envs.index(game.env), order.index(game.what)))

    def _chain(self, env: str, whats: list[Message], end: float) -> list[CheckedGame]:
        """Play games one after another in one process, as the site may do; after a fault a new process is started."""
        found: list[CheckedGame] = []
        with contextlib.ExitStack() as processes:
            agent = processes.enter_context(self.process())
            name = f"random-{env}-{whats[0]}.txt"
            other = processes.enter_context(AgentProcess(parse_agent("random"), self.folder / name, seed=1))
            for what in whats:
                seats: Seats = {RANDOM: (other, agent), AGAIN: (agent, other)}.get(what, (agent, agent))
                found.append(self._game(env, what, agent, seats, end))
                if found[-1].fault:
                    agent = processes.enter_context(self.process())
        return found

    def _game(self, env: str, what: Message, agent: AgentProcess, seats: Seats, end: float) -> CheckedGame:
        seed = 1 + [RANDOM, ITSELF, PASSED, AGAIN].index(what)
        name = Message("{game}, {what}", game=called(env), what=what)
        game = GameSession(GameSetup(env, seed=seed, opening=to_a_pass(env) if what == PASSED else ()), seats)
        game.start()
        while game.result is None and not self._given_up.is_set() and game.plies < STEPS.get(what, game.plies + 1):
            if perf_counter() > end and game.plies >= LEAST_STEPS:
                break
            game.step()
            self.progress(name, game.plies, False, self._games)
        self.progress(name, game.plies, True, self._games)
        mine = {player for player in range(2) if seats[player] is agent}
        unmeasured = game.result is not None and game.result.unmeasured
        fault = game.result.fault if game.result and (unmeasured or game.result.loser in mine) else None
        if fault is not None and what is not RANDOM:
            fault = self._of_memory(fault, game, agent)
        compared = sorted(mine) if what is not RANDOM and not fault else []
        memory = next(filter(None, (self._changed(game, player, agent) for player in compared)), "")
        self.loaded.update(agent.names("loaded"))
        report = agent.report()
        printed = (files.tail(Path(report.output), PRINTED_BYTES) or b"").decode("utf-8", "replace")
        calls = tuple(call for call in game.calls if call.player in mine)
        return CheckedGame(env, what, calls, game.plies, game.result, fault, report.peak_mb, printed, report.core_share,
                           memory, game.risky)  # fmt: skip

    def _of_memory(self, fault: Fault, game: GameSession, agent: AgentProcess) -> Fault:
        """The fault, with Hint.KEPT if state in the agent's module causes it.

        State is the cause if a new process, which is asked for one colour of this game only, answers without a fault.
        """
        assert game.result is not None
        player = 2 - game.result.winner
        spent = sum(call.seconds for call in game.calls if call.player == player)
        timed = fault.reason is Reason.TIME  # the time of a call differs from process to process in any case
        names = agent.names("changed") if spent < MOST_AGAIN and not (fault.loading or timed) else ()
        if not names or self._alone(game, player, game.plies)[1] is not None:
            return fault
        hint = Hint.KEPT_AFTER_PASS if isinstance(game.observations[player], list) else Hint.KEPT
        return replace(fault, fields={**fault.fields, "hint": hint.value, "names": ", ".join(names)})

    def _changed(self, game: GameSession, player: int, agent: AgentProcess) -> str:
        """The difference between the moves of one player in a game and those of new processes, as a Message.

        "" if there is none, if the module keeps no state, or if two new processes with other seeds differ, too. For
        slow agents only the first moves are compared.
        """
        spent = [call.seconds for call in game.calls if call.player == player]
        most = next((plies for plies in (game.plies, STEPS[AGAIN]) if sum(spent[: plies + 1]) < MOST_COMPARED), 0)
        names = agent.names("changed") if most else ()
        if not names:
            return ""
        (first, fault), (second, _fault) = (self._alone(game, player, most, seed) for seed in (1, 2))
        if fault is not None or first != second:
            return ""
        played = game.cells[len(game.setup.opening) :]
        for step, other in first.items():
            if step < len(played) and played[step] != other:
                return Message("step {number}: {cell}, in a new process {other}; kept: {names}", number=step + 1,
                               cell=written(played[step]), other=written(other), names=Listing(names))  # fmt: skip
        return ""

    def _alone(
        self, played: GameSession, player: int, most: int, seed: int = 0
    ) -> tuple[dict[int, Cell | None], Fault | None]:
        """The moves (step -> cell) and the fault of a new process that gets one player's calls up to step `most`."""
        again, moves = GameSession(played.setup), dict[int, Cell | None]()
        rows, cols = again.env.board_height, again.env.board_width
        with self.process(seed) as agent:
            agent.start()
            for cell in [*played.cells[len(again.cells) :], None][: most + 1]:
                reply = agent.act(again.observations[player], rows, cols)
                decoded = again.to_move == player and again.env.can_move()
                if fault := fault_in(reply, again.env, decoded=decoded, strict=True):
                    return moves, fault
                if decoded:
                    moves[again.plies] = reply.cell
                if again.plies < played.plies:
                    again.ply(cell)
        return moves, None


@functools.cache
def to_a_pass(env: str) -> tuple[Cell, ...]:
    """Random moves that end right before a pass; after a pass the platform sends a list as observation.

    Raises AssertionError if no such moves are found.
    """
    for seed in range(1000):
        chance = random.Random(seed)
        game, moves = make(env, seed=seed), list[Cell]()
        while not game.is_terminal():
            legal = game.legal_moves()
            if not legal:
                return tuple(moves)
            moves.append(chance.choice(legal))
            game.play(moves[-1])
    raise AssertionError(f"no pass in 1000 random games of {env}")  # 3 of 10 games have a pass
