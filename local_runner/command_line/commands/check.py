"""The command `tengen check`: tests whether a submission is ready for upload."""

from pathlib import Path
from typing import Annotated

import typer

from local_runner.command_line.options import Jobs, JsonTo, Quiet, Sandbox, argument, flag, games, one_of, option
from local_runner.language.languages import Message, _
from local_runner.processes.sandbox import SandboxMode
from local_runner.terminal.output import ExitCode, interruptible

PLACE = "upload", 100  # group of commands, and the place in lists
EXAMPLES = ("tengen check dist/submission.py --quick", "tengen check ./submission.py --env gobang_1v1")


def check(
    file: Annotated[Path, argument("A submission.py, or the folder with it and its data.")],
    env: Annotated[list[str] | None, option(
        "A game that it must play, or `all`; may be repeated. Default: the site's, or its GAMES.",
        **one_of(Message("game"), lambda: [*games(), "all"]),
    )] = None,
    quick: Annotated[bool, flag("--quick", "Under 30 s: a slow agent plays a few moves.")] = False,
    jobs: Jobs = None,
    sandbox: Sandbox = SandboxMode.AUTO,
    quiet: Quiet = False,
    json_to: JsonTo = None,
) -> None:  # fmt: skip
    """Check a submission as the site will run it, before you upload it.

    A submission is ready if it passes in every game that was asked for. If it plays only some of the site's games, name
    these games with --env.
    """
    from rich.console import Console

    from local_runner.terminal import output
    from local_runner.upload.check import check as check_upload
    from local_runner.upload.check import report, showing

    output.check(json_to, file)
    stopped = _("the check was interrupted; it keeps nothing, so the same command begins again")
    with interruptible(stopped), showing(Console(stderr=True, quiet=quiet)) as progress:
        checked = check_upload(file, env, quick=quick, jobs=jobs, progress=progress, sandbox=sandbox)
    output.tell(json_to, lambda: report.told(checked), lambda: checked.print_to(Console()))
    raise typer.Exit(ExitCode.CLEAN if checked.good else ExitCode.FAULT)
