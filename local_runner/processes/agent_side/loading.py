"""Imports an agent's file as the platform does: as module `algo.<name>.submission` in namespace packages.

Relative imports work, `__file__` is the real path, and the agent's folder is not on `sys.path`. On the platform an
agent cannot import a neighbouring file by its plain name. `SiblingFinder` makes such an import work here and records
it, so that the runner can warn. The host scripts and `tengen run-log` use this module.
"""

import gc
import os
import re
import sys
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from types import FunctionType, ModuleType
from typing import Any, Callable, Dict, List, Optional, Tuple

# Top-level modules of the platform: `import NAME` imports the platform's module instead of an agent's file.
PLATFORM_NAMES = ("agents", "algo", "common", "config", "env", "networks", "utils")
OBSERVED = "../../agents/opponents/observed"  # the module that reads observations, from this folder
ARGUMENTS = ["run_log.py"]  # sys.argv on the platform: its script, without arguments
# The line that names an encoding other than UTF-8; Python looks for it in the first two lines.
COOKIE = re.compile(rb"\A(?:[^\n]*\n)?[ \t\f]*#[^\n]*?coding[:=][ \t]*(?!utf-?_?8)[-\w.]+", re.IGNORECASE)
# Python's error message for an unknown keyword argument of `configure`, or of a named tuple or dataclass in it.
UNEXPECTED = re.compile(r"unexpected (?:keyword argument|field names)\W*(\w+)")


class Unusable(Exception):
    """The agent cannot be played: the file cannot be loaded, has no controller, or rejects its options.

    kind, fields: a kind of fault of `game/faults.py` and the fields of its text
    """

    def __init__(self, kind: str, path: str, **fields: Any) -> None:
        super().__init__(f"{path}: {kind} {fields or ''}")
        self.kind, self.fields = kind, dict(fields, path=path)


def resident_bytes() -> int:
    """The resident memory of this process; 0 on systems without /proc."""
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def hide_arguments() -> None:
    """Give `sys.argv` the value that it has on the platform, so that no agent sees the arguments of a host script."""
    sys.argv[:] = ARGUMENTS


def module_name(path: str) -> str:
    """The `<name>` in `algo.<name>.submission`: the folder's name for a submission.py, else the file's own name."""
    folder, file = os.path.split(os.path.abspath(path))
    stem = os.path.splitext(file)[0]
    return re.sub(r"\W", "_", os.path.basename(folder) if stem == "submission" else stem) or "agent"


def load_agent(
    path: str, name: str, options: Dict[str, Any], guests: Optional[Callable[[str], ModuleType]] = None
) -> ModuleType:
    """Import the file at `path` as `algo.<name>.submission` and configure it.

    `guests`: also accept a file with a class AIPlayer (a player for the Mo platform) or a function `agent` (of Kaggle's
    environments) and give it a `my_controller`; the function loads a module by its path from this folder.
    Raises Unusable if the file cannot be read, is not valid Python or has no controller, and if the agent rejects the
    options. Exceptions that the file raises during its import are not caught.
    """
    _package("algo", "")
    _package("algo." + name, os.path.dirname(path))
    full_name = f"algo.{name}.submission"
    spec = spec_from_file_location(full_name, path, loader=SourceFileLoader(full_name, path))
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[full_name] = module
    exec(_code(spec.loader, full_name, path), vars(module))
    for inner in [value for key, value in sys.modules.items() if key.startswith(f"algo.{name}.")]:
        if str(getattr(inner, "__file__", None)).endswith(".py"):
            _check_encoding(inner.__file__)  # type: ignore[arg-type]
    if not callable(getattr(module, "my_controller", None)):
        if guests and callable(getattr(module, "AIPlayer", None)):
            _wrap(module, path, options, guests)
            return module
        if not guests or not callable(getattr(module, "agent", None)) or _is_the_sites(module.agent):
            raise Unusable("no controller", path, last=_last_callable(module) if guests else "")
        vars(module)["my_controller"] = guests("guests").KaggleController(module.agent, guests(OBSERVED))
    if options:
        _configure(module, path, options)
    return module


def _is_the_sites(function: Any) -> bool:
    """Whether a function has the arguments of my_controller; a function for Kaggle takes no action space."""
    return "space" in str(getattr(getattr(function, "__code__", None), "co_varnames", ())[1:2])


def _last_callable(module: ModuleType) -> str:
    """The name of the last callable of a module, which Kaggle takes for the agent; "" if none can be an agent."""
    for name, value in reversed(list(vars(module).items())):
        own = getattr(value, "__module__", None) == module.__name__ and not isinstance(value, type)
        if own and callable(value) and getattr(getattr(value, "__code__", None), "co_argcount", 2) in (1, 2):
            return name[:100] if name.isidentifier() else ""
    return ""


