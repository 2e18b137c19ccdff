"""An installed package contains the data files that its modules read."""
from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ["submission", "env_adapter", "local_runner"]


def test_the_data_are_installed_with_the_modules(tmp_path: Path) -> None:
    pytest.importorskip("setuptools")
    for name in PACKAGES:
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tmp_path)
    build = "from setuptools import setup; setup(script_args=['-q', 'build_py', '--build-lib', 'built'])"
    subprocess.run([sys.executable, "-W", "ignore", "-c", build], cwd=tmp_path, check=True, capture_output=True)
    carried = [*(ROOT / "local_runner" / "data").rglob("*"), *(ROOT / "local_runner" / "report").glob("*[!y]")]
    data = {path.relative_to(ROOT) for path in carried if path.is_file()}
    built = {path.relative_to(tmp_path / "built") for path in (tmp_path / "built").rglob("*") if path.is_file()}
    assert len(data) > 1 and not data - built
