"""Plays one game of a tournament again, and shows how it ended then and now."""

from pathlib import Path

from rich.console import Console
from rich.text import Text

from local_runner.display import fault_report
from local_runner.errors import RunnerError
from local_runner.exit_codes import ExitCode
from local_runner.files import check_folder
from local_runner.text import SENTENCE, in_line, shortened
from local_runner.tournament.executor import play
from local_runner.tournament.store import Store

LOG_ADVICE = "choose another --out"


def rerun(store: Store, number: int, folder: Path) -> ExitCode:
    """Play one game of a tournament again and show how it ended. Its log and the agents' output go into `folder`."""
    out = Console(highlight=False, soft_wrap=True)
    pair = store.pair((number + 1) // 2)
    if pair is None:
        raise RunnerError(f"{store.path} has no game {number}; it has {2 * sum(1 for _ in store.pairs())}")
    check_folder(folder, LOG_ADVICE)
    now = play(pair, pair.fixtures(store.plan)[(number - 1) % 2], folder, logged=True)
    if (then := store.game(number)) is not None:
        out.print(Text(f"then  {shortened(then.detail, SENTENCE)}, after {len(then.moves.split())} moves"))
    ended = f"{shortened(now.detail, SENTENCE)}, after {len(now.moves.split())} moves"
    out.print(Text(f"now   {ended}; log: {in_line(now.record['log'])}"))
    if now.loser is not None:
        out.print(fault_report(now.record, number))
    return ExitCode.CLEAN if now.loser is None else ExitCode.FAULT
