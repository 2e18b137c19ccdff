"""Reads an agent's source without running it: what the site's Python refuses in it, and how to mend that.

The site runs Python 3.7. The text of a finding names the line; the file is named by the caller.
"""

import ast
import codecs
import difflib
import functools
import re
import symtable
import unicodedata
import warnings
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import decode_source
from pathlib import Path
from typing import NamedTuple

from local_runner.game.faults import Fault, FaultKind
from local_runner.game.wording import fault_text
from local_runner.language.languages import Message

PYTHON = (3, 7)  # the site's version
CONTROLLER = "my_controller(observation, action_space, is_act_continuous=False)"
MOST_BYTES = 300_000  # largest file in which a match looks for newer Python, which takes time
MOST_SHOWN = 80  # how many characters of a line with an error are shown
LIKE = 0.7  # least likeness of a function's name to my_controller, by difflib's ratio
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
}
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
    (r"indent", Message("This is not Python: indent all lines of a block equally, by four spaces.")),
    (r"cannot mix bytes|unknown encoding|encoding problem", SAVE_AS),
)  # fmt: skip


class Finding(NamedTuple):
    """A mistake in a source file, its line (1 the first, 0 for the whole file), and advice."""

    line: int
    what: str
    mend: Message


def syntax_tree(text: str, python: tuple[int, int] | None = None) -> ast.Module:
    """The syntax tree of a module in the syntax of `python`, by default of the running version.

    Raises SyntaxError or ValueError if the text is not valid Python, and RecursionError or MemoryError if its
    expressions are nested too deeply.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # ignores warnings, such as those about invalid escapes in strings
        symtable.symtable(text, "", "exec")  # raises RecursionError for deep nesting; Python 3.10's ast.parse crashes
        return ast.parse(text, feature_version=python)


def syntax_error(text: str, python: tuple[int, int] | None = PYTHON) -> Finding | None:
    """The first syntax error in the syntax of `python` (None: the running version); None if there is none."""
    line = 1
    what: str = Message("nested too deep for Python")
    try:
        syntax_tree(text, python)
        return None
    except SyntaxError as error:
        line, what = error.lineno or 1, error.msg
        if new := TOO_NEW.fullmatch(what):
            what = Message("{feature} needs Python {python}", feature=NEW.get(new[1], new[1]), python=new[2])
    except ValueError as error:  # null bytes, on Python before 3.12
        what = str(error)
    except (RecursionError, MemoryError):
        pass
    newer = python is not None and syntax_error(text, None) is None
    return Finding(line, what, NEWER if newer else syntax_advice(what, line_of(text, line)))


def syntax_advice(what: str, line: str) -> Message:
    """The advice for a syntax error. `what`: Python's message. `line`: the line of the source."""
    for pattern, mend in BY_MESSAGE:
        if re.search(pattern, what):
            return mend
    if not re.search(r"character|decimal literal", what):
        return NOT_PYTHON
    named = re.search(r"U\+([0-9A-F]{4,6})", what)  # Python 3.10 does not name a sign that follows a number
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
    return plain if plain.isascii() and plain.strip() and not character.isalpha() else ""


def line_of(text: str, line: int) -> str:
    """The line with this number, without blanks around it and cut to MOST_SHOWN; "" if there is none."""
    lines = text.split("\n")
    return lines[line - 1].strip(" \t\f")[:MOST_SHOWN] if 0 < line <= len(lines) else ""


def save_as(content: bytes) -> Message:
    """The advice for a source that is not UTF-8 and names no encoding."""
    utf16 = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return Message("The file is UTF-16: save it as UTF-8.") if utf16 else SAVE_AS


def unusable_text(fault: Fault) -> Message:
    """The text of a fault of a file that cannot be played. The loader's words about an encoding are translated, too."""
    if not_utf8 := NOT_UTF8.fullmatch(str(fault.fields.get("error", ""))):
        sentence = Message("byte 0x{byte} in line {line} is not UTF-8", byte=not_utf8[1], line=not_utf8[2])
        fault = replace(fault, fields={**fault.fields, "error": sentence})
    return fault_text(fault)


