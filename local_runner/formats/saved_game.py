"""Games of files: as a file describes them (`UncheckedGame`), and as the referee has checked them (`SavedGame`).

A format's reader makes an `UncheckedGame`. `checked` plays its moves up to the first illegal one, which becomes
`SavedGame.damage`, and adds the passes that a file left out.
"""

import copy
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from itertools import chain, repeat
from typing import Any, NamedTuple

from env_adapter import Cell, Game, IllegalMove
from env_adapter.endings import Outcome
from local_runner.formats.sgf_tree import TreeNode
from local_runner.formats.source import number_of
from local_runner.game import coordinates
from local_runner.game.records import Call, GameDetails, Result, winner_text
from local_runner.game.session import GameSession
from local_runner.game.setup import GameSetup
from local_runner.game.wording import COLOURS, why_not
from local_runner.language.languages import Message


class Part(Enum):
    """A part of a game that a format keeps or loses. The value is what sentences call the part."""

    MOVES = Message("moves")
    GAME = Message("name of the game and its rules")
    BOARD = Message("start board")
    NAMES = Message("players")
    RESULT = Message("winner")
    ENDING = Message("how the game ended")
    OPENING = Message("which moves are the opening")
    TIMES = Message("times")
    THOUGHTS = Message("thoughts of the agents")
    COMMENTS = Message("comments and marks")
    VARIATIONS = Message("variations")
    EVENT = Message("event")
    DATE = Message("date")
    ROUND = Message("round")
    PLACE = Message("place")
    BLACK_RATING = Message("Black's rating")
    WHITE_RATING = Message("White's rating")
    RULE = Message("name of the rule")
    TIME = Message("time limit")
    OVERTIME = Message("overtime")
    OTHER = Message("other headers")


@dataclass(frozen=True)
class SavedGame:
    """One game, which `GameSession(game.setup, cells=game.cells)` can replay."""

    setup: GameSetup
    cells: tuple[Cell | None, ...]  # the cell of each ply, also of `setup`'s opening; None for a pass or lost turn
    names: tuple[str, str] = COLOURS
    winner: int = 0  # 1 Black, 2 White, 3 a draw, 0 unknown or unfinished
    ending: str = ""  # how the game ended, in words: a Message, or the file's own text; "" if unknown
    seconds: tuple[float | None, ...] = ()  # the seconds of each ply, None where unknown; () if the file has none
    thoughts: tuple[Mapping[str, Any] | None, ...] = ()  # the agent's report on its search for each ply, as `seconds`
    damage: str = ""  # a sentence (Message) about the error in the file after the last of `cells`; "" for none
    result: Result | None = field(default=None, compare=False)  # the referee's, or that in a file that tengen wrote
    left_out: frozenset[Part] = field(default=frozenset(), compare=False)  # the parts of the file that were not read
    heads: Mapping[Part, str] = field(default_factory=dict)  # what the file says of the game, see formats/heads.py
    tree: TreeNode | None = field(default=None, compare=False)  # with variations and comments, for writing SGF


def with_result(game: SavedGame, result: Result | None) -> SavedGame:
    """The game with this result, from which `winner` and `ending` are set. None leaves the game unchanged."""
    if result is None:
        return game
    return replace(game, result=result, winner=result.winner, ending=result.text)


@dataclass(frozen=True)
class GameTree:
    """One game with its variations, comments, marks and set-up stones, as SGF keeps them."""

    env: str  # the name of the game
    size: int  # cells on a side of the board
    root: TreeNode  # the first node; the caller may change the tree
    damage: str = ""  # a sentence (Message) that says from where on the file cannot be read; "" if it was read whole


class Turn(NamedTuple):
    """One ply of a file."""

    cell: Cell | None  # None for a pass
    player: int | None = None  # 0 Black, 1 White, None if the file does not say
    place: str = ""  # where the ply stands in the file, a Message such as "line 3"; "" if unknown
    seconds: float | None = None
    thought: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class UncheckedGame:
    """A game whose moves the referee has not checked; its other fields are as in `SavedGame`."""

    setup: GameSetup
    turns: Sequence[Turn]
    names: tuple[str, str] = COLOURS
    winner: int = 0
    ending: str = ""
    damage: str = ""  # after the last of `turns`
    leaves_out_passes: bool = False  # the file may leave out passes
    winner_must_fit: bool = True  # if the file's winner differs from the referee's, the difference is damage
    result: Result | None = None
    left_out: frozenset[Part] = frozenset()
    heads: Mapping[Part, str] = field(default_factory=dict)


def recorded(
    setup: GameSetup, cells: Sequence[Cell | None], details: GameDetails, result: Result, names: tuple[str, str]
) -> UncheckedGame:
    """The game of a match or a tournament, with the seconds and the thought of each ply from `details.calls`.

    `setup`: has the game's own seed; its opening is replaced by the first `details.opening` cells.
    """
    turns = _turns(cells, details.calls, details.opening)
    opening = tuple(cell for cell in cells[: details.opening] if cell is not None)
    setup = replace(setup, opening=opening)
    return UncheckedGame(setup, turns, names, result.winner, result.text, result=result)


