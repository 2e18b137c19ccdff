"""The C++ sources compile without a warning; tests/workshop/native compares the answers of the compiled engine."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from tests.conftest import NO_COMPILER
from workshop.native.build import COMPILERS, FLAGS, SOURCES

COMPILER = next(filter(None, map(shutil.which, COMPILERS)), None)


@pytest.mark.slow
@pytest.mark.skipif(COMPILER is None, reason=f"{NO_COMPILER}: the sources are not compiled")
def test_the_sources_compile_without_a_warning() -> None:
    """Their syntax and types only, which takes two seconds."""
    command = [str(COMPILER), *FLAGS, "-fsyntax-only", *map(str, sorted(SOURCES.glob("*.cpp")))]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
