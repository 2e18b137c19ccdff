"""A good upload that tests break in one way each, and helpers to read the report of a check."""

import io
import shutil

from rich.console import Console

from local_runner.agents.catalogue import OPPONENTS
from local_runner.upload.check.files import check_files, facts_of, upload_of
from local_runner.upload.check.report import Verdict

GAME = ["tictactoe_1v1"]

# A good agent for k-in-a-row games: it plays the first free cell and never raises.
GOOD = """\
def my_controller(observation, action_space, is_act_continuous=False):
    rows, cols = action_space[0].n, action_space[1].n
    row, col = 0, 0
    try:
        board = observation["state_map"]
        free = [(r, c) for r in range(rows) for c in range(cols) if board[r][c][0] == 0]
        row, col = free[0] if free else (0, 0)
    except Exception:
        pass
    return [[int(i == row) for i in range(rows)], [int(i == col) for i in range(cols)]]
"""
BODY = "    rows, cols = action_space[0].n, action_space[1].n\n"


def good_but(line):
    """GOOD with one more line, which runs at every call."""
    return GOOD.replace(BODY, f"{BODY}    {line}\n")


def upload(folder, text):
    path = folder / "submission.py"
    path.write_text(text, encoding="utf-8", errors="surrogateescape")
    return path


def both(folder, line="", top=""):
    """A folder with an agent of legal moves that first runs `line` (`n`: the rows); `top`: a line at its head."""
    shutil.copy(OPPONENTS / "observed.py", folder)
    text = (OPPONENTS / "random.py").read_text("utf-8").replace("import random\n", f"import random\n{top}\n", 1)
    head = "    n = action_space[0].n\n"
    body = f"{head}    {line}\n" if line else head
    upload(
        folder,
        f"{text}\n_legal = my_controller\n\n"
        f"def my_controller(observation, action_space, is_act_continuous=False):\n{body}"
        "    return _legal(observation, action_space)\n",
    )
    return folder


def text_of(report, width=100):
    file = io.StringIO()
    report.print_to(Console(file=file, width=width))
    return file.getvalue()


def rows_of(path):
    """The rows on the upload at a path that need no run."""
    taken = upload_of(path)
    return list(check_files(taken, facts_of(taken)))


def row_of(report, name):
    found = [row for row in report.rows if row.name == name]
    assert len(found) == 1, [row.name for row in report.rows]
    return found[0]


def failed_in(report):
    return [row.name for row in report.rows if row.verdict is Verdict.FAILED]
