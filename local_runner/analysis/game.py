"""Analyses a whole game: the chance at each position, and for each move the lost chance and the best move.

Positions are analysed from the last to the first, so the engine's tables already hold results of later positions. The
mover's chance is at least that after the move played, unless a result is proved. Before a move counts as bad, the
position after the better move is searched as long. Lost chance: the mover's chance before the move - that after it.
docs/en/reference/analysis.md explains the thresholds of the verdicts on moves.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from math import exp

from local_runner.analysis.shown import GameAnalysis, MoveAnalysis, MoveVerdict
from local_runner.formats.saved_game import SavedGame, positions
from local_runner.game.coordinates import number
from local_runner.processes.engine.engine_info import EngineInfo, ProvedResult
from local_runner.processes.engine.engine_process import EngineProcess, Question

BLUNDER, MISTAKE, INACCURACY = 0.30, 0.15, 0.07  # least lost chance for each verdict
HOPELESS = 0.02  # moves of a side with a smaller chance do not count for the accuracy
LONGER = 4  # how many times as long a position is searched after a move that seems to miss a proved win
WEIGHT = 4.0  # accuracy of one move: exp(-WEIGHT * chance lost)


THRESHOLDS = ((BLUNDER, MoveVerdict.BLUNDER), (MISTAKE, MoveVerdict.MISTAKE), (INACCURACY, MoveVerdict.INACCURACY))


def verdict(lost: float, *, was_won: bool, is_won: bool, second: float | None) -> MoveVerdict:
    """The verdict on a move.

    `lost`: the lost chance. `was_won`, `is_won`: whether a win of the mover was proved before and after the move.
    `second`: if the best move was played, the lost chance of the second best move; None if unknown.
    """
    if was_won and not is_won and lost >= INACCURACY:
        return MoveVerdict.MISSED_WIN
    for least, named in THRESHOLDS:
        if lost >= least:
            return named
    return MoveVerdict.ONLY_MOVE if second is not None and second >= MISTAKE and lost < INACCURACY else MoveVerdict.NONE


def accuracy(losses: Iterable[float]) -> float | None:
    """The accuracy of a side, 0 to 100, from the lost chances of its moves; None if there is no move.

    >>> accuracy([0.0, 0.0]), round(accuracy([0.0, 0.3]) or 0)
    (100.0, 65)
    """
    scores = [exp(-WEIGHT * max(lost, 0.0)) for lost in losses]
    return 100 * sum(scores) / len(scores) if scores else None


SECONDS = 0.2  # default time for each position
LINES = 2  # least number of best lines; the difference of the first two shows whether only one move was good


Progress = Callable[[GameAnalysis, int, int], object]  # (analysis, positions done, all positions); True: end analysing


@dataclass(frozen=True)
class _Seen:
    player: int
    choices: int
    look: EngineInfo

    @property
    def proved(self) -> float | None:
        """Black's chance if the result is proved, else None."""
        lines = self.look.lines
        return self.look.chance if not lines or lines[0].exact else None

    def with_chance(self, cell: int, chance: float) -> "_Seen":
        """A copy with another chance after a move, found by a search of the position after this move."""
        lines = [replace(line, chance=chance) if line.moves[0] == cell else line for line in self.look.lines]
        lines.sort(key=lambda line: line.chance, reverse=not self.player)
        return replace(self, look=replace(self.look, lines=tuple(lines)))

    def wins_by(self, cell: int) -> bool:
        """Whether a move is proved to win."""
        return any(line.exact is ProvedResult.WIN and line.moves[0] == cell for line in self.look.lines)


def analyse(
    engine: EngineProcess, game: SavedGame, *, seconds: float | None = None, nodes: int | None = None,
    lines: int = LINES, since: int = 0, progress: Progress | None = None,
) -> GameAnalysis:  # fmt: skip
    """Analyse the plies of a game from `since` on, with `seconds` or `nodes` for each position.

    Raises RunnerError as `EngineProcess.ask` does.
    """
    if seconds is None and nodes is None:
        seconds = SECONDS
    setups = [(env.chess_player - 1, len(env.legal_moves())) for env in positions(game)]
    columns = game.setup.make().board_width
    seen: dict[int, _Seen] = {}
    analysis = _summary(game, columns, seen, since)
    for done, at in enumerate(reversed(range(since, len(setups))), start=1):
        question = Question(game.setup, game.cells[:at], lines=max(lines, LINES), seconds=seconds, nodes=nodes)
        player, choices = setups[at]
        seen[at] = _Seen(player, choices, engine.ask(question))
        analysis, searched = _summary(game, columns, seen, since), list[int]()
        while (cell := _doubted(analysis, at, searched)) is not None:
            searched.append(cell)
            again = replace(question, cells=(*question.cells, divmod(cell, columns)))
            if cell == analysis.moves[0].cell:
                again = replace(again, seconds=seconds and seconds * LONGER, nodes=nodes and nodes * LONGER)
                seen[at + 1] = replace(seen[at + 1], look=engine.ask(again))
            else:
                seen[at] = seen[at].with_chance(cell, engine.ask(again).chance)
            analysis = _summary(game, columns, seen, since)
        if progress is not None and progress(analysis, done, len(setups) - since) is True:
            break
    return analysis


