"""A human at the terminal against an agent: the prompt, and after every ply the board and the agent's last thought.

The human's seat in the session is a name; typed moves go to `GameSession.play`. At Reversi the legal cells are offered
with numbers, and the discs are counted after every ply. Knows the rules only through `env_adapter`.
"""

import re
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from env_adapter import Cell, Reversi
from local_runner.agents import AgentSpec
from local_runner.display import STONES, board_text, fault_report
from local_runner.errors import RunnerError
from local_runner.exit_codes import ExitCode
from local_runner.game_setup import GameSetup
from local_runner.languages import _, kept, shown
from local_runner.participants import Seats, Watcher, colour
from local_runner.processes import interpreters
from local_runner.processes.child import AgentLimits
from local_runner.processes.process import AgentProcess
from local_runner.records import BLACK_WINS, WHITE_WINS, Call, as_json
from local_runner.session import GameSession, Unplayable
from local_runner.text import SENTENCE, shortened

CELL = re.compile(r"\(?\s*(-?[0-9]{1,3})\s*[\s,]\s*(-?[0-9]{1,3})\s*\)?")  # 4 3, or (4, 3) as cells are shown
NUMBER = re.compile(r"\s*([0-9]{1,3})\s*")  # the number of a choice, at Reversi
LEAVING = ("q", "quit")
DECIMALS = 3  # decimals of the numbers in an agent's thought


class Left(Exception):
    """The human has left the game."""


class Terminal(Watcher):
    """Shows a session at `console` and asks the human, player 0 (Black) or 1 (White), for moves.

    `strict`: at Reversi, an answer that is no legal move loses the turn; otherwise the human is asked again.
    """

    def __init__(self, session: GameSession, number: int, console: Console, strict: bool = False) -> None:
        self.session = session
        self.number = number
        self.console = console
        self.strict = strict
        self._thought: Mapping[str, Any] | None = None  # the agent's thought at this step
        session.watch(self)

    def move(self) -> None:
        """Make the human's move. Raises Left."""
        session = self.session
        if session.must_pass:
            self._print(_("you have no move: you pass"))
            session.play(None)
            return
        reversi = isinstance(session.env, Reversi)
        if reversi:
            choices = (f"{number}: {cell}" for number, cell in enumerate(session.env.legal_moves()))
            self._print(_("choices: {choices}").format(choices="  ".join(choices)))
        while True:
            typed = self._typed(_("row column or number of choice") if reversi else _("row column"))
            try:
                cell = read_cell(typed, session)
            except Unplayable as error:
                if not self.strict:
                    self._print(str(error))
                    continue
                why = str(error).removesuffix(_another())
                self._print(_("WARNING: {why}; your turn is lost").format(why=why))
                session.lose_turn()
            else:
                session.play(cell)
            return

    def _typed(self, wanted: str) -> str:
        try:
            prompt = _("{stone} your move, {wanted}: ").format(stone=STONES[self.number + 1], wanted=wanted)
            typed = self.console.input(prompt, markup=False)
        except EOFError:
            raise Left from None
        if typed.strip().lower() in LEAVING:
            raise Left
        return typed

    def answered(self, call: Call) -> None:
        if call.player != self.number:
            self._thought = call.thought

    def moved(self, cell: Cell | None) -> None:
        passes = _("passes")
        mover = 1 - self.session.to_move  # the turn has already passed to the other side
        self._print(f"\n{STONES[mover + 1]} {shortened(self.session.names[mover])}: {cell or passes}")
        if self._thought is not None:
            says = _("{agent} says: {thought}")
            self._print(says.format(agent=self._agent, thought=thought_line(self._thought)))
        self.draw()

    def draw(self) -> None:
        """Show the board, and the discs at Reversi."""
        cells = [cell for cell in self.session.cells if cell]
        stones = self.session.env.stones()
        self.console.print(board_text(stones, cells[-1] if cells else None))
        if isinstance(self.session.env, Reversi):
            black, white = (sum(row.count(stone) for row in stones) for stone in (1, 2))
            lead = (black - white) * (1 if self.number else -1)  # in the agent's view, as in the report of seed000
            count = _("discs: {discs}; score of {agent}: {lead}")
            discs = f"{STONES[1]} {black}, {STONES[2]} {white}"
            self._print(count.format(discs=discs, agent=self._agent, lead=lead))

    @property
    def _agent(self) -> str:
        return shortened(self.session.names[1 - self.number])

    def _print(self, text: str) -> None:
        self.console.print(Text(text))


