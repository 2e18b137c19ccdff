"""The scripts that learn make the same games and leaves with the compiled engine as without it."""

from __future__ import annotations

from pathlib import Path

import pytest

from local_runner.agents.catalogue import OptionValue
from local_runner.errors import RunnerError
from submission.k_in_a_row.weights import ORDER, WEIGHTS, evaluation_weights, order_weights
from submission.native.k_in_a_row import NativePosition
from submission.native.reversi import NativeReversiPosition
from submission.reversi.position import ReversiPosition
from submission.variant import K_IN_A_ROW, Variant
from tests.workshop.conftest import small_leaves
from workshop.gobang import game
from workshop.gobang.game import LeafPosition, searched_position
from workshop.gobang.games import play
from workshop.native.matches import take_learnt, with_checksums
from workshop.reversi import games as reversi_games

GOBANG = Variant(K_IN_A_ROW, 15, 15, 5)
DATA = Path(__file__).resolve().parents[3] / "submission"


def results() -> list[object]:
    return [
        *(play(number, 60, width) for number, width in ((1, None), (2, 60))),
        *(small_leaves(number) for number in range(1, 5)),
        *(reversi_games.play(size, number, 40) for size, number in ((6, 1), (6, 2), (8, 1))),
    ]


def test_games_and_leaves_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reversi_games, "EXACT", 6)
    compiled = results()
    assert isinstance(searched_position([]), NativePosition)
    assert isinstance(reversi_games.start(8), NativeReversiPosition)
    assert isinstance(reversi_games.start(12), ReversiPosition)  # a size that is not compiled
    for module in (game, reversi_games):
        monkeypatch.setattr(module, "available", lambda: False)
    assert isinstance(searched_position([]), LeafPosition)
    assert results() == compiled


def test_a_setting_may_name_files() -> None:
    files: dict[str, OptionValue] = {"weights": str(DATA / WEIGHTS), "order": str(DATA / ORDER)}
    given = with_checksums({**files, "vcf_nodes": 5})
    assert take_learnt(GOBANG, given) == {"weights": evaluation_weights(), "order": order_weights(5)}
    assert given == {"vcf_nodes": 5}


@pytest.mark.parametrize("text", ["", "turn 1 2", "turn one two"])
def test_another_file_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "weights.txt"
    path.write_text(text)
    for name in ("weights", "network"):
        with pytest.raises(RunnerError, match=f"no file of {name}"):
            take_learnt(GOBANG, with_checksums({name: str(path)}))
