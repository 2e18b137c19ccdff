"""The examples in the docstrings are true."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import submission

MODULES = [module.name for module in pkgutil.walk_packages(submission.__path__, "submission.")]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0
