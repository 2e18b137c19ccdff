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

The modules are imported when one of their names is first used, so `import tengen` takes a millisecond. Texts are in the
language of the locale, English or Chinese; `use_language` changes it.
"""

# ruff: noqa: F403  # the names are those of the modules' __all__

TYPE_CHECKING = False  # as in `typing`, whose import would take time; type checkers know the name
if TYPE_CHECKING:
    from tengen.engine import *
    from tengen.files import *
    from tengen.game import *
    from tengen.matches import *
else:  # so that type checkers report a name that does not exist

    def __getattr__(name: str) -> object:
        import importlib

        public = []
        for module in ("game", "files", "engine", "matches"):  # the quickest to import first
            home = importlib.import_module(f"{__name__}.{module}")
            if name in home.__all__:
                globals()[name] = found = getattr(home, name)
                return found
            public += home.__all__
        if name == "__all__":
            return sorted(public)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        return __getattr__("__all__")
