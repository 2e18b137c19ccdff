"""Boards, results of games, and tables of matches and tournaments as text for the terminal.

The functions return renderables of the library rich, and print nothing themselves.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from time import perf_counter

from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from env_adapter import Cell
from local_runner.game.advice import advice
from local_runner.game.coordinates import last_played
from local_runner.game.records import BLACK_WINS, DRAW, WHITE_WINS, AgentReport, Call, Result
from local_runner.game.session import GameSession, Watcher
from local_runner.game.setup import called
from local_runner.game.wording import fault_text, reason_text
from local_runner.language.languages import COLON, MOVES, Message, _, amount, shown
from local_runner.language.text import ERROR, NAME, SENTENCE, ending, in_line, shortened
from local_runner.matches.games import PlayedGame
from local_runner.matches.plan import Plan
from local_runner.matches.reports import AgentSummary, FinalBoard, Times, summarise
from local_runner.matches.standings import Standings
from local_runner.matches.statistics.elo import Pentanomial, Tally, elo, los, normalised_elo
from local_runner.matches.statistics.ratings import cycles, ratings
from local_runner.matches.statistics.sprt import EloModel, Sprt
from local_runner.system.files import tail
from local_runner.terminal.drawing import STONES, BoardPaint, WideTable, lettered_board, plain_table, widest

TAIL_LINES, TAIL_BYTES = 20, 4000  # lines and bytes shown from the end of an agent's output after a fault
TRACEBACK = 8000  # characters shown from the end of a traceback

COLUMNS = 76  # largest width of a board in terminal columns; at most 80 with its frame
NAME_WIDTH = 20  # largest width of an agent's name in terminal columns, in a match's table and at the live board
ENDS = {  # the winner of a game -> the end of its line
    BLACK_WINS: Message("Black wins after {moves}: {why}"),
    WHITE_WINS: Message("White wins after {moves}: {why}"),
    DRAW: Message("drawn after {moves}: {why}"),
    0: Message("no winner after {moves}: {why}"),
}
MOST_ACROSS = 6  # with more agents no cross table is printed; the page of `tengen report` shows any number


def board_text(stones: Sequence[Sequence[int]], last: Cell | None = None) -> Text:
    """The board with column letters and row numbers, at most `COLUMNS` wide; the cell `last` is highlighted."""
    return lettered_board(stones, [last] if last else [], BoardPaint(widest(COLUMNS, len(stones[0]))))


class LiveBoard(Watcher):
    """The board of the current game, with the seconds that both agents have used."""

    session: GameSession | None = None
    _asked: tuple[int, bool, float] | None = None  # the player who thinks, whether on turn, and since when

    def began(self, session: GameSession) -> None:
        self.session, self._asked = session, None

    def asked(self, player: int, turn: bool) -> None:
        self._asked = player, turn, perf_counter()

    def answered(self, call: Call) -> None:
        self._asked = None

    def __rich__(self) -> RenderableType:
        assert self.session is not None
        table = Table("", "", _("now"), _("longest"), _("all"), box=None)
        thinking, turn, since = self._asked or (None, False, 0.0)
        for player, name in enumerate(self.session.names):
            now = ""
            if player == thinking:
                seconds = perf_counter() - since
                now = f"{seconds:.2f}" if turn else _("{seconds:.2f} off turn").format(seconds=seconds)
            used = [call.seconds for call in list(self.session.calls) if call.player == player]
            longest, total = f"{max(used, default=0.0):.2f}", _("{seconds:.1f} s").format(seconds=sum(used))
            table.add_row(STONES[player + 1], Text(shortened(name, NAME_WIDTH)), now, longest, total)
        return Group(board_text(self.session.env.stones(), last_played(list(self.session.cells))), table)


def game_line(plan: Plan, game: PlayedGame) -> Text:
    """The line about a finished game: its number, the players, the winner, the number of moves and the reason."""
    black, white = shortened(plan.names[game.black]), shortened(plan.names[game.white])
    why = shown(game.result.text)
    if game.result.loser is not None:
        why = f"{reason_text(game.result.reason)}{shown(COLON)}{why}"
    number = _("game {number}").format(number=game.number)
    moves = _("{moves}, {opening} in the opening") if game.details.opening else "{moves}"
    moves = moves.format(moves=shown(amount(game.plies, MOVES)), opening=game.details.opening)
    end = shown(ENDS[game.winner]).format(moves=moves, why=shortened(why, SENTENCE))
    return Text(f"{number}  {STONES[1]} {black}  {STONES[2]} {white}  {end}")


def final_table(end: FinalBoard) -> RenderableType:
    """The last board of a game, and a table of both sides' numbers of stones and times."""
    table = Table("", "", _("pieces"), _("last move, s"), _("total, s"), box=None)
    for stone, side in zip(STONES[1:], end.sides, strict=True):
        last, total = f"{side.last_seconds:.3f}", f"{side.total_seconds:.3f}"
        table.add_row(stone, Text(shortened(side.agent)), str(side.pieces), last, total)
    return Group(board_text(end.stones, end.last), table)


