"""Reads the source of agents without running it. Strangers' source is parsed here and nowhere else.

`main` runs in a process of its own under the runner's Python, with limits of CPU time and memory. Standard input: a
pickled request; standard output: the facts, as JSON.
"""

import ast
import difflib
import hashlib
import json
import pickle
import re
import resource
import sys
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from importlib.util import decode_source, module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any, NamedTuple

from local_runner.agents.habits import IMPORTERS, Found, Function, called, habits, is_main, text_of

PYTHON = (3, 7)  # the site's version
CPU_SECONDS, DATA_BYTES = 10, 500_000_000  # limits of this process
LOADING = Path(__file__).parents[1] / "processes" / "agent_side" / "loading.py"
NO_MEMORY = 3  # exit code of `main` without enough memory
NESTED = "nested too deep for Python"
NESTED_BYTES = 200_000_000  # memory in use; below it, a MemoryError of the parser means deep nesting
MOST, MOST_TEXT = 1000, 200  # most items of a list of facts, and most characters of a text in it
MOST_SHOWN = 80  # most characters that are shown of a line with an error
LIKE = 0.7  # least similarity of a function's name to my_controller, by difflib's ratio
OF_MOVES = "act|step|move|play|choose|decide|select|predict|get_|next_|best_|think|__call__"  # methods that answer


class Setting(NamedTuple):
    """One setting at the top of a bundle.

    name: "seconds", or a constant's name in lower case
    row: the values of the columns HEAD of the table SETTINGS; () for a constant
    line, start, end: where the value stands, in bytes of its line
    """

    name: str
    row: tuple[Any, ...]
    value: Any
    line: int
    start: int = 0
    end: int = 0

    @property
    def place(self) -> str:
        """The row in words, such as "k_in_a_row 15x15"; "" for a constant."""
        if not self.row:
            return ""
        family, rows, cols, in_a_row = self.row
        size = f"{rows}x{cols}" if rows and cols else "*"
        return f"{family} {size}" + (f" {in_a_row}" if in_a_row and not rows else "")


@dataclass
class SyntaxMistake:
    """The first syntax error for the site's Python: its line, Python's message, and the text of the line.

    `newer`: whether the runner's Python accepts the file.
    """

    line: int
    what: str
    code: str
    newer: bool = False


@dataclass
class Source:
    """The facts about one source. Without syntax, most are empty.

    unread: why the reader gave no facts, "" if it did
    bad_byte: (line, byte) of the first byte that is not UTF-8, if no encoding is named
    encoding: why the file is not text in its encoding, "" if it is
    games: the declared games and families
    platform: "mo" or "kaggle" for a file that these platforms call, without my_controller
    controller: whether `def my_controller` takes three positional arguments, its line, and the text of the line
    misplaced: where a my_controller, or the like, stands below the top level: key of MISPLACED in source.py, name, line
    binds: whether my_controller is defined, but not by `def`: by an assignment or an import
    packages, own: first parts of the names that absolute and relative imports name
    mentions: those of the file names given as `beside` that occur as words in the source

    Only if they were asked for:
    habits: (kind, what, line), see HABITS in upload/check/files.py
    library, vermin: (line, version, feature) of what is newer than Python 3.7, and vermin's own error
    modules: path -> seal of the modules of a bundle
    settings: the constants in the head of a bundle
    """

    unread: str = ""
    utf16: bool = False
    bad_byte: tuple[int, int] | None = None
    encoding: str = ""
    syntax: SyntaxMistake | None = None
    games: tuple[str, ...] | None = None
    platform: str = ""
    controller: tuple[bool, int, str] | None = None
    misplaced: tuple[str, str, int] | None = None
    binds: bool = False
    packages: frozenset[str] = frozenset()
    own: frozenset[str] = frozenset()
    mentions: tuple[str, ...] = ()
    habits: tuple[Found, ...] = ()
    library: tuple[tuple[int, str, str], ...] = ()
    vermin: str = ""
    modules: dict[str, str] = field(default_factory=dict)
    settings: tuple[Setting, ...] = ()


