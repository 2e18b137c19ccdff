"""Compares the lines of code of each folder with the table in CONTRIBUTING.md: a part of `make lint`.

Code is what git tracks with an ending of CODE, blank lines and comments included. A folder counts its subfolders.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CODE = (".py", ".js", ".css", ".h", ".cpp", ".html")
ROW = re.compile(r"^\| `([\w/]+)/` \| ([\d,]+) \|$", re.MULTILINE)


def main() -> None:
    """Exit with one sentence for each folder that has more lines than its row, no row, or a row but no code."""
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    lines = Counter[str]()
    for name in tracked.split("\n"):
        folder, path = Path(name).parent.as_posix().split("/"), ROOT / name
        if name.endswith(CODE) and path.is_file():
            for depth in (1, 2) if folder[0] == "local_runner" and len(folder) > 1 else (1,):
                lines["/".join(folder[:depth])] += path.read_bytes().count(b"\n")
    rows = ROW.findall((ROOT / "CONTRIBUTING.md").read_text("utf-8"))
    most = {folder: int(number.replace(",", "")) for folder, number in rows}
    wrong = [folder for folder in sorted({*lines, *most}) if not 0 < lines[folder] <= most.get(folder, 0)]
    for folder in wrong:
        print(f"{folder}/ has {lines[folder]:,} lines, and CONTRIBUTING.md allows {most.get(folder, 0):,}: "
              "take something away, or change the number there and say why in the commit")  # fmt: skip
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
