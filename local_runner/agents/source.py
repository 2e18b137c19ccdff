"""An agent's source: whether its file can be read, facts about it, and advice on code that the site's Python refuses.

The runner does not parse strangers' sources itself. A short-lived process does so (source_reader.py), under limits of
time and memory, and returns facts. This module makes texts of them. Every error names the file and says what to do.
"""

import contextlib
import hashlib
import json
import os
import pickle
import re
import signal
import stat
import subprocess
import sys
import unicodedata
from collections.abc import Container, Iterable, Mapping
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import msgspec

from local_runner.agents import source_reader
from local_runner.agents.source_reader import Source, SyntaxMistake
from local_runner.errors import AgentError
from local_runner.game.advice import INSTALLED_THERE, OWN_THERE
from local_runner.game.faults import Fault, FaultKind
from local_runner.game.wording import fault_text
from local_runner.language.languages import Listing, Message, _
from local_runner.system.files import reason, size

MAIN = "submission.py"
MOST_SOURCE = 64_000_000  # bytes; a larger source is not opened


def kind_at(path: Path) -> int | None:
    """The file type at a path, as `stat.S_IFMT` gives it; None if nothing is there.

    Raises AgentError for a dangling link, and if the user may not enter a folder on the path.
    """
    try:
        return stat.S_IFMT(os.stat(path).st_mode)
    except PermissionError as error:
        sentence = _("{file} cannot be reached: a folder above it is closed to you; open it (chmod a+x), or copy the "
                     "file to a folder of yours")  # fmt: skip
        raise AgentError(sentence.format(file=path)) from error
    except (OSError, ValueError) as error:  # ValueError: a null character
        if os.path.islink(path):
            sentence = _("{file} is a link to {target}, which is not there; mend the link, or name the file itself")
            raise AgentError(sentence.format(file=path, target=os.readlink(path))) from error
        return None


def check_readable(path: Path, *, is_source: bool = True) -> None:
    """Raise AgentError if the path is not a regular file, the file cannot be read, or a source is over MOST_SOURCE."""
    if kind_at(path) != stat.S_IFREG:
        sentence = _("{file} is no file that can be read; name a submission.py, or its folder")
        raise AgentError(sentence.format(file=path))
    if is_source and (many := size(path)) > MOST_SOURCE:
        sentence = _("{file} has {size:,} bytes; a source may have at most {most:,}: put its data into another file")
        raise AgentError(sentence.format(file=path, size=many, most=MOST_SOURCE))
    content_of(path, 1)


def listed(folder: Path) -> list[Path]:
    """The entries of a folder. Raises AgentError if the folder cannot be read."""
    try:
        return list(folder.iterdir())
    except OSError as error:
        sentence = _("the folder {folder} cannot be read ({error}); make it readable (chmod u+rx), or name a copy")
        raise AgentError(sentence.format(folder=folder, error=reason(error))) from error


def check_spelling(path: Path) -> None:
    """Raise AgentError if nothing is at a path, but a Python file of a similar name is beside it."""
    beside = [each.name for each in path.parent.glob("*.py")] if path.parent.is_dir() else []
    if like := get_close_matches(path.name, beside, n=1):
        sentence = _("there is no file {file}; did you mean {like}?")
        raise AgentError(sentence.format(file=path, like=path.parent / like[0]))


def source_of(path: Path) -> bytes:
    """The content of a source. Raises AgentError as check_readable does."""
    check_readable(path)
    return content_of(path)


def content_of(path: Path, most: int = -1) -> bytes:
    """The first `most` bytes of a file, by default all. Raises AgentError if the file cannot be read."""
    try:
        with open(path, "rb") as file:
            return file.read(most)
    except OSError as error:
        sentence = _("{file} cannot be read ({error}); make it readable (chmod u+r), or name a copy of it")
        raise AgentError(sentence.format(file=path, error=reason(error))) from error


# ---- facts