def from_session(session: GameSession) -> SavedGame:
    """The game of a session, finished or not; `tengen play` and the server store it.

    The calls on turn belong to the last plies: the opening, and plies from before a session was resumed, have no calls.
    If a fault ended the session, its last call has no ply.
    """
    calls = [call for call in session.calls if call.turn]
    if session.result is not None and session.result.fault is not None:
        calls = calls[:-1]
    turns = _turns(session.cells, calls, len(session.cells) - len(calls))
    game = UncheckedGame(session.setup, turns, session.names, result=session.result)
    return _saved(game, session.env.outcome(), turns, "")


def _turns(cells: Sequence[Cell | None], calls: Iterable[Call], before: int) -> list[Turn]:
    """A turn for each cell. After the first `before` plies, each ply has one call on turn; calls behind are ignored.

    A person's move has a call of 0 seconds, which becomes None.
    """
    told = ((number_of(call.seconds) or None, call.thought or None) for call in calls if call.turn)
    every = zip(cells, chain(repeat((None, None), before), told, repeat((None, None))), strict=False)
    return [Turn(cell, seconds=seconds, thought=thought) for cell, (seconds, thought) in every]


def checked(game: UncheckedGame) -> SavedGame:
    """The game up to the last ply that the referee can play. Raises EnvError for a setup that the referee refuses."""
    env, made, damage = game.setup.make(), list[Turn](), game.damage
    for turn in game.turns:
        why = _played(env, turn)
        if why and game.leaves_out_passes and turn.cell and turn.player != env.chess_player - 1 and _must_pass(env):
            env.follow(None)
            made.append(Turn(None))
            why = _played(env, turn)
        if why:
            move = coordinates.written(turn.cell) if turn.cell else Message("a pass")
            said = Message("ply {ply}, {move}, cannot be played: {why}", ply=len(made) + 1, move=move, why=why)
            damage = Message("{place}: {what}", place=turn.place, what=said) if turn.place else said
            break
        made.append(turn)
    for _number in range(_last_passes(game, env) if not damage else 0):
        env.follow(None)
        made.append(Turn(None))
    return _saved(game, env.outcome(), made, damage)


def _saved(game: UncheckedGame, outcome: Outcome, made: Sequence[Turn], damage: str) -> SavedGame:
    """The saved game with the turns in `made`. The referee's result, if any, replaces the file's."""
    result, winner, ending = game.result, game.winner, game.ending
    if outcome.ending is not None:
        result = Result(outcome.winner, outcome.ending)
        if game.winner_must_fit and winner and result.winner not in (0, winner) and not damage:
            said, is_so = winner_text(winner), winner_text(result.winner)
            damage = Message("the file says: {said}; but by the rules: {is_so}", said=said, is_so=is_so)
    if result is not None:
        winner, ending = result.winner or winner, result.text
    cells = tuple(turn.cell for turn in made)
    setup = game.setup if cells[: len(game.setup.opening)] == game.setup.opening else replace(game.setup, opening=())
    seconds, thoughts = zip(*((turn.seconds, turn.thought) for turn in made), strict=True) if made else ((), ())
    return SavedGame(
        setup, cells, game.names, winner, ending, seconds if any(each is not None for each in seconds) else (),
        thoughts if any(each is not None for each in thoughts) else (), damage, result, game.left_out, game.heads,
    )  # fmt: skip


def at_end(game: SavedGame) -> Game:
    """The referee's game after the last ply."""
    env = game.setup.make()
    env.replay(game.cells)
    return env


def positions(game: SavedGame) -> Iterator[Game]:
    """The referee's game at the start and after every ply. Each item is the same object, which the next ply changes."""
    env = game.setup.make()
    yield env
    for cell in game.cells:
        env.play(cell)
        yield env


def lost_turns(game: SavedGame) -> list[int]:
    """The plies, from 0, on which a player with a legal move played none."""
    env, found = game.setup.make(), list[int]()
    for ply, cell in enumerate(game.cells):
        if cell is None and env.legal_moves():
            found.append(ply)
        env.follow(cell)
    return found


def _played(env: Game, turn: Turn) -> str:
    """Play a turn. Returns "", or the reason why the turn cannot be played, as a Message."""
    mover = env.chess_player - 1
    if env.is_over():
        outcome = env.outcome()
        return Message("the game is over: {result}", result=Result(outcome.winner, outcome.ending).text)
    if turn.player not in (None, mover):
        return Message("it is {colour}'s turn", colour=(Message("Black"), Message("White"))[mover])
    if turn.cell is None and not env.has_pass:
        return Message("there is no pass in this game")
    try:
        env.follow(turn.cell)  # ten times as fast as `play`
    except IllegalMove as error:
        return why_not(env, turn.cell, legal=False) or str(error)
    return ""


def _must_pass(env: Game) -> bool:
    return not env.is_over() and not env.can_move()


def _last_passes(game: UncheckedGame, env: Game) -> int:
    """The number of passes, 0 to 2, that a file has left out at the end of its turns, which `env` has played.

    There are passes only if they end the game, or if both players have no move.
    """
    if not (game.leaves_out_passes and _must_pass(env)):
        return 0
    ahead = copy.deepcopy(env)
    ahead.play(None)
    return 1 if ahead.is_over() else 0 if ahead.can_move() else 2
