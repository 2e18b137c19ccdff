"""Plays one game of a tournament again, and shows how it ended then and now."""

from pathlib import Path

from rich.console import Console
from rich.text import Text

from local_runner.display import fault_report
from local_runner.errors import RunnerError
from local_runner.exit_codes import ExitCode
from local_runner.files import check_folder
from local_runner.kept_sentences import in_words
from local_runner.languages import _
from local_runner.text import SENTENCE, in_line, shortened
from local_runner.tournament.executor import play
from local_runner.tournament.store import Store


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
        line = _("then  {end}, after {moves} moves")
        out.print(Text(line.format(end=shortened(in_words(then.detail), SENTENCE), moves=len(then.moves.split()))))
    line, log = _("now   {end}, after {moves} moves; log: {path}"), in_line(now.record["log"])
    out.print(Text(line.format(end=shortened(in_words(now.detail), SENTENCE), moves=len(now.moves.split()), path=log)))
    if now.loser is not None:
        out.print(fault_report(now.record, number))
    return ExitCode.CLEAN if now.loser is None else ExitCode.FAULT
