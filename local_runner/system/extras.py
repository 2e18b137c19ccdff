"""Checks for packages that only some commands need, which are the extras of pyproject.toml."""

from importlib.util import find_spec

from local_runner.errors import RunnerError
from local_runner.language.languages import _

MODULES = {
    "plots": ("matplotlib",),
    "serve": ("fastapi", "uvicorn", "websockets"),
    "cluster": ("ray",),
    "rl": ("pettingzoo",),
}


def missing(extra: str) -> str:
    """A sentence that says how to install an extra; "" if all packages of the extra are installed."""
    if all(map(find_spec, MODULES[extra])):
        return ""
    return _("this needs more packages: pip install 'tengen[{extra}]'").format(extra=extra)


def need(extra: str) -> None:
    """Raise RunnerError if a package of an extra is not installed."""
    if sentence := missing(extra):
        raise RunnerError(sentence)
