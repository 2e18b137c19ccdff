"""Notes on risky code in an upload: processes, threads, network, paths, the site's names, the command line.

A finding is a note, not a failure: the site may allow such code, and the check cannot see the site's folders.
agents/source_reader.py finds the code; each row of HABITS says what to do about one kind.
"""

from __future__ import annotations

from collections.abc import Iterator

from local_runner.agents.source import Facts
from local_runner.language.languages import Message, Series
from local_runner.processes.agent_side.loading import PLATFORM_NAMES
from local_runner.upload.check.report import CheckRow, noted, passed

MOST_NAMED = 4  # largest number of places that a row of the report lists
NAMES, ARGUMENTS = Message("names"), Message("command line")
HABITS = {
    Message("processes"):
        Message("The site gives an agent one core and ends only the process that it knows: think in one process."),
    Message("threads"): Message("Threads share the one core of the site, and their time counts: think in one thread."),
    Message("network"):
        Message("Do not rely on a network there: put everything that it needs into the upload."),
    Message("paths"): Message("No such folder need exist on the site: build paths from os.path.dirname("
                              "os.path.abspath(__file__))."),
    Message("writing"): Message("The site need not allow it, and does not keep the file for you: write no files in the "
                                "upload."),
    NAMES: Message("The site has modules of its own with these names and imports them instead: write `from "
                   ".NAME import ...`, or rename the file."),
    ARGUMENTS: Message("At the import, the command line is that of the site's own program, which may have other "
                       "arguments or none: write the values into the file, or parse an empty list: parse_args([])."),
}  # fmt: skip


def habits(read: Facts, files: set[str]) -> Iterator[CheckRow]:
    """The rows with notes on the sources, or one row without a problem if nothing is found.

    `files`: names of the upload's modules.
    """
    found: dict[str, list[str]] = {name: [] for name in HABITS}
    places = [(kind, file, line, what) for file, source in read.files.items() for kind, what, line in source.habits]
    for kind, file, line, what in [*places, *((ARGUMENTS, *place) for place in read.arguments)]:
        found[kind].append(Message("{file}, line {line}: {what}", file=file, line=line, what=what))
    found[NAMES] += [f"{name}.py" for name in sorted(files & set(PLATFORM_NAMES))]
    rows = [noted(name, _listed(found[name]), mend) for name, mend in HABITS.items() if found[name]]
    nothing = Message("no processes, threads, network, absolute paths or names of the site")
    yield from rows or [passed(Message("surroundings"), nothing)]


def _listed(places: list[str]) -> str:
    different = list(dict.fromkeys(places))
    named = different[:MOST_NAMED]
    if len(different) > MOST_NAMED:
        named.append(Message("{number} more", number=len(different) - MOST_NAMED))
    return Series(named)
