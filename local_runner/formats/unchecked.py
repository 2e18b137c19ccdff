"""Games as files describe them, and the referee's check of their moves.

The reader of each format makes an `UncheckedGame`. `checked` plays its moves up to the first illegal one, which is
described in `SavedGame.damage`. `checked` also adds the passes that a file left out.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, repeat
from typing import Any

from env_adapter import Cell, Game
from local_runner.errors import RunnerError
from local_runner.formats.saved_game import Heading, Part, SavedGame
from local_runner.formats.source import number_of
from local_runner.game import coordinates
from local_runner.game.records import COLOURS, GameDetails, Result
from local_runner.game.session import GameSession
from local_runner.game.setup import GameSetup
from local_runner.game.wording import result_text, why_not, winner_text
from local_runner.language.languages import Message


@dataclass(frozen=True)
class Turn:
    """One ply of a file.

    cell: None for a pass
    player: 0 Black, 1 White, None if the file does not say
    place: the place of the ply in the file, in words (a Message), such as "line 3"; "" if unknown
    """

    cell: Cell | None
    player: int | None = None
    place: str = ""
    seconds: float | None = None
    thought: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class UncheckedGame:
    """A game whose moves the referee has not checked; its other fields are as in `SavedGame`.

    damage: a sentence (Message) about the error in the file after the last of `turns`; "" if there is none
    leaves_out_passes: the file may leave out passes
    winner_must_fit: if the file's winner differs from the referee's, the difference is reported as damage
    """

    setup: GameSetup
    turns: Sequence[Turn]
    names: tuple[str, str] = COLOURS
    winner: int = 0
    ending: str = ""
    damage: str = ""
    leaves_out_passes: bool = False
    winner_must_fit: bool = True
    result: Result | None = None
    left_out: frozenset[Part] = frozenset()


def recorded(
    setup: GameSetup, cells: Sequence[Cell | None], details: GameDetails, result: Result, names: tuple[str, str]
) -> UncheckedGame:
    """The game of a match or a tournament, with the seconds and the thought of each ply from `details.calls`.

    `setup`: has the game's own seed; its opening is replaced by the first `details.opening` cells. After the opening,
    each ply has one call on turn. If the last call was a fault, there is one call more, which is ignored.
    """
    before = details.opening
    turns = [Turn(cell) for cell in cells[:before]]
    calls = chain((call for call in details.calls if call.turn), repeat(None))
    for cell, call in zip(cells[before:], calls, strict=False):
        if call is None:
            turns.append(Turn(cell))
        else:
            turns.append(Turn(cell, seconds=number_of(call.seconds), thought=call.thought or None))
    opening = tuple(cell for cell in cells[:before] if cell is not None)
    return UncheckedGame(
        replace(setup, opening=opening), turns, names, result.winner, result_text(result), result=result
    )  # fmt: skip


def heading(game: UncheckedGame) -> Heading:
    """The heading of an unchecked game, from the file's own data."""
    return Heading(game.names, game.winner, game.ending, len(game.turns), game.setup.env)


def checked(game: UncheckedGame) -> SavedGame:
    """The game up to the last ply that the referee can play. Raises EnvError for a setup that the referee refuses."""
    session = _replayed_at_once(game)
    if session is not None:
        return _saved(game, session, game.turns, game.damage)
    session = GameSession(game.setup, game.names, cells=())
    made: list[Turn] = []
    damage = game.damage
    for turn in game.turns:
        if why := _refused(session, turn):
            if game.leaves_out_passes and _pass_is_missing(session, turn):
                session.ply(None)
                made.append(Turn(None))
                why = _refused(session, turn)
            if why:
                damage = _sentence(len(made) + 1, turn, why)
                break
        session.ply(turn.cell)
        made.append(turn)
    else:
        if game.leaves_out_passes and not damage:
            made += [Turn(None)] * _last_passes(session)
    return _saved(game, session, made, damage)


def _replayed_at_once(game: UncheckedGame) -> GameSession | None:
    """The session after all turns; None if a turn cannot be played or a pass may be missing.

    Replaying a valid game this way takes half the time of playing it ply by ply.
    """
    if any(turn.player not in (None, ply % 2) for ply, turn in enumerate(game.turns)):
        return None
    try:
        session = GameSession(game.setup, game.names, cells=[turn.cell for turn in game.turns])
    except RunnerError:
        return None
    return None if game.leaves_out_passes and session.must_pass else session


def _saved(game: UncheckedGame, session: GameSession, made: Sequence[Turn], damage: str) -> SavedGame:
    """The saved game with the turns in `made`. The referee's result, if any, replaces the file's."""
    result, winner, ending = session.result or game.result, game.winner, game.ending
    ruled = session.result.winner if session.result is not None and game.winner_must_fit else 0
    if winner and ruled not in (0, winner) and not damage:
        said, is_so = winner_text(winner), winner_text(ruled)
        damage = Message("the file says: {said}; but by the rules: {is_so}", said=said, is_so=is_so)
    if result is not None:
        winner, ending = result.winner or winner, result_text(result)
    cells = tuple(turn.cell for turn in made)
    setup = game.setup if cells[: len(game.setup.opening)] == game.setup.opening else replace(game.setup, opening=())
    seconds = tuple(turn.seconds for turn in made)
    thoughts = tuple(turn.thought for turn in made)
    return SavedGame(
        setup=setup,
        cells=cells,
        names=game.names,
        winner=winner,
        ending=ending,
        seconds=seconds if any(each is not None for each in seconds) else (),
        thoughts=thoughts if any(each is not None for each in thoughts) else (),
        damage=damage,
        result=result,
        left_out=game.left_out,
    )


def positions(game: SavedGame) -> Iterator[Game]:
    """The referee's game at the start and after every ply. Each item is the same object, which the next ply changes."""
    env = game.setup.make()
    yield env
    for cell in game.cells:
        env.play(cell)
        yield env


def _refused(session: GameSession, turn: Turn) -> str:
    """Why a turn cannot be played, as a Message; "" if it can."""
    env, cell, mover = session.env, turn.cell, (Message("Black"), Message("White"))[session.to_move]
    if session.result is not None:
        return Message("the game is over: {result}", result=result_text(session.result))
    if turn.player not in (None, session.to_move):
        return Message("it is {colour}'s turn", colour=mover)
    if cell is None:
        return "" if env.has_pass else Message("there is no pass in this game")
    return why_not(env, cell, legal=False) or ""


def _pass_is_missing(session: GameSession, turn: Turn) -> bool:
    return turn.cell is not None and turn.player != session.to_move and session.must_pass


def _last_passes(session: GameSession) -> int:
    """Play the passes at the end of a file that left them out; returns their number, 0 to 2.

    Passes are played only if they end the game, or if both players have no move.
    """
    if not session.must_pass:
        return 0
    ahead = GameSession(session.setup, cells=[*session.cells, None])
    passes = 1 if ahead.result is not None else 2 if ahead.must_pass else 0
    for _number in range(passes):
        session.play(None)
    return passes


def _sentence(ply: int, turn: Turn, why: str) -> str:
    said = Message("ply {ply}, {move}, cannot be played: {why}", ply=ply, move=written(turn.cell), why=why)
    return Message("{place}: {what}", place=turn.place, what=said) if turn.place else said


def written(cell: Cell | None) -> str:
    """A cell's name, such as h8; row and column for a cell without a name; a Message for a pass (None)."""
    if cell is None:
        return Message("a pass")
    return coordinates.written(cell)
