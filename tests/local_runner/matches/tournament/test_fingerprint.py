"""Fingerprints: two different agents never have the same one."""

from dataclasses import replace

import pytest

from local_runner.agents.catalogue import BUILT_INS
from local_runner.agents.spec import parse_agent
from local_runner.matches.snapshot import fingerprint


def taken(path):
    """The fingerprint of an agent to whom its folder belongs."""
    return fingerprint(replace(parse_agent(str(path)), alone=False))


def test_no_two_agents_share_one():
    more = ["tengen:depth=3", "tengen:depth=4", "tengen:seconds=3", "random:seed=1", "seed000:variant=annealing"]
    taken_by = {}
    for name in (*BUILT_INS, *more):
        assert taken_by.setdefault(fingerprint(parse_agent(name)), name) == name


def test_a_fingerprint_is_of_all_that_belongs_to_an_agent(tmp_path):
    (tmp_path / "deep").mkdir()
    texts = {"submission.py": "from .helper import x", "helper.py": "import deep.far", "deep/far.py": "x = 1",
             "other.py": "x = 1"}  # fmt: skip
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    found = {taken(tmp_path)}
    (tmp_path / "other.py").write_text("x = 2")
    assert {taken(tmp_path)} == found  # no file of the agent imports it
    for name in ("helper.py", "deep/far.py", "__init__.py"):
        (tmp_path / name).write_text("import deep.far; x = 2")
        found.add(taken(tmp_path))
    assert len(found) == 4


@pytest.mark.parametrize(
    ("main", "code", "file", "counts"),
    [
        ("mine.py", "open('weights.pth')", "weights.pth", True),
        ("mine.py", "open('weights.pth')", "holiday.jpg", False),  # a folder may hold anything
        ("mine.py", "open('weights_%d.bin' % n)", "weights_10.bin", True),
        ("mine.py", "open(f'weights_{n}.bin')", "weights_8.bin", True),
        ("mine.py", "open('weights_8.bin')", "weights_10.bin", False),
        ("mine.py", "open('weights.pth')", "weights.pth.txt", False),
        ("mine.py", "open('weights.pth')", "s.pth", False),
        ("mine.py", "open('weights.pth')", ".pth", False),
        ("mine.py", "open(name + '.npz')", "net.npz", True),
        ("mine.py", "open(os.path.join(HERE, 'data', f'{name}.json'))", "data/a.json", True),
        ("mine.py", "open(os.path.join(HERE, 'data', f'{name}.json'))", "logs/a.json", False),
        ("mine.py", "for name in os.listdir(HERE): open(name)", "any", True),
        ("mine.py", "import engine.search", "engine/search.py", True),
        ("mine.py", "from .engine import (\n    search, x)", "engine/search.py", True),
        ("mine.py", "import engine", "engine/__init__.py", True),
        ("mine.py", "importlib.import_module('engine')", "engine.py", True),
        ("mine.py", "# the engine of yesterday", "engine.py", False),
        ("mine.py", "open('list.json')", "~list.json", False),
        ("mine.py", "open('data/weights.txt')", "data/weights.txt", True),
        ("submission.py", "open('data/weights.txt')", "data/weights.txt", True),  # its folder belongs to it
    ],
)
def test_the_data_that_the_code_names_counts(main, code, file, counts, tmp_path):
    (tmp_path / main).write_text(code)
    (tmp_path / file).parent.mkdir(exist_ok=True)
    (tmp_path / file).write_text("1")
    first = taken(tmp_path / main)
    (tmp_path / file).write_text("2")
    assert (taken(tmp_path / main) != first) == counts


def test_what_a_link_leads_out_to_does_not_count(tmp_path):
    folder, secret = tmp_path / "agent", tmp_path / "weights.py"
    folder.mkdir()
    (folder / "submission.py").write_text("open('weights.txt')")
    for name in ("weights.txt", "weights.py"):
        (folder / name).symlink_to(secret)
    secret.write_text("1")
    first = taken(folder)
    secret.write_text("2")
    assert taken(folder) == first
