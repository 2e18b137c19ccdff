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
from local_runner.check.surroundings import surroundings
from local_runner.errors import RunnerError
from local_runner.games import is_for_mo

KINDS = (".py", ".pth", ".pkl", ".pt", ".json")     # kinds of files that the site takes
MOST_FILES = 6                                      # files of an upload; the site takes no folders
MOST_BYTES = 100_000_000                            # bytes of all files together
MAIN = "submission.py"
PYTHON = (3, 7)                                     # the site's version
# Packages that the site has, by its page and by the requirements of gym 0.18.3.
INSTALLED_THERE = {"numpy", "gym", "torch", "scipy", "cloudpickle", "PIL", "pyglet", "typing_extensions"}
ENCODING = re.compile(r"\A((?:.*\n)?[ \t\f]*#.*?)coding[:=]")     # removed in the copy for vermin, which is UTF-8
MOST_SHOWN = 80                                     # characters of a line with an error
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
    wrong = {name: bad for name, text in sources.items() if (bad := _syntax_error(text))}
    if wrong:
        found = "; ".join(_in_words(name, bad, sources[name]) for name, bad in wrong.items())
        newer = not any(_syntax_error(sources[name], None) for name in wrong)
        yield failed("syntax", found, "The site runs Python 3.7: use its syntax in these lines." if newer else
                     "This is not Python: mend the line, or the one before it.")
        return
    yield passed("syntax", f"Python 3.7, {len(sources)} modules")
    yield _library(sources)
    yield _packages(sources, {path.stem for path in files if path.suffix == ".py"})
    yield from surroundings(sources, {path.stem for path in files if path.suffix == ".py"})
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


def _syntax_error(text: str, python: tuple[int, int] | None = PYTHON) -> tuple[int, str] | None:
    """Line and message of the first syntax error under this version of Python (None: the one that runs here)."""
    try:
        ast.parse(text, feature_version=python)
    except SyntaxError as error:
        return error.lineno or 1, error.msg
    except ValueError as error:             # null bytes, on Python before 3.12
        return 1, str(error)
    except (RecursionError, MemoryError):
        return 1, "nested too deep for Python"
    return None


def _in_words(name: str, bad: tuple[int, str], text: str) -> str:
    line, message = bad
    lines = text.splitlines()
    shown = lines[line - 1].strip()[:MOST_SHOWN] if line <= len(lines) else ""
    return f"{name}, line {line}: {message}" + (f": {shown}" if shown else "")


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
            takes = f"at least {least}" if node.args.vararg else f"{least}" if least == most else f"{least} to {most}"
            arguments = "argument" if takes in ("1", "at least 1") else "arguments"
            return failed("arguments", f"my_controller takes {takes} positional {arguments}"
                          + (f" and {required} by keyword" if required else ""),
                          f"The site calls it with three positional arguments; write `def {CONTROLLER}:`.")
    if is_for_mo(ast.parse(text)):
        return failed("platform", "an AIPlayer for the Mo platform, without my_controller",
                      "Bundle it for Jidi, or play it here: `tengen match FILE greedy --env reversi_8x8_1v1`.")
    return noted("arguments", "the file has no `def my_controller`; the games show whether it can be called")

