"""Finds habits in sources that may cost games on the site, such as threads, undefined names and hidden errors."""

import ast
import builtins
import re
from collections import deque
from collections.abc import Iterator
from typing import Any

Function = (ast.FunctionDef, ast.AsyncFunctionDef)
Found = tuple[str, str, int]  # kind of habit, what was found, line

# Kind of habit -> modules and functions; a trailing * matches any end of a name. upload/check/files.py has the advice.
USES = {
    "processes": "subprocess multiprocessing pty concurrent.futures.ProcessPoolExecutor os.fork os.forkpty "
                 "os.system os.popen os.posix_spawn* os.spawn* os.exec*",
    "threads": "threading _thread concurrent.futures.ThreadPoolExecutor concurrent.futures.thread asyncio",
    "network": "socket ssl urllib.request http.client http.server ftplib smtplib poplib imaplib telnetlib "
               "socketserver xmlrpc requests urllib3 httpx aiohttp websocket* paramiko",
}  # fmt: skip
# Kinds of habits that a function of this module finds, instead of the table USES.
PATHS, WRITING, NAMES, ARGUMENTS = "paths", "writing", "names", "command line"
UNDEFINED, HIDDEN, SHALLOW, COLOUR = "undefined names", "hidden errors", "copies of lists", "own colour"
BROAD = ("Exception", "BaseException")
DYNAMIC = {"exec", "globals", "locals", "vars"}  # in a module that calls one, undefined names are not reported
IMPORTERS = ("__import__", "import_module")
PATH = re.compile(
    r"(/(home|root|Users|tmp|mnt|media|data|var|usr|opt|etc|srv|content|kaggle|workspace)/|~[\w.-]*/"
    r"|[A-Za-z]:[\\/])[^\n]*"
)


def habits(trees: dict[str, ast.Module], loading: Any) -> Iterator[tuple[str, Found]]:
    """(name, habit) of every habit in an agent's sources. trees: by name; loading: the module loading.py"""
    yield from ((name, habit) for name, tree in trees.items() for habit in _of_module(tree, loading))
    yield from _arguments(trees)
    yield from _own_colour(trees)


def _of_module(tree: ast.Module, loading: Any) -> Iterator[Found]:
    """(kind, what, line) of every risky use, of undefined names, handlers that hide errors, and copies of one level.

    If USES lists a whole module, its import is a use. If USES lists only functions of a module, each mention of such a
    function is a use.
    """

    def imported(dotted: str, line: int) -> Iterator[Found]:
        yield from _kinds(dotted, line)
        top = dotted.split(".")[0]
        if top in loading.PLATFORM_NAMES:
            yield NAMES, f"import {top}", line

    modules: dict[str, str] = {}  # local name -> dotted name of the imported module or function
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.split(".")[0]
                modules[alias.asname or top] = alias.name if alias.asname else top
                yield from imported(alias.name, node.lineno)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                modules[alias.asname or alias.name] = f"{node.module}.{alias.name}"
                yield from imported(f"{node.module}.{alias.name}", node.lineno)
        elif isinstance(node, ast.Call) and called(node) in IMPORTERS:
            yield from imported(text_of(*node.args), node.lineno)
    documentation = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and called(node) == "open":
            mode = text_of(*(word.value for word in node.keywords if word.arg == "mode"), *node.args[1:])
            if set(mode) & set("wax+"):
                yield WRITING, f"open(..., {mode!r})", node.lineno
        if isinstance(node, ast.Attribute) or (isinstance(node, ast.Call) and called(node) == "getattr"):
            root, _, rest = _dotted(node).partition(".")
            if root in modules and not list(_kinds(modules[root], 0)):
                yield from _kinds(f"{modules[root]}.{rest}", node.lineno)
        if isinstance(node, ast.Call) and called(node) == "copy" and isinstance(node.func, ast.Attribute):
            yield SHALLOW, ast.unparse(node), node.lineno
        text = node.value if isinstance(node, ast.Constant) and id(node) not in documentation else None
        if isinstance(text, str) and PATH.fullmatch(text):
            yield PATHS, repr(text[:60]), getattr(node, "lineno", 0)
    yield from _undefined(tree)


def _kinds(dotted: str, line: int) -> Iterator[Found]:
    """(kind, dotted name, line) for each kind of USES that lists the dotted name, or a module above it."""
    for kind, uses in USES.items():
        for use in uses.split():
            stem = use.rstrip("*")
            if dotted == stem or dotted.startswith(f"{stem}." if stem == use else stem):
                yield kind, dotted, line
                break


