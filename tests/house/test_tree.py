"""The committed files: no path of one machine, a docstring in every module, one version number."""

from __future__ import annotations

import re
import shutil
import subprocess
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NAMESPACES = "http://www.w3.org/"  # names of SVG and XHTML, which nobody fetches
SPECIMENS = "tests/local_runner/specimens/"  # agents as a user may write them, without docstrings


def _tracked() -> list[Path]:
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    done = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [path for name in done.stdout.split("\0") if name and (path := ROOT / name).is_file()]


def test_no_path_of_this_machine() -> None:
    places = {str(place) for place in (ROOT, Path.home()) if len(place.parts) > 2 or str(place) == "/root"}
    found = [
        (path.name, place)
        for path in _tracked()
        for place in places
        if re.search(re.escape(place) + r"(?![\w-])", path.read_text("utf-8", "ignore"))
    ]
    assert not [(name, place) for name, place in found if name != "test_tree.py"]


def test_every_module_script_and_style_says_what_it_is() -> None:
    opening = {".py": '"""', ".js": ("//", "/*"), ".css": "/*"}
    silent = [
        path.relative_to(ROOT).as_posix()
        for path in _tracked()
        if (text := path.read_text("utf-8", "ignore").strip()) and not text.startswith(opening.get(path.suffix, ""))
    ]
    assert not [name for name in silent if not name.startswith(SPECIMENS)]


def test_the_page_names_no_other_place() -> None:
    """Nothing of the page comes from the network: no address but names of namespaces, and nothing like //host."""
    found = [
        (path.name, place)
        for path in (ROOT / "local_runner" / "server" / "page").rglob("*")
        if path.is_file()
        for place in re.findall(r"""(?:https?:|["'(])//[\w.-]+[^\s"')]*""", path.read_text("utf-8", "ignore"))
    ]
    assert not [(name, place) for name, place in found if not place.startswith(NAMESPACES)]


def test_the_version_is_in_one_place() -> None:
    version = re.search(r'^version = "(.+?)"', (ROOT / "pyproject.toml").read_text("utf-8"), re.MULTILINE)
    assert version
    assert metadata.version("tengen") == version[1], "run make again: it installs what pyproject.toml says"
