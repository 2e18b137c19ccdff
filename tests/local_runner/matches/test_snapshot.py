"""Snapshots: which files an agent's run keeps, and that games are played from them whatever happens to the disk."""

import shutil
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from local_runner.agents import own_files
from local_runner.agents.catalogue import BUILT_INS, SUBMISSION
from local_runner.agents.spec import AgentSpec, parse_agent
from local_runner.errors import AgentError, RunnerError
from local_runner.matches import snapshot
from local_runner.matches.snapshot import Snapshot, changed, fingerprint, is_inside, take, taken_whole, unpacked, write
from local_runner.matches.tournament.executor import InlineExecutor
from local_runner.matches.tournament.rerun import rerun
from local_runner.matches.tournament.run import Observer, run
from local_runner.matches.tournament.salvage import salvage
from local_runner.matches.tournament.store import create, open_to_run, read
from local_runner.processes import scratch
from local_runner.processes.sandbox import SandboxMode
from local_runner.server.parts import AgentSeat
from local_runner.server.seating import Seating
from tests.local_runner.matches.tournament.small import plan_of
from tests.local_runner.processes.naughty import EMPTY

# the agent's file, the files that are kept, the files beside that are left out
KEPT = [
    ("a.py", {"a.py", "b.py"}, {"deep/c.py", "notes.txt"}),
    ("submission.py", {"submission.py", "b.py", "deep/c.py", "w.txt"},
     {".git/x", "__pycache__/b.pyc", ".submission.py.swp", ".env"}),
    ("a.py", {"__init__.py", "a.py", "deep/c.py", "deep/w.txt"}, set()),
    ("agent", {"agent", "b.py"}, {"notes.txt"}),
]  # fmt: skip


def made(folder, files):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


@pytest.mark.parametrize(("agent", "kept", "left"), KEPT)
def test_what_is_kept(agent, kept, left, tmp_path) -> None:
    made(tmp_path / "from", {name: name for name in kept | left})
    spec = AgentSpec("x", tmp_path / "from" / agent, {})
    taken = take(spec)
    assert (taken.main, set(taken.files)) == (agent, kept)
    write(taken, tmp_path / "to")
    assert taken_whole(tmp_path / "to" / agent) == taken
    assert fingerprint(spec) == fingerprint(AgentSpec("x", tmp_path / "to" / agent, {}))


FILES = {
    "mine.py": "import helper\nfrom .deep import c\nfrom . import late\nopen('.env'), open('passwords.txt')\n"
               "glob.glob('*')\nimport linked, diary, key\nimport_module('dynamic')", "dynamic.py": "",
    "submission.py": "import helper", "helper.py": "import further", "further.py": "", "late.py": "", "other.py": "",
    "deep/__init__.py": "", "deep/c.py": "", "deep/unnamed.py": "", "deep/w.txt": "",
    ".env": "", "passwords.txt": "", "Documents/diary.txt": "", "Documents/code.py": "", ".ssh/key": "",
}  # fmt: skip


@pytest.mark.parametrize(("named", "files"), [
    ("mine.py", {"mine.py", "helper.py", "further.py", "late.py", "deep/__init__.py", "deep/c.py", "linked.py",
                 "dynamic.py"}),
    ("submission.py", {"submission.py", "helper.py", "further.py"}),
    ("", {*FILES, "linked.py", "link_down.py"} - {".env", ".ssh/key"}),
])  # fmt: skip
def test_an_agent_named_by_its_file_sees_what_it_imports(named, files, tmp_path) -> None:
    """No data, even if the code names them; and no link that leads elsewhere."""
    folder = made(tmp_path / "Downloads", FILES)
    (tmp_path / "outside.py").touch()
    for name, target in {"linked.py": "other.py", "diary.py": "Documents/diary.txt", "key.py": ".ssh/key",
                         "further2.py": "../outside.py", "link_down.py": "Documents/code.py",
                         "code": ".ssh"}.items():  # fmt: skip
        (folder / name).symlink_to(target)
    agent = parse_agent(str(folder / named))
    taken = set(take(agent).files)
    assert taken - {"diary.py"} == files
    assert own_files.places(agent) == (tuple(folder / name for name in sorted(files)) if named else (folder,))
    assert ("diary.py" in taken) == (not named)  # a folder that is named is the agent's, with its links inside


