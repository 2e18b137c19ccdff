"""The importer inside a one-file bundle: it imports the modules and data that the file carries as text.

`bundle.py` copies this file's text into the upload, below the settings and above the first import. As with an import
from a zip archive, a module's file name is the bundle's path followed by the module's path. Tracebacks show that name
and, through `get_source`, the text of the line.
"""

import base64
import importlib.machinery
import sys
from types import ModuleType
from typing import Any, Dict, Optional


class BundleImporter:
    """Finder and loader of one private package, without a base class, which would cost the import of importlib.abc."""

    def __init__(self, package: str, home: str, sources: Dict[str, str], data: Dict[str, str]) -> None:
        """package: private name of the package

        home: path of the bundle
        sources, data: path in the package -> text of a module, base64 of a data file
        """
        self.package = package
        self.home = home
        self.sources = sources
        self.data = data

    def install(self) -> None:
        """Add this importer to the import system, unless the same bundle has been loaded in this process before."""
        if not any(getattr(finder, "package", None) == self.package for finder in sys.meta_path):
            sys.meta_path.append(self)

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Optional[importlib.machinery.ModuleSpec]:
        """The spec of a module of the package, None for every other module."""
        if name != self.package and not name.startswith(self.package + "."):
            return None
        if not self._file(name):
            return None
        loader = self  # type: Any          # has a loader's methods, not the base class
        spec = importlib.machinery.ModuleSpec(
            name, loader, origin=self.get_filename(name), is_package=self.is_package(name)
        )
        spec.has_location = True  # gives the module its __file__, from which pkgutil.get_data starts
        return spec

    def create_module(self, spec: Any) -> None:
        """Return None, so that the import system makes an ordinary module."""
        return None

    def exec_module(self, module: ModuleType) -> None:
        """Run the module's text."""
        name = module.__name__
        exec(compile(self.get_source(name), self.get_filename(name), "exec", dont_inherit=True), module.__dict__)

    def get_source(self, name: str) -> str:
        """The module's text; linecache calls this to print a traceback."""
        return self.sources[self._file(name)]

    def get_filename(self, name: str) -> str:
        """The bundle's path followed by the module's; no file has this name."""
        return self.home + "/" + self._file(name)

    def is_package(self, name: str) -> bool:
        """Whether `name` is a package."""
        return self._file(name).endswith("__init__.py")

    def get_data(self, path: str) -> bytes:
        """The bytes of a data file, for `pkgutil.get_data(__package__, "data/NAME")`.

        Raises FileNotFoundError if the bundle does not hold the file.
        """
        inside = path.replace("\\", "/")[len(self.home) + 1 :]
        if inside not in self.data:
            raise FileNotFoundError(f"the bundle holds no data file {inside!r}")
        return base64.b64decode(self.data[inside])

    def _file(self, name: str) -> str:
        """The path of a module in the package; "" if there is none."""
        stem = name[len(self.package) + 1 :].replace(".", "/")
        for file in (stem + "/__init__.py").lstrip("/"), stem + ".py":
            if file in self.sources:
                return file
        return ""
