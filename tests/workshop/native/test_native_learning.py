"""The scripts that learn gobang make the same games and leaves with the compiled engine as without a compiler."""

from __future__ import annotations

from pathlib import Path

import pytest

from local_runner.agents.catalogue import OptionValue
from local_runner.errors import RunnerError
from submission.k_in_a_row.parameters import KInARowParameters
from submission.k_in_a_row.weights import ORDER, WEIGHTS, evaluation_weights, order_weights
from submission.variant import K_IN_A_ROW, Variant
from tests.workshop.conftest import small_leaves
from workshop.gobang import search as gobang_search
from workshop.gobang.games import play
from workshop.gobang.search import LeafPosition, new_search, searched_position
from workshop.native.k_in_a_row import NativePosition
from workshop.native.learnt import take_learnt, with_checksums
from workshop.native.search import NativeSearch

GOBANG = Variant(K_IN_A_ROW, 15, 15, 5)
DATA = Path(__file__).resolve().parents[3] / "submission"
NODES = 60


@pytest.fixture
def without_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """Searches are made in Python from now on."""
    monkeypatch.setattr(gobang_search, "find_compiler", lambda: None)


def test_games_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = [play(number, NODES, width) for number, width in ((1, None), (2, 60))]
    assert isinstance(new_search(), NativeSearch)
    monkeypatch.setattr(gobang_search, "find_compiler", lambda: None)
    assert [play(number, NODES, width) for number, width in ((1, None), (2, 60))] == compiled


@pytest.mark.parametrize("numbers", [[5], pytest.param([1, 2, 3, 4], marks=pytest.mark.slow)])
def test_leaves_are_the_same(numbers: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = [small_leaves(number) for number in numbers]
    assert any(each.leaves for each in compiled)
    monkeypatch.setattr(gobang_search, "find_compiler", lambda: None)
    assert [small_leaves(number) for number in numbers] == compiled


def test_a_position_knows_nothing_of_the_one_before() -> None:
    parameters = KInARowParameters(vcf_nodes=50)
    first = searched_position([112, 97], parameters)
    first.want_leaves([0])
    first.evaluate()
    assert first.leaves() == [[112, 97]]
    assert isinstance(first, NativePosition)
    again = searched_position([112], parameters)
    assert again is first
    assert again.side == 1


def test_only_wanted_evaluations_are_kept(without_compiler: None) -> None:
    position = searched_position([112])
    assert isinstance(position, LeafPosition)
    position.want_leaves([1, 3])
    for cell in (97, 98, 99):
        position.play(cell)
        position.evaluate()
    assert (position.evaluations, position.leaves()) == (3, [[112, 97, 98]])


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
