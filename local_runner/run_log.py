"""Does what the platform's `run_log.py` does: one game in this process, without limits.

Both controllers are called at every step with three positional arguments. They get the environment's own observation,
which is the live board. An agent that plays both sides is loaded as one module. An error that would end the platform's
run ends this one too.
"""

import random
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from local_runner.agents import AgentSpec
from local_runner.errors import AgentError, RunnerError
from local_runner.game_setup import GameSetup
from local_runner.platform_log import write_log
from local_runner.portable.loading import Unusable, load_agent, module_name
from local_runner.records import BLACK_WINS, COLOURS, DRAW, WHITE_WINS
from local_runner.session import GameSession
from local_runner.text import SENTENCE, ending, shortened

Controller = Callable[[Any, Any, bool], Any]
Agents = tuple[AgentSpec, AgentSpec]
TRACEBACK = 8000  # characters of a traceback's end that are shown


class RunAborted(RunnerError):
    """An agent did something that would end the platform's run; `__cause__` is the agent's exception."""


@dataclass(frozen=True)
class LoggedGame:
    """A game's log, and the file that it was written to."""

    log: dict[str, Any]
    path: Path


def run_log(env_name: str, agents: Agents, *, rules: str, seed: int, folder: Path) -> LoggedGame:
    """Play one game between Black's and White's agents, and write its log into `folder`.

    Raises AgentError if an agent cannot be played, RunAborted where the platform's run would end, EnvError for an
    unknown game; no log is written then.
    """
    session = GameSession(GameSetup(env_name, rules, seed), (agents[0].name, agents[1].name))
    random.seed(seed)
    log = play(session, load_controllers(agents))
    return LoggedGame(log, write_log(log, folder))


def load_controllers(agents: Agents) -> list[Controller]:
    """Both `my_controller`s; from one module if both agents are the same file."""
    black, white = agents
    if black.path == white.path:
        if black.options != white.options:
            raise AgentError("both sides are one module, as on the platform: give them the same options, or use match")
        return [_load(black, module_name(str(black.path)), COLOURS[0])] * 2
    names = [module_name(str(agent.path)) for agent in agents]
    if names[0] == names[1]:  # cannot happen on the platform; the second agent gets another module name
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


def play(session: GameSession, controllers: list[Controller]) -> dict[str, Any]:
    """Play a session to its end; the finished log."""
    while session.result is None:
        env, mover, answers = session.env, session.to_move, []
        for player, controller in enumerate(controllers):
            space = env.get_single_action_space(player)
            try:
                answers.append(controller(session.observations[player], space, env.is_act_continuous))
            except (Exception, SystemExit) as error:
                what = f"{COLOURS[player]} ({session.names[player]}) raised at step {env.step_cnt}: {_line(error)}"
                raise RunAborted(f"{what}; the platform's run would end here") from error
        step = env.step_cnt
        try:
            session.advance(answers)
        except Exception as error:
            what = f"step {step} could not be made from the answers: {_line(error)}"
            raise RunAborted(f"{what}; {COLOURS[mover]} ({session.names[mover]}) was to move") from error
    return session.log.finished(session.env)


def winner_text(log: dict[str, Any]) -> str:
    """The log's winner in words."""
    return {BLACK_WINS: "Black wins", WHITE_WINS: "White wins", DRAW: "a draw"}.get(log["winner"], "no winner")


def print_cause(error: BaseException) -> None:
    """Print the traceback of the agent's exception on stderr."""
    if error.__cause__ is not None:
        text = "".join(traceback.format_exception(error.__cause__))
        sys.stderr.write(ending(text, TRACEBACK) + "\n")


def _line(error: BaseException) -> str:
    return shortened("".join(traceback.format_exception_only(type(error), error)[-1:]).strip(), SENTENCE)
