"""A hook of the build backend (hatchling): the wheel holds one package, `tengen`.

Installed as a package of its own, `submission` would shadow the users' own files of that name. So the wheel is built
from a copy of the tree, in which the folders keep their positions relative to each other:

    local_runner/python/tengen/game.py      tengen/game.py
    local_runner/game/session.py            tengen/local_runner/game/session.py
    from env_adapter import Game            from tengen.env_adapter import Game

The starters of `tengen init` are copied as they are: users import their own `submission`. If `make docs` has built the
pages, they are copied, too. An editable install copies nothing: `dev-mode-dirs` in pyproject.toml puts two folders on
the path.
"""

import re
import shutil
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGES = ("submission", "env_adapter", "local_runner")
FACE = Path("local_runner", "python", "tengen")
SITE = Path("build", "site")
STARTERS = Path("local_runner", "upload", "starters")
IMPORT = re.compile(rf"^(\s*(?:from|import) )({'|'.join(PACKAGES)})\b", re.MULTILINE)


class OnePackage(BuildHookInterface):
    """Adds the package `tengen`, a copy of ours, to the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make the copy. `version`: "standard", or "editable" for an install that needs no copy."""
        if version == "standard":
            self._folder = tempfile.TemporaryDirectory()
            copy_tree(Path(self.root), package := Path(self._folder.name, "tengen"))
            build_data["force_include"][str(package)] = "tengen"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Delete the copy."""
        if version == "standard":
            self._folder.cleanup()


def copy_tree(checkout: Path, package: Path) -> None:
    """Copy the packages, with rewritten imports, into the new folder `package`."""
    shutil.copytree(checkout / FACE, package, ignore=shutil.ignore_patterns("__pycache__"))
    for name in PACKAGES:
        left_out = shutil.ignore_patterns("__pycache__", *(["python"] if name == "local_runner" else []))
        shutil.copytree(checkout / name, package / name, ignore=left_out)
    if (checkout / SITE / "index.html").is_file():
        shutil.copytree(checkout / SITE, package / "local_runner" / "site", ignore=shutil.ignore_patterns("*.map"))
    for path in package.rglob("*.py"):
        if package / STARTERS in path.parents:
            continue
        path.write_text(IMPORT.sub(r"\1tengen.\2", path.read_text("utf-8")), "utf-8")
