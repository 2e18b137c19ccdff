"""The file formats. A new module here is found automatically; no other file lists the formats.

A module has a `FORMAT`, and those of the functions in `ROLES` that the format has; see `FileFormat`.
"""

import importlib
import pkgutil
from dataclasses import replace

from local_runner.formats.file_format import FileFormat

ROLES = ("fits", "read", "read_path", "write", "join", "beside", "cuts")


def _format(name: str) -> FileFormat:
    module = importlib.import_module(f"{__name__}.{name}")
    described: FileFormat = module.FORMAT
    return replace(described, name=name, **{role: getattr(module, role, None) for role in ROLES})  # type: ignore[arg-type]


FORMATS: tuple[FileFormat, ...] = tuple(sorted(
    (_format(each.name) for each in pkgutil.iter_modules(__path__)), key=lambda each: (each.order, each.name)
))  # fmt: skip
