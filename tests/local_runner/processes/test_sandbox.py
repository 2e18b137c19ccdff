"""The sandbox: the choice of its kind, an agent's view of files in each kind, and the filter on system calls.

An interpreter of its own executes the filter for both machines; test_verdicts.py tries it in the kernel.
"""

import errno
import os
import re
from dataclasses import replace
from pathlib import Path

import pytest

from local_runner.agents.source_reader import parsed
from local_runner.agents.spec import parse_agent
from local_runner.errors import RunnerError
from local_runner.processes import doctor, sandbox
from local_runner.processes.agent_side import kernel
from local_runner.processes.process import AgentProcess
from local_runner.processes.sandbox import HostScript, SandboxMode, SandboxWarning
from tests.local_runner.processes.naughty import EMPTY, PATIENT, written

TOOLS = """
here = os.path.dirname(__file__)
def hidden(*arguments):
    try: open(*arguments)
    except OSError: return True
"""
# How the agent is named, by its folder or by its file, and what it asserts in a call.
SEEN = {
    "by folder": (
        "assert open(here + '/data.txt').read() == 'mine' and hidden(here + '/data.txt', 'a')\n"
        "assert os.listdir('.') == [] and os.getcwd() == os.environ['HOME'] and 'SECRET_TOKEN' not in os.environ\n"
        "open('note', 'w').write('x')\nassert open('note').read() == 'x'"
    ),
    "at home": "assert all(hidden(here + name) for name in ('/data.txt', '/notes.py', '/all.py/etc/group'))",
    "by file": "import beside\nassert beside.CELL == 4 and hidden(here + '/data.txt')",
    "by file, relative": "from . import beside\nassert beside.CELL == 4 and hidden(here + '/data.txt')",
}  # fmt: skip


@pytest.mark.parametrize("named", SEEN)
def test_the_files_that_an_agent_sees(kind, named, tmp_path, monkeypatch):
    """Its folder, or its file and the modules that it imports, read-only; and an empty folder to write into."""
    monkeypatch.setenv("SECRET_TOKEN", "abc")
    monkeypatch.setattr(Path, "home", lambda: tmp_path / ("mine" if "home" in named else "home"))
    folder = tmp_path / "mine"
    folder.mkdir(mode=0o700)
    (folder / "data.txt").write_text("mine")
    (folder / "data.txt").chmod(0o600)
    (folder / "beside.py").write_text("CELL = 4\n")
    (folder / "notes.py").symlink_to("data.txt")
    (folder / "all.py").symlink_to("/")
    before = sorted(folder.iterdir())
    agent = replace(parse_agent(written(folder, TOOLS + SEEN[named])), alone="file" in named)
    with AgentProcess(agent, tmp_path / "out.txt", PATIENT) as process:
        assert process.start().fault is None
        fault = process.act(EMPTY, 3, 3).fault
    assert fault is None, fault.traceback
    assert sorted(folder.iterdir()) == [*before, folder / "written.py"]


