"""Plays one game as the platform's `run_log.py` does: both agents in one process, without limits.

Both controllers are called at every step. Under the platform's rules, an observation has the environment's own board,
not a copy. An error that would end the platform's run also ends this run. If an agent is not one of this project's,
both agents play in a sandboxed process, which runs this file as a script:
    run_log.py GAME_FD ANSWER_FD        reads the game as one line of JSON, and writes its log or its error as JSON
"""

import contextlib
import json
import os
import random
import sys
import tempfile
import traceback
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from env_adapter.actions import read_blindly
from local_runner.agents.declared_games import refuse_misfits
from local_runner.agents.spec import AgentSpec
from local_runner.errors import AgentError, RunnerError
from local_runner.game.codec import as_json
from local_runner.game.coordinates import written
from local_runner.game.faults import Fault, FaultKind
from local_runner.game.platform_log import plain, write_log
from local_runner.game.session import GameSession
from local_runner.game.setup import GameSetup
from local_runner.game.wording import colour, fault_text
from local_runner.language import languages
from local_runner.language.languages import _, shown
from local_runner.language.text import SENTENCE, ending, shortened
from local_runner.matches.copies import copies
from local_runner.processes import host_process, sandbox
from local_runner.processes.agent_side.action_space import action_space
from local_runner.processes.agent_side.loading import Unusable, hide_arguments, load_agent, module_name
from local_runner.processes.child import AgentLimits
from local_runner.processes.sandbox import HostScript, SandboxMode

HERE = Path(__file__).resolve()
PROJECT = HERE.parents[2]
Controller = Callable[[Any, Any, bool], Any]
Agents = tuple[AgentSpec, AgentSpec]
TRACEBACK = 8000  # characters shown from the end of a traceback
PRINTED = 100_000  # characters shown from the end of the agents' output


class RunAborted(RunnerError):
    """An error of an agent that would end the platform's run. `traceback`: the exception's, "" without one."""

    def __init__(self, sentence: str, traceback: str = "") -> None:
        super().__init__(sentence)
        self.traceback = traceback


def run_log(setup: GameSetup, agents: Agents, folder: Path, mode: SandboxMode = SandboxMode.AUTO) -> Path:
    """Play one game between Black's and White's agents, and write its log into `folder`; returns the file.

    On an error no log is written. Raises AgentError for an agent that has no controller, does not take its options or
    does not play this game. Raises RunAborted for an error that would end the platform's run, and EnvError for an
    unknown game. Raises RunnerError if the log cannot be written.
    """
    refuse_misfits(agents, setup)
    trusted = all(agent.is_ours for agent in agents)
    if trusted or not sandbox.chosen(mode).confined:
        return write_log(played_here(setup, agents), folder)
    return write_log(_played_confined(setup, agents, mode), folder)


def played_here(setup: GameSetup, agents: Agents) -> dict[str, Any]:
    """Play one game in this process; returns its log."""
    session = GameSession(setup, (agents[0].name, agents[1].name))
    random.seed(setup.seed)
    arguments, given, before = sys.argv[:], sys.stdin, Path.cwd()
    with tempfile.TemporaryDirectory(prefix="tengen-run-") as empty, open(os.devnull) as nothing:
        hide_arguments()  # agents see no arguments, no standard input and an empty folder, as on the platform
        sys.stdin = nothing
        os.chdir(empty)
        try:
            return play(session, load_controllers(agents))
        finally:
            sys.argv[:] = arguments
            sys.stdin = given
            os.chdir(before)


def _played_confined(setup: GameSetup, agents: Agents, mode: SandboxMode) -> dict[str, Any]:
    """Play one game in a sandboxed process and print the agents' output; returns the log."""
    game = setup.make()  # raises EnvError
    with copies(agents, sys.executable) as copied:
        files = [copy.file for copy in copied]
        played = [replace(agent, path=file) for agent, file in zip(agents, files, strict=True)]
        given = json.dumps(as_json([setup, played, languages.current()])).encode() + b"\n"
        readable = (HERE.parents[1], PROJECT / "env_adapter", *(file.parent for file in files))
        programs = any(agent.is_program for agent in agents)
        host = HostScript(HERE, sys.executable, mode, readable=readable, imports=(PROJECT,), processes=programs)
        most = 2 * AgentLimits.load_seconds + 2 * game.max_step * (AgentLimits.seconds + AgentLimits.margin)
        try:
            ended = host_process.run(host, most, given)
        except TimeoutError:
            why = _("the run was ended after {seconds:,.0f} s; a game whose calls keep the limit of 1 s takes less")
            raise RunAborted(why.format(seconds=most)) from None
    printed, answered = ended.printed, ended.answer
    for agent, file in zip(agents, files, strict=True):  # the texts name the agents' own folders
        printed = printed.replace(str(file.parent), str(agent.path.parent))
        here, home = (json.dumps(str(each.parent))[1:-1].encode() for each in (file, agent.path))
        answered = answered.replace(here, home)
    if printed.strip():
        print(ending(printed, PRINTED))
    try:
        answer = json.loads(answered)
        kind, content = answer["kind"], answer["content"]
    except (ValueError, TypeError, KeyError) as error:
        sentence = _("the run ended without a result: it {fault}")
        raise RunAborted(sentence.format(fault=shown(fault_text(ended.fault)))) from error
    if kind == "log" and isinstance(content, dict):
        return {**content, "game_name": setup.env}  # an agent could forge this entry, a file name
    if kind == "aborted":
        raise RunAborted(str(content[0]), str(content[1]))
    raise AgentError(str(content))


