"""Reads from an agent's file, without running it, which games the agent plays and which time limit its platform has.

`GAMES = (...)` at the top level of the file, or `BuiltIn.games`, has names of games, which stand for one board size,
and of families, which stand for all: reversi (any even size), k_in_a_row (any k), five_in_a_row (k = 5). An agent
without a declaration may be tried on every game.
"""

from collections.abc import Iterable

from rich import box
from rich.console import Console
from rich.table import Table

from env_adapter import RULES, Game, Platform, kind_of, kinds, make, names
from local_runner.agents.catalogue import BUILT_INS
from local_runner.agents.source import source
from local_runner.agents.spec import AgentSpec
from local_runner.errors import AgentError
from local_runner.game.setup import GameSetup, called
from local_runner.language.languages import SEMICOLON, _, listed, shown

FIVE_IN_A_ROW = "five_in_a_row"  # the games of the family k_in_a_row with k = 5
SECONDS = 1.0  # time limit of a call on Jidi
WIDE = 1000  # width in characters of the list of games in a pipe, so that no line is cut
MO_SECONDS = 3.0  # time limit of a move on the Mo platform


# ---- declarations of files


def games_of(agent: AgentSpec) -> tuple[str, ...] | None:
    """The games and families that an agent declares; None if it declares none.

    A file for the Mo platform without GAMES gets the games of that platform. Raises AgentError if GAMES has a name that
    is neither a game nor a family.
    """
    options = agent.options.items()
    same_file = [each for each in BUILT_INS.values() if each.path == agent.path]
    if matching := [each for each in same_file if each.fixed.items() <= options]:
        return max(matching, key=lambda each: len(each.fixed)).games  # such as "scorer" for tengen:engine=scorer
    read = source(agent.path)
    declared = read.games
    if unknown := sorted(set(declared or ()) - {*names(), *families()}):
        sentence = _("{agent} declares the game {game!r}; GAMES may have: {games}")
        raise AgentError(sentence.format(agent=agent.name, game=unknown[0], games=listed([*names(), *families()])))
    if declared is None and read.platform == "mo":
        return tuple(kind.name for kind in kinds() if kind.platform is Platform.MO)
    return declared


def seconds_for(agents: Iterable[AgentSpec]) -> float:
    """The default time limit of a call: the Mo platform's if any of the agents is written for Mo, else Jidi's.

    Both sides have the same limit, because a game is played on one platform.
    """
    theirs = [agent for agent in agents if not (agent.is_ours or agent.is_program)]
    return MO_SECONDS if any(source(agent.path).platform == "mo" for agent in theirs) else SECONDS


# ---- whether a declaration covers a game


def plays(declared: Iterable[str] | None, game: Game) -> bool:
    """Whether a declaration covers a game on its board; True without a declaration (None)."""
    return declared is None or any(_covers(entry, game) for entry in declared)


def families() -> list[str]:
    """The family names that a declaration may contain."""
    return [*dict.fromkeys(kind.family for kind in kinds()), FIVE_IN_A_ROW]


def _covers(entry: str, game: Game) -> bool:
    if entry == FIVE_IN_A_ROW:
        return game.family == "k_in_a_row" and game.setup.in_a_row == 5
    return game.family == entry if entry in families() else _board(make(entry)) == _board(game)


def _board(game: Game) -> tuple[str, int, int, int]:
    return game.family, game.setup.in_a_row, game.board_height, game.board_width


def refuse_misfits(agents: Iterable[AgentSpec], setup: GameSetup) -> None:
    """Raise AgentError if an agent's declaration does not cover this game; the message lists agents that play it."""
    game = setup.make()
    for agent in agents:
        if not plays(declared := games_of(agent), game):
            where = shown(called(setup.env))
            if _board(game) != _board(make(setup.env)):
                where = _("{game} on {size}").format(game=where, size=_size(game))
            sentence = _("{agent} plays {games}, not {game}; agents that do: {others}")
            raise AgentError(sentence.format(
                agent=agent.name, games=in_words(declared or ()), game=where, others=listed(players(game))
            ))  # fmt: skip


def players(game: Game) -> list[str]:
    """The names of the built-in agents that play a game."""
    return [name for name, each in BUILT_INS.items() if plays(each.games, game)]


def in_words(declared: Iterable[str]) -> str:
    """A declaration in words, for messages.

    >>> in_words(["reversi"])
    'reversi_1v1 and reversi_8x8_1v1 (any even size)'
    """
    return shown(SEMICOLON).join(_entry_in_words(entry) for entry in declared) or _("no game")


def _entry_in_words(entry: str) -> str:
    if entry not in families():
        return _("{game} ({size} only)").format(game=shown(called(entry)), size=_size(make(entry)))
    *first, last = (name for name in names() if _covers(entry, make(name)))
    if not first:
        return shown(called(last))
    even = all(size % 2 == 0 for size in kind_of(last).sizes) and kind_of(last).sizes
    sentence = _("{games} and {last} (any even size)") if even else _("{games} and {last} (any size)")
    return sentence.format(games=listed(map(called, first)), last=shown(called(last)))


def _size(game: Game) -> str:
    return f"{game.board_height}x{game.board_width}"


# ---- the list of all games


def show_games(console: Console) -> None:
    """Print a table of all games; in a pipe, each game is one line."""
    heads = (_("game"), _("board"), _("to win"), _("rules"), _("on the site"), _("agents"))
    table = Table(*heads, box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False)
    for name in names():
        game = make(name)
        k = game.setup.in_a_row
        win = _("{k} in a row").format(k=k) if k else _("most discs")
        site = _("yes") if kind_of(name).platform is Platform.JIDI else _("no")
        table.add_row(name, _size(game), win, listed(RULES), site, listed(players(game)))
    if not console.is_terminal:
        console.width = WIDE
    console.print(table)
