"""The game of a room: a session, who sits on both sides, the seconds of every ply, and what the human may do to it.

Knows no thread, no page and no store. After undo, restart and exchanged seats the session is a new one with the same
moves; strangers' agents then begin in a new process, since they cannot know of it.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from local_runner.analysis.engine import EngineProcess, Question
from local_runner.analysis.opinion import move_name, opinion
from local_runner.game.participants import Seats
from local_runner.game.session import GameSession, Unplayable
from local_runner.language.languages import _
from local_runner.server.engine_seat import HINT_SECONDS, SeatedEngine
from local_runner.server.messages import Player, Seat
from local_runner.server.positions import Begun, Played, begun, cell_of, drawn
from local_runner.server.seats import SeatedAgent, is_human
from local_runner.server.store import now
from local_runner.server.stored_room import RoomView, StoredRoom
from local_runner.system import files

PRINTED_BYTES = 4000  # of the output of an agent at fault
Sitting = Callable[[Seat], "SeatedAgent | SeatedEngine | str"]


@dataclass(frozen=True)
class GameTerms:
    """What of a room does not change with its moves."""

    room: str
    start: int
    lose_turn: bool
    ponder: bool


class RoomGame:
    """The game that is kept in `room`. `sitting` makes the contestant of a seat, a name for a human.

    Raises RunnerError or EnvError for moves that cannot be played.
    """

    def __init__(self, room: StoredRoom, sitting: Sitting) -> None:
        self.terms = GameTerms(room.room, room.start, room.lose_turn, room.ponder)
        self.seats: tuple[Seat, Seat] = room.seats
        self.names = room.names
        self.problem, self.printed = room.problem, room.printed
        self._start: Begun = begun(room.position)
        self.contestants: Seats = (sitting(room.seats[0]), sitting(room.seats[1]))
        self._began(self._start.cells, list(room.seconds))
        if room.result is not None:
            self.session.result = room.result

    session: GameSession

    # ---- what there is

    @property
    def cells(self) -> Played:
        """The cells of all plies, the prefix included."""
        return tuple(self.session.cells)

    @property
    def ply(self) -> int:
        """The plies so far, as the page counts them."""
        return len(self.session.cells) - len(self._start.prefix)

    def is_over(self) -> bool:
        """Whether the game has ended, or cannot go on."""
        return self.session.result is not None or bool(self.problem)

    @property
    def human_to_move(self) -> bool:
        """Whether a human is on turn."""
        return not self.is_over() and is_human(self.seats[self.session.to_move])

    @property
    def agents(self) -> list[SeatedAgent | SeatedEngine]:
        """The contestants that are agents, Black's first."""
        return [seat for seat in self.contestants if isinstance(seat, (SeatedAgent, SeatedEngine))]

    def engine(self, player: int) -> SeatedEngine | None:
        """Our engine on that side, if it sits there."""
        seat = self.contestants[player]
        return seat if isinstance(seat, SeatedEngine) else None

    def kept(self) -> StoredRoom:
        """The room as it is now, for the store."""
        terms, result = self.terms, self.session.result
        return StoredRoom(
            room=terms.room, position=self._start.with_moves(self.cells), start=terms.start, seats=self.seats,
            names=self.names, lose_turn=terms.lose_turn, ponder=terms.ponder, seconds=tuple(self._seconds),
            problem=self.problem, printed=self.printed, result=result, changed=now(),
        )  # fmt: skip

    def view(self, kept: StoredRoom, thinking: Player | None) -> RoomView:
        """What pages see now."""
        moves = drawn(self._start, self.session, self.terms.start)
        if self.problem:
            moves["legal"] = []
        return RoomView(kept, self._start.board, moves, thinking, self.session.result)

    # ---- plies

    def play(self, number: int, at: float) -> None:
        """A human's move, as the page's number, that came at this time of `perf_counter`.

        Raises Unplayable and RunnerError for one that cannot be played.
        """
        cell = cell_of(number, self._start.board["rows"], self._start.board["cols"])
        why = self.session.why_not(cell)
        loses = self.terms.lose_turn and self.session.env.has_pass and not self.session.must_pass
        if why and not loses:
            raise Unplayable(why)
        used, before = max(0.0, at - self._since), self.ply
        if why:
            self.session.lose_turn()
        else:
            self.session.play(cell)
        self._passed(before, used)

    def step(self) -> None:
        """Let the agent on turn move. Raises Abandoned, RunnerError."""
        called, before, mover = len(self.session.calls), self.ply, self.session.to_move
        self.session.step()
        used = [call.seconds for call in self.session.calls[called:] if call.turn and call.player == mover]
        self._passed(before, used[0] if used else None)

    def _passed(self, before: int, seconds: float | None) -> None:
        """A ply was made, or an agent's fault has ended the game. `before`: the plies before that."""
        plies = self.ply
        self._seconds += [None] * (plies - len(self._seconds))
        if plies > before and seconds is not None:
            self._seconds[-1] = round(seconds, 3)
        self._since = time.perf_counter()
        if self.session.result is not None and self.session.result.fault is not None:
            loser = self.contestants[2 - self.session.result.winner]
            if isinstance(loser, SeatedAgent):
                printed = files.tail(Path(loser.report().output), PRINTED_BYTES) or b""
                self.printed = printed.decode("utf-8", "replace")

    def ask_ahead(self) -> None:
        """Call the agent off turn, while the human thinks; its answer waits until the human's move."""
        self.session.start()
        if self.session.result is not None:
            return
        player = 1 - self.session.to_move
        agent = self.contestants[player]
        if isinstance(agent, SeatedAgent):
            rows, cols = self.session.env.get_single_action_space(player)
            agent.act_ahead(self.ply, self.session.observations[player], int(rows.n), int(cols.n))

    def hint(self, engine: EngineProcess) -> tuple[int, str]:
        """What to play now, and why, in a sentence. Raises Unplayable, RunnerError."""
        if self.is_over():
            raise Unplayable(_("the game is over"))
        look = engine.think(Question(self.session.setup, self.cells, seconds=HINT_SECONDS))
        if not look.lines:
            raise Unplayable(_("there was no time for a hint"))
        move, cols = look.lines[0].moves[0], self._start.board["cols"]
        sentence = _("{move}: {opinion}")
        said = opinion(look, self.session.to_move, cols, at=1)
        return move, sentence.format(move=move_name(move, cols), opinion=said)

    # ---- what a human may do besides

    def undo(self) -> None:
        """Take back to the human's own last move. Raises Unplayable if there is none."""
        first = len(self._start.prefix) + self.terms.start
        for ply in reversed(range(first, len(self.cells))):
            own = is_human(self.seats[self._mover(ply)])
            if own and (self.cells[ply] is not None or self.terms.lose_turn):
                self._again(self.cells[:ply])
                return
        raise Unplayable(_("there is no move of yours to take back"))

    def resign(self) -> None:
        """The human resigns; of two humans, the one on turn. Raises Unplayable."""
        players = [player for player in (0, 1) if is_human(self.seats[player])]
        if not players:
            raise Unplayable(_("no human plays here who could resign"))
        if self.problem:
            raise Unplayable(_("the game is over"))
        player = self.session.to_move if len(players) == 2 else players[0]
        self.session.resign(player)

    def swap(self) -> None:
        """Exchange the seats; the game goes on from here."""
        self.seats, self.names = self.seats[::-1], (self.names[1], self.names[0])
        self.contestants = (self.contestants[1], self.contestants[0])
        result = self.session.result
        self._again(self.cells, keep_end=True)
        self.session.result = result

    def restart(self) -> None:
        """Begin the same game again."""
        self._again(self.cells[: len(self._start.prefix) + self.terms.start])

    def give_up(self) -> None:
        """After a call was abandoned: the session is as before the call."""
        self._again(self.cells)

    def close(self) -> None:
        """End the agents' processes."""
        for agent in self.agents:
            agent.close()

    def _again(self, cells: Played, *, keep_end: bool = False) -> None:
        for agent in self.agents:
            agent.renew()
        if not keep_end:
            self.problem = self.printed = ""
        self._began(cells, self._seconds[: max(0, len(cells) - len(self._start.prefix))])

    def _began(self, cells: Played, seconds: list[float | None]) -> None:
        self.session = GameSession(self._start.setup, self.contestants, cells=cells)
        for seat in self.contestants:
            if isinstance(seat, SeatedEngine):
                seat.session = self.session
        self._seconds = [*seconds, *[None] * (self.ply - len(seconds))]
        self._since = time.perf_counter()

    def _mover(self, ply: int) -> int:
        """Who made a ply: the sides alternate."""
        return (self.session.to_move + len(self.cells) - ply) % 2
