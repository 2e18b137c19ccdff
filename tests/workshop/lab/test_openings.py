"""The books that can be made. tests/local_runner/matches/test_books.py tests the content of books."""

from __future__ import annotations

import pytest

from local_runner.errors import RunnerError
from workshop.lab.openings import main


def test_a_game_without_books_is_refused_before_any_is_made() -> None:
    with pytest.raises(RunnerError, match=r"^no books are made for chess; give some of gobang_1v1, .*, or none$"):
        main(["tictactoe_1v1", "chess"])
