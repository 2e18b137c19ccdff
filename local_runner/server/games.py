"""The games of pages: positions and games of opened files, as games of the referee and as data that the page draws.

A position may have a start board of its own. In Reversi the referee begins from that board; if White is to move, Black
first loses a turn. In other games the stones are replayed as alternating moves, so their numbers must fit. The `prefix`
is these moves, or Black's lost turn. The page does not count the prefix as moves.

The newest files from browsers stay in memory, at most `MOST_FILES` and about `MOST_KEPT` bytes. A page's text never
becomes a path: a file of the command line is looked up by its name in a table.
"""

import secrets
import threading
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from itertools import chain, islice, zip_longest
from pathlib import Path

from msgspec import structs

from env_adapter import Cell, EnvError, IllegalMove, kinds
from env_adapter.game import BLACK, MARKS, WHITE, Game
from local_runner import formats
from local_runner.errors import RunnerError, Unplayable
from local_runner.formats import GameFile, SavedGame
from local_runner.formats.reading import UnknownFormat
from local_runner.formats.saved_game import with_result
from local_runner.formats.source import Tell
from local_runner.game import coordinates
from local_runner.game.board_data import BoardData, MovesData, board_now, board_of, moves_now, moves_of, thoughts_of
from local_runner.game.session import GameSession
from local_runner.game.setup import GameSetup, title
from local_runner.language.languages import _, shown
from local_runner.language.text import in_line, printable, shortened
from local_runner.server.wire import Answer, PagePosition, StoredRoom, for_file, outcome_text, translated

MOST_FILES = 20  # most files from browsers that are kept in memory; the oldest are dropped
MOST_KEPT = 150_000_000  # most bytes of these files together; the newest file is always kept
MOST_HEADINGS = 10_000  # most games in the list that a page gets of one file
LONG = 300  # columns; a longer sentence from a file is shortened
Cells = tuple[Cell | None, ...]


@dataclass(frozen=True)
class PositionGame:
    """A position as a game: `GameSession(setup, cells=cells)` replays it.

    `position`: the page's position without its moves. `prefix`: see above. `cells`: the prefix and the page's moves.
    `board`: the board before the page's first move.
    """

    position: PagePosition
    setup: GameSetup
    prefix: Cells
    cells: Cells
    board: BoardData

    def moves_after(self, session: GameSession, opening: int) -> MovesData:
        """The moves of a session of this game as the page draws them. `opening`: how many moves are the opening's.

        With a result, no cell is legal, and the winner is that of the result.
        """
        skipped = len(self.prefix)
        moves = moves_now(session.env, session.cells[skipped:], session.log.turned()[skipped:], opening)
        if (result := session.result) is not None:
            moves["legal"], moves["must_pass"], moves["winner"] = [], False, result.winner
        return moves


def numbers(cells: Iterable[Cell | None], cols: int) -> list[int]:
    """The page's numbers of cells, -1 for None."""
    return [coordinates.number(cell, cols) for cell in cells]


def cell_of(number: int, board: BoardData) -> Cell | None:
    """The cell of a number of the page, None for -1. Raises RunnerError for a number off the board."""
    if number >= (cells := board["rows"] * board["cols"]):
        sentence = _("cell {number} is off the board, which has {cells}")
        raise RunnerError(sentence.format(number=number, cells=cells))
    return coordinates.numbered(number, board["cols"])


def position_game(position: PagePosition) -> PositionGame:
    """The game of a position. Raises RunnerError or EnvError if there is no such game or its stones do not fit.

    The page's moves are not checked here; a session refuses impossible ones.
    """
    setup = GameSetup(position.env, rules="stated", board_size=position.size)  # the platform's rules have no draw
    game = setup.make()
    if position.stones is not None and len(position.stones) != game.board_height * game.board_width:
        sentence = _("the board has {cells} cells, but {given} were given")
        raise RunnerError(sentence.format(cells=game.board_height * game.board_width, given=len(position.stones)))
    if not game.takes_board:
        setup, prefix = _as_moves(setup, game, position)
    else:
        prefix = (None,) if position.first == WHITE else ()
        if position.stones is not None:
            marks, width = "".join(MARKS[stone] for stone in position.stones), game.board_width
            rows = tuple(marks[at : at + width] for at in range(0, len(marks), width))
            setup = replace(setup, board_size=None, board=rows)
    after = GameSession(setup, cells=prefix)
    if after.result is not None and position.stones is not None:
        raise RunnerError(_("the game is already over on this board; change its stones"))
    board = board_now(position.env, after.env)
    moves = [cell_of(number, board) for number in position.moves]
    return PositionGame(structs.replace(position, moves=[]), setup, prefix, (*prefix, *moves), board)


