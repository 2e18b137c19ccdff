"""The report's rows for which the upload is not run: files, syntax, library calls, imports, controller's arguments.

The site's rules for files are in this module. The modules inside a bundle are checked like files.
"""

from __future__ import annotations

import shlex
import stat
from collections.abc import Iterable, Iterator, Mapping, Set
from pathlib import Path
from typing import NamedTuple

from local_runner.agents import own_files
from local_runner.agents.source import (
    MAIN,
    SAVE_AS,
    check_readable,
    check_spelling,
    facts,
    kind_at,
    listed,
    mistake_advice,
    mistake_text,
    newer_features,
    save_as,
    source_of,
    strange_packages,
)
from local_runner.agents.source_reader import Source, SyntaxMistake
from local_runner.agents.spec import AgentSpec
from local_runner.errors import RunnerError
from local_runner.game.advice import OWN_THERE, THREE_ARGUMENTS
from local_runner.language.languages import Listing, Message, Series, _
from local_runner.language.text import in_line
from local_runner.system.files import lies_in
from local_runner.upload.check.report import CheckRow, failed, noted, passed
from local_runner.upload.settings import edits

KINDS = (".py", ".pth", ".pkl", ".pt", ".json")  # suffixes of files that the site accepts
MOST_FILES = 6  # largest number of files of an upload; the site accepts no folders
MOST_BYTES = 100_000_000  # largest total size of the files
MOST_SHOWN = 12  # most names in a list of a row
MOST_NAMED = 4  # largest number of places that a row of the report lists
NAMES = Message("names")
# Notes on what may be the cause of an illegal move or a changed board.
CAUSES = {
    Message("hidden errors"):
        Message("An error may be the cause: take out the `try`, check again, and mend what is raised."),
    Message("copies of lists"):
        Message("A copy of a list of lists has the same rows, so that a move on one board is on both: write "
                "copy.deepcopy(board)."),
}  # fmt: skip
# Notes on risky code, by the kinds of source_reader.py. The site may allow such code, so that a finding is no failure.
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
    Message("undefined names"): Message("No line defines them: are they misspelt, or is an import missing?"),
    Message("own colour"): Message("The agent plays White as well, but its code does not read its own colour: "
                                   "observation[\"chess_player_idx\"]."),
    Message("command line"):
        Message("At the import, the command line is that of the site's own program, which may have other arguments or "
                "none: write the values into the file, or parse an empty list: parse_args([])."),
}  # fmt: skip


class Upload(NamedTuple):
    """The uploaded files.

    main: the file with the controller
    files: all files and folders of the upload, including `main`
    left_out: names in the folder that are not uploaded, because they are links to outside the folder, or pipes etc.
    name: the name of `main` in the report
    """

    main: Path
    files: list[Path]
    left_out: list[str]
    name: str


def upload_of(file: Path) -> Upload:
    """The upload at a path: one file, which may be a link, or the files in a folder.

    Raises RunnerError if nothing is there, the folder has no submission.py, submission.py is a link to outside the
    folder, or a file cannot be read.
    """
    kind = kind_at(file)
    if kind != stat.S_IFDIR:
        if kind is None:
            check_spelling(file)
            sentence = _("there is no file {file}; make ours with `tengen bundle`, or give the path of yours")
            raise RunnerError(sentence.format(file=file))
        check_readable(file)
        return Upload(file, [file], [], file.name)
    main = file / MAIN
    if kind_at(main) != stat.S_IFREG:
        sentence = _("the folder {folder} has no {main}; name the file to check")
        raise RunnerError(sentence.format(folder=file, main=MAIN))
    if not lies_in(main, file):
        sentence = _("{main} is a link that leads out of its folder; give the path of the file itself")
        raise RunnerError(sentence.format(main=main))
    found = sorted(path for path in listed(file) if not path.name.startswith(".") and path.name != "__pycache__")
    files = [path for path in found if lies_in(path, file) or (path.is_dir() and not path.is_symlink())]
    for path in files:
        if path.is_file():
            check_readable(path, is_source=path.suffix == ".py")
    return Upload(main, files, [path.name for path in found if path not in files], MAIN)


def facts_of(upload: Upload) -> dict[str, Source]:
    """The facts about the upload's modules, including those inside a bundle."""
    beside = [path.name for path in upload.main.resolve().parent.iterdir() if path.is_file()]
    files = {upload.name if path == upload.main else path.name: path
             for path in upload.files if path.suffix == ".py" and path.is_file()}  # fmt: skip
    return facts(files, deep=True, beside=beside)


