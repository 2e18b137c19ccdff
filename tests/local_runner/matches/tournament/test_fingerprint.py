"""Fingerprints: two different agents never have the same one, and files of older versions are judged by theirs."""

import hashlib
import os

import pytest

from local_runner.agents.catalogue import BUILT_INS
from local_runner.agents.spec import parse_agent
from local_runner.errors import RunnerError
from local_runner.matches.tournament import store
from local_runner.matches.tournament.plan import fingerprint, is_unchanged, own_files
from tests.local_runner.matches.tournament.small import plan_of
from tests.local_runner.processes.naughty import written


def taken(path):
    return fingerprint(parse_agent(str(path)))


def of_older_versions(agent):
    """The hash that files had before: of the code alone."""
    digest = hashlib.sha256()
    for file in own_files(agent):
        name = os.fsencode(file.relative_to(agent.path.parent))
        digest.update(name + b"\0" + hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()[:16]


def test_no_two_agents_share_one():
    more = ["tengen:depth=3", "tengen:depth=4", "tengen:seconds=3", "random:seed=1", "seed000:variant=annealing"]
    taken_by = {}
    for name in (*BUILT_INS, *more):
        assert taken_by.setdefault(fingerprint(parse_agent(name)), name) == name


def test_two_agents_of_one_folder_differ(tmp_path):
    for name in ("a.py", "b.py"):
        (tmp_path / name).write_text("x = 1\n")
    assert taken(tmp_path / "a.py") != taken(tmp_path / "b.py")


@pytest.mark.parametrize(("code", "file", "counts"), [
    ("open('weights.pth')", "weights.pth", True),
    ("open('weights.pth')", "holiday.jpg", False),           # a folder may hold anything
    ("open('weights_%d.bin' % n)", "weights_10.bin", True),
    ("open(f'weights_{n}.bin')", "weights_8.bin", True),
    ("open('weights_8.bin')", "weights_10.bin", False),
    ("open('weights.pth')", "weights.pth.txt", False),
    ("open('weights.pth')", "s.pth", False),
])
def test_the_data_that_the_code_names_counts(code, file, counts, tmp_path):
    (tmp_path / "mine.py").write_text(code)
    (tmp_path / file).write_text("1")
    first = taken(tmp_path / "mine.py")
    (tmp_path / file).write_text("2")
    assert (taken(tmp_path / "mine.py") != first) == counts


@pytest.mark.parametrize(("main", "counts"), [("submission.py", True), ("mine.py", False)])
def test_data_in_folders_belongs_to_a_submission(main, counts, tmp_path):
    (tmp_path / main).write_text("open('data/weights.txt')")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "weights.txt").write_text("1")
    first = taken(tmp_path / main)
    (tmp_path / "data" / "weights.txt").write_text("2")
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


def test_a_file_of_an_older_version_goes_on_while_its_code_is_the_same(tmp_path, monkeypatch):
    agent, path = parse_agent(written(tmp_path, "pass")), tmp_path / "t.db"
    monkeypatch.setattr(store, "fingerprint", of_older_versions)
    with store.create(path, plan_of(str(agent.path), "greedy"), {}):
        pass
    monkeypatch.undo()
    with store.open_to_run(path) as kept:
        assert kept.fingerprints() == [of_older_versions(agent), of_older_versions(parse_agent("greedy"))]
    agent.path.write_text(agent.path.read_text() + "# better\n")
    with pytest.raises(RunnerError, match="has changed since"), store.open_to_run(path):
        pass


def test_other_hashes_are_no_match():
    agent = parse_agent("greedy")
    assert is_unchanged(agent, fingerprint(agent)) and is_unchanged(agent, of_older_versions(agent))
    assert not is_unchanged(agent, fingerprint(parse_agent("random"))) and not is_unchanged(agent, "")
