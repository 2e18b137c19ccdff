"""How games look in a terminal: the board with the last move marked, clocks, and the table at the end of a match.

Knows rich; decides nothing and keeps nothing but what it shows.
"""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from env_adapter import Cell, Game
from local_runner.files import tail
from local_runner.match import AgentSummary, Ending, MatchGame, MatchPlan, Times, summarise, tallies
from local_runner.play import Players, Watcher
from local_runner.records import BLACK_WINS, COLOURS, WHITE_WINS, Call
from local_runner.statistics.counts import Tally
from local_runner.text import in_line, printable

TAIL_LINES, TAIL_BYTES = 20, 4000  # of an agent's output, where it lost by a fault
STONES = ("·", "●", "○")  # free, Black, White

# What fits into 80 columns:
WIDE_COLUMNS = 24  # of a board with three characters to the cell; larger ones have two
NAME_WIDTH = 20  # of two agents in the table and above the board


def board_text(stones: Sequence[Sequence[int]], last: Cell | None = None) -> Text:
    """The board with row and column numbers, as cells are named everywhere else; `last` stands out.

    The column numbers of a large board stand upright: the tens above the units.
    """
    columns = range(len(stones[0]))
    if len(columns) <= WIDE_COLUMNS:
        gap, head = "  ", "  " + "".join(f"{col:>3}" for col in columns)
    else:
        gap, head = " ", "  " + "".join(f" {col // 10 or ' '}" for col in columns)
        head += "\n  " + "".join(f" {col % 10}" for col in columns)
    text = Text().append(head, style="dim")
    for row, line in enumerate(stones):
        text.append(f"\n{row:>2}", style="dim")
        for col, stone in enumerate(line):
            text.append(gap).append(STONES[stone], style="reverse" if (row, col) == last else "" if stone else "dim")
    return text


class _Thinking(NamedTuple):
    player: int
    turn: bool
    since: float


class MatchView(Watcher):
    """The game that is being played, drawn anew whenever rich asks for it."""

    def __init__(self, plan: MatchPlan) -> None:
        self.plan = plan
        self.games: list[MatchGame] = []
        self._env: Game | None = None
        self._names = ("", "")
        self._last: Cell | None = None
        self._used = [0.0, 0.0]
        self._longest = [0.0, 0.0]
        self._thinking: _Thinking | None = None

    def begins(self, env: Game, players: Players) -> None:
        self._env, self._last, self._thinking = env, None, None
        self._names = (players[0].spec.name, players[1].spec.name)
        self._used, self._longest = [0.0, 0.0], [0.0, 0.0]

    def asks(self, player: int, turn: bool) -> None:
        self._thinking = _Thinking(player, turn, perf_counter())

    def answered(self, call: Call) -> None:
        self._thinking = None
        self._used[call.player] += call.seconds
        self._longest[call.player] = max(self._longest[call.player], call.seconds)

    def moved(self, cell: Cell | None) -> None:
        self._last = cell

    def __rich__(self) -> RenderableType:
        if self._env is None:
            return Text("starting ...")
        a, b = map(_short, self.plan.names)
        scores = [sum(t.score for t in tallies(self.games, agent)) for agent in range(2)]
        score = f"{a} {scores[0]:g} : {scores[1]:g} {b}"
        title = Text(f"game {min(len(self.games) + 1, self.plan.games)} of {self.plan.games}   {score}")
        return Panel(Group(board_text(self._env.stones(), self._last), self._clocks()), title=title, expand=False)

    def _clocks(self) -> Table:
        table = Table("", "", "now", "longest", "all", box=None)
        thinking = self._thinking
        for player, name in enumerate(self._names):
            now = ""
            if thinking is not None and thinking.player == player:
                now = f"{perf_counter() - thinking.since:.2f}" + ("" if thinking.turn else " off turn")
            longest, used = f"{self._longest[player]:.2f}", f"{self._used[player]:.1f} s"
            table.add_row(STONES[player + 1], Text(_short(name)), now, longest, used)
        return table


def game_line(plan: MatchPlan, game: MatchGame) -> Text:
    """One finished game in one line."""
    record = game.record
    black, white = (plan.names[player ^ game.black] for player in range(2))
    code = record.result.winner
    winner = f"{COLOURS[code - 1]} wins" if code in (BLACK_WINS, WHITE_WINS) else "drawn"
    why = f"{record.result.reason.value}: {record.result.detail}" if record.result.fault else record.result.detail
    return Text(f"game {game.number}  ● {black}  ○ {white}  {winner} after {len(record.moves)} moves: {in_line(why)}")


