"""Agents that misbehave or attack, one row each: what the agent does in a call, and the words of its verdict.

An attack prints DONE if it gets what it wants. After each row the user's files are as before, no secret was printed,
and no process is left. Attacks run in every kind of sandbox that works here, and never without one.
"""

import os
import re
import signal
import threading
from dataclasses import replace
from unittest.mock import Mock

import pytest

from local_runner.agents.spec import parse_agent
from local_runner.game.codec import ToldResult, as_json, result_from
from local_runner.game.faults import FaultKind, Reason
from local_runner.game.records import NOBODY, WHITE_WINS
from local_runner.game.session import GameSession
from local_runner.game.setup import GameSetup
from local_runner.game.wording import fault_text
from local_runner.processes import child, procfs
from local_runner.processes.host_process import fault_of_code
from local_runner.processes.process import AgentProcess
from local_runner.processes.sandbox import SandboxMode
from local_runner.system import files
from tests.local_runner.processes.naughty import EMPTY, MANY, ON_LINUX, PATIENT, QUICK, Family, agent, play, started

SECRET = "tengen-secret-is-4711"
# Helpers of the attacks. `attempt` prints DONE if an action raises nothing.
TOOLS = """
import ctypes, mmap, os, resource, select, signal, socket, sys, threading, time
MB, libc, kept = 1 << 20, ctypes.CDLL(None, use_errno=True), []
libc.mmap.restype, libc.mmap.argtypes = ctypes.c_void_p, [ctypes.c_size_t] * 6
main, host = sys.modules['__main__'], {host!r}
def attempt(name, deed):
    try:
        deed()
    except (OSError, MemoryError, RuntimeError):
        return
    print('DONE', name, flush=True)
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
PASS_LIMITS = """
if resource.getrlimit(resource.RLIMIT_CORE)[1] > 1: print('DONE core dump')
attempt('a file', lambda: open('big', 'wb').truncate(1 << 40))
attempt('zero', lambda: open('/dev/zero', 'r+b'))
attempt('peak', lambda: open('/proc/self/clear_refs', 'w').write('5'))
attempt('terminal', lambda: os.open('/dev/ptmx', os.O_RDWR | os.O_NOCTTY))
rights = open('/proc/self/status').read().partition('CapEff:')[2].split()[0]
if rights.strip('0'): print('DONE', rights)
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
HOLD_CLOSED = """
ends = [end for _pair in range(25) for end in socket.socketpair()]
poll = select.poll()
for end in ends: poll.register(end, 0)
attempt('waiting', lambda: poll.poll(1))
"""
SPREAD_PAGES = """
for number in range(20000):
    if libc.mmap((2 * number + 9) << 30, 4096, 1, 0x100022, 2 ** 32 - 1, 0) != 2 ** 64 - 1:
        ctypes.string_at((2 * number + 9) << 30, 1)
time.sleep(60)
"""
HOLD_DELETED = """
name = 'deleted\\x0c\\u2028\\x0c'
for number in range(20):
    with open(name, 'wb+', buffering=0) as file:
        for _ in range(15): file.write(b'x' * 4 * MB)
        if number % 2: kept.append(os.dup(file.fileno()))
        else: libc.mmap(0, 4096, 1, 1, file.fileno(), 0)
        os.remove(name)
time.sleep(60)
"""
ZOMBIE_LEADER = """
def hold():
    time.sleep(0.2); kept.append(bytearray(b'x') * (800 * MB)); time.sleep(60)
threading.Thread(target=hold).start()
libc.pthread_exit(None)
"""
SPIKE = "libc.prctl(15, b'VmHWM: 1', 0, 0, 0)\nmain.peak = lambda: 1\nbytearray(b'x') * (200 * MB)"
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
DEEP_FOLDERS = "for _ in range(3000): os.mkdir('d' * 250); os.chdir('d' * 250)\ntime.sleep(60)"
ANSWER = "os.write(pipe_of_answers(), b'3 {}\\n')\n"
CHAIN = """
error = ValueError()
for _ in range(20000):
    link = ValueError(); link.__cause__ = error; error = link
raise error
"""
WRITE_TO_FILES = "for fd in range(3, 64):\n    try: os.write(fd, b'GARBAGE')\n    except OSError: pass"
NO_PIPES = "null = os.open(os.devnull, os.O_RDWR)\nfor fd in range(3, 60): fd != null and os.dup2(null, fd)"

