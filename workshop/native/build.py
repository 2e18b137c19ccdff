"""Builds the compiled engine: one shared library from cpp/, in build/native. Needs g++ or clang++, and nothing else.

    python -m workshop.native.build             builds the library and prints its path, as `make native`

The library has a plain C interface, loaded by ctypes: no package is needed to build it or to call it. The library's
name holds a hash of the sources and of the flags. So a change gives another name, and a second build of the same
sources does nothing.

Results do not depend on the flags. The engine computes with integers, except for shares of a budget;
-ffp-contract=off gives the shares the same rounding as in Python.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from local_runner.errors import RunnerError
from workshop.command import run

SOURCES = Path(__file__).parent / "cpp"
BUILT = Path(__file__).resolve().parents[2] / "build" / "native"
COMPILERS = ("g++", "clang++", "c++")
FLAGS = ("-std=c++17", "-O3", "-march=native", "-ffp-contract=off", "-Wall", "-Wextra", "-fPIC", "-shared")


class NoCompiler(RunnerError):
    """No C++ compiler is installed, or the compiler cannot compile the sources."""


def find_compiler() -> str | None:
    """The C++ compiler: CXX of the environment, or the first of COMPILERS that is on the PATH."""
    named = os.environ.get("CXX")
    return next(filter(None, map(shutil.which, [named] if named else COMPILERS)), None)


def build(flags: tuple[str, ...] = FLAGS) -> Path:
    """The shared library, compiled if its sources have changed. Raises NoCompiler if it cannot be compiled."""
    compiler = find_compiler()
    if compiler is None:
        raise NoCompiler("there is no C++ compiler; install g++ or clang++, or name one in CXX")
    files = sorted(SOURCES.glob("*"))
    digest = hashlib.sha256("\0".join([compiler, *flags]).encode())
    for file in files:
        digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    library = BUILT / f"tengen-{digest.hexdigest()[:16]}.so"
    if not library.exists():
        BUILT.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=BUILT) as folder:
            made = Path(folder) / "made.so"
            sources = [str(file) for file in files if file.suffix == ".cpp"]
            done = subprocess.run([compiler, *flags, "-o", str(made), *sources], capture_output=True, text=True)
            if done.returncode:
                raise NoCompiler(f"{compiler} cannot compile {SOURCES.name}/:\n{done.stderr}")
            made.replace(library)  # atomic: another process never loads half a file
    return library


def main() -> None:
    """Build the library, and print where it is."""
    print(build())


if __name__ == "__main__":
    run(main)
