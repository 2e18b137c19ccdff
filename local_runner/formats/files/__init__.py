"""The file formats. A new module here with a `FORMAT` is found automatically; no other file lists the formats."""

import importlib
import pkgutil

from local_runner.formats.file_format import FileFormat

FORMATS: tuple[FileFormat, ...] = tuple(sorted(
    (importlib.import_module(f"{__name__}.{each.name}").FORMAT for each in pkgutil.iter_modules(__path__)),
    key=lambda each: (each.order, each.name),
))  # fmt: skip