def ending_table(end: Ending) -> RenderableType:
    """A game's final board, and its sides' pieces and times, as report 001 prints its games."""
    table = Table("", "", "pieces", "last move, s", "total, s", box=None)
    for stone, side in zip(STONES[1:], end.sides, strict=True):
        last, total = f"{side.last_seconds:.3f}", f"{side.total_seconds:.3f}"
        table.add_row(stone, Text(side.agent), str(side.pieces), last, total)
    return Group(board_text(end.stones, end.last), table)


def match_table(plan: MatchPlan, games: Sequence[MatchGame]) -> RenderableType:
    """The summary of the games played: one column per agent, headed A and B where a name is too long for that."""
    setup, agents = plan.terms.setup, summarise(plan, games)
    lengths = [len(game.record.moves) for game in games]
    moves = f", {_range(lengths)} moves" if lengths else ""
    title = f"{setup.env}, {setup.rules} rules, {len(games)} of {plan.games} games{moves}, seed {setup.seed}"
    legend = []
    heads: Iterable[str] = plan.names
    if any(cell_len(name) > NAME_WIDTH for name in heads):
        heads = "AB"
        legend = [Text(f"{head}: {agent.name}") for head, agent in zip(heads, plan.agents, strict=True)]
    table = Table("", title=title)
    for head in heads:
        table.add_column(Text(head))
    for label, values in _ROWS.items():
        table.add_row(label, *map(values, agents))
    warnings = [f"{agent.name} {in_line(warning)}" for agent in agents for warning in agent.warnings]
    return Group(table, *legend, *(Text(warning, style="yellow") for warning in warnings))


def fault_report(game: MatchGame) -> RenderableType:
    """Why an agent lost by a fault: the reason, its traceback, the end of what it printed, and where the rest is."""
    record = game.record
    assert record.loser is not None and record.result.fault is not None
    agent, fault = record.agents[record.loser], record.result.fault
    head = f"{agent.name} lost game {game.number} as {COLOURS[record.loser]} by {fault.reason.value}: "
    parts: list[RenderableType] = [Text(head + in_line(fault.sentence), style="bold red")]
    if fault.traceback:
        parts.append(Text(printable(fault.traceback.rstrip())))
    output, printed = in_line(agent.output), tail(Path(agent.output), TAIL_BYTES)
    if printed:
        lines = printed.decode("utf-8", "replace").splitlines()[-TAIL_LINES:]
        parts.append(Text(f"the last of what it printed ({agent.printed_bytes} bytes in {output}):", style="dim"))
        parts.append(Text(printable("\n".join(lines))))
    else:
        what = "what it printed is gone" if printed is None else "it printed nothing"
        parts.append(Text(f"{what} ({output})", style="dim"))
    return Group(*parts)


def _short(name: str) -> str:
    """A name without its middle, where it is long: agents of one family differ at the ends."""
    half = NAME_WIDTH // 2
    return name if len(name) <= NAME_WIDTH else f"{name[:half]}…{name[1 - half:]}"


def _range(numbers: Sequence[int]) -> str:
    low, high = min(numbers), max(numbers)
    return f"{low}" if low == high else f"{low} to {high}"


def _times(times: Times) -> str:
    return " / ".join(f"{1000 * value:.1f}" for value in (times.p50, times.p99, times.longest)) if times.calls else "-"


_ROWS: dict[str, Callable[[AgentSummary], str]] = {
    "score": lambda agent: f"{agent.total.score:g}",
    "won / drawn / lost": lambda agent: _wdl(agent.total),
    "  as Black": lambda agent: _wdl(agent.as_black),
    "  as White": lambda agent: _wdl(agent.as_white),
    "on turn, ms: p50 / p99 / max": lambda agent: _times(agent.on_turn),
    "off turn, ms: p50 / p99 / max": lambda agent: _times(agent.off_turn),
    "loading, s": lambda agent: f"{agent.load_seconds:.2f}",
    "peak RSS, MB": lambda agent: f"{agent.peak_mb:.0f}",
    "games lost by a fault": lambda agent: str(agent.faults),
    "faults inside": lambda agent: str(agent.inner_faults),
    "moves replaced": lambda agent: str(agent.replaced),
}


def _wdl(tally: Tally) -> str:
    return f"{tally.wins} / {tally.draws} / {tally.losses}"
