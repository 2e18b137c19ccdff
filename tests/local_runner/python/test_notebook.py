"""The notebooks of docs/ run, and both languages have the same code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import ROOT, SOURCES

NOTEBOOKS = {language: ROOT / "docs" / language / "tutorial" / "python.ipynb" for language in ("en", "zh")}


def _cells(language: str) -> list[tuple[str, str]]:
    """The kind of each cell, and the code of a cell with code; the language that it chooses is left out."""
    cells = json.loads(NOTEBOOKS[language].read_text("utf-8"))["cells"]
    code = ("".join(cell["source"]) if cell["cell_type"] == "code" else "" for cell in cells)
    return [(cell["cell_type"], text.replace(f'"{language}"', "")) for cell, text in zip(cells, code, strict=True)]


def test_both_languages_have_the_same_code() -> None:
    assert _cells("en") == _cells("zh")


@pytest.mark.parametrize("language", NOTEBOOKS)
def test_the_stored_outputs_hold_no_error_and_no_path(language: str) -> None:
    text = NOTEBOOKS[language].read_text("utf-8")
    assert '"output_type": "error"' not in text and "/tmp/" not in text and "image/svg+xml" in text


@pytest.mark.slow
@pytest.mark.parametrize("language", NOTEBOOKS)
def test_the_notebook_runs(language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import nbformat  # here, because the import is slow
    from nbclient import NotebookClient

    monkeypatch.setenv("PYTHONPATH", SOURCES)
    notebook = nbformat.read(NOTEBOOKS[language], as_version=4)
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    assert (tmp_path / "lost.sgf").is_file()
