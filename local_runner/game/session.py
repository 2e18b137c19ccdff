"""A session plays one game step by step, and holds the environment, the moves so far and the result.

A seat is a contestant, which the session asks for moves, or a name, whose moves the caller gives to `play`. A setup and
a list of cells determine a game: to undo or to resume, the session replays the list in a new environment.

>>> session = GameSession(GameSetup("tictactoe_1v1")).play((1, 1))
>>> session.to_move, session.cells
(1, [(1, 1)])
"""

import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, Protocol, TypeVar

from env_adapter import Cell, Game, Quirk, answer
from local_runner.errors import RunnerError, Unplayable
from local_runner.game.advice import with_hint
from local_runner.game.codec import ToldResult, as_json
from local_runner.game.coordinates import written
from local_runner.game.faults import Fault, FaultKind, Reason
from local_runner.game.platform_log import GameLog
from local_runner.game.records import NOBODY, AgentReport, Call, GameRecord, Loaded, Reply, Result, Verdict
from local_runner.game.setup import GameSetup, called
from local_runner.game.wording import COLOURS, colour, illegal_move, why_not
from local_runner.language.languages import _, listed, shown

Session = TypeVar("Session", bound="GameSession")


class Contestant(Protocol):
    """Gives the moves of one side, as `processes.process.AgentProcess` does.

    `is_ours`: whether the contestant comes with the project.
    """

    @property
    def name(self) -> str: ...

    @property
    def is_ours(self) -> bool: ...

    def start(self) -> Loaded:
        """Load the contestant. The returned `Loaded` holds a fault if loading has failed."""

    def act(self, observation: Any, n_row: int, n_col: int) -> Reply:
        """Answer an observation, on turn or off turn."""

    def report(self) -> AgentReport:
        """The contestant's name, and its load time, memory, output and caught exceptions so far."""


Seat = Contestant | str  # str: the name of a side whose moves are given to `GameSession.play`
Seats = tuple[Seat, Seat]  # Black's, White's


def fault_in(reply: Reply, env: Game, *, decoded: bool, strict: bool) -> Fault | None:
    """The fault in a reply that loses the game; None if there is none.

    `decoded`: whether the platform would read a move from this reply. `strict`: whether an illegal move, or an
    exception that the agent has caught itself, loses the game.
    """
    if reply.fault is not None:
        return reply.fault
    if decoded and reply.bad_form and (reply.cell is None or Quirk.ANSWER_READ_BLINDLY not in env.quirks):
        return reply.bad_form
    if strict and reply.inner_faults:
        last_line = reply.inner_traceback.strip().rpartition("\n")[2]
        return Fault(FaultKind.CAUGHT, {"error": last_line}, reply.inner_traceback)
    if strict and decoded and (why := env.why_illegal(reply.cell)) is not None:
        assert reply.cell is not None  # a reply without a cell has `bad_form`, and was handled above
        row, col = reply.cell
        return Fault(FaultKind.ILLEGAL, {"row": row, "col": col, **illegal_move(env, reply.cell, why)})
    return None


class Watcher:
    """Receives a session's events, in the thread that calls the session. Subclasses override the empty methods."""

    def began(self, session: "GameSession") -> None:
        """The game begins. The opening is on the board; contestants are not loaded yet."""

    def asked(self, player: int, turn: bool) -> None:
        """A contestant, 0 Black or 1 White, is called. `turn`: whether it is that contestant's turn."""

    def answered(self, call: Call) -> None:
        """A contestant has answered, or a caller has given a move to `GameSession.play`."""

    def moved(self, cell: Cell | None) -> None:
        """A ply was made. None is a pass or a lost turn."""

    def undone(self, plies: int) -> None:
        """The last plies were taken back."""

    def ended(self, result: Result) -> None:
        """The game is over."""


