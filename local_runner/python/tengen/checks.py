"""`check`: is a submission ready for upload?"""

import os
from collections.abc import Sequence
from pathlib import Path

from local_runner.upload import check as upload
from local_runner.upload.check.report import CheckReport, CheckRow, Verdict
from tengen.given import Sandbox, check_counts, sandbox_of

__all__ = ["CheckReport", "CheckRow", "Verdict", "check"]


def check(
    path: str | os.PathLike[str], games: str | Sequence[str] | None = None, *, quick: bool = False,
    jobs: int | None = None, sandbox: Sandbox = "auto",
) -> CheckReport:  # fmt: skip
    """Check a submission as the site will run it, before the upload.

    Args:
        path: A submission.py, or the folder with it and its data.
        games: A game or games that it must play; `"all"` for every game. By default those that it declares as GAMES,
            else all games of the site.
        quick: Take under 30 s: a slow agent plays only a few moves of each game. Otherwise two minutes.
        jobs: The number of games at once; by default the number of physical cores.
        sandbox: `"auto"`, `"on"` or `"off"`, as the option `--sandbox`.

    Returns:
        The report. `good` is True, False, or None if this machine cannot judge; `verdict` is one sentence; `rows` has
        a finding and the advice for each question. Printed, it is what `tengen check` prints.

    Raises:
        TengenError: The file is missing or cannot be read, or a game is unknown.

    Examples:
        >>> from pathlib import Path
        >>> _ = Path("my_agent.py").write_text("def my_controller(observation, action_space, is_act_continuous=False):")
        >>> report = check("my_agent.py", quick=True)
        >>> report.good, report.verdict
        (False, 'Do not upload: mend syntax.')
    """
    check_counts(jobs=jobs)
    envs = [games] if isinstance(games, str) else None if games is None else list(games)
    return upload.check(Path(path), envs, quick=quick, jobs=jobs, mode=sandbox_of(sandbox))
