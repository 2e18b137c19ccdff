"""Finds risky code in the source of an upload: processes, threads, network, paths, the site's names, the command line.

A finding is a note, not a failure: the site may allow such code, and the check cannot see the site's folders. Each row
of HABITS gives modules and functions, why they are risky on the site, and what to do.
"""

from __future__ import annotations

import ast
import re
from collections import deque
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from local_runner.language.languages import Message, Series
from local_runner.processes.agent_side.loading import PLATFORM_NAMES
from local_runner.upload.check.report import CheckRow, noted, passed

MOST_NAMED = 4  # largest number of places that a row of the report lists


class Habit(NamedTuple):
    """A kind of risky code with advice (`mend`).

    `uses`: modules and functions; a trailing * matches any end of a name. "" if a function of this module finds them.
    """

    name: Message
    mend: Message
    uses: str = ""


PATHS, WRITING = Message("paths"), Message("writing")
NAMES, ARGUMENTS = Message("names"), Message("command line")
HABITS = (
    Habit(Message("processes"),
          Message("The site gives an agent one core and ends only the process that it knows: think in one process."),
          "subprocess multiprocessing pty concurrent.futures.ProcessPoolExecutor os.fork os.forkpty "
          "os.system os.popen os.posix_spawn* os.spawn* os.exec*"),
    Habit(Message("threads"),
          Message("Threads share the one core of the site, and their time counts: think in one thread."),
          "threading _thread concurrent.futures.ThreadPoolExecutor concurrent.futures.thread asyncio"),
    Habit(Message("network"),
          Message("Do not rely on a network there: put everything that it needs into the upload."),
          "socket ssl urllib.request http.client http.server ftplib smtplib poplib imaplib telnetlib "
          "socketserver xmlrpc requests urllib3 httpx aiohttp websocket* paramiko"),
    Habit(PATHS, Message("No such folder need exist on the site: build paths from os.path.dirname(os.path.abspath("
                         "__file__)).")),
    Habit(WRITING, Message("The site need not allow it, and does not keep the file for you: write no files in the "
                           "upload.")),
    Habit(NAMES, Message("The site has modules of its own with these names and imports them instead: write `from "
                         ".NAME import ...`, or rename the file.")),
    Habit(ARGUMENTS, Message("At the import, the command line is that of the site's own program, which may have other "
                             "arguments or none: write the values into the file, or parse an empty list: "
                             "parse_args([]).")),
)  # fmt: skip
PATH = re.compile(
    r"(/(home|root|Users|tmp|mnt|media|data|var|usr|opt|etc|srv|content|kaggle|workspace)/|~[\w.-]*/"
    r"|[A-Za-z]:[\\/])[^\n]*"
)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def habits(sources: Mapping[str, str], files: set[str]) -> Iterator[CheckRow]:
    """The rows with notes on the sources, or one row without a problem if nothing is found.

    sources: module name -> text without syntax errors
    files: names of the upload's modules
    """
    found: dict[str, list[str]] = {}
    for name, text in sources.items():
        for kind, what, line in _findings(ast.parse(text)):
            found.setdefault(kind, []).append(Message("{file}, line {line}: {what}", file=name, line=line, what=what))
    found.setdefault(NAMES, []).extend(f"{name}.py" for name in sorted(files & set(PLATFORM_NAMES)))
    found[ARGUMENTS] = list(_arguments({name: ast.parse(text) for name, text in sources.items()}))
    rows = [noted(each.name, _listed(found[each.name]), each.mend) for each in HABITS if found.get(each.name)]
    nothing = Message("no processes, threads, network, absolute paths or names of the site")
    yield from rows or [passed(Message("surroundings"), nothing)]


def _findings(tree: ast.Module) -> Iterator[tuple[str, str, int]]:
    """(kind, what, line) of every risky use.

    If HABITS lists a whole module, its import is a use. If HABITS lists only functions of a module, each mention of
    such a function is a use.
    """
    modules: dict[str, str] = {}  # local name -> dotted name of the imported module or function
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.split(".")[0]
                modules[alias.asname or top] = alias.name if alias.asname else top
                yield from _kinds(alias.name, node.lineno)
                yield from _site_name(alias.name, node.lineno)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                modules[alias.asname or alias.name] = f"{node.module}.{alias.name}"
                yield from _kinds(f"{node.module}.{alias.name}", node.lineno)
            yield from _site_name(node.module, node.lineno)
        elif isinstance(node, ast.Call) and _called(node) in ("__import__", "import_module"):
            yield from _kinds(_text(node, 0), node.lineno)
            yield from _site_name(_text(node, 0), node.lineno)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _called(node) == "open" and set(_mode(node)) & set("wax+"):
            yield WRITING, f"open(..., {_mode(node)!r})", node.lineno
        if isinstance(node, ast.Attribute) or (isinstance(node, ast.Call) and _called(node) == "getattr"):
            root, _, rest = _dotted(node).partition(".")
            if root in modules and not any(True for _ in _kinds(modules[root], 0)):
                yield from _kinds(f"{modules[root]}.{rest}", node.lineno)
    yield from _paths(tree)


