"""`tengen bundle`: packs the whole submission package into one file for the upload.

The result is submission.py (for Mo ai_player.py) with the importer, the other modules as readable text and the data as
base64 before its first relative import:

    settings | importer | {"codec.py": '''...''', ...} | from _tengen_1f2e3d4c5b6a import codec | the rest

The file has hashes of its parts above and below the first ruler (a line of #). By them, settings.py finds user's edits.
The private package name contains a digest of the contents, so that two versions can be loaded in one process. The same
sources give the same bytes. Base85 would be 6 % smaller, but Python 3.7 decodes it 100 times slower: 1.5 MB in 0.19 s.
"""

from __future__ import annotations

import ast
import base64
import hashlib
import json
import re
import tokenize
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from local_runner.agents.source_reader import PYTHON, seal
from local_runner.errors import RunnerError
from local_runner.language.languages import _
from local_runner.system.files import check_folder, write_whole

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "submission"
IMPORTER = Path(__file__).with_name("bundle_importer.py")
JIDI, MO = "jidi", "mo"
MAINS = {JIDI: "submission.py", MO: "ai_player.py"}  # platform -> the main file of its bundle
NATIVE = "native"  # the folder of the package with the compiled engine, and the name of this engine in the settings
SIZE_LIMIT = 4_000_000  # bytes; the project's own limit, the site accepts 100 MB
SIZE_WARNING = SIZE_LIMIT * 3 // 4  # bytes; a larger bundle causes a warning
RULER = "# " + "=" * 110

HEADER = """\
# tengen {version}: a one-file agent for the {platform} platform, MIT licence. Contents: SHA-256 {digest}
# Made by `tengen bundle`; the same sources give the same bytes. Upload this file as {main}.
# You may change the settings below by hand. Change anything else in the project's folder submission/ and rebuild.
# As made: {above} above the first ruler, {below} below it.
"""
INTRODUCTION = """\
{ruler}
# The importer, then the modules and data that it serves. {main} continues below the next ruler.
"""
INSTALL = """\
BundleImporter("{package}", globals().get("__file__") or "{main}", _SOURCES, _DATA).install()
{ruler}

"""
RELATIVE = re.compile(r"from\s+\.\s*")


class BundleError(RunnerError):
    """The sources cannot be bundled; the message names the wrong file and says what to do."""


@dataclass(frozen=True)
class Bundle:
    """One built upload: its text, the private package name, and the paths of its modules and data.

    settings: the part of the text between the header and the first ruler
    """

    text: str
    settings: str
    package: str
    modules: tuple[str, ...]
    data: tuple[str, ...]

    @property
    def size(self) -> int:
        """The size of the file in bytes."""
        return len(self.text.encode())


def build(source: Path = SOURCE, platform: str = JIDI, *, native: bool = False) -> Bundle:
    """Bundle the package in the folder `source` for a platform. `native`: with the compiled engine.

    Raises BundleError for a missing main file, sources that cannot be bundled, or a bundle above SIZE_LIMIT.
    """
    top = MAINS[platform]
    if not (source / top).is_file():
        sentence = _("{folder} holds no {file}; give the folder of the submission with --source.")
        raise BundleError(sentence.format(folder=source, file=top))
    main = _read(source / top)
    ours = (source / NATIVE / "data" / "libraries.json").is_file()  # else `native` is an unrelated folder of the user
    left_out = NATIVE if ours and not native else ""
    sources = _sources(source, left_out)
    data = _data(source, left_out)
    importer = _read(IMPORTER)
    contents = json.dumps([main, sources, data, importer], sort_keys=True)
    digest = hashlib.sha256(contents.encode()).hexdigest()
    package = f"_tengen_{digest[:12]}"
    above, below = _split(source / top, main, package)
    machinery = "".join([
        INTRODUCTION.format(ruler=RULER, main=top),
        *importer.splitlines(keepends=True)[ast.parse(importer).body[1].lineno - 1 :],  # without its docstring
        "\n\n_SOURCES = {\n", *(f"{file!r}: {literal(text)},\n" for file, text in sources.items()), "}\n",
        "_DATA = {\n", *(f"{file!r}: '''\n{text}\n''',\n" for file, text in data.items()), "}\n",
        INSTALL.format(package=package, main=top, ruler=RULER),
        below,
    ])  # fmt: skip
    header = HEADER.format(version=metadata.version("tengen"), digest=digest, platform=platform.capitalize(), main=top,
                           above=seal(above), below=seal(machinery))  # fmt: skip
    text = header + above + machinery
    parse(Path(top), text)
    bundle = Bundle(text, above, package, (top, *sources), tuple(data))
    if bundle.size > SIZE_LIMIT:
        sentence = _("the bundle would be {size:,} bytes, more than our limit of {limit:,}; make the files in {folder} "
                     "smaller.")  # fmt: skip
        raise BundleError(sentence.format(size=bundle.size, limit=SIZE_LIMIT, folder=source / "data"))
    return bundle


def write(bundle: Bundle, output: Path) -> None:
    """Write the file atomically; makes its folder if needed. Raises RunnerError if the file cannot be written."""
    advice = _("choose another place with --out")
    check_folder(output.parent, advice)
    write_whole(output, bundle.text, advice)


