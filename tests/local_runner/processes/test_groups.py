"""Control groups: where they are made, and what is read from their files. The tree is a folder with plain files."""

import os
from pathlib import Path

import pytest

from local_runner.processes import groups
from tests.local_runner.processes.naughty import ON_LINUX

pytestmark = pytest.mark.skipif(not ON_LINUX, reason="control groups are Linux's")
FILES = {
    "cgroup.controllers": "cpuset cpu io memory pids\n", "cgroup.subtree_control": "", "cgroup.procs": "",
    "cgroup.threads": "", "cgroup.freeze": "0\n", "cpu.stat": "usage_usec 2500000\nuser_usec 1\n",
    "memory.current": "90000000\n", "memory.stat": "anon 1\nactive_file 1000000\ninactive_file 4000000\n",
    "memory.events": "oom 0\noom_kill 0\n", "memory.max": "", "memory.oom.group": "", "pids.max": "",
    "cgroup.kill": "", "memory.swap.max": "", "io.max": "", "io.weight": "",
}  # fmt: skip


def fill(folder):
    folder.mkdir(parents=True)
    for name, content in FILES.items():
        (folder / name).write_text(content)
    return folder


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """A false cgroup tree; a new group in it gets the kernel's files. This process is in the group `session`."""
    mkdir = Path.mkdir
    root = fill(tmp_path / "cgroup")
    session = fill(root / "session")

    def make(folder, *args, **kwargs):
        mkdir(folder, *args, **kwargs)
        if folder.name.startswith(groups.PREFIX):
            for name, content in FILES.items():
                (folder / name).write_text(content)

    proc = tmp_path / "proc"
    (proc / "self").mkdir(parents=True)
    (proc / str(os.getpid())).mkdir()
    (proc / "self" / "mountinfo").write_text(f"30 23 0:26 / {root} rw,nosuid - cgroup2 cgroup2 rw\n")
    (proc / "self" / "cgroup").write_text("1:name=systemd:/other\n0::/session\n")
    monkeypatch.setattr(groups.procfs, "PROC", proc)
    monkeypatch.setattr(Path, "mkdir", make)
    monkeypatch.setattr(groups, "_asked_systemd", lambda own: False)
    groups.home.cache_clear()
    yield session
    groups.home.cache_clear()


def test_without_cgroup_v2_there_is_no_home(tree):
    (groups.procfs.PROC / "self" / "mountinfo").write_text("30 23 0:26 / /sys/fs/cgroup rw - cgroup cgroup rw\n")
    assert (groups.home(), groups.made(1, 2), groups.counted()) == (None, None, frozenset())


def test_a_runner_in_its_leaf_uses_the_group_above(tree):
    (groups.procfs.PROC / "self" / "cgroup").write_text(f"0::/session/{groups.LEAF}\n")
    assert groups.home() == tree


def test_a_group_that_systemd_delegates_is_cleared_and_divided(tree, monkeypatch):
    monkeypatch.setattr(groups, "_asked_systemd", lambda own: True)
    (tree / "cgroup.procs").write_text("17\n")
    assert groups.home() == tree
    assert (tree / groups.LEAF / "cgroup.procs").read_text() == "17"
    assert (tree / "cgroup.subtree_control").read_text().startswith("+")  # both were written to the same place


def test_another_group_is_divided_but_not_cleared(tree):
    (tree / "cgroup.subtree_control").write_text("memory pids io")
    assert groups.home() == tree and not (tree / groups.LEAF).exists()
    assert groups.counted() == {"time", "memory", "pids", "io"}


def test_leftovers_of_ended_runners_are_removed(tree):
    ours = groups._prefix()
    kept = ["others", f"{ours}{os.getpid()}-0", "tengen-ns1-999999999-0"]  # the last of a container's runner
    for name in (f"{ours}999999999-0", *kept):
        os.mkdir(tree / name)
    groups.home()
    assert sorted(path.name for path in tree.iterdir() if path.is_dir()) == sorted(kept)


@pytest.mark.parametrize("is_partition", [False, True])
def test_the_disk_of_the_temporary_folder_is_bounded(is_partition, tree, tmp_path, monkeypatch):
    device = os.stat(tmp_path).st_dev
    number = f"{os.major(device)}:{os.minor(device)}"
    disk = tmp_path / "sys/devices/disk"
    part = disk / "part" if is_partition else disk
    part.mkdir(parents=True)
    (part / "dev").write_text(f"{number}\n")
    if is_partition:
        (part / "partition").write_text("1\n")
        (disk / "dev").write_text("259:0\n")
    links = tmp_path / "sys/dev/block"
    links.mkdir(parents=True)
    (links / number).symlink_to(part)
    monkeypatch.setattr(groups, "SYSTEM", tmp_path / "sys")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    groups.made(None, 256).close_entrance()
    [folder] = [path for path in tree.iterdir() if path.name.startswith(f"{groups._prefix()}{os.getpid()}")]
    assert (folder / "io.max").read_text() == f"{'259:0' if is_partition else number} wbps={64 << 20}"
    assert (folder / "io.weight").read_text() == "10"


def test_a_group_is_counted_stopped_and_killed(tree):
    group = groups.made(100_000_000, 256)
    [folder] = [path for path in tree.iterdir() if path.name.startswith(f"{groups._prefix()}{os.getpid()}")]
    limits = {name: (folder / name).read_text() for name in ("memory.max", "memory.oom.group", "pids.max")}
    assert limits == {"memory.max": str(100_000_000 + groups.ROOM), "memory.oom.group": "1", "pids.max": "256"}
    assert (group.cpu(), group.memory(), group.was_too_large()) == (2.5, 85_000_000, False)
    (folder / "memory.events").write_text("oom 1\noom_kill 1\n")
    assert group.was_too_large()
    group.freeze(True)
    assert (folder / "cgroup.freeze").read_text() == "1\n"
    (folder / "cgroup.threads").write_text(f"{os.getpid()}\n")
    assert not group.is_busy(os.getpid())
    (folder / "memory.current").unlink()
    assert group.memory() is None  # this kernel does not count it here
    group.kill()
    assert (folder / "cgroup.kill").read_text() == "1"
    for name in FILES:
        (folder / name).unlink(missing_ok=True)  # the kernel's files go with their folder
    group.remove()
    group.remove()
    assert not folder.exists() and group.cpu() == 2.5
