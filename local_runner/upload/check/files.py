"""Checks an upload without running it: its files, syntax, library calls, imports, and the controller's arguments.

The site's rules for files are in this module. The modules inside a bundle are checked like files.
"""

from __future__ import annotations

import ast
import re
import stat
import sys
from collections.abc import Collection, Iterator, Mapping
from importlib.util import decode_source
from pathlib import Path
from typing import NamedTuple

from local_runner.agents import own_files
from local_runner.agents.declared_games import is_for_kaggle, is_for_mo
from local_runner.agents.files import MAIN, check_readable, kind_at, listed
from local_runner.agents.source import SAVE_AS, Finding, line_of, newer_library, save_as, syntax_error
from local_runner.agents.spec import AgentSpec
from local_runner.errors import RunnerError
from local_runner.game.advice import INSTALLED_THERE, THREE_ARGUMENTS
from local_runner.language.languages import Listing, Message, Series, _
from local_runner.language.text import in_line
from local_runner.processes.agent_side.loading import PLATFORM_NAMES, bad_byte
from local_runner.system.files import lies_in
from local_runner.upload.bundle import embedded_sources
from local_runner.upload.check.habits import habits
from local_runner.upload.check.report import CheckRow, failed, noted, passed
from local_runner.upload.settings import edits

KINDS = (".py", ".pth", ".pkl", ".pt", ".json")  # suffixes of files that the site accepts
MOST_FILES = 6  # largest number of files of an upload; the site accepts no folders
MOST_BYTES = 100_000_000  # largest total size of the files
MOST_SHOWN = 12  # longest list of names in a row


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
            check_readable(path)
    return Upload(main, files, [path.name for path in found if path not in files], MAIN)


def check_files(upload: Upload) -> Iterator[CheckRow]:
    """Rows on the files' names, sizes, syntax, library calls, imports, habits, and on the controller's arguments."""
    files, left_out = upload.files, upload.left_out
    yield _kinds(files)
    if left_out:
        mend = Message("A link that leads out of the folder, or what is no file, is left out here: put a copy of "
                       "the file in its place if the upload needs it.")  # fmt: skip
        yield noted(Message("links"), Message("not uploaded: {names}", names=Listing(left_out)), mend)
    yield seen_in_matches(upload)
    try:
        sources = _sources(upload)
    except _WrongEncoding as error:
        yield failed(Message("syntax"), error.found, error.mend)
        return
    wrong = {name: found for name, text in sources.items() if (found := syntax_error(text))}
    if wrong:
        lines = Series(_in_words(name, bad, sources[name]) for name, bad in wrong.items())
        yield failed(Message("syntax"), lines, Series(dict.fromkeys(bad.mend for bad in wrong.values()), " "))
        return
    yield passed(Message("syntax"), Message("Python 3.7, modules: {number}", number=len(sources)))
    if edited := edits(sources[upload.name]):
        yield noted(Message("bundle"), edited)
    yield from _unused(upload)
    yield _library(sources)
    yield _packages(sources, {path.stem for path in files if path.suffix == ".py"})
    yield from habits(sources, {path.stem for path in files if path.suffix == ".py"})
    yield from _signature(sources[upload.name])


def site_packages(upload: Upload) -> set[str]:
    """The packages of the site that an upload imports, also inside functions. The files must have no syntax errors."""
    return {name for text in _sources(upload).values() for name in _imports(text)} & INSTALLED_THERE


class _WrongEncoding(Exception):
    """A file is not text in its encoding. `found`: the finding. `mend`: the advice."""

    def __init__(self, found: Message, mend: Message) -> None:
        super().__init__(found)
        self.found, self.mend = found, mend


def _sources(upload: Upload) -> dict[str, str]:
    """Name -> text of all modules, including those inside a bundle.

    Raises _WrongEncoding if a file is not text in its encoding.
    """
    sources = {}
    for path in upload.files:
        if path.suffix == ".py" and path.is_file():
            name = upload.name if path == upload.main else path.name
            content = path.read_bytes()
            if (bad := bad_byte(content)) is not None:
                sentence = Message("{file}, line {line}: byte 0x{byte:02x} is not UTF-8")
                raise _WrongEncoding(Message(sentence, file=name, line=bad[0], byte=bad[1]), save_as(content))
            try:
                sources[name] = decode_source(content)
            except (SyntaxError, UnicodeDecodeError) as error:
                sentence = Message("{file} is not text in its encoding: {error}", file=name, error=str(error))
                raise _WrongEncoding(sentence, SAVE_AS) from error
    inner = {} if syntax_error(sources[upload.name]) else embedded_sources(sources[upload.name])
    return {**sources, **{f"{upload.name}/{name}": text for name, text in inner.items()}}


def seen_in_matches(upload: Upload) -> CheckRow:
    """The files that the agent sees in a match, and those that its code names and that it does not see."""
    alone = upload.files == [upload.main]
    agent = AgentSpec(upload.name, upload.main.resolve(), {}, alone)
    try:
        names = sorted(own_files.files_of(agent))
        missed = _named(upload, names) if alone else []
    except RunnerError as error:
        return noted(Message("sees"), str(error), "")
    shown = [*names[:MOST_SHOWN], *(["..."] if len(names) > MOST_SHOWN else [])]
    found = Message("in a match it sees: {names}", names=Listing(map(in_line, shown)))
    if not missed:
        return passed(Message("sees"), found)
    mend = Message("Its code names {names}, which it does not see: give it a folder of its own, and name that folder.")
    return noted(Message("sees"), found, Message(mend, names=Listing(map(in_line, missed[:MOST_SHOWN]))))


