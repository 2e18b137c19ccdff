"""One game between two agents under the referee: the platform's course of a game, with the strictness it lacks.

Both agents are asked at every step, Black first. Knows the rules only through `env_adapter`, and processes only
through `AgentProcess`; counts nothing over several games.
"""

from dataclasses import dataclass, replace
from typing import Any, Protocol

from env_adapter import Cell, Game, answer, make
from local_runner.agents import AgentSpec
from local_runner.errors import RunnerError
from local_runner.platform_log import GameLog
from local_runner.records import COLOURS, AgentReport, Call, Fault, GameRecord, Loaded, Reason, Reply, Result

SHOWN = 5  # legal cells named where a move was not one


class Player(Protocol):
    """Who is asked for moves: `processes.process.AgentProcess` says what is wanted; or a human."""

    spec: AgentSpec

    def start(self) -> Loaded:
        """Get ready."""

    def act(self, observation: Any, n_row: int, n_col: int) -> Reply:
        """Answer, on turn or off turn."""

    def report(self) -> AgentReport:
        """What is known of the player beside its answers."""


Players = tuple[Player, Player]


@dataclass(frozen=True)
class GameSetup:
    """What is played.

    `opening` are moves made for the players, in turn, before they are asked; `board` rows to begin from, at Reversi.
    """

    env: str
    rules: str = "platform"
    seed: int = 0
    opening: tuple[Cell, ...] = ()
    board_size: int | None = None
    board: tuple[str, ...] | None = None

    def make(self) -> Game:
        """A new game of it, before the opening; raises EnvError for what there is not."""
        given = {"board_size": self.board_size, "board": self.board}
        changed = {key: value for key, value in given.items() if value is not None}
        return make(self.env, rules=self.rules, seed=self.seed, **changed)


class Watcher:
    """Is told how a game goes; this one does not care. Subclass it for a display."""

    def begins(self, env: Game, players: Players) -> None:
        """A game is set up; the agents are not loaded yet."""

    def asks(self, player: int, turn: bool) -> None:
        """Player 0 or 1 starts to think, on turn or off turn."""

    def answered(self, call: Call) -> None:
        """It has answered."""

    def moved(self, cell: Cell | None) -> None:
        """A step was made: the cell that was played, None on a pass."""


def play_game(setup: GameSetup, players: Players, *, strict: bool = True, watcher: Watcher | None = None) -> GameRecord:
    """Play one game to its end; players that are not started yet are started, none is closed.

    Strict: an illegal move or a fault inside an agent loses. Otherwise these are only counted and the referee puts a
    random move in place of an illegal one, as the platform does. Everything else that goes wrong loses either way.
    Raises EnvError for an unknown game or rules, RunnerError for an illegal opening, AgentError as `start` does.
    """
    # Under the stated rules nothing replaces an illegal move.
    return _Course(setup, players, strict or setup.rules != "platform", watcher or Watcher()).run()