def read(files: dict[str, bytes], loading: Any, deep: bool = False, beside: Iterable[str] = ()) -> dict[str, Source]:
    """The facts about sources, by name.

    loading: the module loading.py
    deep: whether to look also for newer library calls, for habits, and into the modules of a bundle
    beside: names of files; the fact "mentions" lists the names that occur as words in a source
    """
    found: dict[str, Source] = {}
    trees: dict[str, ast.Module] = {}
    waiting = list(files.items())
    for name, content in waiting:  # the loop appends the modules of bundles
        source = found[name] = Source(utf16=content.startswith((b"\xff\xfe", b"\xfe\xff")))
        source.bad_byte = loading.bad_byte(content)
        if source.bad_byte:
            continue
        try:
            text = decode_source(content)
        except Exception as error:  # a codec may raise anything
            source.encoding = (str(error) or type(error).__name__)[:MOST_TEXT]
            continue
        words = set(re.findall(r"[\w.-]+", text)) if beside else set()
        source.mentions = tuple(sorted(words & set(beside))[:MOST])
        tree, source.syntax = parsed(text)
        if tree is None:
            continue
        _see_names(tree, source, text)
        if deep:
            trees[name] = tree
            source.library, source.vermin = newer_library(text)
            inner = embedded_sources(tree) if name in files else {}
            source.modules = {file: seal(module) for file, module in inner.items()}
            plain = [each for each in settings_of(tree) if all(map(_is_plain, (each.value, *each.row)))]
            source.settings = tuple(plain[:MOST])
            waiting += [(f"{name}/{file}", module.encode("utf-8", "replace")) for file, module in inner.items()]
    for name, (kind, what, line) in habits(trees, loading):
        found[name].habits = (*found[name].habits, (kind, what[:MOST_TEXT], line))[:MOST]
    return found


# ---- syntax


def parsed(text: str) -> tuple[ast.Module | None, SyntaxMistake | None]:
    """The syntax tree, None if this Python cannot read the text; and the first error in the syntax of the site's."""
    error = None
    for version in (PYTHON, None):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # such as those about invalid escapes in strings
                tree = ast.parse(text, feature_version=version)
            return tree, error and replace(error, newer=True)
        except SyntaxError as raised:
            error = error or _error(text, raised.lineno or 1, raised.msg)
        except ValueError as raised:  # null bytes, on Python before 3.12
            error = error or _error(text, 1, str(raised))
        except (RecursionError, MemoryError) as raised:
            used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
            if isinstance(raised, MemoryError) and used > NESTED_BYTES:
                raise
            error = error or _error(text, 1, NESTED)
    return None, error


# The start of Python's message about a newer statement -> the statement's first line.
STATEMENTS = {"Pattern": r"\s*match\b", "Exception": r"\s*except\s*\*", "Parenthesized": r"\s*(async\s+)?with\s*\("}


def _error(text: str, line: int, what: str) -> SyntaxMistake:
    lines = text.split("\n", line)
    for words, statement in STATEMENTS.items():  # Python's error gives a line after the statement
        while what.startswith(words) and line > 1 and not re.match(statement, lines[line - 1]):
            line -= 1
    shown = lines[line - 1].strip(" \t\f")[:MOST_SHOWN] if 0 < line <= len(lines) else ""
    return SyntaxMistake(line, what[:MOST_TEXT], shown)


