"""The files of a study: table, plots, and the page, in which only one section is replaced."""

import csv
import io
import json
from xml.etree import ElementTree

import pytest
from matplotlib import image
from matplotlib.figure import Figure
from rich.console import Console

from local_runner.commands.study import _typed
from local_runner.errors import RunnerError
from local_runner.study.output import BEGIN, END, StudyResult, abandon, claim, table, write

HEAD = {
    "header": {"cpu": "CPU", "python": "3.11.7", "begun": "2024-05-06T07:08:09Z", "commit": "abc"},
    "terms": {"seed": 3},
}
COMMAND = "tengen study here"
ROWS = [{"game": "x", "nodes": 12345.6, "share": None}, {"game": "y|z", "nodes": 0.123456, "share": 1}]


def drawn():
    figure = Figure()
    figure.subplots().plot([1, 2], [3, 4])
    return figure


def test_everything_is_written_and_the_page_keeps_the_rest(tmp_path):
    page = tmp_path / "here.md"
    (tmp_path / "here").mkdir()
    page.write_text(f"# Title\n\nWords.\n\n{BEGIN}\nold\n{END}\n\nMore words.\n")
    write(StudyResult(ROWS, ROWS, {"curve": drawn}, {"more": 1}), tmp_path / "here", HEAD, COMMAND)
    with open(tmp_path / "here" / "table.csv", newline="") as file:
        assert list(csv.reader(file)) == [["game", "nodes", "share"], ["x", "12345.6", ""], ["y|z", "0.123456", "1"]]
    assert json.loads((tmp_path / "here" / "table.json").read_text()) == {**HEAD, "rows": ROWS, "more": 1}
    text = page.read_text()
    measured = "`tengen study here`: CPU, Python 3.11.7, 2024-05-06, commit abc; seed 3.\n"
    assert text.startswith(f"# Title\n\nWords.\n\n{BEGIN}\n{measured}")
    assert text.endswith(f"{END}\n\nMore words.\n") and "old" not in text
    assert "| game | nodes | share |\n| --- | --- | --- |\n| x | 12,346 |  |\n| y&#124;z | 0.1235 | 1 |\n" in text
    for link in ("table.csv", "table.json", "curve.png", "curve.svg"):
        assert f"](here/{link})" in text and (tmp_path / "here" / link).is_file()
    pixels = image.imread(tmp_path / "here" / "curve.png")
    assert pixels.shape[0] > 300 and pixels.min() < pixels.max()
    ElementTree.parse(tmp_path / "here" / "curve.svg")


def test_the_same_figures_give_the_same_files(tmp_path):
    found = []
    (tmp_path / "here").mkdir()
    for _ in range(2):
        write(StudyResult(ROWS, ROWS, {"curve": drawn}), tmp_path / "here", HEAD, COMMAND)
        found.append({path.name: path.read_bytes() for path in tmp_path.rglob("*.*") if path.is_file()})
    assert found[0] == found[1] and len(found[0]) == 5


@pytest.mark.parametrize("text", ["# Nothing\n", f"{BEGIN}\n", f"{END}\n{BEGIN}\n"])
def test_a_page_without_a_place_for_results(text, tmp_path):
    (tmp_path / "here.md").write_text(text)
    with pytest.raises(RunnerError, match="has no place for results"):
        write(StudyResult(ROWS, ROWS, {}), tmp_path / "here", HEAD, COMMAND)
    assert (tmp_path / "here.md").read_text() == text


@pytest.mark.parametrize(
    ("arguments", "command"),
    [
        (["study", "pruning"], "tengen study pruning"),
        (["study", "pruning", "--quiet", "--out", "here", "--depth", "3"], "tengen study pruning --depth 3"),
        (["study", "pruning", "--out=here", "--json"], "tengen study pruning"),
        (["study", "cross-table", "my agent.py"], "tengen study cross-table 'my agent.py'"),
    ],
)
def test_the_command_is_shown_without_where_results_go(arguments, command):
    assert _typed(arguments) == command


def test_nothing_measured(tmp_path):
    (tmp_path / "here").mkdir()
    write(StudyResult([], [], {}), tmp_path / "here", HEAD, COMMAND)
    assert "Nothing was measured." in (tmp_path / "here.md").read_text()


@pytest.mark.parametrize(("there", "sentence"), [
    ({"here/study.json": '{"study": "other"}'}, "holds the study other; give --out another folder"),
    ({"here/study.json": "[]"}, "has files that are no study's; give --out another folder"),
    ({"here/table.csv": "mine"}, "has files that are no study's; give --out another folder"),
    ({"here": "a file"}, "give --out another folder"),
    ({"here.md": "# Mine"}, "has no place for results"),
    ({"here.md/file": ""}, "it is a folder; give --out another folder"),
])
def test_nothing_of_anything_else_is_overwritten(there, sentence, tmp_path):
    for name, text in there.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    with pytest.raises(RunnerError, match=sentence):
        claim(tmp_path / "here", "mine")
    left = {str(path.relative_to(tmp_path)): path.read_text() for path in tmp_path.rglob("*") if path.is_file()}
    assert left == there


def test_a_study_without_results_leaves_no_folder(tmp_path):
    for folder in (tmp_path / "refused", tmp_path / "begun"):
        claim(folder, "mine")
    (tmp_path / "begun" / "games.jsonl").touch()
    abandon(tmp_path / "refused")
    abandon(tmp_path / "begun")
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["begun", "games.jsonl", "study.json"]


def test_a_folder_stays_its_studys(tmp_path):
    for folder in (tmp_path / "new" / "here", tmp_path / "empty"):
        (tmp_path / "empty").mkdir(exist_ok=True)
        for _ in range(2):
            claim(folder, "mine")
            write(StudyResult(ROWS, ROWS, {}), folder, HEAD, COMMAND)
        with pytest.raises(RunnerError, match="holds the study mine"):
            claim(folder, "another")


@pytest.mark.parametrize("width", [80, 120])
def test_a_table_is_readable_at_any_width(width):
    rows = [{"game": f"gomoku_11x11_{row}", "agent": "name" * 3000, **{f"its column {at}": 1234.5 for at in range(9)}}
            for row in range(2)]  # fmt: skip
    console = Console(file=io.StringIO(), width=width)
    console.print(table("here", rows))
    lines = console.file.getvalue().splitlines()
    assert max(map(len, lines)) <= width
    words = [word for line in lines for word in line.split()]
    assert words.count("1234") == 18 and words.count("gomoku_11x11_1") == words.count("game") > 1
