"""Beginners' files: `tengen check` and `tengen match` name each fault once, with its line and the remedy."""

import io
import re

import pytest
from rich.console import Console

from local_runner.agents.source import newer_than_site
from local_runner.agents.spec import parse_agent
from local_runner.errors import AgentError
from local_runner.game.setup import GameSetup
from local_runner.language.languages import speaking
from local_runner.matches.display import fault_report
from local_runner.matches.executor import play
from local_runner.matches.plan import Plan, Terms
from local_runner.matches.schedule import Pairing, Schedule
from local_runner.processes import process
from local_runner.upload import bundle
from local_runner.upload.check import check, trial
from tests.local_runner.upload.in_process import InProcess
from tests.local_runner.upload.uploads import text_of

CHINESE = re.compile(r"[\u4e00-\u9fff]")
DEF = "def my_controller(observation, action_space, is_act_continuous=False):\n"
BODY = """\
    n, m = action_space[0].n, action_space[1].n
    board = observation["state_map"]
    free = [(r, c) for r in range(n) for c in range(m) if board[r][c][0] == 0]
    row, col = free[0] if free else (0, 0)
    one = [[int(i == row) for i in range(n)], [int(i == col) for i in range(m)]]
"""
ONE = "[int(i == r) for i in range(n)], [int(i == c) for i in range(n)]"
REVERSI = f"""\
def legal(own, foe, n):
    found = []
    for r in range(n):
        for c in range(n):
            for dr, dc in [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b]:
                k, y, x = 0, r + dr, c + dc
                while (y, x) in foe:
                    k, y, x = k + 1, y + dr, x + dc
                if k and (y, x) in own and (r, c) not in own and (r, c) not in foe and (r, c) not in found:
                    found.append((r, c))
    return found


{DEF}    n = 10
    %s
    me = observation["chess_player_idx"]
    r, c = %s
    return [{ONE}]
"""
LIST = "if isinstance(observation, list): return [[1] + [0] * 9] * 2"
LEGAL = "(legal(observation[me], observation[3 - me], n) or [(0, 0)])[-1]"
KEPT = f"""\
taken = set()


{DEF}    board = observation["state_map"]
    cells = [(r, c) for r in range(3) for c in range(3)]
    taken.update(cell for cell in cells if board[cell[0]][cell[1]][0])
    r, c = [cell for cell in cells if cell not in taken][0]
    n = 3
    return [{ONE}]
"""
GOOD = f"{DEF}{BODY}    return one\n"


def returns(value, head=""):
    return f"{head}{DEF}{BODY}    return {value}\n"


def first(line):
    """A good agent that runs a line before it answers."""
    return f"{DEF}{BODY}    {line}\n    return one\n"


