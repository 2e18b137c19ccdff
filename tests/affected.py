"""The folders of tests that a change can break: `git diff --name-only BASE | python tests/affected.py`.

Reads the names of changed files, and writes the folders whose slow tests guard them. tests/house is always among them.
"""

from __future__ import annotations

import sys
from pathlib import Path, PurePosixPath

# A folder of sources -> tests that guard it in addition to those in the folder of the same name in tests/.
ALSO = {
    "submission": ["tests/lockstep", "tests/workshop/native"],
    "env_adapter": ["tests/lockstep", "tests/trial_game", "tests/submission", "tests/local_runner"],
    "local_runner/server/page": ["tests/browser"],
    "local_runner/server": ["tests/browser"],
}
EVERYTHING = ("pyproject.toml", "tests/conftest.py", ".ci/")


def affected(changed: list[str]) -> set[str]:
    """The folders of tests for the changed files; only `tests` if one of them is in EVERYTHING."""
    found = {"tests/house"}
    for name in changed:
        if name.startswith(EVERYTHING):
            return {"tests"}
        path = PurePosixPath(name if not name.startswith("tests/") else name[len("tests/") :])
        places = [parent for parent in path.parents if parent.name and Path("tests", parent).is_dir()]
        found |= {f"tests/{places[0]}"} if places else set()
        found |= {folder for place, folders in ALSO.items() if name.startswith(place + "/") for folder in folders}
    return found


if __name__ == "__main__":
    print(*sorted(affected(sys.stdin.read().split("\n"))))
