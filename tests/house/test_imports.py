"""Imports between packages: four independent packages, no cycles, and a short list for the upload."""

from __future__ import annotations

import ast
import functools
import sys
from collections.abc import Iterable, Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROJECT = {"submission", "env_adapter", "local_runner", "workshop", "tests"}

# folder -> the packages beside the standard library that it may import; the first folder that fits a file counts
MAY_IMPORT = {
    "local_runner/processes/agent_side": {"numpy"},  # action_space.py, where the agents' Python has it
    "local_runner/agents/opponents":   set(),
    "local_runner/upload/starters":      {"tengen", "matplotlib", "numpy", "torch", "submission"},
    "local_runner/python/tengen/rl": {"tengen", "local_runner", "env_adapter", "gymnasium", "numpy", "pettingzoo",
                                      "pyspiel"},
    "local_runner/python":    {"tengen", "local_runner", "env_adapter", "rich"},
    "local_runner/server":    {"local_runner", "env_adapter", "msgspec", "starlette", "typer", "uvicorn"},
    "local_runner":           {"local_runner", "env_adapter", "gymnasium", "msgspec", "networkx",
                               "numpy", "PIL", "ray", "rich", "typer", "vermin"},
    "env_adapter":            {"env_adapter", "gymnasium", "numpy"},
    "submission":             {"numpy"},
    "workshop":               {"workshop", "submission", "local_runner", "env_adapter", "babel", "docutils",
                               "msgspec", "numpy", "rich", "scipy", "hatchling",
                               "sphinx", "typer"},
    "tests/submission":       {"tests", "submission", "numpy", "pytest", "hypothesis"},
}  # fmt: skip
# no printing, no files, no network, no command line, no environment, no other processes
NOT_IN_THE_UPLOAD = {"argparse", "http", "io", "logging", "multiprocessing", "os", "pathlib", "shutil", "signal",
                     "socket", "ssl", "subprocess", "tempfile", "threading", "urllib"}  # fmt: skip
LOADER = "submission/native/library.py"  # may use files: it is in an upload only after `tengen bundle --native`
NOT_CALLED_IN_THE_UPLOAD = {"print", "open", "input", "exit", "quit", "exec", "eval", "__import__"}


def _top_names(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """The top-level packages of all absolute imports, also of those inside functions."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield str(node.module).split(".")[0]


@functools.cache
def _parsed(folder: str) -> dict[str, list[ast.Import | ast.ImportFrom | ast.Call]]:
    """The imports and calls of each module below a folder, by its path."""
    return {
        path.relative_to(ROOT).as_posix(): [
            node
            for node in ast.walk(ast.parse(path.read_text("utf-8")))
            if isinstance(node, (ast.Import, ast.ImportFrom, ast.Call))
        ]
        for path in sorted((ROOT / folder).rglob("*.py"))
        if "__pycache__" not in path.parts
    }


def test_every_module_imports_only_what_it_may() -> None:
    wrong = {}
    for top in ("tests/submission", *sorted(PROJECT - {"tests"})):
        for name, nodes in _parsed(top).items():
            folder = next(row for row in MAY_IMPORT if name.startswith(row + "/"))
            if strangers := set(_top_names(nodes)) - MAY_IMPORT[folder] - set(sys.stdlib_module_names):
                wrong[name] = strangers
    assert not wrong


def test_every_folder_with_code_has_a_row() -> None:
    assert PROJECT - {"tests"} == {folder for folder in MAY_IMPORT if "/" not in folder}
    tops = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert tops <= PROJECT


def _folders() -> dict[str, set[str]]:
    """Folder of the runner -> the other folders whose modules it imports."""
    found: dict[str, set[str]] = {}
    for name, nodes in _parsed("local_runner").items():
        folder = name.split("/")[1].removesuffix(".py")
        for node in nodes:
            if isinstance(node, ast.ImportFrom) and str(node.module).startswith("local_runner"):
                modules = [f"{node.module}.{alias.name}".split(".")[1] for alias in node.names]
                found.setdefault(folder, set()).update(modules)
    return {folder: others - {folder} for folder, others in found.items()}


def test_the_folders_of_the_runner_form_layers_without_import_cycles() -> None:
    """A folder imports folders of lower layers only. There are at most twelve layers; `tengen` is the top layer."""
    folders, layers = _folders(), dict[str, int]()
    for folder in TopologicalSorter(folders).static_order():  # raises CycleError for a cycle
        layers[folder] = 1 + max((layers[other] for other in folders.get(folder, ())), default=0)
    assert len(folders) > 12 and max(layers.values()) <= 12, layers


@pytest.mark.parametrize("package", sorted(PROJECT - {"tests"}))
def test_no_module_imports_itself_through_others(package: str) -> None:
    """Imports inside functions count, too."""
    modules = {name.removesuffix(".py").removesuffix("/__init__").replace("/", "."): nodes
               for name, nodes in _parsed(package).items()}  # fmt: skip
    graph: dict[str, set[str]] = {}
    for name, nodes in modules.items():
        folder = name if (ROOT / name.replace(".", "/")).is_dir() else name.rpartition(".")[0]
        for node in nodes:
            if isinstance(node, ast.ImportFrom):
                above = ".".join([*folder.split(".")[: len(folder.split(".")) + 1 - node.level], node.module or ""])
                start = above.rstrip(".") if node.level else str(node.module)
                found = {each for alias in node.names if (each := f"{start}.{alias.name}") in modules} or {start}
                graph.setdefault(name, set()).update(found & modules.keys() - {name})
    assert list(TopologicalSorter(graph).static_order())  # raises CycleError for a cycle


def test_the_upload_uses_nothing_of_the_machine() -> None:
    wrong = []
    for name, nodes in _parsed("submission").items():
        if name == LOADER:
            continue
        wrong += [(name, module) for module in _top_names(nodes) if module in NOT_IN_THE_UPLOAD]
        wrong += [
            (name, node.func.id, node.lineno)
            for node in nodes
            if isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in NOT_CALLED_IN_THE_UPLOAD
        ]
    assert not wrong
