"""workshop/gobang/labelled.py: positions that another engine has valued become leaves of ours."""

import gzip
import json
from pathlib import Path

import pytest

from local_runner.errors import RunnerError
from workshop.game_file import read
from workshop.gobang.labelled import SURE, main
from workshop.gobang.leaves import GameLeaves

H8, A1, I8, A3, J8, A5, K8, G8 = 112, 0, 113, 30, 114, 60, 115, 111
GAME = {
    "opening": [H8, A1, I8],
    "moves": [
        [A3, 20, A3],  # the value is in White's view
        [J8, None, J8],  # a move without a value is left out
        [A5, -29990, A5],  # White loses in ten plies
        [K8, 29999, K8],
        [G8, -30000, G8],  # not quiet: Black threatens five
    ],
}


def test_quiet_positions_get_the_same_chance_in_our_unit(tmp_path: Path) -> None:
    games, file = tmp_path / "games.jsonl.gz", tmp_path / "leaves.jsonl"
    games.write_bytes(gzip.compress(json.dumps(GAME).encode()))
    main(games, file, logit=200)
    (leaves,) = read(file, GameLeaves)
    assert leaves.leaves == [[H8, A1, I8], [H8, A1, I8, A3, J8]]
    assert leaves.values == [60, -SURE]  # one LOGIT of ours, 600, is 200 of theirs


@pytest.mark.parametrize(
    ("text", "message"),
    [("{", "is no file of games"), ("{}", "game 1 has another form"), ('{"opening": [], "moves": [[1, 2]]}', "game 1")],
)
def test_another_form_is_said(tmp_path: Path, text: str, message: str) -> None:
    games = tmp_path / "games.jsonl"
    games.write_text(text)
    with pytest.raises(RunnerError, match=message):
        main(games, tmp_path / "leaves.jsonl", logit=200)
    assert not (tmp_path / "leaves.jsonl").exists()


def test_a_missing_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(RunnerError, match="cannot read"):
        main(tmp_path / "none.jsonl", tmp_path / "leaves.jsonl", logit=200)
