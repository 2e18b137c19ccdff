"""Checks for packages that only some commands need, which are the extras of pyproject.toml."""

import shlex
from importlib.util import find_spec
from pathlib import Path

from local_runner.errors import RunnerError
from local_runner.language.languages import _

CHECKOUT = Path(__file__).parents[2]  # the checkout's folder if this is no installed package
MODULES = {
    "serve": ("starlette", "uvicorn", "websockets"),
    "cluster": ("ray",),
    "rl": ("pettingzoo",),
}


def need(extra: str) -> None:
    """Raise RunnerError with a sentence that says how to install an extra, if not all its packages are installed."""
    if all(map(find_spec, MODULES[extra])):
        return
    what = shlex.quote(f"tengen[{extra}]")
    if CHECKOUT.joinpath("pyproject.toml").is_file():
        what = f"-e {shlex.quote(f'{CHECKOUT}[{extra}]')}"
    raise RunnerError(_("this needs more packages: pip install {what}").format(what=what))
