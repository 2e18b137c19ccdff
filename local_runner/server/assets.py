"""The files of the page, read once, compressed once, and answered from memory. Knows no file outside their folder.

Names are looked up in the list of the files that were there at the start; no path is made from what a browser sends.
"""

import gzip
import hashlib
import mimetypes
from dataclasses import dataclass
from pathlib import Path

PAGE = Path(__file__).parents[1] / "html" / "page"
INDEX = "index.html"
KINDS = {".js": "text/javascript", ".css": "text/css", ".html": "text/html", ".svg": "image/svg+xml",
         ".json": "application/json", ".webmanifest": "application/manifest+json"}  # fmt: skip
WORTH_PACKING = ("text/", "application/json", "image/svg", "application/manifest")


@dataclass(frozen=True)
class Asset:
    """One file: its content, the same compressed if that is worth it, its type and its tag."""

    content: bytes
    packed: bytes | None
    kind: str
    tag: str
    changed: int


class Assets:
    """The files of a folder."""

    def __init__(self, folder: Path = PAGE) -> None:
        self._files = {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*"))
                       if path.is_file() and path.suffix not in (".py", ".pyc")}  # fmt: skip
        self._read: dict[str, Asset] = {}

    def get(self, name: str) -> Asset | None:
        """A file by its name below the folder, None if there is none. It is read again when it has changed."""
        path = self._files.get(name)
        if path is None:
            return None
        try:
            changed = path.stat().st_mtime_ns
            asset = self._read.get(name)
            if asset is None or asset.changed != changed:
                asset = self._read[name] = packed(path.read_bytes(), path.suffix, changed)
        except OSError:
            return None
        return asset


def packed(content: bytes, suffix: str, changed: int = 0) -> Asset:
    """Content as an asset; `suffix`: of a file's name, which decides its type."""
    kind = KINDS.get(suffix) or mimetypes.guess_type(f"x{suffix}")[0] or "application/octet-stream"
    text = kind.startswith(WORTH_PACKING)
    tag = f'"{hashlib.sha256(content).hexdigest()[:16]}"'
    kind += "; charset=utf-8" if text else ""
    return Asset(content, gzip.compress(content, 9, mtime=0) if text else None, kind, tag, changed)