def missing_controller(tree: ast.Module) -> Message:
    """The advice for a source without `my_controller` at its top level."""
    for node, inside in _functions(tree):
        if node.name != "my_controller":
            continue
        for parent in inside:
            if isinstance(parent, ast.ClassDef):
                sentence = Message("my_controller in line {line} is a method of the class {name}: define it at the top "
                                   "level, where it may call the class.")  # fmt: skip
                return Message(sentence, line=node.lineno, name=parent.name)
            if isinstance(parent, ast.If) and "__main__" in ast.unparse(parent.test):
                sentence = Message("my_controller in line {line} stands under `if __name__ == \"__main__\"`, which "
                                   "does not run on the site: move it to the top level.")  # fmt: skip
                return Message(sentence, line=node.lineno)
        sentence = Message("my_controller in line {line} stands inside something else: move it to the top level.")
        return Message(sentence, line=node.lineno)
    names = {node.name.lower().replace("_", ""): node for node, _ in _functions(tree)}
    if near := difflib.get_close_matches("mycontroller", names, 1, LIKE):
        node = names[near[0]]
        sentence = Message("The function {name} in line {line} is probably meant: name it my_controller.")
        return Message(sentence, name=node.name, line=node.lineno)
    return Message("Define my_controller at the top level of the file: def {controller}:", controller=CONTROLLER)


def _functions(tree: ast.AST, inside: tuple[ast.AST, ...] = ()) -> "Iterator[tuple[_Function, tuple[ast.AST, ...]]]":
    """All functions of a tree, each with the classes, functions and conditions around it, the innermost first."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node, inside
        if isinstance(node, ast.stmt):
            yield from _functions(node, (node, *inside))


_Function = ast.FunctionDef | ast.AsyncFunctionDef


def unusable_advice(fault: Fault, path: Path) -> Message | None:
    """The advice for a file that cannot be played; None if the fault does not lie in its source.

    `path`: the file.
    """
    try:
        content = path.read_bytes()
        if NOT_UTF8.fullmatch(str(fault.fields.get("error", ""))):
            return save_as(content)
        text = decode_source(content)
        if fault.kind is FaultKind.NO_CONTROLLER:
            return missing_controller(syntax_tree(text))
    except (OSError, ValueError, SyntaxError, RecursionError, MemoryError):
        return None
    if fault.kind in (FaultKind.SYNTAX, FaultKind.NO_PYTHON):
        if (error := syntax_error(text)) is not None:  # a newer Python explains more than 3.7
            return error.mend
        return syntax_advice(str(fault.fields.get("error", "")), line_of(text, int(fault.fields.get("line", 0))))
    return None


def newer_library(text: str) -> list[Finding]:
    """What a source without syntax errors uses that is newer than the site's Python, found by vermin.

    Lines that end with `# novm` are left out. May raise errors of vermin's own.
    """
    from vermin import Config, formats, visit  # type: ignore[import-untyped]  # here, because the import is slow

    config = Config()
    config.add_target("3.7-")
    config.set_format(formats.ParsableFormat())
    config.set_verbose(3)  # otherwise the lines are not told
    config.set_only_show_violations(True)
    findings = []
    for found in str(visit(text, config, path="source").output_text()).splitlines():
        _file, line, _column, _python2, python, feature = found.split(":", 5)
        what = Message("{feature} needs Python {python}", feature=feature, python=python)
        findings.append(Finding(int(line or 0), what, NEWER))
    return findings


@functools.cache
def newer_than_site(path: Path) -> Message | None:
    """A warning about the first use of a newer Python than the site's; None if none is seen."""
    try:
        if path.stat().st_size > MOST_BYTES:
            return None
        text = decode_source(path.read_bytes())
        if (finding := syntax_error(text) or next(iter(newer_library(text)), None)) is None:
            return None
    except Exception:  # vermin's own errors; loading the agent reports those of the file
        return None
    sentence = Message("would fail on the platform, which runs Python 3.7: {file}, line {line}: {what}")
    return Message(sentence, file=path.name, line=finding.line, what=finding.what)
