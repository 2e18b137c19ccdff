"""Copies of the agents of a run, made when it begins, so that an agent may be edited, moved or deleted meanwhile."""

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from local_runner.agents.own_files import AgentFiles, changed, copied, place_of, write
from local_runner.agents.spec import AgentSpec
from local_runner.processes import interpreters, scratch


class Copy(NamedTuple):
    """An agent in a run: its spec, and the path of the copy of its file that is played, None for the file itself."""

    agent: AgentSpec
    path: Path | None = None


@contextlib.contextmanager
def copies(agents: Sequence[AgentSpec], python: str, stored: Sequence[AgentFiles] = ()) -> Iterator[list[Copy]]:
    """Copy agents into a temporary folder inside a `with`. `python`: the agents' interpreter.

    `stored`: the agents' files at the start of the tournament; none for the files on the disk. An agent of the project
    whose files have changed since then counts as a stranger's: its spec gets the path of the copy.
    """
    interpreters.folders(python)  # compiles the project's agents, whose compiled files are copied
    with scratch.folder(scratch.COPIES) as folder:
        folder.chmod(0o711)  # the user of a sandbox may reach the copies
        made: dict[object, Copy] = {}  # agents of the same files share a copy
        played = list[Copy]()
        for number, agent in enumerate(agents):
            if agent.level:  # it is played by our engine itself
                played.append(Copy(agent))
                continue
            if (key := place_of(agent)) not in made:
                place = folder / str(number)
                if stored and (not agent.is_ours or changed(agent, stored[number])):
                    path = write(stored[number], place / (agent.path.parent.name or "agent"))
                    made[key] = Copy(replace(agent, path=path) if agent.is_ours else agent, path)
                else:
                    made[key] = Copy(agent, copied(agent, place))
            copy = made[key]
            played.append(Copy(replace(agent, path=copy.agent.path), copy.path))
        yield played