SHORT = replace(QUICK, seconds=2.0, margin=1.0)
LATE = replace(QUICK, margin=20.0)
CROWD = replace(MANY, memory_mb=5000)
FORKS = "if os.fork() == 0"
HIDES = "subprocess.Popen(['sleep', '3600'], start_new_session=True)"
TABLE = "sys.table = getattr(sys, 'table', None) or bytearray(b'x') * (80 << 20)"
WANDERS = """
import io
os.chdir('/'); signal.signal(signal.SIGINT, signal.SIG_DFL); sys.stdout = io.StringIO()
threading.Thread(target=time.sleep, args=(3600,)).start()
"""
NO_ANSWER = r"gave no answer within \d\.\d+ s of"
TOO_LARGE = r"used \d+ MB of 120 MB"
TOO_MUCH = f"asked for too much memory|{TOO_LARGE}"
FULL = f"wrote more than 67 MB of files|raised OSError|{TOO_LARGE}"  # the disk is full, or its files count as memory
PIPE = "wrote into the pipe that carries its answers"
# What an agent does in a call, its limits, and how its verdict begins; "": it plays on. With and without a sandbox.
VERDICTS = {
    "it exits": ("os._exit(5)", PATIENT, "exited with code 5"),
    "it ends itself": ("os.kill(os.getpid(), 15)", PATIENT, "was killed by signal 15"),
    "it kills itself": ("os.kill(os.getpid(), 9)\ntime.sleep(5)", PATIENT, "was killed by signal 9"),
    "it is large and ends": ("bytearray(b'x') * (200 << 20)\nos._exit(3)", PATIENT, f"{TOO_LARGE}; killed"),
    "it is late": ("time.sleep(0.6)", LATE, r"took \d\.\d+ s of 0\.5 s \(\d+\.\d+ s on the runner's"),
    "it does not answer": ("time.sleep(60)", QUICK, f"{NO_ANSWER} 0.5 s; killed"),
    "it wanders": (WANDERS, PATIENT, ""),
    "it changes its observation": ("observation['state_map'][0][0][0] = 1", PATIENT, "changed the observation"),
    "its process is large": (f"{FORKS}:\n    pile = bytearray(b'x') * (200 << 20)\n    time.sleep(60)\nos.wait()",
                             MANY, f"{TOO_LARGE}; killed"),
    # RLIMIT_NPROC does not hold for root: the runner counts root's threads. Another user's fork raises BlockingIOError.
    "it starts many processes": (f"for _ in range(300):\n    {FORKS}: time.sleep(600)\ntime.sleep(1)", CROWD,
                                 r"had \d+ threads, of 256|raised BlockingIOError"),
    "its processes share a table": (f"{TABLE}\nfor _ in range(8):\n    {FORKS}: time.sleep(60)\ntime.sleep(0.2)",
                                    MANY, ""),
    "it hides a process": (HIDES, MANY, ""),
    "it hides a process and exits": (f"{HIDES}\nos._exit(5)", MANY, "exited with code 5"),
    "it hides a process and is killed": (f"{HIDES}\nos.kill(os.getpid(), 9)", MANY, "was killed by signal 9"),
}  # fmt: skip
# With a sandbox only. "": the sandbox refuses the attack, and the agent plays on.
ATTACKS = {
    "reads what it can": (READ_ALL, SHORT, ""),
    "writes where it can": (WRITE_ALL, SHORT, ""),
    "passes its limits": (PASS_LIMITS, SHORT, ""),
    "fills its descriptors": (FILL_DESCRIPTORS, SHORT, ""),
    "holds closed sockets": (HOLD_CLOSED, SHORT, ""),
    "spreads its pages": (SPREAD_PAGES, SHORT, TOO_LARGE),
    "holds deleted files": (HOLD_DELETED, SHORT, FULL),
    "hides files in a closed folder": ("os.mkdir('d', 0o300)\n" + FILL_DISK.replace("big", "d/big"), SHORT, FULL),
    "ends its first thread": (ZOMBIE_LEADER, SHORT, "has ended"),
    "asks for 10 GB": ("bytes(10240 * MB)", SHORT, TOO_MUCH),
    "takes too much for a moment": (SPIKE, SHORT, TOO_MUCH),
    "starts many threads": (THREADS, SHORT, f"had [0-9]+ threads, of 256|{TOO_LARGE}"),
    "fills the disk": (FILL_DISK, SHORT, FULL),
    "makes empty files": (EMPTY_FILES, SHORT, f"{FULL}|took|{NO_ANSWER}"),
    "makes deep folders": (DEEP_FOLDERS, SHORT, FULL),
    "stops its clocks": ("time.perf_counter = time.process_time = lambda: 0.0\ntime.sleep(2.3)", SHORT,
                         f"took|{NO_ANSWER}"),
    "stops itself": ("os.kill(os.getpid(), signal.SIGSTOP)", SHORT, NO_ANSWER),
    "answers twice": (ANSWER, SHORT, f"{PIPE}|forged a reply"),
    "writes into every file": (WRITE_TO_FILES, SHORT, PIPE),
    "closes its pipes": ("os.closerange(0, 64)\ntime.sleep(60)", SHORT, "closed the pipe that carries its answers"),
    "puts a file over its pipes": (NO_PIPES, SHORT, "exited|closed the pipe"),
    "prints 10 GB": ("while True: os.write(1, b'flood' * MB)", SHORT, "raised OSError"),
    "raises a chain of 20,000 errors": (CHAIN, SHORT, "raised ValueError|was killed by signal 11"),
    "overwrites the interpreter": ("ctypes.memset(id(None), 255, 4096)", SHORT, "was killed by signal"),
}  # fmt: skip
QUICKLY = {"reads what it can", "passes its limits", "ends its first thread"}
SLOWLY = {"it is late", "it does not answer", "its process is large", *ATTACKS} - QUICKLY
on_linux = pytest.mark.skipif(not ON_LINUX, reason="hostile agents never run without a sandbox")


