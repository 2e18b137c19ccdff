"""The importer inside a one-file bundle: it imports the modules and data that the file carries as text.

`bundle.py` copies this file's text into the upload, below the settings and above the first import. As with an import
from a zip archive, a module's file name is the bundle's path followed by the module's path. Tracebacks show that name
and the text of the line.
"""

import base64
import sys
from importlib.machinery import ModuleSpec, SourceFileLoader
from typing import Any, Dict, Optional


class BundleImporter:
    """Finds the modules of one private package.

    home: path of the bundle; sources, data: path in the package -> text of a module, base64 of a data file
    """

    def __init__(self, package: str, home: str, sources: Dict[str, str], data: Dict[str, str]) -> None:
        self.package, self.home, self.sources, self.data = package, home, sources, data

    def install(self) -> None:
        """Add this importer to the import system, unless the same bundle has been loaded in this process before."""
        if not any(getattr(finder, "package", None) == self.package for finder in sys.meta_path):
            sys.meta_path.append(self)

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Optional[ModuleSpec]:
        """The spec of a module of the package, None for every other module. The loader reads no file."""
        if name != self.package and not name.startswith(self.package + "."):
            return None
        stem = name[len(self.package) + 1 :].replace(".", "/")
        files = [file for file in ((stem + "/__init__.py").lstrip("/"), stem + ".py") if file in self.sources]
        if not files:
            return None
        text, origin = self.sources[files[0]], self.home + "/" + files[0]
        loader: Any = SourceFileLoader(name, origin)
        loader.get_data, loader.get_source = self.get_data, lambda name: text
        loader.get_code = lambda name: compile(text, origin, "exec", dont_inherit=True)
        spec = ModuleSpec(name, loader, origin=origin, is_package=origin.endswith("__init__.py"))
        spec.has_location = True  # gives the module its __file__, from which pkgutil.get_data starts
        return spec

    def get_data(self, path: str) -> bytes:
        """The bytes of a data file, for `pkgutil.get_data(__package__, "data/NAME")`.

        Raises FileNotFoundError if the bundle does not hold the file.
        """
        inside = path.replace("\\", "/")[len(self.home) + 1 :]
        if inside not in self.data:
            raise FileNotFoundError(f"the bundle holds no data file {inside!r}")
        return base64.b64decode(self.data[inside])
