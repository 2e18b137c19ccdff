"""Analyses and how they are shown: the record of an analysed game, the engine's opinion in one sentence, and in the
terminal graphs, tables of moves and lines, threats.

The page and the hints of `tengen play` show this sentence, too. Texts are in the current language.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from rich.console import Console
from rich.text import Text

from local_runner.game.coordinates import last_played, name, numbered
from local_runner.game.session import GameSession
from local_runner.game.wording import colour, named
from local_runner.language.languages import DISCS, Message, _, amount, brief, shown
from local_runner.language.text import shortened
from local_runner.processes.engine.engine_info import BestLine, EngineInfo, ProvedResult, Threats
from local_runner.terminal.drawing import STONES, Printed, WideTable, lettered_board


class MoveVerdict(Enum):
    """The verdict on a move; most moves have NONE."""

    NONE = ""
    BLUNDER = str(Message("blunder"))
    MISTAKE = str(Message("mistake"))
    INACCURACY = str(Message("inaccuracy"))
    MISSED_WIN = str(Message("missed win"))
    ONLY_MOVE = str(Message("only move"))

    @property
    def title(self) -> str:
        """The verdict as a Message; "" of NONE."""
        return Message(self.value) if self.value else ""


@dataclass(frozen=True)
class MoveAnalysis:
    """One ply. Cells are numbers, -1 for a pass or a lost turn; chances are Black's.

    `before`: the chance of the position with the best move; `after`: the chance after the move that was played;
    `lost`: the chance that the mover gave away, 0 to 1. `counts`: whether the move counts for the accuracy. Moves of
    the opening, passes, single legal moves and moves in hopeless positions do not count. `best`: the best move.
    `lines`: the engine's best lines, best first. `reply`: the best line after the move played; None after the end.
    `seconds`: the time that the player used, None if unknown.
    """

    ply: int
    player: int
    cell: int
    before: float
    after: float
    lost: float
    verdict: MoveVerdict
    counts: bool
    best: int
    lines: tuple[BestLine, ...]
    depth: int
    nodes: int
    seconds: float | None = None
    reply: BestLine | None = None


@dataclass(frozen=True, repr=False)
class GameAnalysis(Printed):
    """The analysis of a game. `print` shows the graph of Black's chance and the table of `tengen analyse`.

    Until `finished`, the analysis covers only the last plies.

    `columns`: number of the board's columns. `chances`: Black's chance at each position, one entry more than plies,
    None if not yet known. `moves`: the analysed moves, in the order of the game. `accuracy`: Black's and White's, 0 to
    100; None for a side none of whose moves counts. `counts`: Black's and White's number of moves with each verdict.
    """

    env: str
    columns: int
    names: tuple[str, str]
    chances: tuple[float | None, ...]
    moves: tuple[MoveAnalysis, ...]
    accuracy: tuple[float | None, float | None]
    counts: tuple[dict[str, int], dict[str, int]]
    finished: bool

    def __repr__(self) -> str:
        black, white = ("-" if each is None else f"{each:.0f}" for each in self.accuracy)
        return f"<GameAnalysis: {len(self.moves)} moves, accuracy {black} and {white}>"

    def print_to(self, console: Console) -> None:
        """Print the analysis, as `tengen analyse` does."""
        show_game(self, console)


BLOCKS = " ▁▂▃▄▅▆▇█"
HEIGHT = 6  # text lines of the graph
WIDTH = 72  # most columns of the graph
LINE_MOVES = 6  # most moves of a line in a table
MARKS = {  # verdict -> its mark in game notation
    MoveVerdict.BLUNDER: "??", MoveVerdict.MISTAKE: "?", MoveVerdict.INACCURACY: "?!", MoveVerdict.MISSED_WIN: "x",
    MoveVerdict.ONLY_MOVE: "!",
}  # fmt: skip
SOURCES: Mapping[str, Message] = {  # the wording of each EngineInfo.source
    "search": Message("by search"), "threats": Message("found by threats"), "solver": Message("solved exactly"),
    "book": Message("from the opening book"), "proof": Message("a proved win"), "scorer": Message("by the scorer"),
}  # fmt: skip


def show_game(analysis: GameAnalysis, console: Console) -> None:
    """Print the players with their accuracy, the graph, the table of moves, and the better line for each bad move."""
    for player, agent in enumerate(analysis.names):
        accuracy = analysis.accuracy[player]
        words = [STONES[player + 1], shortened(named(player, agent)),
                 _("accuracy {percent}").format(percent="-" if accuracy is None else f"{accuracy:.0f}%")]  # fmt: skip
        words += [f"{shown(verdict.title)} {analysis.counts[player][verdict.value]}"
                  for verdict in MoveVerdict if verdict.value in analysis.counts[player]]  # fmt: skip
        console.print(Text("  ".join(words)))
    console.print(Text("\n" + graph(analysis)))
    console.print(_table(analysis, console.width))
    for move in analysis.moves:
        if move.verdict not in (MoveVerdict.NONE, MoveVerdict.ONLY_MOVE) and move.best != move.cell:
            sentence = _("{ply}. {colour} played {move} ({verdict}); better: {line} ({chance} instead of {after})")
            mover = [1 - chance if move.player else chance for chance in (move.before, move.after)]
            console.print(Text(sentence.format(
                ply=move.ply + 1, colour=colour(move.player), move=move_name(move.cell, analysis.columns),
                verdict=shown(move.verdict.title), line=line_text(move.lines[0].moves, analysis.columns),
                chance=percent(mover[0]), after=percent(mover[1]),
            )))  # fmt: skip


def _table(analysis: GameAnalysis, width: int) -> WideTable:
    """The table of moves. The best lines are cut so that the table fits into `width` columns, if it can."""
    timed = any(move.seconds is not None for move in analysis.moves)
    heads = [_("ply"), _("side"), _("move"), _("chance of Black"), *[_("seconds")] * timed, _("lost"), _("verdict"),
             _("best")]  # fmt: skip
    for most in range(LINE_MOVES, 0, -1):
        table = WideTable("", heads, labels=3)
        for move in analysis.moves:
            table.add(*_row(move, analysis.columns, most, timed=timed))
        if table.fits(width):
            break
    return table


def _row(move: MoveAnalysis, columns: int, most: int, *, timed: bool) -> list[str]:
    verdict = move.verdict
    better = move.best != move.cell and verdict is not MoveVerdict.NONE
    return [
        str(move.ply + 1), STONES[move.player + 1], move_name(move.cell, columns) + MARKS.get(verdict, ""),
        percent(move.after), *["" if move.seconds is None else f"{move.seconds:.2f}"] * timed,
        percent(move.lost) if move.lost >= 0.005 else "", shown(verdict.title),
        line_text(move.lines[0].moves, columns, most) if better and move.lines else "",
    ]  # fmt: skip


def graph(analysis: GameAnalysis) -> str:
    """Black's chance over the game as a graph of text lines. Each mark has a line below that points to its moves."""
    chances = [0.5 if chance is None else chance for chance in analysis.chances]
    wide = -(-len(chances) // WIDTH)  # number of positions in one column of the graph
    columns = [chances[start : start + wide] for start in range(0, len(chances), wide)]
    means = [sum(column) / len(column) for column in columns]
    rows = []
    for row in reversed(range(HEIGHT)):
        label = {HEIGHT - 1: "100%", 0: "  0%"}.get(row, "    ")
        blocks = (BLOCKS[max(0, min(8, round(8 * (mean * HEIGHT - row))))] for mean in means)
        rows.append(f"{label} {''.join(blocks)}".rstrip())
    for verdict, mark in MARKS.items():
        marked = {(move.ply + 1) // wide for move in analysis.moves if move.verdict is verdict}
        if marked:
            rows.append(f"{mark:>4} {''.join(' ^'[at in marked] for at in range(max(marked) + 1))}")
    return "\n".join(rows)


def show_position(session: GameSession, look: EngineInfo, console: Console) -> None:
    """Print the board, the engine's opinion, the best lines, and the threats (k in a row) or the mobility (Reversi)."""
    columns = session.env.board_width
    last = last_played(session.cells)
    console.print(lettered_board(session.env.stones(), [last] if last else []))
    console.print(Text(_("{colour} to move: {opinion}").format(
        colour=colour(session.to_move), opinion=opinion(look, session.to_move, columns)) if look.lines
        else opinion(look, session.to_move, columns)))  # fmt: skip
    if not look.lines:
        return
    value = _("value for {colour}").format(colour=colour(session.to_move))
    table = WideTable("", [_("move"), _("chance of Black"), value, _("depth"), _("result"), _("line")])
    for line in look.lines:
        table.add(move_name(line.moves[0], columns), percent(line.chance), str(line.value), str(line.depth),
                  _result(line, session.to_move), line_text(line.moves, columns))  # fmt: skip
    console.print(table)
    sentence = _("{source}: depth {depth}, {nodes} nodes in {seconds:.1f} s, {engine}")
    source, engine = shown(SOURCES.get(look.source, look.source)), _("compiled engine")
    console.print(Text(sentence.format(source=source, depth=look.depth, nodes=brief(look.nodes), seconds=look.seconds,
                                       engine=engine if look.compiled else _("Python engine"))))  # fmt: skip
    around = look.features
    for player, threats in enumerate(around.threats):
        for what, cells in _listed(threats, session.env.setup.in_a_row):
            console.print(Text(_("{colour}, {what}: {cells}").format(
                colour=colour(player), what=what,
                cells=" ".join(move_name(cell, columns) for cell in cells))))  # fmt: skip
    if around.mobility is not None:
        sentence = _("{colour}: legal moves {moves}, stable discs {stable}")
        for player in range(2):
            console.print(Text(sentence.format(
                colour=colour(player), moves=around.mobility[player], stable=len(around.stable[player]))))  # fmt: skip


def _listed(threats: Threats, k: int | None) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Pairs of a threat's name and its cells. The names five, open four, four and open three are used only in five in a
    row.
    """
    names = [_("winning cells"), _("double threats"), _("threats")]
    if k == 5:
        names = [_("five"), _("open four"), _("four"), _("open three")]
    named = zip(names, (threats.fives, threats.open_fours, threats.fours, threats.open_threes), strict=False)
    return ((name, cells) for name, cells in (*named, (_("forced win if it were to move"), threats.win)) if cells)


def _result(line: BestLine, to_move: int) -> str:
    if not line.exact:
        return ""
    if line.discs is not None:
        return f"{line.discs:+d}"
    words = {ProvedResult.WIN: _("win"), ProvedResult.LOSS: _("loss"), ProvedResult.DRAW: _("draw")}[line.exact]
    return words if line.plies is None else _("{result} in {plies}").format(result=words, plies=line.plies)


def line_text(cells: Sequence[int], columns: int, most: int = LINE_MOVES) -> str:
    """The first `most` moves of a line as text."""
    names = (_("pass") if cell < 0 else move_name(cell, columns) for cell in cells[:most])
    return " ".join(names) + (" …" if len(cells) > most else "")


def percent(share: float) -> str:
    """A share as a whole number of percent."""
    return f"{100 * share:.0f}%"


# ---- the opinion: which side is better, and which move the engine expects

ESTIMATES = (  # distance of the chance from 0.5, below which the sentence holds
    (0.05, Message("the game is even")), (0.15, Message("{colour} is slightly better")),
    (0.28, Message("{colour} is better")), (0.42, Message("{colour} is much better")),
    (1.0, Message("{colour} is winning")),
)  # fmt: skip


def opinion(look: EngineInfo, to_move: int, columns: int, at: int = 0) -> str:
    """The sentence, such as "White is slightly better, expects h8", without a full stop.

    `look`: the engine info of the position. `to_move`: the player to move in the position, 0 Black, 1 White. `columns`:
    number of the board's columns. `at`: the index of the expected move in the best line: 0 for the best move, 1 for the
    reply to it.
    """
    if not look.lines and look.chance == 0.5:
        return _("the game is over: a draw")
    if not look.lines:
        return _("the game is over: {colour} has won").format(colour=colour(0 if look.chance > 0.5 else 1))
    best = look.lines[0]
    ahead = next(sentence for below, sentence in ESTIMATES if abs(look.chance - 0.5) < below)
    estimated = shown(Message(ahead, colour=colour(0 if look.chance > 0.5 else 1)))
    verdict = _proved(best, to_move) if best.exact else estimated
    if len(best.moves) <= at or (best.exact and best.plies is not None and best.plies <= at + 1):
        return verdict
    sentence = _("{opinion}, expects {move} in reply") if at else _("{opinion}, expects {move}")
    return sentence.format(opinion=verdict, move=move_name(best.moves[at], columns))


def move_name(cell: int, columns: int) -> str:
    """The name of a cell, such as h8, by its number, row * columns + column; "a pass" for -1."""
    place = numbered(cell, columns)
    return _("a pass") if place is None else name(place)


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
