"""The twin of the platform's run_log: one game, one process, no limits, no mercy.

Both controllers are called at every step with three positional arguments and the environment's own observation (the
live board); the same agent on both sides is one module. What the platform would not survive ends the run here too.
"""

import random
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from env_adapter import Game, make
from local_runner.agents import AgentSpec
from local_runner.errors import AgentError, RunnerError
from local_runner.platform_log import GameLog, write_log
from local_runner.portable.loading import Unusable, load_agent, module_name
from local_runner.records import BLACK_WINS, COLOURS, DRAW, WHITE_WINS
from local_runner.text import printable

Controller = Callable[[Any, Any, bool], Any]
Agents = tuple[AgentSpec, AgentSpec]


class RunAborted(RunnerError):
    """An agent did what would end the platform's run; the agent's traceback is the exception's cause."""


@dataclass(frozen=True)
class LoggedGame:
    """The game's log, and the file that holds it."""

    log: dict[str, Any]
    path: Path


def run_log(env_name: str, agents: Agents, *, rules: str, seed: int, folder: Path) -> LoggedGame:
    """Play one game, Black's agent first, and write its log into `folder`.

    Raises AgentError for agents that cannot be played, RunAborted where the platform's run would have ended, EnvError
    for an unknown game. No log is written then.
    """
    env = make(env_name, rules=rules, seed=seed)
    random.seed(seed)
    controllers = load_controllers(agents)
    log = play(env_name, env, controllers, agents)
    return LoggedGame(log, write_log(log, folder))


def load_controllers(agents: Agents) -> list[Controller]:
    """The two `my_controller`s, from one module if both agents are one file."""
    black, white = agents
    if black.path == white.path:
        if black.options != white.options:
            raise AgentError("both sides are one module, as on the platform: give them the same options, or use match")
        return [_load(black, module_name(str(black.path)), COLOURS[0])] * 2
    names = [module_name(str(agent.path)) for agent in agents]
    if names[0] == names[1]:  # two folders of one name cannot be on the platform; here the second gets another
        names[1] += "_2"
    return [_load(agent, name, colour) for agent, name, colour in zip(agents, names, COLOURS, strict=True)]


def _load(agent: AgentSpec, name: str, colour: str) -> Controller:
    try:
        controller: Controller = load_agent(str(agent.path), name, dict(agent.options)).my_controller
    except Unusable as error:
        raise AgentError(str(error)) from error
    except ModuleNotFoundError as error:
        beside = agent.path.parent / (error.name or "").partition(".")[0]
        if beside.is_dir() or beside.with_suffix(".py").is_file():
            hint = f"{beside.name} lies beside it, but the platform does not look there (`tengen match` does)"
        else:
            hint = "it is not installed here"
        raise RunAborted(f"{colour} ({agent.name}) could not be loaded: {_line(error)}; {hint}") from error
    except (Exception, SystemExit) as error:
        raise RunAborted(f"{colour} ({agent.name}) could not be loaded: {_line(error)}") from error
    return controller


def play(env_name: str, env: Game, controllers: list[Controller], agents: Agents) -> dict[str, Any]:
    """The game from the environment's present position to its end; returns the finished log."""
    log = GameLog(env_name, env)
    observations: Any = env.all_observes
    while not env.is_terminal():
        mover = env.chess_player - 1
        answers = []
        for player, controller in enumerate(controllers):
            space = env.get_single_action_space(player)
            try:
                answers.append(controller(observations[player], space, env.is_act_continuous))
            except (Exception, SystemExit) as error:
                what = f"{COLOURS[player]} ({agents[player].name}) raised at step {env.step_cnt}: {_line(error)}"
                raise RunAborted(f"{what}; the platform's run would end here") from error
        try:
            step = env.step(answers)
        except Exception as error:
            what = f"step {env.step_cnt} could not be made of the answers: {_line(error)}"
            raise RunAborted(f"{what}; {COLOURS[mover]} ({agents[mover].name}) was to move") from error
        observations = step.all_observes
        log.add(env, mover, answers, step)
    return log.finished(env)


def winner_text(log: dict[str, Any]) -> str:
    """The log's winner in words."""
    return {BLACK_WINS: "Black wins", WHITE_WINS: "White wins", DRAW: "a draw"}.get(log["winner"], "no winner")


def print_cause(error: BaseException) -> None:
    """Show on stderr the traceback that an aborted run goes back to."""
    if error.__cause__ is not None:
        sys.stderr.write(printable("".join(traceback.format_exception(error.__cause__))))


def _line(error: BaseException) -> str:
    return "".join(traceback.format_exception_only(type(error), error)[-1:]).strip()