def _as_moves(setup: GameSetup, game: Game, position: PagePosition) -> tuple[GameSetup, Cells]:
    stones = position.stones
    if stones is None:
        if position.first == BLACK:
            return setup, ()
        raise RunnerError(_("Black begins from the game's own start; take the other side instead"))
    cells = {side: [divmod(at, game.board_width) for at, stone in enumerate(stones) if stone == side]
             for side in (BLACK, WHITE)}  # fmt: skip
    black, white = len(cells[BLACK]), len(cells[WHITE])
    if black - white not in (0, 1) or position.first != 1 + black - white:
        sentence = _("{black} black and {white} white stones do not fit: Black is to move if both have as many, White "
                     "if Black has one more")  # fmt: skip
        raise RunnerError(sentence.format(black=black, white=white))
    prefix = tuple(filter(None, chain(*zip_longest(cells[BLACK], cells[WHITE]))))
    if game.setup.start:  # replay the stones in the game with the same rules and an empty start board
        plain = next(kind.name for kind in kinds() if kind.rules is setup.kind.rules and not kind.setup.start
                     and kind.setup.in_a_row == game.setup.in_a_row)  # fmt: skip
        setup = replace(setup, env=plain, board_size=game.board_width)
    game = setup.make()
    try:
        game.replay(prefix)
    except IllegalMove as error:
        sentence = _("these stones cannot be set up in {game}; give its moves")
        raise RunnerError(sentence.format(game=title(setup.env))) from error
    if game.winning_line():
        raise RunnerError(_("the game is already over on this board; change its stones"))
    return setup, prefix


def shown_position(position: PagePosition) -> tuple[BoardData, MovesData, str]:
    """Board and moves of a position, and why it cannot be played, "" if it can.

    Raises EnvError for an unknown game or a size that the game does not have.
    """
    try:
        start = position_game(position)
    except (RunnerError, EnvError) as error:
        setup = GameSetup(position.env, rules="stated", board_size=position.size)
        board = board_now(position.env, setup.make())
        if position.stones is not None and len(position.stones) == len(board["stones"]):
            board["stones"], board["first"] = list(position.stones), position.first
        moves = moves_of(setup, ())
        moves["legal"], moves["to_move"] = [], board["first"]
        moves["count"] = (board["stones"].count(BLACK), board["stones"].count(WHITE))
        return board, moves, str(error)
    session, problem = GameSession(start.setup, cells=start.prefix), ""
    for ply, cell in enumerate(start.cells[len(start.prefix) :], 1):
        try:
            session.ply(cell)
        except Unplayable as error:
            name = _("pass") if cell is None else coordinates.name(cell)
            problem = _("move {ply}, {cell}, cannot be played: {why}").format(ply=ply, cell=name, why=error)
            break
    return start.board, start.moves_after(session, 0), problem