class _Course:
    """The course of one game."""

    def __init__(self, setup: GameSetup, players: Players, strict: bool, watcher: Watcher) -> None:
        self.setup = setup
        self.players = players
        self.strict = strict
        self.watcher = watcher
        self.env = setup.make()
        self.log = GameLog(setup.env, self.env)
        self.cells: list[Cell | None] = []
        self.calls: list[Call] = []
        self.observations: Any = self.env.all_observes
        spaces = (self.env.get_single_action_space(player) for player in range(2))
        self.sizes = [(int(rows.n), int(cols.n)) for rows, cols in spaces]

    def run(self) -> GameRecord:
        self.watcher.begins(self.env, self.players)
        for cell in self.setup.opening:
            self._open(cell)
        result = self._start()
        while result is None:
            result = self._ended() if self.env.is_terminal() else self._step()
        return self._record(result)

    def _open(self, cell: Cell) -> None:
        if self.env.is_terminal() or cell not in self.env.legal_moves():
            raise RunnerError(f"the opening {self.setup.opening} cannot be played: {cell} is not legal in its place")
        self._make_move([answer(cell, *size) for size in self.sizes])

    def _start(self) -> Result | None:
        for player, agent in enumerate(self.players):
            if (fault := agent.start().fault) is not None:
                return _lost(player, replace(fault, sentence=f"could not be loaded: it {fault.sentence}"))
        return None

    def _step(self) -> Result | None:
        """Ask both players and make the mover's move; the result if one of them is at fault."""
        answers = []
        for player in range(2):
            turn = player == self.env.chess_player - 1
            self.watcher.asks(player, turn)
            reply = self.players[player].act(self.observations[player], *self.sizes[player])
            row, col = reply.cell or (None, None)
            legal = self.env.legal_moves() if turn else []  # now, as a human may have lost the turn
            decoded = turn and bool(legal)  # on a pass the platform does not look at the answer
            illegal = decoded and reply.cell not in legal
            replaced = illegal and not self.strict
            call = Call(self.env.step_cnt, player, row, col, reply.seconds, reply.cpu, turn, replaced, reply.thought)
            self.calls.append(call)
            self.watcher.answered(call)
            if fault := reply.fault or self._fault_in(reply, decoded, illegal):
                return _lost(player, fault)
            answers.append(answer(reply.cell, *self.sizes[player]) if reply.cell else _blank(*self.sizes[player]))
        self._make_move(answers)
        return None

    def _make_move(self, answers: list[list[list[int]]]) -> None:
        mover = self.env.chess_player - 1
        step = self.env.step(answers)
        self.observations = step.all_observes
        self.log.add(self.env, mover, answers, step)
        self.cells.append(step.info_after.get("action"))
        self.watcher.moved(self.cells[-1])

    def _fault_in(self, reply: Reply, decoded: bool, illegal: bool) -> Fault | None:
        """What is wrong with an answer that came in time; `decoded`: the platform would read a move from it."""
        if decoded and reply.bad_code:
            return Fault(Reason.BAD_SHAPE, f"answered in the wrong form: {reply.bad_code}")
        if self.strict and reply.inner_faults:
            last_line = reply.inner_traceback.strip().rpartition("\n")[2]
            return Fault(Reason.INNER_FAULT, f"caught a fault of its own: {last_line}", reply.inner_traceback)
        if self.strict and illegal:
            assert reply.cell is not None  # or bad_code would say why
            why = why_illegal(self.env, reply.cell)
            return Fault(Reason.ILLEGAL_MOVE, f"played (row, col) = {reply.cell}, which {why}")
        return None

    def _ended(self) -> Result:
        outcome = self.env.outcome()
        return Result(outcome.winner, Reason.RULES, outcome.reason)

    def _record(self, result: Result) -> GameRecord:
        agents = (self.players[0].report(), self.players[1].report())
        end = {"winner": result.winner, "reason": result.reason.value, "detail": result.detail}
        lost_by_fault = {"winner": result.winner} if result.fault else {}  # the board itself knows no winner then
        names = {"black": agents[0].name, "white": agents[1].name}
        return GameRecord(
            env=self.setup.env,
            rules=self.setup.rules,
            seed=self.setup.seed,
            opening=self.setup.opening,
            cells=tuple(self.cells),
            calls=tuple(self.calls),
            result=result,
            agents=agents,
            log=self.log.finished(self.env, **lost_by_fault, result={**end, **names}),
        )


def why_illegal(env: Game, cell: Cell) -> str:
    """What is wrong with a cell of the board that may not be played, and which may: the end of a sentence."""
    stone = env.stones()[cell[0]][cell[1]]
    why = f"holds a stone of {COLOURS[stone - 1]}'s" if stone else "turns no disc over"
    legal = env.legal_moves()
    more = f" and {len(legal) - SHOWN} more" if len(legal) > SHOWN else ""
    return f"{why}; legal: {', '.join(map(str, legal[:SHOWN]))}{more}"


def _lost(player: int, fault: Fault) -> Result:
    return Result(2 - player, fault.reason, f"{COLOURS[player]} {fault.sentence}", fault)


def _blank(n_row: int, n_col: int) -> list[list[int]]:
    return [[0] * n_row, [0] * n_col]
