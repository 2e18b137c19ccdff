"""Every command that reads a damaged tournament file says so in one sentence and overwrites nothing, or works on games
that are equal to those that were played.
"""

import io
import os
import random
import re
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing, redirect_stderr, redirect_stdout
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from local_runner.commands import cli
from local_runner.matches.tournament.locking import alone
from local_runner.matches.tournament.store import create, read
from tests.local_runner.matches.tournament import damages
from tests.local_runner.matches.tournament.small import plan_of, play_all
from tests.local_runner.processes.naughty import ON_LINUX

ROUNDS = 4
COMMANDS = {
    "report": ("report", "t.db", "--out", "{out}/page.html"),
    "rerun": ("rerun", "t.db", "3", "--out", "{out}/logs"),
    "salvage": ("salvage", "t.db", "--out", "{out}/new.db"),
    "resume": ("tournament", "--resume", "t.db", "--rounds", str(ROUNDS + 1), "--quiet"),
}
DAMAGES = {
    "truncated": damages.truncated, "byte": damages.flipped(), "byte of text": damages.flipped_text,
    "byte of the header": damages.flipped(0, 100), "byte of the first pages": damages.flipped(100, 3 * damages.BLOCK),
    "twenty bytes": damages.flipped(times=20), "block of noise": damages.block(lambda: os.urandom(damages.BLOCK)),
    "blocks swapped": damages.swapped, "another program's": damages.foreign, "a folder": damages.folder,
    "killed while writing": damages.killed,
}  # fmt: skip
REFUSED = {  # the commands that must refuse; of other damages, they may go on with what is whole
    "another program's": COMMANDS, "a folder": COMMANDS, "another run": ("resume", "salvage"),
    "another program": ("report", "rerun", "resume"), "read-only": ("resume",), "full disk": ("resume",),
    "killed, read-only": ("report", "rerun", "resume"),
}  # fmt: skip
# Shell commands that mount file systems over the folder $D, in a namespace of their own.
PRIVATE = ("unshare", "--mount") if os.geteuid() == 0 else ("unshare", "--user", "--map-root-user", "--mount")
READ_ONLY = 'mount --bind "$D" "$D" && mount -o remount,bind,ro "$D"'
FULL = """mkdir "$D/../copy" && cp -a "$D"/. "$D/../copy" &&
mount -t tmpfs -o size="$(($(stat -c %s "$D/t.db") / 1024 + 12))k" tmpfs "$D" &&
cp -a "$D/../copy"/. "$D" && rm -r "$D/../copy" && (cat /dev/zero > "$D/fill" 2>/dev/null; true)"""
pytestmark = pytest.mark.skipif(not ON_LINUX, reason="signals, mounts and locks are Linux's")


@cache
def original():
    """The bytes of a finished tournament, and its games."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "t.db")
        plan = plan_of("greedy", "random:seed=1", env="reversi_8x8_1v1", rounds=ROUNDS, recover=True)
        with create(file, plan, {}) as store:
            play_all(store)
        return file.read_bytes(), games_of(file)


def games_of(file, numbers=None, records=True):
    with read(file) as store:
        games = store.games() if numbers is None else filter(None, map(store.game, numbers))
        return {game.number: replace(game, record=store.record(game.number) if records else {}) for game in games}


def tengen(arguments, folder):
    """Exit code, stdout and stderr of a command that is run in this process."""
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.chdir(folder)
        patch.setattr(sys, "argv", ["tengen", *arguments])
        patch.setattr("local_runner.matches.tournament.store.LOCK_SECONDS", 0.3)
        with pytest.raises(SystemExit) as end:
            cli.main()
    return end.value.code or 0, out.getvalue(), err.getvalue()


def mounted(mounts, arguments, folder):
    """The same, of a process with file systems of its own."""
    command = [*PRIVATE, "sh", "-c", f'{mounts} && cd "$D" && exec "$@"', "sh", sys.executable, "-m", "local_runner"]
    environment = {**os.environ, "D": str(folder), "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([*command, *arguments], env=environment, capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout, done.stderr


def check(name, file, folder, run=tengen):
    """What every command does with a damaged file."""
    for command, arguments in COMMANDS.items():
        before = file.read_bytes() if file.is_file() else b""
        code, out, err = run([each.format(out=folder) for each in arguments], file.parent)
        after = file.read_bytes() if file.is_file() else b""
        assert code in (0, 2) and "Traceback" not in err, (command, err)
        if code == 2:
            assert re.fullmatch(r"tengen: [^\n]+\n", err), (command, err)
            assert after == before or not after, command  # what a killed run began is undone by SQLite
            continue
        assert command not in REFUSED.get(name, ()), command
        if command == "salvage":
            saved = games_of(folder / "new.db")
            assert saved.items() <= original()[1].items()
            counted = re.search(r": (\d+)(?: of (\d+))? games are saved", out)
            assert int(counted[1]) == len(saved) and counted[2] in (None, str(len(original()[1]))), out
        else:  # what it accepts is as it was; `resume` and `rerun` read no records, `rerun` only one game
            records, numbers = command == "report", [3] if command == "rerun" else None
            found = games_of(file, numbers, records)
            for number, game in original()[1].items():
                if numbers is None or number in numbers:
                    assert found[number] == (game if records else replace(game, record={})), (command, number)


def placed(folder):
    (folder / "there").mkdir()
    (folder / "there" / "t.db").write_bytes(original()[0])
    return folder / "there" / "t.db"


def damage(number, folder):
    """A random damage of a file in an empty folder."""
    name, file = list(DAMAGES)[number % len(DAMAGES)], placed(folder)
    if number % 3 == 2 and file.is_file():
        damages.older(file, None)
    DAMAGES[name](file, random.Random(number))
    check(name, file, folder)


@pytest.mark.parametrize("number", [
    pytest.param(each, marks=[] if each in (2, 8) else pytest.mark.slow) for each in range(2 * len(DAMAGES))
])
def test_a_damaged_file(number, tmp_path):
    damage(number, tmp_path)


@pytest.mark.slow
def test_a_file_that_another_run_plays(tmp_path):
    file = placed(tmp_path)
    with alone(file):
        check("another run", file, tmp_path)


@pytest.mark.slow
def test_a_file_that_another_program_locks(tmp_path):
    file = placed(tmp_path)
    with closing(sqlite3.connect(file)) as database:
        database.execute("BEGIN EXCLUSIVE")
        check("another program", file, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["read-only", "full disk", "killed, read-only"])
def test_a_place_where_it_cannot_be_written(name, tmp_path):
    if subprocess.run([*PRIVATE, "mount", "-t", "tmpfs", "tmpfs", "/mnt"], capture_output=True).returncode:
        pytest.skip("no file system can be mounted here")
    file = placed(tmp_path)
    if name.startswith("killed"):
        damages.killed(file, random.Random(1))
    mounts = FULL if name == "full disk" else READ_ONLY
    check(name, file, tmp_path, lambda arguments, folder: mounted(mounts, arguments, folder))
