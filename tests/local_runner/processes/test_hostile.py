"""Hostile agents, one game for each attack: the game ends for the right reason, and the host is as it was."""

import contextlib
import os
from dataclasses import replace

import pytest

from local_runner.agents.spec import parse_agent
from local_runner.game.faults import Reason
from local_runner.game.session import play_game
from local_runner.game.setup import GameSetup
from local_runner.game.wording import result_text
from local_runner.processes import sandbox
from local_runner.processes.child import AgentLimits
from local_runner.processes.cores import claimed
from local_runner.processes.process import AgentProcess
from local_runner.processes.sandbox import Kind, SandboxMode
from tests.local_runner.processes.naughty import ON_LINUX
from tests.local_runner.processes.witness import Witness
from tests.local_runner.specimens.hostile.submission import ATTACKS

LIMITS = AgentLimits(seconds=0.8, margin=0.5, memory_mb=120, load_seconds=10, sandbox=SandboxMode.ON)
WAIT, LONG_WAIT = 0.02, 0.15  # seconds per call of the victim, in which others could work
INSIDE = ("answers", "interpreter", "pipes")  # modules of attacks that meet no sandbox: one kind is enough
# The attacks that every run of the tests has; the others are slow.
QUICK = {
    "daemon_without_environment", "kills_the_runner", "removes_the_host", "reads_the_host",
}  # fmt: skip
# Landlock and seccomp do not always stop these: it depends on the machine's speed and on the user's other processes.
NOT_BY_KERNEL = {
    "fills_the_disk", "thread_bomb", "takes_all_the_users_processes", "chain_of_processes", "children_nobody_waits_for",
}  # fmt: skip
BUBBLEWRAP = not sandbox.why_not(Kind.BUBBLEWRAP)


def marks_of(kind, name):
    """A sandbox that does not work here is skipped; an attack that is not quick is slow."""
    why = sandbox.why_not(kind)
    reason = f"hostile agents never run without a sandbox: {why}"
    return [pytest.mark.skipif(bool(why), reason=reason), *([] if name in QUICK else [pytest.mark.slow])]


GAMES = [
    pytest.param(kind, name, id=f"{name}-{kind.name.lower()}", marks=marks_of(kind, name))
    for kind in (Kind.BUBBLEWRAP, Kind.KERNEL)
    for name, attack in ATTACKS.items()
    if kind is Kind.BUBBLEWRAP or not BUBBLEWRAP or not attack.do.__module__.endswith(INSIDE)
    if kind is Kind.BUBBLEWRAP or name not in NOT_BY_KERNEL
]
pytestmark = pytest.mark.skipif(not ON_LINUX, reason="the witness looks into /proc")


@pytest.mark.parametrize(("kind", "name"), GAMES)
def test_an_attack_harms_nobody(kind, name, tmp_path, monkeypatch):
    attack = ATTACKS[name]
    monkeypatch.setattr(sandbox, "best", lambda: kind)
    with Witness(tmp_path, LONG_WAIT if attack.at == "each" else WAIT) as witness:
        patience = 1 if Reason.TIME.value in attack.reasons else 8  # a busy machine may be slow
        limits = replace(LIMITS, seconds=patience * LIMITS.seconds)
        witness.arm(name, os.getpid(), limits.seconds, limits.memory_mb)
        for key, value in witness.environment.items():
            monkeypatch.setenv(key, value)
        monkeypatch.setattr("tempfile.tempdir", str(witness.temporary))
        record = played(witness, limits, tmp_path)
        complaints = witness.complaints(sorted(tmp_path.glob("*.txt")))
    if record.result.loser == 1:
        complaints.append(f"the victim lost: {result_text(record.result)}")
    said = result_text(record.result)
    if record.result.reason.value not in attack.reasons or (record.result.loser == 0 and attack.says not in said):
        complaints.append(f"the game ended by {record.result.reason.value}: {said}")
    assert not complaints, "\n".join(complaints)


def played(witness, limits, folder):
    """The record of a game of the hostile agent, Black, against its victim."""
    with claimed(1) as [core], contextlib.ExitStack() as processes:
        agents = [
            processes.enter_context(AgentProcess(parse_agent(agent), folder / f"{colour}.txt", limits, core=core))
            for colour, agent in (("black", witness.hostile), ("white", witness.victim))
        ]
        return play_game(GameSetup("tictactoe_1v1"), tuple(agents))
