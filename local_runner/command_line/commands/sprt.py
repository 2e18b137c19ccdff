"""The command `tengen sprt`: plays two agents until a sequential test (SPRT) accepts a hypothesis on their strength."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from local_runner.command_line.commands.tournament import begin
from local_runner.command_line.options import (
    AGENT,
    MOST_ROUNDS,
    EarlyEnds,
    GameOptions,
    LimitOptions,
    ManyGames,
    argument,
    option,
)
from local_runner.errors import RunnerError
from local_runner.language.languages import _
from local_runner.matches.schedule import Schedule
from local_runner.matches.statistics.sprt import FARTHEST, EloModel, Sprt

PLACE = "many", 130  # group of commands, and the place in lists
EXAMPLES = (
    "tengen sprt ./submission.py ./old/submission.py --env gobang_1v1 --out sprt.jsonl",
    "tengen sprt scorer greedy --elo0 0 --elo1 50 --rounds 500 --out sprt.jsonl",
)
LEAST_RISK, MOST_RISK = 0.000001, 0.5  # bounds of the probability of a wrong decision


def _resumed_elsewhere(file: Path | None) -> None:
    if file is not None:
        path = shlex.quote(str(file))
        raise RunnerError(_("a test goes on by another command: tengen tournament --resume {path}").format(path=path))


def sprt(
    new: Annotated[str, argument("The agent that should be stronger.", "NEW", **AGENT)],
    old: Annotated[str, argument("The agent to compare it with.", "OLD", **AGENT)],
    game: GameOptions,
    limits: LimitOptions,
    many: ManyGames,
    ends: EarlyEnds,
    elo0: Annotated[float, option("H0: NEW is stronger by this many Elo.", least=-FARTHEST, most=FARTHEST)] = 0.0,
    elo1: Annotated[float, option("H1: NEW is stronger by this many Elo.", least=-FARTHEST, most=FARTHEST)] = 10.0,
    alpha: Annotated[
        float, option("Probability of accepting H1 if H0 is true.", least=LEAST_RISK, most=MOST_RISK)
    ] = 0.05,
    beta: Annotated[
        float, option("Probability of accepting H0 if H1 is true.", least=LEAST_RISK, most=MOST_RISK)
    ] = 0.05,
    model: Annotated[EloModel, option("The Elo model: logistic or normalised.", "MODEL")] = EloModel.LOGISTIC,
    rounds: Annotated[int, option("Maximum number of pairs of games.", least=1, most=MOST_ROUNDS)] = 100_000,
    resume: Annotated[Path | None, option("", hidden=True, is_eager=True, callback=_resumed_elsewhere)] = None,
) -> None:
    """Play pairs of games until one of two hypotheses about NEW's strength can be accepted.

    A sequential probability ratio test (SPRT) over pairs. If interrupted, `tengen tournament --resume FILE` goes on.
    """
    test = Sprt(elo0, elo1, alpha, beta, model)
    raise typer.Exit(begin([new, old], game, limits, many, ends, schedule=Schedule.GAUNTLET, rounds=rounds, sprt=test))
