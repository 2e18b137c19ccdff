"""A skip for want of Python 3.7 or of a browser is shouted at the end of the run; any other is not."""
from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import LOUD, NO_CHROMIUM, NO_PYTHON37, NO_RAY

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("reason, loud", [
    (f"{NO_PYTHON37}: none on the PATH", NO_PYTHON37), (f"{NO_CHROMIUM}: none", NO_CHROMIUM),
    (f"{NO_RAY}: none", NO_RAY), ("no network", None),
])
def test_a_skip_for_want_of_something_is_loud(tmp_path: Path, reason: str, loud: str | None) -> None:
    (tmp_path / "test_it.py").write_text(f"import pytest\ndef test_it():\n    pytest.skip({reason!r})\n")
    done = subprocess.run([sys.executable, "-m", "pytest", "-p", "tests.conftest", "-p", "no:cacheprovider",
                           "--rootdir", str(tmp_path), str(tmp_path)], cwd=ROOT, capture_output=True, text=True)
    assert "1 skipped" in done.stdout
    assert [want for want in LOUD if f"!! {want} !!" in done.stdout] == [loud] * bool(loud)
    assert ("1 tests for it were skipped" in done.stdout) == bool(loud)