def rows(table):
    """The rows of a table as parameters."""
    return [
        pytest.param(*row, id=name, marks=pytest.mark.slow if name in SLOWLY else ()) for name, row in table.items()
    ]


def judge(body, limits, words, folder, monkeypatch):
    """Two calls of an agent that runs `body` in each. The first fault must begin with the words; "": no fault."""
    host, family = folder / "host", Family(monkeypatch)
    host.mkdir()
    (host / "notes.txt").write_text(SECRET)
    monkeypatch.setenv("TENGEN_TEST_TOKEN", SECRET)
    before = _picture(host)
    (folder / "agents").mkdir()
    with started(folder / "agents", TOOLS.format(host=str(host)) + body, limits) as process:
        faults = [process.act(EMPTY, 3, 3).fault for _ in range(2)]
        if not process.processes() and faults[0]:
            assert fault_text(faults[1]) == "has ended"
    fault, printed = faults[0] or faults[1], folder / "agents" / "out.txt"
    said = printed.read_text("utf-8", "replace")
    assert not re.findall("DONE.*", said) and SECRET not in said and printed.stat().st_size <= 64 << 20
    assert re.match(words + "$" * (not words), fault_text(fault) if fault else ""), fault
    assert _picture(host) == before
    assert family.settled(0)


def _picture(folder):
    return {path.name: (path.read_bytes(), path.stat().st_mode, path.stat().st_mtime_ns) for path in folder.iterdir()}


@on_linux
@pytest.mark.parametrize(("body", "limits", "words"), rows(VERDICTS))
def test_a_verdict(mode, body, limits, words, tmp_path, monkeypatch):
    judge(body, replace(limits, sandbox=mode), words, tmp_path, monkeypatch)


@on_linux
@pytest.mark.parametrize(("body", "limits", "words"), rows(ATTACKS))
def test_an_attack_gets_nothing(kind, body, limits, words, tmp_path, monkeypatch):
    judge(body, limits, words, tmp_path, monkeypatch)


@on_linux
@pytest.mark.parametrize("codes", [pytest.param((0, 137, 255), marks=pytest.mark.slow, id="few"),
                                   pytest.param(range(256), marks=pytest.mark.long, id="all")])  # fmt: skip
def test_every_exit_code(mode, codes, tmp_path):
    for code in codes:
        with started(tmp_path, f"os._exit({code})", replace(PATIENT, sandbox=mode), f"exits{code}") as process:
            fault = process.act(EMPTY, 3, 3).fault
        assert (fault.kind, fault.fields.get("code")) == (FaultKind.EXITED, code)


