"""The files of a study: table, plots, and the page, in which only one section is replaced."""

import csv
from xml.etree import ElementTree

import pytest
from matplotlib.figure import Figure

from local_runner.errors import RunnerError
from workshop.lab.study.output import BEGIN, END, StudyResult, check, write

HEAD = {
    "header": {"cpu": "CPU", "python": "3.11.7", "begun": "2024-05-06T07:08:09Z", "commit": "abc"},
    "terms": {"seed": 3},
}
COMMAND = "python -m workshop.lab.study here"
ROWS = [{"game": "x", "nodes": 12345.6, "share": None}, {"game": "y|z", "nodes": 0.123456, "share": 1}]


def drawn():
    figure = Figure()
    figure.subplots().plot([1, 2], [3, 4])
    return figure


@pytest.mark.slow
def test_everything_is_written_and_the_page_keeps_the_rest(tmp_path):
    """A second time with the same figures, the same bytes."""
    page, found = tmp_path / "here.md", []
    page.write_text(f"# Title\n\nWords.\n\n{BEGIN}\nold\n{END}\n\nMore words.\n")
    for _ in range(2):
        check(tmp_path / "here")
        write(StudyResult(ROWS, ROWS, {"curve": drawn}, **HEAD), tmp_path / "here", COMMAND)
        found.append({path.name: path.read_bytes() for path in tmp_path.rglob("*.*") if path.is_file()})
    assert found[0] == found[1] and set(found[0]) == {"here.md", "table.csv", "curve.svg"}
    with open(tmp_path / "here" / "table.csv", newline="") as file:
        assert list(csv.reader(file)) == [["game", "nodes", "share"], ["x", "12345.6", ""], ["y|z", "0.123456", "1"]]
    text = page.read_text()
    measured = f"`{COMMAND}`: CPU, Python 3.11.7, 2024-05-06, commit abc; seed 3.\n"
    assert text.startswith(f"# Title\n\nWords.\n\n{BEGIN}\n{measured}")
    assert text.endswith(f"{END}\n\nMore words.\n") and "old" not in text
    assert "| game | nodes | share |\n| --- | --- | --- |\n| x | 12,346 |  |\n| y&#124;z | 0.1235 | 1 |\n" in text
    assert "](here/table.csv)" in text and "![curve](here/curve.svg)" in text
    ElementTree.parse(tmp_path / "here" / "curve.svg")


@pytest.mark.parametrize("text", ["# Nothing\n", f"{BEGIN}\n", f"{END}\n{BEGIN}\n"])
def test_a_page_without_a_place_for_results(text, tmp_path):
    (tmp_path / "here.md").write_text(text)
    with pytest.raises(RunnerError, match="has no place for results"):
        check(tmp_path / "here")
    assert (tmp_path / "here.md").read_text() == text


def test_nothing_measured(tmp_path):
    check(tmp_path / "here")
    write(StudyResult([], [], {}, **HEAD), tmp_path / "here", COMMAND)
    assert "Nothing was measured." in (tmp_path / "here.md").read_text()
