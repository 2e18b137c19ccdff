"""The games that an agent plays, and the time limit of its platform: declared in its file, which is read, never run.

A declaration is `GAMES = (...)` at the top level of the file, or `BuiltIn.games`. An entry that is a game's name means
that game's board; the name of a family means every board of the family:

    reversi         any even size            reversi_1v1, reversi_8x8_1v1
    k_in_a_row      any k, any size          gobang_1v1, gomoku_11x11_1v1, tictactoe_1v1
    five_in_a_row   k = 5, any size          gobang_1v1, gomoku_11x11_1v1

An agent without a declaration may play anything: its games are not known.
"""

import ast
import symtable
import tokenize
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.table import Table

from env_adapter import RULES, Game, Platform, kind_of, kinds, make, names
from local_runner.agents.catalogue import BUILT_INS
from local_runner.agents.spec import AgentSpec
from local_runner.errors import AgentError
from local_runner.game.setup import GameSetup
from local_runner.language.languages import _

FIVE_IN_A_ROW = "five_in_a_row"  # the part of the family k_in_a_row with k = 5
MOST_BYTES = 8_000_000  # of a file whose syntax tree is made: the tree takes a hundred times as much
SECONDS = 1.0  # a call on Jidi
MO_SECONDS = 3.0  # a move on the Mo platform


# ---- declarations of files


def games_of(agent: AgentSpec) -> tuple[str, ...] | None:
    """The games that an agent declares, None if it declares none. Raises AgentError for a name that is no game."""
    options = agent.options.items()
    same_file = [each for each in BUILT_INS.values() if each.path == agent.path]
    if found := [each for each in same_file if each.fixed.items() <= options]:
        return max(found, key=lambda each: len(each.fixed)).games  # "scorer" is "tengen:engine=scorer"
    if (tree := _tree(agent.path)) is None:
        return None
    declared = declared_in(tree)
    if unknown := sorted(set(declared or ()) - {*names(), *families()}):
        sentence = _("{agent} declares the game {game!r}; GAMES may have: {games}")
        raise AgentError(sentence.format(agent=agent.name, game=unknown[0], games=_listed_games()))
    if declared is None and is_for_mo(tree):
        return tuple(kind.name for kind in kinds() if kind.platform is Platform.MO)
    return declared


def declared_in(tree: ast.Module) -> tuple[str, ...] | None:
    """The texts of `GAMES = (...)` in a module; None without it, or if it is no tuple or list of texts."""
    for node in tree.body:
        if not isinstance(node, (ast.Assign, ast.AnnAssign)):
            continue
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if any(isinstance(target, ast.Name) and target.id == "GAMES" for target in targets):
            items = node.value.elts if isinstance(node.value, (ast.Tuple, ast.List)) else [node.value]
            texts = [item.value for item in items if isinstance(item, ast.Constant) and isinstance(item.value, str)]
            return tuple(texts) if texts and len(texts) == len(items) else None
    return None


def is_for_mo(tree: ast.Module) -> bool:
    """Whether a module defines AIPlayer, which the Mo platform calls, but not my_controller."""
    found = set()
    for node in tree.body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            found.add(node.name)
        elif isinstance(node, ast.ImportFrom):
            found.update(alias.asname or alias.name for alias in node.names)
        elif isinstance(node, ast.Assign):
            found.update(target.id for target in node.targets if isinstance(target, ast.Name))
    return "AIPlayer" in found and not found & {"my_controller", "*"}


def seconds_for(agents: Iterable[AgentSpec]) -> float:
    """The limit of a call if the user gives none: the Mo platform's if one agent is written for it, else Jidi's.

    It is one limit for both sides, because a game is played on one platform.
    """
    trees = (_tree(agent.path) for agent in agents if agent.path.suffix == ".py")
    return MO_SECONDS if any(tree is not None and is_for_mo(tree) for tree in trees) else SECONDS


