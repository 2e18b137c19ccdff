"""The importer inside a one-file bundle: serves the modules and the data that the file carries as text.

Python 3.7 and standard library only: `bundle.py` copies this text into the upload, below the settings and above the
first import. Knows nothing of games. A module's file name is the bundle's own path with the module's path behind it, as
in a zip archive, so that tracebacks show where a line stands, and its text too (`get_source`).
"""
import base64
import importlib.machinery
import sys
from types import ModuleType
from typing import Any, Dict, Optional


class BundleImporter:
    """Finder and loader of one private package; plain methods, since importlib.abc costs an import and adds none."""

    def __init__(self, package: str, home: str, sources: Dict[str, str], data: Dict[str, str]) -> None:
        """`package`: its private name; `home`: the bundle's path; both dicts: path in the package -> text or base64."""
        self.package = package
        self.home = home
        self.sources = sources
        self.data = data

    def install(self) -> None:
        """Serve the package from now on; once only, however often the same bundle is loaded in one process."""
        if not any(getattr(finder, "package", None) == self.package for finder in sys.meta_path):
            sys.meta_path.append(self)

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Optional[importlib.machinery.ModuleSpec]:
        """The spec of a module of the package, None for every other module."""
        if name != self.package and not name.startswith(self.package + "."):
            return None
        if not self._file(name):
            return None
        loader = self  # type: Any          # a loader by its methods, not by its base class
        spec = importlib.machinery.ModuleSpec(
            name, loader, origin=self.get_filename(name), is_package=self.is_package(name)
        )
        spec.has_location = True  # gives the module its __file__, from which pkgutil.get_data starts
        return spec

    def create_module(self, spec: Any) -> None:
        """None: an ordinary module."""
        return None

    def exec_module(self, module: ModuleType) -> None:
        """Run the module's text in it."""
        name = module.__name__
        exec(compile(self.get_source(name), self.get_filename(name), "exec", dont_inherit=True), module.__dict__)

    def get_source(self, name: str) -> str:
        """The module's text; linecache asks for it when it prints a traceback."""
        return self.sources[self._file(name)]

    def get_filename(self, name: str) -> str:
        """The module's path behind the bundle's own; no such file exists."""
        return self.home + "/" + self._file(name)

    def is_package(self, name: str) -> bool:
        """Whether modules may lie below `name`."""
        return self._file(name).endswith("__init__.py")

    def get_data(self, path: str) -> bytes:
        """The bytes of a data file, for `pkgutil.get_data(__package__, "data/NAME")`; OSError when there is none."""
        inside = path.replace("\\", "/")[len(self.home) + 1:]
        if inside not in self.data:
            raise FileNotFoundError(f"the bundle holds no data file {inside!r}")
        return base64.b64decode(self.data[inside])

    def _file(self, name: str) -> str:
        """The path of a module of the package; "" when there is none."""
        stem = name[len(self.package) + 1:].replace(".", "/")
        for file in (stem + "/__init__.py").lstrip("/"), stem + ".py":
            if file in self.sources:
                return file
        return ""