def check_files(upload: Upload, sources: Mapping[str, Source]) -> Iterator[CheckRow]:
    """Rows on the files' names, sizes, syntax, library calls, imports, habits, and on the controller's arguments."""
    files, main = upload.files, sources[upload.name]
    yield _kinds(files)
    if upload.left_out:
        mend = Message("A link that leads out of the folder, or what is no file, is left out here: put a copy of "
                       "the file in its place if the upload needs it.")  # fmt: skip
        yield noted(Message("links"), Message("not uploaded: {names}", names=Listing(upload.left_out)), mend)
    yield _seen_in_matches(upload, main)
    for name, source in sources.items():
        if source.bad_byte is not None:
            line, byte = source.bad_byte
            found = Message("{file}, line {line}: byte 0x{byte:02x} is not UTF-8", file=name, line=line, byte=byte)
            yield failed(Message("syntax"), found, save_as(source))
            return
        if source.encoding:
            found = Message("{file} is not text in its encoding: {error}", file=name, error=source.encoding)
            yield failed(Message("syntax"), found, SAVE_AS)
            return
    if wrong := {name: source.syntax for name, source in sources.items() if source.syntax}:
        lines = Series(_in_words(name, mistake) for name, mistake in wrong.items())
        yield failed(Message("syntax"), lines, Series(dict.fromkeys(map(mistake_advice, wrong.values())), " "))
        return
    if unread := {name: source.unread for name, source in sources.items() if source.unread}:
        mend = Message("Only the games were checked. Put large data into a file of its own, as .json or .pkl.")
        yield noted(Message("syntax"), Series(f"{name}: {why}" for name, why in unread.items()), mend)
        return
    yield passed(Message("syntax"), Message("Python 3.7, modules: {number}", number=len(sources)))
    if main.modules and (edited := edits(source_of(upload.main), main)):
        yield noted(Message("bundle"), edited)
    own = {path.stem for path in files if path.suffix == ".py"}
    yield _library(sources)
    yield _packages(sources, own | {path.name for path in files if path.is_dir()})
    yield from habits(sources, own)
    yield from _signature(upload, main)


def _seen_in_matches(upload: Upload, main: Source) -> CheckRow:
    """The files that the agent can open in a match, and those that its code names but cannot open there."""
    agent = AgentSpec(upload.name, upload.main.resolve(), {}, upload.files == [upload.main])
    try:
        names = sorted(own_files.files_of(agent))
    except RunnerError as error:
        return noted(Message("sees"), str(error), "")
    shown = [*names[:MOST_SHOWN], *(["..."] if len(names) > MOST_SHOWN else [])]
    found = Message("in a match it sees: {names}", names=Listing(map(in_line, shown)))
    if not (missed := [name for name in main.mentions if agent.alone and name not in names]):
        return passed(Message("sees"), found)
    mend = Message("Its code names {names}, which it does not see: give it a folder of its own, and name that folder.")
    if not {path.name for path in agent.path.parent.iterdir()} - {*names, *missed, "__pycache__"}:
        mend = Message("Its code names {names}, which it does not see: name its folder, {folder}, instead of the file.")
    fields = {"names": Listing(map(in_line, missed[:MOST_SHOWN])), "folder": shlex.quote(str(upload.main.parent))}
    return noted(Message("sees"), found, Message(mend, **fields))


def unused(upload: Upload, sources: Mapping[str, Source], loaded: Set[str]) -> Iterator[CheckRow]:
    """A note on the modules of the folder that the agent does not use, for example older versions of it.

    `loaded`: the files that were loaded in the games
    """
    names, used = [path.name for path in upload.files if path.suffix == ".py"], {upload.name, *loaded}
    used.update(name for source in sources.values() for name in source.mentions)
    while more := {f"{name}.py" for file in used & sources.keys() for name in sources[file].own | sources[file].packages
                   } & {*names} - used:  # fmt: skip
        used |= more
    if left := [name for name in names if name not in used]:
        found = Message("{main} does not import {names}", main=upload.name, names=Listing(left[:MOST_SHOWN]))
        yield noted(Message("unused"), found, Message("Leave them out of the upload if it does not need them."))


def _kinds(files: list[Path]) -> CheckRow:
    folders = [path.name for path in files if path.is_dir()]
    wrong = [path.name for path in files if path.is_file() and path.suffix not in KINDS]
    size = sum(path.stat().st_size for path in files if path.is_file())
    questions = (
        (folders, Message("folders: {names}", names=Listing(folders)),
         Message("The site takes no folders: put their files beside the submission.py.")),
        (wrong, Message("not taken: {names}", names=Listing(wrong)),
         Message("The site takes {kinds} only: leave these out, or save data that is needed as .json or .pkl (tensors "
                 "as .pt or .pth).", kinds=" ".join(KINDS))),
        (len(files) > MOST_FILES, Message("{number} files", number=len(files)),
         Message("The site takes at most {most}: put modules into one file.", most=MOST_FILES)),
        (size > MOST_BYTES, Message("{number:,} bytes", number=size),
         Message("The site takes at most {most:,}: make the data smaller.", most=MOST_BYTES)),
    )  # fmt: skip
    if trouble := [(found, mend) for is_wrong, found, mend in questions if is_wrong]:
        found, mend = Series(found for found, _ in trouble), Series((mend for _, mend in trouble), " ")
        return failed(Message("files"), found, mend)
    count = Message("{number} of at most {most}, {size:,} bytes", number=len(files), most=MOST_FILES, size=size)
    return passed(Message("files"), count)


