"""The build backend of pyproject.toml: that of setuptools, except that the wheel holds one package, `tengen`.

In a checkout `submission`, `env_adapter` and `local_runner` are packages of their own. If installed as such,
`submission` would shadow the users' own files of that name. So the wheel is built from a copy of the tree:

    local_runner/game/session.py    tengen/local_runner/game/session.py
    from env_adapter import Game    from tengen.env_adapter import Game

The folders keep their positions relative to each other, so a path relative to a source file stays correct.
"""

import os
import re
import shutil
import tempfile
from pathlib import Path
from typing import Any

from setuptools import build_meta
from setuptools.build_meta import build_editable, build_sdist

__all__ = ["build_editable", "build_sdist", "build_wheel"]

PACKAGES = ("submission", "env_adapter", "local_runner")
NAMES = "|".join(PACKAGES)
IMPORT = re.compile(rf"^(\s*(?:from|import) )({NAMES})\b", re.MULTILINE)
NAME = re.compile(rf'"({NAMES})(?=[.*])')  # in pyproject.toml: "local_runner.__main__:main", "env_adapter*"


def build_wheel(wheel_directory: str, config_settings: Any = None, metadata_directory: str | None = None) -> str:
    """Build the wheel into `wheel_directory` and return the name of its file (PEP 517)."""
    target, checkout = os.path.abspath(wheel_directory), Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        copy_tree(checkout, Path(folder))
        os.chdir(folder)
        try:
            name: str = build_meta.build_wheel(target, config_settings)
            return name
        finally:
            os.chdir(checkout)


def copy_tree(checkout: Path, folder: Path) -> None:
    """Copy the packages, with rewritten imports, into folder/tengen, and setuptools' input files into `folder`."""
    for name in PACKAGES:
        shutil.copytree(checkout / name, folder / "tengen" / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("__init__.py", "__main__.py"):
        shutil.copy(checkout / "local_runner" / name, folder / "tengen")
    for path in (folder / "tengen").rglob("*.py"):
        path.write_text(IMPORT.sub(r"\1tengen.\2", path.read_text("utf-8")), "utf-8")
    for name in ("README.md", "LICENSE"):
        shutil.copy(checkout / name, folder)
    settings = (checkout / "pyproject.toml").read_text("utf-8")
    (folder / "pyproject.toml").write_text(NAME.sub(r'"tengen.\1', settings), "utf-8")
