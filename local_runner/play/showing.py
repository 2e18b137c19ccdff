"""Prints a human's game in the terminal: the board on each of the human's turns, every move, the agent's opinion.

From what an agent reports by `last_thought()`, our agent's opinion is made in words; for others, its entries are shown.
"""

from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.text import Text

from env_adapter import BoardStyle, Cell
from local_runner.analysis.shown import opinion
from local_runner.formats.writing import WRITERS
from local_runner.game.coordinates import last_played, name, number, numbered
from local_runner.game.records import Call, player_of
from local_runner.game.session import GameSession, Watcher
from local_runner.game.wording import colour
from local_runner.language.languages import COLON, COMMA, _, shown
from local_runner.language.text import SENTENCE, shortened
from local_runner.processes.engine.engine_info import BestLine, Chances, EngineInfo, ProvedResult
from local_runner.processes.engine.levels import EngineContestant
from local_runner.terminal.drawing import STONES, BoardPaint, lettered_board, widest

# Our engine's values. k in a row: a win in n plies is WON - n. Reversi: a win by d discs is FINAL + DISC * d.
WON = 1_000_000
PROVED = 999_000  # least value of a proved win in k in a row
FINAL = 100_000
DISC = 1000
DECIMALS = 3  # decimals of the numbers in a thought
NO_REPLY = 1000  # an index beyond the end of every line of play, so that the opinion names no expected move


