"""A human at the terminal against an agent: the board after every ply, what the agent says of it, and the question.

The human is a player like any other and sees the game as a `Watcher`; knows the rules only through `env_adapter`.
At Reversi the cells that may be played are offered with numbers, and the discs are counted after every ply.
"""

import re
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from env_adapter import Cell, Game, Reversi
from local_runner.agents import AgentSpec
from local_runner.display import STONES, board_text, fault_report
from local_runner.errors import RunnerError
from local_runner.match import MatchGame
from local_runner.match_screen import INTERRUPTED, LOST_BY_FAULT, PLAYED_CLEANLY
from local_runner.play import GameSetup, Player, Players, Watcher, play_game, why_illegal
from local_runner.processes import interpreters
from local_runner.processes.child import AgentLimits
from local_runner.processes.process import AgentProcess
from local_runner.records import BLACK_WINS, COLOURS, WHITE_WINS, AgentReport, Call, GameRecord, Loaded, Reply
from local_runner.text import in_line

CELL = re.compile(r"\(?\s*(-?[0-9]{1,3})\s*[\s,]\s*(-?[0-9]{1,3})\s*\)?")  # 4 3, or (4, 3) as cells are shown
NUMBER = re.compile(r"\s*([0-9]{1,3})\s*")  # of a choice, at Reversi
LEAVING = ("q", "quit")
ANOTHER = "; type another"
DECIMALS = 3  # of what an agent says


class Left(Exception):
    """The human has left the game."""


class Unplayable(Exception):
    """Something typed that is no move; the message is the sentence that says why."""


class Human(Watcher):
    """Player 0 (Black) or 1 (White), who reads and types at `console`. `strict`: what is no move loses the turn."""

    def __init__(self, number: int, console: Console, strict: bool = False) -> None:
        self.spec = AgentSpec("you", Path(), {})
        self.number = number
        self.console = console
        self.strict = strict
        self._env: Game | None = None
        self._names = ("", "")
        self._last: Cell | None = None
        self._thought: Mapping[str, Any] | None = None  # the agent's, in this step
        self._begun = False  # the opening is over

    # ---- as a player

    def start(self) -> Loaded:
        """Always ready."""
        return Loaded()

    def act(self, observation: Any, n_row: int, n_col: int) -> Reply:
        """The cell that is typed; nothing off turn, on a pass and where the turn is lost. Raises Left."""
        env = self._env
        assert env is not None  # the game has begun
        if env.chess_player - 1 != self.number:
            return Reply()
        if not env.legal_moves():
            self._print("you have no move: you pass")
            return Reply()
        if isinstance(env, Reversi):
            self._print("choices: " + "  ".join(f"{number}: {cell}" for number, cell in enumerate(env.legal_moves())))
        while True:
            typed = self._typed("row column or number of choice" if isinstance(env, Reversi) else "row column")
            try:
                return Reply(cell=read_cell(typed, env))
            except Unplayable as error:
                if self.strict and isinstance(env, Reversi):
                    self._print(f"WARNING: {error}".removesuffix(ANOTHER) + "; your turn is lost")
                    env.lose_turn()
                    return Reply()
                self._print(str(error))

    def _typed(self, wanted: str) -> str:
        try:
            typed = self.console.input(f"{STONES[self.number + 1]} your move, {wanted}: ", markup=False)
        except EOFError:
            raise Left from None
        if typed.strip().lower() in LEAVING:
            raise Left
        return typed

    def report(self) -> AgentReport:
        """Nothing but a name."""
        return AgentReport(self.spec.name, Loaded(), 0.0, 0, 0, (), (), "")

    # ---- as a watcher

    def begins(self, env: Game, players: Players) -> None:
        self._env = env
        self._names = (players[0].spec.name, players[1].spec.name)

    def asks(self, player: int, turn: bool) -> None:
        if not self._begun:
            self._begun = True
            self._draw()

    def answered(self, call: Call) -> None:
        if call.player != self.number:
            self._thought = call.thought

    def moved(self, cell: Cell | None) -> None:
        assert self._env is not None
        self._last = cell
        if self._begun:
            mover = 2 - self._env.chess_player  # before this move
            self._print(f"\n{STONES[mover + 1]} {in_line(self._names[mover])}: {cell or 'passes'}")
            if self._thought is not None:
                self._print(f"{in_line(self._names[1 - self.number])} says: {said(self._thought)}")
            self._draw()

    def _draw(self) -> None:
        assert self._env is not None
        self.console.print(board_text(self._env.stones(), self._last))
        if isinstance(self._env, Reversi):
            self._print(self._score())

    def _score(self) -> str:
        """The discs, and who leads by how many: the agent's less the human's, as report 000 counts them."""
        assert self._env is not None
        discs = [sum(row.count(stone) for row in self._env.stones()) for stone in (1, 2)]
        lead = discs[1 - self.number] - discs[self.number]
        agent = in_line(self._names[1 - self.number])
        return f"discs: {STONES[1]} {discs[0]}, {STONES[2]} {discs[1]}; score of {agent}: {lead}"

    def _print(self, text: str) -> None:
        self.console.print(Text(text))