TICTACTOE, GOBANG, REVERSI_GAME = "tictactoe_1v1", "gobang_1v1", "reversi_1v1"
CALLS = "The site calls my_controller with three"
UTF8 = "Save the file as UTF-8"
PY37 = "The site runs Python 3.7"
# The source -> the advice of both commands, if the file plays in a game at all.
FAULTS = [
    (returns("row * m + col"), "One number is no answer"),
    (returns("np.int64(3)", "import numpy as np\n"), "One number is no answer"),
    (returns("'%d,%d' % (row, col)"), "A text is no answer"),
    (returns("None"), "None was returned: end every path"),
    (returns("(row, col)"), "That is the cell itself"),
    (returns("[np.int64(row), np.int64(col)]", "import numpy as np\n"), "That is the cell itself"),
    (returns("[space.sample() for space in action_space]"), "That is the cell itself"),
    (returns("one[0] + one[1]"), "That is one list"),
    (returns("np.concatenate(one)", "import numpy as np\n"), "That is one list"),
    (returns("[[int((r, c) == (row, col)) for c in range(m)] for r in range(n)]"), "That is a list over all cells"),
    (returns("[one]"), "nested once too deep"),
    (returns("[one[0][:2], one[1]]"), "Take the lengths from action_space"),
    (returns("[[0] * n, [0] * m]"), "There is no 1 in the list"),
    (returns("[[0.2, 0.7, 0.1], [0.3, 0.4, 0.3]]"), "of probabilities, take the index of the largest"),
    (returns("[[2 * x for x in part] for part in one]"), "Put a 1 at the index of the cell and 0 elsewhere"),
    (returns("[[str(x) for x in part] for part in one]"), "The entries are texts"),
    (returns("np.array(one)", "import numpy as np\n"), "The site reads only plain lists"),
    (returns("list(np.eye(3)[[row, col]])", "import numpy as np\n"), "The site reads only plain lists"),
    (f"{DEF}{BODY}    yield from one\n", "has a `yield`"),
    (f"async {returns('one')}", "declared by `async def`"),
    (returns("{'row': row}"), "Answer [one_hot_row, one_hot_col]"),
    (f"{DEF}    return observation['legal_actions'][0]\n", "line 2: The observation has no 'legal_actions'"),
    (f"{DEF}    return observation['controlled_player_index']\n", "line 2: The observation has no 'controlled_player"),
    (f"{DEF}    return action_space.sample()\n", "submission.py, line 2: action_space is a list of two"),
    ("def my_controller(observation):\n    return 1\n", CALLS),
    ("def my_controller(observation, action_space, x, y):\n    return 1\n", CALLS),
    ("class A:\n    def my_controller(self, a, b, c): pass\nmy_controller = A.my_controller\n", CALLS),
    (first("x = input()"), "submission.py, line 7: Nobody types on the site"),
    (first("exit()"), "submission.py, line 7: Neither exit() nor argparse"),
    (first("import argparse; argparse.ArgumentParser().parse_args(['a'])"), "line 7: Neither exit() nor argparse"),
    (f"{DEF}    return go(1)\n\n\ndef go(x):\n    return go(x)\n", "submission.py, line 6: A function calls itself"),
    (returns("ones"), "submission.py, line 7: The name is not defined there"),
    (first("[0 for _ in xrange(3)]"), "submission.py, line 7: That name is of Python 2"),
    (f"count = 0\n{first('count = count + 1')}", "submission.py, line 8: The function assigns the name somewhere"),
    (first("[][0]"), "submission.py, line 7: A list was empty"),
    (first("x = None; x[0]"), "submission.py, line 7: A value was None"),
    (first("board[row][col][0] = 1"), "The observation is the site's own board: copy it"),
    (first("1 / 0"), "submission.py, line 7: A controller that raises ends"),
    ("import minimax\n" + GOOD, "submission.py, line 1: There is no module minimax"),
    ("from . import board\n" + GOOD, "submission.py, line 1: A relative import finds only files beside"),
    ("from ..common import board\n" + GOOD, "submission.py, line 1: A relative import finds only files beside"),
    ("raise ValueError('at once')\n" + GOOD, "submission.py, line 1: A controller that raises ends"),
]  # fmt: skip
# The source -> the advice on a file that cannot be played.
UNUSABLE = [
    ("", "Define my_controller at the top level"),
    (GOOD.replace("my_controller", "my_controler"), "The function my_controler in line 1 is probably meant"),
    (GOOD.replace("my_controller", "myController"), "The function myController in line 1 is probably meant"),
    (GOOD.replace("my_controller", "My_Controller"), "The function My_Controller in line 1 is probably meant"),
    ("class Agent:\n    def my_controller(self, o, a, c): pass\n", "in line 2 is a method of the class Agent"),
    ("class Agent:\n    @classmethod\n    def my_controller(cls, o, a, c): pass\n", "is a method of the class Agent"),
    ("if __name__ == '__main__':\n    def my_controller(o, a, c): pass\n", "in line 2 stands under `if __name__"),
    ("def main():\n    def my_controller(o, a, c): pass\n", "in line 2 stands inside something else"),
    (GOOD.replace("    board", "\tboard"), "tabs and spaces are mixed"),
    (GOOD.replace("    board", "      board"), "indent all lines of a block equally"),
    (first("print 'x'"), "This is not Python 3, but Python 2: write print(...)"),
    (GOOD.replace("observation, a", "observation，a"), "Write , instead of the full-width ，"),
    (GOOD.replace("int(i == row)", "int（i == row)"), "Write ( instead of the full-width （"),
    (GOOD.replace("False):", "False)："), "Write : instead of the full-width ："),
    (GOOD.replace('"state_map"', "“state_map”"), 'Write " instead of the full-width “'),
    (GOOD.replace("== 0", "== ０"), "Write 0 instead of the full-width ０"),
    (GOOD.replace("    board", "\u3000\u3000board"), "The line holds the character U+3000"),
    (GOOD.replace("row, col =", "row,\u00a0col ="), "The line holds the character U+00A0"),
    (GOOD.replace("row, col =", "row,\u200b col ="), "The line holds the character U+200B"),
    (GOOD.encode() + b"\0", "it holds null bytes"),
    (GOOD.encode("utf-16"), "The file is UTF-16"),
    (f"# 我的程序\n{GOOD}".encode("gbk"), UTF8),
    (f"{GOOD}# 五子棋\n".encode("gbk"), UTF8),
    (f"NAME = '五子棋'\n{GOOD}".encode("gbk"), UTF8),
    (f"# -*- coding: utf-8 -*-\n# é\n{GOOD}".encode("latin-1"), "Save the file as UTF-8"),
    ("def f(:\n" + GOOD, "This is not Python: mend the line"),
]  # fmt: skip
# The source -> what both commands say of a file that needs a newer Python.
NEWER = [
    (first("if (k := 1): pass"), "line 7: the operator :="),
    (first("match row:\n        case 0: pass"), "the statement match"),
    (first("text = f'{row=}'"), "line 7: = in an f-string"),
    ("def f(a, /): return a\n" + GOOD, "line 1: a / in the list of parameters"),
    (first("both = {1: 2} | {2: 3}"), "line 7: dict union (dict | dict)"),
    (first("'ab'.removeprefix('a')"), "line 7: 'str.removeprefix' member"),
    ("import math\n" + first("math.prod([1])"), "line 8: 'math.prod' member"),
]
# Sources without a mistake: neither command prints a warning.
FINE = [
    GOOD, GOOD.replace("\n", "\r\n"), GOOD.replace("\n", "\r"), "\ufeff" + GOOD, returns("tuple(one)"),
    returns("[[float(x) for x in part] for part in one]"), returns("[[x == 1 for x in part] for part in one]"),
    f"# -*- coding: gbk -*-\n# 五子棋\n{GOOD}".encode("gbk"), first("print('五子棋')"),
    GOOD.replace("my_controller", "think") + "my_controller = think\n",
    GOOD.replace("    board", "    棋盘 = 0  # ，\n    board"),
]  # fmt: skip


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch, without_vermin):
    monkeypatch.setattr(process, "Child", InProcess)
    monkeypatch.setattr(trial, "find_python37", lambda: None)
    monkeypatch.setattr("sys.stdin", io.StringIO())
    monkeypatch.setattr(trial, "lacks", lambda python, needed: set())


