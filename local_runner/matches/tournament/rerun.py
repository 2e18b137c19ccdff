"""Plays one game of a tournament again, and shows how it ended then and now."""

from pathlib import Path

from rich.console import Console
from rich.text import Text

from local_runner.errors import RunnerError
from local_runner.game.wording import result_text
from local_runner.language.amounts import MOVES, amount
from local_runner.language.languages import _, shown
from local_runner.language.text import SENTENCE, in_line, shortened
from local_runner.matches.display import fault_report
from local_runner.matches.tournament.executor import play
from local_runner.matches.tournament.store import PlayedGame, Store
from local_runner.system.exit_codes import ExitCode
from local_runner.system.files import check_folder


def rerun(store: Store, number: int, folder: Path) -> ExitCode:
    """Play one game of a tournament again and show how it ended. Its log and the agents' output go into `folder`."""
    out = Console(highlight=False, soft_wrap=True)
    pair = store.pair((number + 1) // 2)
    if pair is None:
        sentence = _("{path} has no game {number}; it has {games}")
        raise RunnerError(sentence.format(path=store.path, number=number, games=2 * len(list(store.pairs()))))
    check_folder(folder, _("choose another --out"))
    now = play(pair, pair.fixtures(store.plan)[(number - 1) % 2], folder, logged=True)
    if (then := store.game(number)) is not None:
        out.print(_line(_("then  {end}, after {moves}"), then))
    sentence = _("now   {end}, after {moves}; log: {path}")
    out.print(_line(sentence, now, path=in_line(now.details.log or "")))
    if now.result.loser is not None:
        Console(stderr=True, highlight=False, soft_wrap=True).print(
            fault_report(now.result, now.details.agents, number)
        )
    return ExitCode.CLEAN if now.result.loser is None else ExitCode.FAULT


def _line(sentence: str, game: PlayedGame, **more: str) -> Text:
    """A sentence about how a game ended."""
    end = shortened(shown(result_text(game.result)), SENTENCE)
    return Text(sentence.format(end=end, moves=shown(amount(game.plies, MOVES)), **more))