def read_cell(typed: str, env: Game) -> Cell:
    """The cell that was typed, row first, counted from 0, or by its number at Reversi; raises Unplayable."""
    choice = NUMBER.fullmatch(typed) if isinstance(env, Reversi) else None
    if choice is not None:
        legal = env.legal_moves()
        if int(choice[1]) >= len(legal):
            raise Unplayable(f"there is no choice {choice[1]}, only 0 to {len(legal) - 1}{ANOTHER}")
        return legal[int(choice[1])]
    found = CELL.fullmatch(typed.strip())
    if found is None:
        raise Unplayable(f"that is no cell: {in_line(typed)!r}; type its row and column, such as 0 2, or q to leave")
    cell = (int(found[1]), int(found[2]))
    if not (0 <= cell[0] < env.board_height and 0 <= cell[1] < env.board_width):
        last = (env.board_height - 1, env.board_width - 1)
        raise Unplayable(f"{cell} is off the board, whose cells are from (0, 0) to {last}{ANOTHER}")
    if cell not in env.legal_moves():
        raise Unplayable(f"{cell} {why_illegal(env, cell)}{ANOTHER}")
    return cell


def said(thought: Mapping[str, Any]) -> str:
    """What an agent's `last_thought()` tells, in one line.

    >>> said({"score": 500.0, "seconds": 0.0269220})
    'score 500.0, seconds 0.027'
    """
    rounded = {key: round(value, DECIMALS) if isinstance(value, float) else value for key, value in thought.items()}
    return ", ".join(in_line(f"{key} {value}") for key, value in rounded.items())


def play_against(
    agent: AgentSpec, setup: GameSetup, number: int, limits: AgentLimits, python: str, *, strict: bool = False
) -> int:
    """Play one game at the terminal, the human as player `number`; the exit code: 0, or 1 if the agent is at fault.

    Leaving the game is 0 too, Ctrl-C 130. `strict`: at Reversi, what is typed and is no move loses the turn. Raises
    RunnerError for an interpreter that is none, for `strict` at another game, and as `play_game` does.
    """
    interpreters.check(python)
    if strict and not isinstance(setup.make(), Reversi):
        raise RunnerError(f"--strict takes turns away, which only Reversi can do without; leave it out for {setup.env}")
    console = Console(highlight=False, soft_wrap=True)
    human = Human(number, console, strict)
    folder, record = Path(tempfile.mkdtemp(prefix="tengen-play-")), None
    try:
        with AgentProcess(agent, folder / "agent.txt", limits, seed=setup.seed, python=python) as process:
            players: tuple[Player, Player] = (human, process) if number == 0 else (process, human)
            record = play_game(setup, players, watcher=human)
    except Left:
        console.print("\nyou have left the game")
        return PLAYED_CLEANLY
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        if record is None or record.result.fault is None:
            shutil.rmtree(folder, ignore_errors=True)
    if record.result.fault is not None:
        console.print(fault_report(MatchGame(1, 1 - number, record, None)))
        return LOST_BY_FAULT
    console.print(Text(_ending(record)))
    return PLAYED_CLEANLY


def _ending(record: GameRecord) -> str:
    result = record.result
    if result.winner in (BLACK_WINS, WHITE_WINS):
        winner = record.agents[result.winner - 1].name
        head = f"{COLOURS[result.winner - 1]} ({in_line(winner)}) wins"
    else:
        head = "a draw"
    return f"{head}: {in_line(result.detail)}"