def saved(folder, source):
    path = folder / "submission.py"
    path.write_bytes(source if isinstance(source, bytes) else source.encode())
    return path


def checked(path, env=TICTACTOE):
    """The report as text in English, without the rows that passed; its Chinese text; and whether the file is good."""
    report = check(path, [env], quick=True, jobs=1)
    texts = []
    for language in ("en", "zh"):
        with speaking(language):
            texts.append(text_of(report, 600))
    return *texts, report.good


def played(path, folder):
    """The report on the fault of one game as Black against random; "" without a fault."""
    specs = (parse_agent(str(path)), parse_agent("random"))
    [game, _other] = Plan(specs, Terms(GameSetup(TICTACTOE)), Schedule.MATCH, 1).pair(1, Pairing(0, 1), ())
    record = play(game, folder, checked=False)
    if record.result.fault is None:
        return ""
    assert record.result.loser == 0
    file = io.StringIO()
    Console(file=file, width=600).print(fault_report(record.result, record.details.agents))
    return file.getvalue()


def _rows(table, sentence):
    """The rows as parameters, named by their sentence. `make test` takes every third."""
    marks = ((), pytest.mark.slow, pytest.mark.slow)
    return [pytest.param(*row, id=row[sentence][:40], marks=marks[n % 3]) for n, row in enumerate(table)]


@pytest.mark.parametrize(("value", "sentence"), [
    ("[[int(at >= part.index(1)) for at in range(3)] for part in one]", "more than one 1 in the list"),
    pytest.param("[bytes(part) for part in one]", "two plain lists of ints with one 1 each", marks=pytest.mark.slow),
    pytest.param("[[2 * x - 1 for x in part] for part in one]", "Put a 1 at the index", marks=pytest.mark.slow),
])  # fmt: skip
def test_what_only_the_sites_code_reads_is_a_note(value, sentence, tmp_path):
    path = saved(tmp_path, returns(value))
    english, chinese, good = checked(path)
    assert good and english.count(sentence) == 1 and CHINESE.search(chinese) and played(path, tmp_path) == ""