def _tree(path: Path) -> ast.Module | None:
    """A file's syntax tree; None if it cannot be read. The loading of the agent then explains why."""
    try:
        if path.stat().st_size > MOST_BYTES:
            return None
        with tokenize.open(path) as file:
            return syntax_tree(file.read())
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def syntax_tree(text: str, python: tuple[int, int] | None = None) -> ast.Module:
    """The syntax tree of a module, in the syntax of a version of Python, by default this one's.

    Raises SyntaxError or ValueError, and RecursionError or MemoryError for a text that is nested too deep.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # such as of escapes in strings
        symtable.symtable(text, "", "exec")  # counts the levels; in Python 3.10 `ast.parse` overflows the stack instead
        return ast.parse(text, feature_version=python)


# ---- whether a declaration covers a game


def plays(declared: Iterable[str] | None, game: Game) -> bool:
    """Whether a declaration covers a game and its board; no declaration covers every game."""
    return declared is None or any(_covers(entry, game) for entry in declared)


def families() -> list[str]:
    """The names of families that a declaration may have."""
    return [*dict.fromkeys(kind.family for kind in kinds()), FIVE_IN_A_ROW]


def _covers(entry: str, game: Game) -> bool:
    if entry == FIVE_IN_A_ROW:
        return game.family == "k_in_a_row" and game.setup.in_a_row == 5
    return game.family == entry if entry in families() else _board(make(entry)) == _board(game)


def _board(game: Game) -> tuple[str, int, int, int]:
    return game.family, game.setup.in_a_row, game.board_height, game.board_width


def refuse_misfits(agents: Iterable[AgentSpec], setup: GameSetup) -> None:
    """Raise AgentError if an agent declares its games and this one is not among them; names agents that play it."""
    game = setup.make()
    for agent in agents:
        if not plays(declared := games_of(agent), game):
            where = setup.env
            if _board(game) != _board(make(setup.env)):
                where = _("{game} on {size}").format(game=setup.env, size=_size(game))
            sentence = _("{agent} plays {games}, not {game}; agents that do: {others}")
            raise AgentError(sentence.format(
                agent=agent.name, games=in_words(declared or ()), game=where, others=", ".join(players(game))
            ))  # fmt: skip


def players(game: Game) -> list[str]:
    """The built-in agents that play a game."""
    return [name for name, each in BUILT_INS.items() if plays(each.games, game)]


def in_words(declared: Iterable[str]) -> str:
    """A declaration as the end of a sentence.

    >>> in_words(["reversi"])
    'reversi_1v1 and reversi_8x8_1v1 (any even size)'
    """
    return "; ".join(_entry_in_words(entry) for entry in declared) or _("no game")


def _entry_in_words(entry: str) -> str:
    if entry not in families():
        return _("{game} ({size} only)").format(game=entry, size=_size(make(entry)))
    *first, last = (name for name in names() if _covers(entry, make(name)))
    if not first:
        return last
    even = all(size % 2 == 0 for size in kind_of(last).sizes) and kind_of(last).sizes
    sentence = _("{games} and {last} (any even size)") if even else _("{games} and {last} (any size)")
    return sentence.format(games=", ".join(first), last=last)


def _size(game: Game) -> str:
    return f"{game.board_height}x{game.board_width}"


def _listed_games() -> str:
    return ", ".join([*names(), *families()])


# ---- the list of all games


def show_games(console: Console) -> None:
    """Print all games: a table in a terminal, plain lines in a pipe."""
    head = (_("game"), _("board"), _("to win"), _("rules"), _("on the site"), _("agents"))
    if console.is_terminal:
        table = Table(*head)
        for row in _rows():
            table.add_row(*row)
        console.print(table)
        return
    rows = [head, *_rows()]
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        line = "  ".join(set_cell_size(cell, width) for cell, width in zip(row, widths, strict=True)).rstrip()
        console.print(line, soft_wrap=True, markup=False, highlight=False)


def _rows() -> Iterator[tuple[str, ...]]:
    for name in names():
        game = make(name)
        k = game.setup.in_a_row
        win = _("{k} in a row").format(k=k) if k else _("most discs")
        site = _("yes") if kind_of(name).platform is Platform.JIDI else _("no")
        yield name, _size(game), win, ", ".join(RULES), site, ", ".join(players(game))
