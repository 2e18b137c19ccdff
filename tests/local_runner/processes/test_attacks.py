"""Hostile agents, one row each: the agent's action in a call, and the resulting fault.

An attack prints DONE if it gets what it wants. After each attack the user's files are as before, no secret was printed,
and no process is left. Each attack runs in every kind of sandbox that works here, and never without one.
"""

import ctypes
import os
import re
from dataclasses import replace

import pytest

from local_runner.agents.spec import parse_agent
from local_runner.game.faults import FaultKind
from local_runner.game.wording import fault_text
from local_runner.processes.process import AgentProcess
from tests.local_runner.processes.naughty import EMPTY, ON_LINUX, QUICK, Family, written

K = FaultKind
SECRET = "tengen-secret-is-4711"
LIMITS = replace(QUICK, seconds=2.0, margin=1.0, memory_mb=120)
# Helpers of the attacks. `attempt` prints DONE if an action raises nothing; `call` makes a system call that may fail.
TOOLS = """
import ctypes, mmap, os, resource, signal, socket, struct, sys, threading, time
MB, libc, kept = 1 << 20, ctypes.CDLL(None, use_errno=True), []
main, host, runner = sys.modules['__main__'], {host!r}, {runner}
def attempt(name, deed):
    try:
        deed()
    except (OSError, MemoryError, RuntimeError):
        return
    print('DONE', name, flush=True)
def call(*numbers):
    if libc.syscall(*map(ctypes.c_long, numbers)) < 0:
        raise OSError
def touched(size):
    area = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    for at in range(0, size, 4096): area[at] = 1
    return area
def pipe_of_answers():
    found = []
    for fd in range(3, 64):
        try: found += [fd] * os.readlink(f'/proc/self/fd/{{fd}}').startswith('pipe')
        except OSError: pass
    return found[-1]
"""
READ_ALL = """
for top in (host, os.path.expanduser('~root'), '/home', '/proc'):
    for folder, _folders, files in os.walk(top):
        for file in files if top != '/proc' or folder.count('/') < 3 else ():
            try: print(open(os.path.join(folder, file), 'rb').read(1 << 16)[:2000])
            except OSError: pass
"""
WRITE_ALL = """
import shutil
for name in ('notes.txt', 'new'):
    for deed in (lambda p: open(p, 'ab').write(b'x'), lambda p: os.truncate(p, 0), lambda p: os.chmod(p, 0o6777),
                 lambda p: os.utime(p, (0, 0)), os.remove, lambda p: os.rename(p, p + 'x'), lambda p: os.link(p, 'l')):
        attempt('wrote', lambda: deed(os.path.join(host, name)))
shutil.rmtree(host, ignore_errors=True)
for folder in ('/', '/etc', '/usr', '/var/tmp', '/dev', '/run', '/opt', '/proc', sys.prefix,
               os.path.dirname(main.__file__)):
    attempt(folder, lambda: open(folder + '/tengen-attack', 'w'))
"""
NEW_PROCESSES = """
import subprocess
attempt('fork', os.fork)
attempt('program', lambda: subprocess.run([sys.executable, '-c', '']))
attempt('execve', lambda: os.execv('/bin/true', ['true']))
if os.uname().machine == 'x86_64':
    for number in ((57,), (58,), (56, 17, 0, 0, 0, 0), (56, 0x4111, 0, 0, 0, 0), (435, 0, 0), (322, 0, 0, 0, 0, 0)):
        attempt(number, lambda: call(*number))
thread = threading.Thread(target=print, args=('a thread',)); thread.start(); thread.join()
"""
OTHERS = """
for pid in (runner, os.getppid(), 1, -1, 0):
    for mark in (0, signal.SIGKILL, signal.SIGSTOP):
        attempt((pid, mark), lambda: os.kill(pid, mark))
    attempt('memory', lambda: open(f'/proc/{pid}/mem', 'r+b').read(1) and pid != os.getpid())
    attempt('limits', lambda: resource.prlimit(pid, resource.RLIMIT_CPU) if pid != 0 else call(-1))
    attempt('root', lambda: os.listdir('/'.join(('/proc', str(pid), 'root', host))))
attempt('priority', lambda: os.setpriority(os.PRIO_USER, 0, 19))
attempt('core', lambda: os.sched_setaffinity(0, range(os.cpu_count())))
"""
NETWORK = """
for family in (socket.AF_INET, socket.AF_INET6, socket.AF_UNIX, socket.AF_NETLINK):
    attempt(family, lambda: socket.socket(family))
pair = socket.socketpair()
attempt('bind', lambda: pair[0].bind('name'))
attempt('abstract', lambda: pair[0].bind(chr(0) + 'tengen core 63'))
attempt('datagrams', lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM))
attempt('descriptors', lambda: pair[0].sendmsg([b'x'], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, struct.pack('i', 0))]))
"""
# Memory that is in no count of resident pages, the ways to hide from the count, and the kernel's own objects.
HIDDEN_MEMORY = """
import fcntl
near, far = os.pipe()
attempt('shared', lambda: mmap.mmap(-1, MB))
attempt('zero', lambda: open('/dev/zero', 'r+b'))
attempt('huge pages', lambda: mmap.mmap(-1, 2 * MB, flags=0x40022))
attempt('pipe', lambda: fcntl.fcntl(near, 1031, MB))
attempt('buffer', lambda: socket.socketpair()[0].setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 8 * MB))
attempt('peak', lambda: open('/proc/self/clear_refs', 'w').write('5'))
attempt('terminal', lambda: os.open('/dev/ptmx', os.O_RDWR | os.O_NOCTTY))
attempt('dumpable', lambda: libc.prctl(4, 0, 0, 0, 0) == 0 or call(-1))
attempt('tie', lambda: libc.prctl(1, 18, 0, 0, 0) == 0 or call(-1))
if os.uname().machine == 'x86_64':
    for number in ((278, far, 0, 0, 0), (275, near, 0, far, 0, 0, 0), (276, near, far, 1, 0), (319, 0, 0),
                   (29, 0, 4096, 0o1600), (68, 0, 0o1600), (240, 0, 0o102, 0o600, 0), (425, 8, 0), (206, 60000, 0),
                   (294, 0), (222, 1, 0, 0), (248, 0, 0, 0, 0, 0), (317, 0, 0, 0), (444, 0, 0, 1),
                   (310, 0, 0, 0, 0, 0, 0), (272, 0x10000000), (101, 0, 0, 0, 0)):
        attempt(number, lambda: call(*number))
"""
FILL_DESCRIPTORS = """
held = 0
try:
    while True:
        ends = os.pipe() if len(kept) % 2 else [end.detach() for end in socket.socketpair()]
        kept.append(ends)
        for end in ends:
            os.set_blocking(end, False)
            try:
                while True: held += os.write(end, b'x' * 4096)
            except OSError as error:
                if error.errno == 24: raise
except OSError: pass
if held > 30 * MB: print('DONE', held >> 20, 'MB')
for ends in kept: os.close(ends[0]), os.close(ends[1])
"""
# Threads with descriptors of their own, one that waits where no signal stops it, and memory of the kernel.
OF_THREADS = """
def thread_with(flags):
    code = struct.pack('<BIBI', 0xb8, 56, 0xbf, flags)
    code += bytes.fromhex('31d24d31d24d31c00f054885c07401c3b8220000000f05ebf7')  # clone; the thread calls pause()
    area = mmap.mmap(-1, 8192, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=7)
    kept.append(area); area.write(code)
    place = ctypes.addressof(ctypes.c_char.from_buffer(area))
    if ctypes.CFUNCTYPE(ctypes.c_long, ctypes.c_long, ctypes.c_long)(place)(0, place + 8000) < 0:
        raise OSError
if os.uname().machine == 'x86_64':
    attempt('descriptors', lambda: thread_with(0x50b00))
    attempt('wait', lambda: thread_with(0x54f00))
    attempt('descriptors by close_range', lambda: call(436, 60, 61, 2))
    attempt('futexes', lambda: libc.prctl(78, *map(ctypes.c_ulong, (1, 4096, 0, 0))) == 0 or call(-1))
    attempt('policy', lambda: call(237, 0, 0, 0, 0, 0, 0))
    for number in ((141, 0, 0, 19), (251, 1, 0, 24576), (162,)):
        attempt(number, lambda: call(*number))
attempt('room', lambda: call(285, 1, 1, 0, 1 << 30))
attempt('sendfile', lambda: os.sendfile(1, os.open(__file__, os.O_RDONLY), 0, 1))
"""
SPREAD_PAGES = """
libc.mmap.restype, libc.mmap.argtypes = ctypes.c_void_p, [ctypes.c_size_t] * 6
for number in range(20000):
    if libc.mmap((2 * number + 9) << 30, 4096, 1, 0x100022, 2 ** 32 - 1, 0) != 2 ** 64 - 1:
        ctypes.string_at((2 * number + 9) << 30, 1)
time.sleep(60)
"""
HOLD_DELETED = """
libc.mmap.restype, libc.mmap.argtypes = ctypes.c_void_p, [ctypes.c_size_t] * 6
for number in range(20):
    with open('deleted', 'wb+', buffering=0) as file:
        for _ in range(15): file.write(b'x' * 4 * MB)
        if number % 2: kept.append(os.dup(file.fileno()))
        else: libc.mmap(0, 4096, 1, 1, file.fileno(), 0)
        os.remove('deleted')
time.sleep(60)
"""
ZOMBIE_LEADER = """
def hold():
    kept.append(touched(800 * MB)); time.sleep(60)
threading.Thread(target=hold).start()
libc.pthread_exit(None)
"""
SPIKE = "main.peak = lambda: 1\ntouched(200 * MB).close()"
THREADS = """
threading.stack_size(32768)
for _ in range(20000): threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
"""
FILL_DISK = """
for number in range(10):
    with open(f'big{number}', 'wb') as file:
        for _ in range(15): file.write(b'x' * 4 * MB)
time.sleep(60)
"""
EMPTY_FILES = "for number in range(300000): os.close(os.open(f'e{number}', os.O_CREAT | os.O_WRONLY))\ntime.sleep(60)"
DEEP_FOLDERS = "for _ in range(3000): os.mkdir('d'); os.chdir('d')\ntime.sleep(60)"
ANSWER = "body = b'{}'\nos.write(pipe_of_answers(), struct.pack('>4sII', b'tgn1', 3, len(body)) + body)\n"
CHAIN = """
error = ValueError()
for _ in range(20000):
    link = ValueError(); link.__cause__ = error; error = link
raise error
"""
WRITE_TO_FILES = "for fd in range(3, 64):\n    try: os.write(fd, b'GARBAGE')\n    except OSError: pass"
NO_PIPES = "null = os.open(os.devnull, os.O_RDWR)\nfor fd in range(3, 60): fd != null and os.dup2(null, fd)"
FULL = {K.FILES_TOO_LARGE, K.RAISED, K.KILLED_TOO_LARGE}  # the file system is full, or its files count as memory
TOO_MUCH = {K.NO_MEMORY, K.TOO_LARGE, K.KILLED_TOO_LARGE}
LATE = {K.LATE, K.NO_ANSWER}
# An attack's name: what it does, and the faults that it may get; no fault: the agent plays on, and got nothing.
ATTACKS = {
    "reads what it can": (READ_ALL, None),
    "writes where it can": (WRITE_ALL, None),
    "starts processes": (NEW_PROCESSES, None),
    "reaches other processes": (OTHERS, None),
    "reaches a network": (NETWORK, None),
    "hides memory": (HIDDEN_MEMORY, None),
    "fills its descriptors": (FILL_DESCRIPTORS, None),
    "makes threads with more than others have": (OF_THREADS, None),
    "spreads its pages": (SPREAD_PAGES, {K.KILLED_TOO_LARGE}),
    "holds deleted files": (HOLD_DELETED, FULL),
    "hides files in a closed folder": ("os.mkdir('d', 0o300)\n" + FILL_DISK.replace("big", "d/big"), FULL),
    "ends its first thread": (ZOMBIE_LEADER, {K.ENDED}),
    "asks for 10 GB": ("bytes(10240 * MB)", TOO_MUCH),
    "takes too much for a moment": (SPIKE, TOO_MUCH),
    "starts many threads": (THREADS, {K.MANY_THREADS, K.KILLED_TOO_LARGE}),
    "fills the disk": (FILL_DISK, FULL),
    "makes empty files": (EMPTY_FILES, FULL | LATE),
    "makes deep folders": (DEEP_FOLDERS, FULL | LATE | {K.RAISED}),
    "stops its clocks": ("time.perf_counter = time.process_time = lambda: 0.0\ntime.sleep(2.3)", LATE),
    "stops itself": ("os.kill(os.getpid(), signal.SIGSTOP)", {K.NO_ANSWER}),
    "answers twice": (ANSWER, {K.GARBAGE, K.FORGED}),
    "writes into every file": (WRITE_TO_FILES, {K.GARBAGE}),
    "loops": ("while True: pass", {K.NO_ANSWER}),
    "changes its observation": ("observation['state_map'][0][0][0] = 1", {K.WROTE}),
    "closes its pipes": ("os.closerange(0, 64)\ntime.sleep(60)", {K.CLOSED_PIPE}),
    "answers half": (ANSWER.replace(" + body", "") + "time.sleep(60)", {K.NO_ANSWER}),
    "puts a file over its pipes": (NO_PIPES, {K.EXITED, K.CLOSED_PIPE}),
    "prints 10 GB": ("while True: os.write(1, b'flood' * MB)", {K.RAISED}),
    "raises a chain of 20,000 errors": (CHAIN, {K.RAISED, K.KILLED}),
    "overwrites the interpreter": ("ctypes.memset(id(None), 255, 4096)", {K.KILLED}),
}  # fmt: skip
QUICKLY = {"reads what it can", "starts processes", "hides memory", "ends its first thread"}
pytestmark = pytest.mark.skipif(not ON_LINUX, reason="hostile agents never run without a sandbox")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in QUICKLY else pytest.mark.slow) for name in ATTACKS]
)
def test_an_attack_gets_nothing(kind, name, tmp_path, monkeypatch):
    body, faults = ATTACKS[name]
    host = tmp_path / "host"
    host.mkdir()
    (host / "notes.txt").write_text(SECRET)
    monkeypatch.setenv("TENGEN_TEST_TOKEN", SECRET)
    before = _picture(host)
    family = Family(monkeypatch)
    agents = tmp_path / "agents"
    agents.mkdir()
    agent = written(agents, TOOLS.format(host=str(host), runner=os.getpid()) + body)
    with AgentProcess(parse_agent(agent), tmp_path / "out.txt", LIMITS) as process:
        assert process.start().fault is None
        fault = process.act(EMPTY, 3, 3).fault or process.act(EMPTY, 3, 3).fault
        said = (tmp_path / "out.txt").read_text("utf-8", "replace")
        assert not re.findall("DONE.*", said)
        assert SECRET not in said
        assert (fault and fault.kind) in (faults or {None}), fault and fault_text(fault) + fault.traceback
    assert os.path.getsize(tmp_path / "out.txt") <= 64 << 20
    assert _picture(host) == before
    assert family.settled(0)