def _arguments(trees: Mapping[str, ast.Module]) -> Iterator[str]:
    """The places that read the command line when the modules are imported, also in functions that the import calls."""
    functions: dict[str, list[tuple[str, ast.AST]]] = {}  # name of a function or class -> the modules' definitions
    for file, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
                functions.setdefault(node.name, []).append((file, node))
    waiting: list[tuple[str, ast.AST]] = list(trees.items())
    seen = set(map(id, trees.values()))
    for file, body in waiting:  # grows meanwhile
        for node in _executed(body):
            if (what := _reads_arguments(node)) is not None:
                yield Message("{file}, line {line}: {what}", file=file, line=getattr(node, "lineno", 0), what=what)
            for called in functions.get(_called(node), ()) if isinstance(node, ast.Call) else ():
                if id(called[1]) not in seen:
                    seen.add(id(called[1]))
                    waiting.append(called)


def _executed(body: ast.AST) -> Iterator[ast.AST]:
    """The nodes that run when a module is imported or a function is called, without the nodes of inner functions.

    The part of a module below `if __name__ == "__main__"` is left out.
    """
    starts = [body]
    if isinstance(body, ast.ClassDef):
        starts = [part for part in body.body if isinstance(part, FUNCTIONS) and part.name == "__init__"]
    waiting = deque(part for start in starts for part in ast.iter_child_nodes(start))
    while waiting:
        node = waiting.popleft()
        if isinstance(node, (*FUNCTIONS, ast.Lambda)):
            continue
        if isinstance(node, ast.If) and "'__main__'" in ast.dump(node.test):
            waiting.extendleft(reversed(node.orelse))
            continue
        yield node
        waiting.extendleft(reversed(list(ast.iter_child_nodes(node))))


def _reads_arguments(node: ast.AST) -> str | None:
    """How a node reads the command line; None if the node does not."""
    if isinstance(node, ast.Attribute) and node.attr == "argv" and isinstance(node.value, ast.Name):
        return "sys.argv"
    if isinstance(node, ast.ImportFrom) and node.module == "sys" and any(alias.name == "argv" for alias in node.names):
        return "sys.argv"
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        given = [*node.args[:1], *(word.value for word in node.keywords if word.arg == "args")]
        if node.func.attr in ("parse_args", "parse_known_args") and not given:
            return f"{node.func.attr}()"
    return None


def _paths(tree: ast.Module) -> Iterator[tuple[str, str, int]]:
    """(kind, what, line) of every string that is an absolute path, except docstrings."""
    documentation = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and id(node) not in documentation
            and isinstance(node.value, str)
            and PATH.fullmatch(node.value)
        ):
            yield PATHS, repr(node.value[:60]), node.lineno


def _kinds(dotted: str, line: int) -> Iterator[tuple[str, str, int]]:
    """(kind, dotted name, line) for each habit that lists the dotted name, or a module above it."""
    for habit in HABITS:
        for use in habit.uses.split():
            stem = use.rstrip("*")
            if dotted == stem or dotted.startswith(f"{stem}." if stem == use else stem):
                yield habit.name, dotted, line
                break


def _site_name(module: str, line: int) -> Iterator[tuple[str, str, int]]:
    if (top := module.split(".")[0]) in PLATFORM_NAMES:
        yield NAMES, f"import {top}", line


def _called(node: ast.Call) -> str:
    """The last part of the name of the called function, such as "c" for a.b.c()."""
    return getattr(node.func, "attr", getattr(node.func, "id", ""))


def _mode(node: ast.Call) -> str:
    """The mode of a call of `open` if it is a string constant, else ""."""
    given = next((keyword.value for keyword in node.keywords if keyword.arg == "mode"), None)
    named = given.value if isinstance(given, ast.Constant) and isinstance(given.value, str) else ""
    return named or _text(node, 1)


def _text(node: ast.Call, number: int) -> str:
    """The positional argument `number` of a call if it is a string constant, else ""."""
    argument = node.args[number] if number < len(node.args) else None
    return argument.value if isinstance(argument, ast.Constant) and isinstance(argument.value, str) else ""


def _dotted(node: ast.Attribute | ast.Call) -> str:
    """The dotted name "a.b.c" of a.b.c or of getattr(a.b, "c"); "" if the expression does not begin with a name."""
    if isinstance(node, ast.Call):
        parts, value = [_text(node, 1)], node.args[0] if node.args else None
    else:
        parts, value = [node.attr], node.value
    while isinstance(value, ast.Attribute):
        parts.append(value.attr)
        value = value.value
    return ".".join([value.id, *reversed(parts)]) if isinstance(value, ast.Name) else ""


def _listed(places: list[str]) -> str:
    different = list(dict.fromkeys(places))
    named = different[:MOST_NAMED]
    if len(different) > MOST_NAMED:
        named.append(Message("{number} more", number=len(different) - MOST_NAMED))
    return Series(named)