def newer_library(text: str) -> tuple[tuple[tuple[int, str, str], ...], str]:
    """Uses of a newer Python than the site's, as (line, version, feature), and vermin's error message or "".

    Lines that end with `# novm` are left out.
    """
    from vermin import Config, formats, visit  # type: ignore[import-untyped]  # here, because the import is slow

    config = Config()
    config.add_target("3.7-")
    config.set_format(formats.ParsableFormat())
    config.set_verbose(3)  # otherwise vermin reports no lines
    config.set_only_show_violations(True)
    try:
        lines = str(visit(text, config, path="source").output_text()).splitlines()[:MOST]
    except MemoryError:
        raise
    except Exception as error:
        return (), repr(error)[:MOST_TEXT]
    parts = (line.split(":", 5) for line in lines)
    return tuple((int(line or 0), python, feature) for _file, line, _column, _python2, python, feature in parts
                 if python != "!3"), ""  # fmt: skip  # "!3": only Python 2; vermin takes tensor.long() for its long


# ---- what a module defines and imports


def _see_names(tree: ast.Module, source: Source, text: str) -> None:
    names = _defined(tree)
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    if not names & {"my_controller", "*"}:
        source.platform = "mo" if "AIPlayer" in names else "kaggle" if "agent" in functions else ""
        if source.platform == "kaggle" and _is_the_sites(functions["agent"]):
            source.platform = ""
    packages, own, stored = set[str](), set[str](), set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            packages.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            (own if node.level else packages).update([node.module] if node.module else [a.name for a in node.names])
            stored.update(alias.asname or alias.name for alias in node.names)
        elif isinstance(node, ast.Call) and called(node) in IMPORTERS and (name := text_of(*node.args)):
            (own if name.startswith(".") else packages).add(name.lstrip("."))
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            stored.add(node.id)
    source.games, source.misplaced = games(tree), misplaced(tree)
    if controller := functions.get("my_controller"):
        given, line = controller.args, controller.lineno
        most = len(given.posonlyargs) + len(given.args)
        enough = most - len(given.defaults) <= 3 and (most >= 3 or given.vararg is not None)
        source.controller = enough and None not in given.kw_defaults, line, _error(text, line, "").code
    source.binds = bool(stored & {"my_controller", "*"})
    source.packages, source.own = _tops(packages), _tops(own)


def _tops(names: set[str]) -> frozenset[str]:
    return frozenset(sorted({name.partition(".")[0] for name in names} - {"*"})[:MOST])


def games(tree: ast.Module) -> tuple[str, ...] | None:
    """The strings of `GAMES = (...)` in a module; None if GAMES is missing, empty, or holds anything but strings."""
    for node in tree.body:
        if not isinstance(node, (ast.Assign, ast.AnnAssign)):
            continue
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if any(isinstance(target, ast.Name) and target.id == "GAMES" for target in targets):
            items = node.value.elts if isinstance(node.value, (ast.Tuple, ast.List)) else [node.value]
            texts = [item.value for item in items if isinstance(item, ast.Constant) and isinstance(item.value, str)]
            return tuple(text[:MOST_TEXT] for text in texts[:MOST]) if texts and len(texts) == len(items) else None
    return None


def _defined(tree: ast.Module) -> set[str]:
    """The names that a module defines at its top level; "*" if it imports all names of another module."""
    names: set[str] = set()
    for node in tree.body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            names.add(node.name)
        elif isinstance(node, ast.ImportFrom):
            names.update(alias.asname or alias.name for alias in node.names)
        elif isinstance(node, ast.Assign):
            names.update(target.id for target in node.targets if isinstance(target, ast.Name))
    return names


