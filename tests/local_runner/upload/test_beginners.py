"""Beginners' files: `tengen check` and `tengen match` name each fault once, with its line and the remedy.

Each row has a file with a mistake, and the same file after the advice was followed, which must pass.
"""

import io
import platform

import pytest

from local_runner.agents.source import unlike_site
from local_runner.agents.spec import parse_agent
from local_runner.errors import AgentError
from local_runner.game.setup import GameSetup
from local_runner.matches.display import fault_report
from local_runner.matches.executor import play
from local_runner.matches.plan import Plan, Terms
from local_runner.matches.schedule import Pairing, Schedule
from local_runner.processes import process
from local_runner.upload import bundle
from local_runner.upload.check import check, trial
from tests.local_runner.matches import small
from tests.local_runner.upload.in_process import InProcess
from tests.local_runner.upload.uploads import text_of

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
from collections import deque
RECENT = deque(maxlen=2)
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
RECENT = """if isinstance(observation, list):
        observation = dict(RECENT[-1], chess_player_idx=RECENT[0]["chess_player_idx"])
    RECENT.append(observation)"""
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
CLEARED = (
    KEPT.replace("taken = set()", "BOTH = {1: set(), 2: set()}")
    .replace(
        "    taken.update",
        """\
    taken = BOTH[observation["chess_player_idx"]]
    if sum(board[r][c][0] > 0 for r, c in cells) < len(taken):
        taken.clear()
    taken.update""",
    )
    .replace("not in taken][0]", "not in taken or len(taken) == 9][0]")
)
GOOD = f"{DEF}{BODY}    return one\n"


def returns(value, head="", right="one"):
    """A file that returns a wrong value, and the file that returns the right one."""
    return tuple(f"{head}{DEF}{BODY}    return {each}\n" for each in (value, right))


def first(line, right="pass", head=""):
    """A file with a wrong line before the answer, and the file with the right line."""
    return tuple(f"{head}{DEF}{BODY}    {each}\n    return one\n" for each in (line, right))


def cut(text):
    """A good file with a wrong text before it, and the file without this text."""
    return text + GOOD, GOOD


def swapped(old, new):
    """A good file in which one text is replaced by a wrong one, and the good file."""
    assert old in GOOD
    return GOOD.replace(old, new), GOOD


