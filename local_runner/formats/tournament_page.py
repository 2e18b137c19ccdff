"""A single HTML file about a tournament: the page "Watch" with the present state, and the replays of the games.

The page loads nothing, and its content security policy allows only its own script. Names and texts of agents are JSON
in which no tag can occur.
"""

from itertools import accumulate
from pathlib import Path
from typing import Any

from local_runner.errors import RunnerError
from local_runner.formats import self_contained
from local_runner.game.board_data import FIGURES, board_of, figure, moves_of
from local_runner.game.records import GameDetails
from local_runner.game.setup import GameSetup
from local_runner.game.wording import COLOURS
from local_runner.language.languages import CHINESE, ENGLISH, _, speaking
from local_runner.language.text import ending
from local_runner.matches.games import PlayedGame, read
from local_runner.matches.standings import Overview, games_now
from local_runner.system.files import check_writable, write_whole

ENTRY = "saved/tournament.js"
STYLES = (*self_contained.STYLES, "more.css")
MOST_GAMES, MOST_MOVES = 2000, 150_000  # limits of the newest games on the page, 0.4 kB a game and 20 bytes a move
MOST_TEXT = 2000  # most characters of a traceback, and of an agent's output
SHORT = 0.01  # seconds; shorter times are rounded to tenths of a millisecond, others to milliseconds


def write_page(file: Path, out: Path, *, language: str = "") -> None:
    """Write the page of a tournament's file. `language`: "en", "zh", or "" for the browser's.

    Raises RunnerError if the file cannot be read or `out` cannot be written; then nothing is written.
    """
    check_writable(out, _("give --html another file"), file)
    write_whole(out, tournament_page(file, language=language), _("give --html another file"))


def tournament_page(file: Path, *, language: str = "") -> str:
    """The page as HTML. Raises RunnerError if the file cannot be read."""
    played, states, replays = read(file), {}, {}
    overview, setup = Overview(played, file.name), played.plan.terms.setup
    numbered = list(played)
    plies = accumulate(game.plies for game in reversed(numbered[-MOST_GAMES:]))
    most = sum(moves <= MOST_MOVES for moves in plies)  # the newest games, for which the page has room
    for each in (ENGLISH, CHINESE):
        with speaking(each):
            states[each] = {**overview.state(most, len(games_now(file))), "live": []}
    for place in (game["number"] for game in states[ENGLISH]["games"]):
        game = numbered[place]
        try:
            replays[place] = _replay(setup, game, played.details(game.number))
        except (IndexError, ValueError) as error:
            sentence = _("{path} is damaged: game {number} is invalid ({error!r})")
            raise RunnerError(sentence.format(path=file, number=game.number, error=error)) from error
    data = {"tournament": states, "board": board_of(setup), "games": replays}
    return self_contained.page(ENTRY, data, states[ENGLISH]["title"], language=language, styles=STYLES)


def _replay(setup: GameSetup, game: PlayedGame, details: GameDetails) -> dict[str, Any]:
    """A game as page/saved/tournament.js takes it. Raises ValueError for impossible moves."""
    moves, calls = moves_of(setup, game.cells), [call for call in details.calls if call.turn]
    optional: dict[str, Any] = {"line": moves["line"], "turned": moves["turned"]}
    for key in FIGURES:
        values = [figure(call.thought.get(key)) if isinstance(call.thought, dict) else None for call in calls]
        optional[key] = values if any(value is not None for value in values) else []
    if game.result.loser is not None and game.result.fault is not None:
        texts = (game.result.fault.traceback, details.printed.get(COLOURS[game.result.loser], ""))
        optional["said"] = "\n".join(ending(text, MOST_TEXT) for text in texts if text)
    return {
        "opening": details.opening,
        "moves": moves["moves"],
        "ms": [round(1000 * s) if s >= SHORT else round(1000 * s, 1) for s in (call.seconds for call in calls)],
        **{key: values for key, values in optional.items() if values},
    }
