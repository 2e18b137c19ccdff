"""Writes games in the format that the ending of the file's name selects, and does the work of `tengen convert`."""

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from env_adapter import EnvError
from local_runner.errors import RunnerError
from local_runner.formats.file_format import FileFormat, GameFile
from local_runner.formats.files import FORMATS
from local_runner.formats.heads import HEADS, how_of
from local_runner.formats.reading import READERS, STDIN, read_argument
from local_runner.formats.saved_game import Part, SavedGame
from local_runner.game.faults import Reason
from local_runner.game.setup import GameSetup, called
from local_runner.game.wording import COLOURS, error_text
from local_runner.language.languages import GAMES, LINES, PLIES, _, amount, listed, shown, unknown
from local_runner.language.text import SENTENCE, shortened
from local_runner.system.files import check_folder, check_writable, write_new, write_whole
from local_runner.terminal.output import ExitCode

MOST_TOLD = 10  # most damaged games that are named; further ones are only counted
WRITERS = {each.ending: each for each in FORMATS if each.ending}


def write(game: SavedGame, ending: str) -> bytes:
    """The content of a file with this game. `ending`: of the file's name, such as "sgf".

    Raises RunnerError for an unknown ending and for a game that the format cannot hold.
    """
    return joined([game], format_of(ending))


def format_of(ending: str) -> FileFormat:
    """The format in which files with this ending are written. Raises RunnerError for an unknown ending."""
    if ending not in WRITERS:
        sentence = _("a game cannot be written as {ending!r}; choose one of: {endings}")
        raise RunnerError(sentence.format(ending=shortened(ending), endings=listed(WRITERS)))
    return WRITERS[ending]


def check_new(path: Path) -> None:
    """Raise RunnerError if there is such a file."""
    if os.path.lexists(path):
        raise RunnerError(_("{path} exists already; give another name, or --force").format(path=path))


def write_games(
    games: Sequence[SavedGame], path: Path, kind: FileFormat, advice: str, *, content: bytes | None = None,
    force: bool = True,
) -> list[Path]:  # fmt: skip
    """Write games into one file, and the files that belong beside it. Returns the paths of all.

    `content`: of `joined`, if it is known. Raises RunnerError as `joined` does, if a file cannot be written (the
    message then ends with `advice`), and if one of the files exists and `force` is not set.
    """
    files = {path: joined(games, kind) if content is None else content}
    files |= {path.with_suffix(ending): made for ending, made in (kind.beside(games) if kind.beside else {}).items()}
    for place in () if force else files:
        check_new(place)
    for place, content in files.items():
        write_whole(place, content, advice)
    return list(files)


def joined(games: Sequence[SavedGame], kind: FileFormat) -> bytes:
    """The content of a file with these games.

    Raises RunnerError for several games in a format that holds one, and for a game that the format cannot hold.
    """
    if other := next((game.setup.env for game in games if not kind.takes(game.setup.kind)), None):
        sentence = _("a .{ending} file cannot hold {game}; give a file ending with .json")
        raise RunnerError(sentence.format(ending=kind.ending, game=shown(called(other))))
    if len(games) != 1 and kind.single:
        sentence = _("a file of {format} holds one game, not {games}; choose one by --game, or name a folder")
        raise RunnerError(sentence.format(format=kind.name, games=len(games)))
    made = [kind.join(games)] if kind.join else map(kind.write, games)  # type: ignore[arg-type]
    return b"".join(each.encode("utf-8", "replace") if isinstance(each, str) else each for each in made)


def at_ply(game: SavedGame, ply: int) -> SavedGame:
    """The game after its first `ply` plies. Raises RunnerError if the game is shorter."""
    if ply > len(game.cells):
        sentence = _("the game has {plies}; give --ply a smaller number")
        raise RunnerError(sentence.format(plies=shown(amount(len(game.cells), PLIES))))
    if ply == len(game.cells):
        return game
    if not ply >= len(game.setup.opening):
        game = replace(game, setup=replace(game.setup, opening=()))
    return replace(
        game, cells=game.cells[:ply], seconds=game.seconds[:ply], thoughts=game.thoughts[:ply], winner=0, ending="",
        damage="",
    )  # fmt: skip


# ---- tengen convert


