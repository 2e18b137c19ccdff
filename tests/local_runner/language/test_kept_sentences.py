"""How games ended: kept in English, shown in the language of the user."""

import ast
import re

import pytest

from local_runner.language import languages
from local_runner.language.languages import Cells, kept, retold, shown
from local_runner.server.words import ended
from tests.local_runner.language.test_languages import CHINESE
from workshop.page.messages import RUNNER

ENVIRONMENTS = RUNNER.parent / "env_adapter"
KEPT = {
    "Black raised ValueError: no idea\nat all": "黑方抛出异常 ValueError: no idea\nat all",
    "White resigns": "白方认输",
    "White exited with code 3": "白方退出，退出码 3",
    "Black could not be loaded: it raised ImportError: it": "黑方无法加载：抛出异常 ImportError: it",
    "took 1.200 s of 1 s (1.3 s on the runner's clock)": "用时 1.200 秒，上限 1 秒（按运行器的时钟为 1.3 秒）",
    "used 600 MB of 500 MB; killed": "占用内存 600 MB，上限 500 MB；已被杀死",
    "White answered in the wrong form: the row's list must have 3 entries, got [1]":
        "白方返回的格式不对：行的列表必须有 3 项，得到的是 [1]",
    "Black played (row, col) = (0, 1), which holds a stone of White's; legal: (0, 0), (0, 2) and 4 more":
        "黑方下在 b1（行 0，列 1），该处已有白子；合法着法：a1, c1 等，另有 4 个",
    "3 in a row from (0, 0) to (2, 2)": "3 连，从 a1 到 c3",
    "full board without a line, which the platform pays to the last mover":
        "棋盘下满，无人连成，平台判最后行棋的一方胜",
    "double pass, 30 to 34": "双方连续停一手，30 比 34",
    "something that an older version wrote": "something that an older version wrote",
    "{braces} and {0}": "{braces} and {0}",
}  # fmt: skip


@pytest.fixture
def chinese():
    languages.use(languages.CHINESE)
    yield
    languages.use(languages.ENGLISH)


NAMED = {  # sentences with cells, and what people read
    "3 in a row from (0, 0) to (2, 2)": "3 in a row from a1 to c3",
    "Black played (row, col) = (0, 1), which holds a stone of White's; legal: (0, 0), (0, 2) and 4 more":
        "Black played b1 (row 0, column 1), which holds a stone of White's; legal: a1, c1 and 4 more",
    "White played (row, col) = (0, 25), which turns no disc over; legal: (2, 3), (3, 2)":
        "White played z1 (row 0, column 25), which turns no disc over; legal: d3, c4",
    "played (row, col) = (0, 26), which is off the board, whose cells are from (0, 0) to (14, 14)":
        "played (row, col) = (0, 26), which is off the board, whose cells are from a1 to o15",
    "Black raised KeyError: (7, 3)": "Black raised KeyError: (7, 3)",
    "Black caught a fault of its own: 5 in a row from (7, 3) to (7, 7)":
        "Black caught a fault of its own: 5 in a row from (7, 3) to (7, 7)",
}  # fmt: skip


@pytest.mark.parametrize("sentence", {**KEPT, **NAMED})
def test_a_kept_sentence_stays_as_it_is_in_english(sentence):
    assert (kept(sentence), retold(sentence)) == (sentence, NAMED.get(sentence, sentence))


@pytest.mark.parametrize(("cells", "names"), [
    ((7, 7), "h8"), (((0, 0), (14, 1)), "(a1, b15)"), (((2, 1), None), "(b3, None)"),
])
def test_cells_are_kept_as_pairs_and_shown_by_their_names(cells, names):
    assert (Cells(cells), shown(Cells(cells))) == (str(cells), names)


@pytest.mark.parametrize(("sentence", "translated"), KEPT.items())
def test_a_kept_sentence_in_chinese(sentence, translated, chinese):
    assert (kept(sentence), shown(kept(sentence))) == (sentence, translated)


def test_how_a_game_ended_in_chinese(chinese):
    assert ended(1, "White resigns") == "黑方胜：白方认输"


def _samples(folder, *names):
    """The texts in calls of these functions, with 7 in every hole."""
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names:
                for given in node.args[1:2]:
                    if isinstance(given, ast.JoinedStr):
                        yield "".join(part.value if isinstance(part, ast.Constant) else "7" for part in given.values)
                    elif isinstance(given, ast.Constant) and given.value:
                        yield given.value


def test_every_fault_has_a_template():
    faults = set(_samples(RUNNER, "Fault")) - {"played (row, col) = 7, which 7"}  # `why_illegal` ends it
    assert len(faults) > 12
    patterns = [pattern for _, pattern in languages._patterns()]
    assert not [fault for fault in faults if not any(pattern.fullmatch(fault) for pattern in patterns)]


def _ends(file):
    """The words of a game's `_ending` or `_ending_without_line`."""
    return set(re.findall(r'(?:return|if limit else) "([a-z][a-z -]+)"', (ENVIRONMENTS / file).read_text("utf-8")))


@pytest.mark.parametrize(("file", "more", "ends"), [
    ("k_in_a_row.py", ("", " without a line, which the platform pays to the last mover"), {"full board", "step limit"}),
    ("reversi.py", (", 3 to 4",), {"full board", "step limit", "wipe-out", "double pass"}),
])
def test_every_end_of_a_game_is_chinese(file, more, ends, chinese):
    assert _ends(file) | {"step limit"} == ends
    assert all(CHINESE.search(shown(kept(end + rest))) for end in ends for rest in more)
