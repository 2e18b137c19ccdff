"""Checks an upload without running it: its files, syntax, library calls, imports, and the controller's arguments.

Knows the site's rules for files. The modules inside a bundle are checked like files.
"""
from __future__ import annotations

import ast
import re
import subprocess
import sys
import tempfile
import tokenize
from collections.abc import Iterator, Mapping
from pathlib import Path

from local_runner.bundle import embedded_sources
from local_runner.check.report import CheckRow, failed, noted, passed
from local_runner.errors import RunnerError

KINDS = (".py", ".pth", ".pkl", ".pt", ".json")     # kinds of files that the site takes
MOST_FILES = 6                                      # files of an upload; the site takes no folders
MOST_BYTES = 100_000_000                            # bytes of all files together
MAIN = "submission.py"
PYTHON = (3, 7)                                     # the site's version
# Packages that the site has, by its page and by the requirements of gym 0.18.3.
INSTALLED_THERE = {"numpy", "gym", "torch", "scipy", "cloudpickle", "PIL", "pyglet", "typing_extensions"}
ENCODING = re.compile(r"\A((?:.*\n)?[ \t\f]*#.*?)coding[:=]")     # removed in the copy for vermin, which is UTF-8
CONTROLLER = "my_controller(observation, action_space, is_act_continuous=False)"


def upload_files(file: Path) -> list[Path]:
    """The files of an upload: `file` alone, or those in a folder. RunnerError if there is no file to check."""
    if file.is_dir():
        if not (file / MAIN).is_file():
            raise RunnerError(f"the folder {file} has no {MAIN}; name the file to check")
        return sorted(path for path in file.iterdir() if not path.name.startswith(".") and path.name != "__pycache__")
    if not file.is_file():
        raise RunnerError(f"there is no file {file}; make ours with `tengen bundle`, or give the path of yours")
    return [file]


def check_files(files: list[Path], main: Path) -> Iterator[CheckRow]:
    """The rows on the files' names, sizes, syntax, library calls and imports, and on the controller's arguments."""
    yield _kinds(files)
    try:
        sources = _sources(files, main)
    except RunnerError as error:
        yield failed("syntax", str(error), "Save it as UTF-8.")
        return
    errors = [f"{name}, line {wrong}" for name, text in sources.items() if (wrong := _syntax_error(text))]
    if errors:
        yield failed("syntax", "; ".join(errors), "The site runs Python 3.7: use its syntax in these lines.")
        return
    yield passed("syntax", f"Python 3.7, {len(sources)} modules")
    yield _library(sources)
    yield _packages(sources, {path.stem for path in files if path.suffix == ".py"})
    yield _signature(sources[main.name])


def site_packages(files: list[Path], main: Path) -> set[str]:
    """The site's packages that an upload imports, also inside functions; for files without syntax errors."""
    return _imported(_sources(files, main)) & INSTALLED_THERE


def _sources(files: list[Path], main: Path) -> dict[str, str]:
    """Name -> text of all modules, also of those inside a bundle; RunnerError for a file that is not text."""
    sources = {}
    for path in files:
        if path.suffix == ".py" and path.is_file():
            try:
                with tokenize.open(path) as file:
                    sources[path.name] = file.read()
            except (SyntaxError, UnicodeDecodeError) as error:
                raise RunnerError(f"{path.name} is not text in its encoding: {error}") from error
    inner = {} if _syntax_error(sources[main.name]) else embedded_sources(sources[main.name])
    return {**sources, **{f"{main.name}/{name}": text for name, text in inner.items()}}


def _kinds(files: list[Path]) -> CheckRow:
    folders = [path.name for path in files if path.is_dir()]
    wrong = [path.name for path in files if path.is_file() and path.suffix not in KINDS]
    size = sum(path.stat().st_size for path in files if path.is_file())
    trouble = []
    if folders:
        trouble.append(("folders: " + ", ".join(folders), "The site takes no folders: bundle them."))
    if wrong:
        trouble.append(("not taken: " + ", ".join(wrong), f"The site takes {' '.join(KINDS)} only: leave these out."))
    if len(files) > MOST_FILES:
        trouble.append((f"{len(files)} files", f"The site takes at most {MOST_FILES}: put modules into one file."))
    if size > MOST_BYTES:
        trouble.append((f"{size:,} bytes", f"The site takes at most {MOST_BYTES:,}: make the data smaller."))
    if trouble:
        return failed("files", "; ".join(found for found, _ in trouble), " ".join(mend for _, mend in trouble))
    return passed("files", f"{len(files)} of at most {MOST_FILES}, {size:,} bytes")


