"""Hostile agents through every command that plays games: the games end for the right reason, and nothing is left."""

import importlib.util
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from local_runner.game.faults import Reason
from local_runner.game.wording import result_text
from local_runner.matches import games as store
from local_runner.processes import sandbox
from local_runner.system.exit_codes import ExitCode
from tests.conftest import NO_RAY
from tests.local_runner.processes.naughty import ON_LINUX
from tests.local_runner.processes.witness import OWN_FILES, Witness
from tests.local_runner.specimens.hostile.submission import ATTACKS

GAME = ("--env", "tictactoe_1v1")
PATIENCE = 240.0  # seconds for two games
STORED = (*GAME, "--time", "0.5", "--memory", "120", "--recover", "--quiet", "--out", "D")
# A: the hostile agent, B: its victim, D: a database beside the hostile agent.
COMMANDS = {
    "match": ("match", "A", "B", *STORED[:-4], "--games", "2", "--quiet", "--json", "games.json", "--out", "logs"),
    "check": ("check", "A", *GAME, "--json"),
    "tournament": ("tournament", "A", "B", *STORED, "--jobs", "1"),
    "sprt": ("sprt", "A", "B", *STORED, "--jobs", "1", "--rounds", "1"),
    "ray": ("tournament", "A", "B", *STORED, "--executor", "ray"),
}
SITES_LIMITS = (1.0, 500)  # seconds and MB that `tengen check` gives
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not ON_LINUX or sandbox.best() is sandbox.Kind.NONE,
                       reason="hostile agents never run without a sandbox"),
]  # fmt: skip


def play(name, command, folder):
    attack = ATTACKS[name]
    with Witness(folder, 0.15 if attack.at == "each" else 0.02) as witness:
        agent = Path(witness.hostile)
        database = agent / OWN_FILES[0]
        places = {"A": witness.hostile, "B": witness.victim, "D": str(database)}
        words = [places.get(word, word) for word in COMMANDS[command]]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **witness.environment}
        with open(folder / "screen", "wb") as screen, open(folder / "errors", "wb") as errors:
            runner = subprocess.Popen(
                [sys.executable, "-m", "local_runner", *words],
                cwd=folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=screen,
                stderr=errors,
                start_new_session=True,
            )
            witness.arm(name, runner.pid, *(SITES_LIMITS if command == "check" else (0.5, 120)))
            try:
                code = runner.wait(PATIENCE)
            finally:
                if runner.poll() is None:
                    os.killpg(runner.pid, signal.SIGKILL)
        said = (folder / "errors").read_text(errors="replace")
        complaints = witness.complaints([*folder.glob("logs/*.txt"), folder / "screen"])
    assert not complaints, complaints
    if code == ExitCode.USAGE and attack.at == "load" and f"cannot be loaded: it {attack.says}" in said:
        return  # a tournament loads all agents once before it begins
    assert code in (0, 1), said
    if command == "check":
        rows = json.loads((folder / "screen").read_text())["rows"]
        bad = [row for row in rows if row["name"].startswith(GAME[1]) and row["verdict"] not in ("ok", "note")]
        assert bad or attack.at == "load" or Reason.RULES.value in attack.reasons, "it found nothing wrong"
        assert not bad or attack.reasons != (Reason.RULES.value,), bad
        return
    games = [*(from_match(folder / "games.json") if command == "match" else from_store(database))]
    assert len(games) == 2, said
    for reason, detail, winner, black in games:
        assert reason in attack.reasons, detail
        assert reason == Reason.RULES.value or (winner == 1) != black, f"the victim lost: {detail}"


def from_match(path):
    """Reason, sentence, winner, and whether the hostile agent was Black, of each game."""
    for game in json.loads(path.read_text())["games"]:
        result = game["result"]
        yield result["reason"], result["text"], result["winner"], game["black"] == "A"


def from_store(path):
    kept = store.read(path)
    for game in kept:
        yield game.result.reason.value, result_text(game.result), game.winner, game.black == 0


def numbers(*names):
    """The numbers of these attacks in every command: the attacks take turns, and so do the commands."""
    return [list(ATTACKS).index(name) + len(ATTACKS) * turn for name in names for turn in range(len(COMMANDS))]


@pytest.mark.seeds(*numbers("reads_the_host", "kills_the_runner", "answers_twice"))
def test_an_attack_harms_nobody_in_any_command(number, tmp_path):
    command = list(COMMANDS)[number // len(ATTACKS) % len(COMMANDS)]
    if command == "ray" and importlib.util.find_spec("ray") is None:
        pytest.skip(f"{NO_RAY}: no hostile agent played on a cluster")
    play(list(ATTACKS)[number % len(ATTACKS)], command, tmp_path)
