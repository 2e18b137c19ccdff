"""Builds the documentation site into build/site: `python -m workshop.site`, or `make docs`.

Warnings are errors: a dead link, a page that no menu has, a name that the API reference does not find.
"""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Annotated

import typer

from local_runner.errors import RunnerError
from workshop.command import run
from workshop.site import pages

SITE = pages.DOCS.parent / "build" / "site"
START = """<!doctype html>
<html lang="zh"><meta charset="utf-8"><title>tengen</title>
<meta http-equiv="refresh" content="0; url={start}/index.html">
<p><a href="zh/index.html">中文</a> · <a href="en/index.html">English</a></p></html>
"""


Out = Annotated[Path, typer.Option(help="Folder of the site. Its content is replaced.")]
Serve = Annotated[bool, typer.Option("--serve", help="Then serve the site to this machine, until Ctrl-C.")]


def main(out: Out = SITE, serve: Serve = False) -> None:
    """Build all parts of the site, and the page that leads to the Chinese one."""
    shutil.rmtree(out, ignore_errors=True)
    locale = {"LC_ALL": "C.UTF-8"}  # Sphinx fails if the user's locale is not installed
    builds = {
        part: subprocess.Popen(_build(part, out), env=os.environ | locale | {pages.VARIABLE: part})
        for part in pages.NAMES
    }
    if failed := [part for part, build in builds.items() if build.wait()]:
        raise RunnerError(f"the site has warnings, see above: {', '.join(failed)}")
    shutil.rmtree(out / ".trees")
    (out / "index.html").write_text(START.format(start=pages.START), "utf-8")
    print(f"The site is in {out}: open {out / 'index.html'}")
    if serve:
        handler = functools.partial(SimpleHTTPRequestHandler, directory=str(out))
        with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
            print(f"Serving it at http://127.0.0.1:{server.server_port}/; Ctrl-C ends it.", flush=True)
            server.serve_forever()


def _build(part: str, out: Path) -> list[str]:
    """The command that builds a part, in a process of its own, because Sphinx keeps the language of a process."""
    options = ["-q", "-W", "--keep-going", "-d", str(out / ".trees" / part), "-c", str(Path(__file__).parent)]
    return [sys.executable, "-m", "sphinx", *options, str(pages.DOCS / part), str(out / part)]


if __name__ == "__main__":
    run(main)