def _answer_to(given: Any) -> dict[str, Any]:
    """Play the game of a request, in the sandboxed process; returns the log or the error."""
    setup, agents, language = given
    languages.use(language)
    black, white = (AgentSpec(agent["name"], Path(agent["path"]), agent["options"]) for agent in agents)
    try:
        return {"kind": "log", "content": played_here(GameSetup.from_json(setup), (black, white))}
    except RunAborted as error:
        return {"kind": "aborted", "content": (str(error), error.traceback)}
    except AgentError as error:
        return {"kind": "unusable", "content": str(error)}


def load_controllers(agents: Agents) -> list[Controller]:
    """Black's and White's `my_controller`. If both agents are the same file, it is loaded once.

    Raises AgentError and RunAborted as `run_log` does, and AgentError for one file with two different sets of options.
    """
    black, white = agents
    if black.path == white.path:
        if black.options != white.options:
            sentence = _("both sides are one module, as on the platform: give them the same options, or use match")
            raise AgentError(sentence)
        return [_load(black, module_name(str(black.path)), 0)] * 2
    names = [module_name(str(agent.path)) for agent in agents]
    if names[0] == names[1]:  # two different agents with the same name, which the platform excludes
        names[1] += "_2"
    return [_load(agent, name, player) for player, (agent, name) in enumerate(zip(agents, names, strict=True))]


def _load(agent: AgentSpec, name: str, player: int) -> Controller:
    try:
        controller: Controller = load_agent(str(agent.path), name, dict(agent.options)).my_controller
    except Unusable as error:
        fault = Fault(FaultKind(error.kind), error.fields)
        raise AgentError(shown(fault_text(fault))) from error
    except ModuleNotFoundError as error:
        beside = agent.path.parent / (error.name or "").partition(".")[0]
        sentence = _("{colour} ({agent}) could not be loaded: {error}; it is not installed here")
        if beside.is_dir() or beside.with_suffix(".py").is_file():
            sentence = _("{colour} ({agent}) could not be loaded: {error}; {module} lies beside it, "
                         "but the platform does not look there (`tengen match` does)")  # fmt: skip
        raise _aborted(sentence, error, player, agent.name, module=beside.name) from error
    except (Exception, SystemExit) as error:
        raise _aborted(_("{colour} ({agent}) could not be loaded: {error}"), error, player, agent.name) from error
    return controller


def play(session: GameSession, controllers: list[Controller]) -> dict[str, Any]:
    """Play a session to its end; returns the finished log. Raises RunAborted if a controller or a step raises.

    Prints for each player how many of its answers were illegal, since the log does not show them.
    """
    env = session.env
    illegal: tuple[list[tuple[int, object]], ...] = [], []  # by player: step and cell of each illegal answer
    spaces = [action_space(env.board_height, env.board_width, env.seed + 2 * player) for player in range(2)]
    while session.result is None:
        mover, answers = session.to_move, []
        for player, controller in enumerate(controllers):
            try:
                answers.append(controller(session.observations[player], spaces[player], env.is_act_continuous))
            except (Exception, SystemExit) as error:
                why = _("{colour} ({agent}) raised at step {step}: {error}; the platform's run would end here")
                raise _aborted(why, error, player, session.names[player], step=env.step_cnt) from error
        step, reads_move = env.step_cnt, env.can_move()
        try:
            session.advance(answers)
        except Exception as error:
            why = _("step {step} could not be made from the answers: {error}; {colour} ({agent}) was to move")
            raise _aborted(why, error, mover, session.names[mover], step=step) from error
        with contextlib.suppress(Exception):  # the answer may be an iterator, which can be read only once
            if reads_move and (cell := read_blindly(answers[mover])) != session.cells[-1]:
                illegal[mover].append((step, cell))
    for player, found in enumerate(illegal):
        if found:
            sentence = _("{colour} ({agent}) gave illegal answers: {number}, the first at step {step}: {cell}. Random "
                         "moves were played for them, as on the platform; the log shows only these.")  # fmt: skip
            print(sentence.format(colour=colour(player), agent=session.names[player], number=len(found),
                                  step=found[0][0], cell=written(found[0][1])))  # fmt: skip
    return session.log.finished(session.env)


def _aborted(sentence: str, error: BaseException, player: int, agent: str, **fields: object) -> RunAborted:
    line = shortened("".join(traceback.format_exception_only(error)[-1:]).strip(), SENTENCE)
    text = ending("".join(traceback.format_exception(error)), TRACEBACK) + "\n"
    return RunAborted(sentence.format(colour=colour(player), agent=agent, error=line, **fields), text)


if __name__ == "__main__":
    game_fd, answer_fd = map(int, sys.argv[1:])
    with open(game_fd, "rb") as games:
        request = json.loads(games.readline())
    sys.path.remove(str(PROJECT))
    answer = _answer_to(request)
    with open(answer_fd, "wb") as answers:
        answers.write(json.dumps(answer, allow_nan=False, default=plain).encode())
