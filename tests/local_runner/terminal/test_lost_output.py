"""A command whose output cannot be written ends at once, without a traceback. Finished games are stored.

Exit code 130 if its reader is gone, 2 and a sentence if a disk is full.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.local_runner.processes.naughty import ON_LINUX

GAME = Path(__file__).parents[1] / "formats" / "data" / "site_gobang.json"
TOURNAMENT = ("tournament", "greedy", "random", "--env", "tictactoe_1v1", "--rounds", "1", "--out", "t.jsonl")
MATCH = ("match", "greedy", "random", "--env", "tictactoe_1v1")
pytestmark = pytest.mark.skipif(not ON_LINUX, reason="other systems have other pipes")


def run(arguments, folder, **streams):
    """Run tengen with its streams: the exit code, and what came through those that are open.

    A stream is "closed" (a pipe without a reader), "open" (a pipe that is read), or a file.
    """
    reader, writer = os.pipe()
    os.close(reader)
    given = {name: {"closed": writer, "open": subprocess.PIPE}.get(how, how) for name, how in streams.items()}
    try:
        command = [sys.executable, "-m", "local_runner", *map(str, arguments)]
        done = subprocess.run(command, cwd=folder, text=True, timeout=200, check=False, **given)
    finally:
        os.close(writer)
    return done.returncode, done.stdout, done.stderr


COMMANDS = [("games",), *(pytest.param(each, marks=pytest.mark.slow) for each in [
    ("-h",), MATCH, ("replay", GAME), ("doctor",), (*MATCH, "--json"), TOURNAMENT,
    ("analyse", "h8h9", "--seconds", "0.02", "--json"),
])]  # fmt: skip


@pytest.mark.parametrize("arguments", COMMANDS, ids=lambda each: each[0])
def test_nobody_reads_the_output_or_its_disk_is_full(arguments, tmp_path):
    (tmp_path / "full").mkdir()
    code, _, err = run(arguments, tmp_path, stdout="closed", stderr="open")
    assert code == 130 and "Traceback" not in err and "Error" not in err and "pipe" not in err.lower()
    with open("/dev/full", "w") as full:
        code, _, err = run(arguments, tmp_path / "full", stdout=full, stderr="open")
    assert (code, err.splitlines()[-1]) == (2, "tengen: the output cannot be written: No space left on device")
    assert "Traceback" not in err


def test_nothing_of_a_mistake_can_be_written(tmp_path):
    with open("/dev/full", "w") as full:
        assert run(["nothing"], tmp_path, stdout=full, stderr=full)[0] == 2
    assert run(["nothing"], tmp_path, stdout="closed", stderr="closed")[0] == 130
    code, out, _ = run(["match", "-h"], tmp_path, stdout="open", stderr="closed")
    assert code == 0 and "Usage: tengen match" in out


@pytest.mark.slow
def test_output_goes_into_a_file_whole_and_in_its_order(tmp_path):
    with open(tmp_path / "out.txt", "w+") as file:
        assert run([*MATCH, "--details"], tmp_path, stdout=file, stderr=file)[0] == 0
        file.seek(0)
        lines = file.read().splitlines()
    assert [line[:6] for line in lines if line.startswith("game ")] == ["game 1", "game 2"]
    assert "won / drawn" in "".join(lines)


@pytest.mark.slow
def test_what_is_finished_is_kept(tmp_path):
    assert run([*MATCH, "--json", "all.json"], tmp_path, stdout="closed", stderr="closed")[0] == 130
    assert json.loads((tmp_path / "all.json").read_text())["games"]