@pytest.mark.parametrize(("source", "sentence"), _rows(FAULTS, 1))
def test_a_fault_is_told_once_by_both_commands(source, sentence, tmp_path):
    path = saved(tmp_path, source)
    english, chinese, good = checked(path)
    assert not good and english.count(sentence) == 1, english
    assert sentence in played(path, tmp_path)
    assert CHINESE.search(chinese) and sentence not in chinese
    assert english.count("Traceback (most recent call last)") <= 1 and "--jobs" not in english
    assert "tengen-check" not in english  # the name of our copy


@pytest.mark.parametrize(("source", "sentence"), UNUSABLE, ids=[row[1][:40] for row in UNUSABLE])
def test_a_file_that_cannot_be_played_is_refused_by_both(source, sentence, tmp_path):
    path = saved(tmp_path, source)
    english, chinese, good = checked(path)
    assert good is False and english.count(sentence) == 1, english
    assert sentence not in chinese
    with pytest.raises(AgentError) as refused:
        played(path, tmp_path)
    assert sentence in str(refused.value) and "submission.py" in str(refused.value)


@pytest.mark.parametrize(("source", "sentence"), NEWER, ids=[row[1][:40] for row in NEWER])
def test_a_newer_python_is_told_by_both(source, sentence, tmp_path, vermin):
    path = saved(tmp_path, source)
    english, _, good = checked(path)
    assert good is False and sentence in english and "Python 3.7" in english
    warning = newer_than_site(path)
    assert warning.startswith("would fail on the platform, which runs Python 3.7: submission.py, ")
    assert sentence in warning


@pytest.mark.parametrize("source", FINE, ids=range(len(FINE)))
def test_what_is_fine_is_ready(source, tmp_path):
    path = saved(tmp_path, source)
    english, _, good = checked(path)
    assert good and "FAILED" not in english, english
    assert played(path, tmp_path) == ""


def test_a_module_beside_the_file_must_be_utf8_too(tmp_path):
    path = saved(tmp_path, "from .helper import X\n" + GOOD)
    (tmp_path / "helper.py").write_bytes("X = 1  # 五子棋\n".encode("gbk"))
    english, _, good = checked(tmp_path)
    assert not good and "helper.py, line 1: byte 0xce is not UTF-8" in english and UTF8 in english
    with pytest.raises(AgentError, match=r"helper\.py is no Python file: byte 0xce in line 1 is not UTF-8\. Save the"):
        played(path, tmp_path)


# ---- what the position shows

POSITIONS = [
    (REVERSI % (LIST, LEGAL), REVERSI_GAME, "after a pass the site sends one row; remember the last board"),
    (REVERSI % (LIST, "legal(observation[me], observation[3 - me], n)[-1]"), REVERSI_GAME,
     "There was no legal move, but the site asks all the same"),
    (REVERSI % ("pass", LEGAL), REVERSI_GAME, "after a pass the site sends one row; remember the last board"),
    (REVERSI % (LIST, LEGAL.replace("[me]", "[3 - me]", 1).replace("3 - me], n", "me], n")), REVERSI_GAME,
     "The move is legal for the opponent: are the colours mixed up?"),
    (REVERSI % (LIST, f"{LEGAL}[::-1]"), REVERSI_GAME, "is legal: are row and column swapped?"),
    (f"{DEF}    return observation['state_map']\n", REVERSI_GAME, "Reversi has no state_map"),
    (f"{DEF}    board = observation['state_map']\n    n = len(board)\n"
     "    free = [(r, c) for r in range(n) for c in range(n) if r != c and board[r][c][0] == 0]\n"
     f"    c, r = max(free)\n    return [{ONE}]\n", GOBANG, "is legal: are row and column swapped?"),
    (f"{DEF}    h = w = 15\n    flat = [cell[0] for row in observation['state_map'] for cell in row]\n"
     "    c, r = divmod(flat.index(0), h)\n    n = 15\n"
     f"    return [{ONE}]\n", GOBANG, "is legal: are row and column swapped?"),
    (f"{DEF}    n, r, c = 15, 0, 0\n    return [{ONE}]\n", GOBANG, "answer a legal cell of the board in this"),
    (first("stones = sum(cell[0] > 0 for line in board for cell in line)\n"
           "    assert stones % 2 + 1 == observation['chess_player_idx']"), TICTACTOE,
     "It was the opponent's turn: the site calls both players at every step"),
    (KEPT, TICTACTOE, "the fault comes from what taken kept, from a game before or from the other colour"),
    (KEPT.replace("taken = set()", "class A: taken = set()\nA = A()").replace("taken.up", "A.taken.up").replace(
        "not in taken", "not in A.taken"), TICTACTOE, "the fault comes from what A kept"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "env", "sentence"), _rows(POSITIONS, 2))
