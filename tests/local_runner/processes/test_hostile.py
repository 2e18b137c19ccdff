"""Hostile agents, one game for each deed: the game ends for the right reason, and the host is as it was."""

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
from tests.local_runner.specimens.hostile.submission import DEEDS

LIMITS = AgentLimits(seconds=0.8, margin=0.5, memory_mb=120, load_seconds=10, sandbox=SandboxMode.ON)
WAIT, LONG_WAIT = 0.02, 0.15  # seconds per call of the victim, in which others could work
INSIDE = ("answers", "interpreter", "pipes")  # modules of deeds that meet no sandbox: one kind is enough
# The deeds that every run of the tests has; the others are slow.
QUICK = {
    "false_class", "replaces_the_judge_by_a_liar", "closes_its_output", "answers_twice", "closes_all_and_goes_on",
    "daemon_without_environment", "kills_the_guard", "kills_the_runner", "false_clock", "child_in_the_others_time",
    "removes_the_host", "cannot_be_removed", "memory_in_children", "connects", "reads_the_host",
    "reads_the_others_memory",
}  # fmt: skip
# Landlock and seccomp do not always stop these: it depends on the machine's speed and on the user's other processes.
NOT_BY_KERNEL = {"fills_the_disk", "thread_bomb", "takes_all_the_users_processes"}
BUBBLEWRAP = not sandbox.why_not(Kind.BUBBLEWRAP)
GAMES = [
    pytest.param(
        kind,
        name,
        id=f"{name}-{kind.name.lower()}",
        marks=[
            pytest.mark.skipif(
                bool(sandbox.why_not(kind)),
                reason=f"hostile agents never run without a sandbox: {sandbox.why_not(kind)}",
            ),
            *([] if name in QUICK else [pytest.mark.slow]),
        ],
    )
    for kind in (Kind.BUBBLEWRAP, Kind.KERNEL)
    for name, deed in DEEDS.items()
    if kind is Kind.BUBBLEWRAP or not BUBBLEWRAP or not deed.do.__module__.endswith(INSIDE)
    if kind is Kind.BUBBLEWRAP or name not in NOT_BY_KERNEL
]
pytestmark = pytest.mark.skipif(not ON_LINUX, reason="the witness looks into /proc")


@pytest.mark.parametrize(("kind", "name"), GAMES)
def test_a_deed_harms_nobody(kind, name, tmp_path, monkeypatch):
    deed = DEEDS[name]
    monkeypatch.setattr(sandbox, "best", lambda: kind)
    with Witness(tmp_path, LONG_WAIT if deed.at == "each" else WAIT) as witness:
        limits = limits_of(deed)
        witness.arm(name, os.getpid(), limits.seconds, limits.memory_mb)
        for key, value in witness.environment.items():
            monkeypatch.setenv(key, value)
        monkeypatch.setattr("tempfile.tempdir", str(witness.temporary))
        record = played(witness, limits, tmp_path)
        complaints = witness.complaints(sorted(tmp_path.glob("*.txt")))
    if record.loser == 1:
        complaints.append(f"the victim lost: {result_text(record.result)}")
    said = result_text(record.result)
    if record.result.reason.value not in deed.reasons or (record.loser == 0 and deed.says not in said):
        complaints.append(f"the game ended by {record.result.reason.value}: {said}")
    assert not complaints, "\n".join(complaints)


def limits_of(deed):
    """Enough time on a busy machine for a deed that is not about time."""
    return LIMITS if Reason.TIME.value in deed.reasons else replace(LIMITS, seconds=8 * LIMITS.seconds)


def played(witness, limits, folder):
    """The record of a game of the hostile agent, Black, against its victim."""
    specs = [parse_agent(text) for text in (witness.hostile, witness.victim)]
    outputs = [folder / f"{colour}.txt" for colour in ("black", "white")]
    with (
        claimed(1) as [core],
        AgentProcess(specs[0], outputs[0], limits, core=core) as hostile,
        AgentProcess(specs[1], outputs[1], limits, core=core) as victim,
    ):
        return play_game(GameSetup("tictactoe_1v1"), (hostile, victim))


def test_the_table_is_whole():
    assert len(DEEDS) > 180
    assert all(deed.do.__doc__ and deed.reasons for deed in DEEDS.values())
    assert set(DEEDS) >= QUICK | NOT_BY_KERNEL
