"""`tengen check FILE`: look at an upload as the site will, before it is uploaded, and say in plain words what to mend.

The questions are in `files.py` (what can be read) and `trial.py` (what must be run), the answers in `report.py`. Works
on anybody's file, and changes nothing.
"""
from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from env_adapter import names
from local_runner.check.files import MAIN, check_files, site_packages, upload_files
from local_runner.check.report import Report, Row, Verdict, failed
from local_runner.check.trial import Trial
from local_runner.errors import RunnerError

SITE_GAMES = ("gobang_1v1", "reversi_1v1")      # the games of ours that the site has
ALL = "all"


def check(file: Path, envs: list[str] | None = None, *, quick: bool = False) -> Report:
    """Everything about the upload `file` (a submission.py, or a folder with one and its data).

    `envs`: the games that it must play; by default those of the site's games that it answers at all. `quick`: a few
    steps of each instead of whole games. Raises RunnerError for a file or a game that is not there.
    """
    unknown = sorted(set(envs or ()) - set(names()) - {ALL})
    if unknown:
        raise RunnerError(f"unknown game {unknown[0]!r}; there are {', '.join(names())}, or {ALL}")
    wanted = names() if ALL in (envs or ()) else list(dict.fromkeys(envs or SITE_GAMES))
    files = upload_files(file)
    main = file / MAIN if file.is_dir() else file
    rows: list[Row] = []
    python = ""
    if main.suffix != ".py":
        rows.append(failed("files", f"{main.name} is no Python file", f"The site runs {MAIN}: check that."))
    else:
        rows += check_files(files, main)
        if not any(row.name in ("syntax", "platform") and row.verdict is Verdict.FAILED for row in rows):
            with tempfile.TemporaryDirectory(prefix="tengen-check-") as folder:
                copy = _copied(files, main, Path(folder))
                trial = Trial(copy, Path(folder), needed=site_packages(files, main), quick=quick)
                rows += trial.rows(wanted, sure=bool(envs))
                python = trial.python.title
    return Report(str(file), python, tuple(rows))


def _copied(files: list[Path], main: Path, folder: Path) -> Path:
    """The upload in a folder of its own; the path of its submission.py there."""
    place = folder / "upload"
    place.mkdir()
    for path in files:
        if path.is_file():
            shutil.copy(path, place / (MAIN if path == main else path.name))
    return place / MAIN