def test_every_exit_code_and_signal_is_a_fault_with_a_text():
    for code in range(1 - signal.NSIG, 256):
        fault = fault_of_code(code)
        assert fault.kind is (FaultKind.KILLED if code < 0 else FaultKind.EXITED)
        assert fault.fields.get("code", fault.fields.get("number")) == abs(code) and str(abs(code)) in fault_text(fault)


@pytest.mark.slow
def test_an_import_has_a_time_limit(tmp_path):
    (tmp_path / "agent.py").write_text("import time\ntime.sleep(60)")
    limits = replace(QUICK, load_seconds=0.4)
    with AgentProcess(parse_agent(str(tmp_path / "agent.py")), tmp_path / "out.txt", limits) as process:
        assert re.match(f"{NO_ANSWER} 0.4 s", fault_text(process.start().fault))


@on_linux
@pytest.mark.parametrize("number", [signal.SIGKILL, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)])
def test_a_kill_from_outside(mode, number, tmp_path):
    """In a sandbox, the runner can tell a SIGKILL from outside from the agent's own signals; then nobody wins."""
    with started(tmp_path, "import time; time.sleep(60)", replace(PATIENT, sandbox=mode)) as own:
        threading.Timer(0.2, lambda: os.kill(own.processes()[0], number)).start()
        session = GameSession(GameSetup("tictactoe_1v1"), (own, "White"))
        session.step()
    result, told = session.result, number == signal.SIGKILL and mode is SandboxMode.ON
    kind, ending = (FaultKind.KILLED_OUTSIDE, (NOBODY, None)) if told else (FaultKind.KILLED, (WHITE_WINS, 0))
    assert (result.fault.kind, result.fault.fields["number"], (result.winner, result.loser)) == (kind, number, ending)
    assert result_from(as_json(ToldResult.of(result))) == result and (result.reason is Reason.MACHINE) == told


@pytest.mark.slow
@pytest.mark.parametrize(("answer", "lost"), [("nothing", True), ("short", True), ("zeros", False)])
def test_off_turn_only_lengths_count(answer, lost, tmp_path):
    record = play("first_free", f"answering:answer={answer},turn=off", tmp_path)
    assert record.result.reason is (Reason.BAD_SHAPE if lost else Reason.RULES)
    assert not lost or (record.result.loser, record.calls[-1].turn) == (1, False)


def test_without_limits_nothing_is_too_slow_or_too_big(tmp_path):
    limits = replace(PATIENT, seconds=0.01, margin=0.01, memory_mb=1, load_seconds=0.001, enforced=False)
    with started(tmp_path, "bytearray(b'x') * (200 << 20)", limits) as spiker:
        assert spiker.act(EMPTY, 3, 3).fault is None
        assert 200 < spiker.report().peak_mb < 300


def test_all_that_is_printed_is_kept(tmp_path):
    with agent("printer", tmp_path) as printer:
        printer.start()
        for _ in range(5):
            printer.act(EMPTY, 3, 3)
    text = printer.output.read_text("utf-8")
    assert text.startswith("loaded\n思考..") and text.count("warning\n") == text.count("思考") == 5
    assert printer.report().printed_bytes == len(text.encode()) > 5_000_000