CONTROLLER = "my_controller(observation, action_space, is_act_continuous=False)"
READER = "import sys; sys.path.append(sys.argv[1]); from local_runner.agents import source_reader; source_reader.main()"
READER_SECONDS = 4.0 * source_reader.CPU_SECONDS  # wall-clock limit; the reader limits its own CPU time
MB = 1_000_000
MOST_KEPT = 1000  # most files whose facts are cached
MOST_NEWER = 300_000  # bytes; largest file in which a match looks for newer Python, which takes time
THERE = {*sys.stdlib_module_names, *INSTALLED_THERE, *OWN_THERE}  # modules and packages that the site has
NOT_UTF8 = re.compile(r"byte 0x(\w\w) in line (\d+) is not UTF-8")  # said by agent_side/loading.py
# Full-width punctuation whose ASCII sign unicodedata does not know.
PUNCTUATION = {"“": '"', "”": '"', "‘": "'", "’": "'", "、": ",", "。": ".", "《": "<", "》": ">", "—": "-", "…": "..."}

TOO_NEW = re.compile(r"(.+) (?:is|are) only supported in Python (\S+) and greater")  # said by ast.parse
NEW = {
    "Assignment expressions": Message("the operator :="),
    "Positional-only parameters": Message("a / in the list of parameters"),
    "f-string: self documenting expressions": Message("= in an f-string"),
    "Pattern matching": Message("the statement match"),
    "Parenthesized context managers": Message("brackets after with"),
    "Exception groups": Message("except*"),
    "dict union (dict | dict)": Message("dict union (dict | dict)"),
    "dict union merge (dict var |= dict)": Message("dict union (dict |= dict)"),
    "union types as `X | Y`": Message("the type X | Y"),
    "relaxed decorators": Message("an expression as decorator"),
}
NESTED = Message("nested too deep for Python")  # also in source_reader.py and loading.py
NOT_PYTHON = Message("This is not Python: mend the line, or the one before it.")
NEWER = Message("The site runs Python 3.7: use its syntax in these lines.")
SAVE_AS = Message("Save the file as UTF-8 (in the editor: Save with encoding), or name its encoding in the first line: "
                  "# -*- coding: gbk -*-")  # fmt: skip
# Advice by the message of Python about a syntax error; the words are those of Python 3.10 and newer.
BY_MESSAGE = (
    (r"expected ':'", Message("Write a colon at the end of the line.")),
    (r"was never closed|unmatched|does not match opening",
     Message("A bracket is missing or one too many, in this line or in one before it.")),
    (r"unterminated", Message("A text has no closing quotation mark.")),
    (r"instead of '='", Message("= gives a value; to compare, write ==.")),
    (r"forgot a comma", Message("A comma or another sign is missing between two values.")),
    (r"outside function", Message("The line stands outside every function; indent it.")),
    (r"null byte", Message("This is not Python: it holds null bytes, as a file in UTF-16 does; save it as UTF-8.")),
    (r"tabs and spaces|TabError",
     Message("This is not Python: tabs and spaces are mixed; indent by four spaces everywhere.")),
    (r"call to 'print'", Message("This is not Python 3, but Python 2: write print(...).")),
    (r"unicodeescape", Message("In a text \\U, \\x and \\N begin a code: write a path with /, or as r'...'.")),
    (r"indent", Message("This is not Python: indent all lines of a block equally, by four spaces.")),
    (r"cannot mix bytes|unknown encoding|encoding problem|not a text encoding", SAVE_AS),
)  # fmt: skip
# Advice on a file without my_controller at its top level, by the place where a my_controller was found.
MISPLACED = {
    "class": Message("my_controller in line {line} is a method of the class {name}: define it at the top level, where "
                     "it may call the class."),
    "main": Message("my_controller in line {line} stands under `if __name__ == \"__main__\"`, which does not run on "
                    "the site: move it to the top level."),
    "inside": Message("my_controller in line {line} stands inside something else: move it to the top level."),
    "near": Message("The function {name} in line {line} is probably meant: name it my_controller."),
    "object": Message("The site calls no class: define my_controller at the top level, and let it call an object of "
                      "the class {name} (line {line}): def {controller}:"),
    "kaggle": Message("If {name} is an agent(observation, configuration) of Kaggle, name it agent; else define "
                      "my_controller at the top level: def {controller}:"),
    "": Message("Define my_controller at the top level of the file: def {controller}:"),
}  # fmt: skip


