"""Settings of an upload: `tengen bundle --set`, and the check of a file that was edited by hand."""

from functools import cache

import pytest

from env_adapter import OptionError
from local_runner.agents import source_reader
from local_runner.errors import RunnerError
from local_runner.processes.agent_side import loading
from local_runner.upload import bundle, settings

pytestmark = pytest.mark.usefixtures("without_vermin")
GENERAL = "k_in_a_row 15x15, k_in_a_row 11x11, k_in_a_row 3x3, k_in_a_row * 5, reversi *"


@cache
def _ours(platform="jidi"):
    return bundle.build(platform=platform)


@pytest.mark.parametrize(("platform", "change", "differences"), [
    ("jidi", "seconds=0.7", [f"seconds 0.8 -> 0.7 ({GENERAL})"]),
    ("jidi", "gobang_1v1:seconds=0.5,off_turn_seconds=0",
     ["seconds 0.8 -> 0.5 (k_in_a_row 15x15)", "off_turn_seconds 0.8 -> 0 (k_in_a_row 15x15)"]),
    ("jidi", "reversi_8x8_1v1:engine=scorer", ["engine search -> scorer (reversi *)"]),
    ("mo", "move_seconds=2", ["move_seconds 3.0 -> 2"]),
    ("jidi", "seconds=0.8", []),
])  # fmt: skip
def test_a_changed_setting_is_told_and_kept(platform, change, differences, tmp_path):
    ours = _ours(platform)
    text = settings.changed(ours.settings, change)
    assert [str(each) for each in settings.differences(ours.settings, text) if differences] == differences
    made = settings.with_settings(ours, text)
    path = tmp_path / "made.py"
    bundle.write(made, path)
    assert settings.keeping_settings(ours, path).settings == text


@pytest.mark.parametrize(("change", "sentence"), [
    ("second=1", "unknown setting 'second'; did you mean seconds"),
    ("rows=3", "unknown setting 'rows'; choose one of: engine, seconds, off_turn_seconds"),
    ("move_seconds=2", "unknown setting 'move_seconds'"),  # a setting of the other platform
    ("seconds=1", "seconds takes a number of seconds from 0 to below 1, which the site allows; not 1"),
    ("seconds=-0.1", "not -0.1"),
    ("seconds=none", "not None"),
    ("seconds=fast", "not fast"),
    ("seconds=on", "not True"),
    ("engine=deep", "unknown engine 'deep'; choose one of: search, scorer, native"),
    ("engine=1", "unknown engine '1'"),
    ("seconds", "cannot read the option 'seconds'; write key=value"),
    ("gobang:seconds=0.5", "no game is called 'gobang'"),
    ("", "--set is empty; write NAME=VALUE, such as seconds=0.7"),
    ("gobang_1v1:", "--set is empty"),
])  # fmt: skip
def test_what_cannot_be_set_is_refused(change, sentence):
    with pytest.raises((RunnerError, OptionError), match=sentence.replace("(", r"\(")):
        settings.changed(_ours().settings, change)


def test_a_table_without_a_row_for_the_game():
    text = 'SETTINGS = (("reversi", 8, 8, None, "search", 0.80, 0.80),)\n'
    with pytest.raises(RunnerError, match="no row for reversi_1v1"):
        settings.changed(text, "reversi_1v1:seconds=0.1")
    assert settings.changed(text, "reversi_8x8_1v1:seconds=0.1") == text.replace("0.80", "0.1", 1)


def edits(text):
    read = source_reader.read({"a.py": text.encode()}, loading, deep=True)
    return settings.edits(text.encode(), read["a.py"])


GOBANG = '("k_in_a_row", 15, 15, 5, "search", 0.80, 0.80),'


@pytest.mark.parametrize(("old", "new", "found"), [
    ("", "", None),
    (GOBANG, GOBANG.replace("0.80", "0.5", 1), "differs from ours: seconds 0.8 -> 0.5 (k_in_a_row 15x15)"),
    (GOBANG, GOBANG + "  # mine", "differs from ours: only comments or spaces"),
    (GOBANG, "", "differs from ours: other rows or constants"),
    ("MOST_CELLS = 26 * 26", "MOST_CELLS = 26 * 25", "differs from ours: modules: controller.py"),
    ("def last_fault()", "def fault()", "differs from ours: below the settings"),
])  # fmt: skip
def test_a_check_tells_what_was_edited(old, new, found):
    edited = edits(_ours().text.replace(old, new, 1) if old else _ours().text)
    assert (str(edited) if edited else None) == found


def test_of_another_version_only_the_place_of_an_edit_is_known():
    text = _ours().text
    made = settings.AS_MADE.search(text)
    assert made
    older = text.replace(made[1], "0" * 12).replace(_ours().package, "_tengen_000000000000")
    assert str(edits(older)) == "differs from ours: the settings; below the settings"
    assert edits("def my_controller(): ...") is None
