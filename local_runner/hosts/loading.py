"""How an agent's file becomes a module, as on the platform: `algo.<name>.submission` in namespace packages.

So relative imports work, `__file__` is the real path, and the agent's folder is not on `sys.path`. An agent whose
imports need that folder would fail on the platform; `SiblingFinder` lets it play here all the same and remembers it.
Shared by the host scripts and by run-log: Python 3.7 syntax, standard library only, nothing of the project.
"""

import os
import re
import sys
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType
from typing import Any, Dict, List, Optional

# Top-level names that are taken on the platform: a sibling file of that name is never the one imported there.
PLATFORM_NAMES = ("agents", "algo", "common", "config", "env", "networks", "utils")


class Unusable(Exception):
    """A file that loads but cannot be played as asked; the message is one sentence."""


def module_name(path: str) -> str:
    """The platform's `<name>` for an agent's file: its folder's name, or that of a file not called submission.py."""
    folder, file = os.path.split(os.path.abspath(path))
    stem = os.path.splitext(file)[0]
    return re.sub(r"\W", "_", os.path.basename(folder) if stem == "submission" else stem) or "agent"


def load_agent(path: str, name: str, options: Dict[str, Any], guests: bool = False) -> ModuleType:
    """Import the file at `path` as `algo.<name>.submission` and configure it.

    `guests`: a player of the Mo platform, a class AIPlayer, is welcome too; it is given a `my_controller`, and the
    options. Raises Unusable for a file without `my_controller`, or options that it does not take; whatever the file
    itself raises on import comes through.
    """
    _package("algo", None)
    _package("algo." + name, os.path.dirname(path))
    full_name = f"algo.{name}.submission"
    spec = spec_from_file_location(full_name, path, loader=SourceFileLoader(full_name, path))
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[full_name] = module
    spec.loader.exec_module(module)
    if callable(getattr(module, "my_controller", None)):
        if options:
            _configure(module, path, options)
    elif guests and callable(getattr(module, "AIPlayer", None)):
        _wrap(module, path, options)
    else:
        raise Unusable(f"{path} has no function my_controller(observation, action_space, is_act_continuous)")
    return module


def _package(name: str, folder: Optional[str]) -> None:
    """Put a package into sys.modules: a namespace package, or a regular one where the folder has an `__init__.py`."""
    if name in sys.modules:
        return
    init = os.path.join(folder, "__init__.py") if folder is not None else ""
    if init and os.path.isfile(init):
        spec = spec_from_file_location(name, init, submodule_search_locations=[str(folder)])
        assert spec is not None
    else:
        spec = ModuleSpec(name, None, is_package=True)
        spec.submodule_search_locations = [folder] if folder is not None else []
    module = module_from_spec(spec)
    sys.modules[name] = module
    if spec.loader is not None:
        spec.loader.exec_module(module)


def _wrap(module: ModuleType, path: str, options: Dict[str, Any]) -> None:
    """Give a module with a Mo player the platform's entry."""
    mo, observed = _of_ours("hosts", "mo_board"), _of_ours("opponents", "observed")
    try:
        module.my_controller = mo.Controller(module.AIPlayer, options, observed.look)  # type: ignore[attr-defined]
    except Exception as error:
        listed = "".join(f", {key}={value}" for key, value in sorted(options.items()))
        raise Unusable(f'{path}: AIPlayer("X"{listed}) cannot be made: {type(error).__name__}: {error}') from error


def _of_ours(folder: str, name: str) -> ModuleType:
    """A fresh module of ours that stands alone, from its file, as nothing of the project is on `sys.path` here."""
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    spec = spec_from_file_location("tengen_" + name, os.path.join(here, folder, name + ".py"))
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _configure(module: ModuleType, path: str, options: Dict[str, Any]) -> None:
    listed = ", ".join(f"{key}={value}" for key, value in sorted(options.items()))
    if not callable(getattr(module, "configure", None)):
        raise Unusable(f"{path} takes no options (it has no function configure), but was given {listed}")
    try:
        module.configure(**options)
    except Exception as error:
        raise Unusable(f"{path} does not take {listed}: {type(error).__name__}: {error}") from error


class SiblingFinder:
    """The last of the import finders: looks beside the agent's file, and keeps in `found` what it found there."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.found: List[str] = []

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Optional[ModuleSpec]:
        """Part of the import system's protocol; `path` is None for top-level names."""
        spec = PathFinder.find_spec(name, [self.folder]) if path is None else None
        if spec is not None and name not in self.found:
            self.found.append(name)
        return spec


def shadowed_names(folder: str) -> List[str]:
    """The modules imported from `folder` under a name that is taken on the platform."""
    return [name for name in PLATFORM_NAMES if name in sys.modules and _lies_in(sys.modules[name], folder)]


def _lies_in(module: ModuleType, folder: str) -> bool:
    file = getattr(module, "__file__", None)
    places = [file] if file else list(getattr(module, "__path__", []))  # a namespace package has folders only
    return any(os.path.realpath(place).startswith(os.path.realpath(folder) + os.sep) for place in places)
