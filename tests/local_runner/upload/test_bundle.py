"""The bundle plays like the sources, is built to the same bytes, and runs alone, or beside another version."""

import ast
import functools
import random
import shutil
import subprocess
import sys
import traceback

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from env_adapter import answer, make
from local_runner.agents.source_reader import embedded_sources
from local_runner.processes.agent_side.loading import load_agent
from local_runner.upload import bundle

MAIN = '''\
"""An agent."""
LIMIT = 3

from . import rules
from .deep.inner import PLACE as place, WORD, fail as broken, get_data as read


def my_controller(observation, action_space, is_act_continuous=False):
    from .deep import inner
    assert inner.WORD == WORD
    return [rules.first(action_space[0].n), rules.first(action_space[1].n)]
'''
RULES = "def first(n):\n    return [1] + [0] * (n - 1)\n"
INNER = """\
from pkgutil import get_data
from ..rules import first

PLACE = __package__
WORD = get_data(PLACE, "data/word.bin")


def fail():
    raise ValueError("on purpose")
"""
FRIENDLY = {"submission.py": MAIN, "rules.py": RULES, "deep/inner.py": INNER}
DATA = bytes(range(256)) * 3


def _package(folder, files=FRIENDLY):
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "deep" / "data").mkdir(parents=True, exist_ok=True)
    (folder / "deep" / "data" / "word.bin").write_bytes(DATA)
    return folder


@functools.cache
def _ours():
    return bundle.build()


def _written(folder, source=None):
    path = folder / "submission.py"
    bundle.write(bundle.build(source) if source else _ours(), path)
    return path


def _load(path, name):
    module: dict[str, object] = {"__name__": name, "__file__": str(path)}
    exec(compile(path.read_text("utf-8"), str(path), "exec"), module)
    return module