def _code(loader: Any, full_name: str, path: str) -> Any:
    """The file's compiled code. Raises Unusable if the file cannot be read or compiled."""
    _check_encoding(path)
    try:
        return loader.get_code(full_name)
    except SyntaxError as error:
        if not error.lineno:  # the file is not text in its encoding
            raise Unusable("no Python", path, error=error.msg) from error
        raise Unusable("syntax", path, line=error.lineno, error=error.msg) from error
    except (ValueError, LookupError) as error:  # null characters, or not text in its encoding
        raise Unusable("no Python", path, error=str(error)) from error
    except OSError as error:
        raise Unusable("unreadable", path, error=str(error.strerror)) from error
    except (RecursionError, MemoryError) as error:  # the parser's stack; the runner finds a real lack of memory
        raise Unusable("no Python", path, error="nested too deep for Python") from error


def bad_byte(content: bytes) -> Optional[Tuple[int, int]]:
    """(line, byte) of the first byte that is not UTF-8 in a source without a named encoding; None if there is none.

    An import accepts such bytes in comments, but running the file, tracebacks and editors do not.
    """
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as error:
        if not COOKIE.match(content):
            return content.count(b"\n", 0, error.start) + 1, content[error.start]
    return None


def _check_encoding(path: str) -> None:
    """Raise Unusable if a source is not text in its encoding, or cannot be read."""
    try:
        with open(path, "rb") as file:
            bad = bad_byte(file.read())
    except OSError as error:
        raise Unusable("unreadable", path, error=str(error.strerror)) from error
    if bad:
        raise Unusable("no Python", path, error=f"byte 0x{bad[1]:02x} in line {bad[0]} is not UTF-8")


def _package(name: str, folder: str) -> None:
    """Put a package into sys.modules: a regular one if the folder has an `__init__.py`, else a namespace package."""
    if name in sys.modules:
        return
    init, spec = os.path.join(folder, "__init__.py"), ModuleSpec(name, None, is_package=True)
    spec.submodule_search_locations = [folder] if folder else []
    if folder and os.path.isfile(init):
        spec = spec_from_file_location(name, init, submodule_search_locations=[folder]) or spec
    module = module_from_spec(spec)
    sys.modules[name] = module
    if spec.loader is not None:
        spec.loader.exec_module(module)


def _wrap(module: Any, path: str, options: Dict[str, Any], guests: Callable[[str], ModuleType]) -> None:
    """Give a module with an AIPlayer a `my_controller`. Raises Unusable if AIPlayer cannot be created."""
    try:
        module.my_controller = guests("guests").MoController(module.AIPlayer, options, guests(OBSERVED))
    except Exception as error:
        listed = ", ".join(['"X"', *(f"{key}={value}" for key, value in sorted(options.items()))])
        raise Unusable("no player", path, options=listed, error=f"{type(error).__name__}: {error}") from error


def _configure(module: ModuleType, path: str, options: Dict[str, Any]) -> None:
    listed = ", ".join(f"{key}={value}" for key, value in sorted(options.items()))
    if not callable(getattr(module, "configure", None)):
        raise Unusable("no options", path, options=listed)
    try:
        module.configure(**options)
    except Exception as error:
        kind, fields = _refusal(error)
        raise Unusable(kind, path, options=listed, **fields) from error


def _refusal(error: Any) -> Tuple[str, Dict[str, str]]:
    """Why an agent rejects its options, by the exception it raised: the kind of fault and its fields.

    The field `known` holds the valid option names, or "" if the exception does not tell.
    """
    if type(error).__name__ == "UnknownOption":  # the class in submission/controller.py
        return "unknown option", {"option": str(error.option), "known": " ".join(error.known)}
    unexpected = UNEXPECTED.search(str(error))  # only the message of the exception names the option
    if unexpected:
        return "unknown option", {"option": unexpected.group(1), "known": ""}
    if isinstance(error, TypeError):
        return "option type", {"error": str(error)}
    said = str(error) if isinstance(error, ValueError) else f"{type(error).__name__}: {error}"
    return "option refused", {"error": said}


class SiblingFinder:
    """The last import finder: looks in the agent's folder, and records in `found` the modules that are there."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.found: List[str] = []

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Optional[ModuleSpec]:
        """The import system's protocol; `path` is None for top-level names."""
        spec = PathFinder.find_spec(name, [self.folder]) if path is None else None
        if spec is not None and name not in self.found:
            self.found.append(name)
        return spec


def shadowed_names(folder: str) -> List[str]:
    """The modules imported from `folder` whose names are in PLATFORM_NAMES."""
    return [name for name in PLATFORM_NAMES if name in sys.modules and _lies_in(sys.modules[name], folder)]


def files_in(folder: str) -> List[str]:
    """The names of the files in `folder` that are loaded: as modules, or by exec() if functions of theirs exist."""
    files = {str(getattr(module, "__file__", None)) for module in list(sys.modules.values())}
    files |= {each.__code__.co_filename for each in gc.get_objects() if type(each) is FunctionType}
    return sorted({os.path.basename(file) for file in files if os.path.dirname(file) == folder})


def _lies_in(module: ModuleType, folder: str) -> bool:
    file = getattr(module, "__file__", None)
    places = [file] if file else list(getattr(module, "__path__", []))  # a namespace package has folders but no file
    return any(os.path.realpath(place).startswith(os.path.realpath(folder) + os.sep) for place in places)