class OpenedFiles:
    """The files of a server. `named`: the files of the command line. Methods may be called from any thread."""

    def __init__(self, named: Mapping[str, Path]) -> None:
        self.named = named
        self._lock = threading.Lock()
        self._opened: dict[str, tuple[str, GameFile, int]] = {}  # name, games and bytes of a file

    def add(self, name: str, content: bytes, tell: Tell = lambda _part: None) -> str:
        """Read a file that a page sends; returns its id. `tell`: as in `Source`; the headings are the second half.

        Raises RunnerError if no game can be read.
        """
        try:
            games = formats.read(name, content, tell=lambda part: tell(part / 2))
        except UnknownFormat as error:  # without the list of formats, which the page shows beside the field for a file
            raise RunnerError(_("{file} holds no game").format(file=shortened(name))) from error
        for number, _heading in enumerate(islice(games, MOST_HEADINGS)):  # a GameFile keeps them
            tell(0.5 + number / len(games) / 2)
        file = secrets.token_hex(8)
        with self._lock:
            self._opened[file] = name, games, len(content)
            sizes = [size for *_, size in self._opened.values()]
            while len(sizes) > 1 and (len(sizes) > MOST_FILES or sum(sizes) > MOST_KEPT):
                del self._opened[next(iter(self._opened))], sizes[0]
        return file

    def listed(self) -> dict[str, str]:
        """The names of the open files by their ids, the newest first; then those of the command line."""
        with self._lock:
            opened = {file: shortened(name) for file, (name, *_) in reversed(self._opened.items())}
        return opened | {name: name for name in self.named}

    def listing(self, file: str) -> Answer:
        """The answer to a page that opens a file: its id, name, kind and games, with texts in the current language.

        `count`: the number of games, of which the first `MOST_HEADINGS` are listed. RunnerError: there is no such file.
        """
        name, games = self.games(file)
        heads = [
            {**asdict(game), "names": translated(game.names), "ending": printable(shortened(shown(game.ending), LONG))}
            for game in games.listed(MOST_HEADINGS)
        ]
        return {"file": file, "name": shortened(name), "kind": games.kind, "count": len(games), "games": heads,
                "problem": printable(shown(games.problem or games.note))}  # fmt: skip

    def games(self, file: str) -> tuple[str, GameFile]:
        """Name and games of a file. Raises RunnerError if there is no such file."""
        with self._lock:
            if file in self._opened:
                return self._opened[file][:2]
        if file in self.named:
            return file, formats.read_path(self.named[file])
        raise RunnerError(_("this file is not open any more; open it again"))

    def game(self, file: str, number: int) -> SavedGame:
        """One game of a file. Raises RunnerError if there is no such file or game.

        The page shows the only game of a file without a list. So the game's damage also says what the list would say.
        """
        _name, games = self.games(file)
        game = games.game(number)
        said = game.damage or (len(games) == 1 and (games.problem or games.note))
        return replace(game, damage=said) if said else game

    def tournament(self, file: str) -> tuple[Path, str]:
        """Path and name of a tournament that the command line names or a page has opened.

        Raises RunnerError if there is no such tournament.
        """
        if file in self.named:
            return self.named[file], file
        with self._lock:
            name, games, _size = self._opened.get(file, (file, None, 0))
        if games is None or games.path is None:
            sentence = _("there is no open tournament of this name: {name}; open its file again")
            raise RunnerError(sentence.format(name=in_line(name)))
        return games.path, name


def opened(game: SavedGame, variations: bool = False) -> Answer:
    """The answer with a game of a file. Raises ValueError for impossible moves.

    `variations`: whether the file has variations of the game.
    """
    board, moves = board_of(game.setup), moves_of(game.setup, game.cells)
    moves["winner"] = game.winner or moves["winner"]
    setup, usual = game.setup, board_of(type(game.setup)(game.setup.env))
    position = PagePosition(
        env=setup.env, size=board["rows"] if board["rows"] != usual["rows"] else None,
        stones=board["stones"] if setup.board is not None else None, moves=moves["moves"],
    )  # fmt: skip
    return {
        "board": board, "moves": moves, "position": position, "names": translated(game.names),
        "result": outcome_text(game.winner, game.ending), "damage": printable(shown(game.damage)),
        "seconds": [None if value is None else round(value, 3) for value in game.seconds],
        "thoughts": thoughts_of(board, moves, game.thoughts), "variations": variations,
    }  # fmt: skip


def saved_game(position: PagePosition, names: tuple[str, str]) -> SavedGame:
    """A position of the page as a saved game. Raises RunnerError or EnvError if it cannot be played."""
    start = position_game(position)
    GameSession(start.setup, cells=start.cells)  # refuses moves that cannot be played
    return SavedGame(start.setup, start.cells, names)


def saved_room(room: StoredRoom) -> SavedGame:
    """A room as a saved game, with names in the current language."""
    game = saved_game(room.position, for_file(room.names))
    lead = [None] * (len(game.cells) - len(room.position.moves))  # stones of the page's own board have no times
    seconds = (*lead, *room.seconds) if any(room.seconds) else ()
    return with_result(SavedGame(game.setup, game.cells, game.names, seconds=seconds), room.result)