def test_of_a_large_folder_only_what_the_code_names_is_kept(tmp_path, monkeypatch) -> None:
    files = {
        "submission.py": "import os\nfrom .engine import search\nfrom helper import x\nopen('nets/' + n + '.npz')",
        "engine/__init__.py": "", "engine/search.py": "from .board import Board", "engine/board.py": "",
        "engine/unused.py": "", "helper.py": "import json; json.load(open('config.json'))",
        "config.json": '{"book": "book.bin"}', "book.bin": "1", "nets/a.npz": "1", "nets/a.txt": "1",
        "venv/lib/numpy.py": "1", "logs/1.json": "1", "games.db": "1", "unrelated.py": "1", "submission.py~": "1",
    }  # fmt: skip
    monkeypatch.setattr(own_files, "WHOLE_FILES", 5)
    taken = take(parse_agent(str(made(tmp_path / "mine", files))))
    named = {"submission.py", "helper.py", "config.json", "book.bin", "nets/a.npz", "engine/__init__.py",
             "engine/search.py", "engine/board.py"}  # fmt: skip
    assert set(taken.files) == named | {"unrelated.py"}  # what lies beside is small
    assert set(snapshot.own(taken)) == named
    monkeypatch.setattr(own_files, "MOST_MB", sum(map(len, taken.files.values())) / 1e6 - 1e-6)
    assert set(take(parse_agent(str(tmp_path / "mine"))).files) == named
    monkeypatch.setattr(own_files, "MOST_MB", 0.00001)
    with pytest.raises(RunnerError, match="more than 1e-05 MB, too much to keep with the games; leave out"):
        take(parse_agent(str(tmp_path / "mine")))