def convert(
    text: str, out: str, tell: Callable[[str], None], *, to: str | None = None, source: str | None = None,
    number: int | None = None, setup: GameSetup | None = None, force: bool = False,
) -> ExitCode:  # fmt: skip
    """Write the games of a file in another format. Returns ExitCode.USAGE if a game is damaged or cannot be written.

    text: path of a file, moves, or - for the standard input
    out: path of a file or a folder, or - for the standard output; a folder is one that exists, or ends with /
    tell: prints a sentence
    to, source: names or endings of the formats of `out` and `text`; None to infer them
    number: number of the only game to write, from 1; None for all

    Raises RunnerError if nothing can be read, no game can be written, `out` exists and `force` is not set, or the
    format holds one game and the file has several.
    """
    if to is not None:
        kind = named(to, list(WRITERS.values()))
    elif out == STDIN or not Path(out).suffix:
        sentence = _("say in which format by --to, one of: {formats}")
        raise RunnerError(sentence.format(formats=listed(each.name for each in WRITERS.values())))
    else:
        kind = format_of(Path(out).suffix[1:].lower())
    path, into_folder = Path(out), out.endswith(os.sep) or (out != STDIN and Path(out).is_dir())
    if out != STDIN and not into_folder:
        if not force:
            check_new(path)
        check_writable(path, _("give another name"), Path(text))
    found = read_argument(text, setup, named(source, READERS) if source else None)
    for sentence in filter(None, (shown(found.problem), shown(found.note))):
        tell(shortened(sentence, SENTENCE))
    made, whole = loaded(found, kind, range(len(found)) if number is None else [number - 1], tell)
    games = [game for game, _content in made]
    content = b"".join(content for _game, content in made) if not (kind.join or kind.single) else None
    told, plies = _("written: {path} ({games}, {plies})"), sum(len(game.cells) for game in games)
    if found.lines:
        told = _("written: {path} ({games}, {plies}, from {lines})")
    count = {"games": shown(amount(len(games), GAMES)), "plies": shown(amount(plies, PLIES)),
             "lines": shown(amount(found.lines, LINES))}  # fmt: skip
    if out == STDIN:
        sys.stdout.buffer.write(joined(games, kind) if content is None else content)
        sys.stdout.buffer.flush()
    elif into_folder:
        stem = "game" if text == STDIN else Path(text).stem[:60] or "game"
        advice, digits = _("give another folder"), len(str(len(made)))
        check_folder(path, advice)
        for at, (game, single) in enumerate(made, start=1):
            place = write_new(path, f"{stem}-{at:0{digits}}", f".{kind.ending}", "", advice)
            write_whole(place, single or joined([game], kind), advice)
        tell(told.format(path=path, **count))
    else:
        for place in write_games(games, path, kind, _("give another name"), content=content, force=force):
            tell(_("written: {path}").format(path=place) if place != path else told.format(path=place, **count))
    loses = kind.loses | {Part.COMMENTS, Part.VARIATIONS} if kind.read else frozenset[Part]()
    loses |= {*HEADS, Part.OTHER} - set(kind.heads)
    lost = loses & set[Part]().union(*(_parts(game, kind) for game in games))
    cut = set[Part]().union(*map(kind.cuts, games)) - lost if kind.cuts else set[Part]()
    if lost or cut:
        parts = {part: shown(part.value) for part in Part if part in lost}
        parts |= {part: _("{part} (cut)").format(part=shown(part.value)) for part in Part if part in cut}
        tell(_("not kept by {format}: {parts}").format(format=kind.name, parts=listed(parts.values())))
    return ExitCode.CLEAN if whole and not found.problem else ExitCode.USAGE


def named(word: str, formats: Sequence[FileFormat]) -> FileFormat:
    """The format with this name or ending. Raises RunnerError if there is none."""
    known = {each.ending: each for each in formats if each.ending} | {each.name: each for each in formats}
    if (found := known.get(word.lower().lstrip("."))) is None:
        raise RunnerError(unknown(_("format"), word, [each.name for each in formats]))
    return found


def loaded(
    found: GameFile, kind: FileFormat, numbers: Sequence[int], tell: Callable[[str], None]
) -> tuple[list[tuple[SavedGame, bytes]], bool]:
    """The games that can be written, each with the bytes of its own file; and whether all games can be written
    undamaged. For pictures and pages the bytes are b"": every game can be drawn, and drawing takes long.
    """
    games, wrong, problem = list[tuple[SavedGame, bytes]](), 0, ""
    for number in numbers:
        try:
            game = found.game(number)
            if kind.name == found.kind and (tree := found.tree(number)) is not None:
                game = replace(game, tree=tree.root, left_out=frozenset())
            games.append((game, joined([game], kind) if kind.read is not None else b""))
            problem = shown(game.damage)
        except (RunnerError, EnvError) as error:
            problem = error_text(error)
        wrong += bool(problem)
        if problem and wrong <= MOST_TOLD and (games or len(numbers) > 1):
            sentence = _("game {number}: {damage}").format(number=number + 1, damage=problem)
            tell(shortened(sentence, SENTENCE))
    if wrong > MOST_TOLD:
        tell(_("and {games} more games").format(games=wrong - MOST_TOLD))
    if not games:
        raise RunnerError(problem if len(numbers) == 1 else
                          _("no game of the file can be written as {format}").format(format=kind.name))  # fmt: skip
    return games, not wrong


def _parts(game: SavedGame, kind: FileFormat) -> set[Part]:
    """The parts that a game has. A result and an ending that follow from the moves are no parts of their own."""
    decided = game.result is not None and game.result.reason is Reason.RULES
    found = {
        Part.MOVES: any(game.cells), Part.GAME: True, Part.NAMES: game.names != COLOURS,
        Part.RESULT: bool(game.winner) and not decided,
        Part.ENDING: bool(game.ending) and not decided and how_of(game.ending) not in kind.ways,
        Part.OPENING: bool(game.setup.opening), Part.TIMES: any(each is not None for each in game.seconds),
        Part.THOUGHTS: any(game.thoughts),
    }  # fmt: skip
    return {part for part, has in found.items() if has} | game.left_out | set(game.heads)