def match_table(plan: Plan, games: Sequence[PlayedGame]) -> RenderableType:
    """The summary of the games played: one column per agent, headed A and B if a name exceeds `NAME_WIDTH`.

    Rows that are empty for both agents are left out.
    """
    setup, agents = plan.terms.setup, summarise(plan, games)
    lengths = [game.plies for game in games]
    low, high = min(lengths, default=0), max(lengths, default=0)
    if lengths:
        title = _("{game}, {rules}, games: {played} of {total}, moves: {moves}, seed {seed}")
    else:
        title = _("{game}, {rules}, games: {played} of {total}, seed {seed}")
    title = title.format(game=shown(called(setup.env)), rules=setup.rules_in_words, played=len(games), total=plan.games,
                         seed=setup.seed,
                         moves=low if low == high else _("{low} to {high}").format(low=low, high=high))  # fmt: skip
    legend = []
    heads: Sequence[str] = list(map(in_line, plan.names))
    if any(cell_len(name) > NAME_WIDTH for name in heads):
        heads = "AB"
        names = [shortened(agent.name) for agent in plan.agents]
        legend = [Text(f"{head}{shown(COLON)}{name}") for head, name in zip(heads, names, strict=True)]
    table = WideTable(title, ["", *heads])
    rare = (_("faults inside"), _("moves replaced"))  # rows that are also left out if both agents have 0
    for label, value in _rows().items():
        values = list(map(value, agents))
        if set(values) - ({"", "0"} if label in rare else {""}):
            table.add(label, *(each or "-" for each in values))
    warnings = [(agent.name, warning) for agent in agents for warning in agent.warnings]
    lines = [_("{agent} {warning}").format(agent=agent, warning=shown(warning)) for agent, warning in warnings]
    told = [Text(shortened(line, SENTENCE), style="yellow") for line in lines]
    return Group(table, *legend, *notes(Standings(plan.names, games)), *told)


def notes(standings: Standings) -> Iterator[Text]:
    """Sentences: how many games the runner ended early, and how many do not count, since the machine was busy."""
    if standings.adjudicated:
        yield Text(_("Adjudicated games: {count}.").format(count=standings.adjudicated))
    if standings.unmeasured:
        sentence = _("The machine was too busy to measure some games, which do not count: {count}.")
        yield Text(sentence.format(count=standings.unmeasured), style="yellow")


def standings_table(standings: Standings) -> RenderableType:
    """All agents by rating, strongest first, a cross table of 3 to 6 agents, and all cycles: a beats b beats c beats a.

    Ratings cannot show cycles, so the table lists all cycles.
    """
    heads = (_("agent"), "Elo", _("games"), _("score"), _("W / D / L"), _("Black"), _("White"), _("faults"))
    table = WideTable("", ["", *heads], labels=2, most=NAME)
    rated = ratings(standings.games)
    for place, rating in enumerate(rated, 1):
        tally = standings.tally(rating.name)
        sides = (standings.as_black[rating.name], standings.as_white[rating.name])
        table.add(
            str(place), rating.name, f"{round(rating.elo):+d} ± {rating.error:.0f}", str(tally.games),
            f"{tally.score / tally.games:.1%}", f"{tally.wins} / {tally.draws} / {tally.losses}",
            *(f"{side.score / side.games:.0%}" if side.games else "-" for side in sides),
            str(standings.faults[rating.name]),
        )  # fmt: skip
    parts: list[RenderableType] = [table]
    if 2 < len(rated) <= MOST_ACROSS:
        across = WideTable("", ["", _("points against"), *(str(place) for place, _each in enumerate(rated, 1))],
                           labels=2, most=NAME)  # fmt: skip
        for place, each in enumerate(rated, 1):
            met = [standings.against(each.name, other.name)[0] for other in rated]
            points = _("{score:g} of {games}")
            across.add(str(place), each.name, *(points.format(score=games.score, games=games.games)
                                                if games.games else "" for games in met))  # fmt: skip
        parts += [Text(), across]
    for names in cycles(standings.games):
        a, b, c = map(shortened, names)
        sentence = _("a cycle: {a} beats {b} beats {c} beats {a}").format(a=a, b=b, c=c)
        parts.append(Text(sentence, style="yellow"))
    return Group(*parts)


