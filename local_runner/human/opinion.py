"""What the engine thinks of a position, in a sentence: who is better, by how much, and which reply it expects.

The chances are those of `analysis`. A proved result is told as such. What other agents say of themselves stays as it is.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from local_runner.analysis.look import Look
from local_runner.analysis.winning_chance import Chances
from local_runner.coordinates import name
from local_runner.languages import _
from local_runner.participants import colour
from local_runner.records import Cell
from local_runner.session import GameSession
from local_runner.text import SENTENCE, shortened

PROVED = 999_000  # a value of our engine at k in a row from which on the game is decided
WON = 1_000_000  # the value of a win on the board; a win in n plies is worth n less
EVEN, SLIGHT, CLEAR = 0.56, 0.70, 0.90  # chances of the better side up to which the words of `leaning` go
DECIMALS = 3  # decimals of the numbers in an agent's thought


def leaning(chance: float) -> str:
    """Who is better, from Black's chance to win.

    >>> leaning(0.5), leaning(0.36), leaning(0.97)
    ('both sides are equal', 'White is slightly better', 'Black is winning')
    """
    better = colour(0 if chance >= 0.5 else 1)
    most = max(chance, 1 - chance)
    if most <= EVEN:
        return _("both sides are equal")
    if most <= SLIGHT:
        return _("{side} is slightly better").format(side=better)
    if most <= CLEAR:
        return _("{side} is clearly better").format(side=better)
    return _("{side} is winning").format(side=better)


def of_thought(thought: Mapping[str, Any], session: GameSession) -> str | None:
    """The opinion in a thought of our agent at the side to move; None if it has none, or is another agent's."""
    value, depth, pv = thought.get("value"), thought.get("depth"), thought.get("pv")
    if type(value) is not int or type(depth) is not int or not isinstance(pv, list) or thought.get("engine") == "scorer":
        return None
    reply = _cell_of(pv[1]) if len(pv) > 1 else None
    is_row = session.env.setup.in_a_row > 0
    if is_row and abs(value) >= PROVED:
        winner = session.to_move if value > 0 else 1 - session.to_move
        return _with_reply(_proved_win(winner, WON - abs(value)), reply)
    if not depth:
        return None  # the move was forced or came from a book: nothing was searched
    return _with_reply(leaning(Chances.of(session).black(value)), reply)


def of_look(look: Look, session: GameSession) -> str | None:
    """The opinion in a look of the engine at the side to move; None if it has not searched."""
    if not look.lines:
        return None
    best, across = look.lines[0], session.env.board_width
    reply = divmod(best.moves[1], across) if len(best.moves) > 1 and best.moves[1] >= 0 else None
    mover = session.to_move
    if best.exact in ("win", "loss") and best.plies:
        return _with_reply(_proved_win(mover if best.exact == "win" else 1 - mover, best.plies), reply)
    if best.discs is not None:
        return _with_reply(_final_discs(best.discs), reply)
    if best.exact == "draw":
        return _with_reply(_("with best play it is a draw"), reply)
    return _with_reply(leaning(best.chance), reply)


def thought_line(thought: Mapping[str, Any]) -> str:
    """An agent's `last_thought()` in one line.

    >>> thought_line({"score": 500.0, "seconds": 0.0269220})
    'score 500.0, seconds 0.027'
    """
    rounded = {key: round(value, DECIMALS) if isinstance(value, float) else value for key, value in thought.items()}
    return shortened(", ".join(f"{key} {value}" for key, value in rounded.items()), SENTENCE)


def line_of(moves: Sequence[int], across: int) -> str:
    """The moves of a line as names."""
    return " ".join(name(divmod(move, across)) if move >= 0 else _("pass") for move in moves)


def _proved_win(winner: int, plies: int) -> str:
    moves = (plies + 1) // 2
    if moves <= 1:
        return _("{side} wins with the next move").format(side=colour(winner))
    return _("{side} wins in {moves} moves").format(side=colour(winner), moves=moves)


def _final_discs(lead: int) -> str:
    if not lead:
        return _("with best play it is a draw")
    sentence = _("with best play {side} wins by {discs} discs")
    return sentence.format(side=colour(0 if lead > 0 else 1), discs=abs(lead))


def _with_reply(opinion: str, reply: Cell | None) -> str:
    if reply is None:
        return opinion
    return _("{opinion}, expects {cell}").format(opinion=opinion, cell=name(reply))


def _cell_of(value: Any) -> Cell | None:
    is_cell = isinstance(value, list) and len(value) == 2 and all(type(part) is int for part in value)
    return (value[0], value[1]) if is_cell else None