_KEPT: dict[bytes, Source] = {}  # digest of a content -> its facts


def facts(files: Mapping[str, Path], *, deep: bool = False, beside: Iterable[str] = ()) -> dict[str, Source]:
    """The facts about the files of an agent, by name. A content is read once, unless `deep` or `beside` ask for more.

    deep, beside: as in source_reader.read
    """
    found, contents, total = dict[str, Source](), dict[str, bytes](), 0
    for name, path in files.items():
        if size(path) <= MOST_SOURCE < (total := total + size(path)):
            found[name] = _unread_for(MOST_SOURCE)
            continue
        try:
            content = source_of(path)
        except AgentError as error:
            found[name] = Source(unread=str(error))
            continue
        if (kept := _KEPT.get(hashlib.sha256(content).digest())) and not (deep or beside):
            found[name], total = kept, total - size(path)
        else:
            contents[name] = content
    answer = asked({"files": contents, "deep": deep, "beside": list(beside)}) if contents else {}
    if isinstance(answer, Source):
        answer = dict.fromkeys(contents, answer)
    if len(_KEPT) > MOST_KEPT:
        _KEPT.clear()
    _KEPT.update({hashlib.sha256(content).digest(): answer[name] for name, content in contents.items()})
    return {**found, **answer}


def source(path: Path) -> Source:
    """The facts about one file."""
    return facts({"": path})[""]


def asked(request: Mapping[str, Any]) -> dict[str, Source] | Source:
    """The reader's answer to a request; if the reader gave none, a Source whose `unread` says why."""
    command, done = [sys.executable, "-I", "-c", READER, str(Path(__file__).parents[2])], None
    with contextlib.suppress(subprocess.TimeoutExpired):
        done = subprocess.run(command, input=pickle.dumps(request), capture_output=True, timeout=READER_SECONDS)
    if done and not done.returncode:
        return msgspec.convert(json.loads(done.stdout), dict[str, Source])
    ended = signal.Signals(-done.returncode).name if done and done.returncode < 0 else ""
    if done is None or ended == "SIGXCPU":
        return Source(unread=Message("reading it takes more than {seconds} s", seconds=source_reader.CPU_SECONDS))
    if done.returncode == source_reader.NO_MEMORY or ended == "SIGKILL":
        return _unread_for(source_reader.DATA_BYTES)
    if ended == "SIGSEGV":  # Python 3.10 crashes instead of raising RecursionError
        return Source(syntax=SyntaxMistake(1, NESTED, ""))
    said = done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
    return Source(unread=Message("reading it fails: {error}", error=said[: source_reader.MOST_TEXT]))


