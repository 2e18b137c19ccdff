"""Hostile agents through all commands that play games: match, check, tournament, SPRT, and a tournament on Ray.

The deeds are in tests/local_runner/agents/hostile. A trial is one deed in one command. It fails if a game ends for a
wrong reason, is missing or is lost by the victim; if a process, a temporary file or a change of the host is left; or if
the deed reports a success.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from local_runner.exit_codes import ExitCode
from local_runner.portable.loading import load_agent
from local_runner.processes import sandbox
from local_runner.records import Reason
from local_runner.tournament import store
from workshop.torture.witness import OWN_FILES, SPECIMENS, Witness

NAME = "hostile"
ROOT = Path(__file__).parents[2]
DEEDS: Mapping[str, Any] = load_agent(str(SPECIMENS / "submission.py"), "hostile", {}).DEEDS
LIMITS = {"seconds": 0.5, "memory": 120}  # for each call of an agent; MB
SITES_LIMITS = {"seconds": 1.0, "memory": 500}  # what `tengen check` gives
WAIT, LONG_WAIT = 0.02, 0.15  # seconds per call of the victim, in which others could work
PATIENCE = 120.0  # seconds for two games
GAME = ("--env", "tictactoe_1v1")
LIMITED = ("--time", str(LIMITS["seconds"]), "--memory", str(LIMITS["memory"]))
STORED = (*GAME, *LIMITED, "--recover", "--quiet", "--out", "D")
KEPT = ("--quiet", "--json", "games.json", "--out", "logs")
# A: the hostile agent, B: its victim, D: a database beside the hostile agent.
COMMANDS: Mapping[str, tuple[str, ...]] = {
    "match": ("match", "A", "B", *GAME, *LIMITED, "--games", "2", *KEPT),
    "check": ("check", "A", *GAME, "--json"),
    "tournament": ("tournament", "A", "B", *STORED, "--jobs", "1"),
    "sprt": ("sprt", "A", "B", *STORED, "--jobs", "1", "--rounds", "1"),
    "ray": ("tournament", "A", "B", *STORED, "--executor", "ray"),
}
AMOUNT = len(DEEDS) * len(COMMANDS)


def trial(number: int, scratch: Path) -> str:
    """One deed in one command, from 1 to AMOUNT, in an empty folder; returns what is wrong, "" if nothing is."""
    if sandbox.best() is sandbox.Kind.NONE:
        return f"hostile agents never run without a sandbox: {sandbox.lacking()}"
    deed, command = list(DEEDS)[(number - 1) // len(COMMANDS)], list(COMMANDS)[(number - 1) % len(COMMANDS)]
    limits = SITES_LIMITS if command == "check" else LIMITS
    with Witness(scratch, LONG_WAIT if DEEDS[deed].at == "each" else WAIT) as witness:
        wrong = [*_run(command, deed, limits, witness, scratch)]
        wrong += witness.complaints([*scratch.glob("logs/*.txt"), scratch / "screen"])
    return "; ".join(f"{deed} in {command}: {complaint}" for complaint in wrong)


def _run(command: str, deed: str, limits: Mapping[str, float], witness: Witness, scratch: Path) -> Iterator[str]:
    """Run the command in `scratch` to its end; what is wrong with its end and with its games."""
    folder = Path(witness.hostile).parent
    database = folder / OWN_FILES[0]
    places = {"A": str(folder if command == "check" else witness.hostile), "B": witness.victim, "D": str(database)}
    words = [places.get(word, word) for word in COMMANDS[command]]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **witness.environment}
    with open(scratch / "screen", "wb") as screen, open(scratch / "errors", "wb") as errors:
        runner = subprocess.Popen(
            [sys.executable, "-m", "local_runner", *words],
            cwd=scratch,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=screen,
            stderr=errors,
            start_new_session=True,
        )
        witness.arm(deed, runner.pid, **limits)
        try:
            code = runner.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(runner.pid, signal.SIGKILL)
            runner.wait()
            yield f"did not end within {PATIENCE:g} s"
            return
    shown, said = ((scratch / name).read_text(errors="replace") for name in ("screen", "errors"))
    if code == ExitCode.USAGE and DEEDS[deed].at == "load" and f"cannot be loaded: it {DEEDS[deed].says}" in said:
        return  # a tournament loads all agents once before it begins
    if code not in (0, 1):
        yield f"ended with code {code}: {said.strip()[-300:]}"
    elif command == "check" and not shown:
        yield f"printed nothing: {said.strip()[-300:]}"
    elif command == "check":
        yield from _judged_check(json.loads(shown), DEEDS[deed])
    else:
        games = [*_from_match(scratch / "games.json")] if command == "match" else [*_from_store(database)]
        if len(games) != 2:
            yield f"{len(games)} of 2 games were kept: {said.strip()[-300:]}"
        for reason, detail, victim_lost in games:
            if reason not in DEEDS[deed].reasons or victim_lost:
                yield f"the game ended by {reason}: {detail}"


def _from_match(path: Path) -> Iterator[tuple[str, str, bool]]:
    """Reason, sentence, and whether the victim was at fault, of each game."""
    for game in json.loads(path.read_text())["games"] if path.exists() else ():
        result = game["result"]
        yield result["reason"], result["detail"], _victim_lost(result["reason"], result["winner"], game["black"] == "A")


def _from_store(path: Path) -> Iterator[tuple[str, str, bool]]:
    if not path.exists():
        return
    with store.read(path) as kept:
        for game in kept.each_game():
            yield game.reason, game.detail, _victim_lost(game.reason, game.winner, game.black == 0)


def _victim_lost(reason: str, winner: int, hostile_is_black: bool) -> bool:
    return reason != Reason.RULES.value and (winner == 1) == hostile_is_black


def _judged_check(found: Mapping[str, Any], deed: Any) -> Iterator[str]:
    """A check must name a game that a deed spoils, and pass the games of a deed that only plays on."""
    rows = [row for row in found["rows"] if row["name"].startswith(GAME[1])]
    bad = [row for row in rows if row["verdict"] not in ("ok", "note")]
    if Reason.RULES.value not in deed.reasons and not bad and deed.at != "load":
        yield "the check found nothing wrong with its games"
    if deed.reasons == (Reason.RULES.value,) and bad:
        yield f"the check says of a game that was played: {bad[0]['found']}"