def misplaced(tree: ast.Module) -> tuple[str, str, int] | None:
    """The place of `my_controller` in a module that has none at its top level: (place, name, line).

    The place is "class" (and its name), "main" (under `if __name__ == "__main__"`), "inside" anything else, "near" for
    a function with a name or arguments like my_controller's, or "object" for a class that has a method for moves.
    """
    names: dict[str, tuple[str, int]] = {}
    near, classes = list[tuple[str, int]](), list[tuple[str, int]]()
    waiting: list[tuple[ast.AST, str, str]] = [(tree, "inside", "")]  # (node, the place of its children, its name)
    while waiting:
        parent, place, inside = waiting.pop()
        for node in ast.iter_child_nodes(parent):
            if isinstance(node, Function):
                if node.name == "my_controller":
                    return place, inside, node.lineno
                names[node.name.lower().replace("_", "")] = node.name, node.lineno
                if parent is tree and _is_the_sites(node):
                    near.append((node.name[:MOST_TEXT], node.lineno))
                if isinstance(parent, ast.ClassDef) and re.match(OF_MOVES, node.name) and len(node.args.args) > 1:
                    classes.append((parent.name[:MOST_TEXT], parent.lineno))
            if isinstance(node, ast.ClassDef):
                waiting.append((node, "class", node.name[:MOST_TEXT]))
            elif isinstance(node, ast.stmt):
                waiting.append((node, "main" if is_main(node) else place, inside))
    like = difflib.get_close_matches("mycontroller", [name for name in names if len(name) < MOST_TEXT], 1, LIKE)
    meant = [("near", *names[name]) for name in like] + [("near", *each) for each in near]
    return next(iter([*meant, *(("object", *each) for each in classes)]), None)


def _is_the_sites(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return "space" in str([each.arg for each in function.args.args[1:2]])


# ---- our bundles (upload/bundle.py)


def embedded_sources(tree: ast.Module) -> dict[str, str]:
    """The modules inside a bundle, path -> text; {} for any other file."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and [getattr(target, "id", "") for target in node.targets] == ["_SOURCES"]:
            try:
                literal = ast.literal_eval(node.value)
            except (ValueError, TypeError, RecursionError, MemoryError):
                return {}
            return {str(file): str(source) for file, source in literal.items()} if isinstance(literal, dict) else {}
    return {}


COLUMNS = ("family", "rows", "cols", "in_a_row", "engine", "seconds", "off_turn_seconds")
HEAD = 4  # number of columns of the table SETTINGS that say for which board a row is


def settings_of(tree: ast.Module) -> Iterator[Setting]:
    """The settings in a main file, in their order."""
    for node in tree.body:
        if not (isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)):
            continue
        found: list[tuple[str, tuple[Any, ...], ast.Constant]] = []
        if isinstance(node.value, ast.Constant):
            found = [(node.targets[0].id.lower(), (), node.value)]
        elif node.targets[0].id == "SETTINGS" and isinstance(node.value, (ast.Tuple, ast.List)):
            for row in node.value.elts:
                cells = row.elts if isinstance(row, (ast.Tuple, ast.List)) else []
                values = [cell for cell in cells if isinstance(cell, ast.Constant)]
                if len(values) == len(cells) == len(COLUMNS):
                    head = tuple(value.value for value in values[:HEAD])
                    found += [(name, head, value) for name, value in zip(COLUMNS, values, strict=True)]
        for name, head, value in found:
            yield Setting(name, head, value.value, value.lineno, value.col_offset, value.end_col_offset or 0)


def _is_plain(value: Any) -> bool:
    """Whether a constant has a short JSON text."""
    if isinstance(value, str):
        return len(value) <= MOST_TEXT
    return value is None or (isinstance(value, (int, float)) and abs(value) < 1e15)


def seal(text: str) -> str:
    """A short hash of a text."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:12]


def main() -> None:
    """Answer one request: the arguments of `read` without `loading`, by name."""
    for kind, most in ((resource.RLIMIT_CPU, CPU_SECONDS), (resource.RLIMIT_DATA, DATA_BYTES)):
        resource.setrlimit(kind, (most, resource.getrlimit(kind)[1]))
    spec = spec_from_file_location("loading", LOADING)
    assert spec is not None and spec.loader is not None
    loading = module_from_spec(spec)
    spec.loader.exec_module(loading)
    try:
        found = read(loading=loading, **pickle.load(sys.stdin.buffer))
        print(json.dumps({name: asdict(source) for name, source in found.items()}, default=list))
    except MemoryError:
        sys.exit(NO_MEMORY)
