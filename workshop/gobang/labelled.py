"""Makes training positions of the gobang evaluation from games in which another engine has valued the positions.

    python -m workshop.gobang.labelled GAMES FILE --logit N

GAMES has one game a line, as JSON; a name that ends in .gz is read compressed:

    {"opening": [cell, ...], "moves": [[best, value, played], ...]}

A cell is row * 15 + column. The cells of the opening and then the played cells alternate, Black's first. `value` is the
engine's value of the position before the move, for the side to move; null: the engine gave none. `best`, the engine's
move, is not used. The chance to win is 1 / (1 + exp(-value / --logit)), with the engine's own --logit.

FILE gets the quiet positions with their values in the unit of our engine, as leaves.py writes them, but with 0 nodes.
network.py reads them together with our own leaves.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from local_runner.errors import RunnerError
from local_runner.system.files import write_whole
from local_runner.system.json_lines import encoded
from workshop.command import run, with_progress
from workshop.gobang.game import searched_position
from workshop.gobang.leaves import GameLeaves, is_quiet
from workshop.gobang.weights import LOGIT

SURE = 10 * LOGIT  # values are cut off here: a chance of 99.995 %


def main(
    games: Annotated[Path, typer.Argument(help="Games with the values of another engine.")],
    file: Annotated[Path, typer.Argument(help="File of leaves to write.")],
    logit: Annotated[float, typer.Option(min=1, help="The engine's value for a chance to win of 73 %.")],
) -> None:
    """Write the quiet positions of the games as leaves."""
    leaves = [quiet_leaves(*game, logit) for game in with_progress(list(enumerate(read(games), 1)), "positions")]
    write_whole(file, "".join(encoded(asdict(each)).decode() for each in leaves), "give another file")
    print(f"{file}: {len(leaves)} games, {sum(len(each.leaves) for each in leaves)} positions")


def read(path: Path) -> Iterator[dict[str, Any]]:
    """The games of a file. Raises RunnerError if the file cannot be read or is no file of games."""
    try:
        data = path.read_bytes()
        text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode("ascii")
        yield from map(json.loads, text.splitlines())
    except OSError as error:
        raise RunnerError(f"cannot read {path}: {error.strerror or error}; give another file") from error
    except (EOFError, ValueError) as error:
        raise RunnerError(f"{path} is no file of games: {error}; give another file") from error


def quiet_leaves(number: int, game: dict[str, Any], logit: float) -> GameLeaves:
    """The quiet positions of a game that have a value. Raises RunnerError if the game has another form."""
    leaves: list[list[int]] = []
    values: list[int] = []
    try:
        cells, moves = list(game["opening"]), game["moves"]
        for _, value, played in moves:
            if value is not None and is_quiet(searched_position(cells)):
                leaves.append(list(cells))
                values.append(in_our_unit(value, logit))
            cells.append(played)
    except (KeyError, TypeError, ValueError) as error:
        raise RunnerError(f"game {number} has another form ({error}); python -m {__spec__.name} -h shows it") from error
    return GameLeaves(number, 0, leaves, values)


def in_our_unit(value: float, logit: float) -> int:
    """The value with the same chance to win in our engine's unit, from -SURE to SURE."""
    return round(max(-SURE, min(SURE, value * LOGIT / logit)))


if __name__ == "__main__":
    run(main)