def literal(text: str) -> str:
    """`text` as a triple-quoted Python 3.7 literal; escapes only backslashes, some quotes, unprintable characters."""
    escaped = re.sub(r"'(?='|\Z)", r"\\'", text.replace("\\", "\\\\"))  # two quotes in a row, or one at the end
    escaped = re.sub(r"[^\n\t -\uffff\U00010000-\U0010ffff]|[\x7f-\x9f\ud800-\udfff\ufeff]",
                     lambda match: f"\\U{ord(match[0]):08x}", escaped)  # fmt: skip
    return f"'''\\\n{escaped}'''"


def _sources(source: Path, left_out: str = "") -> dict[str, str]:
    """Path in the package -> text of every module except the main files; adds an __init__.py for every folder.

    `left_out`: a folder of the package.

    Raises BundleError if a module has a syntax error or imports a main file.
    """
    sources: dict[str, str] = {"__init__.py": ""}
    for path in _files(source, "*.py", left_out):
        file = path.relative_to(source).as_posix()
        if file in MAINS.values():
            continue
        text = sources[file] = _read(path)
        tree = parse(path, text)
        if imported := next((main for main in MAINS.values() for node in ast.walk(tree) if _imports(node, main)), None):
            sentence = _("{path} imports {module}, which two agents in one process cannot share; move the imported "
                         "names into a module of their own.")  # fmt: skip
            raise BundleError(sentence.format(path=path, module=imported))
        for parent in path.relative_to(source).parents:
            sources.setdefault((parent / "__init__.py").as_posix(), "")
    return dict(sorted(sources.items()))


def _imports(node: ast.AST, main: str) -> bool:
    if not isinstance(node, ast.ImportFrom) or not node.level:
        return False
    return main.removesuffix(".py") in ([node.module] if node.module else [alias.name for alias in node.names])


def _data(source: Path, left_out: str = "") -> dict[str, str]:
    """Path in the package -> base64 of every file in a folder named data."""
    data = dict[str, str]()
    for path in _files(source, "*", left_out):
        name = path.relative_to(source)
        if "data" in name.parent.parts and path.suffix != ".py":
            text = base64.b64encode(path.read_bytes()).decode()
            data[name.as_posix()] = "\n".join(text[at : at + 120] for at in range(0, len(text), 120))
    return data


def _files(source: Path, pattern: str, left_out: str) -> list[Path]:
    hidden = re.compile(r"\.|__pycache__$")
    paths = {path.relative_to(source): path for path in source.rglob(pattern) if path.is_file()}
    names = (name for name in paths if not any(map(hidden.match, name.parts)) and name.parts[0] != left_out)
    return [paths[name] for name in sorted(names, key=lambda name: name.as_posix())]


def _split(path: Path, main: str, package: str) -> tuple[str, str]:
    """Split the main file before its first relative import, and make relative imports absolute.

    Raises BundleError if the file has no relative import at top level, uses __package__, or imports from above the
    package.
    """
    tree = parse(path, main)
    lines = main.splitlines(keepends=True)
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.level > 0]
    top = [node.lineno for node in tree.body if node in imports]
    if not top:
        sentence = _("{path} has no line that starts with `from .`: it is one file already; upload it as it is.")
        raise BundleError(sentence.format(path=path))
    if any(isinstance(node, ast.Name) and node.id == "__package__" for node in ast.walk(tree)):
        sentence = _("{path} uses __package__, which does not name the package inside a bundle; read the data in "
                     "another module.")  # fmt: skip
        raise BundleError(sentence.format(path=path))
    for node in imports:
        if node.level > 1:
            sentence = _("{path}, line {line}: imports from above the package, which the bundle does not hold; "
                         "import from inside the package.")  # fmt: skip
            raise BundleError(sentence.format(path=path, line=node.lineno))
        line = lines[node.lineno - 1]
        start = len(line.encode()[: node.col_offset].decode())
        absolute = f"from {package}." if node.module else f"from {package} "
        lines[node.lineno - 1] = line[:start] + RELATIVE.sub(absolute, line[start:], count=1)
    first = min(top) - 1
    return "".join(lines[:first]), "".join(lines[first:])


def parse(path: Path, text: str) -> ast.Module:
    """The syntax tree of a module. Raises BundleError if Python 3.7 cannot read it."""
    try:
        return ast.parse(text, feature_version=PYTHON)
    except SyntaxError as error:
        sentence = _("{path}, line {line}: {error}; write it in the syntax of Python 3.7.")
        raise BundleError(sentence.format(path=path, line=error.lineno, error=error.msg)) from error


def _read(path: Path) -> str:
    """The text of a Python file, decoded as the file declares, with LF line ends and exactly one LF at the end.

    Raises BundleError if the file is not text in that encoding.
    """
    try:
        with tokenize.open(path) as file:
            text = file.read()
    except (SyntaxError, UnicodeDecodeError, LookupError) as error:
        sentence = _("{path} is not text in the encoding it declares ({error}); save it as UTF-8.")
        raise BundleError(sentence.format(path=path, error=error)) from error
    return text.rstrip("\n") + "\n"
