"""Builds the documentation site into build/site: `python -m workshop.site`, or `make docs`.

Warnings are errors: a dead link, a page that no menu has, a name that the API reference does not find.
"""

from __future__ import annotations

import functools
import os
import shutil
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Annotated

import typer

from local_runner.errors import RunnerError
from workshop.command import run
from workshop.site import parts

SITE = parts.DOCS.parent / "build" / "site"
START = """<!doctype html>
<html lang="zh"><meta charset="utf-8"><title>tengen</title>
<meta http-equiv="refresh" content="0; url={start}/index.html">
<p><a href="zh/index.html">中文</a> · <a href="en/index.html">English</a></p></html>
"""


Out = Annotated[Path, typer.Option(help="Folder of the site. Its content is replaced.")]
Serve = Annotated[bool, typer.Option("--serve", help="Then serve the site to this machine, until Ctrl-C.")]


def main(out: Out = SITE, serve: Serve = False) -> None:
    """Build all parts of the site, and the page that leads to the Chinese one."""
    from sphinx.cmd.build import build_main

    shutil.rmtree(out, ignore_errors=True)
    for part in parts.NAMES:
        os.environ[parts.VARIABLE] = part
        options = ["-q", "-W", "--keep-going", "-d", str(out / ".trees" / part), "-c", str(Path(__file__).parent)]
        if build_main([*options, str(parts.DOCS / part), str(out / part)]):
            raise RunnerError(f"the part {part} of the site has warnings; see above")
    shutil.rmtree(out / ".trees")
    (out / "index.html").write_text(START.format(start=parts.START), "utf-8")
    print(f"The site is in {out}: open {out / 'index.html'}")
    if serve:
        handler = functools.partial(SimpleHTTPRequestHandler, directory=str(out))
        with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
            print(f"Serving it at http://127.0.0.1:{server.server_port}/; Ctrl-C ends it.", flush=True)
            server.serve_forever()


if __name__ == "__main__":
    run(main)
