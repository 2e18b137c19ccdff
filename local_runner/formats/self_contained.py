"""Single HTML files from the page's modules: a program without a bundler, and the policy that lets only it run.

A module of local_runner/html/page imports others with `import { a, b as c } from "./name.js";`. It exports functions,
classes and single constants where it declares them. Each becomes a function whose result holds its exports, below those
that it imports; the whole is one classic script, because browsers load no modules from file:. Other forms of import and
export are refused.
"""

import base64
import hashlib
import json
import re
from pathlib import Path

from local_runner.language import languages
from local_runner.language.languages import CHINESE

PAGE = Path(__file__).parents[1] / "html" / "page"
IMPORT = re.compile(r'^import\s*\{([^}]*)\}\s*from\s*"\./([\w-]+)\.js";[ \t]*$', re.MULTILINE)
EXPORT = re.compile(r"^export ((?:async )?function\*?|class|const) ([\w$]+)", re.MULTILINE)
COMMENT = re.compile(r"^[ \t]*(?://[^\n]*|/\*\*(?:[^*]|\*(?!/))*\*/)?\n", re.MULTILINE)  # and empty lines
OTHER = re.compile(r"^(?:import|export)\b.*|\bimport\(.*|</script.*|<!--.*", re.MULTILINE | re.IGNORECASE)


def asset(name: str) -> str:
    """A file of the page."""
    return (PAGE / name).read_text("utf-8")


def script(*, entry: str) -> str:
    """The source of a module of the page and of all that it imports, as one script that runs at once."""
    done: dict[str, str] = {}
    _collect(entry, done, ())
    return '"use strict";\n(() => {\n' + "\n".join(done.values()) + "\n})();\n"


def modules(entry: str) -> list[str]:
    """The names of a module and of all that it imports, each below those that it needs."""
    done: dict[str, str] = {}
    _collect(entry, done, ())
    return list(done)


def policy(program: str, *, pictures: bool = False) -> str:
    """The content security policy of a page that runs this script alone and loads nothing.

    `pictures`: it may show pictures that it makes itself, as data: addresses.
    """
    digest = base64.b64encode(hashlib.sha256(program.encode()).digest()).decode()
    shown = " img-src data:;" if pictures else ""
    return f"default-src 'none';{shown} style-src 'unsafe-inline'; script-src 'sha256-{digest}'"


def texts(source: str) -> dict[str, str]:
    """The Chinese of the texts that a page's script uses."""
    known = languages.page_catalogue(CHINESE)
    return {text: translation for text, translation in known.items() if json.dumps(text, ensure_ascii=False) in source}


def _collect(name: str, done: dict[str, str], above: tuple[str, ...]) -> None:
    if name in done:
        return
    if name in above:
        raise ValueError(f"the page's modules import each other: {' '.join([*above, name])}")
    source = asset(f"{name}.js")
    for found in IMPORT.finditer(source):
        _collect(found[2], done, (*above, name))
    done[name] = _wrapped(name, source)


def _wrapped(name: str, source: str) -> str:
    """The module as a constant that holds its exports."""
    exported = [found[2] for found in EXPORT.finditer(source)]
    body = IMPORT.sub(lambda found: f"const {{{_names(found[1])}}} = {_constant(found[2])};", source)
    body = COMMENT.sub("", EXPORT.sub(r"\1 \2", body))
    if refused := OTHER.search(body):
        raise ValueError(f"{name}.js cannot stand in a single file: {refused[0]}")
    return f"const {_constant(name)} = (() => {{\n{body}return {{{', '.join(exported)}}};\n}})();"


def _names(imported: str) -> str:
    """The names of an import as those of a pattern: `a, b as c` becomes `a, b: c`."""
    return ", ".join(": ".join(part.split(" as ")) for part in map(str.strip, imported.split(",")) if part)


def _constant(name: str) -> str:
    return "module_" + name.replace("-", "_")