def read_cell(typed: str, session: GameSession) -> Cell:
    """The cell that was typed: row and column, counted from 0, or a choice's number at Reversi. Raises Unplayable."""
    choice = NUMBER.fullmatch(typed) if isinstance(session.env, Reversi) else None
    if choice is not None:
        legal = session.env.legal_moves()
        if int(choice[1]) >= len(legal):
            sentence = _("there is no choice {number}, only 0 to {last}").format(number=choice[1], last=len(legal) - 1)
            raise Unplayable(sentence + _another())
        return legal[int(choice[1])]
    found = CELL.fullmatch(typed.strip())
    if found is None:
        sentence = _("that is no cell: {typed!r}; type its row and column, such as 0 2, or q to leave")
        raise Unplayable(sentence.format(typed=shortened(typed)))
    cell = (int(found[1]), int(found[2]))
    if why := session.why_not(cell):
        raise Unplayable(why + _another())
    return cell


def _another() -> str:
    return _("; type another")


def thought_line(thought: Mapping[str, Any]) -> str:
    """An agent's `last_thought()` in one line.

    >>> thought_line({"score": 500.0, "seconds": 0.0269220})
    'score 500.0, seconds 0.027'
    """
    rounded = {key: round(value, DECIMALS) if isinstance(value, float) else value for key, value in thought.items()}
    return shortened(", ".join(f"{key} {value}" for key, value in rounded.items()), SENTENCE)


def play_against(
    agent: AgentSpec, setup: GameSetup, number: int, limits: AgentLimits, python: str, *, strict: bool = False
) -> ExitCode:
    """Play one game at the terminal, the human as player `number`. Leaving the game is ExitCode.CLEAN, too.

    `strict`: as in `Terminal`. Raises RunnerError if the interpreter is not a Python or `strict` does not fit the game,
    and as `GameSession` does.
    """
    interpreters.check(python)
    if strict and not isinstance(setup.make(), Reversi):
        sentence = _("--strict takes turns away, which only Reversi allows; leave it out for {game}")
        raise RunnerError(sentence.format(game=setup.env))
    console = Console(highlight=False, soft_wrap=True)
    folder, keep = Path(tempfile.mkdtemp(prefix="tengen-play-")), False
    try:
        with AgentProcess(agent, folder / "agent.txt", limits, seed=setup.seed, python=python) as process:
            you = _("you")
            seats: Seats = (you, process) if number == 0 else (process, you)
            session = GameSession(setup, seats)
            _play(session, Terminal(session, number, console, strict))
        result = session.result
        keep = result is not None and result.fault is not None
        if keep:
            console.print(fault_report(as_json(session.record())))
            return ExitCode.FAULT
        console.print(Text(_ending(session)))
        return ExitCode.CLEAN
    except Left:
        console.print("\n" + _("you have left the game"))
        return ExitCode.CLEAN
    except KeyboardInterrupt:
        console.print("\n" + _("the game was interrupted; it is not kept, so the same command begins a new one"))
        return ExitCode.INTERRUPTED
    finally:
        if not keep:
            shutil.rmtree(folder, ignore_errors=True)


def _play(session: GameSession, terminal: Terminal) -> None:
    session.start()
    if session.result is None:
        terminal.draw()
    while session.result is None:
        if session.to_move == terminal.number:
            terminal.move()
        else:
            session.step()


def _ending(session: GameSession) -> str:
    result = session.result
    assert result is not None
    head = _("a draw")
    if result.winner in (BLACK_WINS, WHITE_WINS):
        player = result.winner - 1
        head = _("{colour} ({agent}) wins").format(colour=colour(player), agent=shortened(session.names[player]))
    return f"{head}: {shortened(shown(kept(result.detail)), SENTENCE)}"