def _picture(folder):
    return {path.name: (path.read_bytes(), path.stat().st_mode, path.stat().st_mtime_ns) for path in folder.iterdir()}


@pytest.mark.slow
@pytest.mark.skipif(ctypes.sizeof(ctypes.c_void_p) < 8, reason="needs 64 bits")
def test_what_the_kernel_holds_for_an_agent_is_bounded(kind, tmp_path):
    """Descriptors full, 250 threads, 3,500 files, page tables of 3 GB: the kernel holds at most 100 MB."""
    body = (
        "threading.stack_size(32768)\n"
        "for _ in range(250): threading.Thread(target=time.sleep, args=(60,), daemon=True).start()\n"
        "room = mmap.mmap(-1, 3000 * MB, flags=0x4022, prot=1)\n"
        "for at in range(0, len(room), 4096): room[at]\n"
        "for number in range(3500): os.close(os.open(f'e{number}', os.O_CREAT | os.O_WRONLY))\n"
        + FILL_DESCRIPTORS.rpartition("for ends")[0]
        + "sys.kept = dict(locals()); print('READY', flush=True)"
    )
    limits = replace(LIMITS, seconds=60, memory_mb=500)
    with AgentProcess(parse_agent(written(tmp_path, TOOLS.format(host="", runner=0) + body)), tmp_path / "out.txt",
                      limits) as process:  # fmt: skip
        process.start()
        before = _held()
        fault = process.act(EMPTY, 3, 3).fault
        held = _held() - before
    assert fault is None, fault_text(fault)
    assert "READY" in (tmp_path / "out.txt").read_text()
    assert held < 100_000_000


def _held():
    """Bytes that the machine's kernel holds: its own objects, stacks and page tables."""
    with open("/proc/meminfo") as file:
        sizes = {line.split(":")[0]: int(line.split()[1]) * 1024 for line in file}
    return sizes["Slab"] + sizes["KernelStack"] + sizes["PageTables"]
