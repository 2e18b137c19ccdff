"""Single HTML files: a small JavaScript bundler, and the content security policy that allows only the bundle.

The modules are in local_runner/html/page and its folders. A module is named by its path there without .js, such as
board/board. A module may import by `import { a, b as c } from "./name.js";`, also from "../folder/name.js". A module
may export functions, classes and single constants where it declares them. Other forms raise ValueError.

The bundle is one classic script, because browsers load no modules from file: addresses. In the bundle, each module is a
constant with the module's exports, the result of a function. A module stands below the modules that it imports.
"""

import base64
import hashlib
import json
import posixpath
import re
from collections.abc import Callable, Mapping
from html import escape
from pathlib import Path
from typing import Any

from local_runner.language import languages
from local_runner.language.languages import CHINESE, ENGLISH, _
from local_runner.language.text import printable

PAGE = Path(__file__).parents[1] / "html" / "page"
IMPORT = re.compile(r'^import\s*\{([^}]*)\}\s*from\s*"(\.\.?/[\w/-]+)\.js";[ \t]*$', re.MULTILINE)
EXPORT = re.compile(r"^export ((?:async )?function\*?|class|const) ([\w$]+)", re.MULTILINE)
COMMENT = re.compile(r"^[ \t]*(?://[^\n]*|/\*\*(?:[^*]|\*(?!/))*\*/)?\n", re.MULTILINE)  # also matches empty lines
OTHER = re.compile(r"^(?:import|export)\b.*|\bimport\(.*|</script.*|<!--.*", re.MULTILINE | re.IGNORECASE)
STYLES = ("app.css", "board/board.css", "replay/replay.css", "saved/saved.css")
TEMPLATE = """\
<!DOCTYPE html>
<html lang="{lang}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
<main><h1>{title}</h1><noscript><p>{noscript}</p></noscript></main>
<script type="application/json" id="data">{data}</script>
<script>{script}</script>
</body>
</html>
"""


def page(entry: str, data: Mapping[str, Any], title: str, *, language: str, styles: tuple[str, ...] = STYLES) -> str:
    """A page that loads nothing: its script gets `data`, the language and the texts in the other languages.

    `entry`: the module that begins; `language`: "en", "zh", or "" for the browser's.
    """
    program = script(entry=entry)
    no_script = both(lambda: _("The page needs JavaScript, which this browser does not run."))
    return TEMPLATE.format(
        lang=language or ENGLISH,
        policy=policy(program, pictures=True),
        title=escape(title),
        style="".join(map(asset, styles)),
        noscript=escape(no_script[language or ENGLISH]),
        data=_json({"language": language, "texts": {CHINESE: texts(program)}, **data}),
        script=program,
    )


def both(said: Callable[[], str]) -> dict[str, str]:
    """A text in both languages: language -> text. `said`: returns the text in the current language."""
    found = {}
    for language in (ENGLISH, CHINESE):
        with languages.speaking(language):
            found[language] = printable(said())
    return found


def _json(data: Any) -> str:
    """JSON for a script element: < > & and the line separators U+2028 and U+2029 are escaped as \\uXXXX."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def asset(name: str) -> str:
    """The content of a file of local_runner/html/page."""
    return (PAGE / name).read_text("utf-8")


def script(*, entry: str) -> str:
    """The bundle of a module and of all modules that it imports, as one script. `entry`: its name.

    Raises ValueError for modules that import each other, and for a form of import or export that is not supported.
    """
    done: dict[str, str] = {}
    _collect(entry, done, ())
    return '"use strict";\n(() => {\n' + "\n".join(done.values()) + "\n})();\n"


def modules(entry: str) -> list[str]:
    """The names of a module and of all modules that it imports, each after the modules that it imports."""
    done: dict[str, str] = {}
    _collect(entry, done, ())
    return list(done)


def policy(program: str, *, pictures: bool = False) -> str:
    """The content security policy of a page that may run only this script and load nothing.

    `pictures`: the page may also show images from data: addresses, which its script makes.
    """
    digest = base64.b64encode(hashlib.sha256(program.encode()).digest()).decode()
    shown = " img-src data:;" if pictures else ""
    return f"default-src 'none';{shown} style-src 'unsafe-inline'; script-src 'sha256-{digest}'"


def texts(source: str) -> dict[str, str]:
    """The Chinese translations of the texts that occur as string literals in a page's script: text -> translation."""
    known = languages.page_catalogue(CHINESE)
    return {text: translation for text, translation in known.items() if json.dumps(text, ensure_ascii=False) in source}


def _collect(name: str, done: dict[str, str], above: tuple[str, ...]) -> None:
    if name in done:
        return
    if name in above:
        raise ValueError(f"the page's modules import each other: {' '.join([*above, name])}")
    source = asset(f"{name}.js")
    for match in IMPORT.finditer(source):
        _collect(_imported(name, match[2]), done, (*above, name))
    done[name] = _wrapped(name, source)


def _imported(name: str, path: str) -> str:
    """The name of the module that the module `name` imports by this path without .js."""
    found = posixpath.normpath(posixpath.join(posixpath.dirname(name), path))
    if found.startswith(".."):
        raise ValueError(f"{name}.js cannot stand in a single file: {path}.js is outside the page's folder")
    return found


def _wrapped(name: str, source: str) -> str:
    """The source of a module as a constant with the module's exports."""
    exported = [match[2] for match in EXPORT.finditer(source)]
    body = IMPORT.sub(lambda match: f"const {{{_names(match[1])}}} = {_constant(_imported(name, match[2]))};", source)
    body = COMMENT.sub("", EXPORT.sub(r"\1 \2", body))
    if refused := OTHER.search(body):
        raise ValueError(f"{name}.js cannot stand in a single file: {refused[0]}")
    return f"const {_constant(name)} = (() => {{\n{body}return {{{', '.join(exported)}}};\n}})();"


def _names(imported: str) -> str:
    """The names of an import as a destructuring pattern: `a, b as c` becomes `a, b: c`."""
    return ", ".join(": ".join(part.split(" as ")) for part in map(str.strip, imported.split(",")) if part)


def _constant(name: str) -> str:
    return "module_" + re.sub("[/-]", "_", name)