class TestChoice:
    """The kind of sandbox chosen, or the reason why no agent can run."""

    @pytest.fixture(params=[True, False], ids=["root", "user"])
    def root(self, request, monkeypatch):
        """A machine without a sandbox."""
        monkeypatch.setattr(sandbox, "is_root", lambda: request.param)
        monkeypatch.setattr(sandbox, "best", lambda: sandbox.NONE)
        for kind, why in ((sandbox.Bubblewrap, "no bubblewrap"), (sandbox.Landlock, "no Landlock")):
            monkeypatch.setattr(kind, "why_not", lambda _, why=why: why)
        return request.param

    def test_which_run_without_a_sandbox(self, root):
        """Our agents run, in the mode OFF all, in ON none. Root runs no stranger's agent; the warning is shown once."""
        assert sandbox.chosen(SandboxMode.OFF) is sandbox.chosen(SandboxMode.AUTO, trusted=True) is sandbox.NONE
        for trusted in (True, False):
            with pytest.raises(RunnerError, match=r"no bubblewrap; no Landlock.*apt install bubblewrap"):
                sandbox.chosen(SandboxMode.ON, trusted=trusted)
        if root:
            with pytest.raises(RunnerError, match="must not run as root without a sandbox"):
                sandbox.chosen(SandboxMode.AUTO)
            return
        sandbox.warn_once.cache_clear()
        with pytest.warns(SandboxWarning, match="no bubblewrap.*apt install bubblewrap") as caught:
            for text in ("1", "2"):
                parsed(text)  # after this, Python does not know which warnings it has shown
                assert sandbox.chosen(SandboxMode.AUTO) is sandbox.NONE
        assert len(caught) == 1

    def test_the_best_kind_is_taken_and_the_doctors_probe_gets_nothing_there(self, kind):
        assert sandbox.chosen(SandboxMode.AUTO) is sandbox.chosen(SandboxMode.ON) is kind
        assert doctor.probed() == []

    def test_without_a_sandbox_the_probe_gets_all(self, monkeypatch):
        monkeypatch.setattr(doctor, "MODE", SandboxMode.OFF)
        assert doctor.probed() == list(doctor.ATTEMPTS)
        monkeypatch.setattr(sandbox.sys, "platform", "darwin")  # macOS, which has no sandbox
        assert sandbox.Bubblewrap.why_not.__wrapped__(sandbox.BUBBLEWRAP) == "bubblewrap needs Linux"

    def test_everything_is_closed_after_the_last_mount(self, tmp_path):
        if why := sandbox.BUBBLEWRAP.why_not():
            pytest.skip(f"NOT TESTED: {why}")
        script = HostScript(tmp_path, sandbox.sys.executable, SandboxMode.ON, readable=(Path("/usr"),))
        command = sandbox.BUBBLEWRAP.interpreter(script)
        mounts, _closed, rest = " ".join(command).partition(" --remount-ro /proc --remount-ro / ")
        assert "--tmpfs /tmp" in mounts and "bind" not in rest and "tmpfs" not in rest
        assert {"--unshare-pid", "--unshare-net", "--unshare-ipc"} <= set(command)


# ---- the filter on system calls; its numbers are compared with the headers of the kernel

ME = 4321
MASK = 0xFFFFFFFF
NEW_USER, THREAD, FILES, VFORK = 0x10000000, 0x00010000, 0x00000400, 0x00004000  # flags of clone
READ, NEWER = (0, 63), (442, 442)  # calls that the filter does not know: read, and the first one of Linux 5.12
HEADERS = ("x86_64-linux-gnu/asm/unistd_64.h", "asm-generic/unistd.h")  # in /usr/include, of the two machines
DENIED_TO_ONE = "execve vmsplice splice tee sendfile sendmsg fork vfork"
DENIED = """
socket unshare clone3 getxattr setxattr ptrace tkill memfd_create shmget msgget semget mq_open io_uring_setup io_setup
inotify_init1 timer_create add_key seccomp process_vm_writev close_range pidfd_open mbind setpriority ioprio_set sync
bind connect setsockopt sched_setaffinity set_mempolicy listxattr
"""
BOTH, MANY, NOBODY = (True, True), (True, False), (False, False)
# Call -> which agents may make it -> with these arguments: both kinds; those that may have processes (here in a PID
# namespace of their own), but not those of one process; nobody.
CALLS = {
    READ: {BOTH: [()]},
    NEWER: {NOBODY: [()]},
    "openat": {BOTH: [(0, 0, os.O_RDONLY), (0, 0, os.O_WRONLY | os.O_TRUNC)],
               NOBODY: [(0, 0, os.O_TRUNC), (0, 0, kernel.DIRECT)]},
    "open": {NOBODY: [(0, os.O_RDONLY | os.O_TRUNC), (0, kernel.DIRECT)]},
    "clone": {BOTH: [(THREAD | FILES,)], MANY: [(THREAD,), (THREAD | FILES | VFORK,), (17,)], NOBODY: [(NEW_USER,)]},
    "socketpair": {BOTH: [(1, 1 | 0o2000000)], NOBODY: [(1, 2 | 0o2000000), (1, 5), (2, 1)]},
    "kill": {BOTH: [(ME,)], MANY: [(ME + 1,), (-1,), (ME, 9)], NOBODY: [(ME, 18)]},
    "tgkill": {BOTH: [(ME,)], MANY: [(ME, ME, 9)], NOBODY: [(ME, ME, 18)]},
    "mmap": {BOTH: [(0, 0, 3, 0x01), (0, 0, 3, 0x22)], MANY: [(0, 0, 3, flags) for flags in (0x21, 0x40022, 0x122)]},
    **{name: {BOTH: [(0, 0), (1, 1)], MANY: [(2, 2)]} for name, _at in kernel.WAITS},
    "prctl": {BOTH: [(15,)], NOBODY: [(option,) for option in (1, 4, 22, 62, 78, 0x53564D41)]},
    "fcntl": {BOTH: [(3, 3), (3, 4, os.O_NONBLOCK)], MANY: [(3, 1031, 1 << 20)],
              NOBODY: [(3, 4, kernel.DIRECT), *((3, command) for command in (6, 7, 8, 10, 15, 37, 38, 1024, 1026))]},
    "ioctl": {BOTH: [(3, 0x5421)], NOBODY: [(1, command) for command in (0x5412, 0x541C, 0x40305828, 0x8901)]},
    "fallocate": {BOTH: [(1, 0, 0, 4096)], NOBODY: [(1, 1, 0, 4096)]},
    "madvise": {BOTH: [(0, 4096, 4)], NOBODY: [(0, 4096, 21)]},
    "setrlimit": {BOTH: [(3,)], MANY: [(0,), (15,)]},
    "prlimit64": {BOTH: [(0, 3, 7), (0, 0, 0)], MANY: [(0, 0, 7), (0, 15, 7 << 32)], NOBODY: [(ME + 1,)]},
    **{name: {MANY: [()]} for name in DENIED_TO_ONE.split()},
    **{name: {NOBODY: [()]} for name in DENIED.split()},
}  # fmt: skip


