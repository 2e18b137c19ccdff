"""`tengen check FILE`: checks an upload as the site will use it, and tells the user what to mend.

`files.py` reads the file, `trial.py` runs it, `report.py` shows the findings. It takes any file and changes nothing.
"""
from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from env_adapter import names
from local_runner.check.files import MAIN, check_files, site_packages, upload_files
from local_runner.check.report import CheckReport, CheckRow, Verdict, failed
from local_runner.check.trial import Trial
from local_runner.errors import RunnerError

SITE_GAMES = ("gobang_1v1", "reversi_1v1")      # our environments that the site has, too
ALL = "all"


def check(file: Path, envs: list[str] | None = None, *, quick: bool = False) -> CheckReport:
    """Check the upload `file`: a submission.py, or a folder with one and its data.

    `envs`: games that it must play; by default it must play at least one of the site's. `quick`: play only the first
    steps of each game. Raises RunnerError for a missing file or an unknown game.
    """
    unknown = sorted(set(envs or ()) - set(names()) - {ALL})
    if unknown:
        raise RunnerError(f"unknown game {unknown[0]!r}; there are {', '.join(names())}, or {ALL}")
    wanted = names() if ALL in (envs or ()) else list(dict.fromkeys(envs or SITE_GAMES))
    files = upload_files(file)
    main = file / MAIN if file.is_dir() else file
    rows: list[CheckRow] = []
    python = ""
    if main.suffix != ".py":
        rows.append(failed("files", f"{main.name} is not a Python file", f"The site runs {MAIN}: check that file."))
    else:
        rows += check_files(files, main)
        if not any(row.name in ("syntax", "platform") and row.verdict is Verdict.FAILED for row in rows):
            with tempfile.TemporaryDirectory(prefix="tengen-check-") as folder:
                copy = _copied(files, main, Path(folder))
                trial = Trial(copy, Path(folder), needed=site_packages(files, main), quick=quick)
                rows += trial.rows(wanted, sure=bool(envs))
                python = trial.python.title
    return CheckReport(str(file), python, tuple(rows))


def _copied(files: list[Path], main: Path, folder: Path) -> Path:
    """Copy the upload into a new subfolder of `folder`; returns the path of its submission.py there."""
    place = folder / "upload"
    place.mkdir()
    for path in files:
        if path.is_file():
            shutil.copy(path, place / (MAIN if path == main else path.name))
    return place / MAIN
