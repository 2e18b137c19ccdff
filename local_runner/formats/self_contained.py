"""Makes the page of `tengen serve` (the app) of few files, and single HTML files with script, style and data.

A module is named by its path in local_runner/server/page. The script is the text of modules, each behind those that it
imports, with an empty line in place of each import: so two modules of one script cannot declare one name, and an import
is a line that renames nothing. A single HTML file loads nothing, and its content security policy allows only its
script, by its hash.
"""

import base64
import functools
import hashlib
import json
import posixpath
import re
from collections.abc import Callable, Iterable, Mapping
from html import escape
from pathlib import Path
from typing import Any

from local_runner.language import languages
from local_runner.language.languages import CHINESE, ENGLISH, _
from local_runner.language.text import printable

PAGE = Path(__file__).parents[1] / "server" / "page"
IMPORT = re.compile(r'^import .* from "(.+)";\n', re.MULTILINE)
COMMENT = re.compile(r"^ *//.*\n|^ */\*\*(?s:.*?)\*/\n", re.MULTILINE)
STYLES = ("app.css", "board/board.css", "replay/replay.css", "saved/saved.css")
APP = "app.js"  # the module that begins the app
APP_STYLES = ("app.css", "board/board.css", "views.css", "more.css", "replay/replay.css", "proof/proof.css")
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
<script type="module">{script}</script>
</body>
</html>
"""


def app_files() -> dict[str, str]:
    """The app's HTML file as "", and by name the files that it loads. Made again after a change of the folder."""
    return _app_files(tuple(path.stat().st_mtime_ns for path in sorted(PAGE.rglob("*"))))


@functools.lru_cache(maxsize=1)
def _app_files(_changed: tuple[int, ...]) -> dict[str, str]:
    program, sheet = script(entry=APP), style(APP_STYLES)
    module, look = (hashlib.sha256(text.encode()).hexdigest()[:16] for text in (program, sheet))
    data = json_element({"texts": {CHINESE: languages.page_catalogue(CHINESE)}})
    index = asset("index.html").format(script=f"/made/{module}.js", style=f"/made/{look}.css", data=data)
    mapped = json.dumps(source_map(entry=APP))
    return {"": index, f"{module}.js": program, f"{look}.css": sheet, f"{module}.js.map": mapped}


def page(entry: str, data: Mapping[str, Any], title: str, *, language: str, styles: tuple[str, ...] = STYLES) -> str:
    """A page that loads nothing: its script gets `data`, the language and the texts in the other languages.

    `entry`: the module that begins; `language`: "en", "zh", or "" for the browser's.
    """
    program = COMMENT.sub("", script(entry=entry))
    # Pictures from data: addresses are allowed, because the script makes a PNG of the board from one.
    digest = base64.b64encode(hashlib.sha256(program.encode()).digest()).decode()
    policy = f"default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    no_script = both(lambda: _("The page needs JavaScript, which this browser does not run."))
    texts = {text: translation for text, translation in languages.page_catalogue(CHINESE).items()
             if json.dumps(text, ensure_ascii=False) in program}  # fmt: skip
    return TEMPLATE.format(
        lang=language or ENGLISH,
        policy=policy,
        title=escape(title),
        style=style(styles),
        noscript=escape(no_script[language or ENGLISH]),
        data=json_element({"language": language, "texts": {CHINESE: texts}, **data}),
        script=program,
    )


def both(said: Callable[[], str]) -> dict[str, str]:
    """A text in both languages: language -> text. `said`: returns the text in the current language."""
    found = {}
    for language in (ENGLISH, CHINESE):
        with languages.speaking(language):
            found[language] = printable(said())
    return found


def json_element(data: Any) -> str:
    """JSON for a script element: < > & and the line separators U+2028 and U+2029 are escaped as \\uXXXX."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def asset(name: str) -> str:
    """The content of a file of local_runner/server/page."""
    return (PAGE / name).read_text("utf-8")


def script(*, entry: str) -> str:
    """The script of a module and of all modules that it imports. `entry`: its name."""
    return "".join(IMPORT.sub("\n", text) for text in modules(entry).values())


def source_map(*, entry: str) -> dict[str, Any]:
    """The source map of a script, by which browsers show errors and lines as those of the modules."""
    line, sections = 0, []
    for name, text in modules(entry).items():
        lines = text.count("\n")
        mapped = {"version": 3, "names": [], "sources": [f"/page/{name}"], "mappings": "AAAA" + ";AACA" * (lines - 1)}
        sections.append({"offset": {"line": line, "column": 0}, "map": mapped})
        line += lines
    return {"version": 3, "sections": sections}


def modules(entry: str, known: Mapping[str, str] | None = None) -> dict[str, str]:
    """The texts of a module and of all modules that it imports, by name, each after the modules that it imports."""
    text, found = asset(entry), dict(known or {})
    for path in IMPORT.findall(text):
        name = posixpath.normpath(posixpath.join(posixpath.dirname(entry), path))
        found |= {} if name in found else modules(name, found)
    return found | {entry: text}


def style(names: Iterable[str]) -> str:
    """Style sheets as one text."""
    return "".join(map(asset, names))
