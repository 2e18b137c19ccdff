"""Which files `tengen check` takes for the upload: kinds, sizes, folders, links, and modules beside it."""

import os

import pytest

from local_runner.errors import RunnerError
from local_runner.upload.check import check
from local_runner.upload.check.report import Verdict
from tests.local_runner.upload.uploads import GAME, GOOD, failed_in, row_of, rows_of, upload

pytestmark = pytest.mark.usefixtures("without_vermin", "without_games")


def test_a_sibling_imported_as_if_it_were_on_the_path(tmp_path):
    for name in ("helper", "utils"):
        (tmp_path / f"{name}.py").write_text("X = 1\n")
    upload(tmp_path, "import helper, utils\n" + GOOD)
    report = check(tmp_path, GAME, quick=True)
    assert failed_in(report) == ["siblings"]
    row = row_of(report, "siblings")
    assert "helper, utils" in row.found and "from .NAME" in row.mend


def test_modules_that_the_upload_does_not_import_are_noted(tmp_path):
    for name, text in (("used", "X = 1\n"), ("before", GOOD), ("profile_me", "import theirs\n")):
        (tmp_path / f"{name}.py").write_text(text)
    upload(tmp_path, "from .used import X\n" + GOOD)
    rows = {row.name: row.found for row in rows_of(tmp_path) if row.verdict is Verdict.NOTED}
    assert rows == {
        "unused": "submission.py does not import before.py, profile_me.py", "packages": "profile_me.py imports theirs"
    }  # fmt: skip


def test_files_that_the_site_does_not_take(tmp_path):
    upload(tmp_path, GOOD)
    (tmp_path / "lib.so").touch()
    (tmp_path / "a").mkdir()
    for number in range(4):
        (tmp_path / f"{number}.json").touch()
    with open(tmp_path / "weights.pth", "wb") as file:
        file.truncate(100_000_001)  # sparse: takes no room
    [row] = [row for row in rows_of(tmp_path) if row.name == "files"]
    assert row.verdict is Verdict.FAILED
    for found in ("folders: a", "not taken: lib.so", "8 files", "100,000,"):
        assert found in row.found


LOOKS = "import os\nHERE = os.path.dirname(os.path.abspath(__file__))\nassert sorted(os.listdir(HERE)) == {}\n"


def test_links_that_lead_out_of_the_folder_are_not_uploaded(tmp_path):
    folder, secret = tmp_path / "mine", tmp_path / "secret.json"
    folder.mkdir()
    secret.write_text("[1]")
    (folder / "inside.json").write_text("[2]")
    (folder / "link.json").symlink_to("inside.json")
    (folder / "weights.json").symlink_to(secret)
    (folder / "up").symlink_to(tmp_path)
    os.mkfifo(folder / "pipe.json")
    upload(folder, LOOKS.format(["inside.json", "link.json", "submission.py"]) + GOOD)
    (tmp_path / "given").symlink_to(folder)
    for path in (folder, tmp_path / "given"):
        report = check(path, GAME, quick=True)
        row = row_of(report, "links")
        assert (report.good, row.verdict) == (True, Verdict.NOTED)
        assert row.found == "not uploaded: pipe.json, up, weights.json"
        assert "3 of at most 6" in row_of(report, "files").found


def test_the_given_file_may_be_a_link(tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "given.py").symlink_to(upload(tmp_path / "mine", GOOD))
    assert check(tmp_path / "given.py", GAME, quick=True).good
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "submission.py").symlink_to(tmp_path / "given.py")
    with pytest.raises(RunnerError, match=r"submission\.py is a link that leads out of its folder"):
        check(tmp_path / "folder", GAME)


def test_another_kind_of_file_is_not_run(tmp_path):
    path = tmp_path / "weights.pth"
    path.write_text("raise SystemExit")
    assert failed_in(check(path, GAME)) == ["files"]


@pytest.mark.parametrize(("named", "found", "mend"), [
    ("submission.py", "in a match it sees: helper.py, submission.py", "name that folder"),
    ("", "in a match it sees: helper.py, notes.txt, submission.py, w.json", ""),
])  # fmt: skip
def test_what_the_agent_sees_is_told(named, found, mend, tmp_path):
    (tmp_path / "submission.py").write_text("import helper\nopen('w.json')\n")
    for name in ("helper.py", "w.json", "notes.txt", ".env"):
        (tmp_path / name).touch()
    [row] = [row for row in rows_of(tmp_path / named) if row.name == "sees"]
    assert row.found == found and mend in row.mend and (not mend or "w.json" in row.mend)
