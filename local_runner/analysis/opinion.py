"""The engine's opinion of a position, in one sentence: which side is better, and which move the engine expects.

The terminal, the page and hints show the sentence, in the current language.
"""

from local_runner.game.coordinates import name, numbered
from local_runner.game.wording import colour
from local_runner.language.languages import DISCS, _, amount, shown
from local_runner.processes.engine.engine_info import BestLine, EngineInfo, ProvedResult

SLIGHTLY, BETTER, MUCH, WINNING = 0.05, 0.15, 0.28, 0.42  # least distance of the chance from 0.5 for each wording


def opinion(look: EngineInfo, to_move: int, columns: int, at: int = 0) -> str:
    """The sentence, such as "White is slightly better, expects h8", without a full stop.

    `look`: the engine info of the position. `to_move`: the player to move in the position, 0 Black, 1 White. `columns`:
    number of the board's columns. `at`: the index of the expected move in the best line: 0 for the best move, 1 for the
    reply to it.
    """
    if not look.lines:
        return _over(look.chance)
    best = look.lines[0]
    verdict = _proved(best, to_move) if best.exact else _estimated(look.chance)
    if len(best.moves) <= at or (best.exact and best.plies is not None and best.plies <= at + 1):
        return verdict
    sentence = _("{opinion}, expects {move} in reply") if at else _("{opinion}, expects {move}")
    return sentence.format(opinion=verdict, move=move_name(best.moves[at], columns))


def move_name(cell: int, columns: int) -> str:
    """The name of the cell with a number, such as h8; "a pass" for -1."""
    place = numbered(cell, columns)
    return _("a pass") if place is None else name(place)


def _over(chance: float) -> str:
    if chance == 0.5:
        return _("the game is over: a draw")
    return _("the game is over: {colour} has won").format(colour=colour(0 if chance > 0.5 else 1))


def _proved(best: BestLine, to_move: int) -> str:
    if best.exact == ProvedResult.DRAW:
        return _("it will be a draw")
    winner = to_move if best.exact == ProvedResult.WIN else 1 - to_move
    if best.discs is not None:
        sentence = _("{colour} wins by {discs}")
        return sentence.format(colour=colour(winner), discs=shown(amount(abs(best.discs), DISCS)))
    if best.plies is None:
        return _("a forced win for {colour}").format(colour=colour(winner))
    moves = (best.plies + (winner == to_move)) // 2
    if moves == 1:
        return _("{colour} wins with the next move").format(colour=colour(winner))
    return _("{colour} wins in {moves} moves").format(colour=colour(winner), moves=moves)


def _estimated(chance: float) -> str:
    ahead = abs(chance - 0.5)
    who = colour(0 if chance > 0.5 else 1)
    if ahead < SLIGHTLY:
        return _("the game is even")
    if ahead < BETTER:
        return _("{colour} is slightly better").format(colour=who)
    if ahead < MUCH:
        return _("{colour} is better").format(colour=who)
    if ahead < WINNING:
        return _("{colour} is much better").format(colour=who)
    return _("{colour} is winning").format(colour=who)
