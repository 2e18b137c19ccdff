"""What a look says in one sentence: the move to play, and who is how much better."""

from local_runner import coordinates
from local_runner.analysis.look import BestLine
from local_runner.languages import _
from local_runner.participants import colour

EVEN, SLIGHTLY, CLEARLY = 0.05, 0.15, 0.35  # distances of the chance to win from one half
EXPECTED = 4  # moves of the line that are told


def hint_sentence(line: BestLine, player: int, cols: int) -> str:
    """The best line for the player, 0 Black or 1 White, on turn."""
    cells = [divmod(move, cols) for move in line.moves if move >= 0]
    move = coordinates.name(cells[0]) if cells else _("a pass")
    return _("{move}: {opinion}; expected {line}").format(
        move=move, opinion=_opinion(line, player), line=" ".join(map(coordinates.name, cells[:EXPECTED])) or move
    )


def _opinion(line: BestLine, player: int) -> str:
    if line.discs is not None and line.exact:
        lead = line.discs if player == 0 else -line.discs
        return _("{colour} ends with {discs:+d} discs").format(colour=colour(player), discs=lead)
    if line.exact == "win":
        return _("{colour} wins by force").format(colour=colour(player))
    if line.exact == "loss":
        return _("{colour} wins by force").format(colour=colour(1 - player))
    distance = abs(line.chance - 0.5)
    better = colour(0 if line.chance > 0.5 else 1)
    if distance < EVEN:
        return _("the game is even")
    if distance < SLIGHTLY:
        return _("{colour} is slightly better").format(colour=better)
    if distance < CLEARLY:
        return _("{colour} is clearly better").format(colour=better)
    return _("{colour} is winning").format(colour=better)
