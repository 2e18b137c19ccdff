"""Turns a session into a saved game, which the server and `tengen play` store."""

from local_runner.formats.saved_game import SavedGame, with_result
from local_runner.game.session import GameSession


def from_session(session: GameSession) -> SavedGame:
    """The game of a session, finished or not.

    The calls on turn belong to the last plies: the opening, and plies from before a session was resumed, have no calls.
    If a fault ended the session, its last call has no ply and is left out. A person's move has a call of 0 seconds,
    which is saved as None.
    """
    calls = [call for call in session.calls if call.turn]
    result = session.result
    if result is not None and result.fault is not None and calls:
        calls.pop()
    before = [None] * (len(session.cells) - len(calls))
    seconds = (*before, *(call.seconds or None for call in calls))[-len(session.cells) or None :]
    thoughts = (*before, *(call.thought for call in calls))[-len(session.cells) or None :]
    game = SavedGame(
        setup=session.setup,
        cells=tuple(session.cells),
        names=session.names,
        seconds=seconds if any(each is not None for each in seconds) else (),
        thoughts=thoughts if any(thoughts) else (),
    )
    return with_result(game, result)