def sprt_table(sprt: Sprt, names: Sequence[str], tally: Tally, pairs: Pentanomial) -> RenderableType:
    """The table of an SPRT. `names`: both agents. `tally`, `pairs`: games and pairs from the first agent's view."""
    lower, upper = sprt.bounds
    table = plain_table()
    table.show_header = False
    hypotheses = _("{elo0:g} against {elo1:g} Elo, {model}")
    model = {EloModel.LOGISTIC: _("logistic"), EloModel.NORMALISED: _("normalised")}[sprt.model]
    table.add_row(_("hypotheses"), hypotheses.format(elo0=sprt.elo0, elo1=sprt.elo1, model=model))
    llr = _("{llr:.2f} between {lower:.2f} and {upper:.2f}").format(llr=sprt.llr(pairs), lower=lower, upper=upper)
    table.add_row("LLR", llr)
    table.add_row(_("won / drawn / lost"), _wdl(tally))
    table.add_row(_("pairs LL LD DD WD WW"), " ".join(map(str, pairs.counts)))
    for label, estimate in (("Elo", elo(pairs)), (_("normalised Elo"), normalised_elo(pairs))):
        interval = _("{value:+.1f} ({low:+.1f} to {high:+.1f})")
        table.add_row(label, interval.format(value=estimate.value, low=estimate.low, high=estimate.high))
    table.add_row("LOS", f"{los(pairs):.1%}")
    a, b = map(shortened, names)
    return Group(Text(_("{a} against {b}").format(a=a, b=b), style="bold"), table)


def fault_report(result: Result, agents: Sequence[AgentReport], number: int = 1) -> RenderableType:
    """Why an agent lost a game by a fault: the reason, the traceback, advice, and the end of the agent's output.

    `result`: of a game lost by a fault. `agents`: Black's and White's report. `number`: the number of the game.
    """
    loser, fault = result.loser, result.fault
    assert loser is not None and fault is not None
    agent = agents[loser]
    if loser:
        head = _("{agent} lost game {number} as White by {reason}: {why}")
    else:
        head = _("{agent} lost game {number} as Black by {reason}: {why}")
    head = head.format(agent=shortened(agent.name), number=number, reason=reason_text(fault.reason),
                       why=shortened(shown(fault_text(fault)), SENTENCE))  # fmt: skip
    parts: list[RenderableType] = [Text(head, style="bold red")]
    if fault.traceback:
        parts.append(Text(ending(fault.traceback, TRACEBACK)))
    parts.append(Text(shortened(shown(advice(fault, agent.loaded.python)), ERROR)))
    output, printed = shortened(agent.output, ERROR), tail(Path(agent.output), TAIL_BYTES)
    if printed:
        lines = printed.decode("utf-8", "replace").splitlines()[-TAIL_LINES:]
        title = _("the end of its output ({size} bytes in {file}):")
        parts.append(Text(title.format(size=agent.printed_bytes, file=output), style="dim"))
        parts.append(Text(ending("\n".join(lines), TAIL_BYTES)))
    else:
        gone, nothing = _("the file with its output is gone ({file})").format(file=output), _("it printed nothing")
        parts.append(Text(gone if printed is None and agent.printed_bytes else nothing, style="dim"))
    return Group(*parts)


def _times(times: Times) -> str:
    return " / ".join(f"{1000 * value:.1f}" for value in (times.p50, times.p99, times.longest)) if times.calls else ""


def _rows() -> dict[str, Callable[[AgentSummary], str]]:
    """The rows of a match's table: label -> function that returns an agent's value, "" if there is none."""
    return {
        _("points"): lambda agent: f"{agent.total.score:g}",
        _("won / drawn / lost"): lambda agent: _wdl(agent.total),
        _("  as Black"): lambda agent: _wdl(agent.as_black),
        _("  as White"): lambda agent: _wdl(agent.as_white),
        _("on turn, ms: p50 / p99 / max"): lambda agent: _times(agent.on_turn),
        _("off turn, ms: p50 / p99 / max"): lambda agent: _times(agent.off_turn),
        _("loading, s"): lambda agent: f"{agent.load_seconds:.2f}",
        _("peak RSS, MB"): lambda agent: f"{agent.peak_mb:.0f}" if agent.peak_mb else "",
        _("games lost by a fault"): lambda agent: str(agent.faults),
        _("faults inside"): lambda agent: str(agent.inner_faults),
        _("moves replaced"): lambda agent: str(agent.replaced),
    }


def _wdl(tally: Tally) -> str:
    return f"{tally.wins} / {tally.draws} / {tally.losses}"
