"""Golden playthroughs: replaying the moves of each file gives the same text.

After a change of the rules: `python -m env_adapter.playthrough --regenerate tests/env_adapter/playthroughs`.
"""

from pathlib import Path

import pytest

from env_adapter import names
from env_adapter.playthrough import RECIPES, PlaythroughRecipe, moves_of, regenerate, text

FOLDER = Path(__file__).parent / "playthroughs"


@pytest.mark.parametrize("recipe", RECIPES, ids=[recipe.title for recipe in RECIPES])
def test_replayed(recipe: PlaythroughRecipe) -> None:
    golden = (FOLDER / f"{recipe.title}.txt").read_text(encoding="utf-8")
    assert text(recipe, moves_of(golden)) == golden


def test_every_game_has_one_and_no_file_is_left_over() -> None:
    assert {recipe.name for recipe in RECIPES} == set(names())
    assert {path.stem for path in FOLDER.iterdir()} == {recipe.title for recipe in RECIPES}


def test_regenerate_writes_the_golden_files_again(tmp_path: Path) -> None:
    written = list(regenerate(tmp_path / "new"))
    assert [path.stem for path in written] == [recipe.title for recipe in RECIPES]
    for path in written:
        assert path.read_text(encoding="utf-8") == (FOLDER / path.name).read_text(encoding="utf-8")
