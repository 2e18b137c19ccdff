"""Copies of the agents of a run, made when it begins, so that an agent may be edited, moved or deleted meanwhile.

`copies` makes them in a temporary folder. `packed` and `unpacked` turn them into JSON values for a tournament's file:
    "agents":   [{"main": "submission.py", "files": {"submission.py": SHA-256 of the content, ...}}, ...]
    "contents": {SHA-256: the content by zlib and base64, ...}     each content once
"""

import base64
import contextlib
import hashlib
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

import msgspec

from local_runner.agents.own_files import MB, MOST_MB, AgentFiles, changed, copied, place_of, write
from local_runner.agents.spec import AgentSpec
from local_runner.processes import claims, interpreters


class Copy(NamedTuple):
    """An agent in a run: its spec, and the path of the copy of its file; None if the file itself is played."""

    agent: AgentSpec
    path: Path | None = None

    @property
    def file(self) -> Path:
        """The file that is played."""
        return self.path or self.agent.path


@contextlib.contextmanager
def copies(agents: Sequence[AgentSpec], python: str, stored: Sequence[AgentFiles] = ()) -> Iterator[list[Copy]]:
    """Copy agents into a temporary folder inside a `with`. `python`: the agents' interpreter.

    `stored`: the agents' files at the start of the tournament; none for the files on the disk. An agent of the project
    whose files have changed since then counts as a stranger's: its spec gets the path of the copy.
    """
    interpreters.folders(python)  # compiles the project's agents, so that the copies have .pyc files
    with claims.folder() as folder:
        made: dict[object, Copy] = {}  # agents of the same files share a copy
        played = list[Copy]()
        for number, agent in enumerate(agents):
            if agent.level:  # our engine plays a level; there is no file to copy
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


@dataclass
class _NamedFiles:
    main: str
    files: dict[str, str]


def packed(files: Sequence[AgentFiles]) -> dict[str, Any]:
    """Agents' files as JSON values."""
    digests = [{name: hashlib.sha256(content).hexdigest() for name, content in each.contents.items()} for each in files]
    contents = {named[name]: base64.b64encode(zlib.compress(content)).decode()
                for each, named in zip(files, digests, strict=True)
                for name, content in each.contents.items()}  # fmt: skip
    agents = [{"main": each.main, "files": named} for each, named in zip(files, digests, strict=True)]
    return {"agents": agents, "contents": contents}


def unpacked(value: Mapping[str, Any], agents: int) -> list[AgentFiles]:
    """The files of this number of agents, from `packed`. A stranger may have written the values.

    Raises ValueError for other values, for more files than the agents may have, and for a path outside their folders.
    """
    try:
        named = msgspec.convert(value["agents"], list[_NamedFiles])
        contents, left = dict[str, bytes](), MOST_MB * MB * agents
        for digest, text in msgspec.convert(value["contents"], dict[str, str]).items():
            contents[digest] = zlib.decompressobj().decompress(base64.b64decode(text), left + 1)
            left -= len(contents[digest])
        names = (PurePosixPath(name) for each in named for name in (each.main, *each.files))
        inside = all(name.parts and not name.is_absolute() and ".." not in name.parts and "\0" not in str(name)
                     for name in names)  # fmt: skip
        if left < 0 or len(named) != agents or not inside:
            raise ValueError("too many files, or a path outside the agent's folder")
        return [AgentFiles(each.main, {name: contents[digest] for name, digest in each.files.items()})
                for each in named]  # fmt: skip
    except (LookupError, zlib.error) as error:
        raise ValueError(str(error)) from error
