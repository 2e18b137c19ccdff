"""The command `tengen convert`: writes the games of a file in another format."""

from typing import Annotated

import typer

from local_runner.command_line.options import BoardSize, GameNumber, MovesEnv, argument, flag, moves_setup, option

PLACE = "games", 45  # group of commands, and the place in lists
EXAMPLES = ("tengen convert pool.jsonl games.pgn", "tengen convert games.sgf book.offset")


def convert(
    a: Annotated[str, argument("Any file of games, or moves such as h8h9i9; - is the standard input.", "A")],
    b: Annotated[str, argument("The new file, or a folder with /; - is the standard output.", "B")],
    to: Annotated[str | None, option("The format of B; default: as the ending of its name says.", "FORMAT")] = None,
    source: Annotated[
        str | None, option("The format of A; default: as its content suggests.", "FORMAT", "--as")
    ] = None,
    game: GameNumber = None,
    env: MovesEnv = None,
    board_size: BoardSize = None,
    force: Annotated[bool, flag("--force", "Replace B if it exists.")] = False,
) -> None:
    """Write the games of a file in another format: one file, a folder with a file a game, or a pipe.

    Formats by ending: sgf, pgn, ggf, wtb, psq, json, csv, txt, pos, offset, obf; also html, svg, png. One line
    says what the new file does not keep.
    """
    from local_runner.formats import writing

    setup = moves_setup(env, board_size)

    def tell(sentence: str) -> None:
        typer.echo(sentence, err=b == "-")

    code = writing.convert(a, b, tell, to=to, source=source, number=game, setup=setup, force=force)
    raise typer.Exit(code)