def test_of_a_home_only_its_files_are_looked_at(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    made(tmp_path, {"submission.py": "import data, own\nopen('w.txt')", "data/x.py": "", "w.txt": "", "own.py": ""})
    assert set(take(parse_agent(str(tmp_path))).files) == {"submission.py", "own.py"}


@pytest.mark.parametrize("main", ["submission.py", "mine.py"])
@pytest.mark.parametrize(
    ("code", "file"),
    [
        ("open('.book')", ".book"),  # a hidden file
        ("import fast", "fast.cpython-37m-x86_64-linux-gnu.so"),
        ("from . import old", "old.pyc"),  # a module without source
        ("open('latest/w.npz')", "latest/w.npz"),  # by way of a link to the folder v3
        ("numpy.load(HERE + '/net' + str(n) + '.npz')", "net7.npz"),
        ("Path(__file__).with_suffix('.pth')", "submission.pth"),
        ("open(os.path.join(HERE, 'a', 'b', 'c', 'w.txt'))", "a/b/c/w.txt"),
        ("[open(p) for p in glob.glob(HERE + '/*')]", "some.thing"),
        ("open('权重.txt')", "权重.txt"),
    ],
)
def test_what_the_code_names_is_kept(main, code, file, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(own_files, "WHOLE_FILES", 0)
    made(tmp_path, {main: code, "v3/w.npz": "3"} | ({} if file.startswith("latest") else {file: "1"}))
    if file.startswith("latest"):
        (tmp_path / "latest").symlink_to("v3")
    (tmp_path / "v3" / "loop").symlink_to("..")
    taken = take(AgentSpec("x", tmp_path / main, {}))
    assert set(taken.files) == {main, file}
    assert set(snapshot.own(taken)) == {main, file}


@pytest.mark.slow
def test_encoded_data_names_no_file(tmp_path) -> None:
    agent = made(tmp_path / "mine", {"submission.py": f'W = "{"x|t*n" * 16}"\n', "train.py": "x = 1"}) / "submission.py"
    assert own_files.missed(AgentSpec("mine", agent, {}, alone=True)) == set()


def test_ours_are_kept_whole() -> None:
    taken = take(parse_agent("tengen"))
    on_disk = {path.relative_to(SUBMISSION.parent).as_posix() for path in SUBMISSION.parent.rglob("*")
               if path.is_file() and "__pycache__" not in path.parts}  # fmt: skip
    assert set(taken.files) == on_disk
    assert all(changed(parse_agent(name), take(parse_agent(name))) == [] for name in BUILT_INS)


@pytest.mark.parametrize("name", ["submission.py", "mine.py"])
def test_links_that_lead_out_are_left_out(name, tmp_path) -> None:
    folder = made(tmp_path / "agent", {name: "open('weights.txt')", "inside.py": ""})
    made(tmp_path, {"secret": "", "secret.py": ""})
    (folder / "weights.txt").symlink_to(tmp_path / "secret")
    (folder / "out.py").symlink_to(tmp_path / "secret.py")
    (folder / "up").symlink_to(tmp_path)
    (folder / "link.py").symlink_to("inside.py")
    (folder / "nowhere.py").symlink_to("gone.py")
    (tmp_path / "given.py").symlink_to(folder / name)
    given = parse_agent(str(tmp_path / "given.py"))
    assert set(take(replace(given, alone=False)).files) == {name, "inside.py", "link.py"}
    assert set(take(given).files) == {name}


def test_a_file_that_vanishes_meanwhile_is_left_out(tmp_path, monkeypatch) -> None:
    folder = made(tmp_path / "mine", {"submission.py": "", "4913": "an editor's temporary file"})
    read_bytes = snapshot.content_of

    def vanishing(path, most=-1):
        if most == 1:
            return read_bytes(path, most)
        (folder / "4913").unlink(missing_ok=True)
        return read_bytes(path, most)

    monkeypatch.setattr(snapshot, "content_of", vanishing)
    assert set(take(parse_agent(str(folder))).files) <= {"submission.py", "4913"}
    (folder / "submission.py").unlink()
    with pytest.raises(AgentError, match="cannot be read"):
        take(AgentSpec("mine", folder / "submission.py", {}))


@pytest.mark.parametrize(
    ("name", "inside"),
    [("a.py", True), ("a/b.txt", True), ("../a.py", False), ("a/../../b", False), ("/etc/x", False), ("", False)],
)
def test_a_file_from_elsewhere_cannot_lead_out(name, inside) -> None:
    assert is_inside(name) == inside


def test_copies_of_ours_are_ours_only_while_they_are_the_same() -> None:
    spec = parse_agent("greedy")
    with unpacked([spec], [take(spec)], sys.executable) as [copy]:
        assert copy.agent == spec and copy.path != spec.path and copy.path.name == "greedy.py"
        assert (copy.path.parent / "__pycache__").is_dir()  # compiled, so that a start is as fast as before
    assert not copy.path.exists()
    other = Snapshot("greedy.py", {"greedy.py": b"x = 1"})
    with unpacked([spec], [other], sys.executable) as [copy]:
        assert (copy.agent.path, copy.agent.is_ours) == (copy.path, False)


# ---- games

AGENT = """\
import os, sys
from . import helper
import sibling
HERE = os.path.dirname(os.path.abspath(__file__))
def my_controller(observation, action_space, is_act_continuous=False):
    import late
    with open(os.path.join(HERE, "weights", "net_%d.txt" % 1)) as file:
        version = file.read() + helper.VERSION + sibling.VERSION + late.VERSION + VERSION
    global thought
    thought = {"version": version, "file": __file__}
    return helper.answer(observation, action_space)
VERSION = "1"
thought = None
def last_thought():
    return thought
"""
HELPER = 'VERSION = "1"\n'


@pytest.fixture
def home(tmp_path):
    """An agent of five files, each of which has a version, beside unrelated files."""
    first_free = (Path(__file__).parents[1] / "specimens" / "first_free.py").read_text("utf-8")
    return made(tmp_path / "mine", {
        "submission.py": AGENT, "helper.py": HELPER + first_free.replace("my_controller", "answer"),
        "sibling.py": HELPER, "late.py": HELPER, "weights/net_1.txt": "1", "notes.txt": "1", "other.py": "x = 1",
    })  # fmt: skip


def edited(home):
    for path in home.rglob("*.*"):
        path.write_text(path.read_text("utf-8").replace('"1"', '"2"').replace("1", "2"), "utf-8")


def moved(home):
    home.rename(home.with_name("moved"))


def swapped(home):
    """As a checkout of another version does: every file is replaced by a new one."""
    shutil.copytree(home, home.with_name("new"))
    edited(home.with_name("new"))
    shutil.rmtree(home)
    home.with_name("new").rename(home)


class Meddler(Observer):
    """Changes the disk after each game, and collects what the agent said of itself."""

    decides = True

    def __init__(self, home, change):
        self.home, self.change, self.seen = home, change, set()

    def ended(self, game):
        self.seen |= {(call.thought["version"], call.thought["file"]) for call in game.details.calls if call.thought}
        if self.home.exists():
            self.change(self.home)


SLOW = [pytest.param(change, marks=pytest.mark.slow) for change in (shutil.rmtree, moved, swapped)]


@pytest.mark.parametrize("change", [edited, *SLOW])
def test_all_games_play_the_version_of_the_beginning(change, home, tmp_path, capsys) -> None:
    """In the run, after it was interrupted and resumed, and a year later, whatever has happened to the disk."""
    plan, file = plan_of(str(home), "greedy", rounds=2), tmp_path / "t.db"
    said = {("11111", str(home / "submission.py"))}
    meddler = Meddler(home, change)

    def play(store):
        assert run(store, InlineExecutor(tmp_path / "out"), meddler).complete

    with create(file, plan, {}) as store:
        meddler.enough = lambda: len(store.games()) == 2  # type: ignore[method-assign]
        assert not run(store, InlineExecutor(tmp_path / "out"), meddler).complete
    meddler.enough = lambda: False  # type: ignore[method-assign]
    with open_to_run(file) as store:
        assert home / "submission.py" in store.changed_files()
        assert home / "notes.txt" not in store.changed_files()
        play(store)
    assert meddler.seen == said
    with read(file) as store:
        assert rerun(store, 1, tmp_path / "logs") == 0
    first, second = [line.split("after")[0].split(None, 1)[1] for line in capsys.readouterr().out.splitlines()[:2]]
    assert first == second
    assert not any(name.name.startswith(scratch.SNAPSHOTS) for name in tmp_path.iterdir())


@pytest.mark.slow
def test_on_another_machine_nothing_of_the_first_is_needed(home, tmp_path) -> None:
    with create(tmp_path / "t.db", plan_of(str(home), "greedy", rounds=1), {}):
        pass
    (tmp_path / "elsewhere").mkdir()
    shutil.move(tmp_path / "t.db", tmp_path / "elsewhere" / "t.db")
    shutil.rmtree(home)
    with open_to_run(tmp_path / "elsewhere" / "t.db") as store:
        assert run(store, InlineExecutor(tmp_path / "out")).complete
        assert all(game.result.fault is None for game in store.games())


@pytest.mark.parametrize("value", ["[]", "7", '[["submission.py", {}]]', '[["a", {"b": "c"}], ["b", {"b": "c"}]]'])
def test_a_forged_list_of_files_is_damage(value, home, tmp_path) -> None:
    with create(tmp_path / "t.db", plan_of(str(home), "greedy", rounds=1), {}) as store:
        with store._tables.writing() as tables:
            tables.put("about", [("files", value)], "REPLACE")
        store._snapshots = None
        with pytest.raises(RunnerError, match="its files cannot be read"):
            store.snapshots()


@pytest.mark.parametrize("name", ["../out.py", "/tmp/out.py"])
def test_a_forged_path_is_damage(name, home, tmp_path) -> None:
    forged = Snapshot("submission.py", {"submission.py": b"x = 1", name: b"x = 1"})
    plan = plan_of(str(home), "greedy", rounds=1)
    with create(tmp_path / "t.db", plan, {}, [forged, take(plan.agents[1])]):
        pass
    with pytest.raises(RunnerError, match=f"the agents' file {name} cannot be read"), open_to_run(tmp_path / "t.db"):
        pass


def test_a_content_is_kept_once(home, tmp_path) -> None:
    plan = plan_of(str(home), f"{home}/other.py", "greedy", "random", "seed000", rounds=1)
    with create(tmp_path / "t.db", plan, {}) as store:
        kept = [digest for digest, _ in store._tables.rows("files")]
    assert len(kept) == len(set(kept)) == len({c for each in store.snapshots() for c in each.files.values()})


@pytest.mark.parametrize(
    "damage",
    ["UPDATE files SET content = x'00'", "DELETE FROM files", "UPDATE about SET value = '[]' WHERE key = 'files'"],
)
def test_damaged_files_are_named_and_salvage_takes_todays(damage, home, tmp_path) -> None:
    file, new = tmp_path / "t.db", tmp_path / "new.db"
    with create(file, plan_of(str(home), "greedy", rounds=1), {}) as store:
        store._tables.database.executescript(damage)
    with pytest.raises(RunnerError, match=r"is damaged: .*tengen salvage"), open_to_run(file):
        pass
    with read(file) as store, pytest.raises(RunnerError, match="is damaged"):
        store.snapshots()
    assert "the agents' files are lost, and today's are taken" in str(salvage(file, new))
    with open_to_run(new) as store:
        assert "weights/net_1.txt" in store.snapshots()[0].files
    new.unlink()
    shutil.rmtree(home)
    salvage(file, new)
    with open_to_run(new) as store, pytest.raises(RunnerError, match=r"submission.py cannot be read"):
        run(store, InlineExecutor(tmp_path / "out"))


def test_a_room_plays_the_version_of_its_beginning(home, tmp_path, monkeypatch) -> None:
    """Also after `renew`, which starts a new process, as after an undone move."""
    monkeypatch.setattr(Seating, "_agent", lambda seating, seat: parse_agent(str(home)))
    (tmp_path / "room").mkdir()
    agent = Seating(None, SandboxMode.AUTO).contestant(AgentSeat(kind="agent", name="mine"), tmp_path / "room")  # type: ignore[arg-type]
    for _ in range(2):
        reply = agent.act(EMPTY, 3, 3)  # type: ignore[union-attr]
        assert (reply.thought["version"], reply.thought["file"]) == ("11111", str(home / "submission.py"))
        edited(home)
        agent.renew()  # type: ignore[union-attr]
    agent.close()  # type: ignore[union-attr]