def _doubted(analysis: GameAnalysis, at: int, searched: list[int]) -> int | None:
    """The move whose position must be searched (again) before the ply gets its verdict; None if there is no such move.

    `searched`: the moves whose positions have already been searched for this ply
    """
    move = next((move for move in analysis.moves[:1] if move.ply == at), None)
    if move is None or move.verdict is MoveVerdict.NONE:
        return None
    if move.verdict is MoveVerdict.MISSED_WIN:
        return None if move.cell in (-1, *searched) else move.cell
    other = move.lines[1] if move.verdict is MoveVerdict.ONLY_MOVE else move.lines[0]
    return None if other.exact is not ProvedResult.NONE or other.moves[0] in (-1, *searched) else other.moves[0]


def _summary(game: SavedGame, columns: int, seen: dict[int, _Seen], since: int) -> GameAnalysis:
    """The analysis of the positions in `seen`, the last positions of the game; finished when `since` is among them."""
    plies = len(game.cells)
    chances: list[float | None] = [None] * (plies + 1)
    moves: list[MoveAnalysis] = []
    for at in sorted(seen, reverse=True):
        here = seen[at]
        proved = here.proved
        if at - 1 in seen and seen[at - 1].wins_by(number(game.cells[at - 1], columns)):
            proved = 1.0 - seen[at - 1].player
        chances[at] = before = here.look.chance if proved is None else proved
        after = chances[at + 1] if at < plies else None
        if after is None:
            continue
        if proved is None:  # the better chance for the mover: after the move played, or by the search of this position
            cell = number(game.cells[at], columns)
            others = [line.chance for line in here.look.lines if line.moves[0] != cell]
            chances[at] = before = (min if here.player else max)([after, *others[:1]])
        moves.append(_judged(game, columns, at, here, seen[at + 1], (before, after)))
    moves.reverse()
    sides = [[move for move in moves if move.player == player] for player in range(2)]
    accuracies = [accuracy(move.lost for move in side if move.counts) for side in sides]
    named = [Counter(move.verdict.value for move in side if move.verdict is not MoveVerdict.NONE) for side in sides]
    return GameAnalysis(game.setup.env, columns, game.names, tuple(chances), tuple(moves),
                        (accuracies[0], accuracies[1]), (named[0], named[1]), since in seen)  # fmt: skip


def _judged(
    game: SavedGame, columns: int, at: int, here: _Seen, then: _Seen, chances: tuple[float, float]
) -> MoveAnalysis:
    cell = number(game.cells[at], columns)
    before, after = chances
    sign = -1 if here.player else 1
    lines = here.look.lines
    is_best = before == after  # the move that was played is at least as good as every other move
    if lines and here.proved is None and (is_best or lines[0].moves[0] == cell):
        reply = then.look.lines[0].moves if then.look.lines else ()
        others = [line for line in lines if line.moves[0] != cell]
        played = replace(lines[0], moves=(cell, *reply), chance=after, exact=ProvedResult.NONE, plies=None, discs=None)
        lines = ((played, *others) if is_best else (*others, played))[: len(lines)]
    lost = max(0.0, sign * (before - after))
    best = lines[0].moves[0] if lines else cell
    chosen = here.choices > 1 and at >= len(game.setup.opening)
    second = sign * (lines[0].chance - lines[1].chance) if len(lines) > 1 and best == cell else None
    verdict_ = MoveVerdict.NONE
    if chosen:
        won = 1.0 if here.player == 0 else 0.0
        is_won = then.proved == won or here.wins_by(cell)
        verdict_ = verdict(lost, was_won=here.proved == won, is_won=is_won, second=second)
    mover = 1 - before if here.player else before
    return MoveAnalysis(
        ply=at, player=here.player, cell=cell, before=before, after=after, lost=lost, verdict=verdict_,
        counts=chosen and mover >= HOPELESS, best=best, lines=lines, depth=here.look.depth,
        nodes=here.look.nodes, seconds=game.seconds[at] if at < len(game.seconds) else None,
        reply=next(iter(then.look.lines), None),
    )  # fmt: skip
