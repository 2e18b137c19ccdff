"""The work of `tengen replay`: shows the games of a file in the terminal, or writes them in another format."""

import functools
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from rich.console import Console
from rich.text import Text

from local_runner.errors import RunnerError
from local_runner.formats import GameFile, SavedGame
from local_runner.formats.files.html import replay_page
from local_runner.formats.kinds import Stones
from local_runner.formats.reading import read_argument
from local_runner.formats.saved_game import at_end
from local_runner.formats.sgf_game import put
from local_runner.formats.writing import WRITERS, at_ply, format_of, loaded, write_games
from local_runner.game.coordinates import LETTERS, last_played, name
from local_runner.game.records import winner_and_how
from local_runner.game.setup import GameSetup, called
from local_runner.game.wording import named
from local_runner.language.languages import GAMES, LINES, _, amount, requested, shown
from local_runner.language.text import SENTENCE, shortened
from local_runner.system.files import check_writable, write_whole
from local_runner.terminal.drawing import STONES, WideTable, lettered_board
from local_runner.terminal.output import ExitCode

PER_LINE = 10  # moves in a line of output
MOST_LISTED = 500  # games in a list; a longer list takes seconds, since rich lays out each row


def replay(
    text: str, console: Console, *, setup: GameSetup | None, number: int | None, ply: int | None, out: Sequence[Path],
    html: Path | None = None,
) -> ExitCode:  # fmt: skip
    """Show or write the games of a file. Returns ExitCode.USAGE if the file or a game is damaged, otherwise CLEAN.

    text: path of the file, or moves
    number: number of the game from 1; None for the only game, or for the list of all games
    ply: show or write the game only up to this ply
    out: files to write the game to; the endings decide the formats
    html: file for a page that replays the game, or all games of the file

    Raises RunnerError if nothing can be read, an output file cannot be written, or `number` or `ply` is too large.
    Raises RunnerError, too, if `out` or `ply` is given without `number` for a file of several games, or a file is to be
    written twice.
    """
    wanted = Counter(path.absolute() for path in [*out, *filter(None, [html])])
    if twice := next((path for path, times in wanted.items() if times > 1), None):
        raise RunnerError(_("{path} would be written twice; name another file").format(path=twice))
    formats = [format_of(path.suffix.lstrip(".").lower()) for path in out]
    for path in out:
        check_writable(path, _("give --out another file"), Path(text))
    if html is not None:
        check_writable(html, _("give --html another file"), Path(text))
    file = read_argument(text, setup)
    if number is None and len(file) != 1:
        _tell_of_file(file, console)
        if out or ply is not None:
            raise RunnerError(_("the file has {games} games; choose one by --game").format(games=len(file)))
        if html is not None:
            made, whole = loaded(file, WRITERS["html"], range(len(file)), functools.partial(tell, console=console))
            _write_page([game for game, _content in made], html, text, console)
            return ExitCode.CLEAN if whole and not file.problem else ExitCode.USAGE
        console.print(table_of(file, MOST_LISTED))
        if len(file) > MOST_LISTED:
            tell(_("and {games} more games").format(games=len(file) - MOST_LISTED), console)
        if file.lines:
            games, lines = shown(amount(len(file), GAMES)), shown(amount(file.lines, LINES))
            tell(_("read: {games} from {lines}").format(games=games, lines=lines), console)
        return ExitCode.USAGE if file.problem else ExitCode.CLEAN
    try:
        game = file.game((number or 1) - 1)
    except RunnerError:
        if not (out or html):
            _show_set_up(file, (number or 1) - 1, console)
        raise
    game = game if ply is None else at_ply(game, ply)
    for path, kind in zip(out, formats, strict=True):
        write_games([game], path, kind, _("give --out another file"))
    if html is not None:
        _write_page([game], html, text, console)
    elif not out:
        show(game, console)
    for path in out:
        console.print(Text(_("written: {path}").format(path=path)), soft_wrap=True)
    return tell_damage(game, file, console)


def _show_set_up(file: GameFile, number: int, console: Console) -> None:
    """Print the stones that a game of SGF sets up, although the referee cannot begin a game from them."""
    with suppress(RunnerError, ValueError):
        if tree := file.tree(number):
            stones: Stones = {}
            put(stones, tree.root.properties, (tree.size, tree.size))
            side = range(tree.size)
            if stones:
                console.print(lettered_board([[stones.get((row, col), 0) for col in side] for row in side], []))


def _write_page(games: Sequence[SavedGame], html: Path, text: str, console: Console) -> None:
    write_whole(html, replay_page(games, Path(text).name, language=requested()), _("give --html another file"))
    console.print(Text(_("written: {path}").format(path=html)), soft_wrap=True)


def show(game: SavedGame, console: Console) -> None:
    """Print the last board of a game, the players with their numbers of stones, the result and the moves."""
    env = at_end(game)
    last = last_played(game.cells)
    line = env.winning_line()
    stones = env.stones()
    console.print(lettered_board(stones, line or ([last] if last else [])))
    for player, who in enumerate(map(named, range(2), game.names)):
        count = sum(row.count(player + 1) for row in stones)
        console.print(Text(f"{STONES[player + 1]} {shortened(who)}  {count}"))
    console.print(Text(winner_and_how(game.winner, game.ending)))
    written = [name(cell) if cell else _("pass") for cell in game.cells]
    for start in range(0, len(written), PER_LINE):
        part = " ".join(f"{move:<{len(LETTERS[0]) + 2}}" for move in written[start : start + PER_LINE])
        console.print(Text(f"{start + 1:>4}  {part}".rstrip()))


def tell_damage(game: SavedGame, file: GameFile | None, console: Console) -> ExitCode:
    """Print what is to be said about a game and its file. Returns ExitCode.USAGE if one of them is damaged.

    `file`: that of the game, None if the game comes from no file.
    """
    if file is not None:
        _tell_of_file(file, console)
    tell(_("damaged: {damage}").format(damage=shown(game.damage)) if game.damage else "", console)
    return ExitCode.USAGE if game.damage or (file is not None and file.problem) else ExitCode.CLEAN


def _tell_of_file(file: GameFile, console: Console) -> None:
    tell(shown(file.problem), console)
    tell(shown(file.note), console)


def tell(sentence: str, console: Console) -> None:
    """Print a sentence; nothing for ""."""
    if sentence:
        console.print(Text(shortened(sentence, SENTENCE)), soft_wrap=True)


def table_of(file: GameFile, most: int) -> WideTable:
    """A table with a row for each of the first `most` games of a file, and a line with the number of the others."""
    table = WideTable("", [_("number"), _("Black"), _("White"), _("result"), _("plies"), _("game")], most=SENTENCE)
    for number, heading in enumerate(file.listed(most), start=1):
        names, result = map(named, range(2), heading.names), winner_and_how(heading.winner, heading.ending)
        table.add(str(number), *names, result, str(heading.plies), shown(called(heading.env)))
    return table