def _in_words(name: str, mistake: SyntaxMistake) -> str:
    where = {"file": name, "line": mistake.line, "what": mistake_text(mistake)}
    if not mistake.code:
        return Message("{file}, line {line}: {what}", **where)
    return Message("{file}, line {line}: {what}: {code}", **where, code=mistake.code)


def _library(sources: Mapping[str, Source]) -> CheckRow:
    mend = Message("The site's Python 3.7 lacks these: use older ones. Put `# novm` at the end of a line that "
                   "never runs there, such as one behind a version check.")  # fmt: skip
    if trouble := next((source.vermin for source in sources.values() if source.vermin), ""):
        return failed(Message("library"), f"vermin: {trouble}", mend)
    findings = [Message("{file}, line {line}: {what}", file=name, line=line, what=what)
                for name, source in sources.items() for line, what in newer_features(source)]  # fmt: skip
    if findings:
        return failed(Message("library"), Series(findings), mend)
    return passed(Message("library"), Message("nothing newer than Python 3.7"))


def _packages(sources: Mapping[str, Source], own: set[str]) -> CheckRow:
    """Whether the site has all imported packages. trial.py reports neighbouring files; `habits`, names of the site."""
    strange = {file: strange_packages(source, own) for file, source in sources.items()}
    if any(strange.values()):
        mend = Message("The site may lack these; make sure that the file works without them.")
        found = [Message("{file} imports {names}", file=file, names=Listing(names))
                 for file, names in strange.items() if names]  # fmt: skip
        return noted(Message("packages"), Series(found), mend)
    return passed(Message("packages"), Message("imports only what the site has"))


def _signature(upload: Upload, main: Source) -> Iterator[CheckRow]:
    if main.controller:
        takes_three, line, code = main.controller
        if takes_three:
            yield passed(Message("arguments"), Message("my_controller takes three positional arguments"))
        else:
            found = Message("{file}, line {line}: {what}", file=upload.name, line=line, what=code)
            yield failed(Message("arguments"), found, THREE_ARGUMENTS)
    elif main.platform == "mo":
        mend = Message("Bundle it for Jidi, or play it here: `tengen match {file} greedy --env reversi_8x8_1v1`.")
        found = Message("an AIPlayer for the Mo platform, without my_controller")
        yield failed(Message("platform"), found, Message(mend, file=shlex.quote(str(upload.main))))
    elif main.platform == "kaggle":
        mend = Message(
            "Let a my_controller call it, as `tengen init` shows; or play it here: `tengen match {file} greedy`."
        )
        found = Message("a Kaggle agent(observation, configuration), without my_controller")
        yield failed(Message("platform"), found, Message(mend, file=shlex.quote(str(upload.main))))
    elif main.binds:
        found = Message("the file has no `def my_controller`; the games show whether it can be called")
        yield noted(Message("arguments"), found)


def habits(sources: Mapping[str, Source], files: set[str]) -> Iterator[CheckRow]:
    """The rows with notes on the sources, or one row without a problem if nothing is found.

    `files`: names of the upload's modules.
    """
    relative = {name for source in sources.values() for name in source.own}
    shadowed = [f"{name}.py" for name in sorted(files & set(OWN_THERE) - relative)]
    nothing = Message("no processes, threads, network, absolute paths or names of the site")
    yield from [*notes(sources, HABITS, shadowed)] or [passed(Message("surroundings"), nothing)]


def notes(
    sources: Mapping[str, Source], advice: Mapping[Message, Message], names: Iterable[str] = ()
) -> Iterator[CheckRow]:
    """A row for each kind of habit that has advice and is found. `names`: further findings of the kind NAMES."""
    for kind, mend in advice.items():
        places = [Message("{file}, line {line}: {what}", file=file, line=line, what=what)
                  for file, read in sources.items() for each, what, line in read.habits if each == kind]  # fmt: skip
        different = list(dict.fromkeys([*places, *(names if kind is NAMES else ())]))
        more = [Message("{number} more", number=len(different) - MOST_NAMED)] if len(different) > MOST_NAMED else []
        if different:
            yield noted(kind, Series([*different[:MOST_NAMED], *more]), mend)
