"""Settings of an upload: `tengen bundle --set`, a new bundle over an edited file, and the check of an edited file."""

from dataclasses import replace
from functools import cache

import pytest

from env_adapter import OptionError
from local_runner.agents import source_reader
from local_runner.errors import RunnerError
from local_runner.processes.agent_side import loading
from local_runner.upload import bundle, settings

pytestmark = pytest.mark.usefixtures("without_vermin")
GOBANG = '("k_in_a_row", 15, 15, 5, "search", 0.80, 0.80),'
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
    assert settings.keeping_settings(ours, path).text == made.text
    path.write_bytes(b"\xef\xbb\xbf" + made.text.replace("\n", "\r\n").encode())  # an editor on Windows
    assert settings.keeping_settings(ours, path).text == made.text


@pytest.mark.parametrize(("change", "sentence"), [
    ("second=1", "unknown setting 'second'; did you mean seconds"),
    ("rows=3", "unknown setting 'rows'; choose one of: engine, seconds, off_turn_seconds"),
    ("move_seconds=2", "unknown setting 'move_seconds'"),  # a setting of the bundle for Mo
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


def _written(folder, change=lambda text: text):
    path = folder / "submission.py"
    path.write_text(change(_ours().text), "utf-8", "surrogateescape")
    return path


def slower(text):
    assert text.count(GOBANG) == 1
    return text.replace(GOBANG, GOBANG.replace("0.80", "0.50"))


def test_the_settings_of_an_older_version_are_kept_only_if_they_fit(tmp_path):
    newer = replace(_ours(), text=_ours().text + "# newer\n")
    assert settings.keeping_settings(newer, _written(tmp_path)) is newer  # nothing was edited
    path = _written(tmp_path, slower)
    assert settings.keeping_settings(newer, path).text == slower(newer.text)
    with pytest.raises(bundle.BundleError, match="the new version has other settings; move it away or delete it"):
        settings.keeping_settings(_ours("mo"), path)


@pytest.mark.parametrize(("change", "sentence"), [
    (lambda text: text + "print()\n", "was edited by hand below its settings"),
    (lambda text: "def my_controller(*call): ...\n", "is no bundle and is not replaced"),
    (lambda text: text.replace(settings.AS_MADE.search(text)[0], ""), "is no bundle and is not replaced"),
    (lambda text: "\udcff", "is no bundle and is not replaced"),
    (lambda text: text.replace(GOBANG, GOBANG[1:]), r"line \d+: .*write it in the syntax of Python 3.7"),
])  # fmt: skip
def test_other_work_is_not_replaced(change, sentence, tmp_path):
    path = _written(tmp_path, change)
    before = path.read_bytes()
    with pytest.raises(bundle.BundleError, match=sentence):
        settings.keeping_settings(_ours(), path)
    assert path.read_bytes() == before


def test_the_command_says_what_it_keeps(tmp_path, tengen):
    (tmp_path / "dist").mkdir()
    path = _written(tmp_path / "dist", slower)
    code, out, _err = tengen("bundle")
    assert (code, path.read_text("utf-8")) == (0, slower(_ours().text))
    changes = "seconds 0.8 -> 0.5 (k_in_a_row 15x15); off_turn_seconds 0.8 -> 0.5 (k_in_a_row 15x15)"
    assert f"dist/submission.py differs from ours: {changes}; delete it to get ours" in " ".join(out.split())
    assert out.endswith("Next: tengen check dist/submission.py\n")


def edits(text):
    read = source_reader.read({"a.py": text.encode()}, loading, deep=True)
    return settings.edits(text.encode(), read["a.py"])


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
