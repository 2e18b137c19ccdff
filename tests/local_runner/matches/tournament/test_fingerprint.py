"""Fingerprints: two different agents never have the same one."""

import pytest

from local_runner.agents.catalogue import BUILT_INS
from local_runner.agents.spec import parse_agent
from local_runner.matches.tournament.plan import fingerprint


def taken(path):
    return fingerprint(parse_agent(str(path)))


def test_no_two_agents_share_one():
    more = ["tengen:depth=3", "tengen:depth=4", "tengen:seconds=3", "random:seed=1", "seed000:variant=annealing"]
    taken_by = {}
    for name in (*BUILT_INS, *more):
        assert taken_by.setdefault(fingerprint(parse_agent(name)), name) == name


def test_a_fingerprint_is_of_all_that_belongs_to_an_agent(tmp_path):
    (tmp_path / "deep").mkdir()
    for name in ("submission.py", "helper.py", "deep/far.py"):
        (tmp_path / name).write_text("x = 1\n")
    first = taken(tmp_path / "submission.py")
    (tmp_path / "deep" / "far.py").write_text("x = 2\n")
    assert taken(tmp_path / "submission.py") == first  # not a package, so files in folders below do not count
    (tmp_path / "helper.py").write_text("x = 2\n")
    second = taken(tmp_path / "submission.py")
    (tmp_path / "__init__.py").write_text("")
    (tmp_path / "deep" / "far.py").write_text("x = 3\n")
    assert len({first, second, taken(tmp_path / "submission.py")}) == 3


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
        ("mine.py", "open('data/weights.txt')", "data/weights.txt", False),
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
