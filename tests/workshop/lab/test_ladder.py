"""The ladder: its rungs, and that it goes on after a stop."""

import pytest

from local_runner.errors import RunnerError
from workshop.lab import ladder


def test_an_engine_has_a_rung_at_each_level_and_one_without_levels_has_one() -> None:
    assert ladder.rungs("gobang_1v1", ["gomocup:./a:max_node={level}", "greedy"], "100,2000") == [
        "gomocup:./a:max_node=100",
        "gomocup:./a:max_node=2000",
        "greedy",
    ]


def test_a_known_engine_that_is_missing_is_said_with_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladder.shutil, "which", lambda _program, path=None: path and f"{path}/gtp-rhino")
    assert ladder.rungs("reversi_8x8_1v1", [], "2,3") == [f"gtp:/usr/games/gtp-rhino -l {level}" for level in (2, 3)]
    assert len(ladder.rungs("reversi_8x8_1v1", [], "")) == 4
    monkeypatch.setattr(ladder.shutil, "which", lambda _program, path=None: None)
    with pytest.raises(RunnerError, match="apt-get install grhino"):
        ladder.rungs("reversi_8x8_1v1", [], "")
    with pytest.raises(RunnerError, match="name an engine by --engine"):
        ladder.rungs("gobang_1v1", [], "")


@pytest.mark.slow
def test_a_ladder_is_climbed_and_made_longer(tmp_path, monkeypatch, capfd) -> None:
    monkeypatch.setattr(ladder, "FOLDER", tmp_path)
    for rounds in (1, 2):
        ladder.main("tictactoe_1v1", ["random"], "", "greedy", rounds=rounds)
        assert "greedy" in capfd.readouterr().out
    assert (tmp_path / "tictactoe_1v1.html").stat().st_size > 10_000