TICTACTOE, GOBANG, REVERSI_GAME = "tictactoe_1v1", "gobang_1v1", "reversi_1v1"
NUMPY = "import numpy as np\n"
CALLS = "The site calls my_controller with three"
UTF8 = "Save the file as UTF-8"
OUTSIDE = "An index is outside the board"
LISTS = "Each cell of state_map is a list of one number"
EMPTY = "A list is empty, although every cell is free"
OBJECT = "class Agent:\n    def act(self, observation, spaces):\n        return best(observation, spaces, False)\n"
# The file with a mistake, the mended file, and the advice of both commands on the first, if it plays in a game at all.
FAULTS = [
    (*returns("row * m + col", right="(lambda r, c: one)(*divmod(row * m + col, m))"), "One number is no answer"),
    (*returns("np.int64(3)", NUMPY), "One number is no answer"),
    (*returns("'%d,%d' % (row, col)"), "A text is no answer"),
    (*returns("None"), "None was returned: end every path"),
    (*returns("(row, col)", right="[[int(i == row) for i in range(n)], [int(i == col) for i in range(m)]]"),
     "That is the cell itself"),
    (*returns("[np.int64(row), np.int64(col)]", NUMPY), "That is the cell itself"),
    (*returns("[space.sample() for space in action_space]"), "That is the cell itself"),
    (*returns("one[0] + one[1]"), "That is one list"),
    (*returns("np.concatenate(one)", NUMPY), "That is one list"),
    (*returns("[[int((r, c) == (row, col)) for c in range(m)] for r in range(n)]"), "That is a list over all cells"),
    (*returns("[one]"), "nested once too deep"),
    (*returns("[[1, 0, 0, 0], one[1]]", right="[[int(i == row) for i in range(action_space[0].n)], one[1]]"),
     "Take the lengths from action_space"),
    (*returns("[[0] * n, [0] * m]"), "There is no 1 in the list"),
    (*returns("[[0.2, 0.7, 0.1], [0.3, 0.4, 0.3]]"), "of probabilities, take the index of the largest"),
    (*returns("[[2 * x for x in part] for part in one]"), "Put a 1 at the index of the cell and 0 elsewhere"),
    (*returns("[[str(x) for x in part] for part in one]"), "The entries are texts"),
    (*returns("np.array(one)", NUMPY, "[part.tolist() for part in np.array(one)]"), "The site reads only plain lists"),
    (*returns("list(np.eye(3, dtype=int)[[row, col]])", NUMPY, "[part.tolist() for part in np.eye(3, dtype=int)[[row, "
              "col]]]"), "The site reads only plain lists"),
    (f"{DEF}{BODY}    yield from one\n", GOOD, "has a `yield`"),
    (f"async {GOOD}", GOOD, "declared by `async def`"),
    (*returns("{'row': row}"), "Answer [one_hot_row, one_hot_col]"),
    (f"{DEF}    return observation['legal_actions'][0]\n", GOOD, "line 2: The observation has no 'legal_actions'"),
    (*first("observation['controlled_player_index']", "observation['chess_player_idx']"),
     "line 7: The observation has no 'controlled_player"),
    (*first("action_space.sample()", "action_space[0].sample()"), "line 7: action_space is a list of two"),
    (*first("[[0] * len(each) for each in action_space]", "[[0] * each.n for each in action_space]"),
     "line 7: action_space is a list of two"),
    (*first("best(board)", "best(board, 1)", "def best(board, depth): pass\n"),
     "line 8: best is called with other arguments than its `def` has"),
    (GOOD.replace(", action_space, is_act_continuous=False", ""), GOOD, CALLS),
    (GOOD.replace("is_act_continuous=False", "x, y"), GOOD, CALLS),
    ("class A:\n    def my_controller(self, a, b, c): pass\nmy_controller = A.my_controller\n", GOOD, CALLS),
    (*first("x = input()"), "submission.py, line 7: Nobody types on the site"),
    (*first("exit()"), "submission.py, line 7: Neither exit() nor argparse"),
    (*first("import argparse; argparse.ArgumentParser().parse_args(['a'])"), "line 7: Neither exit() nor argparse"),
    (*(f"{DEF}{BODY}    go(3)\n    return one\n\n\ndef go(x):\n    return {x}go(x - 1)\n" for x in ("", "x and ")),
     "submission.py, line 12: A function calls itself"),
    (*returns("ones"), "submission.py, line 7: The name is not defined there"),
    (*first("[0 for _ in xrange(3)]", "[0 for _ in range(3)]"), "submission.py, line 7: That name is of Python 2"),
    (*first("count = count + 1", "global count; count = count + 1", "count = 0\n"),
     "submission.py, line 8: The function assigns the name somewhere"),
    (*first("len(free) == 7 and [][0]", "pass"), "submission.py, line 7: A list was empty"),
    (*first("x = None; x[0]"), "submission.py, line 7: A value was None"),
    (*first("board[row][col][0] = 1", "board = [[list(cell) for cell in line] for line in board]; board[0][0] = [1]"),
     "The observation is the site's own board: copy it"),
    (*first("1 / 0"), "submission.py, line 7: A controller that raises ends"),
    (*cut("import minimax\n"), "submission.py, line 1: The site has no minimax: it has the standard"),
    (*cut("from common.utils import get_logger\n"), "line 1: The site's own program has a module common, which is not"),
    (*cut("import tensorflow as tf\n"), "submission.py, line 1: The site has no tensorflow: it has the standard"),
    (*cut("from sklearn.svm import SVC\n"), "torch. If it is a file of yours, put it beside this one, and write `from"),
    (*cut("from . import board\n"), "submission.py, line 1: A relative import finds only files beside"),
    (*cut("from ..common import board\n"), "submission.py, line 1: A relative import finds only files beside"),
    (*cut("raise ValueError('at once')\n"), "submission.py, line 1: A controller that raises ends"),
    (*first("board[row + 1][col + 1]", "0 <= row + 1 < n and 0 <= col + 1 < m and board[row + 1][col + 1]"),
     f"line 7: {OUTSIDE}"),
    (*first("[board[r][c] for r, c in [(1, n)]]", "[board[r][c] for r, c in [(0, n - 1)]]"), f"line 7: {OUTSIDE}"),
    (*first("np.array(board)[n, 0]", "np.array(board)[n - 1, 0]", NUMPY), f"line 8: {OUTSIDE}"),
    (*swapped("[r][c][0] == 0]\n    row, col = free[0] if free else (0, 0)", "[r][c] == 0]\n    row, col = free[0]"),
     f"line 5: {EMPTY}"),
    (*first("near = [cell for cell in free if board[cell[0]][cell[1] - 1][0]]; max(near)",
            "near = [cell for cell in free if board[cell[0]][cell[1] - 1][0]]; max(near or [(1, 1)])"),
     f"line 7: {EMPTY}"),
    (*first("sum(board[0])", "sum(cell[0] for cell in board[0])"), f"line 7: {LISTS}"),
    (*first("board[0][0] > 0", "board[0][0][0] > 0"), f"line 7: {LISTS}"),
    (*first("observation[1]", "board[0][0][0] == 1"), "line 7: Only Reversi has the sets 1 and 2"),
    (*first("observation['1']"), "line 7: The keys are the integers 1 and 2"),
    (*first("observation.state_map", "observation['state_map']"), "write observation['state_map']"),
    (*first("observation['player']", "observation['chess_player_idx']"), "line 7: The observation has no 'player'"),
    (*first("board[0, 0]", "board[0][0]"), "line 7: A list takes one index at a time"),
    (*first("{(0, 1)}[0]", "sorted({(0, 1)})[0]"), "line 7: A set has no index"),
    (*first("np.array({(0, 1)})[0]", "np.array(sorted({(0, 1)}))[0]", NUMPY), "line 8: A set has no index"),
    (*first("max = max(free or [0])", "largest = max(free or [0])"), "line 7: The function assigns max, which hides"),
    (*first("r, c = print()", "r, c = 1, 2"), "line 7: A value was None"),
    # No word of another mistake: that of the spaces, and that of the sets of Reversi.
    (*first("board.shape"), "line 7: A controller that raises ends"),
    (*first("{}[observation['chess_player_idx']]"), "line 7: A controller that raises ends"),
]  # fmt: skip
# The file that cannot be played, the mended file, and the advice of both commands.
UNUSABLE = [
    ("", GOOD, "Define my_controller at the top level"),
    (*swapped("my_controller", "my_controler"), "The function my_controler in line 1 is probably meant"),
    (*swapped("my_controller", "myController"), "The function myController in line 1 is probably meant"),
    (*swapped("my_controller", "agent"), "The function agent in line 1 is probably meant"),
    (*swapped("my_controller", "decide"), "The function decide in line 1 is probably meant"),
    ("class Agent:\n    def my_controller(self, o, a, c): pass\n", GOOD, "in line 2 is a method of the class Agent"),
    (OBJECT, f"{GOOD.replace('my_controller', 'best')}{OBJECT}AGENT = Agent()\n{DEF}    return AGENT.act(observation, "
     "action_space)\n", "let it call an object of the class Agent (line 1)"),
    ("if __name__ == '__main__':\n    def my_controller(o, a, c): pass\n", GOOD, "in line 2 stands under `if __name__"),
    ("def main():\n    def my_controller(o, a, c): pass\n", GOOD, "in line 2 stands inside something else"),
    (*swapped("    board", "\tboard"), "tabs and spaces are mixed"),
    (*swapped("    board", "      board"), "indent all lines of a block equally"),
    (*first("print 'x'", "print('x')"), "This is not Python 3, but Python 2: write print(...)"),
    (*first("x = 'C:\\Users\\me'", "x = r'C:\\Users\\me'"), "write a path with /, or as r'...'"),
    (*swapped("observation, a", "observation，a"), "Write , instead of the full-width ，"),
    (*swapped("int(i == row)", "int（i == row)"), "Write ( instead of the full-width （"),
    (*swapped("False):", "False)："), "Write : instead of the full-width ："),
    (*swapped('"state_map"', "“state_map”"), 'Write " instead of the full-width “'),
    (*swapped("== 0", "== ０"), "Write 0 instead of the full-width ０"),
    (*swapped("    board", "\u3000\u3000board"), "The line holds the character U+3000"),
    (*swapped("row, col =", "row,\u00a0col ="), "The line holds the character U+00A0"),
    (*swapped("row, col =", "row,\u200b col ="), "The line holds the character U+200B"),
    (GOOD.encode() + b"\0", GOOD, "it holds null bytes"),
    (GOOD.encode("utf-16"), GOOD, "The file is UTF-16"),
    (f"# 我的程序\n{GOOD}".encode("gbk"), f"# -*- coding: gbk -*-\n# 我的程序\n{GOOD}".encode("gbk"), UTF8),
    (f"{GOOD}# 五子棋\n".encode("gbk"), f"{GOOD}# 五子棋\n", UTF8),
    (f"NAME = '五子棋'\n{GOOD}".encode("gbk"), f"NAME = '五子棋'\n{GOOD}", UTF8),
    (f"# -*- coding: utf-8 -*-\n# é\n{GOOD}".encode("latin-1"), f"# é\n{GOOD}", "Save the file as UTF-8"),
    (*cut("def f(:\n"), "This is not Python: mend the line"),
]  # fmt: skip
# The file, the mended file, and what both commands say of the newer Python in the first.
NEWER = [
    (*first("if (k := 1): pass", "k = 1"), "line 7: the operator :="),
    (*first("match row:\n        case 0: pass", "row == 0"), "line 7: the statement match"),
    (*first("text = f'{row=}'", "text = f'row={row}'"), "line 7: = in an f-string"),
    (*cut("def f(a, /): return a\n"), "line 1: a / in the list of parameters"),
    (*first("both = {1: 2} | {2: 3}", "both = {**{1: 2}, **{2: 3}}"), "line 7: dict union (dict | dict)"),
    (*first("'ab'.removeprefix('a')", "'ab'[1:]"), "line 7: 'str.removeprefix' member"),
    (*first("math.prod([1])", head="import math\n"), "line 8: 'math.prod' member"),
]
NEAR = "me = {}\n    max(free or [(0, 0)], key=lambda cell: board[cell[0]][cell[1] - 1][0] == me)"
# The file that passes with a note, the file without it, and the note.
NOTES = [
    (*first("try: best(board)\n    except Exception: pass"), "undefined names: No line defines them"),
    (*first(NEAR.format(1), NEAR.format("observation['chess_player_idx']")), "own colour: The agent plays White"),
]  # fmt: skip
# Sources without a mistake: neither command prints a warning.
FINE = [
    GOOD, GOOD.replace("\n", "\r\n"), GOOD.replace("\n", "\r"), "\ufeff" + GOOD, returns("tuple(one)")[0],
    returns("[[float(x) for x in part] for part in one]")[0], returns("[[x == 1 for x in part] for part in one]")[0],
    f"# -*- coding: gbk -*-\n# 五子棋\n{GOOD}".encode("gbk"), first("print('五子棋')")[0],
    GOOD.replace("my_controller", "think") + "my_controller = think\n",
    GOOD.replace("    board", "    棋盘 = 0  # ，\n    board"), first("import os; os.path.dirname(__file__)")[0],
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
    """The report as text, without the rows that passed, and whether the file is good."""
    report = check(path, [env], quick=True, jobs=1)
    return text_of(report, 600), report.good


def played(path, folder):
    """The report on the upload's fault in one game as Black against random; "" if there was no fault."""
    specs = (parse_agent(str(path)), parse_agent("random"))
    [game, _other] = Plan(specs, Terms(GameSetup(TICTACTOE)), Schedule.MATCH, 1).pair(1, Pairing(0, 1), ())
    record = play(game, folder, checked=False)
    if record.result.fault is None:
        return ""
    assert record.result.loser == 0
    return small.text_of(fault_report(record.result, record.details.agents), 600)


def _rows(table):
    """The rows as parameters, named by their sentence, which is the last. `make test` takes every seventh."""
    marks = ((), *[pytest.mark.slow] * 6)
    return [pytest.param(*row, id=row[-1][:40], marks=marks[n % 7]) for n, row in enumerate(table)]


@pytest.mark.parametrize(("source", "mended", "sentence"), _rows(FAULTS))
def test_a_fault_is_told_once_by_both_commands(source, mended, sentence, tmp_path):
    path = saved(tmp_path, source)
    text, good = checked(path)
    assert not good and text.count(sentence) == 1, text
    assert sentence in played(path, tmp_path)
    assert text.count("Traceback (most recent call last)") <= 1 and "--jobs" not in text
    assert "tengen-check" not in text  # the folder of the check's copy is never named
    assert checked(saved(tmp_path, mended))[1]


@pytest.mark.parametrize(("source", "mended", "sentence"), _rows(UNUSABLE))
def test_a_file_that_cannot_be_played_is_refused_by_both(source, mended, sentence, tmp_path):
    path = saved(tmp_path, source)
    text, good = checked(path)
    assert good is False and text.count(sentence) == 1, text
    with pytest.raises(AgentError) as refused:
        played(path, tmp_path)
    assert sentence in str(refused.value) and "submission.py" in str(refused.value)
    assert checked(saved(tmp_path, mended))[1]


@pytest.mark.parametrize(("source", "mended", "sentence"), NEWER, ids=[row[2][:40] for row in NEWER])
def test_a_newer_python_is_told_by_both(source, mended, sentence, tmp_path, vermin):
    path = saved(tmp_path, source)
    text, good = checked(path)
    assert good is False and sentence in text and "Python 3.7" in text
    warning = unlike_site(path)
    assert warning.startswith("would fail on the platform, which runs Python 3.7: submission.py, ")
    assert sentence in warning
    assert unlike_site(saved(tmp_path, mended)) is None
    path = saved(tmp_path, f"try:\n    import numba, helper\nexcept ImportError:\n    numba = None\n{mended}")
    path.with_name("helper.py").touch()
    assert unlike_site(path) == "imports numba, which the platform may lack"


@pytest.mark.parametrize(("source", "mended", "sentence"), NOTES, ids=[row[2][:40] for row in NOTES])
def test_a_mistake_that_loses_no_game_is_a_note(source, mended, sentence, tmp_path):
    text, good = checked(saved(tmp_path, source))
    after, good_too = checked(saved(tmp_path, mended))
    assert good and good_too and text.count(sentence) == 1 and sentence not in after, text


@pytest.mark.parametrize(("value", "sentence"), [
    ("[[int(at >= part.index(1)) for at in range(3)] for part in one]", "more than one 1 in the list"),
    pytest.param("[bytes(part) for part in one]", "two plain lists of ints with one 1 each", marks=pytest.mark.slow),
    pytest.param("[[2 * x - 1 for x in part] for part in one]", "Put a 1 at the index", marks=pytest.mark.slow),
])  # fmt: skip
def test_what_only_the_sites_code_reads_is_a_note(value, sentence, tmp_path):
    path = saved(tmp_path, returns(value)[0])
    text, good = checked(path)
    assert good and text.count(sentence) == 1 and played(path, tmp_path) == ""


@pytest.mark.parametrize("source", FINE, ids=range(len(FINE)))
def test_what_is_fine_is_ready(source, tmp_path):
    path = saved(tmp_path, source)
    text, good = checked(path)
    assert good and "FAILED" not in text and "undefined names" not in text, text
    assert played(path, tmp_path) == ""


def test_a_module_beside_the_file_must_be_utf8_too(tmp_path):
    path = saved(tmp_path, "from .helper import X\n" + GOOD)
    (tmp_path / "helper.py").write_bytes("X = 1  # 五子棋\n".encode("gbk"))
    text, good = checked(tmp_path)
    assert not good and "helper.py, line 1: byte 0xce is not UTF-8" in text and UTF8 in text
    with pytest.raises(AgentError, match=r"helper\.py is no Python file: byte 0xce in line 1 is not UTF-8\. Save the"):
        played(path, tmp_path)


# ---- mistakes that are found by the position of the game

DIAGONAL = f"""{DEF}    board = observation["state_map"]
    n = len(board)
    free = [(r, c) for r in range(n) for c in range(n) if r != c and board[r][c][0] == 0]
    %s = max(free) if free else (0, 0)
    return [{ONE}]
"""
FLAT = f"""{DEF}    flat = [cell[0] for row in observation["state_map"] for cell in row]
    n = 15
    %s = divmod(flat.index(0) if 0 in flat else 0, n)
    return [{ONE}]
"""
PASSING = REVERSI % (RECENT, LEGAL)
ANY = "free = [(r, c) for r in range(n) for c in range(n) if (r, c) not in observation[1] | observation[2]]"
# The file with a mistake, the mended file, the game, and the advice.
POSITIONS = [
    (REVERSI % (LIST, LEGAL), PASSING, REVERSI_GAME, "sends one row; remember the last board"),
    (REVERSI % (RECENT, LEGAL.replace(" or [(0, 0)]", "")), PASSING, REVERSI_GAME,
     "There was no legal move, but the site asks all the same"),
    (REVERSI % ("pass", LEGAL), PASSING, REVERSI_GAME, "sends one row; remember the last board"),
    (REVERSI % (RECENT, LEGAL.replace("[me]", "[3 - me]", 1).replace("3 - me], n", "me], n")),
     PASSING, REVERSI_GAME, "The move is legal for the opponent: are the colours mixed up?"),
    (REVERSI % (RECENT, f"{LEGAL}[::-1]"), PASSING, REVERSI_GAME, "are row and column swapped?"),
    (REVERSI % (f"{RECENT}\n    {ANY}", "free[0]"), PASSING, REVERSI_GAME,
     "A legal move turns discs over"),
    (REVERSI % (RECENT.replace("RECENT[0]", "RECENT[-1]"), LEGAL), PASSING, REVERSI_GAME,
     "your side is that of the call before last"),
    (REVERSI % (RECENT, LEGAL.replace("observation[me]", "observation[str(me)]")), PASSING,
     REVERSI_GAME, "The keys are the integers 1 and 2"),
    (f"{DEF}    return observation['state_map']\n", PASSING, REVERSI_GAME, "Reversi has no state_map"),
    (DIAGONAL % "c, r", DIAGONAL % "r, c", GOBANG, "There is a stone already: test that the cell is free"),
    (FLAT % "c, r", FLAT % "r, c", GOBANG, "There is a stone already: test that the cell is free"),
    (f"{DEF}    n, r, c = 15, 7, 3\n    return [{ONE}]\n", GOOD, GOBANG, "There is a stone already: test"),
    (f"{DEF}    n, r, c = 15, 0, 0\n    return [{ONE}]\n", GOOD, GOBANG, "answer a legal cell of the board in this"),
    (*(first(f"import copy; tried = copy.{each}(board); tried[0][0] = [1]")[0] for each in ("copy", "deepcopy")),
     TICTACTOE, "write copy.deepcopy(board)"),
    (*first("try: row, col = best(free)\n    except: row = col = 0\n    one = [[int(i == row) for i in range(n)]] * 2"),
     GOBANG, "An error may be the cause: take out the `try`"),
    (*first("stones = sum(cell[0] > 0 for line in board for cell in line)\n"
            "    assert stones % 2 + 1 == observation['chess_player_idx']"), TICTACTOE,
     "It was the opponent's turn: the site calls both players at every step"),
    (KEPT, CLEARED, TICTACTOE, "the fault comes from what taken kept, from a game before or from the other colour"),
    (KEPT.replace("taken = set()", "class A: taken = set()\nA = A()").replace("taken.up", "A.taken.up").replace(
        "not in taken", "not in A.taken"), CLEARED, TICTACTOE, "the fault comes from what A kept"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "mended", "env", "sentence"), _rows(POSITIONS))
def test_the_position_gives_a_hint(source, mended, env, sentence, tmp_path):
    text, good = checked(saved(tmp_path, source), env)
    assert not good and text.count(sentence) == 1, text
    text, good = checked(saved(tmp_path, mended), env)
    assert good, text


def test_what_only_a_newer_python_refuses_names_the_python_that_ran(tmp_path):
    for line in ("import time; time.clock()", "import numpy; -numpy.Inf", "import numpy; numpy.array([[1], [2, 3]])"):
        told = played(saved(tmp_path, first(line)[0]), tmp_path)
        assert f"ran under Python {platform.python_version()}, which may lack what" in told and "make python37" in told


def test_a_fault_that_comes_without_what_was_kept_is_not_blamed_on_it(tmp_path):
    late, _mended = first("calls.append(1); assert sum(c[0] > 0 for line in board for c in line) < 3")
    english, good = checked(saved(tmp_path, f"calls = []\n{late}"))
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
    english, good = checked(saved(tmp_path, source))
    assert good and ("clear it when the board has fewer stones" in english) is noted, english
    assert ("kept: seen" in english) is noted


def test_all_games_that_fail_alike_are_one_row(tmp_path):
    """Six games in two environments: one row, one sentence, one traceback, by the user's own name of the file."""
    path = tmp_path / "my_agent.py"
    path.write_text(returns("ones")[0])
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
    english, good = checked(saved(tmp_path, f"{text[:start]}SETTINGS = (\n    {row},{text[end:]}"))
    assert not good and english.count(advice) == 1, english