def test_the_position_gives_a_hint(source, env, sentence, tmp_path):
    english, chinese, good = checked(saved(tmp_path, source), env)
    assert not good and english.count(sentence) == 1, english
    assert sentence not in chinese


def test_a_fault_that_comes_without_what_was_kept_is_not_blamed_on_it(tmp_path):
    late = first("calls.append(1); assert sum(c[0] > 0 for line in board for c in line) < 3")
    english, _, good = checked(saved(tmp_path, f"calls = []\n{late}"))
    assert not good and "AssertionError" in english and "kept" not in english


WEAKER = f"""\
seen = set()


{DEF}    board = observation["state_map"]
    n = len(board)
    free = [(r, c) for r in range(n) for c in range(n) if not board[r][c][0]]
    seen.update((r, c) for r in range(n) for c in range(n) if board[r][c][0])
    r, c = ([cell for cell in free if cell not in seen] or free)[0]
    return [{ONE}]
"""


@pytest.mark.slow
@pytest.mark.parametrize(("source", "noted"), [
    (WEAKER, True),
    (WEAKER.replace("not in seen", "not in ()"), False),  # kept, but it changes no move
    (WEAKER.replace("    seen", "    if sum(c[0] > 0 for r in board for c in r) < 2: seen.clear()\n    seen"), False),
    (WEAKER.replace("seen = set()", "import random\nseen = set()").replace("or free)[0]", "or free)[0]\n"
                    "    r, c = random.choice(free)"), False),  # differs in every process
])  # fmt: skip
def test_moves_that_change_by_what_a_game_left_behind_are_noted(source, noted, tmp_path):
    english, chinese, good = checked(saved(tmp_path, source))
    assert good and ("clear it when the board has fewer stones" in english) is noted, english
    assert ("kept: seen" in english) is noted and "kept:" not in chinese


def test_all_games_that_fail_alike_are_one_row(tmp_path):
    """Six games in two environments: one row, one sentence, one traceback, by the user's own name of the file."""
    path = tmp_path / "my_agent.py"
    path.write_text(returns("ones"))
    report = check(path, [GOBANG, TICTACTOE], quick=True, jobs=1)
    [row] = [row for row in report.merged if row.env]
    assert (row.name, len(report.rows) - len(report.merged)) == ("gobang_1v1; tictactoe_1v1", 5)
    assert row.mend.startswith("my_agent.py, line 7: ") and 'File "my_agent.py", line 7' in row.traceback
    assert report.verdict == (
        "Do not upload: crashes on gobang_1v1 and tictactoe_1v1: NameError: name 'ones' is not defined, first move."
    )


@pytest.mark.slow
@pytest.mark.parametrize(("row", "advice"), [
    ('("gobang", 15, 15, 5, "search", 0.8, 0.8)', "Mend row 1 of the table SETTINGS, ('gobang', 15, 15): family is "
     "'gobang'. Allowed: 'k_in_a_row' or 'reversi'"),
    ('("reversi", None, None, None, "scorer", 0, 0)', "The table SETTINGS has no row for k_in_a_row on 3x3: a row "
     "with None as rows and cols fits every board."),
])  # fmt: skip
def test_a_wrong_row_of_our_settings_is_named(row, advice, tmp_path):
    text = bundle.build().text
    start, end = text.index("SETTINGS = ("), text.index("\n)\n", text.index("SETTINGS = ("))
    english, chinese, good = checked(saved(tmp_path, f"{text[:start]}SETTINGS = (\n    {row},{text[end:]}"))
    assert not good and english.count(advice) == 1, english
    assert "SETTINGS 表" in chinese