def test_the_same_sources_give_the_same_bytes(tmp_path):
    copy = tmp_path / "elsewhere"
    shutil.copytree(bundle.SOURCE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    (copy / "__pycache__").mkdir()
    (copy / "__pycache__" / "stale.py").write_text("not a module of the package")
    assert _written(tmp_path / "a").read_bytes() == _written(tmp_path / "b", copy).read_bytes()


def test_the_settings_stand_above_the_machinery_and_the_sources_are_readable():
    text = _ours().text
    assert text.index("\nSETTINGS = (") < text.index("class BundleImporter") < text.index("def my_controller(")
    assert "class KInARowBoard:" in text
    assert max(map(len, text.splitlines())) <= 200
    assert str(bundle.ROOT) not in text  # no path of this machine


@pytest.mark.parametrize("changed", ["submission.py", "rules.py", "deep/inner.py", "deep/data/word.bin"])
def test_a_change_of_any_part_changes_the_private_name_but_line_ends_do_not(changed, tmp_path):
    source = _package(tmp_path / "changed")
    path, plain = source / changed, bundle.build(_package(tmp_path / "plain"))
    if changed.endswith(".py"):  # as an editor on Windows saves it
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
        assert bundle.build(source).text == plain.text
    path.write_bytes(path.read_bytes() + b"# changed\n")
    assert bundle.build(source).package != plain.package


@settings(max_examples=40, deadline=None)
@given(st.text() | st.text("'\"\\\n\r\x00{}#a"))
@example("'''")
@example("a''''")
@example("\\'")
def test_any_text_survives_as_a_literal(text):
    assert ast.literal_eval(bundle.literal(text)) == text


def test_embedded_sources_are_the_sources(tmp_path):
    nasty = "A = '''q'''\nB = \"\"\"\\n\\\\'''\"\"\"  # 五子棋 \\\n"
    source = _package(tmp_path, {**FRIENDLY, "rules.py": RULES + nasty})
    found = embedded_sources(ast.parse(bundle.build(source).text))
    assert found == {"__init__.py": "", "deep/__init__.py": "", "deep/inner.py": INNER, "rules.py": RULES + nasty}
    for other in (RULES, "_SOURCES = {[]: ''}\n", f"_SOURCES = {'-' * 2000}1\n", f"_SOURCES = {'1+' * 2000}1\n"):
        assert embedded_sources(ast.parse(other)) == {}


@pytest.mark.parametrize("changes, sentence", [
    ({"submission.py": "def my_controller(*arguments): ...\n"}, "it is one file already"),
    ({"rules.py": "from . import submission\n"}, "rules.py imports submission.py"),
    ({"deep/inner.py": "from ..submission import LIMIT\n"}, "inner.py imports submission.py"),
    ({"rules.py": "x = 1\nif (n := x): pass\n"}, "rules.py, line 2"),
    ({"submission.py": MAIN + "match = 1\nprint(f'{match}'"}, "submission.py, line 1"),
    ({"submission.py": "from .. import other\n"}, "from above the package"),
    ({"submission.py": MAIN + "place = __package__\n"}, "uses __package__"),
    ({"rules.py": "# coding: nonsense\n"}, "not text in the encoding"),
    ({"rules.py": "# coding: rot13\n"}, "not text in the encoding"),
])  # fmt: skip
def test_what_cannot_be_bundled_is_refused(tmp_path, changes, sentence):
    with pytest.raises(bundle.BundleError, match=sentence):
        bundle.build(_package(tmp_path, {**FRIENDLY, **changes}))


def test_too_large_a_submission(tmp_path):
    source = _package(tmp_path)
    (source / "deep/data/big.bin").write_bytes(random.Random(1).randbytes(bundle.SIZE_LIMIT * 3 // 4))
    with pytest.raises(bundle.BundleError, match="more than our limit"):
        bundle.build(source)
    with pytest.raises(bundle.BundleError, match=r"holds no ai_player\.py"):
        bundle.build(source, "mo")


PLAY_ALONE = """
import sys, types
sys.path.insert(0, {folder!r})
import submission
space = types.SimpleNamespace(n=15)
board = [[[0] for _ in range(15)] for _ in range(15)]
observation = dict(state_map=board, chess_player_idx=1, board_width=15, board_height=15)
row, col = submission.my_controller(observation, [space, space], False)
assert sum(row) == sum(col) == 1 and submission.last_fault() is None
strangers = [name for name in sys.modules if name.startswith(("submission.", "algo", "local_runner", "env_adapter"))]
assert not strangers, strangers
print("ok")
"""


def test_runs_alone_in_an_empty_folder(tmp_path, python):
    _written(tmp_path / "upload")
    (tmp_path / "cwd").mkdir()
    command = [python, "-I", "-B", "-W", "error", "-c", PLAY_ALONE.format(folder=str(tmp_path / "upload"))]
    done = subprocess.run(command, cwd=tmp_path / "cwd", capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("ok\n", ""), done.stderr
    assert list((tmp_path / "cwd").iterdir()) == []


def test_a_folder_of_ones_own_called_native_is_packed(tmp_path):
    folder = _package(tmp_path / "own")
    (folder / "native").mkdir()
    (folder / "native" / "mine.py").write_text("DEPTH = 3\n")
    assert "native/mine.py" in bundle.build(folder).modules


@pytest.mark.parametrize("options", [
    ["--native"], pytest.param(["--set", "tictactoe_1v1:engine=native"], marks=pytest.mark.slow), [],
], ids=str)  # fmt: skip
def test_an_upload_holds_the_compiled_engine_only_if_a_setting_names_it(options, tmp_path, tengen):
    """A later bundle over the same file keeps the setting, and so the engine."""
    board = {"state_map": [[[0]] * 3] * 3, "chess_player_idx": 1}
    path = tmp_path / "dist" / "submission.py"
    for given_options in (options, []):
        assert tengen("bundle", *given_options)[0] == 0
        assert ("native/library.py" in path.read_text("utf-8")) == bool(options)
        agent = _load(path, f"native{len(given_options)}")
        agent["configure"](nodes=20)
        agent["my_controller"](board, None)
        thought = agent["last_thought"]()
        assert thought["engine"] == ("native" if options and "not_native" not in thought else "search")


@pytest.mark.parametrize(
    "env", ["tictactoe_1v1", *(pytest.param(env, marks=pytest.mark.slow) for env in ("gobang_1v1", "reversi_1v1"))]
)
def test_plays_the_same_whole_game_as_the_tree(env, tmp_path):
    """The answers, nodes and faults of both colours, over a game with half of its moves at random."""
    paths = bundle.SOURCE / "submission.py", _written(tmp_path / "upload")
    agents = [load_agent(str(path), f"{env}_{number}", {"depth": 2}) for number, path in enumerate(paths)]
    game, chance = make(env, seed=3), random.Random(3)
    spaces = game.get_single_action_space(0)
    while not game.is_terminal():
        answers = [[agent.my_controller(seen, spaces, False) for seen in game.all_observes] for agent in agents]
        assert answers[0] == answers[1]
        assert agents[0].last_thought()["nodes"] == agents[1].last_thought()["nodes"]
        random_move = game.legal_moves() and chance.random() < 0.5
        cell = chance.choice(game.legal_moves()) if random_move else None
        game.step([answer(cell, spaces[0].n, spaces[1].n)] * 2 if cell else answers[0])
    assert game.step_cnt >= 5 and [agent.last_fault() for agent in agents] == [None, None]


def test_bundles_in_one_process(tmp_path):
    """Two versions have modules of their own. The same version twice shares its modules, but not its globals."""
    newer = {**FRIENDLY, "rules.py": RULES.replace("[1] + [0]", "[2] + [0]")}
    paths = [_written(tmp_path / name, _package(tmp_path / f"from_{name}", files))
             for name, files in (("a", FRIENDLY), ("b", newer))]  # fmt: skip
    before, space = len(sys.meta_path), make("tictactoe_1v1").get_single_action_space(0)
    old, new, twice = (_load(path, name) for path, name in zip([*paths, paths[0]], "abc", strict=True))
    assert [agent["my_controller"](None, space)[0] for agent in (old, new, twice)] == [[1, 0, 0], [2, 0, 0], [1, 0, 0]]
    assert len(sys.meta_path) - before == 2
    assert old["rules"] is twice["rules"] and old["my_controller"] is not twice["my_controller"]


def test_data_and_late_imports_and_tracebacks_survive(tmp_path):
    module = _load(_written(tmp_path, _package(tmp_path / "source")), "friendly")
    assert module["WORD"] == DATA
    space = make("tictactoe_1v1").get_single_action_space(0)
    assert module["my_controller"](None, space) == [[1, 0, 0], [1, 0, 0]]
    with pytest.raises(ValueError) as caught:
        module["broken"]()
    text = "".join(traceback.format_exception(caught.value))
    assert 'submission.py/deep/inner.py", line 9, in fail' in text
    assert 'raise ValueError("on purpose")' in text
    with pytest.raises(FileNotFoundError, match="holds no data file"):
        module["read"](module["place"], "data/none.bin")