def _undefined(tree: ast.Module) -> Iterator[Found]:
    """The names that a module reads and that no line of it defines, and the handlers that would hide such an error."""
    known, used = {*dir(builtins), "__file__", "__class__", "WindowsError"}, dict[str, int]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            used.setdefault(node.id, node.lineno)
            continue
        for name in ("id", "name", "arg", "rest", "asname", "names"):  # attributes of syntax nodes that define a name
            given = getattr(node, name, None) or ()
            known.update([given.split(".")[0]] if isinstance(given, str) else filter(str.isidentifier, map(str, given)))
        if not isinstance(node, ast.ExceptHandler) or any(isinstance(inner, ast.Raise) for inner in ast.walk(node)):
            continue
        if not node.type or getattr(node.type, "id", "") in BROAD:
            yield HIDDEN, f"except {getattr(node.type, 'id', '')}".strip(), node.lineno
    if "*" not in known and not DYNAMIC & used.keys():
        yield from ((UNDEFINED, name, line) for name, line in used.items() if name not in known)


def _own_colour(trees: dict[str, ast.Module]) -> Iterator[tuple[str, Found]]:
    """(file, use) of a constant 1 or 2 with which cells are compared, if no module reads the agent's own colour."""
    nodes = [(file, node) for file, tree in trees.items() for node in ast.walk(tree)]
    texts = {node.value for _file, node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    if "state_map" not in texts or "chess_player_idx" in texts:
        return
    stored = [node.id for _file, node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    sides = {getattr(side, "id", "") for _file, node in nodes if isinstance(node, ast.Compare)
             for side in (node.left, *node.comparators)}  # fmt: skip
    for file, node in nodes:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and node.value.value in (1, 2):
            name = getattr(node.targets[0], "id", "")
            if name in sides and stored.count(name) == 1 and not re.search("black|white", name.lower()):
                yield file, (COLOUR, f"{name} = {node.value.value}", node.lineno)


def _arguments(trees: dict[str, ast.Module]) -> Iterator[tuple[str, Found]]:
    """(file, use) of the places that read the command line when the modules are imported.

    Such a place may also be in a function that the import calls.
    """
    functions: dict[str, list[tuple[str, ast.AST]]] = {}  # name of a function or class -> the modules' definitions
    for file, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, (*Function, ast.ClassDef)):
                functions.setdefault(node.name, []).append((file, node))
    waiting: list[tuple[str, ast.AST]] = list(trees.items())
    seen = set(map(id, trees.values()))
    for file, body in waiting:  # the loop appends the functions that are called
        for node in _executed(body):
            what = _reads_arguments(node)
            if what is not None:
                yield file, (ARGUMENTS, what, getattr(node, "lineno", 0))
            for function in functions.get(called(node), ()) if isinstance(node, ast.Call) else ():
                if id(function[1]) not in seen:
                    seen.add(id(function[1]))
                    waiting.append(function)


def _executed(body: ast.AST) -> Iterator[ast.AST]:
    """The nodes that run when a module is imported or a function is called, without the nodes of inner functions.

    The part of a module below `if __name__ == "__main__"` is left out.
    """
    starts = [body]
    if isinstance(body, ast.ClassDef):
        starts = [part for part in body.body if isinstance(part, Function) and part.name == "__init__"]
    waiting = deque(part for start in starts for part in ast.iter_child_nodes(start))
    while waiting:
        node = waiting.popleft()
        if isinstance(node, (*Function, ast.Lambda)):
            continue
        if isinstance(node, ast.If) and is_main(node):
            waiting.extendleft(reversed(node.orelse))
            continue
        yield node
        waiting.extendleft(reversed(list(ast.iter_child_nodes(node))))


def _reads_arguments(node: ast.AST) -> str | None:
    """The name by which a node reads the command line, such as "sys.argv"; None if it reads none."""
    if isinstance(node, ast.Attribute) and node.attr == "argv" and isinstance(node.value, ast.Name):
        return "sys.argv"
    if isinstance(node, ast.ImportFrom) and node.module == "sys" and any(alias.name == "argv" for alias in node.names):
        return "sys.argv"
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        given = [*node.args[:1], *(word.value for word in node.keywords if word.arg == "args")]
        if node.func.attr in ("parse_args", "parse_known_args") and not given:
            return f"{node.func.attr}()"
    return None


def called(node: ast.Call) -> str:
    """The last part of the name of the called function, such as "c" for a.b.c()."""
    return getattr(node.func, "attr", getattr(node.func, "id", ""))


def text_of(*nodes: ast.AST) -> str:
    """The first of the nodes if it is a string constant, else ""."""
    value = nodes[0].value if nodes and isinstance(nodes[0], ast.Constant) else ""
    return value if isinstance(value, str) else ""


def _dotted(node: Any) -> str:
    """The dotted name "a.b.c" of a.b.c or of getattr(a.b, "c"); "" if the expression does not begin with a name."""
    if isinstance(node, ast.Call):
        parts, value = [text_of(*node.args[1:])], node.args[0] if node.args else None
    else:
        parts, value = [node.attr], node.value
    while isinstance(value, ast.Attribute):
        parts.append(value.attr)
        value = value.value
    return ".".join([value.id, *reversed(parts)]) if isinstance(value, ast.Name) else ""


def is_main(node: ast.AST) -> bool:
    constants = ast.walk(node.test) if isinstance(node, ast.If) else ()
    return any(isinstance(each, ast.Constant) and each.value == "__main__" for each in constants)
