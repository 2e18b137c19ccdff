"""Builds the compiled engine: a library for each processor, from cpp/ into submission/native/data, as `make native`.

    python -m workshop.native.build             builds all libraries
    python -m workshop.native.build --check x86_64    builds this library elsewhere, and compares it with that in data/

Results do not depend on the flags. The engine computes with integers, except for shares of a budget;
-ffp-contract=off gives the shares the same rounding as in Python. See docs/developers/engine/12-compiled-engine.md.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import subprocess
import sys
import tempfile
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor
from importlib import metadata
from pathlib import Path
from typing import Annotated, Any

import typer

from local_runner.errors import RunnerError
from workshop.command import run

SOURCES = Path(__file__).parent / "cpp"
BUILT = Path(__file__).resolve().parents[2] / "submission" / "native" / "data"
CHECKSUMS = "libraries.json"
TARGETS = {  # library -> the compiler's target and processor
    "x86_64": ("x86_64-linux-gnu.2.17", "x86_64"),
    "x86_64-v3": ("x86_64-linux-gnu.2.17", "x86_64_v3"),
    "aarch64": ("aarch64-linux-gnu.2.17", "generic"),
}
FLAGS = ("-std=c++17", "-O3", "-ffp-contract=off", "-fno-sanitize=all", "-fvisibility=hidden", "-Wall", "-Wextra",
         "-Wno-psabi", "-fPIC", "-shared", "-s")  # fmt: skip


def digest() -> str:
    """The checksum of the sources and of the flags."""
    made = hashlib.sha256(repr((FLAGS, TARGETS)).encode())
    for file in sorted(SOURCES.glob("*")):
        made.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return made.hexdigest()


def checksums(folder: Path = BUILT) -> dict[str, Any]:
    """The contents of libraries.json."""
    made: dict[str, Any] = json.loads((folder / CHECKSUMS).read_text("ascii"))
    return made


def build(folder: Path, names: Collection[str] = TARGETS) -> None:
    """Compile libraries into a folder, with their checksums.

    Raises RunnerError for an unknown library, and if the compiler is missing or refuses the sources.
    """
    if wrong := set(names) - TARGETS.keys():
        raise RunnerError("there is no library {}; choose of: {}".format(", ".join(wrong), ", ".join(TARGETS)))
    try:
        version = metadata.version("ziglang")
    except metadata.PackageNotFoundError:
        raise RunnerError("there is no compiler; install the package ziglang into this environment") from None
    sources = sorted(file.name for file in SOURCES.glob("*.cpp"))

    def compiled(name: str) -> dict[str, Any]:
        target, processor = TARGETS[name]
        command = ["zig", "c++", "-target", target, f"-mcpu={processor}", *FLAGS, *sources]
        library = folder / f"{name}.so"
        done = subprocess.run(
            [sys.executable, "-m", "ziglang", *command[1:], "-o", str(library.resolve())],
            cwd=SOURCES, capture_output=True, text=True,
        )  # fmt: skip
        if done.returncode:
            raise RunnerError(f"the compiler refuses {SOURCES.name}/:\n{done.stderr}")
        content = library.read_bytes()
        library.unlink()
        (folder / f"{name}.so.xz").write_bytes(lzma.compress(content, preset=9 | lzma.PRESET_EXTREME))
        return {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content), "made by": " ".join(command)}

    with ThreadPoolExecutor() as pool:
        made = dict(zip(names, pool.map(compiled, names), strict=True))
    written = json.dumps({"compiler": f"ziglang {version}", "sources": digest(), "libraries": made}, indent=1)
    (folder / CHECKSUMS).write_text(written + "\n", "ascii")


def main(
    check: Annotated[list[str] | None, typer.Option(help="Compare a new build of this library only.")] = None,
) -> None:
    """Build the libraries, or compare a new build with the libraries in data/."""
    if check:
        with tempfile.TemporaryDirectory() as scratch:
            build(Path(scratch), check)
            made, known = (checksums(folder)["libraries"] for folder in (Path(scratch), BUILT))
        if any(made[name] != known.get(name) for name in check):
            raise RunnerError("a new build gives another library; run `make native` and commit what it changes")
    else:
        BUILT.mkdir(exist_ok=True)
        build(BUILT)
    print(*(f"{name} {each['sha256'][:16]}" for name, each in checksums()["libraries"].items()), sep="\n")


if __name__ == "__main__":
    run(main)
