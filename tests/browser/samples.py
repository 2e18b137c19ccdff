"""Files and games for the tests of the page: what a student could have at hand."""

from __future__ import annotations

import json
from typing import Any

from local_runner.game.setup import GameSetup
from tests.local_runner.formats.making import played, site_log, with_a_pass

# Black has an open four (h8 to h11) and plays o15 instead of h12. White, with a1 to d1, makes five.
BLUNDER = "h8a1h9b1h10c1h11d1o15e1"
BLUNDER_PLY = 8  # of o15, counted from 0


def log_with_a_pass() -> tuple[bytes, list[int | None]]:
    """A site's log of Reversi, and its moves as cell numbers, None for a pass."""
    session = with_a_pass()
    cells = [None if cell is None else cell[0] * 8 + cell[1] for cell in session.cells]
    return json.dumps(site_log(session)).encode(), cells


def broken_log() -> tuple[bytes, int]:
    """A log of gobang that is cut off in the middle of a step, and the number of its whole steps."""
    log: dict[str, Any] = site_log(played(GameSetup("gobang_1v1"), seed=3, plies=20))
    text = json.dumps(log)
    end = text.index(json.dumps(log["steps"][12])) + 40
    return text[:end].encode(), 12


def thousand_games() -> bytes:
    """1,000 games of the site in one file, one log after another."""
    logs = [json.dumps(site_log(played(GameSetup("gobang_1v1"), seed=seed))) for seed in range(10)]
    return "".join(logs * 100).encode()