POLL = (0.02, 0.0)
# The polls of a call (seconds, seconds of the runner's wait for a core); CPU seconds of the agent; its threads' waits;
# seconds of the call; whether a call of 1 s, or an import of 30 s, is over; seconds in which the agent's core was idle.
CALLS = {
    "short": ([POLL] * 5, 0.1, [0.0], 0.1, False),
    "late": ([POLL] * 60, 0.0, [0.0], 1.2, True),
    "a short gap counts": ([(0.09, 0.0), POLL], 0.0, [0.0], 0.11, False),
    "Ctrl-Z": ([POLL, (3.02, 0.0), POLL], 0.0, [0.0], 0.06, False),
    "Ctrl-Z, but it worked": ([POLL, (3.02, 0.0), POLL], 1.4, [0.0], 1.4, False),
    "many gaps": ([(10.02, 0.0)] * 60, 0.0, [0.0], 1.2, True),
    "the runner waits after the answer": ([POLL, (0.09, 0.07)], 0.0, [0.0], 0.04, False),
    "the runner waits before the answer": ([(0.09, 0.07), POLL], 0.0, [0.0], 0.11, False),
    "others take its core": ([POLL] * 75, 0.8, [0.7], 0.8, False),
    "others take its core, but it works": ([POLL] * 75, 1.4, [0.7], 1.4, True),
    "others take its core for very long": ([POLL] * 1600, 0.4, [child.MOST_WAITED + 1], 1.0, True),
    "an import gets a part of its core": ([POLL] * 1900, 5.0, [33.0], 5.0, False),
    "an import has used its part up": ([POLL] * 10_000, 30.1, [169.9], 30.1, True),
    "its thread has its core": ([POLL] * 60, 0.9, [0.5, 0.0], 1.1, True, 0.2),
    "its threads take turns": ([POLL] * 70, 1.4, [0.7, 0.7], 1.4, True),
    "it sleeps until its thread is done": ([POLL] * 60, 0.5, [0.0, 0.4], 0.8, False, 0.3),
    "its threads wait together": ([POLL] * 60, 0.3, [0.9, 0.9, 0.9], 0.3, False),
    "its threads wait for each other": ([POLL] * 60, 0.5, [0.4, 0.4], 1.2, True, 0.7),
}


@pytest.mark.parametrize("name", CALLS)
def test_the_one_clock_of_a_call(name, monkeypatch):
    polls, used, threads, seconds, over, *idle = CALLS[name]
    now, cpu, waits = [100.0], [5.0], {"thread-self": 7.0, "1/task/0": 7.0}
    monkeypatch.setattr(child, "perf_counter", lambda: now[0])
    monkeypatch.setattr(procfs, "waited", lambda task: waits[task])
    monkeypatch.setattr(procfs, "tasks", lambda pid: range(len(waits) - 1))
    monkeypatch.setattr(procfs, "idle", lambda core: 7.0 + sum(idle) * (now[0] > 100.1))
    watch = child.Stopwatch(Mock(head=1, cpu=lambda: cpu[0]), 5.0, core=0)
    cpu[0] += used
    waits.update({f"1/task/{number}": 7.0 * (not number) + waited for number, waited in enumerate(threads)})
    for gap, waited in polls:
        now[0] += gap
        waits["thread-self"] += waited
        watch.tick()
    assert watch.clock == pytest.approx(sum(gap for gap, _waited in polls))
    limit = 30.0 if "import" in name else 1.0
    assert (watch.seconds, watch.is_over(limit)) == (pytest.approx(seconds), over)


def test_what_cannot_be_counted_is_full(tmp_path, monkeypatch):
    """Folders that are too deep, deleted files with paths that are too long, and too many mappings."""
    most, here = 1 << 20, tmp_path / "/".join("a" * files.DEEP)
    here.mkdir(parents=True)
    assert files.tree_bytes(tmp_path, most) <= most
    (here / "a" / "a").mkdir(parents=True)
    assert files.tree_bytes(tmp_path, most) > most
    monkeypatch.chdir(tmp_path)
    for _ in range(17):
        os.mkdir("a" * 250)
        os.chdir("a" * 250)
    assert procfs.deleted_bytes(os.getpid(), str(tmp_path), most) == 0
    with open("held", "w"):
        os.remove("held")
        assert procfs.deleted_bytes(os.getpid(), str(tmp_path), most) == most
    monkeypatch.setattr(procfs, "MAPS_BYTES", 100)
    assert procfs.deleted_bytes(os.getpid(), str(tmp_path), most) == most


@pytest.mark.slow
@on_linux
def test_what_the_kernel_holds_for_an_agent_is_bounded(kind, tmp_path):
    """Descriptors full, 250 threads, 3,500 files, page tables of 3 GB: the kernel holds at most 100 MB."""
    body = (
        THREADS.replace("20000", "250") + "room = mmap.mmap(-1, 3000 * MB, flags=0x4022, prot=1)\n"
        "for at in range(0, len(room), 4096): room[at]\n" + EMPTY_FILES.replace("300000", "3500").splitlines()[0]
        + FILL_DESCRIPTORS.rpartition("for ends")[0] + "sys.kept = dict(locals()); print('READY', flush=True)"
    )  # fmt: skip
    with started(tmp_path, TOOLS.format(host="") + body, replace(SHORT, seconds=60, memory_mb=500)) as process:
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
