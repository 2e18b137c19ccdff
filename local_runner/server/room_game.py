"""The game of a room: a session, the players of both sides, the seconds of each ply, and the human's commands.

This module uses no thread, no page and no store. Undo, restart and swapped seats replay the remaining moves in a new
session. Agents other than our engine are then started in a new process, since their state belongs to the old game.
"""

import time
from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace

from local_runner.analysis.shown import move_name, opinion
from local_runner.errors import Unplayable
from local_runner.game.session import GameSession, Seats
from local_runner.language.languages import _
from local_runner.language.text import ending
from local_runner.processes.engine.engine_process import EngineProcess, Question
from local_runner.server.games import Cells, cell_of, numbers, position_game
from local_runner.server.seats import RoomContestant, SeatedAgent, SeatedEngine
from local_runner.server.wire import MOST_FAULT, Answer, Seat, StoredRoom, outcome_text, translated
from local_runner.system import files

PACE_SECONDS = 0.4  # usual time between two plies if no human plays, so that the game can be followed
HINT_SECONDS = 0.8  # search time of a hint
PRINTED_BYTES = 4000  # bytes kept from the end of a faulty agent's output


class RoomGame:
    """The game of a stored room. `contestant_of` makes the contestant of a seat.

    `pace`: least seconds between two plies if no human plays, None while the game is paused. The constructor raises
    RunnerError or EnvError if the room's moves cannot be played.
    """

    session: GameSession

    def __init__(self, room: StoredRoom, contestant_of: Callable[[Seat], RoomContestant]) -> None:
        self.room = room  # the room as it was loaded, except that `swap` changes its seats
        self.problem, self.printed = room.problem, room.printed
        self.pace: float | None = PACE_SECONDS
        self._start = position_game(room.position)
        self.contestants: Seats = (contestant_of(room.seats[0]), contestant_of(room.seats[1]))
        self._begin_session(self._start.cells, list(room.seconds))
        if room.result is not None:
            self.session.result = room.result

    # ---- the state

    @property
    def cells(self) -> Cells:
        """The cells of all plies, including the prefix (see games.py)."""
        return tuple(self.session.cells)

    @property
    def ply(self) -> int:
        """The number of plies so far, without the prefix."""
        return len(self.session.cells) - len(self._start.prefix)

    def is_over(self) -> bool:
        """Whether the game has ended or cannot go on."""
        return self.session.result is not None or bool(self.problem)

    @property
    def least_seconds(self) -> float | None:
        """The least seconds between two plies; None while no human plays and the game is paused."""
        return 0.0 if any(seat.kind == "human" for seat in self.room.seats) else self.pace

    @property
    def thinking(self) -> int | None:
        """The player to move if an agent plays that side; None otherwise."""
        human = self.room.seats[self.session.to_move].kind == "human"
        return None if human or self.is_over() else self.session.to_move

    @property
    def agents(self) -> list[SeatedAgent | SeatedEngine]:
        """The contestants that are agents, Black's first."""
        return [each for each in self.contestants if isinstance(each, (SeatedAgent, SeatedEngine))]

    @property
    def engines(self) -> list[SeatedEngine]:
        """The contestants that are our engine."""
        return [each for each in self.contestants if isinstance(each, SeatedEngine)]

    def stored(self) -> StoredRoom:
        """The room as it is now, for the store."""
        start, played = self._start, self.cells[len(self._start.prefix) :]
        position = replace(start.position, moves=numbers(played, start.board["cols"]))
        return replace(self.room, position=position, seconds=tuple(self._seconds), problem=self.problem,
                       printed=self.printed, result=self.session.result)  # fmt: skip

    def state(self) -> Answer:
        """The room as it is now, for its pages."""
        board, moves = self._start.board, self._start.moves_after(self.session, self.room.start)
        if self.problem:
            moves["legal"] = []
        room, used = self.stored(), [0.0, 0.0]
        for ply, seconds in enumerate(room.seconds):
            used[(board["first"] - 1 + ply) % 2] += seconds or 0.0
        result, fault = room.result, room.result.fault if room.result else None
        parts = [fault.traceback if fault else "", room.printed] if fault or room.problem else []
        return {
            "type": "state", "tag": None, "room": room.room, "version": 0, "board": board, "moves": moves,
            "position": room.position, "seats": room.seats, "seconds": room.seconds, "lose_turn": room.lose_turn,
            "ponder": room.ponder, "names": lambda: translated(room.names), "thinking": self.thinking,
            "clock": [round(each, 3) for each in used], "pace": self.pace, "unkept": "",
            "result": lambda: outcome_text(result.winner, result.text) if result else room.problem,
            "fault": "\n\n".join(ending(part, MOST_FAULT) for part in parts if part.strip()),
        }  # fmt: skip

    # ---- plies

    def play(self, number: int, at: float) -> None:
        """Make a human's move. `number`: the cell; `at`: when the move arrived, by `time.perf_counter`.

        Raises RunnerError if the cell is off the board, and Unplayable if the move is illegal. If the room was made
        with `lose_turn`, an illegal move loses the turn instead.
        """
        cell, plies = cell_of(number, self._start.board), self.ply
        used, session = max(0.0, at - self._since), self.session
        try:
            session.play(cell)
        except Unplayable:
            if not self.room.lose_turn or not session.env.has_pass or session.must_pass:
                raise
            session.lose_turn()
        self._ply_ended(plies, used)

    def step(self) -> None:
        """Let the agent on turn move. Raises Abandoned after `abandon`, RunnerError if the agent cannot be played."""
        calls, plies, mover = len(self.session.calls), self.ply, self.session.to_move
        self.session.step()
        used = [call.seconds for call in self.session.calls[calls:] if call.turn and call.player == mover]
        self._ply_ended(plies, used[0] if used else None)

    def _ply_ended(self, before: int, seconds: float | None) -> None:
        """Store the seconds of a ply, and the output of an agent whose fault ended the game.

        `before`: the number of plies before this ply.
        """
        plies = self.ply
        self._seconds += [None] * (plies - len(self._seconds))
        if plies > before and seconds is not None:
            self._seconds[-1] = round(seconds, 3)
        self._since = time.perf_counter()
        result = self.session.result
        if result is not None and result.loser is not None:
            loser = self.contestants[result.loser]
            if isinstance(loser, SeatedAgent):
                printed = files.tail(Path(loser.report().output), PRINTED_BYTES) or b""
                self.printed = printed.decode("utf-8", "replace")

    def ask_ahead(self) -> None:
        """Call the agent off turn while the human thinks. The agent's answer is kept until the human has moved."""
        self.session.start()
        if self.session.result is not None:
            return
        player = 1 - self.session.to_move
        agent = self.contestants[player]
        if isinstance(agent, SeatedAgent):
            env = self.session.env
            agent.act_ahead(self.ply, self.session.observations[player], env.board_height, env.board_width)

    def hint(self, engine: EngineProcess) -> tuple[int, str]:
        """The engine's move for the side to move, and a sentence with its reason.

        Raises Unplayable if the game is over or the search found no move in time, RunnerError if the engine fails.
        """
        if self.is_over():
            raise Unplayable(_("the game is over"))
        info = engine.ask(Question(self.session.setup, self.cells, seconds=HINT_SECONDS))
        if not info.lines:
            raise Unplayable(_("there was no time for a hint"))
        move, cols = info.lines[0].moves[0], self._start.board["cols"]
        sentence = _("{move}: {opinion}")
        reason = opinion(info, self.session.to_move, cols, at=1)
        return move, sentence.format(move=move_name(move, cols), opinion=reason)

    # ---- a human's commands

    def is_late(self, ply: int) -> bool:
        """Whether a command for the position after `ply` plies comes late: plies were taken back, or a human has moved.

        The answer of an agent alone does not make a command late.
        """
        return ply > self.ply or any(map(self._is_humans, range(len(self._start.prefix) + ply, len(self.cells))))

    def _is_humans(self, at: int) -> bool:
        """Whether the cell with this index is a move of a human. A pass counts only in a room with `lose_turn`."""
        mover = (self.session.to_move + len(self.cells) - at) % 2  # the sides alternate
        return self.room.seats[mover].kind == "human" and (self.cells[at] is not None or self.room.lose_turn)

    def undo(self) -> None:
        """Take back the last move of a human, and all plies after that move. Raises Unplayable if no human has moved.

        A pass or a lost turn counts as a move only in a room with `lose_turn`.
        """
        first = len(self._start.prefix) + self.room.start
        for at in reversed(range(first, len(self.cells))):
            if self._is_humans(at):
                self._resume(self.cells[:at])
                return
        raise Unplayable(_("there is no move of yours to take back"))

    def resign(self) -> None:
        """Let the human resign; if both sides are human, the side to move resigns. Raises Unplayable without a human or
        after the game.
        """
        players = [player for player in (0, 1) if self.room.seats[player].kind == "human"]
        if not players:
            raise Unplayable(_("no human plays here who could resign"))
        if self.problem:
            raise Unplayable(_("the game is over"))
        self.session.resign(self.session.to_move if len(players) == 2 else players[0])

    def swap(self) -> None:
        """Swap the players of both sides. The position stays."""
        seats, names = self.room.seats, self.room.names
        self.room = replace(self.room, seats=(seats[1], seats[0]), names=(names[1], names[0]))
        self.contestants = (self.contestants[1], self.contestants[0])
        problem, printed, result = self.problem, self.printed, self.session.result
        self._resume(self.cells)
        self.problem, self.printed, self.session.result = problem, printed, result

    def restart(self) -> None:
        """Go back to the position in which the room's game began."""
        self._resume(self.cells[: len(self._start.prefix) + self.room.start])

    def give_up(self) -> None:
        """After a call was abandoned: make a new session with the moves before that call."""
        self._resume(self.cells)

    def _resume(self, cells: Cells) -> None:
        for agent in self.agents:
            agent.renew()
        self.problem = self.printed = ""
        self._begin_session(cells, self._seconds[: max(0, len(cells) - len(self._start.prefix))])

    def _begin_session(self, cells: Cells, seconds: list[float | None]) -> None:
        self.session = GameSession(self._start.setup, self.contestants, cells=cells)
        for engine in self.engines:
            engine.session = self.session
        self._seconds = [*seconds, *[None] * (self.ply - len(seconds))]
        self._since = time.perf_counter()
