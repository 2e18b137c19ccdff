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
    from tengen.arguments import cell as cell
    from tengen.arguments import name as name
    from tengen.engine import Analysis as Analysis
    from tengen.engine import BestLine as BestLine
    from tengen.engine import Engine as Engine
    from tengen.engine import MoveAnalysis as MoveAnalysis
    from tengen.engine import Thought as Thought
    from tengen.files import Games as Games
    from tengen.files import read as read
    from tengen.files import write as write
    from tengen.functions import AgentError as AgentError
    from tengen.functions import CheckReport as CheckReport
    from tengen.functions import CheckRow as CheckRow
    from tengen.functions import TengenError as TengenError
    from tengen.functions import Unplayable as Unplayable
    from tengen.functions import Verdict as Verdict
    from tengen.functions import __version__ as __version__
    from tengen.functions import agents as agents
    from tengen.functions import check as check
    from tengen.functions import games as games
    from tengen.functions import use_language as use_language
    from tengen.game import Game as Game
    from tengen.game import Result as Result
    from tengen.matches import MatchResult as MatchResult
    from tengen.matches import Rating as Rating
    from tengen.matches import TournamentResult as TournamentResult
    from tengen.matches import play as play
    from tengen.matches import report as report
    from tengen.matches import tournament as tournament

_HOMES = {  # module -> the names that it has for users
    "arguments": ("cell", "name"),
    "engine": ("Analysis", "BestLine", "Engine", "MoveAnalysis", "Thought"),
    "files": ("Games", "read", "write"),
    "functions": ("AgentError", "CheckReport", "CheckRow", "TengenError", "Unplayable",
        "Verdict", "__version__", "agents", "check", "games", "use_language"),
    "game": ("Game", "Result"),
    "matches": ("MatchResult", "Rating", "TournamentResult", "play", "report", "tournament"),
}  # fmt: skip
__all__ = sorted(name for names in _HOMES.values() for name in names)

if not TYPE_CHECKING:  # so that type checkers report a name that does not exist

    def __getattr__(name: str) -> object:
        import importlib

        for module, names in _HOMES.items():
            if name in names:
                globals()[name] = found = getattr(importlib.import_module(f"{__name__}.{module}"), name)
                return found
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        return __all__
