"""Options that several commands take, and what is read from them."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from local_runner.errors import RunnerError

if TYPE_CHECKING:  # these take long to import, which `tengen --help` should not
    from local_runner.openings.books import Opening
    from local_runner.play import GameSetup

Env = Annotated[str, typer.Option("--env", help="The game, e.g. gobang_1v1, reversi_1v1, tictactoe_1v1.")]
Rules = Annotated[str, typer.Option(help="platform: as the platform really plays. stated: as its text says.")]
Seed = Annotated[int, typer.Option(help="The same seed deals the same random numbers.")]
Memory = Annotated[float, typer.Option(min=1, help="MB of resident memory.")]
BoardSize = Annotated[int | None, typer.Option(help="A side of the board; the game's own if not given.")]
Python = Annotated[str, typer.Option(help="The agents' interpreter, e.g. a python3.7.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="Only the table at the end.")]
Concurrency = Annotated[
    int | None, typer.Option(min=1, help="Games at once; as many as there are physical cores if not given.")
]
Openings = Annotated[
    str,
    typer.Option(
        help="test, tune: the balanced books that come with the game; random; start: always the empty board; or a "
        "file, one a line: h8i9j10 (column, row from the top) or 0,0, 1,1 (x,y from the centre), or lists in JSON."
    ),
]

THIS_PYTHON = sys.executable
DEFAULT_OPENINGS = "test"


def read_openings(text: str, setup: "GameSetup") -> "tuple[Opening, ...]":
    """The openings that --openings names, shuffled by the game's seed; none for random ones.

    Raises RunnerError for a file that cannot be used, and for books that do not come with this game.
    """
    from local_runner.openings.books import Purpose
    from local_runner.openings.deal import RandomPlies, default_source, shuffled

    if text == "random":
        return ()
    if text == "start":
        return ((),)
    if text not in [purpose.value for purpose in Purpose]:
        return tuple(shuffled(setup, Path(text), setup.seed))
    source = default_source(setup, Purpose(text))
    if isinstance(source, RandomPlies):
        if text != DEFAULT_OPENINGS:
            raise RunnerError(f"no book of openings comes with {setup.env} on this board; give --openings random")
        return ()
    return tuple(shuffled(setup, source, setup.seed))