def verdict(machine, many, number, arguments, arch=None):
    """The filter's result. The loop below interprets the five BPF instructions that the filter uses."""
    data = {0: number, 4: kernel.AUDIT_ARCH[machine] if arch is None else arch}
    data.update(
        {16 + 8 * at + half // 8: value >> half & MASK for at, value in enumerate(arguments) for half in (0, 32)}
    )
    code, at, accumulator = kernel.program(machine, many, None if many else ME), 0, 0
    while True:
        operation, if_true, if_false, value = code[at]
        at += 1
        if operation == kernel.LOAD:
            accumulator = data.get(value, 0)
        elif operation == kernel.AND:
            accumulator &= value
        elif operation == kernel.JUMP_IF_EQUAL:
            at += if_true if accumulator == value else if_false
        elif operation == kernel.JUMP_IF_AT_LEAST:
            at += if_true if accumulator >= value else if_false
        else:
            assert operation == kernel.RETURN
            return value


@pytest.mark.parametrize("machine", kernel.MACHINES)
@pytest.mark.parametrize("call", CALLS)
def test_what_is_denied(machine, call):
    number = (kernel.NUMBERS[call] if isinstance(call, str) else call)[kernel.MACHINES.index(machine)]
    for who, given in CALLS[call].items():
        for arguments in given if number is not None else ():  # None: this machine has no such call
            allowed = [verdict(machine, many, number, arguments) == kernel.ALLOW for many in (True, False)]
            assert tuple(allowed) == who, arguments


@pytest.mark.parametrize("machine", kernel.MACHINES)
def test_the_numbers_are_the_kernels(machine):
    column = kernel.MACHINES.index(machine)
    header = Path("/usr/include", HEADERS[column])
    if not header.exists():
        pytest.skip("NOT TESTED: no headers of the kernel")
    kernels = dict(re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", header.read_text()))
    ours = {name: str(numbers[column]) for name, numbers in kernel.NUMBERS.items() if numbers[column] is not None}
    assert ours == {name: kernels[name] for name in ours}
    assert machine != "x86_64" or len(ours) == len(kernel.NUMBERS)


def test_how_calls_are_denied():
    """SIGKILL to itself becomes another signal; calls of other machines end the process; the x32 ABI is unknown."""
    machine, other = kernel.MACHINES
    for number, arguments in ((62, (ME, 9)), (234, (ME, ME, 9))):
        assert verdict(machine, False, number, arguments) == kernel.TRAP
        assert verdict(machine, False, number, (ME + 1, *arguments[1:])) == kernel.ERRNO | errno.EPERM
    assert verdict(machine, True, 0, (), arch=kernel.AUDIT_ARCH[other]) == kernel.END
    assert verdict(machine, True, 0x40000000 + 41, (1,)) == kernel.ERRNO | errno.ENOSYS