def _unread_for(memory: int) -> Source:
    return Source(unread=Message("reading it takes more than {memory} MB", memory=memory // MB))


# ---- advice


def mistake_text(mistake: SyntaxMistake) -> str:
    """Python's message about a syntax error, translated if it is one that a newer Python explains."""
    if new := TOO_NEW.fullmatch(mistake.what):
        return Message("{feature} needs Python {python}", feature=NEW.get(new[1], new[1]), python=new[2])
    return NESTED if mistake.what == NESTED else mistake.what


def mistake_advice(mistake: SyntaxMistake) -> Message:
    """The advice for a syntax error."""
    return NEWER if mistake.newer else syntax_advice(mistake.what, mistake.code)


def save_as(read: Source) -> Message:
    """The advice for a source that is not UTF-8 and names no encoding."""
    return Message("The file is UTF-16: save it as UTF-8.") if read.utf16 else SAVE_AS


def syntax_advice(what: str, line: str) -> Message:
    """The advice for a syntax error. `what`: Python's message. `line`: the line of the source."""
    for pattern, mend in BY_MESSAGE:
        if re.search(pattern, what):
            return mend
    if not re.search(r"character|decimal literal", what):
        return NOT_PYTHON
    named = re.search(r"U\+([0-9A-F]{4,6})", what)  # Python 3.10 does not name a wrong character that follows a number
    characters = [chr(int(named[1], 16))] if named else re.findall(r"[^\x00-\x7f]", line)
    if wide := next(filter(_ascii_of, characters), ""):
        sentence = Message("Write {ascii} instead of the full-width {wide}: switch the input method to half-width.")
        return Message(sentence, ascii=_ascii_of(wide), wide=wide)
    if (characters and not characters[0].isprintable()) or characters[:1] == ["\u3000"]:
        sentence = Message("The line holds the character U+{code:04X}, which is seen as a blank or not at all: type "
                           "the blanks anew.")  # fmt: skip
        return Message(sentence, code=ord(characters[0]))
    return NOT_PYTHON


def _ascii_of(character: str) -> str:
    """The ASCII sign that stands for a full-width sign; "" for another character."""
    plain = PUNCTUATION.get(character) or unicodedata.normalize("NFKC", character)
    wide = not (character.isascii() or character.isalpha())
    return plain if wide and plain.isascii() and plain.strip() else ""


def unusable_text(fault: Fault) -> Message:
    """The text of a fault of a file that cannot be played. The loader's own words are translated, too."""
    said, sentence = str(fault.fields.get("error", "")), None
    if not_utf8 := NOT_UTF8.fullmatch(said):
        sentence = Message("byte 0x{byte} in line {line} is not UTF-8", byte=not_utf8[1], line=not_utf8[2])
    elif said == NESTED:
        sentence = NESTED
    return fault_text(replace(fault, fields={**fault.fields, "error": sentence}) if sentence else fault)


def unusable_advice(fault: Fault, path: Path) -> Message | None:
    """The advice for a file that cannot be played; None if the fault does not lie in its source. `path`: the file."""
    said, read = str(fault.fields.get("error", "")), source(path)
    if NOT_UTF8.fullmatch(said):
        return save_as(read)
    if fault.kind is FaultKind.NO_CONTROLLER and not (read.unread or read.encoding):
        place, name, line = read.misplaced or ("", "", 0)
        if (last := str(fault.fields.get("last", ""))) and place in ("", "object"):
            place, name = "kaggle", last
        return Message(MISPLACED[place], name=name, line=line, controller=CONTROLLER)
    if fault.kind in (FaultKind.SYNTAX, FaultKind.NO_PYTHON):  # a newer Python explains more than 3.7
        return mistake_advice(read.syntax) if read.syntax else syntax_advice(said, "")
    return None


def strange_packages(read: Source, own: Container[str]) -> list[str]:
    """The imported packages that the site is not known to have. `own`: names of modules beside the source."""
    return sorted(name for name in read.packages - THERE if name not in own and not name.startswith("_tengen_"))


def unlike_site(path: Path) -> Message | None:
    """A warning about a newer Python or other packages than the site's; None if none is seen."""
    if not 0 < size(path) <= MOST_NEWER or source(path).unread:
        return None
    read = facts({path.name: path}, deep=True)[path.name]
    beside = {name for name in read.packages if path.with_name(name).is_dir() or path.with_name(f"{name}.py").is_file()}
    if read.syntax:
        line, what = read.syntax.line, mistake_text(read.syntax)
    elif read.library:
        line, what = newer_features(read)[0]
    elif strange := strange_packages(read, beside):
        return Message("imports {names}, which the platform may lack", names=Listing(strange))
    else:
        return None
    sentence = Message("would fail on the platform, which runs Python 3.7: {file}, line {line}: {what}")
    return Message(sentence, file=path.name, line=line, what=what)


def newer_features(read: Source) -> list[tuple[int, Message]]:
    """(line, what) of each use of a library feature newer than the site's Python."""
    sentence = Message("{feature} needs Python {python}")
    return [(line, Message(sentence, feature=_in_words(feature), python=version))
            for line, version, feature in read.library]  # fmt: skip


def _in_words(feature: str) -> str:
    """A feature in vermin's words, such as "'math.prod' member", as a Message."""
    if named := re.fullmatch(r"'([\w.]+)' (member|module)", feature):
        template = Message("'{name}' member") if named[2] == "member" else Message("'{name}' module")
        return Message(template, name=named[1])
    return NEW.get(feature, feature)