def _syntax_error(text: str) -> str:
    """"LINE: message" of the first syntax error under Python 3.7, "" if there is none."""
    try:
        ast.parse(text, feature_version=PYTHON)
    except SyntaxError as error:
        return f"{error.lineno}: {error.msg}"
    except ValueError as error:             # null bytes, on Python before 3.12
        return f"1: {error}"
    return ""


def _library(sources: Mapping[str, str]) -> CheckRow:
    """Whether the modules use syntax or library newer than Python 3.7, according to vermin."""
    with tempfile.TemporaryDirectory(prefix="tengen-check-") as folder:
        for number, text in enumerate(sources.values()):
            Path(folder, f"{number}.py").write_text(ENCODING.sub(r"\1", text), encoding="utf-8")
        done = subprocess.run(
            [sys.executable, "-c", "from vermin import main; main()", "--no-config-file", "--target=3.7-",
             "--violations", "--format", "parsable", folder],
            capture_output=True, text=True)
    if done.returncode == 0:
        return passed("library", "nothing newer than Python 3.7")
    names = list(sources)
    findings = [_finding(line, names) for line in done.stdout.splitlines() if not line.endswith(":") and line[0] != ":"]
    return failed("library", "; ".join(findings) or done.stderr.strip(),
                  "The site's Python 3.7 lacks these: use older ones. Put `# novm` at the end of a line that never "
                  "runs there, such as one behind a version check.")


def _finding(line: str, names: list[str]) -> str:
    """A line of vermin (FILE:LINE:COLUMN:PY2:PY3:FEATURE, FILE being the number of the module) in words."""
    file, number, _, _, python, feature = line.split(":", 5)
    return f"{names[int(Path(file).stem)]}, line {number}: {feature} needs Python {python}"


def _packages(sources: Mapping[str, str], own: set[str]) -> CheckRow:
    """Whether the site is known to have all imported packages; trial.py finds imports of neighbouring files."""
    strange = sorted(name for name in _imported(sources) - set(sys.stdlib_module_names) - INSTALLED_THERE - own
                     if not name.startswith("_tengen_"))
    if strange:
        return noted("packages", "imports " + ", ".join(strange),
                     "The site may lack these; make sure that the file works without them.")
    return passed("packages", "imports only what the site has")


def _imported(sources: Mapping[str, str]) -> set[str]:
    return {name for text in sources.values() for name in _imports(text)}


def _imports(text: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.split(".")[0]


def _signature(text: str) -> CheckRow:
    """Whether `my_controller` takes three positional arguments, if the file has a `def` of it."""
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef) and node.name == "my_controller":
            most = len(node.args.posonlyargs) + len(node.args.args)
            least = most - len(node.args.defaults)
            required = sum(default is None for default in node.args.kw_defaults)
            if least <= 3 and (most >= 3 or node.args.vararg) and not required:
                return passed("arguments", "my_controller takes three positional arguments")
            return failed("arguments", f"my_controller takes {least} to {most} positional arguments"
                          + (f" and {required} by keyword" if required else ""),
                          f"The site calls it with three positional arguments; write `def {CONTROLLER}:`.")
    if _is_for_mo(text):
        return failed("platform", "an AIPlayer for the Mo platform, without my_controller",
                      "Bundle it for Jidi, or play it here: `tengen match FILE greedy --env reversi_8x8_1v1`.")
    return noted("arguments", "the file has no `def my_controller`; the games show whether it can be called")


def _is_for_mo(text: str) -> bool:
    """Whether a file defines AIPlayer but not my_controller."""
    names = set()
    for node in ast.parse(text).body:
        if isinstance(node, ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.ImportFrom):
            names.update(alias.asname or alias.name for alias in node.names)
        elif isinstance(node, ast.Assign):
            names.update(target.id for target in node.targets if isinstance(target, ast.Name))
    return "AIPlayer" in names and not names & {"my_controller", "*"}