class GameSession:
    """A game that is played step by step. Any thread may call the session; a lock serialises the calls.

    On Linux an agent's process ends with the thread that loaded it: call `start` in a thread that outlives the game.
    `seats`: Black's and White's contestants or names. `strict`: an illegal move, or an exception that an agent has
    caught itself, loses the game. If not strict, both are only counted, and the referee replaces an illegal move by a
    random one, as the platform does. `cells`: the moves of a game to resume, the opening included.
    Raises EnvError for an unknown game or rules, RunnerError for cells that cannot be played.
    """

    def __init__(
        self, setup: GameSetup, seats: Seats = COLOURS, *, strict: bool = True, cells: Sequence[Any] | None = None,
    ) -> None:  # fmt: skip
        self.setup = setup
        self.seats = seats
        self.strict = strict or setup.rules != "platform"  # only the platform's rules replace illegal moves
        self.risky: Fault | None = None  # the fault of the first answer on turn that the site's text would not allow
        self.calls: list[Call] = []
        self._calls_at: list[int] = []  # len(calls) after each ply
        self._started = False
        self._watchers: list[Watcher] = []
        self._lock = threading.RLock()
        self._replay(setup.opening if cells is None else cells)

    def __getstate__(self) -> dict[str, Any]:  # for pickle and copy: without the contestants, which have processes
        return {**vars(self), "seats": self.names, "_started": False, "_watchers": [], "_lock": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _lock=threading.RLock())

    # ---- the state of the game

    env: Game  # read only; `undo` replaces it by a new environment
    log: GameLog
    observations: Any  # one for each player; with Quirk.LIST_AFTER_PASS the rows of the board after a pass
    cells: list[Cell | None]  # one for each ply, the opening included; None for a pass or a lost turn
    result: Result | None  # None while the game goes on

    @property
    def names(self) -> tuple[str, str]:
        """Black's and White's names."""
        black, white = (seat if isinstance(seat, str) else seat.name for seat in self.seats)
        return black, white

    @property
    def to_move(self) -> int:
        """The player whose turn it is: 0 Black, 1 White."""
        return self.env.chess_player - 1

    @property
    def must_pass(self) -> bool:
        """Whether the side to move has no legal move; only `play(None)` is possible then."""
        return self.result is None and not self.env.can_move()

    @property
    def plies(self) -> int:
        """The number of plies after the opening."""
        return len(self.cells) - len(self.setup.opening)

    def why_not(self, cell: Cell | None) -> str:
        """A sentence why the side to move may not play a cell, or may not pass (None); "" if the move is legal."""
        if self.result is not None:
            return _("the game is over: {result}").format(result=shown(self.result.text))
        if cell is not None:
            return shown(why_not(self.env, cell) or "")
        sentence = _("{colour} has legal moves and may not pass")
        return sentence.format(colour=colour(self.to_move)) if self.env.can_move() else ""

    def record(self) -> GameRecord:
        """The record of a finished game. Raises RunnerError while the game goes on."""
        if (result := self.result) is None:
            raise RunnerError(_("the game is not over yet; play it to its end, or resign"))
        black, white = (AgentReport(seat) if isinstance(seat, str) else seat.report() for seat in self.seats)
        end = {**as_json(ToldResult.of(result)), "black": black.name, "white": white.name}
        # If the rules did not end the game, the environment knows no winner.
        winner = {} if result.reason is Reason.RULES else {"winner": result.winner}
        log = self.log.finished(self.env, **winner, result=end)
        return GameRecord(self.setup.opening, tuple(self.cells), tuple(self.calls), result, (black, white), log)

    # ---- playing

    def watch(self, watcher: Watcher) -> None:
        """Add a watcher, which receives all later events."""
        self._watchers.append(watcher)

    def start(self) -> None:
        """Load the contestants, as the first step would. Raises what `Contestant.start` raises."""
        with self._lock:
            if self._started:
                return
            self._started = True
            self._tell(lambda watcher: watcher.began(self))
            if self.result is not None:  # the game is over after the opening, or on the given board
                self._end(self.result)
                return
            for player, seat in enumerate(self.seats):
                if not isinstance(seat, str) and (fault := seat.start().fault) is not None:
                    self._end(_lost(player, replace(fault, loading=True)))
                    return

    def step(self) -> None:
        """Call both contestants, Black's first, as the platform does, and make the mover's move.

        Raises Unplayable if the mover's seat is a name or the game is over.
        """
        with self._lock:
            if self.result is not None:
                raise Unplayable(self.why_not(None))
            if isinstance(self.seats[self.to_move], str):
                raise Unplayable(_("{who} has no agent here; give the move to `play`").format(who=colour(self.to_move)))
            self._make_step(None)

    def play(self: Session, cell: Cell | None) -> Session:
        """Make a move for the side to move; None passes. Calls only the opponent's contestant, off turn.

        Raises Unplayable, and changes nothing, if the move is illegal.
        """
        with self._lock:
            if why := self.why_not(cell):
                raise Unplayable(why)
            self._make_step(Reply(cell=cell))
        return self

    def ply(self, cell: Cell | None) -> None:
        """Make a ply of a recorded game. None is a pass, or a lost turn if there is a legal move."""
        if cell is None and self.env.can_move():
            self.lose_turn()
        else:
            self.play(cell)

    def lose_turn(self) -> None:
        """Take the turn away from the side to move.

        Raises Unplayable in games without passes, after the end, and if the side to move must pass.
        """
        with self._lock:
            if not self.env.has_pass:
                raise Unplayable(_("a turn cannot be lost in {game}").format(game=shown(called(self.setup.env))))
            if not self.env.can_move():
                raise Unplayable(self.why_not(None) or _("{who} must pass anyway").format(who=colour(self.to_move)))
            self._make_step(Reply(), lost=True)

    def resign(self: Session, player: int | None = None) -> Session:
        """End the game as lost for `player`, 0 Black or 1 White (default: the side to move).

        Raises Unplayable if the game is over.
        """
        with self._lock:
            if self.result is not None:
                raise Unplayable(self.why_not(None))
            self.start()
            self._end(Result(2 - (self.to_move if player is None else player)))
        return self

    def adjudicate(self, winner: int, verdict: Verdict) -> None:
        """End the game with this result, 1 Black, 2 White or 3 a draw, although the rules have not ended it."""
        with self._lock:
            self._end(Result(winner, verdict=verdict))

    def undo(self: Session, plies: int = 1) -> Session:
        """Take back the last plies, also of a finished game.

        Raises Unplayable unless `plies` lies in 1 to the number of plies after the opening.
        """
        with self._lock:
            self.start()
            if not 1 <= plies <= self.plies:
                raise Unplayable(_("cannot take back more plies than were played: {all}").format(all=self.plies))
            kept = self.cells[:-plies]
            del self._calls_at[len(kept) :]
            del self.calls[self._calls_at[-1] if kept else 0 :]
            self._replay(kept)
            self._tell(lambda watcher: watcher.undone(plies))
        return self

    def advance(self, answers: Sequence[Any] | None) -> None:
        """Make one step from both players' answers, without checking the answers. None: the mover loses its turn.

        Exceptions of the environment pass through.
        """
        with self._lock:
            self.start()
            self._apply(answers)
            self._calls_at.append(len(self.calls))
            by_rule = self.result
            self._tell(lambda watcher: watcher.moved(self.cells[-1]))  # a watcher may end the game
            if by_rule is not None:
                self._end(by_rule)

    # ---- one step

    def _make_step(self, given: Reply | None, *, lost: bool = False) -> None:
        """Call the contestants, except the mover's if its reply is `given`. Then make the mover's move."""
        self.start()
        if self.result is not None:
            return
        mover, reads_move = self.to_move, not lost and self.env.can_move()  # on a pass no move is read from the answer
        size = self.env.board_height, self.env.board_width
        answers = []
        for player, seat in enumerate(self.seats):
            turn, blank = player == mover, [[0] * n for n in size]
            if turn and given is not None:
                reply = given
                self._note(player, turn, reply)
            elif isinstance(seat, str):
                answers.append(blank)
                continue
            else:
                for watcher in self._watchers:
                    watcher.asked(player, turn)
                reply = seat.act(self.observations[player], *size)
                decoded = turn and reads_move
                is_legal = not decoded or (reply.cell is not None and self.env.is_playable(reply.cell))
                self._note(player, turn, reply, replaced=not is_legal and not self.strict)
                fault = fault_in(reply, self.env, decoded=decoded, strict=self.strict)
                self.risky = self.risky or (reply.bad_form if decoded else None)
                one_module = reads_move and player > mover and seat is self.seats[mover]  # moved before
                if fault is None and one_module and reply.changed:
                    fault = Fault(FaultKind.REUSED)
                if fault:
                    self._end(_lost(player, with_hint(fault, self.env, self.observations[player], turn=turn)))
                    return
            answers.append(answer(reply.cell, *size) if reply.cell else blank)
        self.advance(None if lost else answers)

    def _note(self, player: int, turn: bool, reply: Reply, *, replaced: bool = False) -> None:
        row, col = reply.cell or (None, None)
        call = Call(self.env.step_cnt, player, row, col, reply.seconds, reply.cpu, turn, replaced, reply.thought)
        self.calls.append(call)
        self._tell(lambda watcher: watcher.answered(call))

    def _apply(self, answers: Sequence[Any] | None) -> None:
        mover = self.to_move
        step = self.env.lose_turn() if answers is None else self.env.step(answers)
        self.observations = step.all_observes
        self.log.add(self.env, mover, answers or (), step)
        self.cells.append(step.info_after.get("action"))
        self._look_for_end(over=step.done)

    def _replay(self, cells: Sequence[Any]) -> None:
        """Play cells, given as tuples or as lists from JSON, in a new environment. None: a pass or a lost turn."""
        self.env = self.setup.make()
        self.log = GameLog(self.setup.env, self.env)
        self.cells = []
        self.observations = self.env.all_observes
        self._look_for_end(over=self.env.is_terminal())
        for number, given in enumerate(cells):
            cell = tuple(given) if isinstance(given, list) else given
            can_lose = cell is None and self.result is None and self.env.has_pass
            if not can_lose and self.why_not(cell):
                sentence = _("the moves {cells} cannot be played: {cell} is not legal in its place")
                raise RunnerError(sentence.format(cells=listed(map(written, cells)), cell=written(cell)))
            lost = cell is None and self.env.can_move()
            self._apply(None if lost else [answer(cell or (0, 0), self.env.board_height, self.env.board_width)] * 2)
            if number == len(self._calls_at):
                self._calls_at.append(0)

    def _look_for_end(self, *, over: bool) -> None:
        outcome = self.env.outcome() if over else None
        self.result = None if outcome is None else Result(outcome.winner, outcome.ending)

    def _end(self, result: Result) -> None:
        self.result = result
        self._tell(lambda watcher: watcher.ended(result))

    def _tell(self, event: Callable[[Watcher], None]) -> None:
        for watcher in self._watchers:
            event(watcher)


def play_game(setup: GameSetup, seats: Seats, *, strict: bool = True, watchers: Iterable[Watcher] = ()) -> GameRecord:
    """Play one game to its end. The caller closes the contestants. Raises errors as `GameSession` and `start` do."""
    session = GameSession(setup, seats, strict=strict)
    for watcher in watchers:
        session.watch(watcher)
    session.start()
    while session.result is None:
        session.step()
    return session.record()


def _lost(player: int, fault: Fault) -> Result:
    return Result(NOBODY if fault.reason is Reason.MACHINE else 2 - player, fault=fault)