def opinion_in(thought: Mapping[str, Any], session: GameSession) -> str:
    """The opinion in a thought of our agent, which is to move in the session; "" if the agent has not searched."""
    value, depth, pv, source = (thought.get(key) for key in ("value", "depth", "pv", "source"))
    if type(value) is not int or type(depth) is not int or not isinstance(pv, list):
        return ""
    across, plies, discs, exact = session.env.board_width, None, None, ProvedResult.NONE
    if session.env.turns_discs:
        is_proved, discs = source == "solver", max(0, (abs(value) - FINAL) // DISC) or None
    else:  # a move from the proof's book: its value does not tell the number of plies to the win
        is_proved, plies = abs(value) >= PROVED, WON - abs(value) if depth or source != "proof" else None
    if thought.get("engine") == "scorer" or not (depth or is_proved):
        return ""
    if is_proved:
        exact = ProvedResult.WIN if value > 0 else ProvedResult.LOSS if value else ProvedResult.DRAW
    chances, moves = Chances.of(session), tuple(number((row, col), across) for row, col in pv)
    chance = chances.after({"exact": exact, "value": value})
    line = BestLine(moves, chance, value, depth, exact, plies if is_proved else None, discs if is_proved else None)
    return opinion(EngineInfo((line,), chance, depth, 0, 0.0), session.to_move, across, at=1)


def thought_line(thought: Mapping[str, Any]) -> str:
    """The entries of a thought in one line, with rounded numbers.

    >>> thought_line({"score": 500.0, "seconds": 0.0269220})
    'score 500.0, seconds 0.027'
    """
    rounded = {key: round(value, DECIMALS) if isinstance(value, float) else value for key, value in thought.items()}
    return shortened(", ".join(f"{key} {value}" for key, value in rounded.items()), SENTENCE)


WOOD = ("#7a5a20 on #dcb35c", "#000000 on #dcb35c", "#ffffff on #dcb35c")  # styles of free, black and white cells
FELT = ("#9fcfa8 on #2e7d46", "#000000 on #2e7d46", "#ffffff on #2e7d46")  # the same for Reversi
LAST = "bold #ffffff on #c0392b"  # style of the last move
PER_LINE = 10  # moves in a line of the list of moves


class TerminalView(Watcher):
    """Prints a session's events on `console`. `number`: the human's player, 0 Black or 1 White."""

    def __init__(self, session: GameSession, number: int, console: Console) -> None:
        self.session = session
        self.number = number
        self.console = console
        self._opinion = ""  # the agent's opinion, to be printed after the next move

    def say(self, text: str) -> None:
        """Print a line. The text is literal: rich finds no markup in it."""
        self.console.print(Text(text))

    def answered(self, call: Call) -> None:
        """Store the agent's opinion. Our engine's is stored only on turn; other agents' thoughts also off turn."""
        if call.player == self.number:
            return
        seat = self.session.seats[call.player]
        if isinstance(seat, EngineContestant) and call.row is not None:  # off turn and on a pass, it has no cell
            across = self.session.env.board_width
            is_best = numbered(seat.info.lines[0].moves[0], across) == (call.row, call.col)
            # The expected reply is named only if the level played the engine's best move.
            self._opinion = opinion(seat.info, self.session.to_move, across, at=1 if is_best else NO_REPLY)
        elif not call.thought or isinstance(seat, str | EngineContestant):
            self._opinion = ""
        elif seat.is_ours and "pv" in call.thought:
            self._opinion = opinion_in(call.thought, self.session) if call.turn else ""
        else:
            self._opinion = thought_line(call.thought)

    def moved(self, cell: Cell | None) -> None:
        """Print the move, then the agent's opinion if there is one, then the discs in games in which discs count."""
        mover = 1 - self.session.to_move  # after the move, the opponent is to move
        who = shortened(shown(self.session.names[mover]))
        passes = _("passes")
        self.say(f"{STONES[mover + 1]} {who}{shown(COLON)}{name(cell) if cell else passes}")
        if self._opinion:
            self.say(_("{agent} says: {thought}").format(agent=self.agent, thought=self._opinion))
        self._opinion = ""
        self._count()

    def draw(self) -> None:
        """Print the board with the last move marked. Before the first move, the number of discs follows."""
        session, console = self.session, self.console
        last = last_played(session.cells)
        stones, felt = session.env.stones(), session.setup.kind.style is BoardStyle.SQUARES
        width = widest(console.width, len(stones[0]))
        if console.color_system is not None and not console.no_color:
            paint = BoardPaint(width, FELT if felt else WOOD, LAST)
        else:
            paint = BoardPaint(width, signs=True)
        console.print(lettered_board(stones, [last] if last else [], paint), no_wrap=True, crop=False)
        if not session.cells:
            self._count()

    def _count(self) -> None:
        """Print the numbers of discs and the agent's lead, in games in which discs count."""
        stones = self.session.env.stones()
        if self.session.env.turns_discs:
            black, white = (sum(row.count(stone) for row in stones) for stone in (1, 2))
            lead = (black - white) * (1 if self.number else -1)  # the agent's lead, as in the report of seed000
            count = _("discs: {discs}; score of {agent}: {lead}")
            discs = f"{STONES[1]} {black}{shown(COMMA)}{STONES[2]} {white}"
            self.say(count.format(discs=discs, agent=self.agent, lead=lead))

    def choices(self) -> None:
        """Print the legal cells with their numbers."""
        legal = enumerate(self.session.env.legal_moves())
        listed = "  ".join(f"{number}: {name(cell)}" for number, cell in legal)
        self.say(_("choices: {choices}").format(choices=listed))

    def moves(self) -> None:
        """Print all moves, the opening included."""
        written = [name(cell) if cell else _("pass") for cell in self.session.cells]
        for start in range(0, len(written), PER_LINE):
            self.say(f"{start + 1:>4}  {' '.join(written[start : start + PER_LINE])}")
        if not written:
            self.say(_("no move was made yet"))

    def explain(self) -> None:
        """Print the notations of cells and the commands that may be typed."""
        across, down = self.session.env.board_width, self.session.env.board_height
        cell = (down // 2, across - 1)
        sentence = _("Type a cell: {name} is column {letter}, row {number} from the top. Or its row and column "
                     "counted from 0: {row} {col}.")  # fmt: skip
        spelt = name(cell)
        self.say(sentence.format(name=spelt, letter=spelt[0], number=spelt[1:], row=cell[0], col=cell[1]))
        if self.session.env.illegal_free:
            self.say(_("Or the number of one of the choices."))
        self.say(_("Or a command: help, undo, hint, moves, board, save FILE, resign, quit."))

    def help(self) -> None:
        """Print `explain`, and a line on each command."""
        self.explain()
        rows = {
            "undo": _("take back your last move and the answer to it"),
            "hint": _("what our engine would play"),
            "moves": _("list the moves so far"),
            "board": _("show the board again"),
            **({"pass": _("pass; happens by itself where you have no move")} if self.session.env.has_pass else {}),
            "save FILE": _("save the game; the ending says how: {endings}").format(endings=" ".join(WRITERS)),
            "resign": _("give up the game"),
            "quit": _("leave; an unfinished game is kept in a file"),
        }
        for word, meaning in rows.items():
            self.say(f"  {word:<10} {meaning}")

    @property
    def agent(self) -> str:
        """The agent's name."""
        return shortened(self.session.names[1 - self.number])


def result_line(session: GameSession) -> str:
    """The text of the winner and the ending. The game must be over."""
    result = session.result
    assert result is not None
    head = _("a draw")
    if (player := player_of(result.winner)) is not None:
        head = _("{colour} ({agent}) wins").format(colour=colour(player), agent=shortened(shown(session.names[player])))
    return _("{what}: {about}").format(what=head, about=shortened(shown(result.text), SENTENCE))
