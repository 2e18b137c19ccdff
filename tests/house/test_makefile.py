"""The Makefile: its help lists every target, in both languages, and a missing Python is reported."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
from pathlib import Path

import httpx
import pytest

from tests.serving import ADDRESS

ROOT = Path(__file__).resolve().parents[2]
FILES = ("Makefile", "workshop/targets.mk")
NEEDS_MAKE = pytest.mark.skipif(shutil.which("make") is None, reason="no make here")


def _make(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    outside = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}  # not as a sub-make
    outside.update(environment)
    return subprocess.run(["make", *arguments], cwd=folder, env=outside, capture_output=True, text=True)


def _targets(file: str) -> set[str]:
    phony = re.search(r"^\.PHONY: (.+)$", (ROOT / file).read_text("utf-8"), re.MULTILINE)
    assert phony
    return set(phony[1].split())


def _listed(*arguments: str, **environment: str) -> dict[str, str]:
    return dict(re.findall(r"^make (\S+) +(\S.+)$", _make(ROOT, *arguments, **environment).stdout, re.MULTILINE))


@NEEDS_MAKE
def test_make_alone_lists_the_targets_of_users_and_help_all_lists_every_one() -> None:
    assert set(_listed()) == _targets("Makefile")
    assert set(_listed("help-all")) == _targets("Makefile") | _targets("workshop/targets.mk")


@NEEDS_MAKE
def test_where_the_locale_is_chinese_make_lists_in_chinese() -> None:
    listed = _listed(LC_ALL="zh_CN.UTF-8")
    assert set(listed) == _targets("Makefile")
    assert all(re.search("[\u4e00-\u9fff]", line) for line in listed.values()), listed


@pytest.mark.slow
@NEEDS_MAKE
def test_make_serve_serves(tmp_path: Path) -> None:
    """With a store of its own and without opening a browser."""
    command = ["make", "serve", f"SERVE=--no-open --store {tmp_path / 'games.db'}"]
    outside = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env={**outside, "PYTHONUNBUFFERED": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as served:
        try:
            assert served.stdout is not None
            address = next((found[0] for line in served.stdout if (found := ADDRESS.search(line))), "")
            page = httpx.get(address, follow_redirects=True)
        finally:
            os.killpg(served.pid, signal.SIGINT)
    assert page.status_code == 200 and "<title>" in page.text


@NEEDS_MAKE
def test_without_a_new_enough_python_make_says_what_it_needs(tmp_path: Path) -> None:
    (tmp_path / "workshop").mkdir()
    for name in (*FILES, "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path / name)
    done = _make(tmp_path, "match", "PYTHON=/bin/false")
    assert done.returncode != 0
    assert "tengen needs Python 3.10 or newer" in done.stderr
    assert not (tmp_path / ".venv").exists()
