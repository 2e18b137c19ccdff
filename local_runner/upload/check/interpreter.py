"""Chooses the Python under which a check runs an upload, and finds packages of the site that this Python lacks.

The chosen Python is a Python 3.7 if there is one, unless the current Python has more of the site's packages that the
upload imports.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Set

from local_runner.game.advice import INSTALLED_THERE
from local_runner.language.languages import Listing, Message
from local_runner.processes.interpreters import Interpreter, current, find_python37
from local_runner.upload.check.report import CheckRow, Verdict, noted

# Finds the package's name in Python's error messages for a package that is missing or has another version.
NOT_THE_SITES = re.compile(r"(?:No module named|cannot import name '\w+' from|module) '(\w+)[.']")
SITES_NUMPY = "1.19.5"
TRY_IMPORTS = """\
import sys
for name in sys.argv[1:]:
    try:
        __import__(name)
    except Exception:
        print(name)
"""


class ChosenPython:
    """The Python under which an upload runs; `needed`: packages of the site that the upload imports.

    python: the interpreter
    rows: notes on the choice for the report
    """

    def __init__(self, needed: Set[str]) -> None:
        here, python37 = current(), find_python37()
        lacking = {python: _lacks(python, needed) for python in (python37, here) if python}
        self.python = min(lacking, key=lambda python: len(lacking[python]))  # ties go to Python 3.7, the first key
        self.rows: list[CheckRow] = []
        self._lacking = lacking[self.python]
        if python37 is None:
            advice = Message("It ran under this Python; put a python3.7 on the PATH for a stricter check.")
            self.rows.append(noted(Message("python"), Message("no Python 3.7 here"), advice))
        elif self.python is not python37:
            missed = Listing(sorted(lacking[python37] - lacking[self.python]))
            sentence = Message("Python 3.7 here lacks {packages}: run under Python {version}")
            found = Message(sentence, packages=missed, version=self.python.version)
            sentence = Message("For a stricter check install {packages} for it (numpy: `make python37` does).")
            advice = Message(sentence, packages=missed)
            self.rows.append(noted(Message("python"), found, advice))

    def unjudged(self, rows: list[CheckRow]) -> CheckRow | None:
        """A row that lists missing packages of the site; None if none is missing.

        `rows`: the check's other rows; packages that failures in them name also count as missing.
        """
        failures = " ".join(row.found + row.traceback for row in rows)
        lacking = self._lacking | set(NOT_THE_SITES.findall(failures)) & INSTALLED_THERE
        if self.python.numpy == SITES_NUMPY:
            lacking -= {"numpy"}
        if not lacking:
            return None
        found = Message(
            "{python}: without the site's {packages}", python=self.python.title, packages=Listing(sorted(lacking))
        )
        advice = Message("Install the site's version for this Python (numpy: `make python37`), then check again.")
        return CheckRow(Message("python"), Verdict.OPEN, found, advice)


def _lacks(python: Interpreter, packages: Set[str]) -> set[str]:
    """The members of `packages` that this Python cannot import."""
    if not packages:
        return set()
    done = subprocess.run(
        [str(python.path), "-c", TRY_IMPORTS, *sorted(packages)], capture_output=True, text=True, cwd=python.path.parent
    )
    return set(packages) if done.returncode else set(done.stdout.split()) & packages
