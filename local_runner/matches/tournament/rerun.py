"""Plays one game of a tournament again, and prints how the stored game and the new game ended."""

from pathlib import Path

from rich.console import Console
from rich.text import Text

from local_runner.game.wording import result_text
from local_runner.language.amounts import MOVES, amount
from local_runner.language.languages import _, shown
from local_runner.language.text import SENTENCE, in_line, shortened
from local_runner.matches.display import fault_report
from local_runner.matches.fixture import fixture
from local_runner.matches.snapshot import unpacked
from local_runner.matches.tournament.executor import play
from local_runner.matches.tournament.run import with_copies
from local_runner.matches.tournament.store import PlayedGame, Store
from local_runner.system.exit_codes import ExitCode
from local_runner.system.files import check_folder


def rerun(store: Store, number: int, folder: Path) -> ExitCode:
    """Play one game of a tournament again, and print how the stored game and the new game ended.

    The new game's log and the agents' output go into `folder`. Returns ExitCode.FAULT if the new game was lost by a
    fault. Raises RunnerError if there is no such game, `folder` cannot be written, or an agent cannot be played.
    """
    out = Console(highlight=False, soft_wrap=True)
    details, then = store.details(number), store.game(number)
    assert then is not None
    check_folder(folder, _("choose another --out"))
    opening = tuple(cell for cell in then.cells[: details.opening] if cell)
    game = fixture(store.plan.terms, number, store.plan.agents, opening, (then.black, then.white))
    with unpacked(store.plan.agents, store.snapshots(), store.plan.terms.python) as copies:
        now = play(with_copies(game, copies), folder, logged=True)
    out.print(_line(_("then  {end}, after {moves}"), then))
    out.print(_line(_("now   {end}, after {moves}; log: {path}"), now, path=in_line(now.details.log or "")))
    if now.result.loser is None:
        return ExitCode.CLEAN
    Console(stderr=True, highlight=False, soft_wrap=True).print(fault_report(now.result, now.details.agents, number))
    return ExitCode.FAULT


def _line(sentence: str, game: PlayedGame, **more: str) -> Text:
    """The sentence, filled with how the game ended and its number of moves."""
    end = shortened(shown(result_text(game.result)), SENTENCE)
    return Text(sentence.format(end=end, moves=shown(amount(game.plies, MOVES)), **more))
