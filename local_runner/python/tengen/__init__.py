"""Play, analyse and check agents for the board games of the Jidi platform, from Python::

    result = tengen.play("tengen", "my/submission.py", game="gobang_1v1", games=4)   # a match
    thought = tengen.Engine("gobang_1v1").think("h8i9h9", seconds=1)                 # the best moves of a position
    games = tengen.read("games.sgf")                                                 # games of a file
    report = tengen.check("my/submission.py")                                        # is it ready for upload?

Agents, games and moves are named as on the command line. An agent is a name that `agents()` lists, the path of a
submission.py, or an engine of others such as `"gtp:gtp-rhino"`; each takes options: `"tengen:seconds=0.2"`. The levels
of our engine, `"level1"` to `"level5"`, are agents without options. A move is a name such as `"h8"` (column, row from
the top), `"pass"`, or a pair (row, column) counted from 0. A list of moves may be one text: `"h8i9h9"`.

All exceptions for mistakes of the user derive from `TengenError`; the message says what to do.

>>> import tengen
>>> game = tengen.Game("tictactoe_1v1", "b2a1")
>>> game.turn, game.legal_moves[:3]
('black', ('b1', 'c1', 'a2'))
>>> game.play("b1").play("b3")
Game('tictactoe_1v1', 'b2a1b1b3')

Every name is imported when it is first used, so `import tengen` takes a millisecond. Texts are in the language of the
locale, English or Chinese; `use_language` changes it.
"""

TYPE_CHECKING = False  # that of `typing`, without its import; type checkers know the name
if TYPE_CHECKING:
    from tengen.checks import CheckReport, CheckRow, Verdict, check
    from tengen.engine import AnalysedMove, Analysis, Engine, Line, Thought
    from tengen.errors import AgentError, TengenError, Unplayable
    from tengen.files import Games, read, write
    from tengen.game import Game, Result
    from tengen.language import use_language
    from tengen.listings import __version__, agents, games
    from tengen.matches import MatchResult, Standing, TournamentResult, play, report, tournament
    from tengen.moves import cell, name

__all__ = [
    "AgentError",
    "AnalysedMove",
    "Analysis",
    "CheckReport",
    "CheckRow",
    "Engine",
    "Game",
    "Games",
    "Line",
    "MatchResult",
    "Result",
    "Standing",
    "TengenError",
    "Thought",
    "TournamentResult",
    "Unplayable",
    "Verdict",
    "__version__",
    "agents",
    "cell",
    "check",
    "games",
    "name",
    "play",
    "read",
    "report",
    "tournament",
    "use_language",
    "write",
]

_HOMES = {  # module -> the names that it defines
    "checks": ("CheckReport", "CheckRow", "Verdict", "check"),
    "engine": ("AnalysedMove", "Analysis", "Engine", "Line", "Thought"),
    "errors": ("AgentError", "TengenError", "Unplayable"),
    "files": ("Games", "read", "write"),
    "game": ("Game", "Result"),
    "language": ("use_language",),
    "listings": ("__version__", "agents", "games"),
    "matches": ("MatchResult", "Standing", "TournamentResult", "play", "report", "tournament"),
    "moves": ("cell", "name"),
}

if not TYPE_CHECKING:  # so that type checkers report a name that does not exist

    def __getattr__(name: str) -> object:
        import importlib

        importlib.import_module(f"{__name__}.language")  # chooses the language of the locale
        for module, names in _HOMES.items():
            if name in names:
                globals()[name] = found = getattr(importlib.import_module(f"{__name__}.{module}"), name)
                return found
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        return __all__