def _named(upload: Upload, seen: Collection[str]) -> list[str]:
    """The files beside a file that stand as words in its source, and that it does not see in a match."""
    words = set(re.findall(r"[\w.-]+", upload.main.read_text("utf-8", "replace")))
    beside = (path.name for path in upload.main.resolve().parent.iterdir() if path.is_file())
    return sorted(name for name in beside if name in words and name not in seen)


def _unused(upload: Upload) -> Iterator[CheckRow]:
    """A note on the modules of the folder that the main file does not import, for example older versions of it."""
    others = [path.name for path in upload.files if path.suffix == ".py" and path != upload.main]
    if not others:
        return
    try:
        used = own_files.files_of(AgentSpec(upload.name, upload.main.resolve(), {}, True))
    except RunnerError:  # the row "sees" tells it
        return
    if unused := [name for name in others if name not in used]:
        found = Message("{main} does not import {names}", main=upload.name, names=Listing(unused[:MOST_SHOWN]))
        yield noted(Message("unused"), found, Message("Leave them out of the upload if it does not need them."))


def _kinds(files: list[Path]) -> CheckRow:
    folders = [path.name for path in files if path.is_dir()]
    wrong = [path.name for path in files if path.is_file() and path.suffix not in KINDS]
    size = sum(path.stat().st_size for path in files if path.is_file())
    questions = (
        (folders, Message("folders: {names}", names=Listing(folders)),
         Message("The site takes no folders: bundle them.")),
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


def _in_words(name: str, found: Finding, text: str) -> str:
    shown = line_of(text, found.line)
    if not shown:
        return Message("{file}, line {line}: {what}", file=name, line=found.line, what=found.what)
    return Message("{file}, line {line}: {what}: {code}", file=name, line=found.line, what=found.what, code=shown)


def _library(sources: Mapping[str, str]) -> CheckRow:
    """Check with vermin whether the modules use library features newer than Python 3.7."""
    mend = Message("The site's Python 3.7 lacks these: use older ones. Put `# novm` at the end of a line that "
                   "never runs there, such as one behind a version check.")  # fmt: skip
    try:
        findings = [Message("{file}, line {line}: {what}", file=name, line=found.line, what=found.what)
                    for name, text in sources.items() for found in newer_library(text)]  # fmt: skip
    except Exception as error:  # vermin's own
        return failed(Message("library"), f"vermin: {error!r}", mend)
    if findings:
        return failed(Message("library"), Series(findings), mend)
    return passed(Message("library"), Message("nothing newer than Python 3.7"))


def _packages(sources: Mapping[str, str], own: set[str]) -> CheckRow:
    """Check whether the site is known to have all imported packages.

    trial.py reports imports of neighbouring files; habits.py reports imports of the site's own module names.
    """
    known = {*sys.stdlib_module_names, *INSTALLED_THERE, *PLATFORM_NAMES, *own}
    strange = {file: sorted(name for name in {*_imports(text)} - known if not name.startswith("_tengen_"))
               for file, text in sources.items()}  # fmt: skip
    if any(strange.values()):
        mend = Message("The site may lack these; make sure that the file works without them.")
        found = [Message("{file} imports {names}", file=file, names=Listing(names))
                 for file, names in strange.items() if names]  # fmt: skip
        return noted(Message("packages"), Series(found), mend)
    return passed(Message("packages"), Message("imports only what the site has"))


def _imports(text: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.split(".")[0]


def _signature(text: str) -> Iterator[CheckRow]:
    """Check whether `my_controller`, if defined with `def`, takes three positional arguments."""
    tree = ast.parse(text)
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == "my_controller":
            most = len(node.args.posonlyargs) + len(node.args.args)
            least = most - len(node.args.defaults)
            required = sum(default is None for default in node.args.kw_defaults)
            if least <= 3 and (most >= 3 or node.args.vararg) and not required:
                yield passed(Message("arguments"), Message("my_controller takes three positional arguments"))
                return
            found = _takes(least, None if node.args.vararg else most, required)
            yield failed(Message("arguments"), found, THREE_ARGUMENTS)
            return
    if is_for_mo(tree):
        mend = Message("Bundle it for Jidi, or play it here: `tengen match FILE greedy --env reversi_8x8_1v1`.")
        yield failed(Message("platform"), Message("an AIPlayer for the Mo platform, without my_controller"), mend)
    elif is_for_kaggle(tree):
        mend = Message(
            "Let a my_controller call it, as `tengen init` shows; or play it here: `tengen match FILE greedy`."
        )
        found = Message("a Kaggle agent(observation, configuration), without my_controller")
        yield failed(Message("platform"), found, mend)
    elif _binds_controller(tree):
        found = Message("the file has no `def my_controller`; the games show whether it can be called")
        yield noted(Message("arguments"), found)


def _binds_controller(tree: ast.Module) -> bool:
    """Whether the source may define my_controller other than by a `def` at its top level."""
    stored = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    imported = {alias.asname or alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)
                for alias in node.names}  # fmt: skip
    return bool((stored | imported) & {"my_controller", "*"})


def _takes(least: int, most: int | None, required: int) -> Message:
    """The arguments of a controller in words.

    least, most: number of positional arguments; `most` None: any number
    required: number of required keyword-only arguments
    """
    if most is None:
        count: str = Message("at least {number}", number=least)
    else:
        count = f"{least}" if least == most else Message("{least} to {most}", least=least, most=most)
    if least == 1 and most in (1, None):
        arguments = Message("{count} positional argument", count=count)
    else:
        arguments = Message("{count} positional arguments", count=count)
    if required:
        return Message("my_controller takes {arguments} and {number} by keyword", arguments=arguments, number=required)
    return Message("my_controller takes {arguments}", arguments=arguments)
